#include "crossfold_plugin/context.hpp"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "unit/sdk/fake_call.h"

namespace crossfold::plugin {
namespace {

TEST(ContextTest, TheGeneratorStartsAtTheSeedOfTheCall) {
  FakeCall call(1234567);
  EXPECT_EQ(Context(*call.get()).seed(), 1234567u);
  EXPECT_EQ(Context(*call.get()).MakeRandom().Next(), 6457827717110365317u);
}

TEST(ContextTest, AThreadBudgetOfZeroMeansOne) {
  FakeCall call;
  call.call().n_threads = 0;
  EXPECT_EQ(Context(*call.get()).n_threads(), 1u);
  call.call().n_threads = 3;
  EXPECT_EQ(Context(*call.get()).n_threads(), 3u);
}

TEST(ContextTest, ProgressReachesTheHost) {
  FakeCall call;
  Context(*call.get()).Progress(0.5);
  EXPECT_EQ(call.progress, 0.5);
}

TEST(ContextTest, ProgressThrowsWhenTheHostWantsToStop) {
  FakeCall call;
  call.cancel = true;
  EXPECT_EQ(Guard(call.get(), [&] { Context(*call.get()).Progress(0.5); }), CF_E_CANCELLED);
  EXPECT_EQ(call.message, "cancelled by the host");
}

TEST(ContextTest, AnOlderHostWithoutProgressNeverCancels) {
  FakeCall call;
  call.cancel = true;
  call.host().struct_size = offsetof(cf_host, progress);
  Context(*call.get()).Progress(0.5);
  EXPECT_EQ(call.progress, -1);
}

TEST(ContextTest, LogReachesTheHost) {
  FakeCall call;
  Context(*call.get()).Log(CF_LOG_WARN, "step 3 did not improve");
  EXPECT_THAT(call.logged, testing::ElementsAre("step 3 did not improve"));
}

}  // namespace
}  // namespace crossfold::plugin
