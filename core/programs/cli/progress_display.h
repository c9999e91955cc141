// Shows the progress of a run on stderr.
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

// Thread-safe. Writes nothing about very short runs, except as JSON.
class ProgressDisplay {
 public:
  enum class Style {
    kBar,    // one line of a terminal, drawn again and again
    kLines,  // a line after 10 s and then every 30 s
    kJson    // one object per line: after the first cell, twice a second, and at the end of a run
  };

  ProgressDisplay(Style style, std::FILE* out);
  ~ProgressDisplay();
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  void Show(const Progress& progress);
  void RunEnded();
  // Removes the bar, so that something else can be written. It comes back.
  void Hide();

 private:
  using Clock = std::chrono::steady_clock;

  void Draw(const Progress& progress);
  void StartTicker();
  void Tick(std::stop_token stop);
  Progress Now() const;
  void HideLocked();
  // Whether it was removed in time.
  bool Write(const std::string& text, std::chrono::milliseconds patience = {});

  Style style_;
  std::FILE* const out_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::optional<Progress> last_;  // of the current run
  Clock::time_point reported_;    // when progress came
  Clock::time_point written_;     // the last line
  bool visible_ = false;          // the bar
  std::jthread ticker_;           // updates the bar between cells
};

// "--progress auto|bar|lines|json|none" of a command; `style` is "auto" before.
void DeclareProgress(Command& command, std::string& style);
// Null = no display: the style is "none", or "auto" with `quiet`.
std::shared_ptr<ProgressDisplay> MakeProgressDisplay(const std::string& style, bool quiet);
// Connects the display, which may be null, to what runs with these options.
void Attach(const std::shared_ptr<ProgressDisplay>& display, LuaOptions& options);
// A log that removes the bar first.
LogSink Beside(const std::shared_ptr<ProgressDisplay>& display, LogSink log);

}  // namespace crossfold::cli
