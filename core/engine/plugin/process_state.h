// What a plugin must not change: the floating-point environment and the locale.
#pragma once

#include <fenv.h>
#include <locale.h>

#include <cstdint>
#include <string>
#include <vector>

namespace crossfold {

// The part of a floating-point environment that decides what arithmetic does. The sticky flags
// (inexact, underflow ...) are left out: every computation sets them.
struct FloatControl {
  std::uint32_t rounding = 0;
  std::uint32_t denormals = 0;  // 0 = as IEEE 754 says
  std::uint32_t traps = 0;
  std::uint32_t precision = 0;
};
FloatControl CurrentFloatControl();
// "changed the rounding mode", "switched denormal numbers off"; empty = they are equal.
std::vector<std::string> DescribeChanges(const FloatControl& was, const FloatControl& is);

// Saves the state when it is made; puts it back at the latest when it is destroyed. To be destroyed
// on the thread that made it.
//
// The floating-point environment belongs to the thread, the locale to the process. As long as any
// guard lives, on any thread, the locale that counts is the one from before the first of them: so
// one call that ends cannot bring back what another call has just changed. A host that changes the
// locale itself during a run is therefore blamed on a plugin, and undone.
class ProcessStateGuard {
 public:
  ProcessStateGuard();
  ~ProcessStateGuard();
  ProcessStateGuard(const ProcessStateGuard&) = delete;
  ProcessStateGuard& operator=(const ProcessStateGuard&) = delete;

  // Puts everything back, and says what had changed: "changed the rounding mode", "switched
  // denormal numbers off". Empty = nothing. REQUIRES: called at most once.
  std::vector<std::string> Restore();

 private:
  void RestoreFloatingPoint(std::vector<std::string>& changes);
  void RestoreLocale(std::vector<std::string>& changes);

  fenv_t floating_point_;
  FloatControl control_;
  locale_t thread_locale_;
  bool restored_ = false;
};

}  // namespace crossfold
