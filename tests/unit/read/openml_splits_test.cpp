#include "crossfold/openml_splits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "crossfold/error.h"
#include "crossfold_plugin/random.hpp"
#include "temporary_folder.h"

namespace crossfold {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Rows = std::vector<std::int64_t>;

std::shared_ptr<const Dataset> FourRows(const Rows& groups = {}) {
  std::vector<Column> columns = {Column::Doubles("x", {1, 2, 3, 4})};
  Roles roles;
  if (!groups.empty()) {
    columns.push_back(Column::Integers("g", groups));
    roles.groups = "g";
  }
  return Dataset::Create("four", std::move(columns), roles);
}

const std::string kHeader =
    "@relation splits\n@attribute type {TRAIN,TEST}\n@attribute rowid numeric\n"
    "@attribute repeat numeric\n@attribute fold numeric\n@data\n";

std::string MessageOf(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

std::string ParseRefusal(const std::string& text) {
  return MessageOf([&] { ParseOpenmlSplits(text, "s.arff"); });
}

void ExpectSamePlan(const SplitPlan& a, const SplitPlan& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::int64_t split = 0; split < a.size(); ++split) {
    EXPECT_EQ(a.Rows(split).train, b.Rows(split).train) << split;
    EXPECT_EQ(a.Rows(split).test, b.Rows(split).test) << split;
    EXPECT_EQ(a.repeat_of(split), b.repeat_of(split)) << split;
    EXPECT_EQ(a.fold_of(split), b.fold_of(split)) << split;
  }
}

// Writes and reads `plan`, and expects what was written.
void ExpectRoundTrip(const SplitPlan& plan) {
  const std::string text = FormatOpenmlSplits(plan);
  const auto again = PlanOpenmlSplits(ParseOpenmlSplits(text, "again"), plan.view());
  ExpectSamePlan(plan, *again);
  EXPECT_EQ(FormatOpenmlSplits(*again), text);
}

// ---- reading
// -------------------------------------------------------------------------------------

TEST(OpenmlSplitsTest, ReadsTheFormatOfAnOpenmlTask) {
  // In the style of https://api.openml.org/api_splits/get/59/Task_59_splits.arff: comments, upper
  // case, quotes, blanks, CRLF, and lines in any order.
  const std::string text =
      "% a comment\r\n@RELATION 'a \\'quoted\\' name'\r\n\r\n@ATTRIBUTE type {TRAIN,TEST}\r\n"
      "@ATTRIBUTE 'rowid' NUMERIC  % from 0\r\n@ATTRIBUTE \"repeat\" INTEGER\r\n"
      "@ATTRIBUTE fold REAL\r\n@DATA\r\n% rows\r\nTEST,2,0,1\r\n'TRAIN', 0 ,0,1 % comment\r\n"
      "TRAIN,1,0,1\r\nTRAIN,2,0,0\r\nTEST,0,0,0\r\nTEST,1,0,0\r\n";
  const OpenmlSplits splits = ParseOpenmlSplits(text, "s.arff");
  ASSERT_EQ(splits.splits.size(), 2u);
  EXPECT_EQ(splits.splits[0].fold, 0);
  EXPECT_THAT(splits.splits[0].rows.train, ElementsAre(2));
  EXPECT_THAT(splits.splits[0].rows.test, ElementsAre(0, 1));
  EXPECT_EQ(splits.splits[1].fold, 1);
  EXPECT_THAT(splits.splits[1].rows.train, ElementsAre(0, 1));
  EXPECT_THAT(splits.splits[1].rows.test, ElementsAre(2));
}

// As Weka reads them.
TEST(OpenmlSplitsTest, NumbersMayHaveARangeAndBlanksMaySeparate) {
  const OpenmlSplits splits = ParseOpenmlSplits(
      "@attribute type {TEST,TRAIN}\n@attribute rowid integer [0,9]\n@attribute repeat real[0,1]\n"
      "@attribute fold numeric\n@data\nTEST 7 1\t3\n'TEST', 8 ,1,3,\n",
      "s.arff");
  EXPECT_EQ(splits.splits[0].fold, 3);
  EXPECT_THAT(splits.splits[0].rows.test, ElementsAre(7, 8));
}

TEST(OpenmlSplitsTest, AttributesMayStandInAnyOrder) {
  const OpenmlSplits splits = ParseOpenmlSplits(
      "@attribute fold numeric\n@attribute type {TEST,TRAIN}\n@attribute repeat numeric\n"
      "@attribute rowid numeric\n@data\n3,TEST,1,7\n",
      "s.arff");
  EXPECT_EQ(splits.splits[0].repeat, 1);
  EXPECT_EQ(splits.splits[0].fold, 3);
  EXPECT_THAT(splits.splits[0].rows.test, ElementsAre(7));
}

TEST(OpenmlSplitsTest, SamplesOfAFoldAreSplitsOfTheirOwn) {
  const OpenmlSplits splits = ParseOpenmlSplits(
      "@attribute type {TRAIN,TEST}\n@attribute rowid numeric\n@attribute repeat numeric\n"
      "@attribute fold numeric\n@attribute sample numeric\n@data\nTRAIN,0,0,0,0\nTEST,3,0,0,0\n"
      "TRAIN,0,0,0,1\nTRAIN,1,0,0,1\nTEST,3,0,0,1\n",
      "s.arff");
  ASSERT_EQ(splits.splits.size(), 2u);
  EXPECT_EQ(splits.splits[1].sample, 1);
  const auto plan = PlanOpenmlSplits(splits, DataView{FourRows(), nullptr});
  EXPECT_THAT(plan->Rows(0).train, ElementsAre(0));
  EXPECT_THAT(plan->Rows(1).train, ElementsAre(0, 1));
}

// ---- plans
// ---------------------------------------------------------------------------------------

TEST(OpenmlSplitsTest, RepeatsOfWholeFoldsKeepTheirPlace) {
  const DataView view{FourRows(), nullptr};
  const auto plan = SplitPlan::FromPartitions(view, {{{0, 1, 0, 1}, 2}, {{1, 1, 0, 0}, 2}});
  ExpectRoundTrip(*plan);
  const auto again = PlanOpenmlSplits(ParseOpenmlSplits(FormatOpenmlSplits(*plan), "s"), view);
  EXPECT_EQ(again->partitions().size(), 2u);
}

TEST(OpenmlSplitsTest, RowsThatAlwaysTrainComeBack) {
  ExpectRoundTrip(*SplitPlan::FromPartitions(DataView{FourRows(), nullptr}, {{{0, -1, 1, -1}, 2}}));
}

TEST(OpenmlSplitsTest, TrainingRowsThatRepeatComeBack) {
  ExpectRoundTrip(*SplitPlan::FromLists(DataView{FourRows(), nullptr},
                                        {{{3, 0, 0, 1}, {2}}, {{1, 1, 1, 1}, {3, 0}}}));
}

TEST(OpenmlSplitsTest, RandomPartitionsComeBack) {
  plugin::Random random(11);
  const auto data = Dataset::Create("n", {Column::Doubles("x", std::vector<double>(50))}, {});
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<Partition> repeats;
    for (int repeat = 0; repeat < 3; ++repeat) {
      Partition partition{{}, 5};
      for (std::int32_t row = 0; row < 50; ++row) partition.fold_of_row.push_back(row % 5);
      random.Shuffle(std::span(partition.fold_of_row));
      repeats.push_back(std::move(partition));
    }
    ExpectRoundTrip(*SplitPlan::FromPartitions(DataView{data, nullptr}, std::move(repeats)));
  }
}

TEST(OpenmlSplitsTest, FilesAreWrittenAndRead) {
  const test::TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "splits.arff";
  const DataView view{FourRows(), nullptr};
  const auto plan = SplitPlan::FromPartitions(view, {{{0, 1, 2, 1}, 3}});
  WriteOpenmlSplits(*plan, path);
  ExpectSamePlan(*plan, *PlanOpenmlSplits(ReadOpenmlSplits(path), view));
}

TEST(OpenmlSplitsTest, TheWrittenTextIsPlainArff) {
  const auto plan = SplitPlan::FromLists(DataView{FourRows(), nullptr}, {{{0, 1}, {3}}});
  EXPECT_EQ(FormatOpenmlSplits(*plan),
            "@relation 'four_splits'\n\n@attribute type {TRAIN,TEST}\n@attribute rowid numeric\n"
            "@attribute repeat numeric\n@attribute fold numeric\n\n@data\nTRAIN,0,0,0\n"
            "TRAIN,1,0,0\nTEST,3,0,0\n");
}

TEST(OpenmlSplitsTest, RowsBeyondTheDatasetAreRefused) {
  const OpenmlSplits splits = ParseOpenmlSplits(kHeader + "TRAIN,0,0,0\nTEST,4,0,0\n", "s.arff");
  EXPECT_EQ(MessageOf([&] {
              PlanOpenmlSplits(splits, DataView{FourRows(), nullptr});
            }),
            "cannot split dataset 'four' (4 rows): position 5 in split 1 is not among the 4 rows");
}

TEST(OpenmlSplitsTest, SplitsWithoutTrainingRowsAreRefused) {
  const OpenmlSplits splits = ParseOpenmlSplits(kHeader + "TEST,2,0,0\n", "s.arff");
  EXPECT_EQ(MessageOf([&] {
              PlanOpenmlSplits(splits, DataView{FourRows(), nullptr});
            }),
            "cannot split dataset 'four' (4 rows): split 1 has no training rows");
}

TEST(OpenmlSplitsTest, SplitsThatTearAGroupApartAreRefused) {
  const OpenmlSplits splits = ParseOpenmlSplits(kHeader + "TRAIN,0,0,0\nTEST,2,0,0\n", "s.arff");
  const DataView view{FourRows({8, 8, 8, 9}), nullptr};
  EXPECT_EQ(
      MessageOf([&] { PlanOpenmlSplits(splits, view); }),
      "cannot use the splits of 's.arff' on dataset 'four': split 1 tests row 3 while row 1 of "
      "the same group trains; read the data without groups, or use ignore_groups = true");
  EXPECT_EQ(PlanOpenmlSplits(splits, view, true)->size(), 1);
}

TEST(OpenmlSplitsTest, SomeRowsOfADatasetAreRefused) {
  const DataView some{FourRows(), std::make_shared<const Rows>(Rows{0, 2})};
  const OpenmlSplits splits = ParseOpenmlSplits(kHeader + "TRAIN,0,0,0\nTEST,1,0,0\n", "s.arff");
  EXPECT_EQ(MessageOf([&] { PlanOpenmlSplits(splits, some); }),
            "cannot use the splits of 's.arff' on some rows of dataset 'four': their row ids refer "
            "to the whole dataset; use a splitter that makes splits of any rows, such as kfold");
  const auto plan = SplitPlan::FromLists(some, {{{0}, {1}}});
  EXPECT_EQ(
      MessageOf([&] { FormatOpenmlSplits(*plan); }),
      "cannot write the splits of 'four' for OpenML: they are splits of some of its rows only; "
      "split the whole dataset");
}

// ---- files without splits
// --------------------------------------------------------------------------

TEST(OpenmlSplitsTest, ProblemsOfALineAreToldWithItsNumber) {
  EXPECT_EQ(ParseRefusal(kHeader + "TRAIN,x,0,0\n"),
            "cannot read 's.arff': line 7, rowid: 'x' is not a whole number from 0 up");
  EXPECT_EQ(ParseRefusal(kHeader + "TRAIN,-1,0,0\n"),
            "cannot read 's.arff': line 7, rowid: '-1' is not a whole number from 0 up");
  EXPECT_EQ(ParseRefusal(kHeader + "TRAIN,1.0,0,0\n"),
            "cannot read 's.arff': line 7, rowid: '1.0' is not a whole number from 0 up");
  EXPECT_EQ(ParseRefusal(kHeader + "\n% c\nTRAIN,,0,0\n"),
            "cannot read 's.arff': line 9, rowid: '' is not a whole number from 0 up");
  EXPECT_EQ(ParseRefusal(kHeader + "TRAIN,99999999999999999999,0,0\n"),
            "cannot read 's.arff': line 7, rowid: '99999999999999999999' is too large");
  EXPECT_EQ(ParseRefusal(kHeader + "TRAIN,0,2147483648,0\n"),
            "cannot read 's.arff': line 7, repeat: '2147483648' is too large");
  EXPECT_EQ(ParseRefusal(kHeader + "BOTH,0,0,0\n"),
            "cannot read 's.arff': line 7, type: 'BOTH' is neither TRAIN nor TEST");
  EXPECT_EQ(ParseRefusal(kHeader + "TRAIN,0,0\n"),
            "cannot read 's.arff': line 7 has 3 values, there are 4 attributes");
  EXPECT_EQ(ParseRefusal(kHeader + "{0 TRAIN, 1 3}\n"),
            "cannot read 's.arff': line 7 is sparse ('{...}'), which is not supported; write every "
            "value");
  EXPECT_EQ(ParseRefusal(kHeader + "'TRAIN,0,0,0\n"),
            "cannot read 's.arff': line 7: a quote is not closed");
  EXPECT_EQ(ParseRefusal(kHeader + "'TRAIN'0,0,0,0\n"),
            "cannot read 's.arff': line 7 has 5 values, there are 4 attributes");
}

TEST(OpenmlSplitsTest, ProblemsOfTheHeaderAreTold) {
  const std::string way_out =
      "; OpenML splits have the attributes type, rowid, repeat, fold, and perhaps sample";
  EXPECT_EQ(ParseRefusal(""), "cannot read 's.arff': it ends before @data");
  EXPECT_EQ(ParseRefusal("a,b\n1,2\n"),
            "cannot read 's.arff': line 1: 'a,b' is neither @relation, @attribute nor @data; is "
            "this an ARFF file?");
  EXPECT_EQ(ParseRefusal("@relation x\n@data\n"),
            "cannot read 's.arff': line 2: @data comes before any @attribute");
  EXPECT_EQ(ParseRefusal("@attribute type {TRAIN,TEST}\n@data\n"),
            "cannot read 's.arff': there is no attribute 'rowid'" + way_out);
  EXPECT_EQ(ParseRefusal("@attribute type {TRAIN,TEST}\n@attribute weight numeric\n@data\n"),
            "cannot read 's.arff': attribute 'weight' is not known" + way_out);
  EXPECT_EQ(ParseRefusal("@attribute type {TRAIN,TEST}\n@attribute rowid {a,b}\n@data\n"),
            "cannot read 's.arff': attribute 'rowid' is not numeric" + way_out);
  EXPECT_EQ(ParseRefusal("@attribute type numeric\n@data\n"),
            "cannot read 's.arff': attribute 'type' is not {TRAIN,TEST}" + way_out);
  EXPECT_EQ(ParseRefusal("@attribute fold numeric\n@attribute Fold numeric\n@data\n"),
            "cannot read 's.arff': attribute 'Fold' is listed twice" + way_out);
  EXPECT_EQ(ParseRefusal("@attribute fold numeric\n@attribute fold numeric\n@data\n"),
            "cannot read 's.arff': line 2: there is a second attribute 'fold'");
  EXPECT_EQ(ParseRefusal("@attribute\n"), "cannot read 's.arff': line 1: an attribute has no name");
  EXPECT_EQ(ParseRefusal("@attribute fold\n"),
            "cannot read 's.arff': line 1: attribute 'fold' has no type");
  EXPECT_EQ(ParseRefusal("@attribute type {TRAIN,TEST\n"),
            "cannot read 's.arff': line 1: '}' is missing");
  EXPECT_EQ(ParseRefusal("@attribute fold numeric 3\n"),
            "cannot read 's.arff': line 1: unexpected '3' after attribute 'fold'");
  EXPECT_EQ(ParseRefusal(kHeader), "cannot read 's.arff': there are no rows after @data");
}

TEST(OpenmlSplitsTest, AFileThatIsNotThereIsRefused) {
  EXPECT_EQ(MessageOf([] { ReadOpenmlSplits("/nowhere/s.arff"); }),
            "cannot read '/nowhere/s.arff': there is no such file");
}

// ---- any bytes
// -------------------------------------------------------------------------------------

// Splits or an Error come out, nothing else.
void Feed(const std::string& text) {
  try {
    EXPECT_THAT(ParseOpenmlSplits(text, "fuzz").splits, Not(IsEmpty()));
  } catch (const Error&) {
  }
}

std::string SampleText() {
  return "% comment\n@relation 'x y'\n@attribute type {TRAIN,\"TEST\"}\n@attribute rowid numeric\n"
         "@attribute repeat integer\n@attribute 'fold' real\n@data\nTRAIN,0,0,0\n'TEST',1,0,0 % c\n"
         "TRAIN,1,0,1\nTEST,0,0,1\n";
}

TEST(OpenmlSplitsTest, EveryTruncationGivesSplitsOrAnError) {
  const std::string text = SampleText();
  for (std::size_t n = 0; n <= text.size(); ++n) Feed(text.substr(0, n));
}

TEST(OpenmlSplitsTest, MutationsGiveSplitsOrAnError) {
  static const std::string kSpecial("@%{}'\",\\\n\r\t 09-\0\xEF\xFF", 19);
  plugin::Random random(5);
  for (int trial = 0; trial < 20000; ++trial) {
    std::string text = SampleText();
    for (std::uint64_t edits = 1 + random.Below(4); edits > 0; --edits) {
      const auto at = static_cast<std::size_t>(random.Below(text.size()));
      const char special = kSpecial[static_cast<std::size_t>(random.Below(kSpecial.size()))];
      switch (random.Below(3)) {
        case 0:
          text.insert(at, 1, special);
          break;
        case 1:
          text[at] = special;
          break;
        default:
          text.erase(at, static_cast<std::size_t>(random.Below(8)));
      }
    }
    Feed(text);
  }
}

TEST(OpenmlSplitsTest, RandomBytesGiveAnError) {
  plugin::Random random(6);
  for (int trial = 0; trial < 5000; ++trial) {
    std::string text;
    for (std::uint64_t n = random.Below(60); n > 0; --n) {
      text.push_back(static_cast<char>(random.Below(256)));
    }
    Feed(text);
    Feed(kHeader + text);
  }
}

}  // namespace
}  // namespace crossfold
