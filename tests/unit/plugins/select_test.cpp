#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <locale>
#include <sstream>

#include "unit/plugins/transform_fixture.h"

namespace crossfold {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

ParamValues By(const char* method, ParamValues more = {}) {
  more["method"] = std::string(method);
  return more;
}

// The scores in a fitted selection's text.
std::vector<double> ScoresOf(const ParamValues& values, const DataView& train) {
  std::istringstream text(FittedTransform("select", values, train).Export());
  text.imbue(std::locale::classic());
  std::string line, kept;
  std::getline(text, line);
  std::vector<double> scores;
  for (double score; text >> kept >> score && std::getline(text, line);) scores.push_back(score);
  return scores;
}
std::vector<double> ScoresOf(const ParamValues& values, const DataPtr& data) {
  return ScoresOf(values, AllRows(data));
}
std::vector<std::string> Kept(const ParamValues& values, const DataPtr& data) {
  return FitApply("select", values, data).names;
}

// f_classif(X, y)[0] of scikit-learn 1.2.1.
TEST(SelectTest, FOfIrisIsThatOfScikitLearn) {
  EXPECT_THAT(ScoresOf(By("anova_f"), Iris()),
              Pointwise(DoubleNear(1e-9), {119.26450218449871, 49.16004008961098,
                                           1180.1611822529776, 960.0071468018025}));
}

// X.var(0) of numpy.
TEST(SelectTest, VarianceIsThatOfThePopulation) {
  EXPECT_THAT(ScoresOf(By("variance"), Iris()),
              Pointwise(DoubleNear(1e-13), {0.6811222222222222, 0.1887128888888887,
                                            3.0955026666666674, 0.5771328888888888}));
}

// numpy.abs(r_regression(X, y)) of scikit-learn 1.2.1.
TEST(SelectTest, CorrelationOfDiabetesIsThatOfScikitLearn) {
  EXPECT_THAT(
      ScoresOf(By("correlation"), ReadTestData("diabetes_regr.csv", "target")),
      Pointwise(DoubleNear(1e-12),
                {0.18788875071891903, 0.04306199845160564, 0.5864501344746967, 0.4414817585625746,
                 0.21202248101454996, 0.17405358696874226, 0.39478925067091897, 0.4304528847447737,
                 0.565882592442733, 0.38248348424857853}));
}

// scipy.stats.chi2_contingency(table, correction=False)[0], scipy 1.10.1.
TEST(SelectTest, ChiSquaredOfTheWeatherIsThatOfScipy) {
  EXPECT_THAT(ScoresOf(By("chi_squared"), ReadTestData("weather_nominal.csv", "play")),
              Pointwise(DoubleNear(1e-12),
                        {3.5466666666666664, 0.5703703703703703, 2.8, 0.9333333333333333}));
}

// sklearn.metrics.mutual_info_score(column, play) of scikit-learn 1.2.1.
TEST(SelectTest, MutualInformationOfTheWeatherIsThatOfScikitLearn) {
  EXPECT_THAT(ScoresOf(By("mutual_information"), ReadTestData("weather_nominal.csv", "play")),
              Pointwise(DoubleNear(1e-12), {0.17103394188032717, 0.020255538995232386,
                                            0.10524434967821268, 0.03335911543621453}));
}

// weka.attributeSelection.ChiSquaredAttributeEval and InfoGainAttributeEval (bits) of Weka 3.6.14,
// to 3 or 4 digits, on what its filter supervised.attribute.Discretize makes of the data. (By
// themselves, the two cut with the filter's option -E, a cheaper coding of the cut points.)
TEST(SelectTest, NumericFeaturesScoreAsInWeka) {
  EXPECT_THAT(ScoresOf(By("chi_squared"), Iris()),
              Pointwise(DoubleNear(5e-4), {118.6194, 72.683, 262.0606, 266.9082}));
  std::vector<double> bits = ScoresOf(By("mutual_information"), Iris());
  for (double& score : bits) score /= std::log(2.0);
  EXPECT_THAT(bits, Pointwise(DoubleNear(5e-4), {0.652, 0.386, 1.357, 1.378}));
  EXPECT_THAT(
      ScoresOf(By("chi_squared"), ReadTestData("wine.csv", "class")),
      Pointwise(DoubleNear(5e-4), {118.068, 103.6034, 33.9561, 64.022, 53.2394, 123.9831, 230.3736,
                                   49.3682, 63.6985, 167.4932, 139.7128, 152.0929, 177.5024}));
}

TEST(SelectTest, TheKBestStayInTheirOrder) {
  EXPECT_THAT(Kept(By("anova_f", {{"k", 2}}), Iris()),
              ElementsAre("petal length (cm)", "petal width (cm)"));
  EXPECT_THAT(Kept(By("variance", {{"k", 3}}), Iris()),
              ElementsAre("sepal length (cm)", "petal length (cm)", "petal width (cm)"));
}

TEST(SelectTest, AThresholdMustBeExceeded) {
  const DataPtr data = ParseTable("a,b,c,y\n0,0,5,0\n2,4,5,0\n", "y");  // variances 1, 4, 0
  EXPECT_THAT(Kept(By("variance", {{"threshold", 1}}), data), ElementsAre("b"));
  EXPECT_THAT(Kept(By("variance", {{"threshold", 0.5}}), data), ElementsAre("a", "b"));
  EXPECT_THAT(Kept(By("variance", {{"threshold", 0.5}, {"k", 1}}), data), ElementsAre("b"));
  EXPECT_THAT(Kept(By("variance"), data), ElementsAre("a", "b"));
}

TEST(SelectTest, EqualScoresGoToTheEarlierFeature) {
  const DataPtr data = ParseTable("a,b,c,y\n1,5,1,u\n2,6,2,v\n3,7,3,v\n1,5,1,u\n", "y");
  EXPECT_THAT(Kept(By("anova_f", {{"k", 1}}), data), ElementsAre("a"));
  EXPECT_THAT(Kept(By("anova_f", {{"k", 2}}), data), ElementsAre("a", "b"));
}

TEST(SelectTest, TheChoiceIsMadeFromTheTrainingRowsOnly) {
  const DataPtr data = ParseTable("a,b,y\n1,1,0\n2,1,0\n2,9,0\n2,-9,0\n", "y");
  EXPECT_THAT(
      FitApply("select", By("variance", {{"k", 1}}), RowsOf(data, {0, 1}), AllRows(data)).names,
      ElementsAre("a"));
}

TEST(SelectTest, FeaturesThatTheMethodDoesNotScoreAreKept) {
  const DataPtr data = ParseTable("c,x,y\nred,1,0\nred,1,0\n", "y");
  EXPECT_THAT(Kept(By("variance"), data), ElementsAre("c"));
  EXPECT_EQ(FittedTransform("select", By("variance"), AllRows(data)).Export(),
            "kept\tvariance\tfeature\nyes\t-\tc\nno\t0\tx\n");
}

TEST(SelectTest, UndefinedScoresAreToldAndNeverKept) {
  const DataPtr data = ParseTable("a,b,c,y\n3,?,1,u\n3,?,2,v\n3,?,1,u\n3,?,2,v\n", "y");
  EXPECT_EQ(FittedTransform("select", By("anova_f", {{"k", 2}}), AllRows(data)).Export(),
            "kept\tanova_f\tfeature\nno\tundefined\ta\nno\tundefined\tb\nyes\tinf\tc\n");
}

TEST(SelectTest, MissingEntriesDoNotCount) {
  const DataPtr data = ParseTable("a,c,y\n1,r,u\n2,r,u\n4,s,v\n6,s,v\n?,?,v\n", "y");
  for (const char* method : {"anova_f", "variance", "chi_squared", "mutual_information"}) {
    EXPECT_EQ(ScoresOf(By(method), data), ScoresOf(By(method), RowsOf(data, {0, 1, 2, 3})))
        << method;
  }
}

TEST(SelectTest, WeightsCountAsRepetitions) {
  const DataPtr weighted =
      ParseTable("a,c,w,y\n1,r,2,u\n2,s,1,u\n4,s,3,v\n6,s,1,v\n9,r,0,u\n2,r,1,v\n", "y", "w");
  const DataPtr plain = ParseTable("a,c,y\n1,r,u\n2,s,u\n4,s,v\n6,s,v\n9,r,u\n2,r,v\n", "y");
  const DataView repeated = RowsOf(plain, {0, 0, 1, 2, 2, 2, 3, 5});
  for (const char* method : {"anova_f", "variance", "chi_squared", "mutual_information"}) {
    EXPECT_THAT(ScoresOf(By(method), weighted),
                Pointwise(DoubleNear(1e-12), ScoresOf(By(method), repeated)))
        << method;
  }
}

TEST(SelectTest, OneClassDecidesNothing) {
  const DataPtr data = ParseTable("a,y\n1,u\n2,u\n3,v\n", "y");
  const DataView train = RowsOf(data, {0, 1});
  EXPECT_EQ(FittedTransform("select", By("anova_f"), train).Export(),
            "kept\tanova_f\tfeature\nno\tundefined\ta\n");
  EXPECT_THAT(ScoresOf(By("mutual_information"), train), ElementsAre(0));
}

TEST(SelectTest, TooManyFeaturesAreRefused) {
  EXPECT_EQ(TransformFailure("select", By("anova_f", {{"k", 5}}), Iris()),
            "k = 5 exceeds the 4 features that anova_f scores");
}

TEST(SelectTest, ATargetThatDoesNotFitIsRefused) {
  EXPECT_EQ(TransformFailure("select", By("chi_squared"), NumericColumn({1, 2})),
            "method = chi_squared needs a categorical target; this one is numeric");
  EXPECT_EQ(TransformFailure("select", By("correlation"), Iris()),
            "method = correlation needs a numeric target; this one is categorical");
}

TEST(SelectTest, InfiniteTrainingEntriesAreRefused) {
  EXPECT_EQ(TransformFailure("select", By("variance"), NumericColumn({1, kInfinity})),
            "feature 'x' has an infinite entry");
}

TEST(SelectTest, ASavedModelDoesTheSame) {
  ExpectSurvivesSaving("select", By("anova_f", {{"k", 2}}), Iris());
}

}  // namespace
}  // namespace crossfold
