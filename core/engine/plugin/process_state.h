// The floating-point environment and the locale, which a plugin must not change.
#pragma once

#include <fenv.h>
#include <locale.h>

#include <cstdint>
#include <string>
#include <vector>

namespace crossfold {

// The part of a floating-point environment that affects arithmetic. It leaves out the sticky flags
// (inexact, underflow ...), because every computation sets them.
struct FloatControl {
  std::uint32_t rounding = 0;
  std::uint32_t denormals = 0;  // 0 = as IEEE 754 says
  std::uint32_t traps = 0;
  std::uint32_t precision = 0;
};
FloatControl CurrentFloatControl();
// Returns "changed the rounding mode", "switched denormal numbers off" and so on; empty = they are
// equal.
std::vector<std::string> DescribeChanges(const FloatControl& was, const FloatControl& is);

// Saves the state when it is made, and restores it when it is destroyed, or before. It must be
// destroyed on the thread that made it.
//
// The floating-point environment belongs to the thread, the locale to the process. As long as any
// guard lives, on any thread, the valid locale is the one from before the first guard, so that the
// end of one call cannot restore a change of another one. If the host itself changes the locale
// during a run, the change is therefore attributed to a plugin and undone.
class ProcessStateGuard {
 public:
  ProcessStateGuard();
  ~ProcessStateGuard();
  ProcessStateGuard(const ProcessStateGuard&) = delete;
  ProcessStateGuard& operator=(const ProcessStateGuard&) = delete;

  // Restores everything and returns what had changed: "changed the rounding mode", "switched
  // denormal numbers off". Empty = nothing. REQUIRES: it is called at most once.
  std::vector<std::string> Restore();

 private:
  void RestoreFloatingPoint(std::vector<std::string>& changes);
  void RestoreLocale(std::vector<std::string>& changes);

  FloatControl control_;
  fenv_t floating_point_{};  // used on processors whose control words cannot be read alone
  locale_t thread_locale_;
  bool restored_ = false;
};

}  // namespace crossfold
