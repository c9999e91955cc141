// Naive Bayes: kinds of numeric features, priors, and the laws of its capabilities. What is said to
// come from scikit-learn or scipy was printed by reference_naive_bayes.py.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <utility>

#include "unit/plugins/capability_laws.h"
#include "unit/plugins/component_calls.h"
#include "unit/plugins/learner_fixture.h"

namespace crossfold {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Trained on rows 1, 3, 5 ..., for rows 0, 2, 4 ... as the reference script does.
class HalfAndHalf {
 public:
  HalfAndHalf(DataPtr data, const ParamValues& params)
      : data_(std::move(data)),
        p_(FitPredict("naive_bayes", params, Rows(1), Rows(0))),
        n_classes_(static_cast<std::size_t>(data_->num_classes())) {}

  std::int64_t correct() const { return CountCorrect(*data_, p_); }
  double p(std::size_t row, std::size_t c) const {
    return p_.probabilities.at(row / 2 * n_classes_ + c);
  }
  double sum_of_ranks() const {
    double sum = 0;
    for (std::size_t i = 0; i < p_.probabilities.size(); ++i) {
      sum += p_.probabilities[i] * static_cast<double>(i % n_classes_ + 1);
    }
    return sum;
  }
  double sum_of_squares() const {
    double sum = 0;
    for (const double p : p_.probabilities) sum += p * p;
    return sum;
  }

 private:
  DataView Rows(std::int64_t first) const {
    RowIds rows;
    for (std::int64_t i = first; i < data_->num_rows(); i += 2) rows.push_back(i);
    return RowsOf(data_, rows);
  }

  DataPtr data_;
  Prediction p_;
  std::size_t n_classes_;
};

const ParamValues kAsScikitLearn = {{"min_sd", 0.0}, {"var_smoothing", 1e-9}};

ParamValues Numeric(const std::string& kind) { return {{"numeric", kind}}; }

// The 64 pixels of digits.csv, 0 to 16, and the digit.
std::vector<std::vector<std::int32_t>> DigitColumns() {
  std::ifstream in(std::filesystem::path(CROSSFOLD_TEST_DATA) / "digits.csv");
  std::vector<std::vector<std::int32_t>> columns(65);
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    std::string field;
    for (auto& column : columns) {
      std::getline(fields, field, ',');
      column.push_back(std::stoi(field));
    }
  }
  return columns;
}

std::vector<std::string> Names(std::int32_t n) {
  std::vector<std::string> names;
  for (std::int32_t i = 0; i < n; ++i) names.push_back(std::to_string(i));
  return names;
}

// `make` turns the values of a pixel into a column.
template <class Make>
DataPtr DigitsFrom(const Make& make) {
  auto values = DigitColumns();
  std::vector<Column> columns;
  for (std::size_t j = 0; j < 64; ++j) columns.push_back(make("p" + std::to_string(j), values[j]));
  columns.push_back(Column::Categories("class", values[64], Names(10)));
  return Dataset::Create("digits", std::move(columns), TargetRole("class"));
}

// ---- against scikit-learn ----------------------------------------------------------------------

TEST(NaiveBayesKindsTest, IrisAsGaussianNB) {
  const HalfAndHalf iris(ReadTestData("iris.csv", "class"), kAsScikitLearn);
  EXPECT_EQ(iris.correct(), 71);
  EXPECT_NEAR(iris.p(50, 1), 0.5369930692024416, 1e-9);
  EXPECT_NEAR(iris.p(70, 1), 0.09963145798195872, 1e-9);
  EXPECT_NEAR(iris.p(106, 1), 0.9602402978637051, 1e-9);
  EXPECT_NEAR(iris.p(134, 1), 0.37112524783803763, 1e-9);
  EXPECT_NEAR(iris.sum_of_ranks(), 151.79770979787432, 1e-9);
  EXPECT_NEAR(iris.sum_of_squares(), 71.15993833110505, 1e-9);
}

TEST(NaiveBayesKindsTest, WineAsGaussianNB) {
  const HalfAndHalf wine(ReadTestData("wine.csv", "class"), kAsScikitLearn);
  EXPECT_EQ(wine.correct(), 88);
  EXPECT_NEAR(wine.p(60, 1), 0.9999226029757055, 1e-9);
  EXPECT_NEAR(wine.p(70, 1), 0.49447432932970414, 1e-9);
  EXPECT_NEAR(wine.p(84, 0), 3.5916248708832724e-07, 1e-9);
  EXPECT_NEAR(wine.sum_of_ranks(), 172.477947663188, 1e-9);
}

TEST(NaiveBayesKindsTest, BreastCancerAsGaussianNB) {
  const HalfAndHalf cancer(ReadTestData("breast_cancer.csv", "class"), kAsScikitLearn);
  EXPECT_EQ(cancer.correct(), 267);
  EXPECT_NEAR(cancer.p(40, 1), 5.207306543221764e-10, 1e-15);
  EXPECT_NEAR(cancer.p(86, 0), 0.9233126909415998, 1e-9);
  EXPECT_NEAR(cancer.sum_of_ranks(), 385.58920523734565, 1e-8);
}

TEST(NaiveBayesKindsTest, DigitsAsGaussianNB) {
  const HalfAndHalf digits(ReadDigits(), kAsScikitLearn);
  EXPECT_EQ(digits.correct(), 757);
  EXPECT_NEAR(digits.sum_of_ranks(), 4729.994694988795, 1e-7);
  EXPECT_NEAR(digits.sum_of_squares(), 882.4593727821726, 1e-7);
}

TEST(NaiveBayesKindsTest, DigitsAsMultinomialNB) {
  const HalfAndHalf laplace(ReadDigits(), Numeric("multinomial"));
  EXPECT_EQ(laplace.correct(), 798);
  EXPECT_NEAR(laplace.sum_of_ranks(), 5122.215981123435, 1e-8);
  EXPECT_NEAR(laplace.sum_of_squares(), 886.804977322552, 1e-8);
  const HalfAndHalf lidstone(ReadDigits(),
                             {{"numeric", std::string("multinomial")}, {"laplace", 0.25}});
  EXPECT_EQ(lidstone.correct(), 797);
  EXPECT_NEAR(lidstone.sum_of_ranks(), 5124.1091025178, 1e-8);
}

TEST(NaiveBayesKindsTest, BrightPixelsAsBernoulliNB) {
  const DataPtr bright = DigitsFrom([](const std::string& name, const auto& values) {
    std::vector<double> above;
    for (const std::int32_t v : values) above.push_back(v > 8 ? 1 : 0);
    return Column::Doubles(name, above);
  });
  const HalfAndHalf digits(bright, Numeric("bernoulli"));
  EXPECT_EQ(digits.correct(), 792);
  EXPECT_NEAR(digits.sum_of_ranks(), 4984.566890855485, 1e-8);
  EXPECT_NEAR(digits.sum_of_squares(), 830.2443136853863, 1e-8);
}

TEST(NaiveBayesKindsTest, DigitsAsCategoricalNB) {
  const DataPtr levels = DigitsFrom([](const std::string& name, const auto& values) {
    return Column::Categories(name, values, Names(17));
  });
  const HalfAndHalf digits(levels, {});
  EXPECT_EQ(digits.correct(), 804);
  EXPECT_NEAR(digits.sum_of_ranks(), 4928.156396002298, 1e-8);
  EXPECT_NEAR(digits.sum_of_squares(), 861.8990885805739, 1e-8);
}

// ---- kernels (scipy) ---------------------------------------------------------------------------

ParamValues Kernel(const std::string& bandwidth) {
  return {{"numeric", std::string("kernel")}, {"bandwidth", bandwidth}};
}

TEST(NaiveBayesKindsTest, KernelsWhoseWidthIsTheRangeOverTheRootOfTheRows) {
  const HalfAndHalf iris(ReadTestData("iris.csv", "class"), Kernel("range"));
  EXPECT_EQ(iris.correct(), 72);
  EXPECT_NEAR(iris.p(70, 1), 0.20145377169973636, 1e-12);
  EXPECT_NEAR(iris.p(106, 1), 0.946875076408815, 1e-12);
  EXPECT_NEAR(iris.p(134, 1), 0.48289626793645934, 1e-12);
}

TEST(NaiveBayesKindsTest, KernelsOfTheWidthOfJohnAndLangley) {
  const HalfAndHalf iris(ReadTestData("iris.csv", "class"), Kernel("inverse_root"));
  EXPECT_EQ(iris.correct(), 71);
  EXPECT_NEAR(iris.p(70, 1), 0.2292940172152077, 1e-12);
  EXPECT_NEAR(iris.p(134, 1), 0.1293365470116855, 1e-12);
}

TEST(NaiveBayesKindsTest, KernelsOfSilvermansWidth) {
  const HalfAndHalf iris(ReadTestData("iris.csv", "class"), Kernel("silverman"));
  EXPECT_EQ(iris.correct(), 71);
  EXPECT_NEAR(iris.p(70, 1), 0.055570558752650864, 1e-12);
  EXPECT_NEAR(iris.p(106, 1), 0.9962654982217128, 1e-12);
}

TEST(NaiveBayesKindsTest, KernelsFarAwayAreComparedByTheirLogarithms) {
  // Class a is nearer by far, though both densities are 0 in double precision.
  const DataPtr data = ParseTable("x,y\n0,a\n1,a\n2,b\n3,b\n-1000,a\n", "y");
  EXPECT_THAT(
      FitPredict("naive_bayes", Numeric("kernel"), RowsOf(data, RowRange(0, 4)), RowsOf(data, {4}))
          .probabilities,
      ElementsAre(1.0, 0.0));
}

TEST(NaiveBayesKindsTest, TheFactorWidensTheKernels) {
  // Class a has the points 0 and 2 and width 2 * 2 / sqrt(2); class b 3 and 7, twice that.
  const DataPtr data = ParseTable("x,y\n0,a\n2,a\n3,b\n7,b\n1,a\n", "y");
  const auto normal = [](double x, double sd) { return std::exp(-0.5 * x * x / (sd * sd)) / sd; };
  const double ha = 2 * 2 / std::sqrt(2.0), hb = 2 * ha;
  const double a = 2 * normal(1, ha), b = normal(2, hb) + normal(6, hb);
  const Prediction p =
      FitPredict("naive_bayes", {{"numeric", std::string("kernel")}, {"bandwidth_factor", 2.0}},
                 RowsOf(data, RowRange(0, 4)), RowsOf(data, {4}));
  EXPECT_NEAR(p.probabilities.at(0), a / (a + b), 1e-14);
}

// ---- counts by hand ----------------------------------------------------------------------------

TEST(NaiveBayesKindsTest, PoissonRatesAreTheMeansOfTheClasses) {
  // Rates 2 and 5; e^-2 2^3 against e^-5 5^3, equal priors.
  const DataPtr data = ParseTable("n,y\n1,a\n3,a\n4,b\n6,b\n3,a\n", "y");
  const Prediction p =
      FitPredict("naive_bayes", {{"numeric", std::string("poisson")}, {"laplace", 0.0}},
                 RowsOf(data, RowRange(0, 4)), RowsOf(data, {4}));
  const double a = std::exp(-2) * 8, b = std::exp(-5) * 125;
  EXPECT_NEAR(p.probabilities.at(0), a / (a + b), 1e-15);
}

TEST(NaiveBayesKindsTest, LaplaceGivesAPoissonClassWithoutCountsTheRateOfOneOverallRow) {
  // Overall rate 1; a: (0 + 1) / (2 + 1), b: (4 + 1) / 3.
  const DataPtr data = ParseTable("n,y\n0,a\n0,a\n1,b\n3,b\n1,a\n", "y");
  const Prediction p = FitPredict("naive_bayes", Numeric("poisson"), RowsOf(data, RowRange(0, 4)),
                                  RowsOf(data, {4}));
  const double a = std::exp(-1.0 / 3) / 3, b = std::exp(-5.0 / 3) * 5 / 3;
  EXPECT_NEAR(p.probabilities.at(0), a / (a + b), 1e-15);
}

TEST(NaiveBayesKindsTest, ABinomialCountsSuccessesInEveryTrial) {
  // 5 trials a row, smoothed: a (3 + 1) / (15 + 2), b (9 + 1) / (10 + 2); priors 3/5 and 2/5. By
  // scipy.stats.binom.pmf of scipy 1.10.1.
  const DataPtr data = ParseTable("n,y\n1,a\n0,a\n2,a\n4,b\n5,b\n3,a\n", "y");
  const ParamValues params = {{"numeric", std::string("binomial")}, {"trials", 5}};
  const Prediction p =
      FitPredict("naive_bayes", params, RowsOf(data, RowRange(0, 5)), RowsOf(data, {5}));
  EXPECT_NEAR(p.probabilities.at(0), 0.4154849334400333, 1e-14);
  EXPECT_THAT(ExportedText("naive_bayes", params, RowsOf(data, {0, 4})),
              HasSubstr("n | b ~ binomial(trials = 5, probability = 0.8571428571428571)\n"));
}

TEST(NaiveBayesKindsTest, ABinomialOfOneTrialIsBernoulli) {
  const DataPtr data = ParseTable("n,y\n1,a\n0,a\n1,a\n1,b\n1,b\n0,b\n?,b\n", "y");
  for (const double laplace : {0.0, 1.0}) {
    const auto predict = [&](ParamValues params) {
      params.emplace("laplace", laplace);
      return FitPredict("naive_bayes", params, RowsOf(data, RowRange(0, 5)), AllRows(data))
          .probabilities;
    };
    EXPECT_EQ(predict({{"numeric", std::string("binomial")}, {"trials", 1}}),
              predict(Numeric("bernoulli")));
  }
}

// ---- gamma, by scipy 1.10.1 ---------------------------------------------------------------------

// The shapes solve log k - digamma(k) = log mean - mean log by scipy.optimize.brentq, as
// scipy.stats.gamma.fit(x, floc=0) does with fewer digits; densities are scipy.stats.gamma.logpdf.
TEST(NaiveBayesKindsTest, GammaHasTheShapeOfTheGreatestLikelihood) {
  const DataPtr data = ParseTable(
      "x,w,y\n1,1,a\n2,1,a\n3.5,1,a\n2,1,b\n5,1,b\n9,1,b\n4,1,b\n3,1,a\n0.01,1,a\n40,1,a\n", "y",
      "w");
  const Prediction p = FitPredict("naive_bayes", Numeric("gamma"), RowsOf(data, RowRange(0, 7)),
                                  RowsOf(data, {7, 8, 9}));
  EXPECT_NEAR(p.probabilities.at(0), 0.48392637, 1e-8);
  EXPECT_NEAR(p.probabilities.at(2), 0.77031416, 1e-8);
  EXPECT_NEAR(p.probabilities.at(4) / 4.14366122e-19, 1, 1e-8);
}

// Shape and scale of class a, as the text has them.
std::pair<double, double> GammaOf(const std::string& rows) {
  const DataPtr data = ParseTable("x,w,y\n" + rows + "1,1,b\n2,1,b\n", "y", "w");
  const std::string text = ExportedText(
      "naive_bayes", {{"numeric", std::string("gamma")}, {"min_sd", 0.0}}, AllRows(data));
  std::pair<double, double> found;
  const auto place = text.find("x | a ~ gamma(");
  EXPECT_EQ(std::sscanf(text.c_str() + place, "x | a ~ gamma(shape = %lf, scale = %lf)",
                        &found.first, &found.second),
            2)
      << text;
  return found;
}

TEST(NaiveBayesKindsTest, GammaTakesWeightsAndAnyShape) {
  const auto weighted = GammaOf("0.5,0.5,a\n2,2,a\n3,1.5,a\n?,3,a\n9,0,a\n");
  EXPECT_NEAR(weighted.first, 4.670845742896177, 1e-12);
  EXPECT_NEAR(weighted.first * weighted.second, 2.1875, 1e-12);
  EXPECT_NEAR(GammaOf("1e-8,1,a\n1e-3,1,a\n2,1,a\n50,1,a\n").first, 0.10428887028492587, 1e-14);
  // Nearly equal values have about (mean / sd)^2: the first by the likelihood, the others by the
  // moments.
  EXPECT_NEAR(GammaOf("2999,1,a\n3001,1,a\n").first, 9e6, 1);
  EXPECT_NEAR(GammaOf("2999999,1,a\n3000001,1,a\n").first, 9e12, 1);
}

TEST(NaiveBayesKindsTest, IrisAsGammaOfScipy) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  const Prediction p = FitPredict("naive_bayes", Numeric("gamma"), AllRows(iris), AllRows(iris));
  EXPECT_EQ(CountCorrect(*iris, p), 143);
  EXPECT_NEAR(p.probabilities.at(3 * 50 + 1), 0.8408751986389316, 1e-11);
  EXPECT_NEAR(p.probabilities.at(3 * 70 + 1), 0.16372020968646175, 1e-11);
  EXPECT_NEAR(p.probabilities.at(3 * 133 + 1), 0.662826735242617, 1e-11);
  double sum = 0;
  for (std::size_t i = 0; i < 150; ++i) sum += p.probabilities[3 * i + 1];
  EXPECT_NEAR(sum, 50.05642317646587, 1e-9);
}

TEST(NaiveBayesKindsTest, ColumnsCanDifferFromTheRest) {
  // The sum of the log scores of both features alone, as the priors are even.
  const std::string rows = "1,1.5,a\n3,2.5,a\n4,2,b\n6,9,b\n3,2,a\n";
  const auto odds = [](const DataPtr& data, const ParamValues& params) {
    const auto p =
        FitPredict("naive_bayes", params, RowsOf(data, RowRange(0, 4)), RowsOf(data, {4}))
            .probabilities;
    return std::log(p.at(0) / p.at(1));
  };
  const DataPtr both = ParseTable("n,x,y\n" + rows, "y");
  const DataPtr n = ParseTable("n,y\n1,a\n3,a\n4,b\n6,b\n3,a\n", "y");
  const DataPtr x = ParseTable("x,y\n1.5,a\n2.5,a\n2,b\n9,b\n2,a\n", "y");
  EXPECT_NEAR(odds(both, {{"columns", std::string(" n = poisson, x=kernel ")}}),
              odds(n, Numeric("poisson")) + odds(x, Numeric("kernel")), 1e-12);
  EXPECT_NEAR(odds(both, {{"columns", std::string("n=poisson")}}),
              odds(n, Numeric("poisson")) + odds(x, {}), 1e-12);
}

TEST(NaiveBayesKindsTest, ABoolCanBeTakenAsANumber) {
  const DataPtr data =
      Dataset::Create("table",
                      {Column::Booleans("f", {true, true, false, true, false, true}),
                       Column::Categories("y", {0, 0, 0, 1, 1, 1}, {"a", "b"})},
                      TargetRole("y"));
  // The rates 2/3 in both classes leave the priors.
  const Prediction p = FitPredict("naive_bayes", {{"columns", std::string("f=poisson")}},
                                  AllRows(data), RowsOf(data, {0}));
  EXPECT_NEAR(p.probabilities.at(0), 0.5, 1e-15);
}

// ---- priors ------------------------------------------------------------------------------------

std::vector<double> PriorsUnder(const ParamValues& params, const RowIds& rows) {
  const DataPtr data = ParseTable("y\na\nb\nb\nc\n", "y");
  return FitPredict("naive_bayes", params, RowsOf(data, rows), RowsOf(data, {0})).probabilities;
}

TEST(NaiveBayesKindsTest, PriorsAreLearnedUniformOrGiven) {
  const ParamValues uniform = {{"prior", std::string("uniform")}};
  const ParamValues given = {{"prior", std::string("given")},
                             {"priors", std::vector<double>{0.5, 0.3, 0.2}}};
  EXPECT_THAT(PriorsUnder({}, {0, 1, 2, 3}), ElementsAre(0.25, 0.5, 0.25));
  EXPECT_THAT(PriorsUnder(uniform, {0, 1, 2, 3}),
              ElementsAre(DoubleNear(1.0 / 3, 1e-15), DoubleNear(1.0 / 3, 1e-15),
                          DoubleNear(1.0 / 3, 1e-15)));
  EXPECT_THAT(PriorsUnder(given, {0, 1, 2, 3}),
              ElementsAre(DoubleNear(0.5, 1e-15), DoubleNear(0.3, 1e-15), DoubleNear(0.2, 1e-15)));
  // Without class c the others share what remains.
  EXPECT_THAT(PriorsUnder(given, {0, 1, 2}),
              ElementsAre(DoubleNear(0.625, 1e-15), DoubleNear(0.375, 1e-15), 0.0));
}

// ---- refusals ----------------------------------------------------------------------------------

std::string FitRefusal(const ParamValues& params, const std::string& rows = "1,u,a\n2,v,b\n") {
  const DataPtr data = ParseTable("x,f,y\n" + rows, "y");
  const std::string text = FailureOf("naive_bayes", params, AllRows(data), AllRows(data));
  const auto place = text.find("dataset 'table': ");
  return place == std::string::npos ? text : text.substr(place + 17);
}

TEST(NaiveBayesKindsTest, BadColumnsAreNamed) {
  const auto columns = [](const std::string& text) { return ParamValues{{"columns", text}}; };
  EXPECT_EQ(FitRefusal(columns("z=kernel")), "columns: there is no feature 'z'");
  EXPECT_EQ(FitRefusal(columns("x=weibull")),
            "columns: unknown kind 'weibull'; known: normal, kernel, poisson, bernoulli, "
            "multinomial, gamma, binomial");
  EXPECT_EQ(FitRefusal(columns("x")), "columns: 'x' is not FEATURE=KIND");
  EXPECT_EQ(FitRefusal(columns("x=kernel,x=poisson")), "columns: feature 'x' is named twice");
  EXPECT_EQ(FitRefusal(columns("f=kernel")),
            "columns: feature 'f' is categorical, so its kind cannot be chosen");
}

TEST(NaiveBayesKindsTest, BadPriorsAreNamed) {
  const auto given = [](std::vector<double> priors) {
    return ParamValues{{"prior", std::string("given")}, {"priors", std::move(priors)}};
  };
  EXPECT_EQ(FitRefusal(given({0.5, 0.25, 0.25})), "priors has 3 entries for 2 classes");
  EXPECT_EQ(FitRefusal(given({0.5, 0.75})), "priors sums to 1.25, not to 1");
  EXPECT_EQ(FitRefusal(given({0, 1}), "1,u,a\n2,v,a\n?,?,b\n"), "");
  const DataPtr data = ParseTable("x,y\n1,a\n2,a\n3,b\n", "y");
  EXPECT_THAT(FailureOf("naive_bayes", given({0, 1}), RowsOf(data, {0, 1}), RowsOf(data, {2})),
              HasSubstr("priors is 0 for every class that the training rows have"));
  EXPECT_THROW(BundledSpec(Kind::kLearner, "naive_bayes", given({-0.5, 1.5})), Error);
}

TEST(NaiveBayesKindsTest, ValuesThatDoNotFitAreNamed) {
  EXPECT_EQ(FitRefusal(Numeric("poisson"), "1,u,a\n1.5,v,b\n"),
            "feature 'x' has the entry 1.5, but poisson counts must be whole numbers from 0");
  EXPECT_EQ(FitRefusal(Numeric("poisson"), "1,u,a\n-2,v,b\n"),
            "feature 'x' has the entry -2, but poisson counts must be whole numbers from 0");
  EXPECT_EQ(FitRefusal(Numeric("multinomial"), "1,u,a\n-2,v,b\n"),
            "feature 'x' has the entry -2, but multinomial counts must be at least 0");
  EXPECT_EQ(FitRefusal(Numeric("bernoulli"), "1,u,a\n2,v,b\n"),
            "feature 'x' has the entry 2, but bernoulli entries must be 0 or 1");
  EXPECT_EQ(FitRefusal(Numeric("gamma"), "1,u,a\n0,v,b\n"),
            "feature 'x' has the entry 0, but gamma values must be greater than 0");
  const ParamValues binomial = {{"numeric", std::string("binomial")}, {"trials", 5}};
  EXPECT_EQ(FitRefusal(binomial, "1,u,a\n6,v,b\n"),
            "feature 'x' has the entry 6, but binomial counts must be whole numbers from 0 to 5, "
            "the value of trials");
  EXPECT_EQ(FitRefusal(Numeric("binomial")),
            "feature 'x' is binomial, which needs a value of trials");
}

TEST(NaiveBayesKindsTest, ValuesThatDoNotFitAreNamedInPrediction) {
  const DataPtr data = ParseTable("x,y\n1,a\n2,b\n3,b\n-1,a\n", "y");
  const DataView train = RowsOf(data, {0, 1, 2}), test = RowsOf(data, {3});
  EXPECT_THAT(FailureOf("naive_bayes", Numeric("gamma"), train, test),
              HasSubstr("feature 'x' has the entry -1, but gamma values must be greater than 0"));
  EXPECT_THAT(
      FailureOf("naive_bayes", {{"numeric", std::string("binomial")}, {"trials", 3}}, train, test),
      HasSubstr("feature 'x' has the entry -1, but binomial counts"));
}

TEST(NaiveBayesKindsTest, InfiniteEntriesAreRefusedInTrainingAndPrediction) {
  const double inf = std::numeric_limits<double>::infinity();
  const DataPtr data = Dataset::Create(
      "table",
      {Column::Doubles("x", {1, 2, 3, inf}), Column::Categories("y", {0, 1, 1, 0}, {"a", "b"})},
      TargetRole("y"));
  for (const char* kind : {"normal", "kernel", "poisson", "multinomial", "gamma"}) {
    EXPECT_THAT(FailureOf("naive_bayes", Numeric(kind), AllRows(data), RowsOf(data, {0})),
                HasSubstr("feature 'x' has an infinite entry"));
    EXPECT_THAT(FailureOf("naive_bayes", Numeric(kind), RowsOf(data, {0, 1, 2}), AllRows(data)),
                HasSubstr("feature 'x' has an infinite entry"));
  }
}

TEST(NaiveBayesKindsTest, AKernelOfNoWidthIsRefused) {
  EXPECT_EQ(FitRefusal({{"numeric", std::string("kernel")}, {"min_sd", 0.0}}),
            "feature 'x' of class 'a' has bandwidth 0; raise min_sd");
}

TEST(NaiveBayesKindsTest, AGammaClassOfEqualValuesHasTheFloorOfMinSd) {
  EXPECT_EQ(FitRefusal({{"numeric", std::string("gamma")}, {"min_sd", 0.0}}),
            "feature 'x' of class 'a' has standard deviation 0; raise min_sd");
  // The overall sd is 2, so the least one 0.5, of mean 1: shape 4.
  const DataPtr data = ParseTable("x,y\n1,a\n1,a\n5,b\n5,b\n", "y");
  EXPECT_THAT(ExportedText("naive_bayes", {{"numeric", std::string("gamma")}, {"min_sd", 0.25}},
                           AllRows(data)),
              HasSubstr("x | a ~ gamma(shape = 4, scale = 0.25)\n"));
}

// ---- capabilities ------------------------------------------------------------------------------

// Every kind of feature, with missing entries; numbers far from 0 with a small spread; -0 and 0.
DataPtr Mixed() {
  std::string csv = "far,k,n,b,m,f,y\n";
  plugin::Random random(3);
  for (int i = 0; i < 60; ++i) {
    const int c = i % 3;
    const auto pick = [&](std::uint64_t n) { return std::to_string(random.Below(n)); };
    csv += i % 11 == 5 ? "?," : std::to_string(1e6 + 1e-3 * random.Normal() * (c + 1)) + ",";
    csv += i % 7 == 3 ? "-0," : std::to_string(random.Normal()) + ",";
    csv += i % 13 == 1 ? "?," : pick(static_cast<std::uint64_t>(3 + c)) + ",";
    csv += pick(2) + "," + pick(9) + ".5,";
    csv += i % 5 == 2 ? "?," : std::string(1, static_cast<char>('p' + random.Below(4))) + ",";
    csv += std::string(1, static_cast<char>('a' + c)) + "\n";
  }
  return ParseTable(csv, "y");
}

const std::vector<ParamValues> kKindSettings = {
    {{"columns", std::string("k=kernel,n=poisson,b=bernoulli,m=multinomial")}},
    {{"columns", std::string("k=kernel,far=kernel,n=multinomial,m=multinomial")},
     {"bandwidth", std::string("silverman")},
     {"prior", std::string("uniform")}},
    {{"variance", std::string("sample")}, {"var_smoothing", 1e-9}, {"min_sd", 0.0}},
    {{"columns", std::string("far=gamma,m=gamma,n=binomial,b=binomial")}, {"trials", 6}},
    {{"laplace", 0.0}}};

TEST(NaiveBayesKindsTest, RowsComeAndGoWithoutATrace) {
  const DataPtr data = Mixed();
  for (const ParamValues& params : kKindSettings) {
    ExpectIncrementalLaw("naive_bayes", params, AllRows(data),
                         FoldRows(RowRange(0, 60), 5, 2, true), AllRows(data));
    // A whole class leaves.
    ExpectIncrementalLaw("naive_bayes", params, AllRows(data),
                         FoldRows(RowRange(0, 60), 3, 1, true), AllRows(data));
  }
}

TEST(NaiveBayesKindsTest, RowsWithFractionalWeightsComeAndGoWithoutATrace) {
  const DataPtr data = ParseTable(
      "x,f,w,y\n0.1,u,0.1,a\n0.1,v,0.2,a\n0.1,u,0.3,a\n0.7,u,0.7,b\n0.9,v,1e-20,b\n1e9,v,0.1,b\n",
      "y", "w");
  for (const char* kind : {"normal", "kernel", "multinomial", "gamma"}) {
    // What remains of class a is constant: the exact sums see it.
    ExpectIncrementalLaw("naive_bayes", {{"numeric", std::string(kind)}, {"laplace", 0.0}},
                         AllRows(data), {1, 5}, AllRows(data));
  }
}

TEST(NaiveBayesKindsTest, TheSpreadOfLargeNumbersIsExact) {
  // The same numbers around 0 and around 2^30.
  const auto scores = [](double offset) {
    std::vector<double> x = {0.25, 0.5, 1.5, 0.75, 2, 2.5, 1};
    for (double& value : x) value += offset;
    const DataPtr data = Dataset::Create(
        "table",
        {Column::Doubles("x", x), Column::Categories("y", {0, 0, 0, 1, 1, 1, 0}, {"a", "b"})},
        TargetRole("y"));
    return FitPredict("naive_bayes", {}, RowsOf(data, RowRange(0, 6)), RowsOf(data, {6}))
        .probabilities;
  };
  EXPECT_NEAR(scores(0x1p30).at(0), scores(0).at(0), 1e-9);
}

TEST(NaiveBayesKindsTest, KeepsTheOtherLaws) {
  const DataPtr data = Mixed();
  const DataView train = RowsOf(data, RowRange(0, 45));
  for (const ParamValues& params : kKindSettings) {
    ExpectSaveLoadLaw("naive_bayes", params, train, AllRows(data));
    ExpectProbaLaw("naive_bayes", params, train, AllRows(data));
    ExpectRowOrderDoesNotMatter("naive_bayes", params, train, AllRows(data));
    ExpectWeightsAreRepetitions("naive_bayes", params, train, SomeWeights(45), AllRows(data),
                                1e-12);
  }
}

TEST(NaiveBayesKindsTest, RowsThatAreNotInTheModelCannotLeave) {
  const DataPtr data = ParseTable("x,y\n1,a\n2,b\n3,b\n", "y");
  const auto spec = laws::LearnerSpec("naive_bayes", Numeric("kernel"));
  const auto* table = laws::Required<cf_cap_incremental>(*spec, CF_CAP_INCREMENTAL);
  ASSERT_NE(table, nullptr);
  const auto remove = [&](const RowIds& from, const RowIds& rows) {
    const auto model = laws::Fit(*spec, RowsOf(data, from));
    const RowTable gone = RowTable::ForTraining(*data, &rows);
    return CallPlugin(spec->component(), {},
                      [&](const cf_call* call) {
                        return table->remove_rows(call, model.get(), &gone.get());
                      })
        .message;
  };
  EXPECT_EQ(remove({0, 1}, {2}), "the rows to remove are not in the model");
  EXPECT_EQ(remove({1, 2}, {0}), "the rows to remove are not in the model");
  EXPECT_EQ(remove({0, 1}, {0, 1}), "the training rows have a total weight of 0");
}

TEST(NaiveBayesKindsTest, TheTextNamesEveryNumberOfTheModel) {
  const DataPtr data = ParseTable("f,x,n,y\nu,1,2,a\nv,3,4,a\nu,5,1,b\nu,9,1,b\n", "y");
  const ParamValues params = {{"laplace", 0.0}, {"columns", std::string("n=poisson")}};
  EXPECT_EQ(ExportedText("naive_bayes", params, AllRows(data)),
            "P(a) = 0.5\nP(b) = 0.5\n"
            "P(f = u | a) = 0.5\nP(f = v | a) = 0.5\nP(f = u | b) = 1\nP(f = v | b) = 0\n"
            "x | a ~ normal(mean = 2, sd = 1)\nx | b ~ normal(mean = 7, sd = 2)\n"
            "n | a ~ poisson(rate = 3)\nn | b ~ poisson(rate = 1)\n");
}

}  // namespace
}  // namespace crossfold
