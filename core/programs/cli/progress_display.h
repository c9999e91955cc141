// Shows on stderr how far a run is, while it goes on.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "crossfold/lua.h"
#include "crossfold/plugin_host.h"
#include "crossfold/progress.h"

namespace crossfold::cli {

class Command;

// Thread-safe. Writes nothing about runs that are over before a person could read it, but for JSON.
class ProgressDisplay {
 public:
  enum class Style {
    kBar,    // one line of a terminal, drawn again and again
    kLines,  // a line after 10 s and then every 30 s
    kJson    // an object a line: after the first cell, twice a second, and at the end of a run
  };

  ProgressDisplay(Style style, std::FILE* out);
  ~ProgressDisplay();
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  void Show(const Progress& progress);
  void RunEnded();
  // Takes the bar away, so that something else can be written. It comes back.
  void Hide();

 private:
  using Clock = std::chrono::steady_clock;

  void Draw(const Progress& progress);
  void StartTicker();
  void Tick(std::stop_token stop);
  Progress Now() const;
  void HideLocked();
  // Whether it was taken in time.
  bool Write(const std::string& text, std::chrono::milliseconds patience = {});

  Style style_;
  std::FILE* const out_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::optional<Progress> last_;  // of the run that goes on
  Clock::time_point reported_;    // when progress came
  Clock::time_point written_;     // the last line
  bool visible_ = false;          // the bar
  std::jthread ticker_;           // of the bar: time goes on between cells
};

// "--progress auto|bar|lines|json|none" of a command; `style` is "auto" before.
void DeclareProgress(Command& command, std::string& style);
// Null = none is wanted: "none", or `quiet` unless the style says more than "auto".
std::shared_ptr<ProgressDisplay> MakeProgressDisplay(const std::string& style, bool quiet);
// Tells the display, which may be null, of what runs with these options.
void Attach(const std::shared_ptr<ProgressDisplay>& display, LuaOptions& options);
// A log that takes the bar away first.
LogSink Beside(const std::shared_ptr<ProgressDisplay>& display, LogSink log);

}  // namespace crossfold::cli
