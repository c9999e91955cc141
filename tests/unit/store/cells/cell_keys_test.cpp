#include "store/cells/cell_keys.h"

#include "unit/store/store_fixture.h"

namespace crossfold {
namespace {

using fixture::All;
using fixture::BlockOf;
using fixture::Centred;
using fixture::Classes;
using fixture::Learner;
using fixture::Metric;
using fixture::Metrics;
using fixture::ModuloSplits;
using fixture::Sharing;
using fixture::Some;

Digest KeyOf(const CellBlock& block, bool share = true) {
  return SeriesKey(LearnerKey(*block.learner), SplitsKey(*block.splits, block.first),
                   TraitsOf(block, block.first, share));
}

CellBlock Plain() { return BlockOf(Learner("coin"), ModuloSplits(All(Classes(12, 2)), 3, 2)); }

TEST(CellKeysTest, EqualDefinitionsHaveEqualKeys) { EXPECT_EQ(KeyOf(Plain()), KeyOf(Plain())); }

TEST(CellKeysTest, AGivenDefaultIsADefault) {
  CellBlock given = Plain();
  given.learner = Learner("coin", {{"mode", "random"}});
  EXPECT_EQ(KeyOf(given), KeyOf(Plain()));
}

TEST(CellKeysTest, EveryPartOfTheDefinitionCounts) {
  const Digest key = KeyOf(Plain());
  CellBlock block = Plain();
  block.learner = Learner("coin", {{"only_with_rows", std::int64_t{3}}});
  EXPECT_NE(KeyOf(block), key) << "a parameter";
  block.learner = Learner("first_class");
  EXPECT_NE(KeyOf(block), key) << "a component";
  block.learner = Centred("center", "coin");
  EXPECT_NE(KeyOf(block), key) << "a step";
  const Digest centred = KeyOf(block);
  block.learner = block.learner->With({{"fixture.center.columns", std::string("x")}});
  EXPECT_NE(KeyOf(block), centred) << "the columns of a step";
  block = Plain();
  block.seed = 8;
  EXPECT_NE(KeyOf(block), key) << "the seed";
  block = Plain();
  block.first = 3;
  EXPECT_NE(KeyOf(block), key) << "the repeat";
  block = Plain();
  block.splits = ModuloSplits(All(Classes(13, 2)), 3, 2);
  EXPECT_NE(KeyOf(block), key) << "the data";
  block.splits = ModuloSplits(All(Classes(12, 2)), 4, 2);
  EXPECT_NE(KeyOf(block), key) << "the folds";
  block.splits = ModuloSplits(Some(Classes(12, 2), {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 10}), 3, 2);
  EXPECT_NE(KeyOf(block), key) << "the order of the rows";
  block = Plain();
  block.keep = Keep::kProbabilities;
  EXPECT_NE(KeyOf(block), key) << "probabilities";
}

TEST(CellKeysTest, WhatDoesNotChangeAResultDoesNotCount) {
  const Digest key = KeyOf(Plain());
  CellBlock block = Plain();
  block.first = 1;
  block.metrics = Metrics({Metric("hits")});
  block.keep = Keep::kNothing;
  block.isolation = Isolation::kFresh;
  block.purpose = std::make_shared<const CellPurpose>(CellPurpose{"coin", "classes", true});
  EXPECT_EQ(KeyOf(block), key);
  EXPECT_EQ(KeyOf(Plain(), false), key) << "sharing changes no result of this learner";
}

TEST(CellKeysTest, TheFileOfThePluginCounts) {
  PluginHostOptions options;
  options.paths = {CROSSFOLD_LATER_FIXTURE_PLUGIN};
  options.use_environment = options.use_user_folder = options.use_installation = false;
  const PluginHost later(options);
  CellBlock block = Plain();
  block.learner = Pipeline::Make({Spec::Make(later.Find(Kind::kLearner, "fixture.coin"), {})});
  EXPECT_EQ(block.learner->ToString(), Plain().learner->ToString());
  EXPECT_NE(KeyOf(block), KeyOf(Plain()));
}

TEST(CellKeysTest, ALearnerWithAToleranceIsAnotherSeriesWithoutSharing) {
  CellBlock block = BlockOf(Sharing("near"), ModuloSplits(All(Classes(12, 2)), 3));
  EXPECT_NE(KeyOf(block, true), KeyOf(block, false));
  block.learner = Sharing("near", {}, {"shift"});
  EXPECT_EQ(KeyOf(block, true), KeyOf(block, false)) << "after a transform it is run alone anyway";
  block.learner = Sharing("near");
  block.splits = SplitPlan::FromLists(All(Classes(12, 2)), {{{0, 1, 2}, {3}}});
  EXPECT_EQ(KeyOf(block, true), KeyOf(block, false)) << "on lists it is run alone anyway";
}

TEST(CellKeysTest, ARepeatHasTheSameKeyInALongerPlan) {
  const auto view = All(Classes(24, 3));
  const auto five = ModuloSplits(view, 4, 5);
  const auto three =
      SplitPlan::FromPartitions(view, {five->partitions().begin(), five->partitions().begin() + 3});
  for (std::int64_t split = 0; split < three->size(); ++split) {
    EXPECT_EQ(SplitsKey(*three, split), SplitsKey(*five, split));
  }
}

TEST(CellKeysTest, AListHasAKeyOfItsOwn) {
  const auto view = All(Classes(12, 2));
  const auto lists = SplitPlan::FromLists(view, {{{0, 1}, {2}}, {{0}, {1, 2}}, {{1, 0}, {2}}});
  EXPECT_NE(SplitsKey(*lists, 0), SplitsKey(*lists, 1));
  EXPECT_NE(SplitsKey(*lists, 0), SplitsKey(*lists, 2)) << "the order of training rows counts";
  const auto one = SplitPlan::FromLists(view, {{{0, 1}, {2}}});
  EXPECT_EQ(SplitsKey(*one, 0), SplitsKey(*lists, 0));
}

TEST(CellKeysTest, TheNameOfTheDatasetDoesNotCount) {
  const auto data = Classes(12, 2);
  const auto same = Dataset::Create("other", {data->columns().begin(), data->columns().end()},
                                    fixture::WithTarget("class"));
  CellBlock block = Plain();
  block.splits = ModuloSplits(All(same), 3, 2);
  EXPECT_EQ(KeyOf(block), KeyOf(Plain()));
}

}  // namespace
}  // namespace crossfold
