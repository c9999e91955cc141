// What the tests of the bundled splitters share: small datasets, plans and refusals.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold/dataset.h"
#include "crossfold/error.h"
#include "crossfold/split.h"
#include "unit/engine/data/refusal.h"
#include "unit/plugins/bundled_plugins.h"

namespace crossfold {

using Rows = std::vector<std::int64_t>;
using Folds = std::vector<std::int32_t>;

inline constexpr const char* kAsFarAsPossible = "as far as possible";  // of stratify

// A name of "" is not a column.
inline Roles MakeRoles(std::string target, std::string groups = "", std::string folds = "") {
  Roles roles;
  roles.target = std::move(target);
  roles.groups = std::move(groups);
  roles.folds = std::move(folds);
  return roles;
}

// Rows with one feature and no role.
inline std::shared_ptr<const Dataset> PlainData(std::int64_t n_rows) {
  return Dataset::Create(
      "rows", {Column::Doubles("x", std::vector<double>(static_cast<std::size_t>(n_rows)))}, {});
}

// A classification; the classes are called A, B, C ... and `n_classes` of them are declared.
inline std::shared_ptr<const Dataset> ClassData(const std::vector<std::int32_t>& labels,
                                                std::int32_t n_classes) {
  std::vector<std::string> names;
  for (std::int32_t c = 0; c < n_classes; ++c) names.emplace_back(1, static_cast<char>('A' + c));
  return Dataset::Create("rows",
                         {Column::Doubles("x", std::vector<double>(labels.size())),
                          Column::Categories("class", labels, names)},
                         MakeRoles("class"));
}

// The same with so many rows of each class, one class after the other.
inline std::shared_ptr<const Dataset> SortedClassData(const std::vector<std::size_t>& sizes) {
  std::vector<std::int32_t> labels;
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    labels.insert(labels.end(), sizes[c], static_cast<std::int32_t>(c));
  }
  return ClassData(labels, static_cast<std::int32_t>(sizes.size()));
}

inline std::shared_ptr<const Dataset> GroupData(const Rows& groups) {
  return Dataset::Create(
      "rows",
      {Column::Doubles("x", std::vector<double>(groups.size())), Column::Integers("group", groups)},
      MakeRoles("", "group"));
}

// Rows 0 .. 11 in groups 10, 11, 12, 13, 10, 11, ...
inline std::shared_ptr<const Dataset> TwelveRowsInFourGroups() {
  return GroupData({10, 11, 12, 13, 10, 11, 12, 13, 10, 11, 12, 13});
}

inline std::shared_ptr<const SplitPlan> MakePlan(std::string_view splitter,
                                                 const std::shared_ptr<const Dataset>& data,
                                                 const ParamValues& values,
                                                 std::uint64_t seed = 1) {
  return MakeSplits(*BundledSpec(Kind::kSplitter, splitter, values), DataView{data, nullptr}, seed);
}

// A numeric target "y".
inline std::shared_ptr<const Dataset> NumericData(const std::vector<double>& target) {
  return Dataset::Create(
      "rows",
      {Column::Doubles("x", std::vector<double>(target.size())), Column::Doubles("y", target)},
      MakeRoles("y"));
}

// Classes A, B, ... in groups.
inline std::shared_ptr<const Dataset> ClassesInGroups(const std::vector<std::int32_t>& labels,
                                                      std::vector<std::string> names,
                                                      const Rows& groups) {
  return Dataset::Create(
      "rows",
      {Column::Categories("class", labels, std::move(names)), Column::Integers("group", groups)},
      MakeRoles("class", "group"));
}

// A time column, and groups if there are any.
inline std::shared_ptr<const Dataset> TimeData(const std::vector<double>& times,
                                               const Rows& groups = {}) {
  std::vector<Column> columns = {Column::Doubles("time", times)};
  Roles roles;
  roles.time = "time";
  if (!groups.empty()) {
    columns.push_back(Column::Integers("group", groups));
    roles.groups = "group";
  }
  return Dataset::Create("rows", std::move(columns), roles);
}

// Times 0, 1, ..., n_rows-1.
inline std::shared_ptr<const Dataset> ClockData(std::int64_t n_rows) {
  std::vector<double> times(static_cast<std::size_t>(n_rows));
  std::iota(times.begin(), times.end(), 0.0);
  return TimeData(times);
}

// The message with which the splitter refuses, or "" if it does not.
inline std::string RefusalOf(std::string_view splitter, const std::shared_ptr<const Dataset>& data,
                             const ParamValues& values) {
  return test::MessageOf([&] { MakePlan(splitter, data, values); });
}

// A split that is refused: what is wrong, and the message after the dataset and the splitter.
struct SplitRefusal {
  const char* what;
  std::shared_ptr<const Dataset> data;
  ParamValues values;
  std::string finding;
};

inline void ExpectRefusals(std::string_view splitter, const std::vector<SplitRefusal>& refusals) {
  for (const SplitRefusal& refusal : refusals) {
    SCOPED_TRACE(refusal.what);
    EXPECT_EQ(RefusalOf(splitter, refusal.data, refusal.values),
              "cannot split dataset 'rows' (" + std::to_string(refusal.data->num_rows()) +
                  " rows) with '" +
                  BundledSpec(Kind::kSplitter, splitter, refusal.values)->ToString() +
                  "': " + refusal.finding);
  }
}

inline std::vector<Folds> FoldsOf(const SplitPlan& plan) {
  std::vector<Folds> folds;
  for (const Partition& repeat : plan.partitions()) folds.push_back(repeat.fold_of_row);
  return folds;
}

inline std::vector<Rows> TrainRowsOf(const SplitPlan& plan) {
  std::vector<Rows> trains;
  for (std::int64_t split = 0; split < plan.size(); ++split) {
    trains.push_back(plan.Rows(split).train);
  }
  return trains;
}

inline std::vector<Rows> TestRowsOf(const SplitPlan& plan) {
  std::vector<Rows> tests;
  for (std::int64_t split = 0; split < plan.size(); ++split) {
    tests.push_back(plan.Rows(split).test);
  }
  return tests;
}

inline Rows RowsUpTo(std::int64_t n_rows) {
  Rows rows(static_cast<std::size_t>(n_rows));
  std::iota(rows.begin(), rows.end(), std::int64_t{0});
  return rows;
}

// Train and test have no row in common, and together they are all rows.
inline void ExpectComplementary(const SplitRows& rows, std::int64_t n_rows) {
  Rows all = rows.train;
  all.insert(all.end(), rows.test.begin(), rows.test.end());
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all, RowsUpTo(n_rows));
}

// How many of the rows have each value of `value_of_row`, which are 0 .. n_values-1.
inline std::vector<std::int64_t> Count(const Rows& rows,
                                       const std::vector<std::int32_t>& value_of_row,
                                       std::size_t n_values) {
  std::vector<std::int64_t> counts(n_values);
  for (const std::int64_t row : rows) {
    ++counts[static_cast<std::size_t>(value_of_row[static_cast<std::size_t>(row)])];
  }
  return counts;
}

// Largest minus smallest.
inline std::int64_t Spread(const std::vector<std::int64_t>& counts) {
  const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
  return *most - *least;
}

}  // namespace crossfold
