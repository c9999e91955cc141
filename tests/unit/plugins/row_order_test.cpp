// Learners whose pages say that the order of the training rows does not matter, on rows that are in
// another order in the data set itself: a view in another order has the same row ids.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "crossfold_plugin/random.hpp"
#include "unit/plugins/learner_fixture.h"
#include "unit/plugins/special_numbers.h"

namespace crossfold {
namespace {

constexpr std::size_t kRows = 90;

// Row i of the table is row order[i] of the drawn ones: three classes, nominal columns of few
// levels, which leave many ties, some entries missing, weights with fractions.
DataPtr TableInOrder(const RowIds& order, bool has_numbers, std::uint64_t seed = 3) {
  plugin::Random random(seed);
  std::vector<Column> columns;
  const auto in_order = [&](const auto& drawn) {
    auto moved = drawn;
    for (std::size_t i = 0; i < kRows; ++i) moved[i] = drawn[static_cast<std::size_t>(order[i])];
    return moved;
  };
  for (const std::string name : {"u", "v", "w", "x"}) {
    std::vector<std::int32_t> codes(kRows);
    for (std::int32_t& code : codes) code = static_cast<std::int32_t>(random.Below(4)) - 1;
    columns.push_back(Column::Categories(name, in_order(codes), {"a", "b", "c"}));
  }
  if (has_numbers) {
    std::vector<double> numbers(kRows);
    for (double& x : numbers)
      x = random.Uniform() < 0.2 ? kMissing : std::round(2 * random.Normal());
    columns.push_back(Column::Doubles("z", in_order(numbers)));
  }
  std::vector<double> weights(kRows);
  std::vector<std::int32_t> labels(kRows);
  for (double& w : weights) w = static_cast<double>(1 + random.Below(3)) / 10;
  for (std::int32_t& label : labels) label = static_cast<std::int32_t>(random.Below(3));
  columns.push_back(Column::Doubles("weight", in_order(weights)));
  columns.push_back(Column::Categories("y", in_order(labels), {"a", "b", "c"}));
  return Dataset::Create("table", columns, TargetRole("y", "weight"));
}

struct OrderCase {
  std::string learner;
  ParamValues params;
  bool has_numbers = true;
};

void PrintTo(const OrderCase& one, std::ostream* out) { *out << one.learner; }

class RowOrderTest : public ::testing::TestWithParam<OrderCase> {};

TEST_P(RowOrderTest, AnotherOrderOfTheDataGivesTheSameBytes) {
  const auto& [learner, params, has_numbers] = GetParam();
  RowIds order = RowRange(0, kRows);
  const DataPtr data = TableInOrder(order, has_numbers);
  const DataView others = AllRows(TableInOrder(order, has_numbers, 5));
  const Prediction expected = FitPredict(learner, params, AllRows(data), others);
  plugin::Random random(4);
  for (int trial = 0; trial < 30; ++trial) {
    for (std::size_t i = kRows; i > 1; --i) std::swap(order[i - 1], order[random.Below(i)]);
    const DataView train = AllRows(TableInOrder(order, has_numbers));
    const Prediction moved = FitPredict(learner, params, train, others);
    EXPECT_EQ(moved.labels, expected.labels);
    EXPECT_EQ(moved.probabilities, expected.probabilities);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Learners, RowOrderTest,
    ::testing::Values(OrderCase{"adaboost", {}}, OrderCase{"adaboost", {{"max_depth", 3}}},
                      OrderCase{"adaboost",
                                {{"algorithm", std::string("m1")}, {"learning_rate", 0.5}}},
                      OrderCase{"decision_tree", {}},
                      OrderCase{"decision_tree", {{"nominal_split", std::string("subset")}}},
                      OrderCase{"decision_tree",
                                {{"criterion", std::string("gain_ratio")},
                                 {"pruning", std::string("error_based")},
                                 {"subtree_raising", true}}},
                      OrderCase{"decision_tree", {{"splits", std::string("oblique")}}},
                      OrderCase{"one_r", {}, false}, OrderCase{"prism", {}, false}));

}  // namespace
}  // namespace crossfold
