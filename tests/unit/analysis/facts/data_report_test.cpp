// Facts by hand for small data; each finding with data that have it, and data that just do not.
#include "crossfold/data_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "unit/engine/data/refusal.h"
#include "unit/sources/readings.h"

namespace crossfold {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

DataReport Describe(const std::string& csv, const std::string& target = "",
                    const DataReportOptions& options = {}) {
  return DescribeData({sources::ParseCsv(csv, "data", {.roles = {.target = target}}), nullptr},
                      options);
}

// "kind: message" of all findings.
std::vector<std::string> Findings(const DataReport& report) {
  std::vector<std::string> list;
  for (const DataFinding& finding : report.findings)
    list.push_back(finding.kind + ": " + finding.message);
  return list;
}

std::vector<std::string> Kinds(const DataReport& report) {
  std::vector<std::string> kinds;
  for (const DataFinding& finding : report.findings) kinds.push_back(finding.kind);
  return kinds;
}

// A CSV text of `n` rows by f(row).
template <class Row>
std::string Csv(const std::string& header, int n, Row row) {
  std::string text = header + "\n";
  for (int i = 0; i < n; ++i) text += row(i) + "\n";
  return text;
}

std::string S(int i) { return std::to_string(i); }

// 4, 1, 3, 10 by hand: mean 18 / 4, sd = sqrt(45 / 3) = 3.872983, median (3 + 4) / 2.
TEST(DataReportTest, NumbersHaveTheirMoments) {
  const DataReport report = Describe("x,y\n4,a\n1,b\n?,a\n3,a\n10,c\n");
  const ColumnFacts& x = report.columns[0];
  EXPECT_EQ(x.type, "i64");
  EXPECT_EQ(x.n_missing, 1);
  EXPECT_EQ(x.n_distinct, 4);
  EXPECT_EQ(x.min, 1);
  EXPECT_EQ(x.max, 10);
  EXPECT_EQ(x.median, 3.5);
  EXPECT_EQ(x.mean, 4.5);
  EXPECT_NEAR(*x.sd, 3.872983346, 1e-9);
  const ColumnFacts& y = report.columns[1];
  EXPECT_EQ(y.n_distinct, 3);
  ASSERT_EQ(y.most_frequent.size(), 3U);
  EXPECT_EQ(y.most_frequent[0].value, "a");
  EXPECT_EQ(y.most_frequent[0].count, 3);
  EXPECT_EQ(y.most_frequent[1].value, "b");
}

TEST(DataReportTest, WhatDoesNotExistIsNoNumber) {
  const DataReport report = Describe("x,z\n?,1\n?,2\n");
  EXPECT_EQ(report.columns[0].mean, std::nullopt);
  EXPECT_EQ(report.columns[0].min, std::nullopt);
  EXPECT_EQ(Describe("x\n5\n").columns[0].sd, std::nullopt);
}

// Beyond 2048 rows another way of sorting is used: against a sum over all.
TEST(DataReportTest, ManyNumbersHaveTheirOrder) {
  const int n = 5001;
  const auto data =
      Csv("x,k", n, [](int i) { return S((i * 37) % 5001 - 2500) + ".25," + S(i % 7 - 3); });
  const DataReport report = Describe(data);
  EXPECT_EQ(report.columns[0].n_distinct, n);
  EXPECT_EQ(report.columns[0].min, -2500.25);
  EXPECT_EQ(report.columns[0].max, 2500.25);
  EXPECT_EQ(report.columns[1].n_distinct, 7);
  EXPECT_EQ(report.columns[1].median, 0);
}

TEST(DataReportTest, ThreadsDoNotMatter) {
  const auto data =
      Csv("x,y,t", 300, [](int i) { return S(i * i % 17) + "," + S(i % 4) + "," + "ab"[i % 2]; });
  const std::string one = ToJson(Describe(data, "t", {.threads = 1}));
  EXPECT_EQ(ToJson(Describe(data, "t", {.threads = 4})), one);
}

TEST(DataReportTest, AViewIsDescribedByItsRows) {
  const auto data = sources::ParseCsv("x,t\n1,a\n2,b\n3,a\n", "data", {.roles = {.target = "t"}});
  const auto rows =
      std::make_shared<const std::vector<std::int64_t>>(std::vector<std::int64_t>{0, 2});
  const DataReport report = DescribeData({data, rows});
  EXPECT_EQ(report.n_rows, 2);
  EXPECT_EQ(report.columns[0].max, 3);
  EXPECT_EQ(report.classes[1].count, 0);
  EXPECT_THAT(Kinds(report), Contains("one_class"));
}

TEST(DataReportTest, IdsAreTold) {
  const auto csv = Csv("id,name,x,CustomerID,v", 12, [](int i) {
    return S(1000 + i) + ",n" + S(i) + "," + S(i) + ".5," + S(i) + ".25," + S(i % 6);
  });
  EXPECT_THAT(
      Findings(Describe(csv)),
      Contains("id: 'id', 'name' and 'CustomerID' have a different value in every row, like ids; "
               "leave them out (type ignore), or a learner may memorize the rows"));
  EXPECT_THAT(Kinds(Describe(Csv("id,x", 12, [](int i) { return S(i / 2) + "," + S(i); }), "x")),
              Not(Contains("id")));
}

TEST(DataReportTest, ConstantColumnsAreTold) {
  const auto csv = Csv("c,e,m,n,x", 200, [](int i) {
    return "1,?," + std::string(i < 50 ? "7" : "?") + "," + (i == 3 ? "1" : "0") + "," + S(i) +
           ".5";
  });
  const auto found = Findings(Describe(csv));
  EXPECT_THAT(found, Contains("constant: 'c' has the same value in every row; leave it out"));
  EXPECT_THAT(found, Contains("empty: 'e' has no entries; leave it out"));
  EXPECT_THAT(found, Contains("constant: 'm' has one value where it has any; only whether an entry "
                              "is missing can be informative"));
  EXPECT_THAT(found,
              Contains("nearly_constant: 'n' has the same value in 99% of the rows or more"));
  EXPECT_THAT(Kinds(Describe(csv)), Contains("many_missing"));
}

TEST(DataReportTest, EqualColumnsAreTold) {
  const auto csv = Csv("a,b,c,d,e", 30, [](int i) {
    const std::string k = S(i * 7 % 5);
    return k + "," + k + ".0,v" + k + "," + S((i * 7 % 5) * 3 + 1) + "," + S(i % 3);
  });
  const auto found = Findings(Describe(csv));
  EXPECT_THAT(found, Contains("equal_columns: 'a' and 'b' are equal; keep one of them"));
  EXPECT_THAT(found,
              Contains("renamed_columns: 'a', 'c' and 'd' hold the same information: each value of "
                       "one corresponds to one value of the others; keep one of them"));
}

TEST(DataReportTest, ColumnsThatTellTheTargetAreTold) {
  const auto csv = Csv("code,part,x,t", 40, [](int i) {
    return S(i % 2 + 5) + ",p" + S(i % 4) + "," + S(i % 3) + "," + "ab"[i % 2];
  });
  const auto found = Findings(Describe(csv, "t"));
  EXPECT_THAT(
      found, Contains("target_copy: 'code' is the target 't' under other names: each of its values "
                      "corresponds to one value of the target, and vice versa; leave it out"));
  EXPECT_THAT(
      found,
      Contains("target_known: 'part' reveals the target 't': each of its 4 values corresponds to "
               "one value of the target; is it known before the target is? Leave it out if not"));
  for (const DataFinding& finding : Describe(csv, "t").findings) {
    EXPECT_THAT(finding.columns, Not(Contains("x"))) << finding.message;
  }
}

TEST(DataReportTest, RowsThatRepeatAreCounted) {
  // Rows 1 = 2 = 4 with class a, row 3 the same with class b; row 5 alone.
  const DataReport report = Describe("x,y,t\n1,u,a\n1,u,a\n1,u,b\n1,u,a\n2,u,a\n", "t");
  EXPECT_EQ(report.n_duplicate_rows, 2);
  EXPECT_EQ(report.n_contradicting_rows, 4);
  EXPECT_THAT(Findings(report),
              Contains("duplicate_rows: 2 rows equal an earlier one, 40.0% of all; if they are "
                       "copies of one case, scores are too good where some train and some test: "
                       "leave them out, or keep them together with groups"));
  EXPECT_THAT(Findings(report),
              Contains("contradicting_rows: 4 rows, 80.0% of all, have the features of another row "
                       "and another class; no learner gets all of them right"));
  EXPECT_EQ(Describe("x,t\n?,a\n?,a\n0,a\n", "t").n_duplicate_rows, 1);  // missing equals missing
}

// Counted by Python: rows minus the set of rows; rows whose features have several classes.
TEST(DataReportTest, RowsOfRealDataAreCounted) {
  const auto soybean =
      sources::ReadCsv(CROSSFOLD_TEST_DATA "/soybean_weka.csv", {.roles = {.target = "class"}});
  const DataReport report = DescribeData({soybean, nullptr});
  EXPECT_EQ(report.n_duplicate_rows, 52);
  EXPECT_EQ(report.n_contradicting_rows, 2);
  const auto votes =
      sources::ReadCsv(CROSSFOLD_TEST_DATA "/house_votes_84.csv", {.roles = {.target = "Class"}});
  EXPECT_EQ(DescribeData({votes, nullptr}).n_duplicate_rows, 93);
}

TEST(DataReportTest, FormsOfTextsAreTold) {
  const auto csv = Csv("n,g,d,s", 40, [](int i) {
    const std::string number = i == 5 ? "n/a" : S(i % 20) + ".5";
    const std::string day = (i % 20 < 9 ? "0" : "") + S(i % 20 + 1);
    return number + ",\"" + S(i % 20) + ",5\",2024-01-" + day + "," +
           (i % 3 == 0   ? "Yes"
            : i % 3 == 1 ? "yes"
                         : "no");
  });
  const auto found = Findings(Describe(csv));
  EXPECT_THAT(
      found,
      Contains("numbers_as_text: 'n' is read as categories, but 97.5% of its entries are numbers; "
               "'n/a' is not a number: if it means that there is no value, name it in 'missing'"));
  EXPECT_THAT(found, Contains("numbers_as_text: 'g' is read as categories, but its entries are "
                              "numbers such as '0,5'; read the file with decimal = \",\""));
  EXPECT_THAT(
      found,
      Contains("dates_as_text: 'd' holds dates or times, which are read as categories; make "
               "numbers of them (days since a date, month, weekday, hours) or leave it out"));
  EXPECT_THAT(found, Contains("similar_levels: 's' has levels that differ by upper case or blanks "
                              "only: 'Yes', 'yes'; write each in one way"));
}

// What is reported of a column of strings with these cells.
std::vector<std::string> FindingsOfTexts(const std::vector<std::string>& cells) {
  std::string csv = "x\n";
  for (const std::string& cell : cells) csv += "\"" + cell + "\"\n";
  std::vector<std::string> found;
  for (const DataFinding& finding : Describe(csv).findings) {
    if (finding.kind == "numbers_as_text") found.push_back(finding.message);
  }
  return found;
}

TEST(DataReportTest, NumbersWithThousandsSignsAreTold) {
  const std::string begin = "'x' is read as categories, but its entries are numbers such as ";
  EXPECT_THAT(FindingsOfTexts({"1,234.50", "12.25", "1,000,000.00"}),
              ElementsAre(begin + "'1,000,000.00'; read the file with thousands = \",\""));
  EXPECT_THAT(
      FindingsOfTexts({"1.234,50", "12,25", "7"}),
      ElementsAre(begin + "'1.234,50'; read the file with thousands = \".\", decimal = \",\""));
  EXPECT_THAT(FindingsOfTexts({"1 234", "56", "7 890 123"}),
              ElementsAre(begin + "'1 234'; read the file with thousands = \" \""));
  EXPECT_THAT(
      FindingsOfTexts({"1\u00A0234,5", "56", "7"}),
      ElementsAre(begin + "'1\u00A0234,5'; read the file with thousands = \" \", decimal = \",\""));
  EXPECT_THAT(FindingsOfTexts({"1'234", "2'000.5"}),
              ElementsAre(begin + "'1'234'; read the file with thousands = \"'\""));
}

// "1,234" alone may be 1234 or 1.234; "0,234" beside it shows that it is the second.
TEST(DataReportTest, BothMeaningsOfACommaAreTold) {
  EXPECT_THAT(
      FindingsOfTexts({"1,234", "5,678"}),
      ElementsAre(
          "'x' is read as categories, but its entries are numbers such as '1,234'; read the file "
          "with thousands = \",\" if that is 1234, with decimal = \",\" if it is 1.234"));
  EXPECT_THAT(FindingsOfTexts({"1,234", "0,678"}),
              ElementsAre("'x' is read as categories, but its entries are numbers such as '0,678'; "
                          "read the file with decimal = \",\""));
}

// A few large numbers among small ones are not a sign for "missing".
TEST(DataReportTest, AFewThousandsSignsAreNumbersToo) {
  std::vector<std::string> cells(19, "12.5");
  cells.push_back("1,234.5");
  EXPECT_THAT(FindingsOfTexts(cells),
              ElementsAre("'x' is read as categories, but its entries are numbers such as "
                          "'1,234.5'; read the file with thousands = \",\""));
  cells.push_back("n/a");
  EXPECT_THAT(FindingsOfTexts(cells),
              ElementsAre("'x' is read as categories, but 95.2% of its entries are numbers such as "
                          "'1,234.5'; read the file with thousands = \",\"; 'n/a' is not a number: "
                          "if it means that there is no value, name it in 'missing'"));
}

TEST(DataReportTest, PercentAndCurrencySignsAreTold) {
  const auto told = [](const std::string& sign) {
    return "'x' is read as categories, but its entries are numbers with '" + sign +
           "', which no option reads; remove that sign from the file, or leave the column out";
  };
  EXPECT_THAT(FindingsOfTexts({"12.5%", "7 %", "100%"}), ElementsAre(told("%")));
  EXPECT_THAT(FindingsOfTexts({"$1,234.50", "-$7", "$8.25"}), ElementsAre(told("$")));
  EXPECT_THAT(FindingsOfTexts({"1.234,50 \u20AC", "7,00\u00A0\u20AC"}),
              ElementsAre(told("\u20AC")));
  EXPECT_THAT(FindingsOfTexts({"50% off", "10% off"}), IsEmpty());
}

TEST(DataReportTest, ALineOfTotalsIsTold) {
  std::vector<std::string> cells;
  for (int i = 0; i < 20; ++i) cells.push_back(S(i));
  cells.push_back("Total:");
  EXPECT_THAT(FindingsOfTexts(cells),
              ElementsAre("'x' is read as categories, but 95.2% of its entries are numbers; "
                          "'Total:' seems to name a line of totals: take that line out"));
}

TEST(DataReportTest, ManyWordsForMissingAreTold) {
  std::vector<std::string> cells(6, "-");
  for (int i = 0; i < 8; ++i) cells.push_back(S(i) + ".5");
  cells.push_back("NULL");
  EXPECT_THAT(
      FindingsOfTexts(cells),
      ElementsAre("'x' is read as categories, but 53.3% of its entries are numbers; '-', 'NULL' "
                  "are not numbers: if they mean that there is no value, name them in 'missing'"));
  EXPECT_THAT(Findings(Describe("x\nred\nNone\nblue\nred\nblue\nN/A\n")),
              Contains("missing_words: 'x' has 'N/A', 'None' among its levels; if they mean that "
                       "there is no value, name them in 'missing'"));
  EXPECT_THAT(
      Findings(Describe("x\nred\nTotal\nblue\nred\n")),
      Contains("totals: 'x' is 'Total' in one row; if that row sums up others, take it out"));
}

// Forms of spreadsheets and databases; versions and addresses are none.
TEST(DataReportTest, DatesAndTimesAreKnown) {
  const auto are_dates = [](const std::string& text) {
    const auto kinds = Kinds(Describe("x\n\"" + text + "\"\n\"" + text + "\"\n"));
    return std::count(kinds.begin(), kinds.end(), "dates_as_text") == 1;
  };
  for (const char* text :
       {"2024-01-31", "2024/1/31 10:30", "2024-01-31T10:30:00.5+01:00", "2024-01-31T10:30:00Z",
        "31.12.2024", "31.12.24", "1/31/24 10:30 AM", "31-Jan-2024", "31-Jan-24", "31 January 2024",
        "Jan 31, 2024", "10:30", "9:05:30 pm"}) {
    EXPECT_TRUE(are_dates(text)) << text;
  }
  for (const char* text : {"1.2.24", "192.168.0.1", "12-34-56", "1/2", "2024", "2024-01", "a-b-c",
                           "31 Jane 2024", "1:2:x", "10-Main-2024"}) {
    EXPECT_FALSE(are_dates(text)) << text;
  }
}

TEST(DataReportTest, DatesAndNumbersThatAllDifferAreNoIds) {
  const auto csv = Csv(
      "d,p,k", 12, [](int i) { return S(i + 1) + ".1.2024,\"1," + S(100 + i) + ".5\",k" + S(i); });
  EXPECT_THAT(Findings(Describe(csv)),
              Contains("id: 'k' has a different value in every row, like an id; leave it out (type "
                       "ignore), or a learner may memorize the rows"));
}

TEST(DataReportTest, CodesThatAreReadAsNumbersAreTold) {
  const auto csv = Csv("zip,HomePostalCode,Zipper,encoder,x", 40, [](int i) {
    const std::string n = S(i * 7 % 20);
    return "01" + n + ",2" + n + ",3" + n + ",4" + n + "," + S(i) + ".5";
  });
  EXPECT_THAT(
      Findings(Describe(csv)),
      Contains("codes: 'zip' and 'HomePostalCode' are read as numbers; if they are codes, as "
               "postal codes are, give them the type categorical, which also keeps leading zeros"));
}

// 2^63 as a 64-bit id beside 2^63 - 1: one double.
TEST(DataReportTest, IdsThatWereRoundedAreTold) {
  EXPECT_THAT(Findings(Describe("x\n9223372036854775807\n9223372036854775808\n1\n")),
              Contains("rounded: 'x' has whole numbers beyond 2^53, which f64 rounds; if they are "
                       "ids or codes, give it the type categorical or ignore"));
  EXPECT_THAT(Kinds(Describe("x,y\n1e30,0.5\n3,9223372036854775808\n")), Not(Contains("rounded")));
}

TEST(DataReportTest, OneColumnThatMayBeSeveralIsTold) {
  EXPECT_THAT(Findings(Describe("a b c\n1 2 3\n4 5 6\n")),
              Contains("one_column: there is one column, 'a b c'; if it holds several, name what "
                       "separates them, as in separator = \"space\""));
  EXPECT_THAT(Kinds(Describe("a b\n1\n2\n")), Not(Contains("one_column")));
}

TEST(DataReportTest, ARowTakenForNamesIsTold) {
  EXPECT_THAT(Findings(Describe("5.1,3.5,setosa\n4.9,3.0,setosa\n6.0,3.0,virginica\n")),
              Contains("header: columns have numbers as names, such as '5.1'; if the first line of "
                       "the file is a row, read it with header = false"));
  EXPECT_THAT(Kinds(Describe("name,country,2024\na,b,1\nc,d,2\n")), Not(Contains("header")));
}

// 2^53 + 1 is not a double.
TEST(DataReportTest, WholeNumbersHaveExactExtremes) {
  const DataReport report =
      Describe("k,x\n-9223372036854775808,1.5\n9007199254740993,2\n9223372036854775807,3\n");
  EXPECT_EQ(report.columns[0].whole_min, std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(report.columns[0].whole_max, std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(report.columns[1].whole_max, std::nullopt);
  for (const std::string& text : {ToText(report), ToJson(report)}) {
    EXPECT_THAT(text, testing::HasSubstr("-9223372036854775808"));
    EXPECT_THAT(text, testing::HasSubstr("9223372036854775807"));
  }
}

TEST(DataReportTest, ManyLevelsAreTold) {
  const auto csv =
      Csv("a,b", 100, [](int i) { return "l" + S(i < 40 ? 0 : i) + ",m" + S(i % 60); });
  const auto found = Findings(Describe(csv));
  EXPECT_THAT(found,
              Contains("many_levels: 'a' has 61 levels, 60 of them in one row only; join rare ones "
                       "or leave it out: what is learned of a level comes from its rows"));
  EXPECT_THAT(found,
              Contains("many_levels: 'b' has 60 levels, 20 of them in one row only; join rare ones "
                       "or leave it out: what is learned of a level comes from its rows"));
}

TEST(DataReportTest, ClassesAreTold) {
  const auto csv = Csv("x,t", 100, [](int i) {
    return S(i) + ".5," + (i < 93 ? "a" : i < 97 ? "b" : "c");
  });
  const auto found = Findings(Describe(csv, "t", {.folds = 5}));
  EXPECT_THAT(
      found,
      ElementsAre("rare_class: 2 classes have fewer rows than 5 folds, so that some test folds "
                  "have none of them: 'b' (4), 'c' (3); use fewer folds, or join classes",
                  "imbalance: the class 'a' has 93.0% of the rows, which is the accuracy of always "
                  "predicting it; use metrics that account for that, such as balanced_accuracy, "
                  "mcc or the area under the precision-recall curve"));
  EXPECT_THAT(Kinds(Describe(Csv("x,t", 60, [](int i) { return S(i) + ".5," + S(i % 3); }), "t")),
              ElementsAre("numeric_classes"));
}

TEST(DataReportTest, StrikingNumbersAreTold) {
  std::vector<double> values, far;
  for (int i = 0; i < 100; ++i) {
    values.push_back(i < 3 ? -999 : i % 50);
    far.push_back(i == 7 ? 1e6 : i % 40 + 0.5);
  }
  far[8] = std::numeric_limits<double>::infinity();
  std::vector<Column> columns;
  columns.push_back(Column::Doubles("x", values));
  columns.push_back(Column::Doubles("y", far));
  const auto report = DescribeData({Dataset::Create("d", std::move(columns), {}), nullptr});
  EXPECT_THAT(Findings(report),
              ElementsAre("infinite: 'y' is infinite in 1 row; most learners refuse that",
                          "placeholder: 'x' is -999 in 3 rows, far from all others; if that means "
                          "that there is no value, name it in 'missing'",
                          "outliers: 'x' has 3 values more than 10 interquartile ranges outside "
                          "the quartiles (from -999 to 49)",
                          "outliers: 'y' has 1 value more than 10 interquartile ranges outside the "
                          "quartiles (from 0.5 to 1e+06)"));
  EXPECT_EQ(report.columns[1].max, 1e6);
}

TEST(DataReportTest, OrdinaryDataHaveNoFindings) {
  const auto csv = Csv("x,y,t", 90, [](int i) {
    return S(i * i % 31) + ".5," + S(i * 7 % 23) + "." + S(i % 10) + "," + "abc"[i * i % 7 % 3];
  });
  EXPECT_THAT(Findings(Describe(csv, "t")), IsEmpty());
}

TEST(DataReportTest, OptionsOutOfRangeAreRefused) {
  EXPECT_EQ(RefusalOf([] { Describe("x\n1\n", "", {.folds = 1}); }),
            InvalidArgument("cannot describe 'data': folds must be at least 2"));
  EXPECT_EQ(RefusalOf([] { Describe("x\n1\n", "", {.most_frequent = 0}); }),
            InvalidArgument("cannot describe 'data': most_frequent must be at least 1"));
}

}  // namespace
}  // namespace crossfold
