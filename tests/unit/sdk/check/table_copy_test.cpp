// Copies of tables: entries gathered, bitmaps shifted, pages that nobody may write.
#include "check/table_copy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <csignal>

#include "check/probe_data.h"
#include "crossfold_plugin/view.hpp"
#include "engine/run/fit_predict.h"

namespace crossfold::check {
namespace {

DataPtr SomeData() {
  return MakeData({.task = Task::kRegression,
                   .n_rows = 12,
                   .n_classes = 0,
                   .n_numeric = 1,
                   .n_categorical = 1,
                   .missing = 0.3,
                   .weights = true},
                  5);
}

// The entries of feature j in the order of the view, NaN as -1.
std::vector<double> EntriesOf(const cf_table& table, std::int64_t j) {
  std::vector<double> entries;
  for (std::int64_t i = 0; i < table.n_rows; ++i) {
    const double x = plugin::FeatureView(table).x(i, j);
    entries.push_back(std::isnan(x) ? -1 : x);
  }
  return entries;
}

TEST(TableCopyTest, GatheredRowsHaveNoIndexButKeepTheirIds) {
  const DataPtr data = SomeData();
  const RowIds view = {7, 3, 3, 11}, positions = {3, 0, 2};
  const RowTable table = RowTable::ForTraining(*data, &view);
  TableCopy copy(table.get(), {.positions = &positions});
  EXPECT_EQ(copy.get().rows, nullptr);
  EXPECT_EQ(RowIds(copy.get().row_ids, copy.get().row_ids + 3), (RowIds{11, 7, 3}));
  for (std::int64_t i = 0; i < 3; ++i) {
    const std::int64_t from = positions[static_cast<std::size_t>(i)];
    EXPECT_EQ(copy.get().weights[i], table.get().weights[from]);
    EXPECT_EQ(plugin::TrainingView(copy.get()).value(i),
              plugin::TrainingView(table.get()).value(from));
  }
  const std::vector<double> all = EntriesOf(table.get(), 0);
  EXPECT_EQ(EntriesOf(copy.get(), 0), (std::vector<double>{all[3], all[0], all[2]}));
}

TEST(TableCopyTest, BitmapsSayWhatIsMissingWhateverBitTheyBeginAt) {
  const DataPtr data = SomeData();
  const RowIds view = {7, 3, 3, 11, 0, 1, 2, 5};
  const RowTable table = RowTable::ForPrediction(*data, &view);
  for (const bool hides : {false, true}) {
    TableCopy copy(table.get(), {nullptr, 5, hides});
    for (const std::int64_t j : {0, 1}) {
      EXPECT_EQ(copy.feature(j).validity_offset, 5);
      EXPECT_EQ(EntriesOf(copy.get(), j), EntriesOf(table.get(), j));
      cf_column bare = copy.feature(j);
      bare.validity = nullptr;
      std::int64_t n_missing = 0;
      for (std::int64_t i = 0; i < 12; ++i) n_missing += std::isnan(plugin::EntryAsDouble(bare, i));
      EXPECT_EQ(n_missing == 0, hides);
    }
  }
}

TEST(TableCopyTest, AWriteIntoReadOnlyPagesEndsTheProcess) {
  const DataPtr data = SomeData();
  const RowTable table = RowTable::ForTraining(*data, nullptr);
  TableCopy copy(table.get());
  const Bytes before = copy.Contents();
  auto* entries = static_cast<double*>(const_cast<void*>(copy.feature(0).data));
  entries[0] = 3;
  EXPECT_NE(copy.Contents(), before);
  copy.MakeReadOnly();
  EXPECT_DEATH(entries[0] = 3, "");
}

}  // namespace
}  // namespace crossfold::check
