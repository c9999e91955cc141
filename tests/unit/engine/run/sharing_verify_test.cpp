// RunOptions::verify: learners that break a law are named, and their cells are run alone.
#include "crossfold/cross_prediction.h"
#include "unit/engine/run/sharing_fixture.h"

namespace crossfold {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

using fixture::All;
using fixture::CellsOfAll;
using fixture::Classes;
using fixture::K;
using fixture::Misbehaving;
using fixture::ModuloSplits;
using fixture::Sharing;
using fixture::Workers;

using Learners = std::vector<std::shared_ptr<const Pipeline>>;
using Lines = std::vector<std::string>;

class VerifyTest : public ::testing::Test {
 protected:
  static std::shared_ptr<const SplitPlan> Splits() { return ModuloSplits(All(Classes(21, 3)), 3); }

  RunOptions Verifying(int workers) {
    RunOptions options = Workers(workers);
    options.verify = true;
    options.shared = shared_;
    options.log = [this](std::int32_t level, const std::string& line) {
      const std::lock_guard lock(mutex_);
      if (level >= CF_LOG_WARN) warnings_.push_back(line);
    };
    return options;
  }

  // The warnings of a run. Its outcomes must be those of separate fits.
  Lines Warnings(const Learners& learners, int workers, Keep keep = Keep::kProbabilities) {
    const auto cells = CellsOfAll(learners, Splits(), keep);
    const auto outcomes = RunCells(cells, Verifying(workers));
    const auto alone = RunCells(cells, Workers(1, false));
    for (std::size_t i = 0; i < cells.size(); ++i) {
      EXPECT_TRUE(fixture::BytesOf(outcomes[i]) == fixture::BytesOf(alone[i]))
          << cells[i].learner->ToString() << " " << cells[i].split;
    }
    return std::exchange(warnings_, {});
  }
  Lines WarningsOfFresh(const Learners& learners) {
    Lines first;
    for (const int workers : {1, 2, 7}) {
      shared_ = std::make_shared<SharedWork>();
      Lines lines = Warnings(learners, workers);
      if (workers == 1) first = lines;
      EXPECT_EQ(lines, first) << workers << " workers";
    }
    return first;
  }

  std::shared_ptr<SharedWork> shared_ = std::make_shared<SharedWork>();
  std::mutex mutex_;
  Lines warnings_;
};

std::string Message(const std::string& learner, const std::string& finding) {
  return "learner 'sharing." + learner + "' breaks a law: " + finding +
         "; its cells are run without sharing";
}
std::string Differs(const std::string& learner, const std::string& capability) {
  return Message(learner, capability + " does not give what a separate fit gives");
}

TEST_F(VerifyTest, LearnersThatKeepTheirLawsAreNotNamed) {
  Learners learners;
  for (const std::string& name : fixture::SharingLearners()) {
    for (const std::int64_t k : {1, 2}) {
      if (!fixture::HasTolerance(name)) learners.push_back(Sharing(name, K(k)));
      learners.push_back(Sharing(name, K(k), {"jitter"}));
    }
  }
  EXPECT_THAT(WarningsOfFresh(learners), IsEmpty());
}

TEST_F(VerifyTest, LearnersWithinTheirToleranceAreNotNamed) {
  RunCells(CellsOfAll({Sharing("near"), Sharing("nearly_removable")}, Splits()), Verifying(1));
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(VerifyTest, CellsOfOneFitMayWantDifferentThings) {
  auto cells = CellsOfAll({Sharing("path", K(1))}, Splits(), Keep::kLabels);
  for (const Cell& cell : CellsOfAll({Sharing("path", K(1))}, Splits(), Keep::kProbabilities)) {
    cells.push_back(cell);
  }
  RunCells(cells, Verifying(1));
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(VerifyTest, APathThatIsNoSeparateFitIsNamed) {
  const Learners family = {Sharing("path", Misbehaving("break_law", 1)),
                           Sharing("path", Misbehaving("break_law", 2)), Sharing("plain")};
  EXPECT_THAT(WarningsOfFresh(family), ElementsAre(Differs("path", "crossfold.fit-path/1")));
}

TEST_F(VerifyTest, AStructureThatChangesFitsIsNamed) {
  EXPECT_THAT(WarningsOfFresh({Sharing("preparing", Misbehaving("break_law"))}),
              ElementsAre(Differs("preparing", "crossfold.prepare/1")));
}

TEST_F(VerifyTest, CrossPredictionsThatAreNoSeparateFitsAreNamed) {
  EXPECT_THAT(WarningsOfFresh({Sharing("crossing", Misbehaving("break_law")),
                               Sharing("crossing", K(2)), Sharing("removable")}),
              ElementsAre(Differs("crossing", "crossfold.cross-predict/1")));
}

TEST_F(VerifyTest, RowsThatDoNotComeOutOfAModelAreNamed) {
  EXPECT_THAT(WarningsOfFresh({Sharing("removable", Misbehaving("break_law"))}),
              ElementsAre(Differs("removable", "crossfold.incremental/1")));
}

TEST_F(VerifyTest, AToleranceThatIsNotKeptIsNamed) {
  EXPECT_THAT(WarningsOfFresh({Sharing("near", Misbehaving("break_law")),
                               Sharing("nearly_removable", Misbehaving("break_law"))}),
              UnorderedElementsAre(Differs("near", "crossfold.cross-predict/1"),
                                   Differs("nearly_removable", "crossfold.incremental/1")));
}

TEST_F(VerifyTest, PredictionsWhereASeparateFitFailsAreNamed) {
  EXPECT_THAT(WarningsOfFresh({Sharing("crossing", Misbehaving("fail_alone"))}),
              ElementsAre(Message("crossing",
                                  "crossfold.cross-predict/1 gives predictions where a separate "
                                  "fit fails (only together)")));
}

TEST_F(VerifyTest, EveryLearnerBehindASharedTransformIsCompared) {
  // With one worker: with more, each gets a transform of its own and nothing is left to compare.
  EXPECT_THAT(Warnings({Sharing("plain", {}, {"jitter"}), Sharing("preparing", K(1), {"jitter"}),
                        Sharing("path", Misbehaving("break_law", 1), {"jitter"}),
                        Sharing("path", Misbehaving("break_law", 2), {"jitter"})},
                       1),
              ElementsAre(Differs("path", "crossfold.fit-path/1")));
}

TEST_F(VerifyTest, EveryCapabilityOfALearnerIsCompared) {
  // A shared fit keeps the law in the first run; a path does not in the second.
  EXPECT_THAT(Warnings({Sharing("path", K(1)), Sharing("path", K(1))}, 1), IsEmpty());
  EXPECT_THAT(Warnings({Sharing("path", Misbehaving("break_law", 1)),
                        Sharing("path", Misbehaving("break_law", 2))},
                       1),
              ElementsAre(Differs("path", "crossfold.fit-path/1")));
}

TEST_F(VerifyTest, ALearnerIsNamedOnceInASession) {
  const Learners broken = {Sharing("crossing", Misbehaving("break_law"))};
  EXPECT_THAT(Warnings(broken, 2), ElementsAre(Differs("crossing", "crossfold.cross-predict/1")));
  EXPECT_THAT(Warnings(broken, 2), IsEmpty());
}

TEST_F(VerifyTest, CrossPredictIsComparedToo) {
  const CellBlock block{
      Sharing("crossing", Misbehaving("break_law")), Splits(), 0, 3, 7, nullptr, Keep::kLabels};
  const CrossPrediction verified = CrossPredict(block, Verifying(1));
  EXPECT_THAT(warnings_, ElementsAre(Differs("crossing", "crossfold.cross-predict/1")));
  EXPECT_EQ(verified.repeats[0].labels, CrossPredict(block, Workers(1, false)).repeats[0].labels);
}

// Plugins that fail or misbehave, and cancellations: with sharing each cell ends as it does alone.
using fixture::ExpectSharingChangesNothing;
using fixture::Numbers;
using fixture::SharingSpec;

using Learners = std::vector<std::shared_ptr<const Pipeline>>;

// ---- what goes wrong in fits, predictions and shared calls --------------------------------------

const std::vector<std::string>& Modes() {
  static const std::vector<std::string> modes = {
      "throw_in_fit", "throw_in_predict", "round_in_fit",  "round_in_predict", "round_in_destroy",
      "fail_shared",  "fail_one",         "skip_row",      "not_a_number",     "no_class",
      "unasked_row",  "refuse",           "round_in_check"};
  return modes;
}

class MisbehaviourTest : public ::testing::TestWithParam<std::string> {
 protected:
  // Settings that misbehave between ones that do not, some of them twice.
  static Learners Around(const std::string& learner, const std::vector<std::string>& transforms) {
    ParamValues bad = Misbehaving(GetParam(), 2), worse = Misbehaving(GetParam(), 3);
    bad["base"] = worse["base"] = std::int64_t{15};  // "refuse": folds of 5 rows, and not of 6
    return {Sharing(learner, K(1), transforms), Sharing(learner, bad, transforms),
            Sharing(learner, worse, transforms), Sharing(learner, bad, transforms),
            Sharing(learner, K(4), transforms)};
  }
  static std::vector<Outcome> Run(const std::shared_ptr<const Dataset>& data, Keep keep) {
    const auto splits = ModuloSplits(All(data), 4, 2);  // folds of 6, 5, 5 and 5 rows
    std::vector<Cell> cells;
    for (const std::string& name : fixture::SharingLearners()) {
      for (const bool plain : {true, false}) {
        if (plain && fixture::HasTolerance(name)) continue;
        const auto more = CellsOfAll(
            Around(name, plain ? std::vector<std::string>() : std::vector<std::string>{"jitter"}),
            splits, keep);
        cells.insert(cells.end(), more.begin(), more.end());
      }
    }
    return ExpectSharingChangesNothing(cells);
  }
};

TEST_P(MisbehaviourTest, OfClassifiersChangesNoOutcome) {
  for (const Keep keep : {Keep::kLabels, Keep::kProbabilities}) Run(Classes(21, 3), keep);
}

TEST_P(MisbehaviourTest, OfRegressorsChangesNoOutcome) {
  std::vector<double> numbers;
  for (int i = 0; i < 21; ++i) numbers.push_back(i * i);
  Run(Numbers(numbers, numbers), Keep::kLabels);
}

// So that the tests above test something.
TEST_P(MisbehaviourTest, IsSeenInSomeCells) {
  const bool only_shared = GetParam() == "fail_shared" || GetParam() == "fail_one" ||
                           GetParam() == "skip_row" || GetParam() == "unasked_row";
  bool seen = false;
  for (const Outcome& outcome : Run(Classes(21, 3), Keep::kProbabilities)) {
    seen |= outcome.status == OutcomeStatus::kFailed || !outcome.warnings.empty();
  }
  EXPECT_EQ(seen, !only_shared);
}

INSTANTIATE_TEST_SUITE_P(Modes, MisbehaviourTest, ::testing::ValuesIn(Modes()),
                         [](const auto& info) { return info.param; });

TEST(SharedFailureTest, ASettingThatFailsLeavesTheOthersAlone) {
  const auto splits = ModuloSplits(All(Classes(12, 3)), 2);
  for (const std::string name : {"plain", "path", "preparing", "crossing", "removable"}) {
    const auto outcomes =
        RunCells(CellsOfAll({Sharing(name, K(1)), Sharing(name, Misbehaving("throw_in_fit", 2)),
                             Sharing(name, K(3))},
                            splits),
                 Workers(1));
    EXPECT_EQ(outcomes[1].status, OutcomeStatus::kOk) << name;
    EXPECT_EQ(outcomes[2].failure.stage, "fit sharing." + name);
    EXPECT_EQ(outcomes[3].failure.message, "no fit today");
    EXPECT_EQ(outcomes[3].failure.code, CF_E_NUMERIC);
    EXPECT_EQ(outcomes[4].status, OutcomeStatus::kOk) << name;
  }
}

TEST(SharedFailureTest, ATransformThatMisbehavesIsToldByEveryCellBehindIt) {
  const auto splits = ModuloSplits(All(Classes(21, 3)), 3);
  for (const std::string mode :
       {"throw_in_fit", "throw_in_predict", "round_in_fit", "round_in_destroy"}) {
    std::vector<std::shared_ptr<const Pipeline>> learners;
    for (const std::int64_t k : {1, 2}) {
      learners.push_back(Pipeline::Make({SharingSpec(Kind::kTransform, "shift", {{"mode", mode}}),
                                         SharingSpec(Kind::kTransform, "jitter"),
                                         SharingSpec(Kind::kLearner, "path", K(k))}));
    }
    learners.push_back(Sharing("path", K(3), {"shift"}));
    for (const Outcome& outcome : ExpectSharingChangesNothing(CellsOfAll(learners, splits))) {
      EXPECT_EQ(outcome.n_train, 14) << mode;
    }
  }
}

TEST(SharedFailureTest, WhatOnFinishedThrowsFailsOneCell) {
  RunOptions options = Workers(1);
  options.on_finished = [](std::size_t i, Outcome&) {
    if (i == 1) throw std::runtime_error("no room");
  };
  const auto outcomes =
      RunCells(CellsOfAll({Sharing("crossing")}, ModuloSplits(All(Classes(12, 3)), 3)), options);
  EXPECT_EQ(outcomes[0].status, OutcomeStatus::kOk);
  EXPECT_EQ(outcomes[1].failure.stage, "on_finished");
  EXPECT_EQ(outcomes[1].failure.message, "no room");
  EXPECT_EQ(outcomes[2].status, OutcomeStatus::kOk);
}

// ---- learners with a tolerance: their route is what their cells are
// ------------------------------

TEST(SharedFailureTest, WithAToleranceACellFailsAsItsRouteDoes) {
  const auto splits = ModuloSplits(All(Numbers({1, 2, 3, 4}, {1, 2, 3, 4})), 2);
  const auto outcomes =
      RunCells(CellsOfAll({Sharing("near"), Sharing("near", Misbehaving("fail_shared")),
                           Sharing("near", Misbehaving("fail_one")),
                           Sharing("near", Misbehaving("skip_row")),
                           Sharing("nearly_removable", Misbehaving("fail_one"))},
                          splits),
               Workers(1));
  EXPECT_EQ(outcomes[0].status, OutcomeStatus::kOk);
  EXPECT_EQ(outcomes[2].failure.stage, "cross-predict sharing.near");
  EXPECT_EQ(outcomes[2].failure.message, "not together");
  EXPECT_EQ(outcomes[2].n_train, 2);
  EXPECT_EQ(outcomes[4].failure.stage, "fit sharing.near");
  EXPECT_EQ(outcomes[4].failure.message, "not together");
  EXPECT_EQ(outcomes[6].failure.stage, "predict sharing.near");
  EXPECT_EQ(outcomes[8].failure.message, "not row 0");
  EXPECT_EQ(outcomes[9].status, OutcomeStatus::kOk) << outcomes[9].failure.message;
}

TEST(SharedFailureTest, WithAToleranceAFailureDoesNotDependOnTheOtherCells) {
  const auto splits = ModuloSplits(All(Numbers({1, 2, 3, 4, 5}, {1, 2, 3, 4, 5})), 3);
  for (const std::string name : {"near", "nearly_removable"}) {
    for (const std::string& mode : Modes()) {
      ParamValues bad = Misbehaving(mode);
      bad["base"] = std::int64_t{3};
      const auto cells =
          CellsOfAll({Sharing(name, K(1)), Sharing(name, bad), Sharing(name, K(2))}, splits);
      const auto together = RunCells(cells, Workers(1));
      const auto with_seven = RunCells(cells, Workers(7));
      for (std::size_t i = 0; i < cells.size(); ++i) {
        const auto alone = RunCells(std::span(cells).subspan(i, 1), Workers(1));
        EXPECT_TRUE(fixture::BytesOf(alone[0]) == fixture::BytesOf(together[i]))
            << name << " " << mode << " " << i << ": '" << alone[0].failure.message << "' beside '"
            << together[i].failure.message << "'";
        EXPECT_TRUE(fixture::BytesOf(alone[0]) == fixture::BytesOf(with_seven[i]))
            << name << " " << mode << " " << i;
      }
    }
  }
}

// ---- cancellation -------------------------------------------------------------------------------

// Cancels as soon as a learner says that it sleeps.
std::vector<Outcome> CancelWhenAsleep(const std::vector<Cell>& cells, RunOptions options) {
  CancelToken token;
  options.cancel = &token;
  options.log = [&](std::int32_t, const std::string& line) {
    if (line == "asleep") token.Cancel();
  };
  return RunCells(cells, options);
}

class SharedCancellationTest : public ::testing::TestWithParam<std::string> {};

TEST_P(SharedCancellationTest, StopsASharedCallAndEveryCellOfIt) {
  const auto splits = ModuloSplits(All(Classes(12, 3)), 3);
  for (const std::string mode : {"sleep", "sleep_shared"}) {
    if (mode == "sleep_shared" && (GetParam() == "plain" || GetParam() == "seeded")) continue;
    for (const int workers : {1, 3}) {
      const auto cells = CellsOfAll(
          {Sharing(GetParam(), Misbehaving(mode, 1)), Sharing(GetParam(), Misbehaving(mode, 2))},
          splits);
      for (const Outcome& outcome : CancelWhenAsleep(cells, Workers(workers))) {
        EXPECT_EQ(outcome.status, OutcomeStatus::kCancelled) << mode << outcome.failure.message;
        EXPECT_EQ(outcome.failure.message, "");
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Learners, SharedCancellationTest,
                         ::testing::ValuesIn(fixture::SharingLearners()),
                         [](const auto& info) { return info.param; });

TEST(SharedCancellationTest, StopsATransform) {
  const auto sleeping = Pipeline::Make({SharingSpec(Kind::kTransform, "shift", {{"mode", "sleep"}}),
                                        SharingSpec(Kind::kLearner, "path")});
  const auto outcomes = CancelWhenAsleep(
      CellsOfAll({sleeping, sleeping}, ModuloSplits(All(Classes(12, 3)), 2)), Workers(1));
  EXPECT_THAT(outcomes, Each(Field(&Outcome::status, OutcomeStatus::kCancelled)));
}

TEST(SharedCancellationTest, StopsTheFitThatVerifiesAndAccusesNobody) {
  fixture::LogLines log;
  CancelToken token;
  RunOptions options = Workers(1);
  options.verify = true;
  options.cancel = &token;
  options.log = [&](std::int32_t level, const std::string& line) {
    if (line == "asleep") token.Cancel();
    log.sink()(level, line);
  };
  const auto outcomes = RunCells(CellsOfAll({Sharing("crossing", Misbehaving("sleep_alone"))},
                                            ModuloSplits(All(Classes(12, 3)), 2)),
                                 options);
  EXPECT_THAT(outcomes, Each(Field(&Outcome::status, OutcomeStatus::kCancelled)));
  EXPECT_THAT(log.lines,
              Not(Contains(Field(&std::pair<std::int32_t, std::string>::first, CF_LOG_WARN))));
}

TEST(SharedCancellationTest, FinishedItemsStay) {
  CancelToken token;
  RunOptions options = Workers(1);
  options.cancel = &token;
  options.on_finished = [&](std::size_t, Outcome&) { token.Cancel(); };
  const auto outcomes = RunCells(CellsOfAll({Sharing("path", K(1)), Sharing("path", K(2))},
                                            ModuloSplits(All(Classes(12, 3)), 2)),
                                 options);
  EXPECT_EQ(outcomes[0].status, OutcomeStatus::kOk);
  EXPECT_EQ(outcomes[1].status, OutcomeStatus::kCancelled);
}

}  // namespace
}  // namespace crossfold
