#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "unit/plugins/capability_laws.h"
#include "unit/plugins/learner_fixture.h"

namespace crossfold {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;

Prediction Knn(const ParamValues& values, const DataView& train, const DataView& test) {
  return FitPredict("knn", values, train, test);
}

std::int64_t CorrectRows(const ParamValues& values, const DataPtr& data, const RowIds& train,
                         const RowIds& test) {
  return CountCorrect(*data, Knn(values, RowsOf(data, train), RowsOf(data, test)));
}

// ---- golden run --------------------------------------------------------------------------------

// Iris with all features times ten, as integers: distances are exact, so equal ones are equal.
DataPtr IrisInMillimetres() {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  std::vector<Column> columns;
  for (const Column& column : iris->columns()) {
    if (column.dtype != CF_F64) {
      columns.push_back(column);
      continue;
    }
    std::vector<std::int64_t> tenths;
    for (std::int64_t i = 0; i < column.n_rows; ++i) {
      tenths.push_back(std::llround(static_cast<const double*>(column.data)[i] * 10));
    }
    columns.push_back(Column::Integers(column.name, std::move(tenths)));
  }
  return Dataset::Create("iris", std::move(columns), TargetRole("class"));
}

constexpr std::array<std::int64_t, 6> kGoldenGrid = {1, 3, 5, 7, 9, 11};

// Correct inner rows for each k of the grid; inner fold = position in the training set mod 3.
std::vector<std::int64_t> InnerCorrect(const DataPtr& iris, const RowIds& train) {
  std::vector<std::int64_t> correct;
  for (const std::int64_t k : kGoldenGrid) {
    correct.push_back(0);
    for (std::int64_t fold = 0; fold < 3; ++fold) {
      correct.back() += CorrectRows({{"k", k}}, iris, FoldRows(train, 3, fold, false),
                                    FoldRows(train, 3, fold, true));
    }
  }
  return correct;
}

// Nested cross-validation without random numbers, worked out beforehand with an independent program
// (shared/reference/frameworks.md, 4.13). Outer fold = row mod 5; the smallest of the best k.
TEST(KnnTest, TheGoldenNestedRunComesOutExactly) {
  const DataPtr iris = IrisInMillimetres();
  std::vector<std::vector<std::int64_t>> inner;
  std::vector<std::int64_t> chosen, outer;
  for (std::int64_t fold = 0; fold < 5; ++fold) {
    const RowIds train = FoldRows(RowRange(0, 150), 5, fold, false);
    inner.push_back(InnerCorrect(iris, train));
    const auto best = std::max_element(inner.back().begin(), inner.back().end());
    chosen.push_back(kGoldenGrid[static_cast<std::size_t>(best - inner.back().begin())]);
    outer.push_back(CorrectRows({{"k", chosen.back()}}, iris, train,
                                FoldRows(RowRange(0, 150), 5, fold, true)));
  }
  EXPECT_THAT(inner, ElementsAre(ElementsAre(113, 114, 114, 115, 113, 111),
                                 ElementsAre(111, 113, 113, 113, 114, 114),
                                 ElementsAre(114, 116, 116, 117, 115, 116),
                                 ElementsAre(116, 118, 116, 117, 117, 116),
                                 ElementsAre(114, 112, 114, 115, 114, 113)));
  EXPECT_THAT(chosen, ElementsAre(7, 9, 7, 3, 7));
  EXPECT_THAT(outer, ElementsAre(29, 29, 28, 29, 30));
}

TEST(KnnTest, OneNeighbourOnTheGoldenFolds) {
  const DataPtr iris = IrisInMillimetres();
  std::vector<std::int64_t> correct;
  for (std::int64_t fold = 0; fold < 5; ++fold) {
    correct.push_back(CorrectRows({{"k", 1}}, iris, FoldRows(RowRange(0, 150), 5, fold, false),
                                  FoldRows(RowRange(0, 150), 5, fold, true)));
  }
  EXPECT_THAT(correct, ElementsAre(29, 29, 29, 28, 29));  // the same source
}

// ---- ties --------------------------------------------------------------------------------------

TEST(KnnTest, EqualDistancesGoByRowIdInAnyOrderOfTheTrainingRows) {
  // Rows 0 (b) and 1 (a) are both 1 away from row 2.
  const DataPtr data = ParseTable("x,y\n0,b\n2,a\n1,a\n", "y");
  EXPECT_THAT(Knn({{"k", 1}}, RowsOf(data, {0, 1}), RowsOf(data, {2})).labels, ElementsAre(1));
  EXPECT_THAT(Knn({{"k", 1}}, RowsOf(data, {1, 0}), RowsOf(data, {2})).labels, ElementsAre(1));
}

TEST(KnnTest, EqualVotesGoToTheLowerClassIndex) {
  // The nearer of the two neighbours is a b.
  const DataPtr data = ParseTable("x,y\n1,b\n3,a\n0,a\n", "y");
  EXPECT_THAT(Knn({{"k", 2}}, RowsOf(data, {0, 1}), RowsOf(data, {2})).labels, ElementsAre(0));
}

TEST(KnnTest, TheOrderOfTheTrainingRowsDoesNotMatter) {
  const DataPtr digits = ReadDigits();
  RowIds train = RowRange(0, 203);
  const DataView test = RowsOf(digits, RowRange(300, 401));
  const ParamValues values = {{"k", 4}, {"weights", "distance"}};
  const Prediction forward = Knn(values, RowsOf(digits, train), test);
  std::reverse(train.begin(), train.end());
  const Prediction backward = Knn(values, RowsOf(digits, train), test);
  EXPECT_EQ(forward.labels, backward.labels);
  EXPECT_EQ(forward.probabilities, backward.probabilities);
}

// ---- distances ---------------------------------------------------------------------------------

// Distances from the origin (row 3) of rows 0 (3, 3), 1 (0, 4.5) and 2 (1, 4), by hand:
//   manhattan 6, 4.5, 5; euclidean 4.243, 4.5, 4.123; chebyshev 3, 4.5, 4; cubic 3.780, 4.5, 4.021.
std::int32_t NearestToOrigin(const ParamValues& values) {
  const DataPtr data = ParseTable("x1,x2,y\n3,3,a\n0,4.5,b\n1,4,c\n0,0,a\n", "y");
  ParamValues all = values;
  all["k"] = std::int64_t{1};
  return Knn(all, RowsOf(data, {0, 1, 2}), RowsOf(data, {3})).labels.at(0);
}

TEST(KnnTest, EachDistanceHasItsOwnNearestRow) {
  EXPECT_EQ(NearestToOrigin({{"distance", "manhattan"}}), 1);
  EXPECT_EQ(NearestToOrigin({{"distance", "euclidean"}}), 2);
  EXPECT_EQ(NearestToOrigin({{"distance", "chebyshev"}}), 0);
  EXPECT_EQ(NearestToOrigin({{"distance", "minkowski"}, {"p", 3.0}}), 0);
}

TEST(KnnTest, MinkowskiWithPOneAndTwoIsManhattanAndEuclidean) {
  EXPECT_EQ(NearestToOrigin({{"distance", "minkowski"}, {"p", 1.0}}), 1);
  EXPECT_EQ(NearestToOrigin({{"distance", "minkowski"}, {"p", 2.0}}), 2);
}

// Correct rows of every tenth digit, trained on the others, k = 5; expected values from a direct
// Python program (sorted list of (distance, row)).
TEST(KnnTest, DigitsAgreeWithAnIndependentProgram) {
  const DataPtr digits = ReadDigits();
  const RowIds train = FoldRows(RowRange(0, 1797), 10, 0, false);
  const RowIds test = FoldRows(RowRange(0, 1797), 10, 0, true);
  EXPECT_EQ(CorrectRows({{"distance", "manhattan"}}, digits, train, test), 177);
  EXPECT_EQ(CorrectRows({{"distance", "euclidean"}}, digits, train, test), 178);
  EXPECT_EQ(CorrectRows({{"distance", "chebyshev"}}, digits, train, test), 173);
}

// ---- votes and means ---------------------------------------------------------------------------

TEST(KnnTest, ProbabilitiesAreSharesOfTheVotes) {
  const DataPtr data = ParseTable("x,y\n1,a\n2,b\n3,b\n9,c\n0,a\n", "y");
  const Prediction p = Knn({{"k", 3}}, RowsOf(data, {0, 1, 2, 3}), RowsOf(data, {4}));
  EXPECT_THAT(p.probabilities, ElementsAre(1.0 / 3, 2.0 / 3, 0.0));
  EXPECT_THAT(p.labels, ElementsAre(1));
}

TEST(KnnTest, WeightedByDistanceTheNearerNeighbourCanWin) {
  // Distances 1 (a), 3 (b), 3 (b): votes 1 against 2/3.
  const DataPtr data = ParseTable("x,y\n1,a\n3,b\n-3,b\n0,a\n", "y");
  const DataView train = RowsOf(data, {0, 1, 2});
  EXPECT_THAT(Knn({{"k", 3}}, train, RowsOf(data, {3})).labels, ElementsAre(1));
  const Prediction p = Knn({{"k", 3}, {"weights", "distance"}}, train, RowsOf(data, {3}));
  EXPECT_THAT(p.labels, ElementsAre(0));
  EXPECT_THAT(p.probabilities, ElementsAre(DoubleEq(0.6), DoubleEq(0.4)));
}

TEST(KnnTest, NeighboursAtDistanceZeroSilenceTheOthers) {
  const DataPtr data = ParseTable("x,y\n5,b\n5,a\n5,b\n5.1,a\n5.1,a\n5,a\n", "y");
  const Prediction p =
      Knn({{"k", 5}, {"weights", "distance"}}, RowsOf(data, {0, 1, 2, 3, 4}), RowsOf(data, {5}));
  EXPECT_THAT(p.probabilities, ElementsAre(1.0 / 3, 2.0 / 3));
}

TEST(KnnTest, TinyDistancesDoNotOverflowTheirWeights) {
  // 1/d is beyond the largest double for d = 1e-310.
  const DataPtr data = Dataset::Create(
      "table", {Column::Doubles("x", {1e-310, -2e-310, 0}), Column::Doubles("y", {3, 6, 0})},
      TargetRole("y"));
  const Prediction p = Knn({{"k", 2}, {"weights", "distance"}, {"distance", "manhattan"}},
                           RowsOf(data, {0, 1}), RowsOf(data, {2}));
  EXPECT_THAT(p.values, ElementsAre(DoubleEq(4.0)));
}

TEST(KnnTest, RegressionPredictsTheMeanOfTheNeighbours) {
  const DataPtr data = ParseTable("x,y\n1,10\n2,20\n4,40\n50,7\n0,0\n", "y");
  const DataView train = RowsOf(data, {0, 1, 2, 3});
  EXPECT_THAT(Knn({{"k", 2}}, train, RowsOf(data, {4})).values, ElementsAre(15.0));
  // Weights 1, 1/2, 1/4: (10 + 10 + 10) / 1.75.
  EXPECT_THAT(Knn({{"k", 3}, {"weights", "distance"}}, train, RowsOf(data, {4})).values,
              ElementsAre(DoubleEq(30 / 1.75)));
}

// Mean squared error of five folds (row mod 5), k = 7; expected values from a direct Python program
// (math.dist, math.fsum).
TEST(KnnTest, DiabetesRegressionAgreesWithAnIndependentProgram) {
  const DataPtr data = ReadTestData("diabetes_regr.csv", "target");
  const auto mean_squared_error = [&](const char* weights) {
    double sum = 0;
    for (std::int64_t fold = 0; fold < 5; ++fold) {
      const Prediction p = Knn({{"k", 7}, {"weights", weights}},
                               RowsOf(data, FoldRows(RowRange(0, 442), 5, fold, false)),
                               RowsOf(data, FoldRows(RowRange(0, 442), 5, fold, true)));
      for (std::size_t i = 0; i < p.rows.size(); ++i) {
        sum += std::pow(p.values[i] - data->values()[static_cast<std::size_t>(p.rows[i])], 2);
      }
    }
    return sum / 442;
  };
  EXPECT_NEAR(mean_squared_error("uniform"), 4078.0964539662023, 1e-8);
  EXPECT_NEAR(mean_squared_error("distance"), 4064.6598165123564, 1e-8);
}

// ---- refusals ----------------------------------------------------------------------------------

TEST(KnnTest, MoreNeighboursThanTrainingRowsAreRefusedNotReduced) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  EXPECT_EQ(FailureOf("knn", {{"k", 50}}, RowsOf(iris, RowRange(0, 47)), AllRows(iris)),
            "cannot fit 'knn{k=50}' on dataset 'iris': k = 50 exceeds the 47 training rows");
  EXPECT_EQ(FailureOf("knn", {{"k", 47}}, RowsOf(iris, RowRange(0, 47)), AllRows(iris)), "");
}

TEST(KnnTest, TheCheckCapabilitySaysTheSameBeforeAnythingRuns) {
  const auto spec = BundledSpec(Kind::kLearner, "knn", {{"k", 2}});
  const auto* check = spec->component().capability<cf_cap_check>(CF_CAP_CHECK);
  ASSERT_NE(check, nullptr);
  std::string said;
  cf_host host{};
  host.struct_size = sizeof(host);
  host.host_data = &said;
  host.fail = [](const cf_call* call, cf_status code, const char* message) {
    *static_cast<std::string*>(call->host->host_data) = message;
    return code;
  };
  cf_call call{};
  call.struct_size = sizeof(call);
  call.host = &host;
  cf_shape shape{};
  shape.struct_size = sizeof(shape);
  shape.n_rows = 1;
  const auto run = [&] {
    return check->check(&call, spec->args().data(), spec->args().size(), &shape);
  };
  EXPECT_EQ(run(), CF_E_INVALID_PARAM);
  EXPECT_EQ(said, "k = 2 exceeds the 1 training row");
  shape.n_rows = 2;
  EXPECT_EQ(run(), CF_OK);
}

TEST(KnnTest, InfiniteFeaturesAreRefusedByName) {
  const DataPtr data =
      Dataset::Create("table",
                      {Column::Doubles("size", {1, std::numeric_limits<double>::infinity()}),
                       Column::Doubles("y", {1, 2})},
                      TargetRole("y"));
  EXPECT_EQ(FailureOf("knn", {{"k", 1}}, AllRows(data), AllRows(data)),
            "cannot fit 'knn{k=1}' on dataset 'table': feature 'size' has an infinite entry");
}

TEST(KnnTest, DistancesBeyondTheRangeOfNumbersFailInsteadOfTying) {
  const DataPtr data = ParseTable("x,y\n1e200,1\n-1e200,2\n", "y");
  EXPECT_EQ(FailureOf("knn", {{"k", 1}}, RowsOf(data, {0}), RowsOf(data, {1})),
            "cannot predict with 'knn{k=1}' on dataset 'table': a distance exceeds the range of "
            "numbers; rescale the features");
}

TEST(KnnTest, AnInfiniteExponentIsRefused) {
  const DataPtr data = ParseTable("x,y\n1,1\n2,2\n", "y");
  EXPECT_EQ(
      FailureOf(
          "knn",
          {{"k", 1}, {"distance", "minkowski"}, {"p", std::numeric_limits<double>::infinity()}},
          AllRows(data), AllRows(data)),
      "cannot make learner 'knn': p = inf is not finite; it must be a number >= 1");
}

// Rows 0 and 1 are equally near to row 2. Whatever the order of the training rows, and also after a
// transform that makes new columns, the lower row of the dataset is the nearest one.
TEST(KnnTest, TiesGoToTheLowerRowOfTheDatasetBehindATransformToo) {
  const DataPtr data = Dataset::Create(
      "ties",
      {Column::Doubles("x", {-1, 1, 0}), Column::Categories("y", {1, 0, 0}, {"other", "first"})},
      {.target = "y"});
  const auto nearest = BundledSpec(Kind::kLearner, "knn", {{"k", std::int64_t{1}}});
  const auto standardize = BundledSpec(Kind::kTransform, "standardize", {});
  for (const auto& pipeline : {Pipeline::Make({nearest}), Pipeline::Make({standardize, nearest})}) {
    for (const RowIds& order : {RowIds{0, 1}, RowIds{1, 0}}) {
      const auto model = FittedModel::Fit(pipeline, RowsOf(data, order), 1, {});
      EXPECT_THAT(model->Predict(RowsOf(data, {2}), {}).labels, testing::ElementsAre(1))
          << pipeline->ToString();
    }
  }
}

// ---- distances that learn from the training rows -----------------------------------------------

struct OutOfFold {
  std::int64_t correct = 0;
  double squares = 0;  // sum of the squared probabilities
};

// Folds: row i belongs to fold i mod 10.
OutOfFold TenFolds(const DataPtr& data, const ParamValues& values) {
  OutOfFold sum;
  const RowIds rows = RowRange(0, data->num_rows());
  for (std::int64_t fold = 0; fold < 10; ++fold) {
    const Prediction p = Knn(values, RowsOf(data, FoldRows(rows, 10, fold, false)),
                             RowsOf(data, FoldRows(rows, 10, fold, true)));
    sum.correct += CountCorrect(*data, p);
    for (const double share : p.probabilities) sum.squares += share * share;
  }
  return sum;
}

// Expected values: tests/unit/plugins/reference_knn.py.
TEST(KnnTest, MahalanobisAgreesWithScikitLearn) {
  const OutOfFold found = TenFolds(ReadTestData("wine.csv", "class"),
                                   {{"distance", "mahalanobis"}, {"weights", "distance"}});
  EXPECT_EQ(found.correct, 167);
  EXPECT_NEAR(found.squares, 145.6186133495502, 1e-9);
}

TEST(KnnTest, GowerAgreesWithAnIndependentProgramOnMixedDataWithMissingEntries) {
  const OutOfFold found = TenFolds(ReadTestData("penguins.csv", "species"),
                                   {{"distance", "gower"}, {"weights", "distance"}});
  EXPECT_EQ(found.correct, 324);
  EXPECT_NEAR(found.squares, 333.843297122762, 1e-9);
}

TEST(KnnTest, MahalanobisDoesNotDependOnUnits) {
  const DataPtr data = ParseTable("a,b,y\n0,0,1\n1,0,2\n0,2,3\n3,5,4\n2,1,5\n1,1,0\n", "y");
  const DataPtr scaled =
      ParseTable("a,b,y\n0,0,1\n1e6,0,2\n0,2e-3,3\n3e6,5e-3,4\n2e6,1e-3,5\n1e6,1e-3,0\n", "y");
  const ParamValues values = {{"k", 3}, {"distance", "mahalanobis"}};
  const RowIds train = RowRange(0, 5);
  EXPECT_EQ(Knn(values, RowsOf(data, train), RowsOf(data, {5})).values,
            Knn(values, RowsOf(scaled, train), RowsOf(scaled, {5})).values);
}

TEST(KnnTest, MahalanobisRefusesASingularCovariance) {
  const ParamValues values = {{"k", 1}, {"distance", "mahalanobis"}};
  const DataPtr twice = ParseTable("a,b,y\n1,2,1\n2,4,2\n3,6,3\n5,10,4\n", "y");
  EXPECT_EQ(FailureOf("knn", values, AllRows(twice), AllRows(twice)),
            "cannot fit 'knn{distance=mahalanobis,k=1}' on dataset 'table': the covariance of the "
            "training rows is singular: some features are constant or depend linearly on others; "
            "leave features out, use pca before it or another distance");
  EXPECT_EQ(FailureOf("knn", values, RowsOf(twice, {0, 1}), AllRows(twice)),
            "cannot fit 'knn{distance=mahalanobis,k=1}' on dataset 'table': the covariance of 2 "
            "features is singular with 2 training rows; leave features out, use pca before it or "
            "another distance");
}

TEST(KnnTest, GowerAveragesOverTheFeaturesThatBothRowsHave) {
  const DataPtr data = ParseTable("size,colour,y\n1,red,0\n2,blue,10\n5,red,20\n?,green,30\n", "y");
  const auto nearest = [&](std::int64_t k) {
    return Knn({{"k", k}, {"distance", "gower"}}, RowsOf(data, {1, 2, 3}), RowsOf(data, {0}))
        .values;
  };
  // The range of the training rows is 5 - 2 = 3, so the rows 1 and 2 are (1/3 + 1)/2 and (4/3 +
  // 0)/2 away: a tie, which goes to the lower row. Row 3 has one feature in common and differs in
  // it: 1.
  EXPECT_THAT(nearest(1), ElementsAre(10));
  EXPECT_THAT(nearest(2), ElementsAre(15));
  EXPECT_THAT(nearest(3), ElementsAre(20));
}

TEST(KnnTest, OnlyGowerTakesCategoriesAndMissingEntries) {
  const DataPtr colours = ParseTable("colour,y\nred,1\nblue,2\n", "y");
  EXPECT_EQ(FailureOf("knn", {{"k", 1}}, AllRows(colours), AllRows(colours)),
            "cannot fit 'knn{k=1}' on dataset 'table': feature 'colour' is categorical and "
            "distance = euclidean takes numbers only; encode it or use distance = gower");
  const DataPtr holes = ParseTable("x,y\n1,1\n?,2\n", "y");
  EXPECT_EQ(FailureOf("knn", {{"k", 1}, {"distance", "manhattan"}}, AllRows(holes), AllRows(holes)),
            "cannot fit 'knn{distance=manhattan,k=1}' on dataset 'table': feature 'x' has a "
            "missing entry and distance = manhattan takes none; impute it or use distance = gower");
}

// ---- laws of the capabilities ------------------------------------------------------------------

// Row i of iris in fold i mod 5, but for the rows 0, 50 and 100, which are always trained on.
std::vector<std::int32_t> FiveFolds(std::int64_t n_rows) {
  std::vector<std::int32_t> folds;
  for (std::int64_t i = 0; i < n_rows; ++i) {
    folds.push_back(i % 50 == 0 ? -1 : static_cast<std::int32_t>(i % 5));
  }
  return folds;
}

TEST(KnnTest, OneFitServesEveryK) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  const DataView train = RowsOf(iris, FoldRows(RowRange(0, 150), 3, 0, false));
  for (const char* distance : {"euclidean", "mahalanobis"}) {
    ExpectFitPathLaw("knn", {{"distance", distance}}, "k", {1, 4, 11, 100}, train, AllRows(iris));
  }
}

TEST(KnnTest, CrossPredictionsEqualThoseOfSeparateFits) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  ExpectCrossPredictLaw("knn",
                        {{{"k", 1}},
                         {{"k", 9}},
                         {{"k", 5}, {"weights", "distance"}},
                         {{"k", 4}, {"distance", "manhattan"}},
                         {{"k", 3}, {"distance", "minkowski"}, {"p", 3.0}},
                         {{"k", 7}, {"distance", "minkowski"}, {"p", 1.5}},
                         {{"k", 6}, {"distance", "mahalanobis"}},
                         {{"k", 6}, {"distance", "gower"}}},
                        AllRows(iris), FiveFolds(150), 5);
  const DataPtr penguins = ReadTestData("penguins.csv", "species");
  ExpectCrossPredictLaw("knn", {{{"k", 3}, {"distance", "gower"}}}, AllRows(penguins),
                        FiveFolds(penguins->num_rows()), 5);
  const DataPtr diabetes = ReadTestData("diabetes_regr.csv", "target");
  ExpectCrossPredictLaw("knn", {{{"k", 1}}, {{"k", 12}, {"weights", "distance"}}},
                        AllRows(diabetes), FiveFolds(diabetes->num_rows()), 5);
}

TEST(KnnTest, ACrossPredictionFailsAloneWhereItsSeparateFitFails) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  // 119 or 120 training rows.
  ExpectCrossPredictLaw("knn", {{{"k", 120}}, {{"k", 2}}, {{"k", 150}}}, AllRows(iris),
                        FiveFolds(150), 5);
}

TEST(KnnTest, ASavedModelPredictsTheSameBytes) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  const DataView train = RowsOf(iris, FoldRows(RowRange(0, 150), 10, 0, true));
  for (const char* distance : {"euclidean", "mahalanobis", "gower"}) {
    ExpectSaveLoadLaw("knn", {{"k", 3}, {"distance", distance}}, train, AllRows(iris));
  }
  const DataPtr diabetes = ReadTestData("diabetes_regr.csv", "target");
  ExpectSaveLoadLaw("knn", {{"k", 2}, {"weights", "distance"}}, RowsOf(diabetes, RowRange(0, 9)),
                    RowsOf(diabetes, RowRange(0, 40)));
}

TEST(KnnTest, TheOrderOfTheTrainingRowsDoesNotMatterToAnyDistance) {
  const DataPtr wine = ReadTestData("wine.csv", "class");
  for (const char* distance : {"manhattan", "euclidean", "chebyshev", "mahalanobis", "gower"}) {
    ExpectRowOrderDoesNotMatter("knn", {{"distance", distance}}, RowsOf(wine, RowRange(0, 150)),
                                AllRows(wine));
  }
}

TEST(KnnTest, DistancesThatVanishInTheSumOfPowersAreRefused) {
  // 0.1^400 and 0.2^400 are not doubles: both rows would be at distance 0 from the origin.
  const DataPtr data = ParseTable("x,y\n0.2,a\n0.1,b\n0,a\n", "y");
  const ParamValues by_p = {{"k", 1}, {"distance", std::string("minkowski")}, {"p", 400.0}};
  EXPECT_EQ(
      FailureOf("knn", by_p, RowsOf(data, {0, 1}), RowsOf(data, {2})),
      "cannot predict with 'knn{distance=minkowski,k=1,p=400}' on dataset 'table': the distance of "
      "two different rows vanishes in the sum of powers; use a smaller p or rescale the features");
  // A row is still at distance 0 from itself.
  EXPECT_EQ(FailureOf("knn", by_p, RowsOf(data, {0}), RowsOf(data, {0})), "");
}

}  // namespace
}  // namespace crossfold
