// What belongs to the process is as it was: signal handlers, working directory, environment,
// locale, floating-point environment, umask, open files, timers; and nothing was printed.
//   process_state PLUGIN_FOLDER FILE
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <map>

#include "experiment.h"

extern char** environ;

namespace {

// What is compared, by name.
using State = std::map<std::string, std::string>;

std::string Bytes(const void* data, std::size_t size) {
  return {static_cast<const char*>(data), size};
}

void AddSignals(State& state) {
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action;
    std::memset(&action, 0, sizeof action);
    if (sigaction(number, nullptr, &action) != 0) continue;
    const std::string name = "signal " + std::to_string(number);
    state[name + ", handler"] = Bytes(&action.sa_handler, sizeof action.sa_handler);
    state[name + ", flags"] = std::to_string(action.sa_flags);
  }
  sigset_t blocked;
  sigemptyset(&blocked);
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  for (int number = 1; number < NSIG; ++number) {
    state["signal mask"] += sigismember(&blocked, number) == 1 ? '1' : '0';
  }
}

void AddFiles(State& state) {
  namespace fs = std::filesystem;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
    std::error_code failure;
    const std::string target = fs::read_symlink(entry.path(), failure).string();
    if (target.find("/proc/") == std::string::npos) {
      state["file " + entry.path().filename().string()] = target;
    }
  }
}

State Now() {
  State state;
  AddSignals(state);
  AddFiles(state);
  state["working directory"] = std::filesystem::current_path().string();
  for (char** variable = environ; *variable != nullptr; ++variable) {
    state["environment"] += std::string(*variable) + "\n";
  }
  state["locale"] = std::setlocale(LC_ALL, nullptr);
  state["thread locale"] = std::to_string(uselocale(nullptr) == LC_GLOBAL_LOCALE);
  state["rounding"] = std::to_string(std::fegetround());
  state["floating-point flags"] = std::to_string(std::fetestexcept(FE_ALL_EXCEPT));
  const mode_t mask = umask(0);
  umask(mask);
  state["umask"] = std::to_string(mask);
  itimerval timer{};
  getitimer(ITIMER_REAL, &timer);
  state["timer"] = Bytes(&timer, sizeof timer);
  rlimit limit{};
  for (const auto what : {RLIMIT_CORE, RLIMIT_NOFILE, RLIMIT_STACK, RLIMIT_AS}) {
    getrlimit(what, &limit);
    state["limit " + std::to_string(what)] = Bytes(&limit, sizeof limit);
  }
  state["priority"] = std::to_string(getpriority(PRIO_PROCESS, 0));
  return state;
}

// Standard output and standard error go to a file as long as it lives.
class Captured {
 public:
  explicit Captured(const std::string& path) : path_(path), saved_{dup(1), dup(2)} {
    const int file = open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
    dup2(file, 1);
    dup2(file, 2);
    close(file);
  }
  ~Captured() {
    std::fflush(nullptr);
    dup2(saved_[0], 1);
    dup2(saved_[1], 2);
    close(saved_[0]);
    close(saved_[1]);
  }
  std::uintmax_t size() const {
    std::fflush(nullptr);
    return std::filesystem::file_size(path_);
  }

 private:
  std::string path_;
  int saved_[2];
};

void UseEverything(const std::string& plugins, const std::string& file) {
  Session session(Linked(), plugins);
  const std::vector<double> here = session.Run(file);
  std::string isolated = kExperiment;
  isolated.insert(isolated.rfind('}'), R"(, "isolate": "worker")");
  Demand(session.Run(file, isolated.c_str()) == here, "worker processes change the numbers");
  try {
    session.Run("nothing.csv");
  } catch (const std::exception&) {
  }
}

}  // namespace

int main(int argc, char** argv) {
  return Report([&] {
    Demand(argc == 3, "two arguments are needed");
    std::uintmax_t printed = 0;
    State before, after;
    {
      const Captured captured("printed.txt");
      before = Now();
      UseEverything(argv[1], argv[2]);
      after = Now();
      printed = captured.size();
    }
    Demand(printed == 0, "something was printed");
    for (const auto& [name, value] : before) Demand(after[name] == value, name + " has changed");
    Demand(after.size() == before.size(), "there is a file or handler more");
  });
}
