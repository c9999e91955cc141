#include "crossfold/subgroup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "crossfold/error.h"

namespace crossfold {
namespace {

using testing::ElementsAre;

std::shared_ptr<const Dataset> People() {
  Column size = Column::Categories("shirt size", {0, 1, 2, 1, -1}, {"small", "middle", "large"});
  size.ordered = true;
  return Dataset::Create(
      "people",
      {Column::Doubles("age", {60, 61, std::nan(""), 80, 20}),
       Column::Categories("sex", {0, 1, 0, 0, 1}, {"female", "male"}), size,
       Column::Integers("id", {9007199254740993, 9007199254740992, 3, 4, 5}),
       Column::Booleans("smokes", {true, false, true, false, true}),
       Column::Categories("a and b", {0, 1, 1, 0, 0}, {"x > y", "rock and roll"})},
      {});
}

std::vector<std::uint8_t> RowsOf(const std::string& expression) {
  return SubgroupRows(expression, *People());
}

std::string ErrorOf(const std::string& expression) {
  try {
    RowsOf(expression);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInvalidArgument);
    return error.what();
  }
  return "";
}

TEST(SubgroupTest, RowsWithAMissingEntryAreNotInTheSubgroup) {
  EXPECT_THAT(RowsOf("age>60"), ElementsAre(0, 1, 0, 1, 0));
  EXPECT_THAT(RowsOf("age != 60"), ElementsAre(0, 1, 0, 1, 1));
}

TEST(SubgroupTest, ColumnsAreThoseOfTheConditions) {
  EXPECT_THAT(SubgroupColumns("age>60"), ElementsAre("age"));
  EXPECT_THAT(SubgroupColumns("'a and b' = 'x > y' and shirt size != small"),
              ElementsAre("a and b", "shirt size"));
}

TEST(SubgroupTest, ConditionsJoinedByAndHoldTogether) {
  EXPECT_THAT(RowsOf("age >= 60 and sex = female"), ElementsAre(1, 0, 0, 1, 0));
  EXPECT_THAT(RowsOf("age<61 and sex=male and smokes=true"), ElementsAre(0, 0, 0, 0, 1));
}

TEST(SubgroupTest, IntegersAreComparedExactly) {
  EXPECT_THAT(RowsOf("id = 9007199254740993"), ElementsAre(1, 0, 0, 0, 0));
  EXPECT_THAT(RowsOf("id < 3.5"), ElementsAre(0, 0, 1, 0, 0));
}

TEST(SubgroupTest, LevelsWithAnOrderAreComparedByIt) {
  EXPECT_THAT(RowsOf("shirt size >= middle"), ElementsAre(0, 1, 1, 1, 0));
}

TEST(SubgroupTest, NamesAndValuesMayBeQuoted) {
  EXPECT_THAT(RowsOf("'a and b' = 'x > y'"), ElementsAre(1, 0, 0, 1, 1));
  EXPECT_THAT(RowsOf("\"a and b\" = \"rock and roll\" and age > 1"), ElementsAre(0, 1, 0, 0, 0));
}

TEST(SubgroupTest, EveryUnknownNameIsTold) {
  EXPECT_EQ(ErrorOf("agee>60 and sex=femal"),
            "cannot use subgroup 'agee>60 and sex=femal': 2 problems: (1) dataset 'people' has no "
            "column 'agee'; did you mean 'age'? known: a and b, age, id, sex, shirt size, smokes; "
            "(2) column 'sex' has no level 'femal'; did you mean 'female'? known: female, male");
}

TEST(SubgroupTest, WhatHasNoOrderIsNotComparedByIt) {
  EXPECT_EQ(ErrorOf("sex < male"),
            "cannot use subgroup 'sex < male': column 'sex' is categorical and has no order; use = "
            "or !=");
  EXPECT_EQ(ErrorOf("smokes > false"),
            "cannot use subgroup 'smokes > false': column 'smokes' is true or false and has no "
            "order; use = or !=");
}

TEST(SubgroupTest, ValuesOfAnotherKindAreRefused) {
  EXPECT_EQ(ErrorOf("age > old"),
            "cannot use subgroup 'age > old': column 'age' has numbers, and 'old' is none");
  EXPECT_EQ(ErrorOf("age > nan"),
            "cannot use subgroup 'age > nan': column 'age' has numbers, and 'nan' is none");
  EXPECT_EQ(ErrorOf("smokes = yes"),
            "cannot use subgroup 'smokes = yes': column 'smokes' is true or false, not 'yes'");
}

TEST(SubgroupTest, WhatIsNoConditionIsToldWithTheForm) {
  const std::string form = "; write it as in age > 60 and sex = female";
  EXPECT_EQ(ErrorOf(""), "cannot use subgroup '': there is no name of a column before ''" + form);
  EXPECT_EQ(ErrorOf("age"),
            "cannot use subgroup 'age': there is none of = != < <= > >= before ''" + form);
  EXPECT_EQ(ErrorOf("age >"),
            "cannot use subgroup 'age >': there is no name of a value before ''" + form);
  EXPECT_EQ(ErrorOf("age > 1 and"),
            "cannot use subgroup 'age > 1 and': there is no name of a column before ''" + form);
  EXPECT_EQ(ErrorOf("'a = 1"),
            "cannot use subgroup ''a = 1': a quote is not closed: 'a = 1" + form);
  EXPECT_EQ(
      ErrorOf("sex = 'male' or age > 1"),
      "cannot use subgroup 'sex = 'male' or age > 1': expected 'and' before 'or age > 1'" + form);
}

}  // namespace
}  // namespace crossfold
