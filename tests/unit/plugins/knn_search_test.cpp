// The search of knn, apart from the plugin: every set of kernels that this processor can run, the
// kernels of whole numbers and those of real ones, against a direct program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "crossfold_plugin/random.hpp"
#include "knn/index.h"
#include "knn/kept_neighbours.h"
#include "knn/kernels.h"
#include "knn/search.h"
#include "knn/tiles.h"
#include "sanitized.h"

namespace crossfold::knn {
namespace {

using plugin::Random;
using ::testing::Each;
using ::testing::ElementsAre;
using Lists = std::vector<std::vector<std::pair<double, std::uint32_t>>>;

// A call with so many threads.
class Call {
 public:
  explicit Call(std::uint32_t n_threads = 1) {
    host_.struct_size = sizeof(host_);
    call_.struct_size = sizeof(call_);
    call_.host = &host_;
    call_.n_threads = n_threads;
  }
  plugin::Context context() const { return plugin::Context(call_); }

 private:
  cf_host host_{};
  cf_call call_{};
};

// Row-major entries.
struct Table {
  std::size_t n_rows, n_features;
  std::vector<double> entries;

  std::span<const double> row(std::size_t i) const {
    return std::span(entries).subspan(i * n_features, n_features);
  }
};

template <class Draw>
Table MakeTable(std::size_t n_rows, std::size_t n_features, const Draw& draw) {
  Table table{n_rows, n_features, {}};
  for (std::size_t i = 0; i < n_rows * n_features; ++i) table.entries.push_back(draw());
  return table;
}
Table WholeTable(Random& random, std::size_t n_rows, std::size_t n_features, std::uint64_t n) {
  return MakeTable(n_rows, n_features, [&] { return static_cast<double>(random.Below(n)); });
}
Table RealTable(Random& random, std::size_t n_rows, std::size_t n_features) {
  return MakeTable(n_rows, n_features, [&] { return random.Uniform() - 0.5; });
}

Params ByDistance(Distance distance, double p = 2) {
  Params params;
  params.distance = distance;
  params.p = p;
  return params;
}
const std::vector<Params>& AllSums() {
  static const std::vector<Params> all = {
      ByDistance(Distance::kManhattan), ByDistance(Distance::kEuclidean),
      ByDistance(Distance::kChebyshev), ByDistance(Distance::kMinkowski, 3)};
  return all;
}

double DirectKey(Form form, double p, std::span<const double> row, std::span<const double> query) {
  double key = 0;
  for (std::size_t j = 0; j < row.size(); ++j) {
    const double difference = std::abs(row[j] - query[j]);
    if (form == Form::kAbsolute) key += difference;
    if (form == Form::kSquares) key += difference * difference;
    if (form == Form::kLargest) key = std::max(key, difference);
    if (form == Form::kPowers) key += std::pow(difference, p);
  }
  return key;
}

// Sorts all rows that count by (key, row).
Lists Direct(const Params& params, const Table& rows, const Table& queries, std::size_t k,
             const Folds& folds) {
  const Metric metric = Metric::Of(params, {});
  Lists lists;
  for (std::size_t q = 0; q < queries.n_rows; ++q) {
    auto& list = lists.emplace_back();
    for (std::uint32_t i = 0; i < rows.n_rows; ++i) {
      if (!folds.of_row.empty() && !folds.Counts(i, folds.of_query[q])) continue;
      list.emplace_back(DirectKey(metric.form(), metric.p(), rows.row(i), queries.row(q)), i);
    }
    std::sort(list.begin(), list.end());
    list.resize(k, {std::numeric_limits<double>::infinity(), 0});
  }
  return lists;
}

Lists Found(const Kernels& kernels, const Params& params, const Index& index, const Table& queries,
            std::size_t k, const Folds& folds, std::uint32_t n_threads = 1) {
  Lists lists(queries.n_rows);
  const Call call(n_threads);
  FindNearest({&index, Metric::Of(params, {}), &kernels, folds}, queries.entries, queries.n_rows, k,
              call.context(), [&](std::size_t q, std::span<const Neighbour> nearest) {
                for (const Neighbour& n : nearest) lists[q].emplace_back(n.key, n.row);
              });
  return lists;
}

// All sets of kernels, and the real ones where whole ones serve, must agree with the direct
// program.
void ExpectNearest(const Params& params, const Table& rows, const Table& queries, std::size_t k,
                   const Folds& folds = {}) {
  const Lists expected = Direct(params, rows, queries, k, folds);
  Index index(rows.entries, rows.n_rows, rows.n_features, Metric::Of(params, {}).form());
  for (const bool forgets : {false, true}) {
    if (forgets) index.ForgetWhole();
    for (const Kernels* kernels : SupportedKernels()) {
      EXPECT_EQ(Found(*kernels, params, index, queries, k, folds), expected)
          << kernels->name << (index.whole() != nullptr ? ", whole" : ", real") << ", form "
          << static_cast<int>(Metric::Of(params, {}).form()) << ", " << rows.n_rows << " x "
          << rows.n_features << ", k = " << k;
    }
  }
}

bool HasWhole(const Table& rows, Distance distance = Distance::kEuclidean) {
  const Form form = Metric::Of(ByDistance(distance), {}).form();
  return Index(rows.entries, rows.n_rows, rows.n_features, form).whole() != nullptr;
}

TEST(KnnSearchTest, EveryProcessorRunsThePortableKernels) {
  EXPECT_STREQ(SupportedKernels().front()->name, "portable");
  EXPECT_EQ(&BestKernels(), SupportedKernels().back());
}

TEST(KnnSearchTest, RealRowsOfAnyShapeAgreeWithADirectProgram) {
  Random random(1);
  for (const std::size_t n : {1u, 15u, 16u, 17u, 255u, 257u, 700u}) {
    for (const std::size_t d : {1u, 2u, 7u, 16u, 33u}) {
      const Table rows = RealTable(random, n, d);
      const Table queries = RealTable(random, 1 + random.Below(Enough(70)), d);
      for (const Params& params : AllSums()) {
        ExpectNearest(params, rows, queries, 1 + random.Below(n));
      }
    }
  }
}

TEST(KnnSearchTest, WholeRowsOfAnyShapeAgreeWithADirectProgram) {
  Random random(2);
  for (const std::size_t n : {1u, 16u, 17u, 255u, 257u, 700u}) {
    for (const std::size_t d : {1u, 2u, 7u, 16u, 33u}) {
      const Table rows = WholeTable(random, n, d, 17);
      EXPECT_TRUE(HasWhole(rows));
      const Table queries = WholeTable(random, 1 + random.Below(Enough(70)), d, 17);
      for (const Params& params : AllSums()) {
        ExpectNearest(params, rows, queries, 1 + random.Below(n));
      }
    }
  }
}

TEST(KnnSearchTest, HundredsOfTiesGoByTheRow) {
  Random random(3);
  // 2 x 2 different rows: every list is cut within a tie, and shrinking meets nothing else.
  const Table rows = WholeTable(random, 3000, 2, 2);
  const Table queries = WholeTable(random, 10, 2, 2);
  for (const Params& params : AllSums()) {
    for (const std::size_t k : {1u, 9u, 49u, 400u}) ExpectNearest(params, rows, queries, k);
  }
}

TEST(KnnSearchTest, RowsThatComeEverNearerAndEverFartherAreFound) {
  Table rows{2000, 1, {}};
  for (int i = 0; i < 2000; ++i) rows.entries.push_back(i);
  const Table queries{2, 1, {0, 1999}};
  for (const Params& params : AllSums()) {
    for (const std::size_t k : {1u, 30u, 1999u}) ExpectNearest(params, rows, queries, k);
  }
}

TEST(KnnSearchTest, KeptNeighboursAreThoseOfTheQueriesThatAreAskedFor) {
  Random random(8);
  const Params params = ByDistance(Distance::kEuclidean);
  const Metric metric = Metric::Of(params, {});
  const Table rows = RealTable(random, 300, 4);
  const Index index(rows.entries, rows.n_rows, rows.n_features, metric.form());
  const std::vector<Table> asked = {RealTable(random, 70, 4), RealTable(random, 70, 4),
                                    RealTable(random, 3, 4)};
  KeptNeighbours kept(9);
  const Call call;
  // Of each queries several k, then others, and the first ones again.
  for (const auto& [of, k] : {std::pair(0, 9u), {0, 1u}, {1, 5u}, {0, 7u}, {2, 9u}, {2, 2u}}) {
    const Table& queries = asked[static_cast<std::size_t>(of)];
    Lists lists(queries.n_rows);
    kept.ForEach({&index, metric, &BestKernels()}, queries.entries, queries.n_rows, k,
                 call.context(), [&](std::size_t q, std::span<const Neighbour> nearest) {
                   for (const Neighbour& n : nearest) lists[q].emplace_back(n.key, n.row);
                 });
    EXPECT_EQ(lists, Direct(params, rows, queries, k, {})) << of << ", k = " << k;
  }
}

TEST(KnnSearchTest, RowsOfTheQuerysFoldAndAbsentOnesDoNotCount) {
  Random random(4);
  for (const bool whole : {false, true}) {
    const Table rows =
        whole ? WholeTable(random, Enough(600), 5, 9) : RealTable(random, Enough(600), 5);
    std::vector<std::int32_t> of_row;
    for (std::size_t i = 0; i < rows.n_rows; ++i) {
      of_row.push_back(static_cast<std::int32_t>(random.Below(5)) - 2);  // kAbsent, -1, 0, 1, 2
    }
    for (const Params& params : AllSums()) {
      ExpectNearest(params, rows, rows, 20, {of_row, of_row});
    }
  }
}

TEST(KnnSearchTest, WhereTooFewRowsCountInfiniteKeysFillUp) {
  const Table rows{3, 1, {1, 2, 4}};
  const std::vector<std::int32_t> of_row = {0, 1, 1};
  const std::vector<std::int32_t> of_query = {1};
  ExpectNearest(ByDistance(Distance::kManhattan), rows, {1, 1, {2}}, 3, {of_row, of_query});
}

TEST(KnnSearchTest, KeysBeyondTheRangeOfNumbersFillUpToo) {
  const Table rows{3, 1, {1e200, 0, -1e200}};
  const Params params = ByDistance(Distance::kEuclidean);
  const Index index(rows.entries, 3, 1, Form::kSquares);
  for (const Kernels* kernels : SupportedKernels()) {
    const Lists lists = Found(*kernels, params, index, {1, 1, {3}}, 2, {});
    EXPECT_EQ(lists[0][0], std::pair(9.0, 1u));
    EXPECT_TRUE(std::isinf(lists[0][1].first));
  }
}

// ---- whole numbers -----------------------------------------------------------------------------

TEST(KnnSearchTest, WholeNumbersMayBeNegativeAndFarFromZero) {
  Random random(5);
  for (const double origin : {-8.0, -1e6, 4e15, -9007199254740992.0}) {
    Table rows = WholeTable(random, 200, 4, 17);
    for (double& entry : rows.entries) entry += origin;
    EXPECT_TRUE(HasWhole(rows));
    ExpectNearest(ByDistance(Distance::kEuclidean), rows, rows, 9);
    ExpectNearest(ByDistance(Distance::kManhattan), rows, rows, 9);
  }
}

TEST(KnnSearchTest, AFeatureMaySpanAsMuchAsTheKernelsCanHold) {
  Random random(6);
  const Table rows = MakeTable(300, 3, [&] {
    const double ends[] = {-8000, -8000 + WholeRows::kLargestSpan};
    const std::uint64_t draw = random.Below(4);
    return draw < 2 ? ends[draw] : -8000 + static_cast<double>(random.Below(16384));
  });
  EXPECT_TRUE(HasWhole(rows));
  ExpectNearest(ByDistance(Distance::kEuclidean), rows, rows, 12);
  ExpectNearest(ByDistance(Distance::kManhattan), rows, rows, 12);
  EXPECT_FALSE(HasWhole({2, 1, {0, WholeRows::kLargestSpan + 1}}));
}

TEST(KnnSearchTest, KeysMayReachTheLargestOne) {
  // 2^30 - 1 = 4 * 16383^2 + 362^2 + 4^2 + 2^2 + 1 + 1 + 1.
  const std::vector<double> far = {16383, 16383, 16383, 16383, 362, 4, 2, 1, 1, 1};
  Table rows{2, far.size(), std::vector<double>(far.size())};
  rows.entries.insert(rows.entries.end(), far.begin(), far.end());
  EXPECT_TRUE(HasWhole(rows));
  const Lists expected = {{{0, 0}, {WholeRows::kLargestKey, 1}},
                          {{0, 1}, {WholeRows::kLargestKey, 0}}};
  EXPECT_EQ(Direct(ByDistance(Distance::kEuclidean), rows, rows, 2, {}), expected);
  ExpectNearest(ByDistance(Distance::kEuclidean), rows, rows, 2);
  rows.entries.back() = 2;
  EXPECT_FALSE(HasWhole(rows));
}

TEST(KnnSearchTest, QueriesNeedNotLookLikeTheRows) {
  Random random(7);
  const Table rows = WholeTable(random, 100, 3, 17);
  // Fractions, numbers outside the rows' range, too far for the whole-number kernels, huge.
  for (const double shift : {0.5, -40.0, 16300.0, -16400.0, 20000.0, 1e17}) {
    Table queries = WholeTable(random, 67, 3, 17);
    for (double& entry : queries.entries) entry += shift;
    ExpectNearest(ByDistance(Distance::kEuclidean), rows, queries, 9);
    ExpectNearest(ByDistance(Distance::kManhattan), rows, queries, 9);
  }
}

TEST(KnnSearchTest, FractionsAndNumbersWithoutNeighboursAreNotWhole) {
  EXPECT_FALSE(HasWhole({2, 1, {0, 0.5}}));
  EXPECT_FALSE(HasWhole({2, 1, {1e300, 1e300}}));
  EXPECT_FALSE(HasWhole({2, 1, {0, std::nan("")}}));
  EXPECT_FALSE(HasWhole({2, 1, {0, 1}}, Distance::kChebyshev));
}

// ---- threads -----------------------------------------------------------------------------------

TEST(KnnSearchTest, TheNumberOfThreadsChangesNothing) {
  Random random(8);
  const Table rows = RealTable(random, 900, 4);
  const Params params = ByDistance(Distance::kEuclidean);
  const Index index(rows.entries, rows.n_rows, rows.n_features, Form::kSquares);
  EXPECT_EQ(Found(BestKernels(), params, index, rows, 7, {}, 4),
            Found(BestKernels(), params, index, rows, 7, {}, 1));
}

TEST(KnnSearchTest, EveryTileIsWorkedOnOnce) {
  for (const std::uint32_t n_threads : {1u, 3u, 50u}) {
    std::vector<int> times(20);
    const Call call(n_threads);
    ForEachTile(times.size(), call.context(), [&](std::size_t t) { ++times[t]; });
    EXPECT_THAT(times, Each(1));
  }
}

TEST(KnnSearchTest, TheFirstTileThatFailsIsTheOneThatIsReported) {
  for (const std::uint32_t n_threads : {1u, 4u}) {
    const Call call(n_threads);
    try {
      ForEachTile(200, call.context(), [](std::size_t t) {
        if (t >= 17) throw std::runtime_error("tile " + std::to_string(t));
      });
      FAIL() << "no exception";
    } catch (const std::runtime_error& e) {
      EXPECT_STREQ(e.what(), "tile 17");
    }
  }
}

}  // namespace
}  // namespace crossfold::knn
