// The rules of Weka 3.6.14: java -cp weka.jar weka.classifiers.rules.Prism -t FILE.arff -no-cv.
// Those of the contact lenses for class hard are in Witten, Frank and Hall, Data Mining, 3rd
// edition, section 4.4. The levels and classes of the ARFF files were put in order of their names,
// as here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/plugins/capability_laws.h"
#include "unit/plugins/exported_text.h"
#include "unit/plugins/learner_fixture.h"

namespace crossfold {
namespace {

using ::testing::ElementsAre;

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

}  // namespace
}  // namespace crossfold
