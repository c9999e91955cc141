// What cells share, counted by the calls that plugins get, and that no bit of a result changes.
#include <algorithm>
#include <cmath>

#include "engine/data/worker_threads.h"
#include "unit/engine/run/sharing_fixture.h"

namespace crossfold {
namespace {

using fixture::All;
using fixture::CellsOfAll;
using fixture::Classes;
using fixture::CountCalls;
using fixture::ExpectSharingChangesNothing;
using fixture::K;
using fixture::Metric;
using fixture::ModuloSplits;
using fixture::Numbers;
using fixture::Sharing;
using fixture::SharingHost;
using fixture::Some;
using fixture::Workers;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

using Learners = std::vector<std::shared_ptr<const Pipeline>>;

std::shared_ptr<const SplitPlan> ThreeFolds() { return ModuloSplits(All(Classes(30, 3)), 3); }

// The same cells for each of these seeds.
std::vector<Cell> WithSeeds(const Learners& learners, std::vector<std::uint64_t> seeds) {
  const auto splits = ThreeFolds();
  std::vector<Cell> cells;
  for (const std::uint64_t seed : seeds) {
    for (const Cell& cell : CellsOfAll(learners, splits, Keep::kLabels, seed)) {
      cells.push_back(cell);
    }
  }
  return cells;
}

auto Counts(const std::vector<Cell>& cells) { return CountCalls(cells, Workers(1)); }

// ---- equal fits and transforms ------------------------------------------------------------------

TEST(SharingTest, EqualFitsAreDoneOnce) {
  const auto cells = CellsOfAll({Sharing("seeded"), Sharing("seeded")}, ThreeFolds());
  EXPECT_THAT(Counts(cells), ElementsAre(Pair("fit", 3)));
  EXPECT_THAT(CountCalls(cells, Workers(1, false)), ElementsAre(Pair("fit", 6)));
}

TEST(SharingTest, OtherSeedsAreOtherFitsUnlessTheSeedDoesNotMatter) {
  EXPECT_THAT(Counts(WithSeeds({Sharing("seeded")}, {7, 8})), ElementsAre(Pair("fit", 6)));
  EXPECT_THAT(Counts(WithSeeds({Sharing("plain")}, {7, 8})), ElementsAre(Pair("fit", 3)));
}

TEST(SharingTest, ATransformIsFittedOnceForAllLearnersBehindIt) {
  const Learners learners = {Sharing("plain", {}, {"jitter"}), Sharing("seeded", {}, {"jitter"}),
                             Sharing("path", {}, {"jitter"})};
  EXPECT_THAT(Counts(CellsOfAll(learners, ThreeFolds())),
              UnorderedElementsAre(Pair("sharing.jitter", 3), Pair("fit", 9)));
}

TEST(SharingTest, OtherSeedsAreOtherTransformsUnlessTheSeedDoesNotMatter) {
  EXPECT_THAT(Counts(WithSeeds({Sharing("plain", {}, {"jitter"})}, {7, 8})),
              UnorderedElementsAre(Pair("sharing.jitter", 6), Pair("fit", 6)));
  EXPECT_THAT(Counts(WithSeeds({Sharing("seeded", {}, {"shift"})}, {7, 8})),
              UnorderedElementsAre(Pair("sharing.shift", 3), Pair("fit", 6)));
}

TEST(SharingTest, OnlyEqualBeginningsOfPipelinesAreShared) {
  const Learners learners = {Sharing("plain", {}, {"shift", "jitter"}),
                             Sharing("plain", {}, {"shift", "shift"}),
                             Sharing("plain", {}, {"jitter", "shift"})};
  EXPECT_THAT(
      Counts(CellsOfAll(learners, ThreeFolds())),
      UnorderedElementsAre(Pair("sharing.shift", 9), Pair("sharing.jitter", 6), Pair("fit", 9)));
}

// ---- fit-path -----------------------------------------------------------------------------------

TEST(SharingTest, AFamilyIsOneFitAPath) {
  const Learners learners = {Sharing("path", K(1)), Sharing("path", K(5)), Sharing("path", K(9)),
                             Sharing("path", K(5))};
  EXPECT_THAT(Counts(CellsOfAll(learners, ThreeFolds())), ElementsAre(Pair("fit path", 3)));
}

TEST(SharingTest, AFamilyBehindTransformsIsOneFitToo) {
  const Learners learners = {Sharing("path", K(1), {"jitter"}), Sharing("path", K(5), {"jitter"})};
  EXPECT_THAT(Counts(CellsOfAll(learners, ThreeFolds())),
              UnorderedElementsAre(Pair("sharing.jitter", 3), Pair("fit path", 3)));
}

TEST(SharingTest, AFamilyWithOtherSeedsOrOtherParametersIsNotOneFit) {
  EXPECT_THAT(Counts(WithSeeds({Sharing("path")}, {7, 8})), ElementsAre(Pair("fit", 6)));
  const Learners learners = {Sharing("path", {{"k", std::int64_t{1}}, {"base", std::int64_t{1}}}),
                             Sharing("path", {{"k", std::int64_t{2}}, {"base", std::int64_t{2}}})};
  EXPECT_THAT(Counts(CellsOfAll(learners, ThreeFolds())), ElementsAre(Pair("fit", 6)));
}

// ---- prepare ------------------------------------------------------------------------------------

TEST(SharingTest, ADatasetIsPreparedOnceForAllFolds) {
  EXPECT_THAT(Counts(CellsOfAll({Sharing("preparing")}, ThreeFolds())),
              UnorderedElementsAre(Pair("prepare", 1), Pair("fit prepared", 3)));
  EXPECT_THAT(
      Counts(CellsOfAll({Sharing("preparing", K(1)), Sharing("preparing", K(2))}, ThreeFolds())),
      UnorderedElementsAre(Pair("prepare", 1), Pair("fit path prepared", 3)));
}

TEST(SharingTest, OneSmallFitIsNotWorthPreparing) {
  auto cells = CellsOfAll({Sharing("preparing")}, ThreeFolds());
  cells.resize(1);
  EXPECT_THAT(Counts(cells), ElementsAre(Pair("fit", 1)));
}

TEST(SharingTest, LearnersBehindTransformsAreNotPrepared) {
  EXPECT_THAT(Counts(CellsOfAll({Sharing("preparing", {}, {"shift"})}, ThreeFolds())),
              UnorderedElementsAre(Pair("sharing.shift", 3), Pair("fit", 3)));
}

TEST(SharingTest, OtherPrepareParametersNeedAStructureOfTheirOwn) {
  const Learners learners = {Sharing("preparing"),
                             Sharing("preparing", {{"base", std::int64_t{1}}}),
                             Sharing("preparing", {{"grain", std::int64_t{1}}})};
  EXPECT_THAT(Counts(CellsOfAll(learners, ThreeFolds())),
              UnorderedElementsAre(Pair("prepare", 2), Pair("fit prepared", 9)));
}

constexpr std::uint64_t kMegabyte = 1 << 20;  // what each structure of the fixture takes

class KeptWorkTest : public ::testing::Test {
 protected:
  // Calls of `prepare` in a run over this dataset.
  static int Prepare(const std::shared_ptr<SharedWork>& shared,
                     const std::shared_ptr<const Dataset>& data) {
    RunOptions options = Workers(1);
    options.shared = shared;
    return CountCalls(CellsOfAll({Sharing("preparing")}, ModuloSplits(All(data), 3)),
                      options)["prepare"];
  }
};

TEST_F(KeptWorkTest, AStructureIsKeptForLaterRuns) {
  const auto shared = std::make_shared<SharedWork>();
  const auto data = Classes(30, 3);
  EXPECT_EQ(Prepare(shared, data), 1);
  EXPECT_EQ(shared->used(), kMegabyte);
  EXPECT_EQ(Prepare(shared, data), 0);
  EXPECT_EQ(Prepare(shared, Classes(30, 3)), 1);  // another dataset, though equal
}

TEST_F(KeptWorkTest, AStructureThatExistsIsUsedForAFewRowsToo) {
  RunOptions options = Workers(1);
  options.shared = std::make_shared<SharedWork>();
  auto cells = CellsOfAll({Sharing("preparing")}, ThreeFolds());
  CountCalls(cells, options);
  cells.resize(1);
  EXPECT_THAT(CountCalls(cells, options), ElementsAre(Pair("fit prepared", 1)));
}

TEST_F(KeptWorkTest, AStructureGoesWithItsDataset) {
  const auto shared = std::make_shared<SharedWork>();
  auto data = Classes(30, 3);
  Prepare(shared, data);
  EXPECT_EQ(shared->used(), kMegabyte);
  data.reset();
  EXPECT_EQ(shared->used(), 0u);
}

TEST_F(KeptWorkTest, TheStructureThatWasNotUsedForLongestGoesFirst) {
  const auto shared = std::make_shared<SharedWork>(4 * kMegabyte);  // structures get half of it
  const auto a = Classes(30, 3), b = Classes(33, 3), c = Classes(36, 3);
  EXPECT_EQ(Prepare(shared, a), 1);
  EXPECT_EQ(Prepare(shared, b), 1);
  EXPECT_EQ(Prepare(shared, a), 0);
  EXPECT_EQ(Prepare(shared, c), 1);
  EXPECT_EQ(shared->used(), 2 * kMegabyte);
  EXPECT_EQ(Prepare(shared, a), 0);
  EXPECT_EQ(Prepare(shared, b), 1);
}

TEST_F(KeptWorkTest, AStructureThatIsTooLargeIsNotMadeAgain) {
  const auto shared = std::make_shared<SharedWork>(kMegabyte);
  const auto data = Classes(30, 3);
  EXPECT_EQ(Prepare(shared, data), 1);
  EXPECT_EQ(shared->used(), 0u);
  EXPECT_EQ(Prepare(shared, data), 0);
}

TEST_F(KeptWorkTest, AStructureThatIsTooLargeIsNotUsed) {
  RunOptions options = Workers(1);
  options.shared = std::make_shared<SharedWork>(kMegabyte);
  EXPECT_THAT(CountCalls(CellsOfAll({Sharing("preparing")}, ThreeFolds()), options),
              UnorderedElementsAre(Pair("prepare", 1), Pair("fit", 3)));
}

TEST_F(KeptWorkTest, StructuresOfOneRunTakeNoMoreThanTheMemoryTogether) {
  RunOptions options = Workers(1);
  options.shared = std::make_shared<SharedWork>(4 * kMegabyte);  // structures get half of it
  const Learners learners = {Sharing("preparing", {{"grain", std::int64_t{1}}}),
                             Sharing("preparing", {{"grain", std::int64_t{2}}}),
                             Sharing("preparing", {{"grain", std::int64_t{3}}})};
  const auto splits = ThreeFolds();
  EXPECT_THAT(CountCalls(CellsOfAll(learners, splits), options),
              UnorderedElementsAre(Pair("prepare", 3), Pair("fit prepared", 6), Pair("fit", 3)));
  EXPECT_EQ(options.shared->used(), 2 * kMegabyte);
}

TEST_F(KeptWorkTest, AStructureMayOutliveTheHostOfItsPlugin) {
  const auto shared = std::make_shared<SharedWork>();
  const auto data = Classes(30, 3);
  {
    PluginHostOptions options;
    options.paths = {CROSSFOLD_SHARING_PLUGIN};
    options.use_environment = options.use_user_folder = options.use_installation = false;
    const PluginHost host(options);
    const auto learner =
        Pipeline::Make({Spec::Make(host.Find(Kind::kLearner, "sharing.preparing"), {})});
    RunOptions run = Workers(1);
    run.shared = shared;
    run.verify = true;  // which remembers learners, too
    RunCells(CellsOfAll({learner}, ModuloSplits(All(data), 3)), run);
  }
  EXPECT_EQ(shared->used(), kMegabyte);
  EXPECT_EQ(Prepare(shared, data), 0);  // the component is the same for another host
}

TEST_F(KeptWorkTest, NothingIsPreparedForObjectsThatOneThreadMayUseAtATime) {
  Component component = *SharingHost().Find(Kind::kLearner, "sharing.preparing");
  component.threading = CF_MT_OBJECTS;
  const auto spec = Spec::Make(std::make_shared<const Component>(component), ParamValues());
  const Learners learners = {Pipeline::Make({spec})};
  EXPECT_THAT(CountCalls(CellsOfAll(learners, ThreeFolds()), Workers(1)),
              ElementsAre(Pair("fit", 3)));
}

TEST_F(KeptWorkTest, WithoutSharingNothingIsPrepared) {
  RunOptions options = Workers(1, false);
  options.shared = std::make_shared<SharedWork>();
  EXPECT_THAT(CountCalls(CellsOfAll({Sharing("preparing")}, ThreeFolds()), options),
              ElementsAre(Pair("fit", 3)));
}

// ---- cross-predict and incremental --------------------------------------------------------------

TEST(SharingTest, AllFoldsAndSettingsOfARepeatAreOneCall) {
  const Learners learners = {Sharing("crossing", K(1)), Sharing("crossing", K(2)),
                             Sharing("crossing", {{"base", std::int64_t{1}}})};
  const auto splits = ModuloSplits(All(Classes(30, 3)), 5, 2);
  EXPECT_THAT(Counts(CellsOfAll(learners, splits)), ElementsAre(Pair("cross-predict 3 x 5", 2)));
}

TEST(SharingTest, FoldsAreCutForTheCoresWhereThereAreMoreWorkersThanRepeats) {
  const auto splits = ModuloSplits(All(Classes(60, 3)), 60, 1);
  const auto n_calls = [&](int workers) {
    int n = 0;
    for (const auto& [call, times] :
         CountCalls(CellsOfAll({Sharing("crossing")}, splits), Workers(workers))) {
      n += times;
    }
    return n;
  };
  EXPECT_EQ(n_calls(1), 1);
  const int cores = std::min(DefaultWorkers(), 30);
  EXPECT_EQ(n_calls(cores), cores);
  EXPECT_EQ(n_calls(8 * DefaultWorkers()), n_calls(DefaultWorkers()));
}

TEST(SharingTest, LittleMemoryMeansFewSettingsAtATime) {
  RunOptions options = Workers(1);
  // Half is for predictions: 30 labels and 3 seeds of 8 bytes, for two settings.
  options.shared = std::make_shared<SharedWork>(2 * (30 + 3) * 8 * 2);
  const Learners learners = {Sharing("crossing", K(1)), Sharing("crossing", K(2)),
                             Sharing("crossing", K(3))};
  EXPECT_THAT(CountCalls(CellsOfAll(learners, ThreeFolds()), options),
              UnorderedElementsAre(Pair("cross-predict 2 x 3", 1), Pair("cross-predict 1 x 3", 1)));
  const Learners family = {Sharing("path", K(1)), Sharing("path", K(2)), Sharing("path", K(3)),
                           Sharing("path", K(4))};
  options.shared = std::make_shared<SharedWork>(2 * 10 * 8 * 2);
  EXPECT_THAT(CountCalls(CellsOfAll(family, ThreeFolds()), options),
              ElementsAre(Pair("fit path", 6)));
}

TEST(SharingTest, OneModelOfAllRowsServesEveryFold) {
  EXPECT_THAT(Counts(CellsOfAll({Sharing("removable")}, ThreeFolds())),
              UnorderedElementsAre(Pair("fit", 1), Pair("remove", 3)));
}

TEST(SharingTest, OneFoldAloneIsAPlainFitWhereThatIsTheSame) {
  auto exact = CellsOfAll({Sharing("removable")}, ThreeFolds());
  exact.resize(1);
  EXPECT_THAT(Counts(exact), ElementsAre(Pair("fit", 1)));
  auto near = CellsOfAll({Sharing("nearly_removable")}, ThreeFolds());
  near.resize(1);
  EXPECT_THAT(Counts(near), UnorderedElementsAre(Pair("fit", 1), Pair("remove", 1)));
}

TEST(SharingTest, ListsOfSplitsAreNoPartitions) {
  const auto splits =
      SplitPlan::FromLists(All(Classes(6, 3)), {{{0, 1, 2}, {3, 4, 5}}, {{3, 4, 5}, {0, 1, 2}}});
  EXPECT_THAT(Counts(CellsOfAll({Sharing("crossing"), Sharing("removable")}, splits)),
              ElementsAre(Pair("fit", 4)));
}

// ---- no bit changes -----------------------------------------------------------------------------

// Every learner that promises equal bytes: several settings, twice the same one, after transforms.
Learners ManyLearners() {
  Learners learners;
  for (const std::string& name : fixture::SharingLearners()) {
    const std::vector<std::string> in_front = {"jitter", "shift"};
    for (const std::int64_t k : {1, 2, 3, 2}) {
      if (!fixture::HasTolerance(name)) learners.push_back(Sharing(name, K(k)));
      learners.push_back(Sharing(name, K(k), in_front));
      learners.push_back(Sharing(name, K(k), {"jitter"}));
    }
    if (!fixture::HasTolerance(name)) {
      learners.push_back(Sharing(name, {{"grain", std::int64_t{4}}}));
    }
  }
  return learners;
}

std::vector<Cell> ManyCells(const DataView& view) {
  std::vector<Cell> cells;
  const auto add = [&](const std::shared_ptr<const SplitPlan>& splits, Keep keep,
                       std::uint64_t seed) {
    const auto more = CellsOfAll(ManyLearners(), splits, keep, seed);
    cells.insert(cells.end(), more.begin(), more.end());
  };
  const auto splits = ModuloSplits(view, 4, 2);
  add(splits, Keep::kLabels, 7);
  add(splits, Keep::kProbabilities, 7);
  add(splits, Keep::kNothing, 8);
  add(ModuloSplits(view, view.num_rows()), Keep::kLabels, 7);
  add(SplitPlan::FromLists(view, {{{0, 1, 2, 2, 3}, {4, 5}}, {{4, 5, 6}, {0, 2}}}), Keep::kLabels,
      7);
  return cells;
}

TEST(SharingTest, ClassificationsAreEqualBitForBit) {
  std::vector<Cell> cells = ManyCells(All(Classes(23, 3)));
  const auto metrics =
      std::make_shared<const MetricList>(MetricList{Metric("hits"), Metric("true_probability")});
  for (std::size_t i = 0; i < cells.size(); i += 3) cells[i].metrics = metrics;
  for (const Outcome& outcome : ExpectSharingChangesNothing(cells)) {
    ASSERT_EQ(outcome.status, OutcomeStatus::kOk) << outcome.failure.message;
  }
}

TEST(SharingTest, RegressionsAreEqualBitForBit) {
  std::vector<double> x, y;
  for (int i = 0; i < 23; ++i) {
    x.push_back(std::sin(i));
    y.push_back(i * i);
  }
  for (const Outcome& outcome : ExpectSharingChangesNothing(ManyCells(All(Numbers(x, y))))) {
    ASSERT_EQ(outcome.status, OutcomeStatus::kOk) << outcome.failure.message;
  }
}

TEST(SharingTest, PartsOfADatasetInAnyOrderAreEqualBitForBit) {
  ExpectSharingChangesNothing(
      ManyCells(Some(Classes(40, 3), {31, 5, 8, 20, 2, 33, 14, 7, 12, 0, 39, 25, 19})));
}

TEST(SharingTest, AnyOrderOfCellsGivesTheSameBits) {
  std::vector<Cell> cells = ManyCells(All(Classes(12, 3)));
  std::stable_sort(cells.begin(), cells.end(),
                   [](const Cell& a, const Cell& b) { return a.split > b.split; });
  ExpectSharingChangesNothing(cells);
}

// ---- learners with a tolerance ------------------------------------------------------------------

class ToleranceTest : public ::testing::TestWithParam<const char*> {
 protected:
  static std::vector<double> Values(const std::vector<Cell>& cells, const RunOptions& options) {
    std::vector<double> all;
    for (const Outcome& outcome : RunCells(cells, options)) {
      EXPECT_EQ(outcome.status, OutcomeStatus::kOk) << outcome.failure.message;
      all.insert(all.end(), outcome.prediction.values.begin(), outcome.prediction.values.end());
    }
    return all;
  }
  static std::shared_ptr<const SplitPlan> Splits() {
    return ModuloSplits(All(Numbers({3, 1, 4, 1, 5, 9, 2, 6}, {2, 7, 1, 8, 2, 8, 1, 8})), 4);
  }
};

TEST_P(ToleranceTest, ResultsAreWithinIt) {
  const auto cells = CellsOfAll({Sharing(GetParam())}, Splits());
  const auto alone = Values(cells, Workers(1, false)), shared = Values(cells, Workers(1));
  ASSERT_EQ(alone.size(), shared.size());
  EXPECT_NE(alone, shared);  // else this says nothing
  for (std::size_t i = 0; i < alone.size(); ++i) {
    EXPECT_LE(std::abs(alone[i] - shared[i]), 1e-9 * std::max(1.0, std::abs(alone[i])));
  }
}

TEST_P(ToleranceTest, ResultsDoNotDependOnTheOtherCells) {
  const auto splits = Splits();
  const auto all = CellsOfAll({Sharing(GetParam(), K(2)), Sharing(GetParam(), K(3))}, splits);
  const auto together = Values(all, Workers(1));
  EXPECT_EQ(Values(all, Workers(7)), together);
  std::vector<double> one_by_one;
  for (const Cell& cell : all) {
    const auto values = Values({cell}, Workers(1));
    one_by_one.insert(one_by_one.end(), values.begin(), values.end());
  }
  EXPECT_EQ(one_by_one, together);
}

INSTANTIATE_TEST_SUITE_P(Learners, ToleranceTest, ::testing::Values("near", "nearly_removable"));

}  // namespace
}  // namespace crossfold
