#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "analysis/facts/changed_rows.h"
#include "analysis/facts/equal_rows.h"
#include "analysis/facts/near_rows.h"
#include "crossfold_plugin/random.hpp"

namespace crossfold {
namespace {

using Rows = std::vector<std::int64_t>;

// 60 rows of every type, with weights, a group and a target.
std::shared_ptr<const Dataset> MakeData() {
  plugin::Random random(5);
  std::vector<double> x, weights;
  std::vector<float> f;
  std::vector<std::int64_t> n, group;
  std::vector<bool> flag, present;
  std::vector<std::int32_t> level, label;
  for (int i = 0; i < 60; ++i) {
    x.push_back(i % 10 == 3 ? std::nan("") : random.Uniform());
    f.push_back(static_cast<float>(random.Uniform()));
    n.push_back(static_cast<std::int64_t>(random.Below(40)));
    flag.push_back(random.Below(2) == 1);
    present.push_back(i % 7 != 2);
    level.push_back(static_cast<std::int32_t>(random.Below(3)));
    label.push_back(static_cast<std::int32_t>(random.Below(3)));
    weights.push_back(i);
    group.push_back(i / 4);
  }
  return Dataset::Create(
      "data",
      {Column::Doubles("x", x), Column::Floats("f", f), Column::Integers("n", n, present),
       Column::Booleans("flag", flag), Column::Categories("level", level, {"a", "b", "c"}),
       Column::Doubles("w", weights), Column::Integers("group", group),
       Column::Categories("y", label, {"p", "q", "r"})},
      {.target = "y", .weights = "w", .groups = "group"});
}

Rows Some() {
  Rows rows;
  for (std::int64_t i = 0; i < 60; i += 3) rows.push_back(i);
  return rows;
}

template <class T>
std::vector<T> EntriesOf(const Dataset& data, const char* name) {
  const Column& column = data.column(name);
  const T* first = static_cast<const T*>(column.data);
  return {first, first + column.n_rows};
}

TEST(ChangeRowsTest, OnlyTheRowsAndTheColumnsThatWereAskedForChange) {
  const auto data = MakeData();
  const Rows rows = Some();
  const auto changed = ChangeRows(data, rows, {.features = true, .beyond = true, .seed = 1});
  const auto before = EntriesOf<double>(*data, "x"), after = EntriesOf<double>(*changed, "x");
  int other = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(std::isnan(before[i]), std::isnan(after[i])) << i;  // missing stays missing
    if (i % 3 != 0 && !std::isnan(before[i])) {
      EXPECT_EQ(before[i], after[i]) << i;
    }
    other += i % 3 == 0 && before[i] != after[i] && !std::isnan(before[i]) ? 1 : 0;
  }
  EXPECT_GE(other, 15);
  EXPECT_EQ(EntriesOf<std::int32_t>(*data, "y"), EntriesOf<std::int32_t>(*changed, "y"));
  EXPECT_EQ(EntriesOf<double>(*data, "w"), EntriesOf<double>(*changed, "w"));
  EXPECT_EQ(EntriesOf<std::int64_t>(*data, "group"), EntriesOf<std::int64_t>(*changed, "group"));
  for (const char* name : {"x", "n"}) {
    EXPECT_EQ(data->column(name).CountMissing(), changed->column(name).CountMissing());
  }
  EXPECT_NE(EntriesOf<float>(*data, "f"), EntriesOf<float>(*changed, "f"));
  EXPECT_NE(EntriesOf<std::int64_t>(*data, "n"), EntriesOf<std::int64_t>(*changed, "n"));
  EXPECT_NE(EntriesOf<std::int32_t>(*data, "level"), EntriesOf<std::int32_t>(*changed, "level"));
}

TEST(ChangeRowsTest, BeyondGoesAboveTheColumnAndOtherwiseEntriesAreThoseOfTheColumn) {
  const auto data = MakeData();
  const auto f = EntriesOf<float>(*data, "f");
  const float high = *std::max_element(f.begin(), f.end());
  const std::set<float> known(f.begin(), f.end());
  const auto near = ChangeRows(data, Some(), {.features = true, .seed = 2});
  for (const float x : EntriesOf<float>(*near, "f")) EXPECT_TRUE(known.contains(x));
  int beyond = 0;
  for (const float x : EntriesOf<float>(
           *ChangeRows(data, Some(), {.features = true, .beyond = true, .seed = 2}), "f")) {
    beyond += x > high ? 1 : 0;
    EXPECT_TRUE(known.contains(x) || x > high);
  }
  EXPECT_GE(beyond, 3);
}

TEST(ChangeRowsTest, EveryClassBecomesAnotherAndWeightsMoveAmongTheRows) {
  const auto data = MakeData();
  const Rows rows = Some();
  const auto changed = ChangeRows(data, rows, {.target = true, .seed = 3});
  const auto before = data->labels(), after = changed->labels();
  double sum = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(before[i] != after[i], i % 3 == 0) << i;
    if (i % 3 == 0) sum += changed->weights()[i] - data->weights()[i];
  }
  EXPECT_EQ(sum, 0);
  EXPECT_NE(EntriesOf<double>(*data, "w"), EntriesOf<double>(*changed, "w"));
  EXPECT_EQ(EntriesOf<float>(*data, "f"), EntriesOf<float>(*changed, "f"));
}

TEST(ChangeRowsTest, TheSameSeedGivesTheSameDataAndTheOldDataStay) {
  const auto data = MakeData();
  const std::string before = data->content_hash();
  const RowChange change{.features = true, .target = true, .beyond = true, .seed = 4};
  const auto one = ChangeRows(data, Some(), change), two = ChangeRows(data, Some(), change);
  EXPECT_EQ(one->content_hash(), two->content_hash());
  EXPECT_NE(one->content_hash(), before);
  RowChange other = change;
  other.seed = 5;
  EXPECT_NE(ChangeRows(data, Some(), other)->content_hash(), one->content_hash());
  EXPECT_EQ(Dataset::Rebuild(*data, {data->columns().begin(), data->columns().end()}, data->roles())
                ->content_hash(),
            before);
}

TEST(ChangeRowsTest, NumbersStayFiniteAndWhole) {
  const double huge = std::numeric_limits<double>::max();
  const auto data = Dataset::Create(
      "edges",
      {Column::Doubles("huge", {-huge, huge, 0, 1}), Column::Doubles("whole", {1, 2, 3, 900}),
       Column::Integers("most", {INT64_MAX, INT64_MIN, 0, 5}),
       Column::Doubles("same", {2, 2, 2, 2}),
       Column::Doubles("none", std::vector<double>(4, std::nan("")))},
      {});
  const Rows all{0, 1, 2, 3};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto changed = ChangeRows(data, all, {.features = true, .beyond = true, .seed = seed});
    for (const double x : EntriesOf<double>(*changed, "huge")) EXPECT_TRUE(std::isfinite(x));
    for (const double x : EntriesOf<double>(*changed, "whole")) EXPECT_EQ(x, std::floor(x));
    EXPECT_EQ(changed->column("none").CountMissing(), 4);
  }
}

using Positions = std::vector<std::int64_t>;

TEST(FirstEqualRowsTest, FeaturesCountAndTheTargetDoesNot) {
  const double nan = std::nan("");
  const auto data = Dataset::Create("data",
                                    {Column::Doubles("x", {1, 1, -0.0, 0.0, nan, nan, 1}),
                                     Column::Categories("c", {0, 0, 1, 1, -1, -1, 1}, {"a", "b"}),
                                     Column::Categories("y", {0, 1, 0, 0, 1, 1, 0}, {"p", "q"})},
                                    {.target = "y"});
  EXPECT_EQ(FirstEqualRows({data, nullptr}), (Positions{0, 0, 2, 2, 4, 4, 6}));
}

TEST(FirstEqualRowsTest, PositionsAreThoseOfTheView) {
  const auto data = Dataset::Create("data", {Column::Integers("x", {5, 6, 5, 7, 6})}, {});
  const DataView view{data, std::make_shared<const Positions>(Positions{4, 3, 2, 1, 0})};
  EXPECT_EQ(FirstEqualRows(view), (Positions{0, 1, 2, 0, 2}));
}

TEST(FirstEqualRowsTest, AgreesWithComparingEveryPair) {
  plugin::Random random(9);
  std::vector<double> a;
  std::vector<std::int64_t> b;
  std::vector<bool> present;
  for (int i = 0; i < 400; ++i) {
    a.push_back(static_cast<double>(random.Below(12)));
    b.push_back(static_cast<std::int64_t>(random.Below(12)) - 6);
    present.push_back(random.Below(5) != 0);
  }
  const auto data =
      Dataset::Create("data", {Column::Doubles("a", a), Column::Integers("b", b, present)}, {});
  const Positions first = FirstEqualRows({data, nullptr});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t expected = 0;
    while (a[expected] != a[i] || present[expected] != present[i] ||
           (present[i] && b[expected] != b[i])) {
      ++expected;
    }
    ASSERT_EQ(first[i], static_cast<std::int64_t>(expected)) << i;
  }
}

using Rows = std::vector<std::int64_t>;

DataView View(const std::shared_ptr<const Dataset>& data, Rows rows) {
  return {data, std::make_shared<const Rows>(std::move(rows))};
}

// By hand: the rows 1 .. 4 have 0, 2, 4, 10, mean 4 and variance (16 + 4 + 0 + 36) / 4 = 14.
TEST(FindNearRowsTest, DistancesAreInStandardDeviationsOfTheOtherRows) {
  const auto data = Dataset::Create("data", {Column::Doubles("x", {3, 0, 2, 4, 10})}, {});
  const NearRows near = FindNearRows(View(data, {0}), View(data, {1, 2, 3, 4})).front();
  EXPECT_EQ(near.nearest, 2);  // 2 and 4 are as near; the earlier one
  EXPECT_DOUBLE_EQ(near.distance, 1 / std::sqrt(14));
  EXPECT_DOUBLE_EQ(near.second, 1 / std::sqrt(14));
  EXPECT_DOUBLE_EQ(near.third, 3 / std::sqrt(14));
}

TEST(FindNearRowsTest, EqualRowsAndTheRowItselfDoNotCount) {
  const auto data = Dataset::Create("data", {Column::Doubles("x", {1, 1, 2, 5})}, {});
  EXPECT_EQ(FindNearRows(View(data, {0}), View(data, {0, 1, 2, 3})).front().nearest, 2);
  const NearRows none = FindNearRows(View(data, {0}), View(data, {1, 1})).front();
  EXPECT_EQ(none.nearest, -1);
  EXPECT_EQ(none.distance, std::numeric_limits<double>::infinity());
}

TEST(FindNearRowsTest, CategoriesAndMissingEntriesMustAgree) {
  const double nan = std::nan("");
  const auto data = Dataset::Create(
      "data",
      {Column::Doubles("x", {1, 1.1, 1.2, 3, 9}), Column::Doubles("gap", {7, 8, nan, 8, 9}),
       Column::Categories("c", {0, 1, 0, 0, 0}, {"a", "b"})},
      {});
  const NearRows near = FindNearRows(View(data, {0}), View(data, {1, 2, 3, 4})).front();
  EXPECT_EQ(near.nearest, 3);
  EXPECT_TRUE(std::isfinite(near.second));
  EXPECT_FALSE(std::isfinite(near.third));
}

TEST(FindNearRowsTest, AgreesWithSortingAllDistances) {
  plugin::Random random(3);
  std::vector<double> x, z;
  for (int i = 0; i < 200; ++i) {
    x.push_back(random.Uniform());
    z.push_back(100 * random.Uniform());
  }
  const auto data = Dataset::Create("data", {Column::Doubles("x", x), Column::Doubles("z", z)}, {});
  Rows queries, others;
  for (std::int64_t i = 0; i < 200; ++i) (i < 40 ? queries : others).push_back(i);
  const auto found = FindNearRows(View(data, queries), View(data, others));
  const auto deviation = [&](const std::vector<double>& values) {
    double sum = 0, squares = 0;
    for (const std::int64_t i : others) sum += values[static_cast<std::size_t>(i)];
    for (const std::int64_t i : others) {
      const double d = values[static_cast<std::size_t>(i)] - sum / 160;
      squares += d * d;
    }
    return std::sqrt(squares / 160);
  };
  const double sx = deviation(x), sz = deviation(z);
  for (std::size_t q = 0; q < 40; ++q) {
    std::vector<double> all;
    for (std::size_t i = 40; i < 200; ++i) {
      all.push_back(std::hypot((x[q] - x[i]) / sx, (z[q] - z[i]) / sz));
    }
    std::sort(all.begin(), all.end());
    EXPECT_NEAR(found[q].distance, all[0], 1e-12);
    EXPECT_NEAR(found[q].second, all[1], 1e-12);
    EXPECT_NEAR(found[q].third, all[2], 1e-12);
  }
}

}  // namespace
}  // namespace crossfold
