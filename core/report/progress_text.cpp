#include "crossfold/progress_text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "crossfold/json_value.h"
#include "engine/text/format_number.h"

namespace crossfold {
namespace {

constexpr int kMinBar = 10, kMaxBar = 30;  // cells between the brackets

// Returns "12,345".
std::string Grouped(std::size_t n) {
  std::string digits = std::to_string(n);
  for (std::size_t i = digits.size(); i > 3;) {
    i -= 3;
    digits.insert(i, ",");
  }
  return digits;
}

// Returns the cells per second; nothing before a cell was computed.
std::optional<double> RateOf(const Progress& progress) {
  const std::size_t computed = progress.finished - std::min(progress.found, progress.finished);
  if (computed == 0 || progress.seconds <= 0) return std::nullopt;
  return static_cast<double>(computed) / progress.seconds;
}

std::string RateText(double rate) {
  if (rate < 10) return FormatFixed(rate, rate < 1 ? 2 : 1);
  return Grouped(static_cast<std::size_t>(std::min(rate, 1e15) + 0.5));
}

// Returns the figures after the percentage, the most important first.
std::vector<std::string> FiguresOf(const Progress& progress) {
  std::vector<std::string> figures;
  const auto of = [](std::size_t finished, std::size_t total) {
    return Grouped(finished) + "/" + Grouped(total);
  };
  if (progress.folds_total > 0) {
    figures.push_back(of(progress.folds_finished, progress.folds_total) + " folds");
  }
  if (progress.inner_total > 0) {
    figures.push_back("inner " + of(progress.inner_finished, progress.inner_total) + " cells");
  } else if (progress.folds_total != progress.total) {
    figures.push_back(of(progress.finished, progress.total) + " cells");
  }
  if (progress.failed > 0) figures.push_back(Grouped(progress.failed) + " failed");
  if (progress.seconds_left) figures.push_back(DurationText(*progress.seconds_left) + " left");
  if (const auto rate = RateOf(progress)) figures.push_back(RateText(*rate) + "/s");
  if (progress.found > 0) figures.push_back(Grouped(progress.found) + " found");
  return figures;
}

double ShareOf(const Progress& progress) {
  if (progress.total == 0) return 1;
  return std::min(1.0,
                  static_cast<double>(progress.finished) / static_cast<double>(progress.total));
}

std::string Bar(double share, int cells) {
  const int full = static_cast<int>(share * cells);
  std::string bar(static_cast<std::size_t>(full), '=');
  if (full < cells) {
    bar += '>';
    bar.append(static_cast<std::size_t>(cells - full - 1), ' ');
  }
  return "[" + bar + "]";
}

}  // namespace

std::string DurationText(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::clamp(std::ceil(seconds), 1.0, 3.6e9));
  const auto two = [](std::int64_t n) { return (n < 10 ? "0" : "") + std::to_string(n); };
  const std::int64_t hours = whole / 3600, minutes = whole / 60 % 60;
  const std::string end = ":" + two(whole % 60);
  return hours > 0 ? std::to_string(hours) + ":" + two(minutes) + end
                   : std::to_string(minutes) + end;
}

std::string ProgressBar(const Progress& progress, int width) {
  const double share = ShareOf(progress);
  // It is not 100 % before the end.
  const std::string percent = std::to_string(static_cast<int>(share * 100)) + "%";
  std::string line = std::string(4 - percent.size(), ' ') + percent;
  const char* between = "  ";
  for (const std::string& figure : FiguresOf(progress)) {
    if (static_cast<int>(line.size() + figure.size()) + 2 > width) break;
    line += between + figure;
    between = ", ";
  }
  const int room = width - static_cast<int>(line.size()) - 3;  // brackets and a blank
  if (room < kMinBar) return line.substr(0, static_cast<std::size_t>(std::max(width, 0)));
  return Bar(share, std::min(room, kMaxBar)) + " " + line;
}

std::string ProgressLine(const Progress& progress) {
  const auto of = [](std::size_t finished, std::size_t total, const char* what) {
    return std::to_string(finished) + " of " + std::to_string(total) + what;
  };
  std::string line = of(progress.finished, progress.total, " cells");
  std::string parts;
  if (progress.folds_total > 0) parts = of(progress.folds_finished, progress.folds_total, " folds");
  if (progress.inner_total > 0) {
    parts += (parts.empty() ? "" : ", ") +
             of(progress.inner_finished, progress.inner_total, " inner cells");
  }
  if (!parts.empty()) line += " (" + parts + ")";
  if (progress.found > 0) line += ", " + std::to_string(progress.found) + " found";
  if (const auto rate = RateOf(progress)) line += ", " + RateText(*rate) + " cells/s";
  if (progress.seconds_left) line += ", about " + DurationText(*progress.seconds_left) + " left";
  if (progress.failed > 0) line += ", " + std::to_string(progress.failed) + " failed";
  return line;
}

std::string ProgressJson(const Progress& progress, const std::string& event) {
  return JsonText(JsonObject{{"event", event},
                             {"finished", progress.finished},
                             {"total", progress.total},
                             {"failed", progress.failed},
                             {"found", progress.found},
                             {"inner_finished", progress.inner_finished},
                             {"inner_total", progress.inner_total},
                             {"folds_finished", progress.folds_finished},
                             {"folds_total", progress.folds_total},
                             {"seconds", progress.seconds},
                             {"cells_per_second", RateOf(progress)},
                             {"seconds_left", progress.seconds_left}});
}

}  // namespace crossfold
