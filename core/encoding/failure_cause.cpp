#include "crossfold/failure_cause.h"

#include <array>

namespace crossfold {
namespace {

constexpr std::array<std::string_view, kNumFailureCauses> kNames = {
    "data", "plugin", "time", "memory", "killed", "disk", "lost", "unknown"};
constexpr std::string_view kTry = "run: try ";

FailureCause CauseOfStatus(cf_status status) {
  switch (status) {
    case CF_E_OUT_OF_MEMORY:
      return FailureCause::kMemory;
    case CF_E_IO:
      return FailureCause::kDisk;
    case CF_E_INVALID_PARAM:
    case CF_E_UNSUPPORTED_DATA:
    case CF_E_NOT_CONVERGED:
    case CF_E_NUMERIC:
    case CF_E_UNSUPPORTED:
    case CF_E_UNDEFINED:
      return FailureCause::kData;
    default:
      return FailureCause::kPlugin;
  }
}

}  // namespace

std::string_view CauseName(FailureCause cause) { return kNames[static_cast<std::size_t>(cause)]; }

FailureCause CauseOf(const Failure& failure) {
  if (failure.stage != "run") return CauseOfStatus(failure.code);
  const cf_status number = failure.code - CodeOf(FailureCause::kData);
  if (number >= 0 && number < kNumFailureCauses) return static_cast<FailureCause>(number);
  const bool is_old = failure.by_limit && failure.code == CF_E_INTERNAL;
  return is_old ? FailureCause::kUnknown : CauseOfStatus(failure.code);
}

bool IsOfMachine(FailureCause cause) {
  return cause == FailureCause::kMemory || cause == FailureCause::kKilled ||
         cause == FailureCause::kDisk || cause == FailureCause::kLost;
}

std::string TryWarning(int number, const Failure& failure) {
  const std::string what = failure.message.substr(0, failure.message.find(kRepeatItWith));
  return std::string(kTry) + std::to_string(number) + " failed (" +
         std::string(CauseName(CauseOf(failure))) + "): " + what;
}

bool IsTryWarning(std::string_view warning) { return warning.starts_with(kTry); }

}  // namespace crossfold
