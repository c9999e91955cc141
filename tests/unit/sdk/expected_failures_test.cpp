// What a component says about checks that it fails, in the manifest that is made at compile time.
#include <array>
#include <string>

#include "crossfold_plugin.hpp"
#include "gtest/gtest.h"

namespace crossfold::plugin {
namespace {

struct Plain {
  static constexpr LearnerInfo kInfo{.component = {.id = "a.plain"}};
};
struct Known {
  static constexpr ExpectedFailure kExpected[] = {{"row-order", "ties fall by the order of rows"},
                                                  {"file-needed", "two runtimes", true}};
  static constexpr LearnerInfo kInfo{
      .component = {.id = "a.known", .expected_failures = kExpected}};
};

constexpr auto kPlain = internal::MakeManifest<Plain>("a.p", "1.0.0");
constexpr auto kKnown = internal::MakeManifest<Plain, Known>("a.p", "1.0.0");

TEST(ExpectedFailuresTest, ComponentsWithoutAnyLeaveTheKeyOut) {
  EXPECT_EQ(std::string(kPlain.data()),
            R"({"crossfold":1,"abi_minor":0,"id":"a.p","version":"1.0.0","learners":["a.plain"],)"
            R"("transforms":[],"splitters":[],"metrics":[],"sources":[]})");
}

TEST(ExpectedFailuresTest, ThoseOfEveryComponentAreListedWithTheirReasons) {
  EXPECT_EQ(
      std::string(kKnown.data()),
      R"({"crossfold":1,"abi_minor":0,"id":"a.p","version":"1.0.0",)"
      R"("learners":["a.plain","a.known"],"transforms":[],"splitters":[],"metrics":[],"sources":[],)"
      R"("expected_failures":[{"check":"row-order","component":"a.known",)"
      R"("reason":"ties fall by the order of rows"},)"
      R"({"check":"file-needed","component":"","reason":"two runtimes"}]})");
}

}  // namespace
}  // namespace crossfold::plugin
