// Predictions of knn from rows that are read in blocks, against those from rows that are held.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "crossfold_plugin/random.hpp"
#include "knn/cross_predict.h"
#include "unit/plugins/random_tables.h"

namespace crossfold::knn {
namespace {

using bundled::tree::Table;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::int32_t kFolds = 3;

// What a host keeps of a call, for each setting.
struct Kept {
  std::vector<std::vector<double>> predictions;
  std::vector<std::vector<std::string>> failures;
};

Kept PredictWith(Table& table, const std::vector<Params>& settings, const BlockLimits& limits) {
  const plugin::TrainingView view = table.View();
  std::vector<std::int32_t> folds;
  for (std::int64_t i = 0; i < view.num_rows(); ++i) {
    folds.push_back(static_cast<std::int32_t>(i * i % 4) == 0 ? 0
                                                              : static_cast<std::int32_t>(i % 3));
  }
  Kept kept{
      std::vector<std::vector<double>>(settings.size(), std::vector<double>(folds.size(), -7.0)),
      std::vector<std::vector<std::string>>(settings.size())};
  cf_cross_sink sink{};
  sink.struct_size = sizeof(sink);
  sink.wanted = CF_NEEDS_VALUES;
  sink.sink_data = &kept;
  sink.emit = [](const cf_cross_sink* self, std::size_t setting, const std::int64_t* positions,
                 std::int64_t n, const cf_prediction_view* prediction) noexcept -> cf_status {
    auto& values = static_cast<Kept*>(self->sink_data)->predictions[setting];
    for (std::int64_t i = 0; i < n; ++i) {
      values[static_cast<std::size_t>(positions[i])] = prediction->values[i];
    }
    return CF_OK;
  };
  sink.fail = [](const cf_cross_sink* self, std::size_t setting, std::int32_t, cf_status,
                 const char* why) noexcept {
    static_cast<Kept*>(self->sink_data)->failures[setting].emplace_back(why);
  };
  cf_host host{};
  host.struct_size = sizeof(host);
  cf_call call{};
  call.struct_size = sizeof(call);
  call.host = &host;
  call.n_threads = 1;
  PredictFolds(settings, nullptr, view, folds, kFolds, plugin::CrossSink(sink, 0),
               plugin::Context(call), limits);
  return kept;
}

// Small whole numbers tie often.
void FillTable(Table& table, std::size_t n_rows, std::uint64_t n_values) {
  plugin::Random random(n_rows);
  for (int j = 0; j < 3; ++j) {
    std::vector<double> numbers(n_rows);
    for (double& x : numbers) {
      x = n_values > 0 ? static_cast<double>(random.Below(n_values)) : random.Normal();
    }
    table.AddNumbers(std::move(numbers));
  }
  for (std::size_t i = 0; i < n_rows; ++i) table.targets.push_back(random.Normal());
}

TEST(KnnBlocksTest, RowsInBlocksHaveThePredictionsOfRowsThatAreHeld) {
  const std::vector<Params> settings = {
      {1}, {4}, {9, Distance::kManhattan}, {9, Distance::kEuclidean, 2, Weights::kDistance}};
  for (const std::uint64_t n_values : {0u, 2u, 5u}) {
    for (const std::size_t n_rows : {40u, 121u}) {
      Table table;
      FillTable(table, n_rows, n_values);
      const Kept held = PredictWith(table, settings, {});
      EXPECT_THAT(held.failures, Each(IsEmpty()));
      for (const std::int64_t rows : {1, 6, 20, 39, 40, 100}) {  // the last block may be short
        const Kept blocked = PredictWith(table, settings, {0, rows});
        EXPECT_EQ(blocked.predictions, held.predictions) << rows;
        EXPECT_THAT(blocked.failures, Each(IsEmpty()));
      }
    }
  }
}

TEST(KnnBlocksTest, ABadEntryFailsOnlyTheDistancesThatDoNotTakeIt) {
  Table table;
  FillTable(table, 30, 5);
  std::vector<double> gaps(30, 1.0);
  gaps[25] = std::numeric_limits<double>::quiet_NaN();
  table.AddNumbers(std::move(gaps));
  const std::vector<Params> settings = {{2}, {2, Distance::kGower}};
  const Kept kept = PredictWith(table, settings, {0, 8});
  ASSERT_EQ(kept.failures[0].size(), std::size_t{kFolds});
  EXPECT_THAT(kept.failures[0], Each(HasSubstr("feature 'x' has a missing entry")));
  EXPECT_THAT(kept.failures[1], IsEmpty());
  EXPECT_EQ(kept.predictions[1], PredictWith(table, settings, {}).predictions[1]);
}

}  // namespace
}  // namespace crossfold::knn
