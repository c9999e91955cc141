// Compares the state of the process before and after a plugin was loaded or called.
//
//   ProcessWatch watch;
//   ... the call ...
//   for (const ProcessChange& change : watch.Finish()) context.Fail("fit " + change.text);
#pragma once

#include <locale.h>
#include <sys/resource.h>
#include <sys/time.h>

#include <array>
#include <csignal>
#include <exception>
#include <locale>
#include <map>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "engine/plugin/process_state.h"

namespace crossfold::check {

// Replaces the descriptors 1 and 2 of the process; restores them, and passes on what was written,
// at the latest in the destructor. If the process ends before, what was written is lost. Not
// thread-safe; at most one at a time.
class OutputCapture {
 public:
  // Throws Error(kIo) if the system has no descriptors left.
  OutputCapture();
  ~OutputCapture();
  OutputCapture(const OutputCapture&) = delete;
  OutputCapture& operator=(const OutputCapture&) = delete;

  struct Written {
    std::string out, err;
  };
  // What has been written so far, with the buffers of C streams.
  Written Read() const;

 private:
  struct Stream {
    int descriptor;  // 1 or 2
    int saved;       // a copy of the original descriptor
    int file;        // the file that replaces it
  };
  static Stream Replace(int descriptor);
  static void GiveBack(const Stream& stream);

  Stream out_, err_;
};

enum class ProcessSubject {
  kLocale,
  kFloatingPoint,  // of the calling thread
  kSignals,        // dispositions, and the mask of the calling thread
  kTimers,         // alarms, interval timers, POSIX timers
  kUmask,
  kFolder,  // the current one
  kEnvironment,
  kThreads,
  kDescriptors,
  kLimits,    // of resources, and the priority
  kRandom,    // the state of rand()
  kHandlers,  // of C++: terminate, new
  kOutput     // something was written to stdout or stderr
};

// One difference, as what the plugin did: "changed the locale from 'C' to 'C.UTF-8'".
struct ProcessChange {
  ProcessSubject subject;
  std::string text;
};

// The whole state except the output. Taking it changes nothing.
struct ProcessSnapshot {
  std::string locale;
  locale_t thread_locale;
  std::locale cxx_locale;
  FloatControl floating_point;
  std::vector<struct sigaction> signals;  // entry i is of signal i + 1
  sigset_t mask;
  std::array<itimerval, 3> timers;
  std::string posix_timers;
  mode_t umask = 0;
  std::string folder;
  std::map<std::string, std::string> environment;
  std::map<std::string, std::string> threads;      // id -> name
  std::map<std::string, std::string> descriptors;  // number -> what it is open on
  std::vector<rlimit> limits;                      // entry i is of resource i
  int priority = 0;
  std::string random_state;
  std::terminate_handler on_terminate = nullptr;
  std::new_handler on_no_memory = nullptr;
};

// REQUIRES: no other thread changes the process meanwhile.
ProcessSnapshot TakeSnapshot();

// Watches the process from its construction to Finish(). Captures stdout and stderr meanwhile (see
// OutputCapture).
class ProcessWatch {
 public:
  ProcessWatch() : before_(TakeSnapshot()) {}

  // The changes so far. Threads that are just ending get a moment to do so.
  std::vector<ProcessChange> Finish();

 private:
  OutputCapture output_;
  ProcessSnapshot before_;
};

}  // namespace crossfold::check
