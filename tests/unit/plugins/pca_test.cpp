#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "unit/engine/data/refusal.h"
#include "unit/plugins/transform_fixture.h"

namespace crossfold {
namespace {

using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Pointwise;

constexpr double kExact = 1e-9;

// Row i of what was made.
std::vector<double> Row(const Transformed& t, std::size_t i) {
  std::vector<double> row;
  for (const std::vector<double>& column : t.columns) row.push_back(column.at(i));
  return row;
}

// The numbers of these tests are PCA(...).fit(X).transform(X) of scikit-learn 1.2.1, each component
// times the sign of its loading of the greatest absolute value.
TEST(PcaTest, IrisComesOutAsInScikitLearn) {
  const Transformed t = FitApply("pca", {}, Iris());
  EXPECT_THAT(t.names, ElementsAre("pc1", "pc2", "pc3", "pc4"));
  EXPECT_THAT(Row(t, 0),
              Pointwise(DoubleNear(kExact), {-2.684125625969537, 0.3193972465850996,
                                             -0.02791482758941366, 0.002262437071316792}));
  EXPECT_THAT(Row(t, 149),
              Pointwise(DoubleNear(kExact), {1.3901888619479135, -0.28266093799055014,
                                             0.36290964808537557, -0.15503862823011155}));
}

TEST(PcaTest, WhiteningGivesEveryComponentVarianceOne) {
  EXPECT_THAT(Row(FitApply("pca", {{"whiten", true}}, Iris()), 0),
              Pointwise(DoubleNear(kExact), {-1.305337863319855, 0.6483693157802362,
                                             -0.0998171567550144, 0.014654401400474682}));
}

// PCA(3) of StandardScaler().fit_transform(X).
TEST(PcaTest, ScaledWineComesOutAsStandardizedWineInScikitLearn) {
  const DataPtr wine = ReadTestData("wine.csv", "class");
  EXPECT_THAT(
      Row(FitApply("pca", {{"components", 3}, {"scale", true}}, wine), 0),
      Pointwise(DoubleNear(kExact), {3.316750812214781, 1.4434626343180077, -0.16573904461441966}));
}

// The cumulated shares of iris are 0.9246, 0.9777, 0.9948, 1.
TEST(PcaTest, AShareOfTheVarianceDecidesHowMany) {
  const auto count = [](double share) {
    return FitApply("pca", {{"variance", share}}, Iris()).names.size();
  };
  EXPECT_EQ(count(0.5), 1u);
  EXPECT_EQ(count(0.95), 2u);
  EXPECT_EQ(count(0.99), 3u);
  EXPECT_EQ(count(1), 4u);
}

// PCA(0.9, svd_solver="full") keeps 21 of the 64 columns.
TEST(PcaTest, DigitsComeOutAsInScikitLearn) {
  const std::vector<double> row = Row(FitApply("pca", {{"variance", 0.9}}, ReadDigits()), 7);
  ASSERT_EQ(row.size(), 21u);
  EXPECT_NEAR(row[0], -2.952606957675049, kExact);
  EXPECT_NEAR(row[1], 21.071664293896003, kExact);
  EXPECT_NEAR(row[20], -2.24771226252758, kExact);
}

TEST(PcaTest, MoreColumnsThanRowsAreNoProblem) {
  const DataPtr digits = ReadDigits();
  const Transformed t = FitApply("pca", {}, RowsOf(digits, RowRange(0, 20)), RowsOf(digits, {100}));
  ASSERT_EQ(t.names.size(), 20u);
  EXPECT_NEAR(t.columns[0][0], 20.23590030604943, kExact);
  EXPECT_NEAR(t.columns[1][0], -15.968212944591402, kExact);
}

TEST(PcaTest, TheExportTellsTheShares) {
  // Two columns, uncorrelated, with variances 4 and 1.
  const DataPtr data = ParseTable("a,b,y\n2,1,0\n2,-1,0\n-2,1,0\n-2,-1,0\n", "y");
  EXPECT_EQ(FittedTransform("pca", {}, AllRows(data)).Export(),
            "component\tshare of variance\npc1\t0.8\npc2\t0.2\n");
}

TEST(PcaTest, EqualLoadingsAreSignedByTheFirst) {
  // All rows on the line a = -b: loadings 0.7071 and -0.7071.
  const DataPtr data = ParseTable("a,b,y\n1,-1,0\n2,-2,0\n6,-6,0\n", "y");
  EXPECT_THAT(FitApply("pca", {{"components", 1}}, data).columns,
              ElementsAre(Pointwise(DoubleNear(1e-12),
                                    {-2 * std::sqrt(2.0), -std::sqrt(2.0), 3 * std::sqrt(2.0)})));
}

TEST(PcaTest, DistancesStayWhatTheyWere) {
  const DataPtr iris = Iris();
  const Transformed t = FitApply("pca", {}, iris);
  const std::vector<double> a = Row(t, 3), b = Row(t, 120);
  double squares = 0, expected = 0;
  for (std::size_t j = 0; j < 4; ++j) {
    squares += (a[j] - b[j]) * (a[j] - b[j]);
    const cf_column& column = iris->features()[j];
    const double d = plugin::EntryAsDouble(column, 3) - plugin::EntryAsDouble(column, 120);
    expected += d * d;
  }
  EXPECT_NEAR(squares, expected, 1e-12);
}

TEST(PcaTest, WeightsCountAsRepetitions) {
  const char* rows[] = {"1,5,3", "2,9,1", "4,4,4", "7,3,0", "8,8,8"};
  const int weights[] = {1, 3, 0, 2, 1};
  std::string weighted = "a,b,c,w,y\n", plain = "a,b,c,y\n";
  RowIds repeated;
  for (int i = 0; i < 5; ++i) {
    weighted += std::string(rows[i]) + ',' + std::to_string(weights[i]) + ",0\n";
    plain += std::string(rows[i]) + ",0\n";
    repeated.insert(repeated.end(), static_cast<std::size_t>(weights[i]), i);
  }
  const DataPtr a = ParseTable(weighted, "y", "w"), b = ParseTable(plain, "y");
  const ParamValues whiten = {{"whiten", true}, {"scale", true}, {"components", 2}};
  const Transformed x = FitApply("pca", whiten, a);
  const Transformed y = FitApply("pca", whiten, RowsOf(b, repeated), AllRows(b));
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_THAT(x.columns[k], Pointwise(DoubleNear(1e-12), y.columns[k]));
  }
}

TEST(PcaTest, OnlyTheTrainingRowsAreMeasured) {
  const DataPtr data = ParseTable("a,b,y\n0,0,0\n2,0,0\n500,900,0\n", "y");
  const Transformed t =
      FitApply("pca", {{"components", 1}}, RowsOf(data, {0, 1}), RowsOf(data, {2}));
  EXPECT_THAT(t.columns, ElementsAre(ElementsAre(DoubleNear(499, 1e-12))));
}

TEST(PcaTest, CategoriesComeBehindTheComponents) {
  const DataPtr data = ParseTable("c,a,d,b,y\nr,1,u,2,0\ns,3,v,4,0\nr,6,u,1,0\n", "y");
  const Transformed t = FitApply("pca", {}, data);
  EXPECT_THAT(t.names, ElementsAre("pc1", "pc2", "c", "d"));
  EXPECT_THAT(t.column("c"), ElementsAre(0, 1, 0));
}

TEST(PcaTest, WithoutNumericColumnsThereAreNoComponents) {
  const DataPtr data = ParseTable("c,y\nr,0\ns,0\n", "y");
  EXPECT_THAT(FitApply("pca", {}, data).names, ElementsAre("c"));
  EXPECT_EQ(TransformFailure("pca", {{"components", 1}}, data),
            "components = 1 exceeds the 0 that the rows and numeric features allow");
}

TEST(PcaTest, ConstantColumnsAddNothing) {
  const DataPtr data = ParseTable("a,b,y\n0.1,1,0\n0.1,2,0\n0.1,6,0\n", "y");
  const Transformed t = FitApply("pca", {{"scale", true}}, data);
  EXPECT_THAT(t.column("pc2"), Each(DoubleNear(0, 1e-15)));
  EXPECT_EQ(TransformFailure("pca", {{"variance", 0.5}}, ParseTable("a,y\n0.1,0\n0.1,0\n", "y")),
            "the numeric features have no variance to share");
}

TEST(PcaTest, WhiteningWhatHasNoVarianceIsRefused) {
  const DataPtr data = ParseTable("a,b,y\n1,2,0\n2,4,0\n6,12,0\n", "y");
  EXPECT_EQ(TransformFailure("pca", {{"whiten", true}}, data),
            "component 2 has no variance, so it cannot be whitened; ask for fewer components");
  EXPECT_EQ(TransformFailure("pca", {{"whiten", true}, {"components", 1}}, data), "");
}

TEST(PcaTest, TooManyComponentsAreRefused) {
  EXPECT_EQ(TransformFailure("pca", {{"components", 5}}, Iris()),
            "components = 5 exceeds the 4 that the rows and numeric features allow");
}

TEST(PcaTest, TwoRulesForTheNumberAreRefused) {
  EXPECT_EQ(TransformFailure("pca", {{"components", 2}, {"variance", 0.9}}, Iris()),
            "components and variance both set the number of components; give one");
}

TEST(PcaTest, OneRowIsRefused) {
  const DataPtr data = NumericColumn({1, 2});
  EXPECT_EQ(FitApply("pca", {}, RowsOf(data, {0}), AllRows(data)).failure,
            "the training rows have a total weight of 1, and a variance needs more than 1 (weights "
            "count as repetitions)");
}

TEST(PcaTest, MissingAndInfiniteEntriesAreRefused) {
  const DataPtr data = NumericColumn({1, 2, kInfinity});
  EXPECT_EQ(TransformFailure("pca", {}, data), "feature 'x' has an infinite or missing entry");
  EXPECT_EQ(FitApply("pca", {}, RowsOf(data, {0, 1}), AllRows(data)).failure,
            "feature 'x' has an infinite or missing entry");
  const auto pca = BundledSpec(Kind::kTransform, "pca", {});
  const auto floor = BundledSpec(Kind::kLearner, "featureless", {});
  EXPECT_EQ(test::MessageOf([&] {
              FittedModel::Fit(Pipeline::Make({pca, floor}), AllRows(NumericColumn({1, kMissing})),
                               1, {});
            }),
            "cannot use transform 'pca' on dataset 'table': it does not accept missing values "
            "(1 in feature 'x'); fill them in or leave the feature out");
}

TEST(PcaTest, ASavedModelDoesTheSame) {
  ExpectSurvivesSaving("pca", {{"components", 2}, {"whiten", true}}, Iris());
}

}  // namespace
}  // namespace crossfold
