// RunOptions::verify: learners that break a law are named, and their cells are run alone.
#include "crossfold/cross_prediction.h"
#include "unit/engine/run/sharing_fixture.h"

namespace crossfold {
namespace {

using fixture::All;
using fixture::CellsOfAll;
using fixture::Classes;
using fixture::K;
using fixture::Misbehaving;
using fixture::ModuloSplits;
using fixture::Sharing;
using fixture::Workers;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

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

}  // namespace
}  // namespace crossfold
