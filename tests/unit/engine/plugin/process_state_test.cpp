#include "engine/plugin/process_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cfenv>
#include <clocale>
#include <cmath>
#include <string>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace crossfold {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ProcessStateTest, OrdinaryArithmeticIsNoChange) {
  ProcessStateGuard guard;
  volatile double x = 1e-300;
  x = x * x / 3;  // inexact and underflow
  EXPECT_THAT(guard.Restore(), IsEmpty());
}

TEST(ProcessStateTest, TheRoundingModeIsPutBack) {
  ProcessStateGuard guard;
  std::fesetround(FE_DOWNWARD);
  EXPECT_THAT(guard.Restore(), ElementsAre("changed the rounding mode"));
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

#if defined(__x86_64__)
TEST(ProcessStateTest, DenormalNumbersComeBack) {
  ProcessStateGuard guard;
  _mm_setcsr(_mm_getcsr() | 0x8040u);  // flush to zero, denormals are zero: what -Ofast links in
  EXPECT_THAT(guard.Restore(), ElementsAre("switched denormal numbers off"));
  volatile double smallest = 4.9406564584124654e-324;
  EXPECT_EQ(std::fpclassify(smallest + 0.0), FP_SUBNORMAL);
}
#endif

TEST(ProcessStateTest, TrapsAreSwitchedOffAgain) {
  ProcessStateGuard guard;
  feenableexcept(FE_DIVBYZERO);
  EXPECT_THAT(guard.Restore(), ElementsAre("changed which floating-point exceptions trap"));
  EXPECT_EQ(fegetexcept(), 0);
}

TEST(ProcessStateTest, TheLocaleIsPutBack) {
  ProcessStateGuard guard;
  ASSERT_NE(std::setlocale(LC_ALL, "C.UTF-8"), nullptr);
  EXPECT_THAT(guard.Restore(), ElementsAre("changed the locale to 'C.UTF-8'"));
  EXPECT_STREQ(std::setlocale(LC_ALL, nullptr), "C");
}

TEST(ProcessStateTest, OneCategoryOfTheLocaleIsPutBackToo) {
  ProcessStateGuard guard;
  ASSERT_NE(std::setlocale(LC_NUMERIC, "C.UTF-8"), nullptr);
  EXPECT_EQ(guard.Restore().size(), 1u);
  EXPECT_STREQ(std::setlocale(LC_ALL, nullptr), "C");
}

TEST(ProcessStateTest, TheLocaleOfTheThreadIsPutBack) {
  locale_t other = newlocale(LC_ALL_MASK, "C.UTF-8", nullptr);
  ASSERT_NE(other, nullptr);
  ProcessStateGuard guard;
  const locale_t before = uselocale(other);
  EXPECT_THAT(guard.Restore(), ElementsAre("changed the locale of its thread"));
  EXPECT_EQ(uselocale(nullptr), before);
  freelocale(other);
}

TEST(ProcessStateTest, AGuardThatBeganUnderAChangedLocaleDoesNotBringItBack) {
  ProcessStateGuard first;
  ASSERT_NE(std::setlocale(LC_ALL, "C.UTF-8"), nullptr);
  ProcessStateGuard second;
  EXPECT_THAT(first.Restore(), ElementsAre("changed the locale to 'C.UTF-8'"));
  EXPECT_THAT(second.Restore(), IsEmpty());
  EXPECT_STREQ(std::setlocale(LC_ALL, nullptr), "C");
}

TEST(ProcessStateTest, TheDestructorRestoresToo) {
  {
    ProcessStateGuard guard;
    std::fesetround(FE_UPWARD);
  }
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

}  // namespace
}  // namespace crossfold
