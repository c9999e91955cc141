// Fits that read the rows in blocks: what the allocator holds while they run, and that the results
// are those of fits that hold all rows.
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sanitized.h"
#include "unit/plugins/learner_fixture.h"

namespace crossfold {
namespace {

constexpr std::int64_t kManyRows = 600'000;
constexpr int kFeatures = 20;  // a copy of them takes 160 bytes per row

std::size_t AllocatedNow() {
  const struct mallinfo2 info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

// Watches the allocator from a thread of its own. It may miss a peak, but never makes one up.
class PeakWatch {
 public:
  PeakWatch() : before_(AllocatedNow()), thread_([this] { Watch(); }) {}
  double BytesPerRow() {
    stop_ = true;
    thread_.join();
    return static_cast<double>(peak_ - before_) / kManyRows;
  }

 private:
  void Watch() {
    while (!stop_) {
      peak_ = std::max(peak_, AllocatedNow());
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  }

  const std::size_t before_;
  std::size_t peak_ = before_;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

// All features are one buffer, so the data cost 8 bytes per row. Classes and values follow it.
DataPtr WideData(bool classes) {
  std::uint64_t state = 1;
  const auto draw = [&state] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 11) * 0x1.0p-53;
  };
  std::vector<double> numbers, values;
  std::vector<std::int32_t> codes;
  for (std::int64_t i = 0; i < kManyRows; ++i) {
    numbers.push_back(draw());
    values.push_back(numbers.back() + draw());
    codes.push_back(values.back() > 1 ? 1 : 0);
  }
  std::vector<Column> columns = {Column::Doubles("x0", std::move(numbers))};
  for (int j = 1; j < kFeatures; ++j) {
    columns.push_back(columns.front());
    columns.back().name = "x" + std::to_string(j);
  }
  columns.push_back(classes ? Column::Categories("y", std::move(codes), {"no", "yes"})
                            : Column::Doubles("y", std::move(values)));
  return Dataset::Create("wide", std::move(columns), TargetRole("y"));
}

double BytesPerRowOfFit(const char* learner, const ParamValues& params, const DataPtr& data) {
  const auto pipeline = BundledLearner(learner, params);
  FittedModel::Fit(pipeline, RowsOf(data, RowRange(0, 100)), 1, {});  // what is made once
  PeakWatch watch;
  FittedModel::Fit(pipeline, AllRows(data), 1, {});
  return watch.BytesPerRow();
}

TEST(LeanFitsTest, ClassifiersThatReadBlocksHoldNoMatrix) {
  if (kSanitized) GTEST_SKIP() << "the allocator of a sanitizer does not say what it holds";
  const DataPtr data = WideData(true);
  EXPECT_LT(BytesPerRowOfFit("featureless", {}, data), 1);
  EXPECT_LT(BytesPerRowOfFit("naive_bayes", {}, data), 14);  // a block is 48 bytes x 131,072 rows
  EXPECT_LT(BytesPerRowOfFit("one_r", {}, data), 14);
  EXPECT_LT(BytesPerRowOfFit("logistic_regression", {{"solver", "lbfgs"}}, data), 4);
  EXPECT_LT(BytesPerRowOfFit("logistic_regression", {{"solver", "svrg"}}, data), 4);
  EXPECT_LT(BytesPerRowOfFit("ridge", {}, data), 80);  // two targets of few rows are held
}

TEST(LeanFitsTest, RegressionThatReadsBlocksHoldsNoMatrix) {
  if (kSanitized) GTEST_SKIP() << "the allocator of a sanitizer does not say what it holds";
  const DataPtr data = WideData(false);
  EXPECT_LT(BytesPerRowOfFit("featureless", {{"strategy", "median"}}, data), 9);
  EXPECT_LT(BytesPerRowOfFit("ridge", {}, data), 45);  // the targets of few rows are held
  EXPECT_LT(BytesPerRowOfFit("least_squares", {}, data), 45);
}

// More rows than a block of naive Bayes has: the sums are those of all rows together, which
// add_rows gets one part after the other.
TEST(LeanFitsTest, NaiveBayesOfSeveralBlocksIsThatOfItsRowsInAnyOrder) {
  const DataPtr data = WideData(true);
  const RowIds some = RowRange(0, 300'000);
  const RowIds reversed(some.rbegin(), some.rend());
  const DataView test = RowsOf(data, RowRange(0, 50));
  EXPECT_EQ(FitPredict("naive_bayes", {}, RowsOf(data, some), test).probabilities,
            FitPredict("naive_bayes", {}, RowsOf(data, reversed), test).probabilities);
}

}  // namespace
}  // namespace crossfold
