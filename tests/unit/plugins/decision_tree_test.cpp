// Decision trees on cases that can be done by hand, and against other programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "unit/plugins/decision_tree_fixture.h"

namespace crossfold {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

// ---- the worked examples of the lectures (shared/reference/worked_examples.md) ------------------

// The dataset with one feature only.
DataPtr OnlyFeature(const DataPtr& data, const std::string& feature) {
  std::vector<Column> columns;
  for (const Column& column : data->columns()) {
    if (column.name == feature || column.name == "play") columns.push_back(column);
  }
  return Dataset::Create("table", std::move(columns), TargetRole("play"));
}

// Gain of the root's split, as the text says.
std::string RootGain(const ParamValues& values, const DataView& train) {
  const std::string text = TreeText(values, train);
  const std::size_t begin = text.find("gain ") + 5;
  return text.substr(begin, text.find(')', begin) - begin);
}

TEST(DecisionTreeTest, Id3OnWeatherGivesTheLecturesTree) {
  EXPECT_EQ(TreeText(kId3, AllRows(Weather())),
            "(14, gain 0.2467498198)\n"
            "outlook = overcast: yes (4)\n"
            "outlook = rainy (5, gain 0.9709505945)\n"
            "|  windy = false: yes (3)\n"
            "|  windy = true: no (2)\n"
            "outlook = sunny (5, gain 0.9709505945)\n"
            "|  humidity = high: no (3)\n"
            "|  humidity = normal: yes (2)\n");
}

TEST(DecisionTreeTest, GainsOnWeatherAreThoseOfTheLecture) {
  const std::map<std::string, std::string> expected = {{"outlook", "0.2467498198"},
                                                       {"temperature", "0.02922256566"},
                                                       {"humidity", "0.1518355014"},
                                                       {"windy", "0.04812703041"}};
  for (const auto& [feature, gain] : expected) {
    EXPECT_EQ(RootGain(kId3, AllRows(OnlyFeature(Weather(), feature))), gain) << feature;
  }
  const std::map<std::string, std::string> sunny = {
      {"temperature", "0.5709505945"}, {"humidity", "0.9709505945"}, {"windy", "0.01997309402"}};
  for (const auto& [feature, gain] : sunny) {
    EXPECT_EQ(RootGain(kId3, RowsOf(OnlyFeature(Weather(), feature), {0, 1, 7, 8, 10})), gain)
        << feature;
  }
}

TEST(DecisionTreeTest, TheTreeAsRulesAndForGraphviz) {
  const ParamValues stump = With(kId3, {{"max_depth", 1}});
  EXPECT_EQ(TreeText(stump, AllRows(Weather()), "rules"),
            "if outlook = overcast then yes (4)\n"
            "if outlook = rainy then yes (5/2)\n"
            "if outlook = sunny then no (5/2)\n");
  EXPECT_EQ(TreeText(stump, AllRows(Weather()), "dot"),
            "digraph tree {\n  node [shape=box];\n"
            "  n0 [label=\"outlook (14, gain 0.2467498198)\"];\n"
            "  n0 -> n1 [label=\"= overcast\"];\n  n0 -> n2 [label=\"= rainy\"];\n"
            "  n0 -> n3 [label=\"= sunny\"];\n"
            "  n1 [label=\"yes (4)\"];\n  n2 [label=\"yes (5/2)\"];\n  n3 [label=\"no (5/2)\"];\n"
            "}\n");
}

TEST(DecisionTreeTest, GainRatioPrefersTheCityOfTheLecture) {
  // Gains of city (3 and 3 rows), car (1, 3 and 2) and age (six single rows): 0.4591479170,
  // 0.4591479170 and 0.9182958341; ratios 0.4591, 0.3147 and 0.3552.
  const DataPtr data = ParseTable(
      "city,car,age,class\na,y,p,+\na,z,q,+\na,y,r,+\nb,z,s,+\nb,x,t,-\nb,y,u,-\n", "class");
  const ParamValues ratio = {{"criterion", std::string("gain_ratio")}, {"max_depth", 1}};
  EXPECT_EQ(TreeText(With(ratio, {{"average_gain", false}}), AllRows(data)),
            "(6, gain 0.459147917, ratio 0.459147917)\n"
            "city = a: + (3)\n"
            "city = b: - (3/1)\n");
  // Only age reaches the average gain, 0.6122.
  EXPECT_EQ(TreeText(ratio, AllRows(data)).substr(0, 42),
            "(6, gain 0.9182958341, ratio 0.3552453213)");
  EXPECT_EQ(TreeText(With(kId3, {{"max_depth", 1}}), AllRows(data)).substr(0, 43),
            "(6, gain 0.9182958341)\nage = p: + (1)\nage =");
}

// Ten rows, one without a refund; 3 yes and 7 no. "unmarried": single or divorced.
constexpr const char* kRefund =
    "refund,marital,cheat\nyes,unmarried,no\nno,married,no\nno,unmarried,no\nyes,married,no\n"
    "no,unmarried,yes\nno,married,no\nyes,unmarried,no\nno,unmarried,yes\nno,married,no\n"
    "?,married,yes\n";
const ParamValues kLectureGain = {{"criterion", std::string("entropy")},
                                  {"missing_gain", std::string("all_rows")}};

TEST(DecisionTreeTest, AMissingRefundGoesDownBothBranches) {
  // 0.9 x (0.8812908992 - 0.6 x 0.9182958341); weights 3 + 3/9 and 6 + 6/9.
  EXPECT_EQ(TreeText(With(kLectureGain, {{"max_depth", 1}}), AllRows(ParseTable(kRefund, "cheat"))),
            "(10, gain 0.2972820589)\n"
            "refund = no: no (6.66667/2.66667)\n"
            "refund = yes: no (3.33333/0.333333)\n");
}

TEST(DecisionTreeTest, Id3TakesTheGainOfTheKnownRowsByDefault) {
  // As C4.5: 0.9 x (H(2/9) - 6/9 x H(2/6)) = 0.9 x (0.7642045065 - 0.6121972227).
  EXPECT_EQ(RootGain(With(kId3, {{"max_depth", 1}}), AllRows(ParseTable(kRefund, "cheat"))),
            "0.1368065554");
}

TEST(DecisionTreeTest, ARecordWithoutMaritalStatusGoesDownWithTheShares) {
  // At refund = no: married 3.67 of 6.67 (0.67 yes), unmarried 3 of 6.67 (2 yes); gain H(0.4) -
  // 0.55 x H(2/11) - 0.45 x H(1/3) = 0.9709505945 - 0.3762211396 - 0.4132331253.
  const DataPtr data = ParseTable(std::string(kRefund) + "no,?,no\n", "cheat");
  const ParamValues two_levels = With(kLectureGain, {{"max_depth", 2}, {"min_leaf", 1.5}});
  const RowIds ten = RowRange(0, 10);
  EXPECT_EQ(TreeText(two_levels, RowsOf(data, ten)),
            "(10, gain 0.2972820589)\n"
            "refund = no (6.66667, gain 0.1814963295)\n"
            "|  marital = married: no (3.66667/0.666667)\n"
            "|  marital = unmarried: yes (3/1)\n"
            "refund = yes: no (3.33333/0.333333)\n");
  const double yes =
      (3 + 2.0 / 3) / (6 + 2.0 / 3) * (2.0 / 3) / (3 + 2.0 / 3) + 3 / (6 + 2.0 / 3) * (2.0 / 3);
  EXPECT_THAT(
      FitPredict("decision_tree", two_levels, RowsOf(data, ten), RowsOf(data, {10})).probabilities,
      ElementsAre(DoubleNear(1 - yes, 1e-15), DoubleNear(yes, 1e-15)));
}

TEST(DecisionTreeTest, PessimisticPruningOfTheLecture) {
  // 20 and 10 rows; leaves (8,4) (3,4) (4,1) (5,1): 9 errors. (9 + 4 x 0.5)/30 > (10 + 0.5)/30.
  std::string csv = "a,y\n";
  const std::vector<std::vector<int>> counts = {{8, 4}, {3, 4}, {4, 1}, {5, 1}};
  for (std::size_t level = 0; level < 4; ++level) {
    for (int c = 0; c < 2; ++c) {
      for (int i = 0; i < counts[level][static_cast<std::size_t>(c)]; ++i) {
        csv += "l" + std::to_string(level) + (c == 0 ? ",p\n" : ",n\n");
      }
    }
  }
  const DataPtr data = ParseTable(csv, "y");
  EXPECT_EQ(SizeOf(kId3, AllRows(data)), (TreeSize{4, 5}));
  const ParamValues pessimistic = With(kId3, {{"pruning", std::string("pessimistic")}});
  EXPECT_EQ(TreeText(pessimistic, AllRows(data)), "p (30/10)\n");
  // 10 + 0.3 against 9 + 1.2.
  EXPECT_EQ(SizeOf(With(pessimistic, {{"leaf_penalty", 0.3}}), AllRows(data)), (TreeSize{4, 5}));
}

// ---- Weka 3.6.14
// --------------------------------------------------------------------------------- java -cp
// /usr/share/java/weka.jar weka.classifiers.trees.J48 -t FILE.arff -no-cv; -S for no subtree
// raising. FILE.arff has the columns of the CSV file, soybean with the levels that occur.

struct J48 {
  const char *file, *target;
  TreeSize raised, not_raised;
  std::int64_t errors;
};
const std::vector<J48> kJ48 = {{"iris.csv", "class", {5, 9}, {5, 9}, 3},
                               {"wine.csv", "class", {5, 9}, {5, 9}, 2},
                               {"breast_cancer.csv", "class", {13, 25}, {13, 25}, 5},
                               {"house_votes_84.csv", "Class", {6, 11}, {6, 11}, 12},
                               {"soybean_weka.csv", "class", {60, 92}, {69, 108}, 25},
                               {"penguins.csv", "species", {9, 15}, {9, 15}, 5},
                               {"weather_nominal.csv", "play", {5, 8}, {5, 8}, 0},
                               {"weather_numeric.csv", "play", {5, 8}, {5, 8}, 0},
                               {"contact_lenses.csv", "contact-lenses", {4, 7}, {4, 7}, 2}};

TEST(DecisionTreeTest, TheC45SettingsGiveTheTreesOfJ48) {
  for (const J48& expected : kJ48) {
    const DataPtr data = ReadTestData(expected.file, expected.target);
    EXPECT_EQ(SizeOf(kC45, AllRows(data)), expected.raised) << expected.file;
    EXPECT_EQ(SizeOf(With(kC45, {{"subtree_raising", false}}), AllRows(data)), expected.not_raised)
        << expected.file;
    const Prediction p = FitPredict("decision_tree", kC45, AllRows(data), AllRows(data));
    EXPECT_EQ(data->num_rows() - CountCorrect(*data, p), expected.errors) << expected.file;
  }
}

// Trees in which J48 raises one of several branches of the same weight: the last of them.
constexpr const char* kEqualBranches =
    "a,b,a,b,a,6,4,q b,c,a,a,b,6,2,p a,a,a,c,a,5,3,p a,c,a,a,a,5,4,q a,c,b,b,b,1,0,q "
    "a,b,b,a,a,0,2,p "
    "a,b,a,c,a,9,2,p a,b,b,a,a,2,1,q a,c,b,b,a,5,2,q a,b,b,b,a,3,1,q a,b,a,c,a,0,0,q "
    "a,c,b,a,b,7,4,p "
    "a,c,a,a,a,0,3,p b,b,b,b,a,7,4,p b,c,a,b,b,4,2,p b,a,b,b,b,6,3,q b,a,a,a,a,4,3,q "
    "b,b,b,c,b,9,2,p "
    "a,b,a,b,b,7,1,q a,b,b,b,a,1,4,p a,b,a,b,a,9,1,p b,a,a,b,a,0,2,p b,b,a,c,b,8,4,q "
    "b,c,b,a,b,6,3,q "
    "b,c,a,b,b,1,3,q b,c,a,a,a,5,1,p a,a,b,a,b,6,2,q a,c,a,b,a,1,4,p a,c,a,a,b,3,0,q "
    "b,a,a,a,a,3,2,p "
    "b,b,a,b,a,3,2,q b,a,a,c,b,8,4,p b,c,a,a,a,8,2,p b,c,b,a,a,8,2,p b,c,a,a,b,3,4,q "
    "a,c,b,a,b,7,1,p "
    "b,b,a,b,b,4,1,p a,b,a,c,a,7,3,q a,a,a,b,a,1,1,q b,b,a,b,a,8,4,p a,a,b,a,a,6,1,q "
    "b,c,b,b,b,9,4,q "
    "a,b,b,a,b,3,1,q a,b,b,a,b,6,3,p b,a,b,a,a,9,3,q b,b,a,a,a,5,2,q b,c,b,a,b,3,3,q "
    "a,b,b,a,a,2,4,q "
    "b,c,a,b,a,8,4,q a,c,a,b,b,1,4,p b,c,a,a,a,9,3,q b,b,a,b,a,1,1,p b,a,a,b,a,4,4,q "
    "a,b,a,b,a,6,3,q "
    "a,b,a,a,a,8,1,q b,c,a,a,b,8,4,q a,c,a,b,a,2,3,p b,b,b,b,b,6,3,q a,b,b,a,a,8,2,p "
    "a,b,b,a,b,7,2,p "
    "b,a,a,b,a,8,3,q b,b,a,a,b,1,1,p a,b,a,b,b,4,4,p b,b,a,b,a,1,3,p b,c,b,c,a,6,2,p "
    "a,c,a,a,b,2,0,q "
    "b,a,a,c,b,2,3,p a,c,b,c,a,0,3,p a,b,a,c,a,3,3,p a,a,b,c,b,1,2,q ";

TEST(DecisionTreeTest, OfBranchesOfTheSameWeightTheLastIsRaisedAsInJ48) {
  std::string text = std::string("f0,f1,f2,f3,f4,z0,z1,y ") + kEqualBranches;
  std::replace(text.begin(), text.end(), ' ', '\n');
  const DataPtr data = ParseTable(text, "y");
  EXPECT_EQ(SizeOf(kC45, AllRows(data)), (TreeSize{15, 26}));
  const Prediction p = FitPredict("decision_tree", kC45, AllRows(data), AllRows(data));
  EXPECT_EQ(data->num_rows() - CountCorrect(*data, p), 13);
}

TEST(DecisionTreeTest, TheIrisTreeOfJ48) {
  EXPECT_EQ(TreeText(kC45, AllRows(ReadTestData("iris.csv", "class")), "rules"),
            "if petal width (cm) <= 0.6 then setosa (50)\n"
            "if petal width (cm) > 0.6 and petal width (cm) <= 1.7 and petal length (cm) <= 4.9 "
            "then versicolor (48/1)\n"
            "if petal width (cm) > 0.6 and petal width (cm) <= 1.7 and petal length (cm) > 4.9 "
            "and petal width (cm) <= 1.5 then virginica (3)\n"
            "if petal width (cm) > 0.6 and petal width (cm) <= 1.7 and petal length (cm) > 4.9 "
            "and petal width (cm) > 1.5 then versicolor (3/1)\n"
            "if petal width (cm) > 0.6 and petal width (cm) > 1.7 then virginica (46/1)\n");
}

// ---- scikit-learn 1.2.1 -------------------------------------------------------------------------
// tests/unit/plugins/reference_trees.py prints these numbers. They do not depend on scikit-learn's
// random choice among equal splits, except where it says so.

// Fitted on even rows with max_depth = 4 and min_leaf = 5: the odd rows it gets wrong.
RowIds WrongOddRows(const DataPtr& data, const char* criterion) {
  const RowIds all = RowRange(0, data->num_rows());
  const ParamValues values = {
      {"criterion", std::string(criterion)}, {"max_depth", 4}, {"min_leaf", 5.0}};
  const Prediction p = FitPredict("decision_tree", values, RowsOf(data, FoldRows(all, 2, 0, true)),
                                  RowsOf(data, FoldRows(all, 2, 1, true)));
  RowIds wrong;
  for (std::size_t i = 0; i < p.rows.size(); ++i) {
    const auto row = static_cast<std::size_t>(p.rows[i]);
    if (p.labels.at(i) != data->labels()[row]) wrong.push_back(p.rows[i]);
  }
  return wrong;
}

TEST(DecisionTreeTest, ErrsOnTheSameRowsAsScikitLearn) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  EXPECT_THAT(WrongOddRows(iris, "gini"), ElementsAre(77, 119, 129, 133));
  EXPECT_THAT(WrongOddRows(iris, "entropy"), ElementsAre(77, 119, 129, 133));
  const DataPtr wine = ReadTestData("wine.csv", "class");
  EXPECT_THAT(WrongOddRows(wine, "entropy"),
              ElementsAre(11, 21, 23, 27, 29, 37, 43, 61, 67, 73, 81, 83));
  const DataPtr cancer = ReadTestData("breast_cancer.csv", "class");
  const RowIds expected = {7,   13,  41,  73,  81,  91,  99,  133, 135, 157, 193, 209,
                           227, 255, 297, 347, 363, 375, 385, 421, 465, 491, 501, 541};
  EXPECT_EQ(WrongOddRows(cancer, "gini"), expected);
  EXPECT_EQ(WrongOddRows(cancer, "entropy"), expected);
  const DataPtr digits = ReadDigits();
  EXPECT_EQ(WrongOddRows(digits, "gini").size(), 421u);
  EXPECT_EQ(WrongOddRows(digits, "entropy").size(), 273u);
}

TEST(DecisionTreeTest, FullTreesHaveTheSizesOfScikitLearn) {
  const auto leaves = [](const DataPtr& data, const char* criterion) {
    return SizeOf({{"criterion", std::string(criterion)}}, AllRows(data)).leaves;
  };
  const DataPtr iris = ReadTestData("iris.csv", "class");
  EXPECT_EQ(leaves(iris, "gini"), 9);
  EXPECT_EQ(leaves(iris, "entropy"), 9);
  const DataPtr wine = ReadTestData("wine.csv", "class");
  EXPECT_EQ(leaves(wine, "gini"), 12);
  EXPECT_EQ(leaves(wine, "entropy"), 8);
  const DataPtr cancer = ReadTestData("breast_cancer.csv", "class");
  EXPECT_EQ(leaves(cancer, "gini"), 22);
  EXPECT_EQ(leaves(cancer, "entropy"), 20);
}

TEST(DecisionTreeTest, CostComplexityPruningLeavesAsManyLeavesAsScikitLearn) {
  const DataPtr cancer = ReadTestData("breast_cancer.csv", "class");
  const std::map<double, std::vector<std::int64_t>> expected = {
      {0, {22, 20}},  {0.001, {22, 20}}, {0.005, {7, 19}}, {0.01, {6, 14}},
      {0.02, {3, 8}}, {0.05, {3, 4}},    {0.4, {1, 2}}};
  for (const auto& [alpha, leaves] : expected) {
    const ParamValues values = {{"pruning", std::string("cost_complexity")}, {"ccp_alpha", alpha}};
    EXPECT_EQ(SizeOf(values, AllRows(cancer)).leaves, leaves[0]) << alpha;
    EXPECT_EQ(SizeOf(With(kId3, values), AllRows(cancer)).leaves, leaves[1]) << alpha;
  }
}

TEST(DecisionTreeTest, RegressionPredictsAsScikitLearn) {
  const DataPtr data = ReadTestData("diabetes_regr.csv", "target");
  const Prediction p =
      FitPredict("decision_tree", {{"max_depth", 3}}, AllRows(data), RowsOf(data, RowRange(0, 8)));
  const std::vector<double> expected = {208.57142857142858, 83.36904761904762,  208.57142857142858,
                                        176.86486486486487, 108.80459770114942, 83.36904761904762,
                                        108.80459770114942, 83.36904761904762};
  EXPECT_THAT(p.values, ::testing::Pointwise(::testing::DoubleNear(1e-10), expected));
  const std::map<double, std::int64_t> leaves = {{10, 94}, {50, 20}, {200, 4}};
  for (const auto& [alpha, n] : leaves) {
    const ParamValues values = {{"pruning", std::string("cost_complexity")}, {"ccp_alpha", alpha}};
    EXPECT_EQ(SizeOf(values, AllRows(data)).leaves, n) << alpha;
  }
}

// ---- splits -------------------------------------------------------------------------------------

TEST(DecisionTreeTest, EqualSplitsGoToTheEarlierFeatureAndTheLowerThreshold) {
  const DataPtr data = ParseTable("b,a,y\n1,1,p\n2,2,q\n3,3,p\n", "y");
  EXPECT_EQ(TreeText({}, AllRows(data)),
            "(3, gain 0.1111111111)\n"
            "b <= 1.5: p (1)\n"
            "b > 1.5 (2, gain 0.5)\n"
            "|  b <= 2.5: q (1)\n"
            "|  b > 2.5: p (1)\n");
}

TEST(DecisionTreeTest, AThresholdMayBeAValueThatWasObserved) {
  // The midpoint of 0 and 10 at the node is 5; the largest value of all rows not above it is 4.
  const DataPtr data = ParseTable("s,x,y\na,0,p\na,10,q\nb,4,r\nb,4,r\nb,7,r\nb,7,r\n", "y");
  const ParamValues observed = {{"threshold", std::string("observed")}};
  EXPECT_EQ(TreeText({}, AllRows(data), "rules").substr(0, 33),
            "if s = a and x <= 5 then p (1)\nif");
  EXPECT_EQ(TreeText(observed, AllRows(data), "rules").substr(0, 33),
            "if s = a and x <= 4 then p (1)\nif");
}

TEST(DecisionTreeTest, NeighbouringNumbersCanBeSplit) {
  const double next = std::nextafter(1.0, 2.0);
  const DataPtr data = Dataset::Create(
      "table", {Column::Doubles("x", {1.0, next}), Column::Categories("y", {0, 1}, {"a", "b"})},
      TargetRole("y"));
  EXPECT_THAT(FitPredict("decision_tree", {}, AllRows(data), AllRows(data)).labels,
              ElementsAre(0, 1));
}

TEST(DecisionTreeTest, TwoSetsOfLevelsForTwoClasses) {
  const DataPtr data = ParseTable("f,y\nu,p\nv,q\nw,p\nx,q\nu,p\nv,q\n", "y");
  EXPECT_EQ(TreeText({{"nominal_split", std::string("subset")}}, AllRows(data)),
            "(6, gain 0.5)\nf in {u, w}: p (3)\nf in {v, x}: q (3)\n");
}

TEST(DecisionTreeTest, TwoSetsOfLevelsForThreeClasses) {
  // {u, x} against {v, w}: the only cut with gini 0.5 left on each side or less.
  const DataPtr data = ParseTable("f,y\nu,p\nu,p\nx,p\nv,q\nv,q\nw,r\nw,r\n", "y");
  EXPECT_EQ(TreeText({{"nominal_split", std::string("subset")}, {"max_depth", 1}}, AllRows(data)),
            "(7, gain 0.3673469388)\nf in {u, x}: p (3)\nf in {v, w}: q (4/2)\n");
}

TEST(DecisionTreeTest, ALevelThatTheNodeNeverSawCountsAsMissing) {
  const DataPtr data = ParseTable("f,y\nu,p\nu,p\nu,p\nv,q\nw,q\n", "y");
  const ParamValues subset = {{"nominal_split", std::string("subset")}};
  EXPECT_THAT(FitPredict("decision_tree", subset, RowsOf(data, {0, 1, 2, 3}), RowsOf(data, {4}))
                  .probabilities,
              ElementsAre(0.75, 0.25));
  // By level there is a leaf for it, which says what its parent says.
  EXPECT_THAT(
      FitPredict("decision_tree", {}, RowsOf(data, {0, 1, 2, 3}), RowsOf(data, {4})).probabilities,
      ElementsAre(0.75, 0.25));
}

TEST(DecisionTreeTest, OrderedLevelsSplitAtAThreshold) {
  Column size = Column::Categories("size", {0, 1, 2, 3}, {"s", "m", "l", "xl"});
  size.ordered = true;
  const DataPtr data = Dataset::Create(
      "table", {size, Column::Categories("y", {0, 0, 1, 1}, {"a", "b"})}, TargetRole("y"));
  EXPECT_EQ(TreeText({}, AllRows(data)), "(4, gain 0.5)\nsize <= m: a (2)\nsize > m: b (2)\n");
}

TEST(DecisionTreeTest, ALinearCombinationSplitsWhatNoSingleFeatureDoes) {
  // Above or below the diagonal of a 6 x 6 grid without the diagonal itself.
  std::string csv = "x,z,y\n";
  for (int x = 0; x < 6; ++x) {
    for (int z = 0; z < 6; ++z) {
      if (x != z) csv += std::to_string(x) + "," + std::to_string(z) + (x < z ? ",p\n" : ",q\n");
    }
  }
  const DataPtr data = ParseTable(csv, "y");
  EXPECT_EQ(SizeOf({{"splits", std::string("oblique")}}, AllRows(data)), (TreeSize{2, 3}));
  EXPECT_GT(SizeOf({}, AllRows(data)).leaves, 4);
}

TEST(DecisionTreeTest, LeastValuesSplitsOnTheFeatureWithFewestValues) {
  const DataPtr data = ParseTable("f,g,y\na,u,p\nb,u,p\nc,v,q\na,v,p\nb,v,q\nc,u,q\n", "y");
  const ParamValues least = {{"criterion", std::string("least_values")}, {"max_depth", 1}};
  EXPECT_EQ(TreeText(least, AllRows(data), "rules"),
            "if g = u then p (3/1)\nif g = v then q (3/1)\n");
}

TEST(DecisionTreeTest, MostValuesSplitsOnTheEarliestFeatureWithMostValues) {
  // h, which comes after f, has as many values and tells all; g has fewer.
  const DataPtr data =
      ParseTable("g,f,h,y\nu,a,k,p\nu,b,k,p\nv,c,l,q\nv,a,k,p\nv,b,l,q\nu,c,m,q\n", "y");
  const ParamValues most = {{"criterion", std::string("most_values")}, {"max_depth", 1}};
  EXPECT_EQ(TreeText(most, AllRows(data), "rules"),
            "if f = a then p (2)\nif f = b then p (2/1)\nif f = c then q (2)\n");
}

TEST(DecisionTreeTest, RandomSplitsDependOnTheSeedAndSeparateTheClassesAllTheSame) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  const auto learner = BundledLearner("decision_tree", {{"criterion", std::string("random")}});
  std::set<std::string> texts;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto model = FittedModel::Fit(learner, AllRows(iris), seed, {});
    EXPECT_EQ(CountCorrect(*iris, model->Predict(AllRows(iris), {})), 150);
    texts.insert(model->Export("text", {}));
    EXPECT_EQ(FittedModel::Fit(learner, AllRows(iris), seed, {})->Export("text", {}),
              model->Export("text", {}));
  }
  EXPECT_GT(texts.size(), 1u);
}

TEST(DecisionTreeTest, FeaturesPerNodeDrawsAmongTheFeatures) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  std::set<std::string> texts;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto learner = BundledLearner("decision_tree", {{"features_per_node", 1}});
    texts.insert(FittedModel::Fit(learner, AllRows(iris), seed, {})->Export("text", {}));
  }
  EXPECT_GT(texts.size(), 1u);
  EXPECT_EQ(TreeText({{"features_per_node", 4}}, AllRows(iris)), TreeText({}, AllRows(iris)));
}

// Both columns are the same numbers.
TEST(DecisionTreeTest, TiesGoToTheEarlierFeatureOrToOneByTheSeed) {
  const DataPtr twins = ParseTable("a,b,y\n1,1,no\n2,2,no\n3,3,yes\n4,4,yes\n", "y");
  std::set<std::string> earlier, random;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto root = [&](const char* ties) {
      const auto learner = BundledLearner("decision_tree", {{"ties", std::string(ties)}});
      const std::string text =
          FittedModel::Fit(learner, AllRows(twins), seed, {})->Export("text", {});
      return text.find("a <= 2.5") != std::string::npos ? "a" : "b";
    };
    earlier.insert(root("earlier"));
    random.insert(root("random"));
  }
  EXPECT_EQ(earlier, (std::set<std::string>{"a"}));
  EXPECT_EQ(random, (std::set<std::string>{"a", "b"}));
}

// ---- stopping -----------------------------------------------------------------------------------

TEST(DecisionTreeTest, StopsAtTheDepthTheWeightAndTheGainThatAreAsked) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  EXPECT_EQ(TreeText({{"max_depth", 0}}, AllRows(iris)), "setosa (150/100)\n");
  EXPECT_EQ(SizeOf({{"max_depth", 1}}, AllRows(iris)), (TreeSize{2, 3}));
  EXPECT_EQ(SizeOf({{"min_rows", 101.0}}, AllRows(iris)), (TreeSize{2, 3}));
  EXPECT_EQ(SizeOf({{"min_leaf", 50.0}}, AllRows(iris)), (TreeSize{2, 3}));
  EXPECT_EQ(SizeOf({{"min_gain", 0.33}}, AllRows(iris)), (TreeSize{3, 5}));
}

TEST(DecisionTreeTest, RowsWithEqualAttributesStayTogether) {
  const DataPtr data = ParseTable("f,x,y\nu,1,p\nu,1,q\nu,1,q\n", "y");
  EXPECT_EQ(TreeText({}, AllRows(data)), "q (3/1)\n");
}

TEST(DecisionTreeTest, ASplitThatCouldBeChanceIsNotMade) {
  // chi-squared 1.333 with 1 degree of freedom: p = 0.2482 (scipy.stats.chi2.sf(4/3, 1)).
  const DataPtr data =
      ParseTable("f,y\nu,p\nu,p\nu,q\nu,p\nu,p\nu,q\nv,p\nv,p\nv,q\nv,q\nv,q\nv,q\n", "y");
  EXPECT_EQ(SizeOf({{"chi_squared_p", 0.249}}, AllRows(data)).leaves, 2);
  EXPECT_EQ(SizeOf({{"chi_squared_p", 0.248}}, AllRows(data)).leaves, 1);
}

// ---- pruning ------------------------------------------------------------------------------------

TEST(DecisionTreeTest, ReducedErrorPruningTakesBackWhatNoiseGrew) {
  // The class follows f, and every fifth row is noise: x only tells rows apart.
  std::string csv = "f,x,y\n";
  for (int i = 0; i < 200; ++i) {
    const bool p = (i % 2 == 0) != (i % 5 == 0);
    csv += std::string(i % 2 == 0 ? "u," : "v,") + std::to_string(i * 37 % 200) +
           (p ? ",p\n" : ",q\n");
  }
  const DataPtr data = ParseTable(csv, "y");
  EXPECT_GT(SizeOf({}, AllRows(data)).leaves, 20);
  EXPECT_LE(SizeOf({{"pruning", std::string("reduced_error")}}, AllRows(data)).leaves, 6);
}

TEST(DecisionTreeTest, ReducedErrorPruningWorksInRegression) {
  const DataPtr data = ReadTestData("diabetes_regr.csv", "target");
  const std::int64_t full = SizeOf({}, AllRows(data)).leaves;
  EXPECT_LT(SizeOf({{"pruning", std::string("reduced_error")}}, AllRows(data)).leaves, full / 4);
}

TEST(DecisionTreeTest, ASmallerConfidencePrunesMore) {
  const DataPtr votes = ReadTestData("house_votes_84.csv", "Class");
  EXPECT_EQ(SizeOf(With(kC45, {{"confidence", 0.01}}), AllRows(votes)), (TreeSize{2, 3}));
}

// ---- leaves -------------------------------------------------------------------------------------

TEST(DecisionTreeTest, LaplaceAddsToTheClassesOfTheTrainingRows) {
  const DataPtr data = ParseTable("f,y\nu,a\nu,a\nu,b\nv,b\nv,c\n", "y");
  const Prediction p = FitPredict("decision_tree", {{"laplace", 1.0}}, RowsOf(data, {0, 1, 2, 3}),
                                  RowsOf(data, {0, 3}));
  // u: a 2, b 1; v: b 1. Class c has no training row.
  EXPECT_THAT(p.probabilities, ElementsAre(3.0 / 5, 2.0 / 5, 0, 1.0 / 3, 2.0 / 3, 0));
}

TEST(DecisionTreeTest, ImportanceIsTheShareOfTheImpurityDecrease) {
  // Gini 0.5 -> 0.25 at f (6 rows), then the rest at g (3 rows each with gini 4/9 -> 0).
  const DataPtr data =
      ParseTable("f,g,h,y\nu,s,k,p\nu,s,k,p\nu,t,k,q\nv,s,k,q\nv,s,k,q\nv,s,k,q\n", "y");
  // f: 6 (4/9 - 2/9) = 4/3; g at f = u: 3 x 4/9 = 4/3.
  const auto importance = FitTree({}, AllRows(data))->Importance({});
  ASSERT_EQ(importance.size(), 3u);
  EXPECT_NEAR(importance[0].value, 0.5, 1e-15);
  EXPECT_NEAR(importance[1].value, 0.5, 1e-15);
  EXPECT_EQ(importance[2].value, 0);
}

TEST(DecisionTreeTest, WithoutFeaturesOnlyTheRootRemains) {
  const DataPtr data = ParseTable("y\na\nb\nb\n", "y");
  EXPECT_THAT(FitPredict("decision_tree", {}, AllRows(data), RowsOf(data, {0})).probabilities,
              ElementsAre(1.0 / 3, 2.0 / 3));
}

TEST(DecisionTreeTest, OneRowIsALeaf) {
  EXPECT_EQ(TreeText({}, AllRows(ParseTable("x,y\n3,7.5\n", "y"))), "7.5 (1)\n");
}

TEST(DecisionTreeTest, AColumnWithoutEntriesIsNeverSplitOn) {
  const DataPtr data = Dataset::Create(
      "table",
      {Column::Doubles("x", {std::nan(""), std::nan(""), std::nan("")}),
       Column::Doubles("z", {1, 2, 3}), Column::Categories("y", {0, 1, 1}, {"a", "b"})},
      TargetRole("y"));
  EXPECT_EQ(TreeText({}, AllRows(data)),
            "(3, gain 0.4444444444)\nz <= 1.5: a (1)\nz > 1.5: b (2)\n");
}

// ---- refusals -----------------------------------------------------------------------------------

TEST(DecisionTreeTest, WhatTheTaskDoesNotHaveIsRefused) {
  const DataPtr classes = ParseTable("x,y\n1,a\n2,b\n", "y");
  const DataPtr numbers = ParseTable("x,y\n1,1\n2,2\n", "y");
  const auto failure = [](const ParamValues& values, const DataPtr& data) {
    const std::string text = FailureOf("decision_tree", values, AllRows(data), AllRows(data));
    return text.substr(std::min(text.size(), text.find("': ") + 3));
  };
  EXPECT_EQ(failure({{"criterion", std::string("squared_error")}}, classes),
            "criterion = squared_error is for regression; the target is categorical");
  EXPECT_EQ(failure({{"criterion", std::string("gini")}}, numbers),
            "criterion = gini is for classification; the target is numeric");
  EXPECT_EQ(failure({{"chi_squared_p", 0.05}}, numbers),
            "chi_squared_p is for classification; the target is numeric");
  EXPECT_EQ(failure({{"pruning", std::string("pessimistic")}}, numbers),
            "pruning = pessimistic is for classification; the target is numeric");
}

TEST(DecisionTreeTest, WhatNeedsAllRowsInMemoryIsRefusedWithListsInFiles) {
  const DataPtr data = ParseTable("x,y\n1,a\n2,b\n", "y");
  const auto failure = [&](ParamValues values) {
    values["growth"] = std::string("sliq");
    const std::string text = FailureOf("decision_tree", values, AllRows(data), AllRows(data));
    return text.substr(std::min(text.size(), text.find("': ") + 3));
  };
  EXPECT_EQ(failure({{"splits", std::string("oblique")}}),
            "growth = sliq does not search splits = oblique, which need all rows in memory; use "
            "splits = axis, or growth = memory");
  EXPECT_EQ(failure({{"pruning", std::string("reduced_error")}}),
            "growth = sliq does not take pruning = reduced_error, which needs all rows in memory; "
            "use pruning = pessimistic or cost_complexity, or growth = memory");
  EXPECT_EQ(failure({{"pruning", std::string("error_based")}, {"subtree_raising", true}}),
            "growth = sliq does not take subtree_raising, which needs all rows in memory; use "
            "subtree_raising = false, or growth = memory");
}

TEST(DecisionTreeTest, MoreFeaturesPerNodeThanFeaturesAreRefused) {
  const DataPtr data = ParseTable("x,y\n1,a\n2,b\n", "y");
  EXPECT_EQ(FailureOf("decision_tree", {{"features_per_node", 2}}, AllRows(data), AllRows(data)),
            "cannot fit 'decision_tree{features_per_node=2}' on dataset 'table': "
            "features_per_node = 2 exceeds the 1 feature");
}

TEST(DecisionTreeTest, ReducedErrorPruningNeedsARowToPruneWith) {
  const DataPtr data = ParseTable("x,y\n1,a\n2,b\n", "y");
  EXPECT_EQ(FailureOf("decision_tree", {{"pruning", std::string("reduced_error")}}, AllRows(data),
                      AllRows(data)),
            "cannot fit 'decision_tree{pruning=reduced_error}' on dataset 'table': "
            "validation_share leaves no row to prune with; raise it or use other pruning");
}

TEST(DecisionTreeTest, InfiniteEntriesAreRefused) {
  const DataPtr data =
      Dataset::Create("table",
                      {Column::Doubles("x", {1, 2, std::numeric_limits<double>::infinity()}),
                       Column::Categories("y", {0, 1, 1}, {"a", "b"})},
                      TargetRole("y"));
  EXPECT_EQ(FailureOf("decision_tree", {}, AllRows(data), AllRows(data)),
            "cannot fit 'decision_tree' on dataset 'table': feature 'x' has an infinite entry");
  EXPECT_EQ(FailureOf("decision_tree", {}, RowsOf(data, {0, 1}), RowsOf(data, {2})),
            "cannot predict with 'decision_tree' on dataset 'table': feature 'x' has an infinite "
            "entry");
}

TEST(DecisionTreeTest, RowsWithoutWeightAreRefused) {
  const DataPtr data = ParseTable("x,w,y\n1,0,a\n2,0,b\n", "y", "w");
  EXPECT_EQ(FailureOf("decision_tree", {}, AllRows(data), AllRows(data)),
            "cannot fit 'decision_tree' on dataset 'table': no training row has a weight above 0");
}

}  // namespace
}  // namespace crossfold
