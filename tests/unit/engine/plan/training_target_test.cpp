#include "engine/plan/training_target.h"

#include <bit>
#include <cmath>
#include <numeric>

#include "crossfold_plugin/random.hpp"
#include "unit/engine/run/fixture.h"

namespace crossfold {
namespace {

using plugin::CompensatedSum;
using plugin::Random;

// Numbers of any sign whose magnitudes span `decades`.
std::vector<double> Draw(std::size_t n, double decades, Random& random) {
  std::vector<double> numbers(n);
  for (double& x : numbers) {
    x = (random.Uniform() - 0.3) * std::pow(10.0, decades * random.Uniform());
  }
  return numbers;
}

std::shared_ptr<const Dataset> Regression(std::vector<double> values, std::vector<double> weights) {
  std::vector<Column> columns = {Column::Doubles("y", std::move(values))};
  Roles roles{.target = "y"};
  if (!weights.empty()) {
    columns.push_back(Column::Doubles("w", std::move(weights)));
    roles.weights = "w";
  }
  return Dataset::Create("data", std::move(columns), roles);
}

std::shared_ptr<const SplitPlan> Folds(std::shared_ptr<const Dataset> data, std::int64_t n_folds) {
  return fixture::ModuloSplits(fixture::All(std::move(data)), n_folds);
}

void ExpectSameAsReading(const std::shared_ptr<const SplitPlan>& plan) {
  const Dataset& data = *plan->view().data;
  TrainingTargets targets;
  for (std::int64_t s = 0; s < plan->size(); ++s) {
    const SplitRows rows = plan->Rows(s);
    const TrainingTarget read = ReadTrainingTarget(data, rows.train);
    const TrainingTarget found = targets.Find(plan, s, rows.test);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(found.mean), std::bit_cast<std::uint64_t>(read.mean));
    ASSERT_EQ(found.class_weights, read.class_weights);
  }
}

TEST(TrainingTargetTest, TheMeanWithoutAFoldIsThatOfTheOtherRowsToTheLastBit) {
  Random random(1);
  for (const double decades : {0.0, 3.0, 30.0, 300.0}) {
    for (const std::int32_t n_folds : {2, 7, 400}) {
      ExpectSameAsReading(Folds(Regression(Draw(400, decades, random), {}), n_folds));
    }
  }
}

TEST(TrainingTargetTest, SoIsTheWeightedMean) {
  Random random(2);
  std::vector<double> weights(300);
  for (double& w : weights) w = random.Uniform() < 0.2 ? 0 : random.Uniform();
  ExpectSameAsReading(Folds(Regression(Draw(300, 2, random), weights), 300));
}

TEST(TrainingTargetTest, TheOrderOfTheViewDoesNotMatter) {
  std::vector<double> values(1000, 0.3);
  values.front() = 1e14;
  values.back() = -1e14;
  std::vector<std::int64_t> rows(values.size());
  std::iota(rows.begin(), rows.end() - 1, 1);  // the last row, then the first one, at the end
  const DataView view{Regression(values, {}),
                      std::make_shared<const std::vector<std::int64_t>>(rows)};
  for (const std::int64_t n_folds : {7, 1000}) {
    ExpectSameAsReading(fixture::ModuloSplits(view, n_folds));
  }
}

TEST(TrainingTargetTest, ClassesAreCountedWithoutAFold) {
  ExpectSameAsReading(Folds(fixture::Classes(30, 3), 30));
}

TEST(TrainingTargetTest, WithoutAnyWeightThereIsNoMean) {
  const auto plan = Folds(Regression({1, 2, 3}, {0, 0, 0}), 3);
  EXPECT_TRUE(std::isnan(TrainingTargets().Find(plan, 0, plan->Rows(0).test).mean));
}

TEST(TrainingTargetTest, RowsAreReadOnlyWhereRoundingLeavesADoubt) {
  Random random(3);
  const std::vector<double> terms = Draw(1000, 1, random);
  LeftOutSum sum;
  for (const double term : terms) sum.Add(term);
  int known = 0;
  for (const double& term : terms) {
    CompensatedSum others;
    for (const double& other : terms) {
      if (&other != &term) others.Add(other);
    }
    const std::optional<double> found = sum.Without({&term, 1});
    if (!found) continue;
    ++known;
    EXPECT_EQ(*found, others.value());
  }
  EXPECT_GT(known, 990);
}

// The terms cancel, so that the sum and all partial sums are small.
TEST(TrainingTargetTest, OfACentredTargetRowsAreReadAsRarely) {
  Random random(4);
  std::vector<double> terms = {1.2};
  for (int i = 0; i < 10000; ++i) {
    const double term = 1e5 * random.Uniform();
    terms.insert(terms.end(), {term, -term});
  }
  LeftOutSum sum;
  for (const double term : terms) sum.Add(term);
  int known = 0;
  for (std::size_t i = 1; i < terms.size(); i += 200) {  // 100 pairs
    CompensatedSum others;
    for (std::size_t j = 0; j < terms.size(); ++j) {
      if (j != i && j != i + 1) others.Add(terms[j]);
    }
    const std::optional<double> found = sum.Without(std::span(terms).subspan(i, 2));
    if (!found) continue;
    ++known;
    EXPECT_EQ(*found, others.value());
  }
  EXPECT_GT(known, 90);
}

TEST(TrainingTargetTest, ASumThatCancelsIsNotGuessed) {
  LeftOutSum sum;
  for (const double term : {1.0, 0x1p-60, 1e-40, 0.25}) sum.Add(term);
  const double left_out[] = {1.0, 0.25};
  EXPECT_EQ(sum.Without(left_out), std::nullopt);  // the last two are below the bound
}

}  // namespace
}  // namespace crossfold
