#include "engine/plugin/process_state.h"

#include <cassert>
#include <clocale>
#include <cstdint>
#include <cstring>
#include <mutex>

#include "engine/plugin/foreign_text.h"

namespace crossfold {
namespace {

FloatControl ControlOf([[maybe_unused]] const fenv_t& env) {
  FloatControl control;
#if defined(__x86_64__)
  // Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1: 8.1.5 (x87 control
  // word: RC 0x0C00, PC 0x0300, masks 0x3F) and 10.2.3 (MXCSR: RC 0x6000, FTZ 0x8000, DAZ 0x0040,
  // masks 0x1F80).
  const std::uint32_t x87 = env.__control_word;
  const std::uint32_t sse = env.__mxcsr;
  control.rounding = (x87 & 0x0C00u) | (sse & 0x6000u) << 16;
  control.denormals = sse & 0x8040u;
  control.traps = (x87 & 0x003Fu) | (sse & 0x1F80u) << 16;
  control.precision = x87 & 0x0300u;
#else
  control.rounding = static_cast<std::uint32_t>(fegetround());  // C99 can compare nothing else
#endif
  return control;
}

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

FloatControl CurrentFloatControl() {
  fenv_t env;
  fegetenv(&env);
  return ControlOf(env);
}

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

ProcessStateGuard::ProcessStateGuard() : thread_locale_(uselocale(nullptr)) {
  fegetenv(&floating_point_);
  control_ = ControlOf(floating_point_);
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
  if (!changes.empty()) fesetenv(&floating_point_);
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
