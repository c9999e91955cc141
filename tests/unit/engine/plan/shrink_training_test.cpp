#include <algorithm>
#include <vector>

#include "unit/engine/run/fixture.h"

namespace crossfold {
namespace {

using fixture::All;
using fixture::Classes;
using fixture::Some;

// Ten rows in two folds; Classes(n, 2) alternates between two classes.
std::shared_ptr<const SplitPlan> TwoFolds(std::int64_t n) {
  Partition partition;
  partition.n_folds = 2;
  for (std::int64_t i = 0; i < n; ++i) {
    partition.fold_of_row.push_back(i < n / 2 ? 0 : 1);
  }
  return SplitPlan::FromPartitions(All(Classes(n, 2)), {partition});
}

bool Contains(const std::vector<std::int64_t>& all, const std::vector<std::int64_t>& part) {
  return std::includes(all.begin(), all.end(), part.begin(), part.end());
}

TEST(ShrinkTrainingTest, TestRowsStayAndTrainingRowsAreAShareRoundedUp) {
  const auto plan = TwoFolds(14);
  const auto smaller = ShrinkTraining(*plan, 0.5, 1);
  ASSERT_EQ(smaller->size(), 2);
  for (std::int64_t s = 0; s < 2; ++s) {
    EXPECT_EQ(smaller->Rows(s).test, plan->Rows(s).test);
    EXPECT_EQ(smaller->Rows(s).train.size(), 4u);  // of 7
    EXPECT_TRUE(Contains(plan->Rows(s).train, smaller->Rows(s).train));
  }
}

TEST(ShrinkTrainingTest, SmallerSharesArePartsOfGreaterOnes) {
  const auto plan = TwoFolds(60);
  std::vector<std::int64_t> greater = plan->Rows(1).train;
  for (const double share : {0.9, 0.5, 0.3, 0.1, 0.01}) {
    const std::vector<std::int64_t> smaller = ShrinkTraining(*plan, share, 7)->Rows(1).train;
    EXPECT_TRUE(Contains(greater, smaller)) << share;
    greater = smaller;
  }
  EXPECT_EQ(greater.size(), 1u);
}

TEST(ShrinkTrainingTest, ClassesKeepTheirShares) {
  const auto plan = TwoFolds(80);
  const Dataset& data = *plan->view().data;
  const auto share_of_first = [&](const std::vector<std::int64_t>& rows) {
    return std::ranges::count_if(
        rows, [&](std::int64_t row) { return data.labels()[static_cast<std::size_t>(row)] == 0; });
  };
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto rows = ShrinkTraining(*plan, 0.25, seed)->Rows(0).train;
    ASSERT_EQ(rows.size(), 10u);
    EXPECT_EQ(share_of_first(rows), 5);
  }
}

TEST(ShrinkTrainingTest, TheWholeShareIsTheSamePlan) {
  const auto plan = TwoFolds(10);
  const auto same = ShrinkTraining(*plan, 1, 3);
  for (std::int64_t s = 0; s < 2; ++s) {
    EXPECT_EQ(same->Rows(s).train, plan->Rows(s).train);
    EXPECT_EQ(same->Rows(s).test, plan->Rows(s).test);
  }
}

TEST(ShrinkTrainingTest, OtherSeedsKeepOtherRows) {
  const auto plan = TwoFolds(60);
  EXPECT_NE(ShrinkTraining(*plan, 0.3, 1)->Rows(0).train,
            ShrinkTraining(*plan, 0.3, 2)->Rows(0).train);
  EXPECT_EQ(ShrinkTraining(*plan, 0.3, 1)->Rows(0).train,
            ShrinkTraining(*plan, 0.3, 1)->Rows(0).train);
}

TEST(ShrinkTrainingTest, AViewMayHoldARowTwice) {
  const auto plan =
      SplitPlan::FromPartitions(Some(Classes(8, 2), {6, 6, 1, 3, 2, 1}), {{{0, 0, 1, 1, 0, 1}, 2}});
  const auto same = ShrinkTraining(*plan, 1, 3);
  for (std::int64_t s = 0; s < 2; ++s) {
    EXPECT_EQ(same->Rows(s).train, plan->Rows(s).train);
    EXPECT_EQ(same->Rows(s).test, plan->Rows(s).test);
  }
}

}  // namespace
}  // namespace crossfold
