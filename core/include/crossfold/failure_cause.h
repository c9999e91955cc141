// Why a cell failed: by its data, by a plugin, by a limit, or by the machine. docs/isolation.md has
// the table.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "crossfold/outcome.h"

namespace crossfold {

enum class FailureCause : std::uint8_t {
  kData,    // a method refused such data or such parameters
  kPlugin,  // an exception, an invalid answer, a crash, an exit: a defect
  kTime,    // the cell needed more time than it may take
  kMemory,  // the cell needed more memory than it may take, or than the machine has
  kKilled,  // a signal from outside ended its process
  kDisk,    // a file could not be written or read, as on a full disk
  kLost,    // its process ended for an unknown reason
  kUnknown  // an older Crossfold stored the failure without its cause
};
inline constexpr int kNumFailureCauses = 8;

// "data", "killed"
std::string_view CauseName(FailureCause cause);

// The code of a failure at stage "run": the process of the cell could not report a status. Stores
// and messages have only the code.
constexpr cf_status CodeOf(FailureCause cause) { return 200 + static_cast<cf_status>(cause); }
FailureCause CauseOf(const Failure& failure);

// Whether the machine failed, so that the same cell may succeed at another try.
bool IsOfMachine(FailureCause cause);

// The warning of an outcome that an earlier try of the cell failed. It is not part of the result:
// "run: try 1 failed (killed): the process died of signal 9 (Killed)".
std::string TryWarning(int number, const Failure& failure);
bool IsTryWarning(std::string_view warning);

// How failures at stage "run" name the call that repeats the cell, after what happened.
inline constexpr std::string_view kRepeatItWith = "; repeat it with ";

}  // namespace crossfold
