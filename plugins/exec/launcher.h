// Starting the programs of learners.
#pragma once

#include <sys/types.h>

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace crossfold::exec {

// A program to be started, and what it inherits. It gets no other descriptors.
struct Launch {
  std::string program;  // path
  std::vector<std::string> arguments, environment;
  std::string folder;                      // its current folder
  int input = -1, output = -1, text = -1;  // its descriptors 0; 3; 1 and 2
};

// Throws plugin::Error: CF_E_IO if `error` (errno) means that the machine has no room for another
// process or descriptor, CF_E_OUT_OF_MEMORY, or CF_E_INTERNAL.
[[noreturn]] void RefuseStart(const std::string& program, int error);

// Starts programs that the kernel kills when this process ends, however it ends. As the kernel
// watches the thread that starts them, one thread starts all of them; it begins with the first, and
// they all end with it. Thread-safe.
class Launcher {
 public:
  Launcher() = default;
  // Ends the thread, and with it the programs that still run.
  ~Launcher();
  Launcher(const Launcher&) = delete;
  Launcher& operator=(const Launcher&) = delete;

  // Starts the program in a process group of its own, which Ctrl-C does not reach; it blocks and
  // ignores no signal. Returns its id. Throws as RefuseStart does.
  pid_t Start(const Launch& launch);

 private:
  struct Request {
    const Launch& launch;
    pid_t pid = -1;
    int error = 0;
    bool is_done = false;
  };

  void Serve();

  std::mutex mutex_;
  std::condition_variable asked_, answered_;
  std::thread thread_;
  bool is_stopping_ = false;
  Request* wanted_ = nullptr;  // not null = the thread is to start it
};

}  // namespace crossfold::exec
