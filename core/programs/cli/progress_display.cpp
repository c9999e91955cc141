#include "programs/cli/progress_display.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

#include "crossfold/progress_text.h"
#include "crossfold/terminal_width.h"
#include "programs/cli/command.h"

namespace crossfold::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr double kBarAfter = 0.5, kLineAfter = 10;  // seconds of a run
constexpr milliseconds kBarEvery{200}, kJsonEvery{500};
constexpr seconds kLineEvery{30};
constexpr milliseconds kEndPatience{1000};  // other programs may wait for the end of a run
constexpr const char* kClearLine = "\r\x1b[K";

int WidthOf(std::FILE* out) {
  const int known = TerminalWidth(fileno(out));
  return known == 0 ? 79 : known - 1;  // the last column would break the line on some terminals
}

// Whether the terminal knows how to clear a line.
bool CanDraw(std::FILE* out) {
  const char* kind = std::getenv("TERM");
  return isatty(fileno(out)) == 1 && (kind == nullptr || std::strcmp(kind, "dumb") != 0);
}

}  // namespace

ProgressDisplay::ProgressDisplay(Style style, std::FILE* out) : style_(style), out_(out) {}

ProgressDisplay::~ProgressDisplay() {
  ticker_ = {};  // waits for it
  Hide();
}

// The cells wait for who calls this: output that is not read, as on a terminal that was stopped by
// Ctrl-S or a full pipe, is left out.
bool ProgressDisplay::Write(const std::string& text, milliseconds patience) {
  pollfd waiting{fileno(out_), POLLOUT, 0};
  if (poll(&waiting, 1, static_cast<int>(patience.count())) <= 0) return false;
  std::fwrite(text.data(), 1, text.size(), out_);
  std::fflush(out_);
  return true;
}

void ProgressDisplay::Show(const Progress& progress) {
  const std::lock_guard lock(mutex_);
  const bool first = !last_.has_value();
  last_ = progress;
  reported_ = Clock::now();
  switch (style_) {
    case Style::kBar:
      StartTicker();
      break;
    case Style::kLines:
      if (progress.seconds < kLineAfter || reported_ - written_ < kLineEvery) break;
      written_ = reported_;
      Write("crossfold: " + ProgressLine(progress) + "\n");
      break;
    case Style::kJson:
      if (!first && reported_ - written_ < kJsonEvery) break;
      written_ = reported_;
      Write(ProgressJson(progress, "progress") + "\n");
  }
}

void ProgressDisplay::StartTicker() {
  if (ticker_.joinable()) return;
  try {
    ticker_ = std::jthread([this](std::stop_token stop) { Tick(stop); });
  } catch (const std::system_error&) {  // no thread for it: the run goes on without a bar
    style_ = Style::kLines;
  }
}

Progress ProgressDisplay::Now() const {
  Progress now = *last_;
  const double since = std::chrono::duration<double>(Clock::now() - reported_).count();
  now.seconds += since;
  if (now.seconds_left) now.seconds_left = std::max(0.0, *now.seconds_left - since);
  return now;
}

void ProgressDisplay::Tick(std::stop_token stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    wake_.wait_for(lock, stop, kBarEvery, [] { return false; });
    if (!last_ || stop.stop_requested()) continue;
    const Progress now = Now();
    if (now.seconds >= kBarAfter) Draw(now);
  }
}

void ProgressDisplay::Draw(const Progress& progress) {
  if (Write(kClearLine + ProgressBar(progress, WidthOf(out_)))) visible_ = true;
}

void ProgressDisplay::HideLocked() {
  if (visible_ && Write(kClearLine)) visible_ = false;
}

void ProgressDisplay::Hide() {
  const std::lock_guard lock(mutex_);
  HideLocked();
}

void ProgressDisplay::RunEnded() {
  const std::lock_guard lock(mutex_);
  HideLocked();
  if (last_ && style_ == Style::kJson) {
    Write(ProgressJson(*last_, "end") + "\n", kEndPatience);
  }
  last_.reset();
}

void DeclareProgress(Command& command, std::string& style) {
  style = "auto";
  command
      .AddOption(
          "--progress", style,
          "Show progress on stderr: bar, lines, json or none; auto is a bar on a terminal, lines "
          "of long runs elsewhere, and nothing with --quiet")
      .OneOf({"auto", "bar", "lines", "json", "none"});
}

std::shared_ptr<ProgressDisplay> MakeProgressDisplay(const std::string& style, bool quiet) {
  using Style = ProgressDisplay::Style;
  if (style == "none" || (quiet && style == "auto")) return nullptr;
  Style chosen = CanDraw(stderr) ? Style::kBar : Style::kLines;
  if (style == "bar") chosen = Style::kBar;
  if (style == "lines") chosen = Style::kLines;
  if (style == "json") chosen = Style::kJson;
  return std::make_shared<ProgressDisplay>(chosen, stderr);
}

void Attach(const std::shared_ptr<ProgressDisplay>& display, LuaOptions& options) {
  if (display == nullptr) return;
  options.progress = [display](const Progress& progress) { display->Show(progress); };
  options.run_ended = [display] { display->RunEnded(); };
}

LogSink Beside(const std::shared_ptr<ProgressDisplay>& display, LogSink log) {
  if (display == nullptr || !log) return log;
  return [display, log = std::move(log)](std::int32_t level, const std::string& message) {
    display->Hide();
    log(level, message);
  };
}

}  // namespace crossfold::cli
