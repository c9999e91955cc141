// The progress of a run in one line for people or for programs. These are pure functions, which use
// neither a clock nor a terminal.
#pragma once

#include <string>

#include "crossfold/progress.h"

namespace crossfold {

// Returns a line of at most `width` characters, such as
//   [=====>  ] 52% 12/30 folds, inner 1,560/3,000 cells, 412/s, 0:04 left, 2 failed
// If it would be longer, first the bar is left out, then the last figures. Cells that a store had
// are shown as "480 found". The percentage is that of the cells.
std::string ProgressBar(const Progress& progress, int width);

// Returns a line for logs: "1590 of 3060 cells (12 of 30 folds, 1560 of 3000 inner cells), 412
// cells/s, about 4 s left, 2 failed".
std::string ProgressLine(const Progress& progress);

// Returns one JSON object on one line, without a line end: finished, total, failed, found,
// inner_finished, inner_total, folds_finished, folds_total, seconds, cells_per_second (of computed
// cells) and seconds_left, the last two null where nothing is known. `event` is "progress" or
// "end".
std::string ProgressJson(const Progress& progress, const std::string& event);

// Returns "0:04", "12:30" or "3:05:00", and at least one second, because a run with no time left is
// finished.
std::string DurationText(double seconds);

}  // namespace crossfold
