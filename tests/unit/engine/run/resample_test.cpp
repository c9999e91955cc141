#include <cstring>
#include <utility>

#include "crossfold/fitted_model.h"
#include "crossfold/run.h"
#include "engine/run/training_rows.h"
#include "unit/engine/run/fixture.h"

namespace crossfold {
namespace {

using ::testing::ElementsAre;

using fixture::All;
using fixture::Centred;
using fixture::MakeSpec;
using fixture::ModuloSplits;
using fixture::SixRows;

std::vector<Outcome> RunFolds(const std::shared_ptr<const Pipeline>& learner,
                              const std::shared_ptr<const SplitPlan>& splits) {
  std::vector<Cell> cells;
  for (std::int64_t s = 0; s < splits->size(); ++s) {
    cells.push_back({learner, splits, s, 7, nullptr, Keep::kLabels});
  }
  return RunCells(cells, RunOptions());
}

TEST(TransformTest, CentresTestRowsByTheMeanOfTheTrainingRows) {
  const auto outcomes = RunFolds(Centred("center", "probe", {{"mode", "feature"}}), SixRows());
  EXPECT_THAT(outcomes[0].prediction.values, ElementsAre(-3, -1, 1));  // minus (2 + 4 + 6) / 3
  EXPECT_THAT(outcomes[1].prediction.values, ElementsAre(-1, 1, 3));   // minus (1 + 3 + 5) / 3
  EXPECT_THAT(outcomes[1].prediction.rows, ElementsAre(1, 3, 5));
}

TEST(TransformTest, TheTargetFollowsTheTrainingRows) {
  const auto outcomes = RunFolds(Centred("center", "probe", {{"mode", "target_sum"}}), SixRows());
  EXPECT_EQ(outcomes[0].prediction.values[0], 120);  // 20 + 40 + 60
  EXPECT_EQ(outcomes[1].prediction.values[0], 90);   // 10 + 30 + 50
}

TEST(TransformTest, WeightsFollowTheTrainingRows) {
  Roles roles;
  roles.target = "y";
  roles.weights = "w";
  const auto data =
      Dataset::Create("weighted",
                      {Column::Doubles("x", {1, 2, 3, 4}), Column::Doubles("w", {1, 2, 4, 8}),
                       Column::Doubles("y", {0, 0, 0, 0})},
                      roles);
  const auto outcomes =
      RunFolds(Centred("center", "probe", {{"mode", "weight_sum"}}), ModuloSplits(All(data), 2));
  EXPECT_EQ(outcomes[0].prediction.values[0], 10);
  EXPECT_EQ(outcomes[1].prediction.values[0], 5);
}

TEST(TransformTest, SeveralFollowEachOther) {
  // Centring a second time subtracts the mean of centred training rows, which is 0.
  const auto center = MakeSpec(Kind::kTransform, "center");
  const auto twice =
      Pipeline::Make({center, center, MakeSpec(Kind::kLearner, "probe", {{"mode", "feature"}})});
  const auto outcomes = RunFolds(twice, SixRows());
  EXPECT_THAT(outcomes[0].prediction.values, ElementsAre(-3, -1, 1));
  const auto sums = RunFolds(
      Pipeline::Make({center, center, MakeSpec(Kind::kLearner, "probe", {{"mode", "target_sum"}})}),
      SixRows());
  EXPECT_EQ(sums[0].prediction.values[0], 120);
}

TEST(TransformTest, LearnersKeepTheirSeedBehindTransforms) {
  const auto plain = RunFolds(fixture::Learner("probe", {{"mode", "fit_seed"}}), SixRows());
  const auto centred = RunFolds(Centred("center", "probe", {{"mode", "fit_seed"}}), SixRows());
  EXPECT_EQ(plain[1].prediction.values, centred[1].prediction.values);
}

// Features a = 1 ... 6 and b = 10 ... 60 before a categorical c, which center refuses.
std::shared_ptr<const Dataset> ThreeFeatures() {
  Roles roles;
  roles.target = "y";
  return Dataset::Create(
      "three",
      {Column::Doubles("a", {1, 2, 3, 4, 5, 6}), Column::Doubles("b", {10, 20, 30, 40, 50, 60}),
       Column::Categories("c", {0, 1, 0, 1, 0, 1}, {"u", "v"}),
       Column::Doubles("y", {1, 2, 3, 4, 5, 6})},
      roles);
}

std::shared_ptr<const Pipeline> CentredOn(const std::string& columns) {
  return Pipeline::Make({MakeSpec(Kind::kTransform, "center", {{"columns", columns}}),
                         MakeSpec(Kind::kLearner, "probe", {{"mode", "feature"}})});
}

// What the learner gets as its first feature in the test rows 1, 3 and 5 (counted from 1).
std::vector<double> FirstFeature(const std::string& columns) {
  const auto outcomes = RunFolds(CentredOn(columns), ModuloSplits(All(ThreeFeatures()), 2));
  EXPECT_EQ(outcomes[0].failure.message, "");
  return outcomes[0].prediction.values;
}

TEST(TransformTest, GetsTheChosenColumnsAndTheOthersPassBy) {
  EXPECT_THAT(FirstFeature("a"), ElementsAre(-3, -1, 1));  // minus (2 + 4 + 6) / 3
  EXPECT_THAT(FirstFeature("b"), ElementsAre(1, 3, 5));
}

TEST(TransformTest, DoesNothingIfAPatternChoosesNoColumn) {
  EXPECT_THAT(FirstFeature("lab_*"), ElementsAre(1, 3, 5));
}

TEST(TransformTest, AnUnknownColumnIsToldBeforeAnythingRuns) {
  EXPECT_THAT(
      [] { CheckCompatible(*CentredOn("aa"), *ThreeFeatures()); },
      ::testing::ThrowsMessage<Error>(
          "cannot use transform 'fixture.center{columns=[aa]}' on dataset 'three': 'columns' names "
          "'aa', which is not a feature here; did you mean 'a'? known: a, b, c"));
}

TEST(TransformTest, AColumnThatAnEarlierStepTookAwayIsToldByTheFit) {
  const auto gone =
      Pipeline::Make({MakeSpec(Kind::kTransform, "center", {{"columns", "a"}, {"mode", "nothing"}}),
                      MakeSpec(Kind::kTransform, "center", {{"columns", "a"}}),
                      MakeSpec(Kind::kLearner, "probe", {{"mode", "feature"}})});
  const auto outcomes = RunFolds(gone, ModuloSplits(All(ThreeFeatures()), 2));
  EXPECT_EQ(outcomes[0].failure.stage, "fit fixture.center");
  EXPECT_EQ(outcomes[0].failure.message,
            "'columns' names 'a', which is not a feature here; known: b, c");
}

TEST(TransformTest, ChosenColumnsAreNotSharedWithAnotherChoice) {
  const auto splits = ModuloSplits(All(ThreeFeatures()), 2);
  std::vector<Cell> cells;
  for (const char* columns : {"a", "b"}) {
    cells.push_back({CentredOn(columns), splits, 0, 7, nullptr, Keep::kLabels});
  }
  const auto outcomes = RunCells(cells, RunOptions());
  EXPECT_THAT(outcomes[0].prediction.values, ElementsAre(-3, -1, 1));
  EXPECT_THAT(outcomes[1].prediction.values, ElementsAre(1, 3, 5));
}

TEST(TransformTest, OneThatChangesTheRowsGetsAllColumns) {
  EXPECT_THAT(
      [] {
        MakeSpec(Kind::kTransform, "resampler", {{"columns", "a"}});
      },
      ::testing::ThrowsMessage<Error>(
          ::testing::HasSubstr("'columns' cannot choose features for a transform that changes "
                               "which rows train; leave it out")));
}

// Transforms that change which rows train: of training rows only, and everything checked.
using fixture::Classes;
using fixture::Numbers;
using fixture::Some;

using SpecPtr = std::shared_ptr<const Spec>;

SpecPtr Resampler(const std::string& mode) {
  return MakeSpec(Kind::kTransform, "resampler", {{"mode", mode}});
}
SpecPtr Synthesizer(const std::string& mode) {
  return MakeSpec(Kind::kTransform, "synthesizer", {{"mode", mode}});
}
SpecPtr Probe(const std::string& mode) {
  return MakeSpec(Kind::kLearner, "probe", {{"mode", mode}});
}

std::vector<Outcome> RunSteps(std::vector<SpecPtr> steps,
                              const std::shared_ptr<const SplitPlan>& splits, int workers = 1,
                              const std::vector<std::uint64_t>& seeds = {7}) {
  const auto pipeline = Pipeline::Make(std::move(steps));
  std::vector<Cell> cells;
  for (const std::uint64_t seed : seeds) {
    for (std::int64_t s = 0; s < splits->size(); ++s) {
      cells.push_back({pipeline, splits, s, seed, nullptr, Keep::kProbabilities});
    }
  }
  RunOptions options;
  options.workers = workers;
  return RunCells(cells, options);
}

// What the learner after the steps reports of its training rows in fold 0.
double Seen(std::vector<SpecPtr> transforms, const std::string& mode) {
  transforms.push_back(Probe(mode));
  const auto outcomes = RunSteps(std::move(transforms), SixRows());
  EXPECT_EQ(outcomes[0].failure.message, "");
  return outcomes[0].prediction.values.at(0);
}

Failure FailureOf(std::vector<SpecPtr> steps,
                  const std::shared_ptr<const SplitPlan>& splits = SixRows()) {
  const Outcome outcome = RunSteps(std::move(steps), splits).at(0);
  EXPECT_EQ(outcome.status, OutcomeStatus::kFailed);
  return outcome.failure;
}

void ExpectFailure(const Failure& failure, const std::string& stage, cf_status code,
                   const std::string& message) {
  EXPECT_EQ(failure.stage, stage);
  EXPECT_EQ(failure.code, code);
  EXPECT_EQ(failure.message, message);
}

TEST(ResampleTest, TheNextStepsGetTheRowsThatWereEmitted) {
  // Rows 2 4 6 become 6 4 6.
  EXPECT_EQ(Seen({Resampler("last_twice")}, "feature_sum"), 16);
  EXPECT_EQ(Seen({Resampler("last_twice")}, "target_sum"), 160);
  EXPECT_EQ(Seen({Resampler("last_twice")}, "row_id_sum"), 5 + 3 + 5);
  EXPECT_EQ(Seen({Resampler("last_twice")}, "training_rows"), 3);
}

TEST(ResampleTest, ItsOwnFitAndLaterTransformsGetThemToo) {
  const SpecPtr center = MakeSpec(Kind::kTransform, "center");
  EXPECT_EQ(Seen({Resampler("last_twice"), center}, "target_sum"), 160);
  EXPECT_NEAR(Seen({Resampler("last_twice"), center}, "feature_sum"), 0, 1e-12);
  // Of centred rows -2 0 2 the last is taken twice.
  EXPECT_EQ(Seen({center, Resampler("last_twice")}, "feature_sum"), 4);
  EXPECT_EQ(Seen({center, Resampler("last_twice")}, "target_sum"), 160);
  EXPECT_EQ(Seen({center, Resampler("last_twice")}, "row_id_sum"), 13);
}

TEST(ResampleTest, MayFollowItself) {
  // 2 4 6 -> 6 4 6 -> 6 4 6; weights 1 2 3 of positions; a new feature table between.
  EXPECT_EQ(Seen({Resampler("last_twice"), Resampler("last_twice")}, "target_sum"), 160);
  EXPECT_EQ(Seen({Resampler("weigh"), Resampler("last_twice")}, "weight_sum"), 3 + 2 + 3);
  EXPECT_EQ(Seen({Resampler("last_twice"), Resampler("weigh")}, "weight_sum"), 6);
}

TEST(ResampleTest, EmittedWeightsReplaceThoseOfTheRows) {
  Roles roles;
  roles.target = "y";
  roles.weights = "w";
  const auto data =
      Dataset::Create("weighted",
                      {Column::Doubles("x", {1, 2, 3, 4}), Column::Doubles("w", {1, 10, 100, 1000}),
                       Column::Doubles("y", {0, 0, 0, 0})},
                      roles);
  const auto splits = ModuloSplits(All(data), 2);
  const auto sum = [&](const std::string& mode) {
    return RunSteps({Resampler(mode), Probe("weight_sum")}, splits)[0].prediction.values.at(0);
  };
  EXPECT_EQ(sum("weigh"), 1 + 2);
  EXPECT_EQ(sum("last_twice"), 1000 + 1000);
}

TEST(ResampleTest, TestRowsAreLeftAlone) {
  for (const SpecPtr& step : {Resampler("last_twice"), Synthesizer("negate")}) {
    const auto outcomes = RunSteps({step, Probe("feature")}, SixRows());
    EXPECT_THAT(outcomes[0].prediction.values, ElementsAre(1, 3, 5));
    EXPECT_THAT(outcomes[0].prediction.rows, ElementsAre(0, 2, 4));
    EXPECT_THAT(outcomes[1].prediction.values, ElementsAre(2, 4, 6));
  }
}

TEST(ResampleTest, AFittedModelDoesTheSameOnAllRowsOfItsView) {
  const auto data = Numbers({1, 2, 3}, {10, 20, 30});
  const auto value = [&](const DataView& train) {
    return FittedModel::Fit(Pipeline::Make({Resampler("last_twice"), Probe("target_sum")}), train,
                            7, {})
        ->Predict(All(data), {})
        .values.at(0);
  };
  EXPECT_EQ(value(All(data)), 80);
  EXPECT_EQ(value(Some(data, {2, 0})), 20);
}

TEST(ResampleTest, TheSeedIsThatOfItsStepAndPlace) {
  const auto drawn = [&](std::vector<SpecPtr> steps, std::size_t split) {
    std::vector<double> x(40), y(40);
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i] = static_cast<double>(i / 2);
    return RunSteps(std::move(steps), ModuloSplits(All(Numbers(x, y)), 2))
        .at(split)
        .prediction.values.at(0);
  };
  const SpecPtr random = Resampler("random"), probe = Probe("target_sum");
  EXPECT_EQ(drawn({random, probe}, 0), drawn({random, probe}, 0));
  EXPECT_NE(drawn({random, probe}, 0), drawn({random, probe}, 1));
  EXPECT_NE(drawn({random, probe}, 0),
            drawn({MakeSpec(Kind::kTransform, "center"), random, probe}, 0));
}

TEST(ResampleTest, AnyNumberOfWorkersGivesTheSameBits) {
  const auto splits = ModuloSplits(All(Classes(60, 3)), 6, 2);
  const auto bits = [&](int workers) {
    std::string bytes;
    for (const Outcome& outcome :
         RunSteps({Resampler("random"), Synthesizer("negate"), MakeSpec(Kind::kTransform, "center"),
                   MakeSpec(Kind::kLearner, "coin")},
                  splits, workers, {1, 2, 3})) {
      EXPECT_EQ(outcome.failure.message, "");
      const std::vector<double>& p = outcome.prediction.probabilities;
      bytes.append(reinterpret_cast<const char*>(p.data()), p.size() * sizeof(double));
    }
    return bytes;
  };
  const std::string one = bits(1);
  EXPECT_EQ(one.size(), 3u * 12 * 10 * 3 * sizeof(double));
  EXPECT_EQ(bits(2), one);
  EXPECT_EQ(bits(7), one);
}

TEST(ResampleTest, WhatItEmitsIsChecked) {
  ExpectFailure(FailureOf({Resampler("throw"), Probe("feature")}), "resample fixture.resampler",
                CF_E_UNSUPPORTED_DATA, "nothing to choose");
  ExpectFailure(FailureOf({Resampler("out_of_range"), Probe("feature")}),
                "resample fixture.resampler", CF_E_INVALID_ARGUMENT,
                "it emitted position 4 of 3 training rows");
  ExpectFailure(FailureOf({Resampler("bad_weight"), Probe("feature")}),
                "resample fixture.resampler", CF_E_INVALID_ARGUMENT, "it emitted the weight nan");
}

TEST(ResampleTest, ALearnerThatTakesNoWeightsIsRefused) {
  const auto splits = ModuloSplits(All(Classes(8, 2)), 2);
  ExpectFailure(FailureOf({Resampler("weigh"), MakeSpec(Kind::kLearner, "picky")}, splits),
                "fit fixture.picky", CF_E_UNSUPPORTED_DATA,
                "it does not accept row weights, which resampling gave the training rows");
}

TEST(SynthesizeTest, TheNextStepsGetTheNewFeaturesAndTheTargetOfTheBaseRow) {
  // One of the rows 2 4 6 comes again, with x negated: x sums to 12 - x, y to 120 + 10 x.
  const double x = Seen({Synthesizer("negate")}, "feature_sum");
  const double y = Seen({Synthesizer("negate")}, "target_sum");
  EXPECT_EQ(y, 120 + 10 * (12 - x));
  EXPECT_EQ(Seen({Synthesizer("negate")}, "row_id_sum"), 9 + (12 - x) - 1);
  EXPECT_EQ(Seen({Synthesizer("negate")}, "training_rows"), 4);
}

TEST(SynthesizeTest, MayFollowItself) {
  EXPECT_EQ(Seen({Synthesizer("negate"), Synthesizer("negate")}, "training_rows"), 5);
  EXPECT_EQ(Seen({Resampler("last_twice"), Synthesizer("negate")}, "training_rows"), 4);
}

TEST(SynthesizeTest, WhatItMakesIsChecked) {
  const auto failure = [](const std::string& mode) {
    return FailureOf({Synthesizer(mode), Probe("feature")});
  };
  ExpectFailure(failure("throw"), "synthesize fixture.synthesizer", CF_E_NUMERIC, "nothing new");
  ExpectFailure(
      failure("other_columns"), "synthesize fixture.synthesizer", CF_E_INVALID_ARGUMENT,
      "it made different columns than the training rows have: feature 1 is 'moved' instead of 'x'");
}

TEST(SynthesizeTest, MissingEntriesThatItMakesAreLeftToTheNextStepsLimits) {
  ExpectFailure(FailureOf({Synthesizer("gaps"), Probe("feature")}), "fit fixture.probe",
                CF_E_UNSUPPORTED_DATA,
                "it does not accept missing values (1 in feature 'x'); fill them in or leave the "
                "feature out");
}

// ---- sinks of plugins that do not use the C++ wrapper -------------------------------------------

using Emit = cf_status(CF_CALL*)(const cf_call*, const cf_arg*, std::size_t, const cf_table*,
                                 const cf_row_sink*);

// How resampling by that function fails.
std::string ProblemOf(Emit emit) {
  const cf_cap_resample table{sizeof(cf_cap_resample), 0, emit};
  Component component;
  component.kind = Kind::kTransform;
  component.id = "test.emitter";
  component.capabilities = {{CF_CAP_RESAMPLE, &table}};
  const auto spec = Spec::Make(std::make_shared<const Component>(std::move(component)), {});
  cf_table three_rows{};
  three_rows.struct_size = sizeof(cf_table);
  three_rows.n_rows = three_rows.n_rows_total = 3;
  TrainingRows rows(three_rows);
  CallSite site(nullptr, LogSink());
  try {
    rows.Resample(*spec, 1, site);
  } catch (const StepError& e) {
    EXPECT_EQ(e.failure().stage, "resample test.emitter");
    return e.failure().message;
  }
  return "";
}

template <std::int64_t kRows>
cf_status EmitFirst(const cf_row_sink* sink) {
  constexpr std::int64_t kPositions[] = {0, 1, 2};
  return sink->emit_rows(sink, kPositions, kRows, nullptr);
}

TEST(RowSinkTest, TakesRowsOnceAndAtLeastOne) {
  EXPECT_EQ(ProblemOf([](const cf_call*, const cf_arg*, std::size_t, const cf_table*,
                         const cf_row_sink* sink) { return EmitFirst<2>(sink); }),
            "");
  EXPECT_EQ(ProblemOf([](const cf_call*, const cf_arg*, std::size_t, const cf_table*,
                         const cf_row_sink* sink) {
              EmitFirst<2>(sink);
              return EmitFirst<1>(sink);
            }),
            "it emitted rows twice");
  EXPECT_EQ(ProblemOf([](const cf_call*, const cf_arg*, std::size_t, const cf_table*,
                         const cf_row_sink* sink) { return EmitFirst<0>(sink); }),
            "it left no training rows");
  EXPECT_EQ(ProblemOf([](const cf_call*, const cf_arg*, std::size_t, const cf_table*,
                         const cf_row_sink*) -> cf_status { return CF_OK; }),
            "it reported success but emitted no rows");
}

TEST(RowSinkTest, AProblemCountsAlsoIfThePluginIgnoresIt) {
  EXPECT_EQ(ProblemOf([](const cf_call*, const cf_arg*, std::size_t, const cf_table*,
                         const cf_row_sink* sink) -> cf_status {
              constexpr std::int64_t kNegative[] = {-1};
              sink->emit_rows(sink, kNegative, 1, nullptr);
              return CF_OK;
            }),
            "it emitted position 0 of 3 training rows");
}

}  // namespace
}  // namespace crossfold
