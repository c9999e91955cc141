#include "crossfold/shard.h"

#include <algorithm>

#include "crossfold/score.h"
#include "encoding/outcome_fields.h"
#include "message_of.h"
#include "unit/engine/run/fixture.h"
#include "unit/engine/run/sharing_fixture.h"

namespace crossfold {
namespace {

using fixture::All;
using fixture::BytesOf;
using fixture::Classes;
using fixture::Learner;
using fixture::ModuloSplits;
using fixture::Sharing;

CellBlock Block(std::shared_ptr<const Pipeline> learner, std::int64_t folds,
                ShardPart part = ShardPart::kDivided) {
  CellBlock block;
  block.learner = std::move(learner);
  block.splits = ModuloSplits(All(Classes(60, 3)), folds);
  block.count = block.splits->size();
  block.seed = 7;
  block.keep = Keep::kLabels;
  CellPurpose purpose{"learner", "data", false};
  purpose.part = part;
  block.purpose = std::make_shared<const CellPurpose>(purpose);
  return block;
}

TEST(ShardTest, ShardsCountFromOne) {
  const Shard shard = ParseShard("2/10");
  EXPECT_EQ(shard.number, 2);
  EXPECT_EQ(shard.count, 10);
  EXPECT_EQ(ParseShard("1/1").count, 1);
  for (const char* text :
       {"", "2", "/", "2/", "/2", "0/2", "3/2", "-1/2", "1/2x", "a/b", "1/99999999999"}) {
    EXPECT_EQ(test::MessageOf([&] { ParseShard(text); }),
              "cannot run shard '" + std::string(text) +
                  "': it is not a shard; use I/N with 1 <= I <= N, as in 2/10");
  }
}

TEST(ShardTest, EveryCellIsInOneShardAndShardsAreAboutEquallyLarge) {
  const std::vector<CellBlock> blocks = {Block(Learner("first_class"), 12),
                                         Block(Learner("first_class"), 5)};
  for (const int count : {1, 2, 3, 5, 17, 40}) {
    std::vector<int> taken(17, 0);
    for (int number = 1; number <= count; ++number) {
      ShardDivision division({number, count});
      const std::vector<bool> mine = division.Divide(blocks, false);
      ASSERT_EQ(mine.size(), taken.size());
      const auto n = std::count(mine.begin(), mine.end(), true);
      EXPECT_LE(n, (17 + count - 1) / count + 1) << number << "/" << count;
      for (std::size_t i = 0; i < mine.size(); ++i) taken[i] += mine[i] ? 1 : 0;
    }
    EXPECT_EQ(taken, std::vector<int>(17, 1)) << count;
  }
}

// One call after the other: the first shard does not always get the first cell.
TEST(ShardTest, LoadsCountOverAllCalls) {
  const std::vector<CellBlock> one = {Block(Learner("first_class"), 5)};
  for (int number = 1; number <= 5; ++number) {
    ShardDivision division({number, 5});
    std::vector<CellBlock> single = one;
    single[0].count = 1;
    std::ptrdiff_t n = 0;
    for (int call = 0; call < 10; ++call) {
      const std::vector<bool> mine = division.Divide(single, true);
      n += std::count(mine.begin(), mine.end(), true);
    }
    EXPECT_EQ(n, 2);
  }
}

// Another process cannot say that another shard computes a cell.
TEST(ShardTest, AMessageWithTheStatusElsewhereIsRefused) {
  Outcome elsewhere;
  elsewhere.status = OutcomeStatus::kElsewhere;
  FieldWriter fields;
  WriteOutcome(elsewhere, fields);
  FieldReader reader(fields.bytes());
  EXPECT_THROW(ReadOutcome(reader), plugin::Error);
}

TEST(ShardTest, WhatBelongsToATaskGoesWithIt) {
  const std::vector<CellBlock> blocks = {Block(Learner("first_class"), 4, ShardPart::kOwn),
                                         Block(Learner("first_class"), 3, ShardPart::kOther)};
  ShardDivision division({2, 3});
  EXPECT_EQ(division.Divide(blocks, true),
            (std::vector<bool>{true, true, true, true, false, false, false}));
  EXPECT_FALSE(division.TakeTask());
  EXPECT_TRUE(division.TakeTask());
  EXPECT_FALSE(division.TakeTask());
  EXPECT_FALSE(division.TakeTask());
  EXPECT_TRUE(division.TakeTask());
}

// A task of 6 seconds, then 4 tasks of 1, then 4 cells of half a second: three shards have 6, 3 and
// 3 seconds, whatever the order of the tasks would give them in turns.
TEST(ShardTest, WithCostsTasksAndCellsGoToTheShardThatHasTheLeastToDo) {
  ShardCosts costs;
  costs.seconds = {{{"data", "search"}, 6}, {{"data", "vote"}, 1}, {{"data", "learner"}, 0.5}};
  std::vector<double> seconds;
  for (int number = 1; number <= 3; ++number) {
    ShardDivision division({number, 3}, costs);
    double of_shard = division.TakeTask("data", "search") ? 6 : 0;
    for (int i = 0; i < 4; ++i) of_shard += division.TakeTask("data", "vote") ? 1 : 0;
    const std::vector<CellBlock> blocks = {Block(Learner("first_class"), 4)};
    const std::vector<bool> mine = division.Divide(blocks, false);
    seconds.push_back(of_shard +
                      0.5 * static_cast<double>(std::count(mine.begin(), mine.end(), true)));
  }
  EXPECT_EQ(seconds, (std::vector<double>{6, 3, 3}));
}

TEST(ShardTest, ALearnerWithoutCostsCostsTheMean) {
  const ShardCosts costs = ParseShardCosts(
      R"([{"dataset":"a","learner":"x","seconds":3},{"dataset":"b","learner":"x","seconds":0.5}])",
      "costs.json");
  EXPECT_EQ(costs.Of("a", "x"), 3);
  EXPECT_EQ(costs.Of("b", "x"), 0.5);
  EXPECT_EQ(costs.Of("c", "x"), 1.75);
  EXPECT_EQ(ParseShardCosts(ShardCostsText(costs), "").seconds, costs.seconds);
}

TEST(ShardTest, ARunOfAllShardsGivesEveryOutcomeOnce) {
  const std::vector<CellBlock> blocks = {Block(Learner("first_class"), 6),
                                         Block(Sharing("near"), 4)};
  std::vector<std::string> whole(10);
  RunAndScore(blocks, {}, [&](std::size_t i, Outcome&& outcome) { whole[i] = BytesOf(outcome); });
  std::vector<std::string> together(10);
  const RunEngine engine = [](auto cells, const RunOptions& options, const TakeOutcome& take) {
    RunAndScore(cells, options, take);
  };
  for (int number = 1; number <= 3; ++number) {
    ShardDivision division({number, 3});
    RunShard(division, blocks, {}, engine, &LeaveToOtherShards,
             [&](std::size_t i, Outcome&& outcome) {
               if (outcome.status == OutcomeStatus::kElsewhere) return;
               EXPECT_EQ(together[i], "");
               together[i] = BytesOf(outcome);
             });
  }
  EXPECT_EQ(together, whole);
}

}  // namespace
}  // namespace crossfold
