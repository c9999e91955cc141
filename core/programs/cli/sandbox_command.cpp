#include "programs/cli/commands.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "crossfold/cancel_token.h"
#include "crossfold/error.h"
#include "crossfold/lua.h"
#include "crossfold/sandbox.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/opened_stores.h"
#include "programs/cli/run_defaults.h"
#include "programs/cli/script_command.h"

namespace crossfold::cli {
namespace {

constexpr double kGraceSeconds = 1;  // that the child has to say that its time is up
constexpr double kForeverSeconds = 1e9;
constexpr double kSecondsBetweenLooks = 0.02;                    // at the memory
constexpr std::uint64_t kOwnBytes = std::uint64_t{32} << 20;     // of the program itself
constexpr std::uint64_t kProgramBytes = std::uint64_t{1} << 30;  // addresses of the program itself
constexpr std::uint64_t kThreadBytes = std::uint64_t{80} << 20;  // stack and heap of a thread

// The sanitizers reserve terabytes of addresses, so a limit on addresses is not possible.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kLimitsAddresses = false;
#else
constexpr bool kLimitsAddresses = true;
#endif

// ---- parent ----

std::atomic<pid_t> child_process{0};  // for the signal handler

void PassOn(int signal) {
  if (const pid_t pid = child_process.load()) kill(pid, signal);
}

// Owns the arguments of posix_spawn.
class SpawnSettings {
 public:
  // `input` becomes the standard input of the process; -1 = it gets none.
  explicit SpawnSettings(int input) {
    posix_spawn_file_actions_init(&actions_);
    if (input < 0) {
      posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    } else {
      posix_spawn_file_actions_adddup2(&actions_, input, STDIN_FILENO);
    }
    posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
    posix_spawnattr_init(&attributes_);
    // A group of its own: Ctrl-C on the terminal reaches it once, through the parent.
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes_, 0);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  posix_spawn_file_actions_t* actions() { return &actions_; }
  posix_spawnattr_t* attributes() { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

// A file in memory with this text, to be read from its beginning. The caller closes it.
int MakeInput(const std::string& text) {
  const int file = memfd_create("script", MFD_CLOEXEC);
  std::size_t written = 0;
  while (file >= 0 && written < text.size()) {
    const ssize_t size = write(file, text.data() + written, text.size() - written);
    if (size < 0 && errno != EINTR) break;
    written += size > 0 ? static_cast<std::size_t>(size) : 0;
  }
  if (file >= 0 && written == text.size() && lseek(file, 0, SEEK_SET) == 0) return file;
  const std::string reason = std::generic_category().message(errno);
  if (file >= 0) close(file);
  throw Error(ErrorKind::kIo, "cannot pass the script on to the sandbox's process: " + reason);
}

pid_t Spawn(const std::vector<std::string>& arguments, const ScriptOptions& script) {
  std::vector<std::string> texts = {"crossfold", kSandboxChild + ("=" + std::to_string(getpid()))};
  texts.insert(texts.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& text : texts) argv.push_back(text.data());
  argv.push_back(nullptr);
  // The child cannot read a terminal itself: it is not in its foreground process group.
  const int input = script.is_standard_input() ? MakeInput(ReadStandardInput()) : -1;
  SpawnSettings settings(input);
  pid_t pid = 0;
  const int problem = posix_spawn(&pid, "/proc/self/exe", settings.actions(), settings.attributes(),
                                  argv.data(), environ);
  if (input >= 0) close(input);
  if (problem == 0) return pid;
  throw Error(ErrorKind::kIo,
              "cannot start the sandbox's process: " + std::generic_category().message(problem));
}

struct Memory {
  std::uint64_t own = 0, shared = 0;  // bytes
};

// Of lines as in "RssAnon:	    4504 kB" (proc_pid_status(5)).
Memory MemoryOf(const std::string& process) {
  Memory memory;
  std::ifstream status(process + "/status");
  for (std::string name, rest; status >> name; std::getline(status, rest)) {
    const bool own = name == "RssAnon:" || name == "VmSwap:";
    if (!own && name != "RssShmem:") continue;
    std::uint64_t kilobytes = 0;
    status >> kilobytes;
    (own ? memory.own : memory.shared) += kilobytes * 1024;
  }
  return memory;
}

// Each thread has children of its own.
void AppendChildren(const std::string& process, std::vector<std::string>& out) {
  std::error_code error;
  for (std::filesystem::directory_iterator i(process + "/task", error), end; !error && i != end;
       i.increment(error)) {
    std::ifstream children(i->path() / "children");
    for (std::string child; children >> child;) out.push_back("/proc/" + child);
  }
}

// Bytes of private memory of `root` and its descendants, in memory or swapped out, and of their
// shared memory, which counts once: the maximum of any one process. 0 if the process is gone.
std::uint64_t MemoryOfTree(pid_t root) {
  std::vector<std::string> processes = {"/proc/" + std::to_string(root)};
  Memory all;
  for (std::size_t i = 0; i < processes.size(); ++i) {
    const std::string process = processes[i];
    const Memory memory = MemoryOf(process);
    all.own += memory.own;
    all.shared = std::max(all.shared, memory.shared);
    AppendChildren(process, processes);
  }
  return all.own + all.shared;
}

enum class KillReason { kNone, kTime, kMemory };

// Kills a process when its time is up, or when it and its descendants use too much memory. The
// process must not be waited for while this object exists.
class Killer {
 public:
  // 0 = no limit.
  Killer(pid_t pid, double seconds, std::uint64_t memory) {
    if (seconds <= 0 && memory == 0) return;
    try {
      thread_ = std::thread([this, pid, seconds, memory] { Watch(pid, seconds, memory); });
    } catch (const std::system_error& e) {
      kill(pid, SIGKILL);
      throw std::system_error(e.code(), "cannot watch the time of the script");
    }
  }
  ~Killer() { Finish(); }
  Killer(const Killer&) = delete;
  Killer& operator=(const Killer&) = delete;

  // Stops watching. Returns why it killed the process, if it did.
  KillReason Finish() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    changed_.notify_one();
    if (thread_.joinable()) thread_.join();
    return reason_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  void Watch(pid_t pid, double seconds, std::uint64_t memory) {
    const Clock::time_point start = Clock::now();
    const std::chrono::duration<double> length(seconds > 0 ? seconds : kForeverSeconds);
    const std::chrono::duration<double> step(memory > 0 ? kSecondsBetweenLooks : length.count());
    std::unique_lock lock(mutex_);
    for (;;) {
      const std::chrono::duration<double> rest = length - (Clock::now() - start);
      if (changed_.wait_for(lock, std::min(step, rest), [this] { return done_; })) return;
      if (Clock::now() - start >= length) reason_ = KillReason::kTime;
      if (memory > 0 && MemoryOfTree(pid) > memory) reason_ = KillReason::kMemory;
      if (reason_ == KillReason::kNone) continue;
      kill(pid, SIGKILL);
      return;
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  KillReason reason_ = KillReason::kNone;
  std::thread thread_;
};

// Waits for the end of the process, which stays a zombie so that its id is not given to another.
void WaitForEnd(pid_t pid) {
  siginfo_t info;
  while (waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
}

int Reap(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

int Translate(int status, KillReason reason, std::uint64_t memory) {
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  const int signal = WTERMSIG(status);
  if (reason == KillReason::kTime) {
    std::fputs(
        "crossfold: killed the script: it did not stop when its time was up; give it more "
        "(--sandbox-seconds)\n",
        stderr);
  } else if (reason == KillReason::kMemory) {
    std::fprintf(stderr,
                 "crossfold: killed the script: its values, data, models and worker processes "
                 "together took more than %llu bytes, the memory of this sandbox; keep less at a "
                 "time, or give it more (--sandbox-memory)\n",
                 static_cast<unsigned long long>(memory));
  } else if (signal == SIGXCPU) {
    std::fputs(
        "crossfold: the script was killed: it used up its processor time; give it more "
        "(--sandbox-seconds)\n",
        stderr);
  } else if (signal == SIGINT || signal == SIGTERM) {  // passed on
    std::fputs(
        "crossfold: interrupted; what was finished is kept in the store of the run, if it has one "
        "(--store)\n",
        stderr);
    return kInterrupted;
  } else {
    std::fprintf(stderr,
                 "crossfold: the script's process was killed by signal %d (%s); run it without "
                 "--sandbox only if you trust it\n",
                 signal, strsignal(signal));
  }
  return kError;
}

// ---- child ----

void Limit(int resource, std::uint64_t most) {
  rlimit limit{};
  if (getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0) return;
  limit.rlim_max = std::min<rlim_t>(limit.rlim_max, most);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_cur, limit.rlim_max);
  if (setrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0) {
    throw Error(ErrorKind::kIo,
                "cannot limit the sandbox's process: " + std::generic_category().message(errno));
  }
}

// Done before the script is read.
void GiveUpRights(const SandboxOptions& options, int workers) {
  const auto threads = static_cast<std::uint64_t>(workers);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != options.parent) std::_Exit(kError);  // it went before that was set
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    throw Error(ErrorKind::kIo, "cannot give up privileges: this kernel does not know how to");
  }
  Limit(RLIMIT_CORE, 0);
  Limit(RLIMIT_NOFILE, 256);
  if (options.seconds > 0) {
    // A second limit in addition to the clock: the time of all threads together.
    Limit(RLIMIT_CPU, static_cast<std::uint64_t>(std::ceil(options.seconds + 2 * kGraceSeconds)) *
                          (threads + 1));
  }
  if (options.memory == 0) return;
  Limit(RLIMIT_FSIZE, options.memory);
  if (kLimitsAddresses) {
    Limit(RLIMIT_AS, options.memory + kProgramBytes + threads * kThreadBytes);
  }
}

std::atomic<CancelToken*> interrupt_token{nullptr};

void OnInterrupt(int) {
  if (CancelToken* token = interrupt_token.load()) token->Cancel();
  std::signal(SIGINT, SIG_DFL);  // a second Ctrl-C leaves at once
}

void PrintLine(std::FILE* stream, const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stream);
  if (text.empty() || text.back() != '\n') std::fputc('\n', stream);
}

SandboxLimits MakeLimits(const SandboxOptions& options, const std::string& script) {
  SandboxLimits limits;
  limits.memory = options.memory;
  limits.seconds = options.seconds;
  limits.root = options.root;
  if (options.root.empty()) {
    limits.root = std::filesystem::path(script).parent_path();
    if (limits.root.empty()) limits.root = ".";
  }
  limits.output = options.output;
  if (options.output.empty()) limits.output = limits.root / "crossfold-output";
  return limits;
}

int Report(const ScriptResult& result, const ScriptOptions& script, lua_State* L) {
  if (result.end == ScriptEnd::kPlanned || (result.ok() && script.plan)) {
    return PrintPlan(L, script.json) ? kOk : kError;
  }
  if (!result.ok()) {
    const bool trace = script.traceback && !result.traceback.empty();
    std::fflush(stdout);
    PrintLine(stderr, "crossfold: " + (trace ? result.traceback : result.error));
    return result.end == ScriptEnd::kCancelled ? kInterrupted : kError;
  }
  if (script.json) {
    PrintLine(stdout, result.json);
  } else if (!result.text.empty()) {
    PrintLine(stdout, result.text);
  }
  return ReportCounts(result.counts);
}

}  // namespace

int RunSandboxParent(const SandboxOptions& options, const ScriptOptions& script,
                     const std::vector<std::string>& arguments) {
  const pid_t pid = Spawn(arguments, script);
  child_process = pid;
  std::signal(SIGINT, PassOn);
  std::signal(SIGTERM, PassOn);
  const double seconds = options.seconds > 0 ? options.seconds + kGraceSeconds : 0;
  Killer killer(pid, seconds, options.memory > 0 ? options.memory + kOwnBytes : 0);
  WaitForEnd(pid);
  const KillReason reason = killer.Finish();
  child_process = 0;
  return Translate(Reap(pid), reason, options.memory);
}

int RunSandboxChild(const SandboxOptions& options, const ScriptOptions& script,
                    std::shared_ptr<PluginHost> plugins) {
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  GiveUpRights(options, std::max({script.workers, cores, 1}));
  ScriptSource source = script.is_standard_input() ? ScriptSource{script.text, script.name()}
                                                   : ScriptSource::FromFile(script.script);
  source.args = script.args;
  source.json = script.json;
  LuaOptions lua_options = MakeLuaOptions(script, std::move(plugins));
  OpenedStores stores;
  lua_options.on_store = [&stores](const std::shared_ptr<CellStore>& store) { stores.Add(store); };
  std::FILE* const stream = script.json ? stderr : stdout;
  Sandbox sandbox(lua_options, MakeLimits(options, script.script), [stream](std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stream);
  });
  interrupt_token = lua_options.cancel.get();
  std::signal(SIGINT, OnInterrupt);
  const ScriptResult result = sandbox.Run(source);
  std::signal(SIGINT, SIG_DFL);
  interrupt_token = nullptr;
  const bool is_stored = stores.End(result.ok());
  if (!script.quiet) {
    std::fflush(stdout);
    PrintStores(sandbox.state(), "");
  }
  const int code = Report(result, script, sandbox.state());
  return is_stored || code == kInterrupted ? code : kError;
}

}  // namespace crossfold::cli
