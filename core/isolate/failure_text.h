// The failure of a cell whose process ended before it could report.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "crossfold/cell.h"
#include "crossfold/failure_cause.h"
#include "isolate/worker_process.h"

namespace crossfold {

// "the process died of signal 11 (Segmentation fault)", "the process exited with code 3"
std::string DescribeEnding(const Ending& ending);
// Whose doing the end was: a signal that others send, or the plugin's.
FailureCause CauseOfEnding(const Ending& ending);
inline constexpr const char* kMachineWithoutMemory = ", because the machine ran out of memory";
// "the process was stopped after 2 s, the limit of a cell"
std::string DescribeTimeLimit(double seconds);
// "the process needed more than 2 s of processor time, the limit of a cell"
std::string DescribeCpuLimit(double seconds);
// "the process needed more than 512 MiB, the limit of a cell"
std::string DescribeMemoryLimit(std::uint64_t bytes);

// "; it wrote: '...'", as one line of UTF-8; "" if it wrote nothing.
std::string DescribeWritten(const std::string& written);

// The cell as a call of the Lua library:
//   cf.run{{learner = cf.learner("debug", {action = "crash"}), splits = splits, split = 3, seed =
//   1, isolate = "fresh"}}, where splits are those of 'iris' (repeat 1, fold 3)
std::string DescribeCell(const CellBlock& block, std::int64_t split);

}  // namespace crossfold
