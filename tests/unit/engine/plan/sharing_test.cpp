// The items that the cells of a batch become. What is computed with them is tested in unit/run.
#include "engine/plan/sharing.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "crossfold_plugin/random.hpp"
#include "unit/engine/run/sharing_fixture.h"

namespace crossfold {
namespace {

using fixture::All;
using fixture::Classes;
using fixture::K;
using fixture::ModuloSplits;
using fixture::Sharing;
using plugin::Random;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using Plan = std::shared_ptr<const SplitPlan>;

CellBlock BlockOf(const std::shared_ptr<const Pipeline>& learner, const Plan& splits,
                  std::uint64_t seed = 7) {
  return {learner, splits, 0, splits->size(), seed, nullptr, Keep::kNothing};
}
CellBlock Part(CellBlock block, std::int64_t first, std::int64_t count) {
  block.first = first;
  block.count = count;
  return block;
}

Plan Folds(std::int64_t n_folds, std::int64_t repeats = 1) {
  return ModuloSplits(All(Classes(24, 3)), n_folds, repeats);
}

WorkList PlanFor(const std::vector<CellBlock>& blocks, int workers = 1) {
  return PlanWork(blocks, {true, workers});
}

// (route, split, splits, blocks) of each item.
using Shape = std::tuple<Route, std::int64_t, std::int64_t, std::uint32_t>;
std::vector<Shape> ShapesOf(const WorkList& list) {
  std::vector<Shape> shapes;
  for (const WorkItem& item : list.items) {
    shapes.emplace_back(item.route, item.split, item.n_splits, item.n_blocks);
  }
  return shapes;
}

// ---- random batches -----------------------------------------------------------------------------

std::shared_ptr<const Pipeline> DrawLearner(Random& random) {
  const auto& names = fixture::SharingLearners();
  std::vector<std::string> transforms;
  for (auto n = random.Below(3); n > 0; --n) {
    transforms.push_back(random.Below(2) == 0 ? "shift" : "jitter");
  }
  return Sharing(names[random.Below(names.size())],
                 {{"k", static_cast<std::int64_t>(random.Below(3))},
                  {"grain", static_cast<std::int64_t>(random.Below(2))}},
                 transforms);
}

// Folds, leave-one-out, lists and a holdout.
std::vector<Plan> SomePlans() {
  const DataView view = All(Classes(24, 3));
  std::vector<std::int32_t> holdout(24, -1);
  for (std::size_t i = 0; i < 8; ++i) holdout[i] = 0;
  return {Folds(4, 3), Folds(24), ModuloSplits(view, 2),
          SplitPlan::FromLists(view, {{{0, 1}, {2, 3}}, {{4, 5}, {0}}, {{1, 2, 3}, {7, 8}}}),
          SplitPlan::FromPartitions(view, {{holdout, 1}})};
}

std::vector<CellBlock> DrawBatch(Random& random, const std::vector<Plan>& plans) {
  std::vector<std::shared_ptr<const Pipeline>> learners;
  for (int i = 0; i < 4; ++i) learners.push_back(DrawLearner(random));
  std::vector<CellBlock> blocks;
  for (auto n = 1 + random.Below(12); n > 0; --n) {
    CellBlock block =
        BlockOf(learners[random.Below(4)], plans[random.Below(plans.size())], random.Below(2));
    const std::int64_t size = block.splits->size();
    if (random.Below(2) == 0) {
      block.first = static_cast<std::int64_t>(random.Below(static_cast<std::uint64_t>(size)));
      block.count = 1 + static_cast<std::int64_t>(
                            random.Below(static_cast<std::uint64_t>(size - block.first)));
    }
    if (random.Below(2) == 0) block.keep = Keep::kProbabilities;
    blocks.push_back(block);
  }
  return blocks;
}

// Items of folds stay within a repeat; those of one route have the learners that the route needs.
void ExpectSound(const std::vector<CellBlock>& blocks, const WorkList& list, const WorkItem& item) {
  ASSERT_GT(item.n_blocks, 0u);
  for (const std::uint32_t b : list.BlocksOf(item)) {
    const CellBlock& block = blocks[b];
    const SplitPlan& splits = *block.splits;
    EXPECT_EQ(&splits, blocks[list.BlocksOf(item).front()].splits.get());
    if (item.route == Route::kCross || item.route == Route::kIncremental) {
      EXPECT_FALSE(splits.partitions().empty());
      EXPECT_TRUE(block.learner->transforms().empty());
      EXPECT_EQ(splits.repeat_of(item.split), splits.repeat_of(item.split + item.n_splits - 1));
    } else {
      EXPECT_EQ(item.n_splits, 1);
    }
  }
  if (item.preparation != kNoPreparation) {
    ASSERT_LT(item.preparation, list.preparations.size());
    EXPECT_EQ(list.preparations[item.preparation].data,
              blocks[list.BlocksOf(item).front()].splits->view().data);
  }
}

TEST(PlanWorkTest, EveryCellIsInExactlyOneItem) {
  Random random(20261121);
  const std::vector<Plan> plans = SomePlans();
  for (int draw = 0; draw < 400; ++draw) {
    const std::vector<CellBlock> blocks = DrawBatch(random, plans);
    const SharingOptions options{random.Below(5) != 0, static_cast<int>(random.Below(9))};
    const WorkList list = PlanWork(blocks, options);
    std::map<std::pair<std::uint32_t, std::int64_t>, int> times;
    for (const WorkItem& item : list.items) {
      ExpectSound(blocks, list, item);
      for (const std::uint32_t b : list.BlocksOf(item)) {
        for (std::int64_t i = 0; i < item.n_splits; ++i) ++times[{b, item.split + i}];
      }
    }
    std::size_t n_cells = 0;
    for (std::uint32_t b = 0; b < blocks.size(); ++b) {
      for (std::int64_t i = 0; i < blocks[b].count; ++i, ++n_cells) {
        EXPECT_EQ((times[{b, blocks[b].first + i}]), 1) << "draw " << draw << ", block " << b;
      }
    }
    EXPECT_EQ(times.size(), n_cells) << "draw " << draw;
  }
}

TEST(PlanWorkTest, CellsOfLearnersWithAToleranceGoTheSameWayInAnyBatch) {
  Random random(7);
  const std::vector<Plan> plans = SomePlans();
  for (int draw = 0; draw < 200; ++draw) {
    const std::vector<CellBlock> blocks = DrawBatch(random, plans);
    const WorkList list = PlanFor(blocks, static_cast<int>(random.Below(9)));
    for (const WorkItem& item : list.items) {
      for (const std::uint32_t b : list.BlocksOf(item)) {
        const std::string& id = blocks[b].learner->learner().component().id;
        const bool folds =
            blocks[b].learner->transforms().empty() && !blocks[b].splits->partitions().empty();
        if (!fixture::HasTolerance(id.substr(id.find('.') + 1))) continue;
        const Route own = id == "sharing.near" ? Route::kCross : Route::kIncremental;
        EXPECT_EQ(item.route == own, folds) << id;
      }
    }
  }
}

// ---- which cells go together --------------------------------------------------------------------

TEST(PlanWorkTest, AnEmptyBatchHasNoItems) { EXPECT_THAT(PlanFor({}).items, IsEmpty()); }

TEST(PlanWorkTest, WithoutSharingEveryCellIsAlone) {
  const Plan splits = Folds(3);
  const WorkList list =
      PlanWork(std::vector{BlockOf(Sharing("crossing"), splits), BlockOf(Sharing("path"), splits),
                           BlockOf(Sharing("path"), splits)},
               {false, 1});
  EXPECT_THAT(list.items, SizeIs(9));
  EXPECT_THAT(list.items, Each(Field(&WorkItem::route, Route::kAlone)));
  EXPECT_THAT(list.items, Each(Field(&WorkItem::n_blocks, 1u)));
  EXPECT_THAT(list.preparations, IsEmpty());
}

TEST(PlanWorkTest, ACellThatSharesNothingIsAlone) {
  const WorkList list = PlanFor({BlockOf(Sharing("plain"), Folds(2))});
  EXPECT_THAT(ShapesOf(list),
              ElementsAre(Shape{Route::kAlone, 0, 1, 1u}, Shape{Route::kAlone, 1, 1, 1u}));
}

TEST(PlanWorkTest, TheSameFitAskedForTwiceIsOneItem) {
  const Plan splits = Folds(2);
  const WorkList list =
      PlanFor({BlockOf(Sharing("seeded"), splits), BlockOf(Sharing("seeded"), splits)});
  EXPECT_THAT(ShapesOf(list),
              ElementsAre(Shape{Route::kShared, 0, 1, 2u}, Shape{Route::kShared, 1, 1, 2u}));
}

TEST(PlanWorkTest, OnlyTheSplitsThatBothAskForAreShared) {
  const CellBlock block = BlockOf(Sharing("seeded"), Folds(3));
  EXPECT_THAT(ShapesOf(PlanFor({Part(block, 0, 2), Part(block, 1, 2)})),
              ElementsAre(Shape{Route::kAlone, 0, 1, 1u}, Shape{Route::kShared, 1, 1, 2u},
                          Shape{Route::kAlone, 2, 1, 1u}));
}

TEST(PlanWorkTest, AFamilyIsOneItemASplitWhateverTheWorkers) {
  const Plan splits = Folds(2);
  std::vector<CellBlock> blocks;
  for (std::int64_t k = 0; k < 40; ++k) blocks.push_back(BlockOf(Sharing("path", K(k)), splits));
  for (const int workers : {1, 8}) {
    EXPECT_THAT(ShapesOf(PlanFor(blocks, workers)),
                ElementsAre(Shape{Route::kShared, 0, 1, 40u}, Shape{Route::kShared, 1, 1, 40u}));
  }
}

TEST(PlanWorkTest, OtherDataOrSplitsShareNothing) {
  EXPECT_THAT(
      PlanFor({BlockOf(Sharing("path", K(1)), Folds(2)), BlockOf(Sharing("path", K(2)), Folds(2))})
          .items,
      Each(Field(&WorkItem::n_blocks, 1u)));
}

TEST(PlanWorkTest, FoldsOfARepeatAreOneItem) {
  const Plan splits = Folds(4, 2);
  EXPECT_THAT(ShapesOf(PlanFor({BlockOf(Sharing("crossing", K(1)), splits),
                                BlockOf(Sharing("crossing", K(2)), splits, 8)})),
              ElementsAre(Shape{Route::kCross, 0, 4, 2u}, Shape{Route::kCross, 4, 4, 2u}));
  EXPECT_THAT(
      ShapesOf(PlanFor({BlockOf(Sharing("removable"), splits)})),
      ElementsAre(Shape{Route::kIncremental, 0, 4, 1u}, Shape{Route::kIncremental, 4, 4, 1u}));
}

TEST(PlanWorkTest, ARangeOfSplitsThatBeginsWithinARepeatIsCutAtItsEnd) {
  const CellBlock block = Part(BlockOf(Sharing("crossing"), Folds(4, 3)), 2, 7);
  EXPECT_THAT(ShapesOf(PlanFor({block})),
              ElementsAre(Shape{Route::kCross, 2, 2, 1u}, Shape{Route::kCross, 4, 4, 1u},
                          Shape{Route::kCross, 8, 1, 1u}));
}

TEST(PlanWorkTest, OnlyEqualRangesAreOneCall) {
  const CellBlock block = BlockOf(Sharing("crossing"), Folds(4));
  EXPECT_THAT(ShapesOf(PlanFor({Part(block, 0, 3), Part(block, 1, 3), Part(block, 0, 3)})),
              ElementsAre(Shape{Route::kCross, 0, 3, 2u}, Shape{Route::kCross, 1, 3, 1u}));
}

TEST(PlanWorkTest, CellsThatWantProbabilitiesHaveACallOfTheirOwn) {
  const CellBlock plain = BlockOf(Sharing("crossing"), Folds(4));
  CellBlock probable = plain;
  probable.keep = Keep::kProbabilities;
  EXPECT_THAT(ShapesOf(PlanFor({plain, probable, plain})),
              ElementsAre(Shape{Route::kCross, 0, 4, 2u}, Shape{Route::kCross, 0, 4, 1u}));
}

// ---- workers ------------------------------------------------------------------------------------

TEST(PlanWorkTest, FoldsAreCutSoThatEveryWorkerHasSome) {
  const CellBlock block = BlockOf(Sharing("crossing"), Folds(6));
  EXPECT_THAT(ShapesOf(PlanFor({block}, 4)),
              ElementsAre(Shape{Route::kCross, 0, 1, 1u}, Shape{Route::kCross, 1, 2, 1u},
                          Shape{Route::kCross, 3, 1, 1u}, Shape{Route::kCross, 4, 2, 1u}));
  EXPECT_THAT(PlanFor({block}, 50).items, SizeIs(6));
}

TEST(PlanWorkTest, SharedTransformsAreRepeatedRatherThanThatWorkersWait) {
  const Plan splits = Folds(2);
  std::vector<CellBlock> blocks;
  for (std::int64_t k = 0; k < 40; ++k) {
    blocks.push_back(BlockOf(Sharing("plain", K(k), {"shift"}), splits));
  }
  EXPECT_THAT(PlanFor(blocks, 1).items, SizeIs(2));
  const WorkList cut = PlanFor(blocks, 4);
  EXPECT_THAT(cut.items, SizeIs(8));
  EXPECT_THAT(cut.items, Each(Field(&WorkItem::n_blocks, 10u)));
}

// ---- preparations -------------------------------------------------------------------------------

TEST(PlanWorkTest, OnePreparationServesEverySplitAndSettingOfADataset) {
  const DataView view = All(Classes(24, 3));
  const WorkList list =
      PlanFor({BlockOf(Sharing("preparing", K(1)), ModuloSplits(view, 3)),
               BlockOf(Sharing("preparing", K(2)), ModuloSplits(view, 4)),
               BlockOf(Sharing("preparing", K(1), {"shift"}), ModuloSplits(view, 3))});
  ASSERT_THAT(list.preparations, SizeIs(1));
  // Two fits of all rows make it worth while; here are 3 x 2/3 and 4 x 3/4.
  EXPECT_DOUBLE_EQ(list.preparations[0].uses, 5 * kWorthPreparing / 2);
}

TEST(PlanWorkTest, OtherDatasetsAndPrepareParametersHaveOthers) {
  const Plan splits = Folds(2);
  const auto grain = [](std::int64_t value) { return ParamValues{{"grain", value}}; };
  const WorkList list = PlanFor(
      {BlockOf(Sharing("preparing", grain(1)), splits),
       BlockOf(Sharing("preparing", grain(2)), splits),
       BlockOf(Sharing("preparing", grain(1)), Folds(2)),
       BlockOf(Sharing("preparing", {{"grain", std::int64_t{1}}, {"base", std::int64_t{9}}}),
               splits)});
  ASSERT_THAT(list.preparations, SizeIs(3));
  EXPECT_NE(list.preparations[0].key, list.preparations[1].key);
  EXPECT_EQ(list.preparations[0].key, list.preparations[2].key);
  EXPECT_NE(list.preparations[0].data, list.preparations[2].data);
}

}  // namespace
}  // namespace crossfold
