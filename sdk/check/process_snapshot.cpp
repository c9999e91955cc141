#include "check/process_snapshot.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <clocale>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

#include "crossfold/error.h"
#include "engine/plugin/foreign_text.h"

namespace crossfold::check {

namespace {

// The beginning of the output of a plugin is enough.
constexpr std::size_t kMaxRead = std::size_t{1} << 16;

[[noreturn]] void ThrowSystem() {
  throw Error(ErrorKind::kIo,
              "cannot watch stdout and stderr: " + std::generic_category().message(errno));
}

std::string ContentOf(int file) {
  std::string content(kMaxRead, '\0');
  const ssize_t n = ::pread(file, content.data(), content.size(), 0);
  content.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return content;
}

}  // namespace

OutputCapture::Stream OutputCapture::Replace(int descriptor) {
  Stream stream{descriptor, ::fcntl(descriptor, F_DUPFD_CLOEXEC, 3), -1};
  if (stream.saved < 0) ThrowSystem();
  // Opened for appending, so that writes through a copy of the descriptor do not overwrite.
  stream.file = ::memfd_create("crossfold-output", MFD_CLOEXEC);
  if (stream.file < 0 || ::fcntl(stream.file, F_SETFL, O_APPEND) != 0 ||
      ::dup2(stream.file, descriptor) < 0) {
    ThrowSystem();
  }
  return stream;
}

void OutputCapture::GiveBack(const Stream& stream) {
  const std::string content = ContentOf(stream.file);
  ::dup2(stream.saved, stream.descriptor);
  ::close(stream.saved);
  ::close(stream.file);
  if (::write(stream.descriptor, content.data(), content.size()) < 0) {
    return;  // it has no reader
  }
}

OutputCapture::OutputCapture() {
  std::fflush(nullptr);
  out_ = Replace(STDOUT_FILENO);
  err_ = Replace(STDERR_FILENO);
}

OutputCapture::~OutputCapture() {
  std::fflush(nullptr);
  GiveBack(out_);
  GiveBack(err_);
}

OutputCapture::Written OutputCapture::Read() const {
  std::fflush(nullptr);
  return {ContentOf(out_.file), ContentOf(err_.file)};
}

namespace {

namespace fs = std::filesystem;
using Texts = std::map<std::string, std::string>;

std::string FileText(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

Texts EnvironmentNow() {
  Texts variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    variables.emplace(text.substr(0, equals),
                      equals == std::string_view::npos ? "" : text.substr(equals + 1));
  }
  return variables;
}

Texts ThreadsNow() {
  Texts threads;
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator("/proc/self/task", failure)) {
    std::string name = FileText(entry.path() / "comm");
    while (!name.empty() && name.back() == '\n') name.pop_back();
    threads.emplace(entry.path().filename().string(), std::move(name));
  }
  return threads;
}

Texts DescriptorsNow() {
  std::vector<std::string> numbers;
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd", failure)) {
    numbers.push_back(entry.path().filename().string());
  }
  Texts descriptors;
  for (std::string& number : numbers) {  // the folder itself is closed now
    const fs::path target = fs::read_symlink("/proc/self/fd/" + number, failure);
    if (!failure) descriptors.emplace(std::move(number), target.string());
  }
  return descriptors;
}

// The bytes of the state of rand(), from the array that setstate() gives back (glibc manual, "BSD
// Random Number Functions"). Its first word gives its size: the kind modulo 5 (glibc, random_r.c).
std::string RandomStateNow() {
  constexpr std::size_t kSizes[] = {8, 32, 64, 128, 256};
  char meanwhile[8];
  char* state = ::initstate(1, meanwhile, sizeof(meanwhile));
  std::int32_t kind = 0;
  std::memcpy(&kind, state, sizeof(kind));
  std::string bytes(state, kSizes[static_cast<std::uint32_t>(kind) % 5]);
  ::setstate(state);
  return bytes;
}

std::string Quoted(const std::string& text) { return "'" + CleanText(text.c_str()) + "'"; }

std::string FromTo(const std::string& was, const std::string& is) {
  return "from " + Quoted(was) + " to " + Quoted(is);
}

std::string Octal(mode_t mode) {
  std::string text;
  for (int shift = 6; shift >= 0; shift -= 3) {
    text += static_cast<char>('0' + static_cast<int>(mode >> shift & 7u));
  }
  return text;
}

bool AreEqual(const sigset_t& a, const sigset_t& b) {
  for (int signal = 1; signal < NSIG; ++signal) {
    if (sigismember(&a, signal) != sigismember(&b, signal)) return false;
  }
  return true;
}

bool AreEqual(const struct sigaction& a, const struct sigaction& b) {
  return a.sa_handler == b.sa_handler && a.sa_flags == b.sa_flags && AreEqual(a.sa_mask, b.sa_mask);
}

bool AreEqual(const timeval& a, const timeval& b) {
  return a.tv_sec == b.tv_sec && a.tv_usec == b.tv_usec;
}

bool IsArmed(const itimerval& timer) {
  return timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0;
}

// Only whether there is time left is compared, as it passes.
bool AreEqual(const itimerval& a, const itimerval& b) {
  return IsArmed(a) == IsArmed(b) && AreEqual(a.it_interval, b.it_interval);
}

std::string SignalName(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name != nullptr ? std::string("SIG") + name : "signal " + std::to_string(signal);
}

class Comparison {
 public:
  using enum ProcessSubject;

  Comparison(const ProcessSnapshot& was, const ProcessSnapshot& is) : was_(was), is_(is) {}

  std::vector<ProcessChange> Run() {
    CompareLocale();
    for (std::string& text : DescribeChanges(was_.floating_point, is_.floating_point)) {
      Tell(kFloatingPoint, std::move(text));
    }
    CompareSignals();
    CompareTimers();
    CompareFiles();
    CompareEnvironment();
    CompareThreads();
    CompareLimits();
    if (was_.random_state != is_.random_state) {
      Tell(kRandom, "used the random numbers of the C library, which belong to the host");
    }
    if (was_.on_terminate != is_.on_terminate) {
      Tell(kHandlers, "changed the C++ terminate handler");
    }
    if (was_.on_no_memory != is_.on_no_memory) {
      Tell(kHandlers, "changed the C++ new handler");
    }
    return std::move(changes_);
  }

 private:
  void Tell(ProcessSubject subject, std::string text) {
    changes_.push_back({subject, std::move(text)});
  }

  void CompareLocale() {
    if (was_.locale != is_.locale) {
      Tell(kLocale, "changed the locale " + FromTo(was_.locale, is_.locale));
    }
    if (was_.thread_locale != is_.thread_locale) {
      Tell(kLocale, "changed the locale of its thread");
    }
    if (was_.cxx_locale != is_.cxx_locale) {
      Tell(kLocale,
           "changed the C++ locale " + FromTo(was_.cxx_locale.name(), is_.cxx_locale.name()));
    }
  }

  void CompareSignals() {
    for (std::size_t i = 0; i < was_.signals.size() && i < is_.signals.size(); ++i) {
      if (AreEqual(was_.signals[i], is_.signals[i])) continue;
      Tell(kSignals, "changed what happens on " + SignalName(static_cast<int>(i) + 1));
    }
    if (!AreEqual(was_.mask, is_.mask)) {
      Tell(kSignals, "changed which signals its thread blocks");
    }
  }

  void CompareTimers() {
    constexpr const char* kNames[] = {"the alarm", "the virtual timer", "the profiling timer"};
    for (std::size_t i = 0; i < was_.timers.size(); ++i) {
      if (AreEqual(was_.timers[i], is_.timers[i])) continue;
      Tell(kTimers, std::string("set or stopped ") + kNames[i] + " of the process");
    }
    if (was_.posix_timers != is_.posix_timers) {
      Tell(kTimers, "made or removed a timer of the process");
    }
  }

  void CompareFiles() {
    if (was_.umask != is_.umask) {
      Tell(kUmask, "changed the umask from " + Octal(was_.umask) + " to " + Octal(is_.umask));
    }
    if (was_.folder != is_.folder) {
      Tell(kFolder, "changed the current folder " + FromTo(was_.folder, is_.folder));
    }
    for (const auto& [number, target] : is_.descriptors) {
      const auto before = was_.descriptors.find(number);
      if (before == was_.descriptors.end()) {
        Tell(kDescriptors, "left descriptor " + number + " open, on " + Quoted(target));
      } else if (before->second != target) {
        Tell(kDescriptors,
             "changed what descriptor " + number + " is open on " + FromTo(before->second, target));
      }
    }
    for (const auto& [number, target] : was_.descriptors) {
      if (is_.descriptors.count(number) > 0) continue;
      Tell(kDescriptors, "closed descriptor " + number + " of the host");
    }
  }

  void CompareEnvironment() {
    for (const auto& [name, value] : is_.environment) {
      const auto before = was_.environment.find(name);
      if (before == was_.environment.end()) {
        Tell(kEnvironment,
             "set the environment variable " + CleanText(name.c_str()) + " to " + Quoted(value));
      } else if (before->second != value) {
        Tell(kEnvironment, "changed the environment variable " + CleanText(name.c_str()) + " " +
                               FromTo(before->second, value));
      }
    }
    for (const auto& [name, value] : was_.environment) {
      if (is_.environment.count(name) > 0) continue;
      Tell(kEnvironment, "removed the environment variable " + CleanText(name.c_str()));
    }
  }

  void CompareThreads() {
    std::size_t n_new = 0;
    std::set<std::string> names;
    for (const auto& [id, name] : is_.threads) {
      if (was_.threads.count(id) > 0) continue;
      ++n_new;
      names.insert(Quoted(name));
    }
    if (n_new == 0) return;
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    Tell(kThreads, "left " + std::to_string(n_new) + (n_new == 1 ? " thread" : " threads") +
                       " running: " + list);
  }

  void CompareLimits() {
    for (std::size_t i = 0; i < was_.limits.size(); ++i) {
      if (was_.limits[i].rlim_cur == is_.limits[i].rlim_cur &&
          was_.limits[i].rlim_max == is_.limits[i].rlim_max) {
        continue;
      }
      Tell(kLimits, "changed the limit of resource " + std::to_string(i) + " (see getrlimit)");
    }
    if (was_.priority != is_.priority) {
      Tell(kLimits, "changed the priority of the process from " + std::to_string(was_.priority) +
                        " to " + std::to_string(is_.priority));
    }
  }

  const ProcessSnapshot& was_;
  const ProcessSnapshot& is_;
  std::vector<ProcessChange> changes_;
};

// "'line one ...'": the beginning of what was written.
std::string Beginning(const std::string& written) {
  constexpr std::size_t kMax = 80;
  return Quoted(written.size() <= kMax ? written : written.substr(0, kMax) + " ...");
}

}  // namespace

ProcessSnapshot TakeSnapshot() {
  ProcessSnapshot now;
  now.locale = std::setlocale(LC_ALL, nullptr);
  now.thread_locale = ::uselocale(nullptr);
  now.floating_point = CurrentFloatControl();
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action {};
    ::sigaction(signal, nullptr, &action);
    now.signals.push_back(action);
  }
  ::pthread_sigmask(SIG_SETMASK, nullptr, &now.mask);
  ::getitimer(ITIMER_REAL, &now.timers[0]);
  ::getitimer(ITIMER_VIRTUAL, &now.timers[1]);
  ::getitimer(ITIMER_PROF, &now.timers[2]);
  now.posix_timers = FileText("/proc/self/timers");
  now.umask = ::umask(0);
  ::umask(now.umask);
  std::error_code failure;
  now.folder = fs::current_path(failure).string();
  now.environment = EnvironmentNow();
  now.threads = ThreadsNow();
  now.descriptors = DescriptorsNow();
  for (int resource = 0; resource < static_cast<int>(RLIM_NLIMITS); ++resource) {
    rlimit limit{};
    ::getrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
    now.limits.push_back(limit);
  }
  now.priority = ::getpriority(PRIO_PROCESS, 0);
  now.random_state = RandomStateNow();
  now.on_terminate = std::get_terminate();
  now.on_no_memory = std::get_new_handler();
  return now;
}

std::vector<ProcessChange> ProcessWatch::Finish() {
  // A joined thread may stay in /proc for a moment.
  constexpr int kMaxLooks = 50;
  for (int i = 0; i < kMaxLooks && ThreadsNow().size() > before_.threads.size(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(4));
  }
  const ProcessSnapshot now = TakeSnapshot();
  std::vector<ProcessChange> changes = Comparison(before_, now).Run();
  const OutputCapture::Written written = output_.Read();
  if (!written.out.empty()) {
    changes.push_back({ProcessSubject::kOutput, "wrote to stdout: " + Beginning(written.out)});
  }
  if (!written.err.empty()) {
    changes.push_back({ProcessSubject::kOutput, "wrote to stderr: " + Beginning(written.err)});
  }
  return changes;
}

}  // namespace crossfold::check
