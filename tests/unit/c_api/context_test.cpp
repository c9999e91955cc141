#include <atomic>
#include <cfenv>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <thread>

#include "unit/c_api/handles.h"
#include "unit/text/comma_locale.h"

namespace crossfold {
namespace {

using testing::ElementsAre;

// What crossfold_context_create comes to with these options.
std::pair<crossfold_status, std::string> Refusal(const crossfold_options& options) {
  crossfold_context* made = nullptr;
  const crossfold_status status = crossfold_context_create(&options, &made);
  const Handle<crossfold_context> context(made);
  return {status, crossfold_last_error(made)};
}

TEST(ContextTest, NoOptionsAreTheDefaults) {
  crossfold_context* context = nullptr;
  EXPECT_EQ(crossfold_context_create(nullptr, &context), CROSSFOLD_OK);
  EXPECT_STREQ(crossfold_last_error(context), "");
  crossfold_context_destroy(context);
}

TEST(ContextTest, OptionsThatCannotBeAreRefusedWithAText) {
  TestOptions small;
  small.struct_size = 8;
  EXPECT_THAT(Refusal(small), testing::Pair(CROSSFOLD_INVALID_ARGUMENT,
                                            "cannot make a context: struct_size of the options is "
                                            "too small; set it to sizeof(crossfold_options)"));
  TestOptions flags;
  flags.flags = 1u << 30;
  EXPECT_THAT(Refusal(flags),
              testing::Pair(CROSSFOLD_INVALID_ARGUMENT,
                            "cannot make a context: the flags have bits that are unknown; use "
                            "CROSSFOLD_NO_..."));
  TestOptions workers;
  workers.workers = -1;
  EXPECT_THAT(Refusal(workers),
              testing::Pair(CROSSFOLD_INVALID_ARGUMENT,
                            "cannot make a context: workers = -1 lies outside 0 .. 4096"));
}

TEST(ContextTest, AContextThatCouldNotBeMadeRefusesEveryCallAndKeepsItsText) {
  TestOptions options;
  options.workers = -1;
  crossfold_context* made = nullptr;
  crossfold_context_create(&options, &made);
  const Handle<crossfold_context> context(made);
  crossfold_dataset* dataset = nullptr;
  EXPECT_EQ(crossfold_dataset_read_csv(made, "x.csv", nullptr, nullptr, &dataset),
            CROSSFOLD_INVALID_ARGUMENT);
  EXPECT_STREQ(crossfold_last_error(made),
               "cannot make a context: workers = -1 lies outside 0 .. 4096");
}

TEST(ContextTest, OptionsOfALaterVersionAreReadAsFarAsTheyAreKnown) {
  struct Later {
    TestOptions known;
    std::uint64_t more = ~std::uint64_t{0};
  } later;
  later.known.struct_size = sizeof(Later);
  EXPECT_EQ(Refusal(later.known).first, CROSSFOLD_OK);
}

TEST(ContextTest, StatusesHaveNames) {
  EXPECT_STREQ(crossfold_status_name(CROSSFOLD_BAD_PLUGIN), "bad plugin");
  EXPECT_STREQ(crossfold_status_name(77), "unknown");
}

struct Calls {
  crossfold_context* context = nullptr;
  const crossfold_dataset* dataset = nullptr;
  std::vector<std::uint64_t> finished;
  std::uint64_t total = 0;
  std::uint64_t stop_at = ~std::uint64_t{0};
  crossfold_status from_callback = CROSSFOLD_OK, from_thread = CROSSFOLD_OK;
};

TEST(ContextTest, ProgressCountsEveryCellAndCanStop) {
  Calls calls;
  TestOptions options;
  options.user = &calls;
  options.progress = [](void* user, std::uint64_t finished, std::uint64_t total) {
    auto& seen = *static_cast<Calls*>(user);
    seen.finished.push_back(finished);
    seen.total = total;
    return finished == seen.stop_at ? 1 : 0;
  };
  const auto context = NewContext(options);
  const auto iris = Iris(context.get());
  Evaluate(context.get(), iris.get(), kNeighbours);
  EXPECT_THAT(calls.finished, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
  EXPECT_EQ(calls.total, 10u);

  calls.stop_at = 1;
  crossfold_result* result = nullptr;
  EXPECT_EQ(crossfold_evaluate(context.get(), iris.get(), nullptr, kNeighbours, &result),
            CROSSFOLD_CANCELLED);
  EXPECT_EQ(result, nullptr);
  EXPECT_STREQ(crossfold_last_error(context.get()),
               "cannot finish the experiment: the host stopped it");
  calls.stop_at = ~std::uint64_t{0};
  Evaluate(context.get(), iris.get(), kNeighbours);  // only that call was stopped
}

TEST(ContextTest, ACallDuringACallIsBusyAndTouchesNothing) {
  Calls calls;
  TestOptions options;
  options.user = &calls;
  options.progress = [](void* user, std::uint64_t, std::uint64_t) {
    auto& seen = *static_cast<Calls*>(user);
    const auto call = [&seen] {
      crossfold_result* result = nullptr;
      return crossfold_evaluate(seen.context, seen.dataset, nullptr, kNeighbours, &result);
    };
    seen.from_callback = call();
    std::thread([&] { seen.from_thread = call(); }).join();
    return 0;
  };
  const auto context = NewContext(options);
  const auto iris = Iris(context.get());
  calls.context = context.get();
  calls.dataset = iris.get();
  EXPECT_EQ(ScoresOf(Evaluate(context.get(), iris.get(), kNeighbours).get()).size(), 10u);
  EXPECT_EQ(calls.from_callback, CROSSFOLD_BUSY);
  EXPECT_EQ(calls.from_thread, CROSSFOLD_BUSY);
  EXPECT_STREQ(crossfold_last_error(context.get()), "");
}

TEST(ContextTest, CancelHoldsUntilItIsTakenBack) {
  const auto context = NewContext();
  const auto iris = Iris(context.get());
  crossfold_cancel(context.get());
  for (int i = 0; i < 2; ++i) {
    crossfold_result* result = nullptr;
    EXPECT_EQ(crossfold_evaluate(context.get(), iris.get(), nullptr, kNeighbours, &result),
              CROSSFOLD_CANCELLED);
  }
  crossfold_cancel_reset(context.get());
  EXPECT_EQ(ScoresOf(Evaluate(context.get(), iris.get(), kNeighbours).get()).size(), 10u);
}

TEST(ContextTest, WhatPluginsLogReachesTheHost) {
  struct Lines {
    std::mutex mutex;
    std::vector<std::string> texts;
  } lines;
  TestOptions options;
  options.user = &lines;
  options.log = [](void* user, std::int32_t level, const char* message) {
    auto& seen = *static_cast<Lines*>(user);
    const std::lock_guard lock(seen.mutex);
    seen.texts.push_back(std::to_string(level) + " " + message);
  };
  const auto context = NewContext(options);
  const auto iris = Iris(context.get());
  Evaluate(context.get(), iris.get(),
           R"({"learners": {"d": {"id": "debug", "params": {"action": "log"}}},
                                          "splitter": "holdout", "metrics": []})");
  EXPECT_THAT(lines.texts, ElementsAre("1 fit on 100 rows"));
}

// Host and library must not see each other's floating-point environment.
TEST(ContextTest, TheRoundingModeOfTheHostChangesNoResultAndIsKept) {
  const auto context = NewContext();
  const auto iris = Iris(context.get());
  const std::string experiment = R"({"learners": ["naive_bayes", "logistic_regression"],
      "splitter": "kfold", "metrics": ["log_loss", "brier"], "seed": 3})";
  const auto expected = ScoresOf(Evaluate(context.get(), iris.get(), experiment).get());
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    std::feraiseexcept(FE_UNDERFLOW);
    const auto result = Evaluate(context.get(), iris.get(), experiment);
    const int after = std::fegetround();
    const int raised = std::fetestexcept(FE_ALL_EXCEPT);
    std::fesetenv(FE_DFL_ENV);
    EXPECT_EQ(after, mode);
    EXPECT_TRUE(raised & FE_UNDERFLOW);
    EXPECT_EQ(ScoresOf(result.get()), expected);
  }
}

TEST(ContextTest, ALocaleWithADecimalCommaChangesNoByte) {
  const std::string experiment = R"({"learners": [{"id": "ridge", "params": {"l2": 0.5}}],
      "splitter": "kfold", "metrics": "rmse"})";
  std::vector<double> expected, found;
  {
    const auto context = NewContext();
    const auto data = ReadFile(context.get(), "diabetes_regr.csv", R"({"target": "target"})");
    expected = ScoresOf(Evaluate(context.get(), data.get(), experiment).get());
  }
  const CommaLocale comma;
  ASSERT_EQ(comma.Problem(), "");
  const auto context = NewContext();
  const auto data = ReadFile(context.get(), "diabetes_regr.csv", R"({"target": "target"})");
  const auto result = Evaluate(context.get(), data.get(), experiment);
  EXPECT_EQ(ScoresOf(result.get()), expected);
  EXPECT_STREQ(InfoOf(result.get()).learners[0], "ridge{l2=0.5}");
}

// The layout is frozen: other languages write it down.
TEST(ContextTest, StructsHaveTheLayoutOfTheFirstVersion) {
  EXPECT_EQ(sizeof(crossfold_options), 64u);
  EXPECT_EQ(offsetof(crossfold_options, progress), 56u);
  EXPECT_EQ(sizeof(crossfold_column), 80u);
  EXPECT_EQ(offsetof(crossfold_column, release), 64u);
  EXPECT_EQ(sizeof(crossfold_data_info), 64u);
  EXPECT_EQ(offsetof(crossfold_data_info, content_hash), 56u);
  EXPECT_EQ(offsetof(crossfold_result_info, n_found), 64u);  // the end of the first version
  EXPECT_EQ(sizeof(crossfold_score), 56u);
  EXPECT_EQ(offsetof(crossfold_score, value), 40u);
  EXPECT_EQ(sizeof(crossfold_summary), 88u);
  EXPECT_EQ(offsetof(crossfold_summary, mean), 48u);
  EXPECT_EQ(sizeof(crossfold_failure), 48u);
  EXPECT_EQ(sizeof(crossfold_predictions), 72u);
  EXPECT_EQ(offsetof(crossfold_predictions, probabilities), 64u);
}

}  // namespace
}  // namespace crossfold
