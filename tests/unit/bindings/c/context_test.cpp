#include <atomic>
#include <cfenv>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <mutex>
#include <thread>

#include "crossfold/arrow_abi.h"
#include "crossfold/plugin_lock.h"
#include "temporary_folder.h"
#include "unit/bindings/c/handles.h"
#include "unit/engine/text/comma_locale.h"

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
                            "cannot make a context: the flags have unknown bits; use "
                            "CROSSFOLD_NO_..."));
  TestOptions workers;
  workers.workers = -1;
  EXPECT_THAT(Refusal(workers),
              testing::Pair(CROSSFOLD_INVALID_ARGUMENT,
                            "cannot make a context: workers = -1 is outside 0 .. 4096"));
}

TEST(ContextTest, AContextThatCouldNotBeMadeRefusesEveryCallAndKeepsItsText) {
  TestOptions options;
  options.workers = -1;
  crossfold_context* made = nullptr;
  crossfold_context_create(&options, &made);
  const Handle<crossfold_context> context(made);
  crossfold_dataset* dataset = nullptr;
  EXPECT_EQ(crossfold_dataset_read(made, "x.csv", nullptr, nullptr, &dataset),
            CROSSFOLD_INVALID_ARGUMENT);
  EXPECT_STREQ(crossfold_last_error(made),
               "cannot make a context: workers = -1 is outside 0 .. 4096");
}

TEST(ContextTest, OptionsOfALaterVersionAreReadAsFarAsTheyAreKnown) {
  struct Later {
    TestOptions known;
    std::uint64_t more = ~std::uint64_t{0};
  } later;
  later.known.struct_size = sizeof(Later);
  EXPECT_EQ(Refusal(later.known).first, CROSSFOLD_OK);
}

TEST(ContextTest, PluginsThatAreNotInTheLockAreNotUsed) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path() / kLockName;
  std::ofstream(path) << ToText(PluginLock{path, {}});
  TestOptions options;
  options.lock = path.c_str();
  const auto context = NewContext(options);
  crossfold_dataset* dataset = nullptr;
  EXPECT_EQ(crossfold_dataset_read(context.get(), CROSSFOLD_TEST_DATA "/iris.csv", nullptr, nullptr,
                                   &dataset),
            CROSSFOLD_BAD_PLUGIN);
  EXPECT_THAT(crossfold_last_error(context.get()),
              testing::HasSubstr("is not in lock '" + path + "'; if you trust it: "));
}

TEST(ContextTest, ALockThatCannotBeReadIsReported) {
  TestOptions options;
  options.lock = "/nowhere/crossfold.lock";
  EXPECT_THAT(Refusal(options),
              testing::Pair(CROSSFOLD_IO,
                            testing::StartsWith("cannot read lock '/nowhere/crossfold.lock': ")));
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

TEST(ContextTest, ARunThatIsStoppedGivesWhatHadFinishedIfTheExperimentAsksForThat) {
  Calls calls;
  calls.stop_at = 3;
  TestOptions options;
  options.workers = 1;
  options.user = &calls;
  options.progress = [](void* user, std::uint64_t finished, std::uint64_t) {
    return finished == static_cast<Calls*>(user)->stop_at ? 1 : 0;
  };
  options.flags |= CROSSFOLD_NO_SHARING;
  const auto context = NewContext(options);
  const auto iris = Iris(context.get());
  std::string experiment = kNeighbours;
  experiment.insert(experiment.rfind('}'), R"(, "on_cancel": "partial")");
  const auto part = Evaluate(context.get(), iris.get(), experiment);
  const auto whole = Evaluate(NewContext().get(), iris.get(), kNeighbours);
  EXPECT_EQ(InfoOf(part.get()).n_cancelled, 7u);
  EXPECT_EQ(InfoOf(part.get()).n_failures, 0u);
  EXPECT_EQ(SummaryAt(part.get(), 0).n_defined, 3);
  EXPECT_EQ(ScoreAt(part.get(), 2).value, ScoreAt(whole.get(), 2).value);
  EXPECT_EQ(ScoreAt(part.get(), 3).defined, 0);
  EXPECT_STREQ(ScoreAt(part.get(), 3).reason, "it did not run: the host cancelled the experiment");
  auto arrays = Sized<crossfold_predictions>();
  ASSERT_EQ(crossfold_result_predictions(part.get(), 0, &arrays), CROSSFOLD_OK);
  EXPECT_EQ(arrays.n_rows, 45u);
}

TEST(ContextTest, ACancelledContextGivesAPartialResultWithoutCells) {
  const auto context = NewContext();
  const auto iris = Iris(context.get());
  const auto splits = [&] {
    crossfold_splits* made = nullptr;
    EXPECT_EQ(crossfold_splits_create(context.get(), iris.get(), "\"kfold\"", 1, &made),
              CROSSFOLD_OK);
    return Handle<crossfold_splits>(made);
  }();
  crossfold_cancel(context.get());
  crossfold_result* made = nullptr;
  ASSERT_EQ(crossfold_evaluate(context.get(), iris.get(), splits.get(),
                               R"({"learners": ["knn"], "on_cancel": "partial"})", &made),
            CROSSFOLD_OK);
  const Handle<crossfold_result> result(made);
  EXPECT_EQ(InfoOf(made).n_cancelled, 10u);
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

TEST(ContextTest, WhateverACallbackThrowsBecomesAStatus) {
  TestOptions options;
  options.progress = [](void*, std::uint64_t, std::uint64_t) -> std::int32_t { throw 7; };
  const auto context = NewContext(options);
  const auto iris = Iris(context.get());
  crossfold_result* result = nullptr;
  EXPECT_EQ(crossfold_evaluate(context.get(), iris.get(), nullptr, kNeighbours, &result),
            CROSSFOLD_INTERNAL);
  EXPECT_STREQ(crossfold_last_error(context.get()),
               "cannot finish the call: a callback of the host threw something that is not a "
               "std::exception; "
               "catch it in the callback");
}

TEST(HandleTest, OneThatWasDestroyedIsAWrongArgument) {
  const auto context = NewContext();
  crossfold_dataset* const iris = Iris(context.get()).release();
  crossfold_dataset_destroy(iris);
  crossfold_dataset_destroy(iris);
  auto info = Sized<crossfold_data_info>();
  EXPECT_EQ(crossfold_dataset_describe(iris, &info), CROSSFOLD_INVALID_ARGUMENT);
  crossfold_result* result = nullptr;
  EXPECT_EQ(crossfold_evaluate(context.get(), iris, nullptr, kNeighbours, &result),
            CROSSFOLD_INVALID_ARGUMENT);
  EXPECT_STREQ(crossfold_last_error(context.get()),
               "cannot run the experiment: argument 'dataset' is not a live handle of its kind; "
               "pass one that was made and not destroyed");
}

TEST(HandleTest, AContextThatWasDestroyedIsAWrongArgument) {
  crossfold_context* const gone = NewContext().release();
  crossfold_context_destroy(gone);
  crossfold_context_destroy(gone);
  crossfold_dataset* dataset = nullptr;
  EXPECT_EQ(crossfold_dataset_read(gone, "x.csv", nullptr, nullptr, &dataset),
            CROSSFOLD_INVALID_ARGUMENT);
  EXPECT_STREQ(crossfold_last_error(gone), "");
  crossfold_cancel_reset(gone);
}

// Every call with a handle, given one of another kind.
TEST(HandleTest, OneOfAnotherKindIsAWrongArgument) {
  const auto context = NewContext();
  const auto iris = Iris(context.get());
  void* const other = iris.get();
  crossfold_context* const a_context = context.get();
  auto* const as_context = static_cast<crossfold_context*>(other);
  auto* const as_splits = static_cast<crossfold_splits*>(other);
  auto* const as_result = static_cast<crossfold_result*>(other);
  auto* const as_model = static_cast<crossfold_model*>(other);
  auto* const as_prediction = static_cast<crossfold_prediction*>(other);
  auto* const as_dataset = static_cast<crossfold_dataset*>(static_cast<void*>(a_context));
  ArrowSchema schema{};
  ArrowArray array{};
  crossfold_splits* splits = nullptr;
  crossfold_result* result = nullptr;
  crossfold_model* model = nullptr;
  crossfold_prediction* prediction = nullptr;
  crossfold_dataset* dataset = nullptr;
  std::size_t n = 0;
  auto data_info = Sized<crossfold_data_info>();
  auto info = Sized<crossfold_result_info>();
  auto score = Sized<crossfold_score>();
  auto summary = Sized<crossfold_summary>();
  auto failure = Sized<crossfold_failure>();
  auto predictions = Sized<crossfold_predictions>();
  auto pair = Sized<crossfold_pair>();
  auto curve_info = Sized<crossfold_curve_info>();
  auto* const as_comparison = static_cast<crossfold_comparison*>(other);
  auto* const as_curve = static_cast<crossfold_curve*>(other);
  crossfold_comparison* comparison = nullptr;
  crossfold_curve* curve = nullptr;
  const std::string path = std::string(CROSSFOLD_TEST_DATA) + "/iris.csv";
  const crossfold_status statuses[] = {
      crossfold_dataset_read(as_context, path.c_str(), nullptr, nullptr, &dataset),
      crossfold_dataset_read(a_context, path.c_str(), nullptr, as_model, &dataset),
      crossfold_dataset_export_arrow(a_context, as_dataset, &schema, &array),
      crossfold_dataset_describe(as_dataset, &data_info),
      crossfold_splits_create(a_context, as_dataset, "\"kfold\"", 1, &splits),
      crossfold_splits_rows(a_context, as_splits, 0, 0, nullptr, 0, &n),
      crossfold_evaluate(a_context, as_dataset, nullptr, kNeighbours, &result),
      crossfold_evaluate(a_context, iris.get(), as_splits, kNeighbours, &result),
      crossfold_result_describe(as_result, &info),
      crossfold_result_score(as_result, 0, &score),
      crossfold_result_summary(as_result, 0, &summary),
      crossfold_result_failure(as_result, 0, &failure),
      crossfold_result_predictions(as_result, 0, &predictions),
      crossfold_result_export_arrow(a_context, as_result, &schema, &array),
      crossfold_result_compare(a_context, as_result, nullptr, &comparison),
      crossfold_comparison_pair(as_comparison, 0, &pair),
      crossfold_result_curve(a_context, as_result, 0, R"({"kind": "roc"})", &curve),
      crossfold_curve_describe(as_curve, &curve_info),
      crossfold_model_fit(a_context, as_dataset, "\"knn\"", 1, &model),
      crossfold_model_save(a_context, as_model, "/nowhere"),
      crossfold_model_describe(as_model, &data_info),
      crossfold_model_predict(a_context, as_model, iris.get(), &prediction),
      crossfold_prediction_get(as_prediction, &predictions)};
  EXPECT_THAT(statuses, testing::Each(CROSSFOLD_INVALID_ARGUMENT));
  EXPECT_EQ(crossfold_splits_count(as_splits), 0u);
  EXPECT_EQ(crossfold_comparison_count(as_comparison), 0u);
  EXPECT_STREQ(crossfold_model_learner(as_model), "");
  crossfold_cancel(as_context);
  crossfold_splits_destroy(as_splits);
  crossfold_result_destroy(as_result);
  crossfold_comparison_destroy(as_comparison);
  crossfold_curve_destroy(as_curve);
  crossfold_model_destroy(as_model);
  crossfold_prediction_destroy(as_prediction);
  crossfold_dataset_destroy(as_dataset);
  EXPECT_EQ(crossfold_dataset_describe(iris.get(), &data_info), CROSSFOLD_OK);
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
  Evaluate(
      context.get(), iris.get(),
      R"({"learners": {"d": {"id": "debug", "params": {"action": "log", "settings": {"a": 1}}}},
               "splitter": "holdout", "metrics": []})");
  EXPECT_THAT(lines.texts, ElementsAre("1 fit on 100 rows", R"(1 fit on 100 rows with {"a":1})"));
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
  EXPECT_EQ(offsetof(crossfold_options, lock), 64u);  // the end of the first version
  EXPECT_EQ(offsetof(crossfold_options, progress), 56u);
  EXPECT_EQ(sizeof(crossfold_column), 80u);
  EXPECT_EQ(offsetof(crossfold_column, release), 64u);
  EXPECT_EQ(offsetof(crossfold_data_info, positive), 64u);  // the end of the first version
  EXPECT_EQ(offsetof(crossfold_data_info, content_hash), 56u);
  EXPECT_EQ(offsetof(crossfold_result_info, n_found), 64u);  // the end of the first version
  EXPECT_EQ(sizeof(crossfold_score), 56u);
  EXPECT_EQ(offsetof(crossfold_score, value), 40u);
  EXPECT_EQ(offsetof(crossfold_summary, aggregation), 88u);  // the end of the first version
  EXPECT_EQ(offsetof(crossfold_summary, mean), 48u);
  EXPECT_EQ(sizeof(crossfold_failure), 48u);
  EXPECT_EQ(offsetof(crossfold_predictions, true_labels), 72u);  // the end of the first version
  EXPECT_EQ(offsetof(crossfold_predictions, probabilities), 64u);
  EXPECT_EQ(sizeof(crossfold_pair), 192u);
  EXPECT_EQ(offsetof(crossfold_pair, rows), 152u);
  EXPECT_EQ(sizeof(crossfold_curve_info), 80u);
  EXPECT_EQ(offsetof(crossfold_curve_info, undefined), 72u);
}

// The sizes that the package for Python has, too (tests/python/library_test.py).
TEST(ContextTest, StructsThatGrewHaveTheLayoutOfThisVersion) {
  EXPECT_EQ(sizeof(crossfold_options), 72u);
  EXPECT_EQ(sizeof(crossfold_result_info), 96u);
  EXPECT_EQ(offsetof(crossfold_result_info, n_cancelled), 80u);
  EXPECT_EQ(sizeof(crossfold_predictions), 88u);
  EXPECT_EQ(sizeof(crossfold_data_info), 72u);
}

TEST(ContextTest, StructsOfTheFirstVersionAreReadAndFilledAsFarAsTheyGo) {
  TestOptions options;
  options.struct_size = offsetof(crossfold_options, lock);
  options.lock = "/not/read";
  const auto context = NewContext(options);
  const auto iris = Iris(context.get());
  const auto result = Evaluate(context.get(), iris.get(), kNeighbours);
  crossfold_predictions arrays{};
  arrays.struct_size = offsetof(crossfold_predictions, true_labels);
  ASSERT_EQ(crossfold_result_predictions(result.get(), 0, &arrays), CROSSFOLD_OK);
  EXPECT_EQ(arrays.n_rows, 150u);
  EXPECT_EQ(arrays.true_labels, nullptr);
}

}  // namespace
}  // namespace crossfold
