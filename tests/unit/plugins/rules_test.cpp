#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <tuple>

#include "unit/plugins/capability_laws.h"
#include "unit/plugins/component_calls.h"
#include "unit/plugins/learner_fixture.h"

namespace crossfold {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// ---- rules on one feature ----------------------------------------------------------------------

// The rules of Weka 3.6.14: java -cp weka.jar weka.classifiers.rules.OneR -t FILE.arff -no-cv
std::string Rules(const DataPtr& data, const ParamValues& params = {}) {
  return ExportedText("one_r", params, AllRows(data));
}

TEST(OneRTest, TheRulesOfWekaOnIris) {
  EXPECT_EQ(Rules(ReadTestData("iris.csv", "class")),
            "petal width (cm) < 0.8 -> setosa (50/50)\n"
            "petal width (cm) < 1.75 -> versicolor (49/54)\n"
            "petal width (cm) >= 1.75 -> virginica (45/46)\n"
            "petal width (cm) missing -> setosa (0/0)\n"
            "correct: 144/150\n");
}

TEST(OneRTest, TheCutsOfWekaOnWine) {
  const std::string rules = Rules(ReadTestData("wine.csv", "class"));
  EXPECT_THAT(rules, HasSubstr(" < 0.975 -> class_2"));
  EXPECT_THAT(rules, HasSubstr(" < 2.31 -> class_1"));
  EXPECT_THAT(rules, HasSubstr(" < 3.745 -> class_0"));
  EXPECT_THAT(rules, HasSubstr(" >= 3.745 -> class_1"));
  EXPECT_THAT(rules, HasSubstr("correct: 148/178\n"));
}

TEST(OneRTest, TiesGoToTheEarlierFeature) {
  // Outlook and humidity make 4 errors each.
  EXPECT_EQ(Rules(ReadTestData("weather_nominal.csv", "play")),
            "outlook = overcast -> yes (4/4)\noutlook = rainy -> yes (3/5)\n"
            "outlook = sunny -> no (3/5)\noutlook missing -> yes (0/0)\ncorrect: 10/14\n");
}

TEST(OneRTest, MissingIsAValueOfItsOwn) {
  const std::string rules = Rules(ReadTestData("house_votes_84.csv", "Class"));
  EXPECT_THAT(rules, HasSubstr(" = n -> democrat"));
  EXPECT_THAT(rules, HasSubstr(" = y -> republican"));
  EXPECT_THAT(rules, HasSubstr(" missing -> democrat"));
  EXPECT_THAT(rules, HasSubstr("correct: 416/435\n"));
}

TEST(OneRTest, TheBucketsOfTheTextbook) {
  // Witten, Frank and Hall, Data Mining, 3rd edition, section 4.1: temperature of the weather data
  // with at least 3 rows of the majority: one cut at 77.5, 5 errors in 14 rows.
  const DataPtr data = ParseTable(
      "t,play\n64,yes\n65,no\n68,yes\n69,yes\n70,yes\n71,no\n72,no\n72,yes\n75,yes\n75,yes\n"
      "80,no\n81,yes\n83,yes\n85,no\n",
      "play");
  EXPECT_EQ(Rules(data, {{"min_bucket_size", std::int64_t{3}}}),
            "t < 77.5 -> yes (7/10)\nt >= 77.5 -> no (2/4)\nt missing -> yes (0/0)\n"
            "correct: 9/14\n");
}

TEST(OneRTest, PredictsTheSharesOfTheBucket) {
  const DataPtr data = ParseTable("f,y\nu,a\nu,a\nu,b\nv,b\n?,a\nw,b\n", "y");
  const Prediction p = FitPredict("one_r", {}, RowsOf(data, RowRange(0, 5)), AllRows(data));
  // Level w has no training row: the shares of all, 3 to 2.
  EXPECT_THAT(p.probabilities, ElementsAre(2.0 / 3, 1.0 / 3, 2.0 / 3, 1.0 / 3, 2.0 / 3, 1.0 / 3, 0,
                                           1, 1, 0, 0.6, 0.4));
}

TEST(OneRTest, InfiniteEntriesAreRefused) {
  const double inf = std::numeric_limits<double>::infinity();
  const DataPtr data = Dataset::Create(
      "table", {Column::Doubles("x", {1, 2, inf}), Column::Categories("y", {0, 1, 1}, {"a", "b"})},
      TargetRole("y"));
  EXPECT_EQ(FailureOf("one_r", {}, AllRows(data), AllRows(data)),
            "cannot fit 'one_r' on dataset 'table': feature 'x' has an infinite entry");
  EXPECT_THAT(FailureOf("one_r", {}, RowsOf(data, {0, 1}), AllRows(data)),
              HasSubstr("feature 'x' has an infinite entry"));
}

TEST(OneRTest, TrainingRowsWithoutWeightAreRefused) {
  const DataPtr data = ParseTable("x,w,y\n1,0,a\n2,0,a\n3,1,b\n", "y", "w");
  EXPECT_EQ(FailureOf("one_r", {}, RowsOf(data, {0, 1}), RowsOf(data, {2})),
            "cannot fit 'one_r' on dataset 'table': the training rows have a total weight of 0");
}

TEST(OneRTest, KeepsTheLawsOfItsCapabilities) {
  for (const auto& [file, target] :
       {std::pair("iris.csv", "class"), std::pair("house_votes_84.csv", "Class"),
        std::pair("penguins.csv", "species")}) {
    const DataPtr data = ReadTestData(file, target);
    const std::int64_t n = data->num_rows();
    const DataView train = RowsOf(data, RowRange(n / 5, n));
    ExpectProbaLaw("one_r", {}, train, AllRows(data));
    ExpectSaveLoadLaw("one_r", {}, train, AllRows(data));
    ExpectRowOrderDoesNotMatter("one_r", {}, train, AllRows(data));
    ExpectWeightsAreRepetitions("one_r", {}, train, SomeWeights(train.num_rows()), AllRows(data),
                                0);
  }
}

// ---- PRISM -------------------------------------------------------------------------------------

// The rules of Weka 3.6.14: java -cp weka.jar weka.classifiers.rules.Prism -t FILE.arff -no-cv.
// Those of the contact lenses for class hard are in Witten, Frank and Hall, Data Mining, 3rd
// edition, section 4.4. The levels and classes of the ARFF files were put in order of their names,
// as here.
TEST(PrismTest, TheRulesOfWekaForTheContactLenses) {
  const DataPtr data = ReadTestData("contact_lenses.csv", "contact-lenses");
  EXPECT_EQ(
      ExportedText("prism", {}, AllRows(data)),
      "if astigmatism = yes and tear-prod-rate = normal and spectacle-prescrip = myope then hard\n"
      "if age = young and astigmatism = yes and tear-prod-rate = normal then hard\n"
      "if tear-prod-rate = reduced then none\n"
      "if age = presbyopic and tear-prod-rate = normal and spectacle-prescrip = hypermetrope and "
      "astigmatism = yes then none\n"
      "if age = presbyopic and spectacle-prescrip = myope and astigmatism = no then none\n"
      "if age = pre-presbyopic and spectacle-prescrip = hypermetrope and astigmatism = yes then "
      "none\n"
      "if astigmatism = no and tear-prod-rate = normal and spectacle-prescrip = hypermetrope then "
      "soft\n"
      "if astigmatism = no and tear-prod-rate = normal and age = pre-presbyopic then soft\n"
      "if age = young and astigmatism = no and tear-prod-rate = normal then soft\n"
      "otherwise none\n");
  EXPECT_EQ(CountCorrect(*data, FitPredict("prism", {}, AllRows(data), AllRows(data))), 24);
}

TEST(PrismTest, TheRulesOfWekaForTheWeather) {
  const DataPtr data = ReadTestData("weather_nominal.csv", "play");
  EXPECT_EQ(ExportedText("prism", {}, AllRows(data)),
            "if outlook = sunny and humidity = high then no\n"
            "if outlook = rainy and windy = true then no\n"
            "if outlook = overcast then yes\n"
            "if humidity = normal and windy = false then yes\n"
            "if temperature = mild and humidity = normal then yes\n"
            "if outlook = rainy and windy = false then yes\n"
            "otherwise yes\n");
}

TEST(PrismTest, EqualRowsOfTwoClassesMakeARuleThatErrs) {
  // Row u is of both classes: the rule of class a covers all u, and comes first.
  const DataPtr data = ParseTable("f,y\nu,a\nu,b\nv,b\n?,b\n", "y");
  EXPECT_EQ(ExportedText("prism", {}, AllRows(data)),
            "if f = u then a\nif f = v then b\nif f = u then b\notherwise b\n");
  EXPECT_THAT(FitPredict("prism", {}, AllRows(data), AllRows(data)).labels,
              ElementsAre(0, 0, 1, 1));
}

TEST(PrismTest, AMissingEntryFulfilsNoCondition) {
  const DataPtr data = ParseTable("f,y\nu,a\nv,b\nv,b\n?,a\n", "y");
  EXPECT_THAT(FitPredict("prism", {}, RowsOf(data, {0, 1, 2}), RowsOf(data, {3})).labels,
              ElementsAre(1));
}

TEST(PrismTest, OneClassNeedsNoCondition) {
  const DataPtr data = ParseTable("f,y\nu,a\nv,a\nv,b\n", "y");
  EXPECT_EQ(ExportedText("prism", {}, RowsOf(data, {0, 1})), "if true then a\notherwise a\n");
}

TEST(PrismTest, NumericFeaturesAreRefused) {
  const DataPtr data = ParseTable("f,x,y\nu,1,a\nv,2,b\n", "y");
  EXPECT_EQ(FailureOf("prism", {}, AllRows(data), AllRows(data)),
            "cannot fit 'prism' on dataset 'table': feature 'x' is numeric; put a discretizing "
            "transform before prism");
}

TEST(PrismTest, TrainingRowsWithoutWeightAreRefused) {
  const DataPtr data = ParseTable("f,w,y\nu,0,a\nv,0,a\nu,1,b\n", "y", "w");
  EXPECT_EQ(FailureOf("prism", {}, RowsOf(data, {0, 1}), RowsOf(data, {2})),
            "cannot fit 'prism' on dataset 'table': the training rows have a total weight of 0");
}

TEST(PrismTest, KeepsTheLawsOfItsCapabilities) {
  const DataPtr data = ReadTestData("house_votes_84.csv", "Class");
  const DataView train = RowsOf(data, RowRange(100, 435));
  ExpectSaveLoadLaw("prism", {}, train, AllRows(data));
  ExpectRowOrderDoesNotMatter("prism", {}, train, AllRows(data));
  ExpectWeightsAreRepetitions("prism", {}, train, SomeWeights(335), AllRows(data), 0);
}

// 0.1 + 0.2 + 0.3 is more than 0.6 by rounding, 0.3 + 0.2 + 0.1 is not: f = u and g = s tie.
TEST(PrismTest, RowsInAnotherOrderGiveTheSameRules) {
  const std::string header = "g,f,w,y\n", others = "s,v,0.6,a\nt,v,1,b\n";
  const DataPtr up = ParseTable(header + "t,u,0.1,a\nt,u,0.2,a\nt,u,0.3,a\n" + others, "y", "w");
  const DataPtr down = ParseTable(header + "t,u,0.3,a\nt,u,0.2,a\nt,u,0.1,a\n" + others, "y", "w");
  EXPECT_EQ(ExportedText("prism", {}, AllRows(up)), ExportedText("prism", {}, AllRows(down)));
}

// ---- RIPPER ------------------------------------------------------------------------------------

// Rules and accuracies of Weka 3.6.14: java -cp weka.jar weka.classifiers.rules.JRip -t FILE.arff,
// with -P for rules without pruning and -x 10 -S s -s s, s = 1 to 10, for accuracies. Weka prints
// the rows that a rule covers and those that it gets wrong, "(5.0/2.0)" for "(3/5)" here.
const ParamValues kGrown = {{"prune", false}};

std::string RulesOf(const DataPtr& data, const ParamValues& params) {
  return ExportedText("ripper", params, AllRows(data));
}

TEST(RipperTest, TheGrownRulesOfWekaForTheWeather) {
  EXPECT_EQ(RulesOf(Weather(), kGrown),
            "if humidity = high and outlook = sunny then no (3/3)\n"
            "if outlook = rainy and windy = true then no (2/2)\n"
            "otherwise yes (9/9)\n");
  EXPECT_EQ(RulesOf(ReadTestData("weather_numeric.csv", "play"), kGrown),
            "if humidity >= 85 and outlook = sunny then no (3/3)\n"
            "if outlook = rainy and windy = true then no (2/2)\n"
            "otherwise yes (9/9)\n");
}

TEST(RipperTest, TheGrownRulesOfWekaForTheContactLenses) {
  EXPECT_EQ(RulesOf(ReadTestData("contact_lenses.csv", "contact-lenses"), kGrown),
            "if astigmatism = yes and tear-prod-rate = normal and spectacle-prescrip = myope then "
            "hard (3/3)\n"
            "if tear-prod-rate = normal and astigmatism = no and spectacle-prescrip = "
            "hypermetrope then soft (3/3)\n"
            "if tear-prod-rate = normal and spectacle-prescrip = myope then soft (2/3)\n"
            "otherwise none (14/15)\n");
}

TEST(RipperTest, TheGrownRulesOfWekaForVotesWithMissingEntries) {
  EXPECT_EQ(RulesOf(ReadTestData("house_votes_84.csv", "Class"), kGrown),
            "if V4 = y and V11 = n and V10 = y then republican (76/76)\n"
            "if V4 = y and V11 = n and V3 = n and V13 = y then republican (50/50)\n"
            "if V4 = y and V3 = n and V12 = y and V16 = y then republican (12/12)\n"
            "if V4 = y and V7 = y and V3 = y then republican (9/9)\n"
            "if V4 = y and V3 = n and V10 = y then republican (5/5)\n"
            "if V4 = y and V3 = n and V5 = y and V6 = n then republican (2/2)\n"
            "if V3 = n and V4 = y and V5 = y and V1 = y and V12 = y then republican (3/3)\n"
            "if V3 = n and V4 = y and V5 = y and V2 = y and V13 = y and V1 = n then republican "
            "(3/3)\n"
            "if V3 = n and V4 = y and V5 = y and V2 = y and V15 = n then republican (3/5)\n"
            "otherwise democrat (265/270)\n");
}

// Weka's first rule has bill_length_mm >= 42.4 as well, which >= 45.2 makes needless.
TEST(RipperTest, TheGrownRulesOfWekaForNumbersAndCategories) {
  EXPECT_EQ(RulesOf(Penguins(), kGrown),
            "if island = Dream and bill_length_mm >= 45.2 then Chinstrap (62/62)\n"
            "if island = Dream and bill_length_mm >= 42.4 and bill_depth_mm <= 18.1 then "
            "Chinstrap (5/5)\n"
            "if flipper_length_mm >= 207 and island = Biscoe then Gentoo (122/122)\n"
            "otherwise Adelie (152/155)\n");
}

double AccuracyOfTenFolds(const DataPtr& data) {
  RowIds all = RowRange(0, data->num_rows());
  plugin::Random(5).Shuffle(std::span<std::int64_t>(all));
  std::int64_t correct = 0;
  for (int fold = 0; fold < 10; ++fold) {
    correct +=
        CountCorrect(*data, FitPredict("ripper", {}, RowsOf(data, FoldRows(all, 10, fold, false)),
                                       RowsOf(data, FoldRows(all, 10, fold, true))));
  }
  return static_cast<double>(correct) / static_cast<double>(all.size());
}

TEST(RipperTest, IsAsAccurateAsWekas) {
  for (const auto& [file, target, accuracy] :
       {std::tuple("wine.csv", "class", 0.924), std::tuple("breast_cancer.csv", "class", 0.939),
        std::tuple("house_votes_84.csv", "Class", 0.957),
        std::tuple("penguins.csv", "species", 0.973),
        std::tuple("soybean_weka.csv", "class", 0.918)}) {
    EXPECT_THAT(AccuracyOfTenFolds(ReadTestData(file, target)), DoubleNear(accuracy, 0.03)) << file;
  }
}

// The concept ab + bcd + defg, with which the authors of JRip compared it with Cohen's program; h,
// i and j mean nothing.
DataPtr BooleanConcept() {
  std::string csv = "a,b,c,d,e,f,g,h,i,j,y\n";
  for (int row = 0; row < 1024; ++row) {
    const auto has = [&](char feature) { return (row >> (feature - 'a') & 1) != 0; };
    for (char feature = 'a'; feature <= 'j'; ++feature) csv += has(feature) ? "t," : "f,";
    const bool holds = (has('a') && has('b')) || (has('b') && has('c') && has('d')) ||
                       (has('d') && has('e') && has('f') && has('g'));
    csv += holds ? "yes\n" : "no\n";
  }
  return ParseTable(csv, "y");
}

TEST(RipperTest, FindsTheRulesBehindTheRows) {
  const DataPtr data = BooleanConcept();
  EXPECT_EQ(CountCorrect(*data, FitPredict("ripper", {}, AllRows(data), AllRows(data))), 1024);
  const std::string rules = RulesOf(data, {});
  EXPECT_EQ(std::count(rules.begin(), rules.end(), '\n'), 4) << rules;
  for (const char* rule : {"if b = t and a = t then yes (256/256)\n", " then yes (64/64)\n",
                           " then yes (40/40)\n", "otherwise no (664/664)\n"}) {
    EXPECT_THAT(rules, HasSubstr(rule));
  }
}

// Class b is x >= 100, but for every tenth row, which nothing explains: grown rules explain some of
// them by their ids.
TEST(RipperTest, PruningLeavesOutWhatIsNoise) {
  std::string csv = "x,id,y\n";
  for (int i = 0; i < 180; ++i) {
    const bool b = (i >= 100) != (i % 10 == 3);
    csv += std::to_string(i) + "," + std::to_string(i * 37 % 181) + (b ? ",b\n" : ",a\n");
  }
  const DataPtr data = ParseTable(csv, "y");
  const std::string pruned = RulesOf(data, {}), grown = RulesOf(data, kGrown);
  EXPECT_THAT(pruned, HasSubstr("if x >= 100 then b (72/80)\notherwise a (90/100)\n"));
  EXPECT_GT(std::count(grown.begin(), grown.end(), '\n'), 4);
}

TEST(RipperTest, OfEquallyFrequentClassesTheFirstOneGetsTheRest) {
  EXPECT_EQ(RulesOf(ParseTable("f,y\nu,a\nv,b\nu,a\nv,b\n", "y"), kGrown),
            "if f = v then b (2/2)\notherwise a (2/2)\n");
}

TEST(RipperTest, TiesGoToTheEarlierFeatureTheLowerValueAndAtLeast) {
  // Both features tell class a; z has two gaps of the same gain.
  EXPECT_EQ(RulesOf(ParseTable("z,x,y\n1,5,a\n1,5,a\n2,1,b\n2,1,b\n2,1,b\n", "y"), kGrown),
            "if z <= 1 then a (2/2)\notherwise b (3/3)\n");
  EXPECT_EQ(RulesOf(ParseTable("z,y\n1,b\n1,b\n2,a\n2,a\n3,b\n3,b\n4,a\n4,a\n5,b\n", "y"), kGrown),
            "if z >= 2 and z <= 2 then a (2/2)\nif z >= 4 and z <= 4 then a (2/2)\n"
            "otherwise b (5/5)\n");
}

TEST(RipperTest, AMissingEntryFulfilsNoCondition) {
  const DataPtr data = ParseTable("x,f,y\n1,u,a\n1,u,a\n2,v,b\n2,v,b\n2,v,b\n?,?,a\n", "y");
  EXPECT_THAT(
      FitPredict("ripper", kGrown, RowsOf(data, RowRange(0, 5)), RowsOf(data, {0, 5})).labels,
      ElementsAre(0, 1));
}

TEST(RipperTest, TheProbabilitiesAreTheClassSharesOfTheRowsCovered) {
  const DataPtr data = ParseTable("f,y\nu,a\nu,a\nu,b\nv,b\nv,b\nv,b\n", "y");
  EXPECT_THAT(FitPredict("ripper", kGrown, AllRows(data), RowsOf(data, {0, 5})).probabilities,
              ElementsAre(2.0 / 3, 1.0 / 3, 0, 1));
}

TEST(RipperTest, ARuleThatIsWrongOnHalfOfItsRowsIsRefusedUnlessErrorsAreNotChecked) {
  const DataPtr data = ParseTable("f,y\nu,a\nu,a\nu,b\nu,b\nu,b\nv,b\nv,b\nv,b\nv,b\n", "y");
  EXPECT_EQ(RulesOf(data, kGrown), "otherwise b (7/9)\n");
  EXPECT_EQ(RulesOf(data, {{"prune", false}, {"check_error", false}}),
            "if f = u then b (3/5)\notherwise b (4/4)\n");
}

TEST(RipperTest, AConditionKeepsEnoughRowsOfTheClass) {
  const DataPtr data = ParseTable("f,y\nu,a\nv,b\nv,b\n", "y");
  EXPECT_EQ(RulesOf(data, kGrown), "otherwise b (2/3)\n");
  EXPECT_EQ(RulesOf(data, {{"prune", false}, {"min_rows", 1.0}}),
            "if f = u then a (1/1)\notherwise b (2/2)\n");
}

TEST(RipperTest, OneClassNeedsNoRule) {
  const DataPtr data = ParseTable("f,y\nu,a\nv,a\nv,b\n", "y");
  EXPECT_EQ(ExportedText("ripper", {}, RowsOf(data, {0, 1})), "otherwise a (2/2)\n");
}

TEST(RipperTest, TheSeedDrawsTheRowsForPruning) {
  const auto with_seed = [](std::uint64_t seed) {
    return FittedModel::Fit(BundledLearner("ripper", {}), AllRows(Iris()), seed, {})->ToBytes();
  };
  EXPECT_EQ(with_seed(1), with_seed(1));
  EXPECT_NE(with_seed(1), with_seed(2));
}

TEST(RipperTest, TrainingRowsWithoutWeightAreRefused) {
  const DataPtr data = ParseTable("f,w,y\nu,0,a\nv,0,a\nu,1,b\n", "y", "w");
  EXPECT_EQ(FailureOf("ripper", {}, RowsOf(data, {0, 1}), RowsOf(data, {2})),
            "cannot fit 'ripper' on dataset 'table': the training rows have a total weight of 0");
}

TEST(RipperTest, KeepsTheLawsOfItsCapabilities) {
  const DataPtr data = Penguins();
  const DataView train = RowsOf(data, RowRange(40, 344));
  ExpectSaveLoadLaw("ripper", {}, train, AllRows(data));
  ExpectProbaLaw("ripper", {}, train, AllRows(data));
  ExpectRowOrderDoesNotMatter("ripper", {}, train, AllRows(data));
  ExpectWeightsAreRepetitions("ripper", kGrown, train, SomeWeights(304), AllRows(data), 0);
}

}  // namespace
}  // namespace crossfold
