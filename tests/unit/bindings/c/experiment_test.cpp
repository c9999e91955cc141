#include <cmath>
#include <cstdlib>

#include "crossfold/arrow_abi.h"
#include "thread_limit.h"
#include "unit/bindings/c/handles.h"

namespace crossfold {
namespace {

using testing::ElementsAre;

// What crossfold_evaluate says about an experiment that it refuses.
std::string RefusalOf(crossfold_context* context, const crossfold_dataset* dataset,
                      const char* experiment) {
  crossfold_result* result = nullptr;
  EXPECT_EQ(crossfold_evaluate(context, dataset, nullptr, experiment, &result),
            CROSSFOLD_INVALID_ARGUMENT);
  EXPECT_EQ(result, nullptr);
  return crossfold_last_error(context);
}

// 145 of 150, fold by fold: by a Python program with exact fractions (see
// tests/package/learner_plugin/use_nearest.lua).
TEST(CExperimentTest, ScoresAreThoseOfTheFolds) {
  const auto context = NewContext();
  const auto iris = Iris(context.get());
  const auto result = Evaluate(context.get(), iris.get(), kNeighbours);
  std::vector<int> correct;
  for (const double score : ScoresOf(result.get())) {
    correct.push_back(static_cast<int>(std::lround(score * 15)));
  }
  EXPECT_THAT(correct, ElementsAre(14, 15, 14, 14, 15, 15, 14, 15, 15, 14));
  const crossfold_summary summary = SummaryAt(result.get(), 0);
  EXPECT_NEAR(summary.mean, 145.0 / 150, 1e-15);
  EXPECT_EQ(summary.n_folds, 10);
  EXPECT_EQ(summary.n_defined, 10);
  EXPECT_EQ(summary.n_failed, 0);
  EXPECT_EQ(summary.min, 14.0 / 15);
  EXPECT_EQ(summary.max, 1);
  const crossfold_score third = ScoreAt(result.get(), 2);
  EXPECT_EQ(third.repeat, 0);
  EXPECT_EQ(third.fold, 2);
  EXPECT_EQ(third.reason, nullptr);
}

TEST(CExperimentTest, AHostWithoutThreadsGetsTheSameScores) {
  const auto context = NewContext();
  const auto iris = Iris(context.get());
  const auto scores = ScoresOf(Evaluate(context.get(), iris.get(), kNeighbours).get());
  const auto again = [&] {
    LimitThreads(0);
    TestOptions options;
    options.workers = 4096;
    const auto limited = NewContext(options);
    const auto data = Iris(limited.get());
    const bool same = ScoresOf(Evaluate(limited.get(), data.get(), kNeighbours).get()) == scores;
    std::_Exit(same ? 0 : 1);
  };
  EXPECT_EXIT(again(), testing::ExitedWithCode(0), "");
}

TEST(CExperimentTest, LearnersAreByNameOrByTheirText) {
  const auto context = NewContext();
  const auto iris = Iris(context.get());
  const char* const named = R"({"learners": {"b": "naive_bayes", "a": ["standardize", "knn{k=3}"]},
    "splitter": "holdout", "metrics": ["accuracy", "f1_macro"]})";
  const auto result = Evaluate(context.get(), iris.get(), named);
  const auto info = InfoOf(result.get());
  EXPECT_EQ(std::vector<std::string>(info.learners, info.learners + info.n_learners),
            (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(std::vector<std::string>(info.metrics, info.metrics + info.n_metrics),
            (std::vector<std::string>{"accuracy", "f1{average=macro}"}));
  EXPECT_EQ(info.n_scores, 4u);
  EXPECT_EQ(info.n_summaries, 4u);
  const auto listed = Evaluate(context.get(), iris.get(),
                               R"({"learners": [["standardize", {"id": "knn", "params": {"k": 3}}]],
                                   "splitter": "holdout"})");
  EXPECT_STREQ(InfoOf(listed.get()).learners[0], "standardize|knn{k=3}");
  EXPECT_EQ(InfoOf(listed.get()).n_scores, 0u);
}

TEST(CExperimentTest, ATransformTakesAListOfColumns) {
  const auto context = NewContext();
  const auto iris = Iris(context.get());
  const auto result = Evaluate(context.get(), iris.get(),
                               R"({"learners": [[{"id": "standardize", "params": {"columns":
                                   ["sepal *", "petal l*"], "except": "categorical"}}, "knn"]],
                                   "splitter": "holdout"})");
  EXPECT_STREQ(InfoOf(result.get()).learners[0],
               "standardize{columns=[petal l*, sepal *],except=[categorical]}|knn");
}

TEST(CExperimentTest, AnObjectIsGivenAsJson) {
  const auto context = NewContext();
  const auto iris = Iris(context.get());
  const auto result = Evaluate(context.get(), iris.get(),
                               R"({"learners": [{"id": "debug", "params": {"settings.b": [],
                                   "settings.c": [1, 0.5], "settings.d.e": {"f": 1},
                                   "settings": {"b": 1, "a": 2.0}}}], "splitter": "holdout"})");
  EXPECT_STREQ(InfoOf(result.get()).learners[0],
               R"(debug{settings={"a":2.0,"b":[],"c":[1,0.5],"d":{"e":{"f":1}}}})");
}

TEST(CExperimentTest, WhatIsWrongWithAnExperimentIsToldByItsPlace) {
  const auto context = NewContext();
  const auto iris = Iris(context.get());
  const std::string attempt = "cannot run the experiment: ";
  const std::pair<const char*, std::string> cases[] = {
      {"", attempt + "the text is not JSON at byte 1; see RFC 8259"},
      {"{}", attempt + "the experiment has no 'learners'"},
      {R"({"learner": []})", attempt + "the experiment has the unknown key 'learner'; did you mean "
                                       "'learners'? known: isolate, keep, learners, metrics, "
                                       "on_cancel, on_store_error, seed, seeds, splitter, store"},
      {R"({"learners": ["knn"], "seeds": {"forest": 2}, "splitter": "holdout"})",
       attempt + "'seeds' names 'forest', which is not a learner"},
      {R"({"learners": ["knn"], "seeds": {"knn": "x"}, "splitter": "holdout"})",
       attempt + "the seed of 'knn' is not a whole number"},
      {R"({"learners": 5})", attempt + "'learners' is neither an object by name nor a list"},
      {R"({"learners": []})", attempt + "give either 'splitter' or the argument 'splits'"},
      {R"({"learners": [], "splitter": "holdout"})", attempt + "it has no learners"},
      {R"({"learners": [[]]})",
       attempt + "item 1 of 'learners' is an empty list; end it with a learner"},
      {R"({"learners": [7]})",
       attempt + "item 1 of 'learners' is not a learner; write a string or {\"id\": "
                 "..., \"params\": {...}}"},
      {R"({"learners": {"a": {"params": {}}}})", attempt + "learner 'a' has no 'id'"},
      {R"({"learners": {"a": {"id": "knn", "k": 5}}})",
       attempt + "learner 'a' has the unknown key 'k'; known: id, params"},
      {R"({"learners": {"a": {"id": "knn", "params": {"k": {}}}}})",
       "cannot make learner 'knn': k = {} is of the wrong type; it must be an integer >= 1"},
      {R"({"learners": {"a": {"id": "knn", "params": {"k": 18446744073709551615}}}})",
       attempt + "parameter 'k' does not fit in 64 bits with a sign"},
      {R"({"learners": ["knn"], "splitter": "holdout", "seed": "x"})",
       attempt + "'seed' is not a whole number"},
      {R"({"learners": ["knn"], "splitter": "holdout", "keep": "label"})",
       attempt + "'keep' is 'label'; did you mean 'labels'? known: labels, none, probabilities"},
      {R"({"learners": ["knn"], "splitter": "holdout", "on_cancel": "stop"})",
       attempt + "'on_cancel' is 'stop'; known: fail, partial"},
      {R"({"learners": ["knn", "knn"], "splitter": "holdout"})",
       attempt + "two learners are called 'knn'; give them distinct names"},
      {R"({"learners": ["knn{k=0}"], "splitter": "holdout"})",
       "cannot make learner 'knn': k = 0 is out of range; it must be an integer >= 1"},
      {R"({"learners": ["knn"], "splitter": "holdout", "metrics": "rmse"})",
       "cannot use metric 'rmse' on dataset 'iris': it is for regression, the "
       "target 'class' is categorical"},
  };
  for (const auto& [experiment, message] : cases) {
    EXPECT_EQ(RefusalOf(context.get(), iris.get(), experiment), message);
  }
}

TEST(CExperimentTest, AFoldThatFailsIsDataWithItsReason) {
  const auto context = NewContext();
  const auto iris = Iris(context.get());
  const auto result = Evaluate(context.get(), iris.get(), R"({
      "learners": {"bad": {"id": "debug", "params": {"action": "throw_in_predict", "when_row": 20}}},
      "splitter": {"id": "kfold", "params": {"folds": 10, "shuffle": false}},
      "metrics": "accuracy"})");
  const auto info = InfoOf(result.get());
  ASSERT_EQ(info.n_failures, 1u);
  auto failure = Sized<crossfold_failure>();
  ASSERT_EQ(crossfold_result_failure(result.get(), 0, &failure), CROSSFOLD_OK);
  EXPECT_STREQ(failure.stage, "predict debug");
  const crossfold_score score = ScoreAt(result.get(), static_cast<std::size_t>(failure.fold));
  EXPECT_EQ(score.defined, 0);
  EXPECT_TRUE(std::isnan(score.value));
  EXPECT_EQ(std::string(score.reason), std::string("failed at predict debug: ") + failure.message);
  EXPECT_EQ(SummaryAt(result.get(), 0).n_failed, 1);
  EXPECT_EQ(SummaryAt(result.get(), 0).n_defined, 9);
}

TEST(CExperimentTest, PredictionsAreOfTheTestedRowsAndAgreeWithTheScores) {
  const auto context = NewContext();
  const auto iris = Iris(context.get());
  std::string experiment = kNeighbours;
  experiment.insert(experiment.rfind('}'), R"(, "keep": "probabilities")");
  const auto result = Evaluate(context.get(), iris.get(), experiment);
  auto p = Sized<crossfold_predictions>();
  ASSERT_EQ(crossfold_result_predictions(result.get(), 0, &p), CROSSFOLD_OK);
  ASSERT_EQ(p.n_rows, 150u);
  EXPECT_EQ(p.n_classes, 3u);
  EXPECT_EQ(p.values, nullptr);
  EXPECT_EQ(p.true_values, nullptr);
  int correct = 0;
  for (std::size_t i = 0; i < p.n_rows; ++i) {
    EXPECT_EQ(p.true_labels[i], p.rows[i] / 50);  // 50 rows a class, in order
    correct += p.labels[i] == p.true_labels[i] ? 1 : 0;
    const double* row = p.probabilities + i * 3;
    EXPECT_NEAR(row[0] + row[1] + row[2], 1, 1e-12);
    EXPECT_EQ(p.repeats[i], 0);
  }
  EXPECT_EQ(correct, 145);
  EXPECT_EQ(crossfold_result_predictions(result.get(), 1, &p), CROSSFOLD_INVALID_ARGUMENT);
}

TEST(CExperimentTest, NoPredictionsAreThereIfNoneWereKept) {
  const auto context = NewContext();
  const auto iris = Iris(context.get());
  std::string experiment = kNeighbours;
  experiment.insert(experiment.rfind('}'), R"(, "keep": "none")");
  const auto result = Evaluate(context.get(), iris.get(), experiment);
  auto p = Sized<crossfold_predictions>();
  ASSERT_EQ(crossfold_result_predictions(result.get(), 0, &p), CROSSFOLD_OK);
  EXPECT_EQ(p.n_rows, 0u);
  EXPECT_EQ(p.rows, nullptr);
  ArrowSchema schema;
  ArrowArray array;
  EXPECT_EQ(crossfold_result_export_arrow(context.get(), result.get(), &schema, &array),
            CROSSFOLD_INVALID_ARGUMENT);
  EXPECT_STREQ(
      crossfold_last_error(context.get()),
      "cannot make a table of predictions: none were kept; run the experiment with keep set "
      "to labels or probabilities");
}

TEST(CExperimentTest, PredictionsGoOutAsOneArrowTable) {
  const auto context = NewContext();
  const auto iris = Iris(context.get());
  std::string experiment = kNeighbours;
  experiment.insert(experiment.rfind('}'), R"(, "keep": "probabilities")");
  const auto result = Evaluate(context.get(), iris.get(), experiment);
  ArrowSchema schema;
  ArrowArray array;
  ASSERT_EQ(crossfold_result_export_arrow(context.get(), result.get(), &schema, &array),
            CROSSFOLD_OK);
  std::vector<std::string> names;
  for (std::int64_t i = 0; i < schema.n_children; ++i) names.push_back(schema.children[i]->name);
  EXPECT_THAT(names, ElementsAre("learner", "repeat", "fold", "row", "truth", "predicted",
                                 "p(setosa)", "p(versicolor)", "p(virginica)"));
  EXPECT_EQ(array.length, 150);
  const auto* truth = static_cast<const std::int32_t*>(array.children[4]->buffers[1]);
  const auto* predicted = static_cast<const std::int32_t*>(array.children[5]->buffers[1]);
  int correct = 0;
  for (int i = 0; i < 150; ++i) correct += truth[i] == predicted[i] ? 1 : 0;
  EXPECT_EQ(correct, 145);
  schema.release(&schema);
  array.release(&array);
}

TEST(CExperimentTest, SplitsCanBeMadeOnceAndLookedAt) {
  const auto context = NewContext();
  const auto iris = Iris(context.get());
  crossfold_splits* made = nullptr;
  ASSERT_EQ(crossfold_splits_create(context.get(), iris.get(),
                                    R"({"id": "kfold", "params": {"folds": 10, "shuffle": false}})",
                                    1, &made),
            CROSSFOLD_OK);
  const Handle<crossfold_splits> splits(made);
  EXPECT_EQ(crossfold_splits_count(made), 10u);
  std::int64_t rows[4];
  std::size_t n_rows = 0;
  ASSERT_EQ(crossfold_splits_rows(context.get(), made, 0, 0, nullptr, 0, &n_rows), CROSSFOLD_OK);
  EXPECT_EQ(n_rows, 135u);
  ASSERT_EQ(crossfold_splits_rows(context.get(), made, 9, 1, rows, 4, &n_rows), CROSSFOLD_OK);
  EXPECT_EQ(n_rows, 15u);
  EXPECT_EQ(crossfold_splits_rows(context.get(), made, 10, 1, rows, 4, &n_rows),
            CROSSFOLD_INVALID_ARGUMENT);
  EXPECT_STREQ(crossfold_last_error(context.get()),
               "cannot list the rows of a split: there is no split 10, only 0 .. 9");

  crossfold_result* result = nullptr;
  ASSERT_EQ(
      crossfold_evaluate(context.get(), iris.get(), made,
                         R"({"learners": {"knn": "knn{k=5}"}, "metrics": "accuracy"})", &result),
      CROSSFOLD_OK);
  const Handle<crossfold_result> with_splits(result);
  EXPECT_EQ(ScoresOf(result), ScoresOf(Evaluate(context.get(), iris.get(), kNeighbours).get()));
  const auto other = Iris(context.get());
  EXPECT_EQ(
      crossfold_evaluate(context.get(), other.get(), made, R"({"learners": ["knn"]})", &result),
      CROSSFOLD_INVALID_ARGUMENT);
  EXPECT_STREQ(
      crossfold_last_error(context.get()),
      "cannot run the experiment: the splits belong to another dataset; make them from 'iris'");
}

TEST(CExperimentTest, WorkersSharingAndProcessesChangeNoBit) {
  const std::string experiment =
      R"({"learners": {"forest": {"id": "random_forest", "params": {"trees": 10}},
      "bayes": "naive_bayes"}, "splitter": {"id": "kfold", "params": {"folds": 5, "repeats": 2}},
      "metrics": ["accuracy", "log_loss"], "seed": 42)";
  std::vector<std::vector<double>> found;
  for (const int workers : {1, 3}) {
    for (const std::uint32_t sharing : {0u, std::uint32_t{CROSSFOLD_NO_SHARING}}) {
      TestOptions options;
      options.workers = workers;
      options.flags |= sharing;
      const auto context = NewContext(options);
      const auto iris = Iris(context.get());
      found.push_back(ScoresOf(Evaluate(context.get(), iris.get(), experiment + "}").get()));
    }
  }
  const auto context = NewContext();
  const auto iris = Iris(context.get());
  for (const char* more : {R"(, "isolate": "worker"})", R"(, "isolate": "auto"})"}) {
    found.push_back(ScoresOf(Evaluate(context.get(), iris.get(), experiment + more).get()));
  }
  ASSERT_EQ(found[0].size(), 40u);
  for (const auto& scores : found) EXPECT_EQ(scores, found[0]);
}

TEST(CExperimentTest, AShorterStructOfTheCallerIsNotWrittenBeyond) {
  const auto context = NewContext();
  const auto iris = Iris(context.get());
  const auto result = Evaluate(context.get(), iris.get(), kNeighbours);
  crossfold_score score{};
  score.struct_size = 8;
  EXPECT_EQ(crossfold_result_score(result.get(), 0, &score), CROSSFOLD_INVALID_ARGUMENT);
  EXPECT_EQ(crossfold_result_score(result.get(), 10, nullptr), CROSSFOLD_INVALID_ARGUMENT);
  struct Later {
    crossfold_score known;
    std::uint64_t more = 77;
  } later;
  later.known.struct_size = sizeof(Later);
  EXPECT_EQ(crossfold_result_score(result.get(), 0, &later.known), CROSSFOLD_OK);
  EXPECT_EQ(later.known.struct_size, sizeof(Later));
  EXPECT_EQ(later.more, 77u);
}

}  // namespace
}  // namespace crossfold
