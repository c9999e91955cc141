#include "engine/plugin/process_state.h"

#include <cassert>
#include <clocale>
#include <cstdint>
#include <cstring>
#include <mutex>

#include "engine/plugin/foreign_text.h"

namespace crossfold {
namespace {

#if defined(__x86_64__)
// Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1: 8.1.5 (x87 control
// word: RC 0x0C00, PC 0x0300, masks 0x3F) and 10.2.3 (MXCSR: RC 0x6000, FTZ 0x8000, DAZ 0x0040,
// masks 0x1F80). They are read alone, because fegetenv() takes as long as a small call.
FloatControl ControlOfThread() {
  std::uint16_t x87 = 0;
  asm volatile("fnstcw %0" : "=m"(x87));
  const std::uint32_t sse = __builtin_ia32_stmxcsr();
  FloatControl control;
  control.rounding = (x87 & 0x0C00u) | (sse & 0x6000u) << 16;
  control.denormals = sse & 0x8040u;
  control.traps = (x87 & 0x003Fu) | (sse & 0x1F80u) << 16;
  control.precision = x87 & 0x0300u;
  return control;
}

void SaveEnvironment(fenv_t&) {}

void RestoreEnvironment(const FloatControl& control, const fenv_t&) {
  feclearexcept(FE_ALL_EXCEPT);  // what a plugin has raised must not trap when traps are back
  fenv_t env;
  fegetenv(&env);
  const std::uint32_t x87 =
      (control.rounding & 0x0C00u) | (control.traps & 0x003Fu) | control.precision;
  const std::uint32_t sse =
      (control.rounding >> 16 & 0x6000u) | (control.traps >> 16 & 0x1F80u) | control.denormals;
  env.__control_word = static_cast<std::uint16_t>((env.__control_word & ~0x0F3Fu) | x87);
  env.__mxcsr = (env.__mxcsr & ~0xFFC0u) | sse;
  fesetenv(&env);
}
#else
FloatControl ControlOfThread() {
  FloatControl control;
  control.rounding = static_cast<std::uint32_t>(fegetround());  // C99 can compare nothing else
  return control;
}

void SaveEnvironment(fenv_t& env) { fegetenv(&env); }

void RestoreEnvironment(const FloatControl&, const fenv_t& env) { fesetenv(&env); }
#endif

// The locale belongs to the process, and so does the record of its previous value.
struct LocaleWatch {
  std::mutex mutex;
  int guards = 0;        // alive
  std::string expected;  // the locale before the first guard
};

LocaleWatch& Watch() {
  static LocaleWatch& watch = *new LocaleWatch;  // outlives every thread
  return watch;
}

}  // namespace

FloatControl CurrentFloatControl() { return ControlOfThread(); }

std::vector<std::string> DescribeChanges(const FloatControl& was, const FloatControl& is) {
  std::vector<std::string> changes;
  if (was.rounding != is.rounding) changes.emplace_back("changed the rounding mode");
  if (was.denormals != is.denormals) {
    changes.emplace_back(is.denormals != 0 ? "switched denormal numbers off"
                                           : "switched denormal numbers on");
  }
  if (was.traps != is.traps) {
    changes.emplace_back("changed which floating-point exceptions trap");
  }
  if (was.precision != is.precision) {
    changes.emplace_back("changed the floating-point precision");
  }
  return changes;
}

ProcessStateGuard::ProcessStateGuard()
    : control_(CurrentFloatControl()), thread_locale_(uselocale(nullptr)) {
  SaveEnvironment(floating_point_);
  LocaleWatch& watch = Watch();
  const std::lock_guard lock(watch.mutex);
  if (watch.guards++ == 0) watch.expected = std::setlocale(LC_ALL, nullptr);
}

ProcessStateGuard::~ProcessStateGuard() {
  if (!restored_) Restore();
}

std::vector<std::string> ProcessStateGuard::Restore() {
  assert(!restored_);
  restored_ = true;
  std::vector<std::string> changes;
  RestoreFloatingPoint(changes);
  RestoreLocale(changes);
  return changes;
}

void ProcessStateGuard::RestoreFloatingPoint(std::vector<std::string>& changes) {
  changes = DescribeChanges(control_, CurrentFloatControl());
  if (!changes.empty()) RestoreEnvironment(control_, floating_point_);
}

void ProcessStateGuard::RestoreLocale(std::vector<std::string>& changes) {
  if (uselocale(nullptr) != thread_locale_) {
    uselocale(thread_locale_);
    changes.emplace_back("changed the locale of its thread");
  }
  LocaleWatch& watch = Watch();
  const std::lock_guard lock(watch.mutex);
  const char* now = std::setlocale(LC_ALL, nullptr);
  if (std::strcmp(now, watch.expected.c_str()) != 0) {
    changes.push_back("changed the locale to '" + CleanText(now) + "'");
    std::setlocale(LC_ALL, watch.expected.c_str());
  }
  --watch.guards;
}

}  // namespace crossfold
