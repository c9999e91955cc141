// How far a run is, in one line for people or for programs. Pure functions: no clock, no terminal.
#pragma once

#include <string>

#include "crossfold/progress.h"

namespace crossfold {

// "[=====>    ]  52%  12/30 folds, inner 1,560/3,000 cells, 412/s, 0:04 left, 2 failed", at most
// `width` characters wide: the bar gives way first, then the last figures. Cells that a store had
// are told as "480 found". The share is that of the cells.
std::string ProgressBar(const Progress& progress, int width);

// "1590 of 3060 cells (12 of 30 folds, 1560 of 3000 inner cells), 412 cells/s, about 4 s left,
// 2 failed": for logs.
std::string ProgressLine(const Progress& progress);

// One JSON object on one line, without a line end: finished, total, failed, found, inner_finished,
// inner_total, folds_finished, folds_total, seconds, cells_per_second (of computed cells) and
// seconds_left, the last two null where nothing is known. `event` names what is told: "progress" or
// "end".
std::string ProgressJson(const Progress& progress, const std::string& event);

// "0:04", "12:30", "3:05:00"; at least a second, as nothing is left of less only when it is over.
std::string DurationText(double seconds);

}  // namespace crossfold
