// What a program of a folder gets, and what comes back, computed by hand from the same data.
#include <cmath>
#include <cstddef>
#include <numeric>

#include "unit/plugins/exec/probe.h"

namespace crossfold {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The sum over features j of (j + 1) times the entry; a missing entry counts as -1000.
double FeatureSum(const DataView& view, std::int64_t i) {
  const RowTable table = RowTable::ForPrediction(*view.data, view.rows.get());
  const plugin::FeatureView rows(table.get());
  double sum = 0;
  for (std::int64_t j = 0; j < rows.num_features(); ++j) {
    sum += static_cast<double>(j + 1) * (rows.is_missing(i, j) ? -1000.0 : rows.x(i, j));
  }
  return sum;
}

// The sum of the targets, with weights.
double TargetSum(const DataView& view) {
  const RowTable table = RowTable::ForTraining(*view.data, view.rows.get());
  const plugin::TrainingView rows(table.get());
  double sum = 0;
  for (std::int64_t i = 0; i < rows.num_rows(); ++i) {
    const double target = rows.is_classification() ? rows.label(i) : rows.value(i);
    sum += target * rows.weight(i);
  }
  return sum;
}

void ExpectValues(const DataView& train, const DataView& test) {
  const Prediction got = ProbePrediction({}, train, test);
  ASSERT_EQ(static_cast<std::int64_t>(got.values.size()), test.num_rows());
  for (std::int64_t i = 0; i < test.num_rows(); ++i) {
    EXPECT_NEAR(got.values[static_cast<std::size_t>(i)], TargetSum(train) + FeatureSum(test, i),
                1e-9)
        << "row " << i;
  }
}

const char* const kMixed =
    "real,whole,flag,level,weight,y\n"
    "1.5,1,true,a,1,0.5\n"
    "-2,,false,b,2,1.5\n"
    ",3,,a,0.5,-1\n"
    "4.25,4,true,,1,2\n"
    "0.125,-7,false,c,3,10\n";

DataPtr Mixed() { return ParseTable(kMixed, "y", "weight"); }

TEST(ExecDataTest, TheProgramGetsEveryTypeOfEntryAndWhatIsMissing) {
  ExpectValues(RowsOf(Mixed(), {0, 1, 2}), AllRows(Mixed()));
}

TEST(ExecDataTest, RowsComeInTheOrderOfTheViewAndMayBeRepeated) {
  ExpectValues(RowsOf(Mixed(), {4, 4, 0}), RowsOf(Mixed(), {2, 0, 2, 4}));
}

TEST(ExecDataTest, TheProgramGetsTheClassNumbersOfTheWholeDataset) {
  const DataPtr data = Iris();
  const DataView train = RowsOf(data, RowRange(40, 60)), test = RowsOf(data, {0, 75, 149});
  const Prediction got = ProbePrediction({}, train, test);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto sum = static_cast<std::int64_t>(TargetSum(train) +
                                               FeatureSum(test, static_cast<std::int64_t>(i)));
    EXPECT_EQ(got.labels[i], sum % 3);
    EXPECT_EQ(got.probabilities[3 * i + static_cast<std::size_t>(sum % 3)], 1.0);
  }
}

TEST(ExecDataTest, NoTestRowsGiveNoPredictions) {
  EXPECT_EQ(ProbePrediction({}, AllRows(Iris()), RowsOf(Iris(), {})).labels.size(), 0u);
}

TEST(ExecDataTest, ParametersArriveWithTheirTypes) {
  const DataView train = RowsOf(Mixed(), {0}), test = RowsOf(Mixed(), {0});
  const double plain = ProbePrediction({{"scale", 0.0}}, train, test).values[0];
  EXPECT_DOUBLE_EQ(ProbePrediction({{"scale", 3.0}}, train, test).values[0], plain + 1.5);
  // The program adds the length of each value of the object `extra` as Python writes it.
  const ParamValues extra = {{"scale", 0.0}, {"extra", std::string(R"({"a":12,"b":"xyz"})")}};
  EXPECT_DOUBLE_EQ(ProbePrediction(extra, train, test).values[0], plain + 5);
}

TEST(ExecDataTest, AFitOnPreparedDataGivesTheBytesOfAFitWithoutIt) {
  const DataPtr data = Penguins();
  const auto spec = Probe();
  const auto* prepare = spec->component().capability<cf_cap_prepare>(CF_CAP_PREPARE);
  ASSERT_NE(prepare, nullptr);
  const RowTable all = RowTable::ForPrediction(*data, nullptr);
  cf_prepared* prepared = nullptr;
  CallPlugin(spec->component(), {}, [&](const cf_call* call) {
    return prepare->prepare(call, spec->args().data(), spec->args().size(), &all.get(), &prepared);
  });
  ASSERT_NE(prepared, nullptr);
  const DataView train = RowsOf(data, RowRange(100, 300)), test = RowsOf(data, RowRange(0, 120));
  const RowTable rows = RowTable::ForTraining(*data, train.rows.get());
  const laws::Made made = laws::Make(*spec, 3, [&](const cf_call* call, cf_model** out) {
    return prepare->fit_prepared(call, spec->args().data(), spec->args().size(), prepared,
                                 &rows.get(), out);
  });
  ASSERT_EQ(made.message, "");
  const laws::ModelPtr plain = laws::Fit(*spec, train, 3);
  EXPECT_TRUE(laws::SamePrediction(laws::Predict(*spec, made.model.get(), test),
                                   laws::Predict(*spec, plain.get(), test), 0));
  prepare->destroy(spec->component().info(), prepared);
  // The model does not need what was prepared, also for rows of other data.
  const DataView other = RowsOf(Penguins(), {5, 6, 7});
  EXPECT_TRUE(laws::SamePrediction(laws::Predict(*spec, made.model.get(), other),
                                   laws::Predict(*spec, plain.get(), other), 0));
}

TEST(ExecDataTest, OtherDataOfTheSameShapeAreNotTakenForThePreparedOnes) {
  const DataPtr data = ParseTable("x,y\n1,0\n2,0\n3,0\n", "y");
  const DataPtr other = ParseTable("x,y\n1,0\n20,0\n3,0\n", "y");
  const auto splits = Folds(data, 3);
  const auto model = FittedModel::Fit(ProbeLearner(), AllRows(data), 1, {});
  EXPECT_THAT(model->Predict(AllRows(data), {}).values, ElementsAre(1, 2, 3));
  EXPECT_THAT(model->Predict(AllRows(other), {}).values, ElementsAre(1, 20, 3));
}

TEST(ExecDataTest, ASavedModelPredictsTheSameAndIsSavedAsTheSameBytes) {
  const auto spec = Probe({{"scale", 2.0}});
  const laws::ModelPtr model = laws::Fit(*spec, AllRows(Iris()));
  const laws::Bytes bytes = laws::Save(*spec, model.get());
  const laws::Made loaded = laws::Load(*spec, bytes);
  ASSERT_EQ(loaded.message, "");
  EXPECT_TRUE(laws::SamePrediction(laws::Predict(*spec, loaded.model.get(), AllRows(Iris())),
                                   laws::Predict(*spec, model.get(), AllRows(Iris())), 0));
  EXPECT_EQ(laws::Save(*spec, loaded.model.get()), bytes);
  laws::ExpectDamageIsRefused(*spec, bytes);
}

TEST(ExecDataTest, ImportanceHasANumberForEachFeature) {
  const auto spec = Probe();
  const auto* capability = spec->component().capability<cf_cap_importance>(CF_CAP_IMPORTANCE);
  ASSERT_NE(capability, nullptr);
  const laws::ModelPtr model = laws::Fit(*spec, AllRows(Iris()));
  std::vector<double> out(4);
  const CallResult result = CallPlugin(spec->component(), {}, [&](const cf_call* call) {
    return capability->importance(call, model.get(), out.data(), out.size());
  });
  EXPECT_EQ(result.message, "");
  EXPECT_THAT(out, ElementsAre(1, 2, 3, 4));
}

TEST(ExecDataTest, ManyModelsLiveAtTheSameTime) {
  std::vector<std::shared_ptr<const FittedModel>> models;
  for (int i = 0; i < 20; ++i) {
    models.push_back(FittedModel::Fit(ProbeLearner({{"scale", static_cast<double>(i)}}),
                                      RowsOf(Mixed(), {0}), 1, {}));
  }
  for (int i = 0; i < 20; ++i) {
    const Prediction got = models[static_cast<std::size_t>(i)]->Predict(RowsOf(Mixed(), {0}), {});
    EXPECT_DOUBLE_EQ(got.values[0], 0.5 * i + FeatureSum(RowsOf(Mixed(), {0}), 0));
  }
}

TEST(ExecDataTest, TheVersionOfTheComponentNamesItsEnvironment) {
  EXPECT_EQ(Probe()->component().version, "1.0.0 (probe 1.0)");
}

}  // namespace
}  // namespace crossfold
