// Files, roles and the two ways to read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "temporary_folder.h"
#include "unit/engine/data/refusal.h"
#include "unit/sources/readings.h"

namespace crossfold::sources {
namespace {

using testing::ElementsAre;

std::optional<Refusal> RefusalOfRoles(std::string_view text, const Roles& roles) {
  return RefusalOf([&] { ParseCsv(text, "a.csv", {.roles = roles}); });
}

class CsvFileTest : public testing::Test {
 protected:
  const test::TemporaryFolder folder_;
  const std::string path_ = folder_.path() / "file.csv";
};

TEST_F(CsvFileTest, AFileReadsLikeItsText) {
  const std::string text = "x,y\r\n1,\"a\r\nb\"\r\n2,c\r\n";
  std::ofstream(path_, std::ios::binary) << text;
  const auto data = ReadCsv(path_, {});
  EXPECT_EQ(data->content_hash(), ParseCsv(text, "any", {})->content_hash());
  EXPECT_EQ(data->name(), "file");  // without folder and ending
}

TEST_F(CsvFileTest, MessagesNameTheWholePath) {
  std::ofstream(path_) << "x,y\n1\n";
  EXPECT_EQ(RefusalOf([&] { ReadCsv(path_, {}); }),
            BadData("cannot read '" + path_ + "': line 2 has 1 field, the header has 2"));
}

TEST_F(CsvFileTest, AnEmptyFileIsRefused) {
  std::ofstream(path_).close();
  EXPECT_EQ(
      RefusalOf([&] { ReadCsv(path_, {}); }),
      BadData("cannot read '" + path_ + "': it is empty; the first line must name the columns"));
}

TEST_F(CsvFileTest, AMissingFileIsRefused) {
  EXPECT_EQ(RefusalOf([] { ReadCsv("no/such.csv", {}); }),
            (Refusal{ErrorKind::kIo, "cannot read 'no/such.csv': there is no such file"}));
}

TEST(CsvRolesTest, ColumnsGetTheirRoles) {
  const auto data = ParseCsv(
      "x,y,w,g,t,f\n1,a,2,u,5,0\n2,b,3,v,6,-1\n", "a.csv",
      {.roles = {.target = "y", .weights = "w", .groups = "g", .time = "t", .folds = "f"}});
  EXPECT_EQ(data->num_features(), 1);
  EXPECT_THAT(data->class_names(), ElementsAre("a", "b"));
  EXPECT_THAT(data->weights(), ElementsAre(2.0, 3.0));
  EXPECT_THAT(data->groups(), ElementsAre(0, 1));
  EXPECT_THAT(data->time(), ElementsAre(5.0, 6.0));
  EXPECT_THAT(data->folds(), ElementsAre(0, -1));
}

TEST(CsvRolesTest, IntegerClassesAreClassesOnlyIfAskedFor) {
  CsvOptions options{.roles = {.target = "y"}};
  EXPECT_EQ(ParseCsv("x,y\n1,10\n2,9\n", "a.csv", options)->task(), Task::kRegression);
  options.types["y"] = ColumnType::kCategorical;
  const auto data = ParseCsv("x,y\n1,10\n2,9\n", "a.csv", options);
  EXPECT_EQ(data->task(), Task::kClassification);
  EXPECT_THAT(data->class_names(), ElementsAre("9", "10"));
}

TEST(CsvRolesTest, AMissingTargetIsRefusedWithItsLine) {
  EXPECT_EQ(RefusalOfRoles("x,y\n\"1\n\",a\n2,?\n", {.target = "y"}),
            BadData("cannot read 'a.csv': line 4, column 'y': the target is missing; read the data "
                    "with drop_missing = { \"target\" } to leave such rows out"));
}

}  // namespace
}  // namespace crossfold::sources
