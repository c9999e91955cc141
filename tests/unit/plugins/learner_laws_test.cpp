#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "crossfold_plugin/random.hpp"
#include "sanitized.h"
#include "unit/plugins/bundled_plugins.h"
#include "unit/plugins/component_calls.h"
#include "unit/plugins/learner_fixture.h"
#include "unit/plugins/random_settings.h"

namespace crossfold {
namespace {

// ---- the order of the rows ---------------------------------------------------------------------

// Learners whose pages say that the order of the training rows does not matter, on rows that are in
// another order in the data set itself: a view in another order has the same row ids.
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

// ---- learners without a seed -------------------------------------------------------------------

// CF_DET_UNSEEDED, of every bundled component that declares it: with random settings on small
// random data, two seeds give the same bytes, or are refused for the same reason.
std::vector<std::string> UnseededIds() {
  std::vector<std::string> ids;
  for (const std::string& id : BundledIds()) {
    if ((BundledPlugins().FindAny(id)->determinism & CF_DET_UNSEEDED) != 0) ids.push_back(id);
  }
  return ids;
}

// What a component makes of some rows with a seed.
struct SeededResult {
  laws::Bytes saved;
  laws::Predicted predicted;
  std::vector<double> applied;
};

SeededResult RunWith(const Spec& spec, const DataPtr& data, std::uint64_t seed) {
  const laws::ModelPtr model = laws::Fit(spec, AllRows(data), seed);
  SeededResult outcome;
  if (model == nullptr) return outcome;
  outcome.saved = laws::Save(spec, model.get());
  if (spec.component().learner != nullptr) {
    outcome.predicted = laws::TryPredict(spec, model.get(), AllRows(data), seed);
    return outcome;
  }
  for (const auto& column : laws::Apply(spec, model.get(), AllRows(data), seed).columns) {
    outcome.applied.insert(outcome.applied.end(), column.entries.begin(), column.entries.end());
  }
  return outcome;
}

// Random settings that the host and the component take with such data; null = the draw is refused.
std::shared_ptr<const Spec> DrawAccepted(const std::shared_ptr<const Component>& component,
                                         const DataPtr& data, plugin::Random& random) {
  const ParamValues values = check::DrawSpec(component, random)->given();
  try {
    auto spec = Spec::Make(component, values);
    std::vector<std::shared_ptr<const Spec>> steps = {spec};
    if (component->learner == nullptr) {
      steps.push_back(BundledSpec(Kind::kLearner, "featureless", {}));
    }
    FittedModel::Fit(Pipeline::Make(steps), AllRows(data), 1, {})->Predict(AllRows(data), {});
    return spec;
  } catch (const Error&) {
    return nullptr;
  }
}

class Unseeded : public ::testing::TestWithParam<std::string> {};

TEST_P(Unseeded, TwoSeedsGiveTheSameBytes) {
  const auto component = BundledPlugins().FindAny(GetParam());
  const std::uint32_t tasks =
      component->learner ? component->learner->tasks : component->transform->tasks;
  plugin::Random random(20261122);
  int compared = 0;
  for (int draw = 0; draw < 40; ++draw) {
    const bool classes = (tasks & CF_TASK_REGRESSION) == 0 || random.Below(2) == 0;
    const DataPtr data = DrawData(classes, random);
    const auto spec = DrawAccepted(component, data, random);
    if (spec == nullptr) continue;
    SCOPED_TRACE("draw " + std::to_string(draw) + ": " + spec->ToString());
    ++compared;
    const SeededResult one = RunWith(*spec, data, random.Next());
    const SeededResult other = RunWith(*spec, data, random.Next());
    EXPECT_EQ(one.saved, other.saved);
    EXPECT_TRUE(laws::SamePrediction(one.predicted, other.predicted));
    EXPECT_TRUE(laws::SameNumbers("entries", one.applied, other.applied, 0));
  }
  EXPECT_GT(compared, 0);
}

INSTANTIATE_TEST_SUITE_P(Bundled, Unseeded, ::testing::ValuesIn(UnseededIds()), IdOfTest);

// Those whose seed matters by their nature say so.
TEST(UnseededTest, DrawingComponentsDoNotDeclareIt) {
  for (const char* id : {"mlp", "featureless", "oversample", "undersample", "smote"}) {
    const auto ids = UnseededIds();
    EXPECT_THAT(ids, ::testing::Not(::testing::Contains(std::string("crossfold.") + id)));
  }
  EXPECT_THAT(UnseededIds(), ::testing::Contains("crossfold.ridge"));
}

// ---- memory of a fit ---------------------------------------------------------------------------

// Fits that read the rows in blocks: what the allocator holds while they run, and that the results
// are those of fits that hold all rows.
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

// ---- trees grown in files ----------------------------------------------------------------------

// Learners whose trees are grown from lists in files (growth = sliq) save the bytes of those grown
// in memory.

// `growth`: memory or sliq.
laws::Bytes ModelBytes(const std::string& learner, ParamValues values, const DataPtr& data,
                       const std::string& growth) {
  values["growth"] = growth;
  const laws::SpecPtr spec = laws::LearnerSpec(learner, values);
  return laws::Save(*spec, laws::Fit(*spec, AllRows(data)).get());
}

void ExpectSameModel(const std::string& learner, const ParamValues& values, const DataPtr& data) {
  const laws::Bytes expected = ModelBytes(learner, values, data, "memory");
  EXPECT_GT(expected.size(), 500u);
  EXPECT_TRUE(ModelBytes(learner, values, data, "sliq") == expected);
}

TEST(GrowthInFilesTest, ADecisionTreeIsTheSame) {
  const std::vector<ParamValues> settings = {
      {},
      {{"criterion", std::string("gain_ratio")}, {"pruning", std::string("error_based")}},
      {{"criterion", std::string("entropy")}, {"nominal_split", std::string("subset")}},
      {{"pruning", std::string("pessimistic")}},
      {{"pruning", std::string("cost_complexity")}, {"ccp_alpha", 0.01}},
      {{"features_per_node", 2}, {"ties", std::string("random")}}};
  for (const ParamValues& values : settings) {
    ExpectSameModel("decision_tree", values, ReadTestData("wine.csv", "class"));
    ExpectSameModel("decision_tree", values, ReadTestData("weather_nominal.csv", "play"));
  }
}

TEST(GrowthInFilesTest, ARandomForestIsTheSame) {
  const DataPtr wine = ReadTestData("wine.csv", "class");
  ExpectSameModel("random_forest", {{"trees", 4}}, wine);
  ExpectSameModel("random_forest", {{"trees", 2}, {"features_per_node", 0}}, wine);
  ExpectSameModel("random_forest", {{"trees", 2}, {"bootstrap", false}}, wine);
}

TEST(GrowthInFilesTest, BoostedStumpsAndTreesAreTheSame) {
  for (const char* const file : {"iris.csv", "wine.csv", "breast_cancer.csv"}) {
    const DataPtr data = ReadTestData(file, "class");
    ExpectSameModel("adaboost", {{"rounds", 12}}, data);
    ExpectSameModel("adaboost", {{"rounds", 12}, {"algorithm", std::string("m1")}}, data);
    ExpectSameModel("adaboost", {{"rounds", 4}, {"max_depth", 3}}, data);
  }
  ExpectSameModel("adaboost", {{"rounds", 5}}, Weather());
}

}  // namespace
}  // namespace crossfold
