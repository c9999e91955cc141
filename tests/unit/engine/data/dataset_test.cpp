#include "crossfold/dataset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "unit/engine/data/refusal.h"

namespace crossfold {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// What is wrong with these columns: the message after "cannot make dataset 'iris': ".
std::string FindingOf(std::vector<Column> columns, const Roles& roles = {}) {
  const auto refusal = RefusalOf([&] { Dataset::Create("iris", columns, roles); });
  if (!refusal) return "";
  const std::string attempt = "cannot make dataset 'iris': ";
  EXPECT_EQ(*refusal, BadData(attempt + refusal->message.substr(attempt.size())));
  return refusal->message.substr(attempt.size());
}

Column Width() { return Column::Doubles("width", {0.2, 1.3, 2.5}); }
Column Class() { return Column::Categories("class", {2, 0, 2}, {"setosa", "unseen", "virginica"}); }

TEST(DatasetTest, KeepsNameRowsAndColumns) {
  const auto data = Dataset::Create("iris", {Width(), Class()}, {.target = "class"});
  EXPECT_EQ(data->name(), "iris");
  EXPECT_EQ(data->num_rows(), 3);
  ASSERT_EQ(data->columns().size(), 2U);
  EXPECT_EQ(data->columns()[1].name, "class");
  EXPECT_EQ(data->roles().target, "class");
  EXPECT_EQ(data->column("width").name, "width");
}

TEST(DatasetTest, FeaturesAreTheColumnsWithoutARole) {
  const auto data = Dataset::Create("iris",
                                    {Width(), Column::Integers("fold", {0, 1, 0}), Class(),
                                     Column::Categories("colour", {1, -1, 0}, {"blue", "red"})},
                                    {.target = "class", .folds = "fold"});
  ASSERT_EQ(data->num_features(), 2);
  const cf_column& width = data->features()[0];
  EXPECT_STREQ(width.name, "width");
  EXPECT_EQ(width.dtype, CF_F64);
  EXPECT_EQ(width.data, data->column("width").data);  // lent, not copied
  EXPECT_EQ(width.levels, nullptr);
  EXPECT_EQ(width.null_count, 0);
  const cf_column& colour = data->features()[1];
  EXPECT_EQ(colour.dtype, CF_CAT32);
  ASSERT_EQ(colour.n_levels, 2);
  EXPECT_STREQ(colour.levels[1], "red");
  EXPECT_EQ(colour.null_count, 1);
}

TEST(DatasetTest, ACategoricalTargetKeepsItsClassOrderAndUnseenClasses) {
  const auto data = Dataset::Create("iris", {Width(), Class()}, {.target = "class"});
  EXPECT_EQ(data->task(), Task::kClassification);
  EXPECT_THAT(data->class_names(), ElementsAre("setosa", "unseen", "virginica"));
  EXPECT_THAT(data->labels(), ElementsAre(2, 0, 2));
  EXPECT_THAT(data->values(), IsEmpty());
  const cf_column& target = *data->target();
  EXPECT_STREQ(target.name, "class");
  EXPECT_EQ(target.dtype, CF_CAT32);
  EXPECT_EQ(target.data, data->labels().data());
  EXPECT_EQ(target.n_levels, 3);
  EXPECT_STREQ(target.levels[2], "virginica");
  EXPECT_STREQ(data->class_name_pointers()[0], "setosa");
}

TEST(DatasetTest, ABoolTargetHasTheClassesFalseAndTrue) {
  const auto data = Dataset::Create("d", {Column::Booleans("y", {true, true})}, {.target = "y"});
  EXPECT_EQ(data->task(), Task::kClassification);
  EXPECT_THAT(data->class_names(), ElementsAre("false", "true"));
  EXPECT_THAT(data->labels(), ElementsAre(1, 1));
}

TEST(DatasetTest, ANumericTargetBecomesDoubles) {
  for (const Column& column : {Column::Doubles("y", {3, -1}), Column::Floats("y", {3, -1}),
                               Column::Integers("y", {3, -1}), Column::Integers32("y", {3, -1})}) {
    const auto data = Dataset::Create("d", {column}, {.target = "y"});
    EXPECT_EQ(data->task(), Task::kRegression);
    EXPECT_THAT(data->values(), ElementsAre(3.0, -1.0));
    EXPECT_THAT(data->labels(), IsEmpty());
    EXPECT_EQ(data->num_classes(), 0);
    EXPECT_EQ(data->target()->dtype, CF_F64);
    EXPECT_EQ(data->target()->data, data->values().data());
  }
}

TEST(DatasetTest, WithoutATargetThereIsNoTask) {
  const auto data = Dataset::Create("d", {Width()}, {});
  EXPECT_EQ(data->task(), Task::kNone);
  EXPECT_EQ(data->target(), nullptr);
  EXPECT_THAT(data->weights(), IsEmpty());
  EXPECT_THAT(data->groups(), IsEmpty());
  EXPECT_THAT(data->time(), IsEmpty());
  EXPECT_THAT(data->folds(), IsEmpty());
}

TEST(DatasetTest, RolesAreConverted) {
  const auto data = Dataset::Create(
      "d",
      {Width(), Column::Integers("w", {0, 2, 1}), Column::Floats("t", {1.5F, 0, -1}),
       Column::Integers32("f", {-1, 0, 4}), Column::Categories("g", {1, 1, 0}, {"a", "b"})},
      {.weights = "w", .groups = "g", .time = "t", .folds = "f"});
  EXPECT_THAT(data->weights(), ElementsAre(0.0, 2.0, 1.0));
  EXPECT_THAT(data->time(), ElementsAre(1.5, 0.0, -1.0));
  EXPECT_THAT(data->folds(), ElementsAre(-1, 0, 4));
  EXPECT_THAT(data->groups(), ElementsAre(1, 1, 0));
  EXPECT_EQ(data->num_features(), 1);
}

TEST(DatasetTest, GroupsMayBeIntegersOrBools) {
  const std::vector<Column> columns = {Column::Integers("id", {70, -3}),
                                       Column::Booleans("flag", {true, false})};
  EXPECT_THAT(Dataset::Create("d", columns, {.groups = "id"})->groups(), ElementsAre(70, -3));
  EXPECT_THAT(Dataset::Create("d", columns, {.groups = "flag"})->groups(), ElementsAre(1, 0));
}

TEST(DatasetTest, AnUnknownRoleColumnIsRefusedWithTheNearestName) {
  EXPECT_EQ(FindingOf({Width(), Class()}, {.target = "clas"}),
            "target 'clas' is not a column; did you mean 'class'? known: class, width");
  EXPECT_EQ(FindingOf({Width()}, {.weights = "case_count"}),
            "weights 'case_count' is not a column; known: width");
}

TEST(DatasetTest, AnUnknownColumnIsRefusedWithTheNearestName) {
  const auto data = Dataset::Create("iris", {Width(), Class()}, {});
  EXPECT_EQ(RefusalOf([&] { data->column("widht"); }),
            InvalidArgument("cannot find column 'widht' in dataset 'iris': there is no such "
                            "column; did you mean 'width'? known: class, width"));
}

TEST(DatasetTest, AMissingTargetIsRefusedWithRowAndCount) {
  EXPECT_EQ(FindingOf({Column::Categories("y", {0, -1, -1}, {"a"})}, {.target = "y"}),
            "target 'y' is missing in 2 rows, first in row 2; read the data with drop_missing = { "
            "\"target\" } to leave such rows out");
  EXPECT_EQ(FindingOf({Column::Doubles("y", {1, 2, NAN})}, {.target = "y"}),
            "target 'y' is missing in 1 row, first in row 3; read the data with drop_missing = { "
            "\"target\" } to leave such rows out");
}

TEST(DatasetTest, RowsAreDroppedThatLackAnEntryInANamedColumnOrRole) {
  const std::vector<Column> columns = {Column::Doubles("x", {1, NAN, 3, 4}),
                                       Column::Categories("y", {0, 1, -1, 1}, {"a", "b"})};
  const auto by_role =
      Dataset::Create("d", columns, {.target = "y"}, std::vector<std::string>{"target"});
  EXPECT_EQ(by_role->num_rows(), 3);
  EXPECT_EQ(by_role->num_dropped_rows(), 1);
  EXPECT_THAT(by_role->labels(), ElementsAre(0, 1, 1));
  EXPECT_TRUE(by_role->column("x").is_missing(1));
  const auto both =
      Dataset::Create("d", columns, {.target = "y"}, std::vector<std::string>{"y", "x"});
  EXPECT_EQ(both->num_dropped_rows(), 2);
  // As if they had never been there.
  EXPECT_EQ(both->content_hash(),
            Dataset::Create(
                "e", {Column::Doubles("x", {1, 4}), Column::Categories("y", {0, 1}, {"a", "b"})},
                {.target = "y"})
                ->content_hash());
  EXPECT_EQ(Dataset::WithRoles(*both, {})->num_dropped_rows(), 2);
}

TEST(DatasetTest, WhatIsNoColumnIsNotDroppedBy) {
  const auto refusal = [](std::vector<Column> columns, const std::vector<std::string>& names) {
    return RefusalOf([&] { Dataset::Create("iris", columns, {.target = "class"}, names); });
  };
  EXPECT_EQ(
      refusal({Width(), Class()}, {"groups"}),
      InvalidArgument("cannot make dataset 'iris': drop_missing names 'groups', which is neither a "
                      "role that was given nor a column; known: class, target, width"));
  EXPECT_EQ(refusal({Column::Doubles("width", {NAN, NAN, NAN}), Class()}, {"width"}),
            BadData("cannot make dataset 'iris': drop_missing leaves out all of its rows; name "
                    "fewer columns"));
}

TEST(DatasetTest, OtherRolesTakeTheSameColumns) {
  const auto data =
      Dataset::WithCosts(*Dataset::Create("iris", {Width(), Class()}, {.target = "class"}),
                         {3, 3, {0, 1, 1, 1, 0, 1, 1, 1, 0}});
  const auto grouped = Dataset::WithRoles(*data, {.target = "width", .groups = "class"});
  EXPECT_EQ(grouped->task(), Task::kRegression);
  EXPECT_THAT(grouped->groups(), ElementsAre(2, 0, 2));
  EXPECT_EQ(grouped->column("width").data, data->column("width").data);  // not copied
  EXPECT_THAT(grouped->costs(), IsEmpty());                              // they are of the target
  EXPECT_NE(grouped->content_hash(), data->content_hash());
  EXPECT_EQ(Dataset::WithRoles(*data, {.target = "class", .weights = "width"})->costs().size(), 9U);
  EXPECT_EQ(Dataset::WithRoles(*data, {.target = "class"})->content_hash(), data->content_hash());
}

TEST(DataViewTest, TheHashIsOfTheRowsAndTheirOrder) {
  const auto data = Dataset::Create("iris", {Width(), Class()}, {});
  const auto hash = [&](std::vector<std::int64_t> rows) {
    return DataView{data, std::make_shared<const std::vector<std::int64_t>>(std::move(rows))}
        .content_hash();
  };
  EXPECT_EQ((DataView{data, nullptr}).content_hash(), data->content_hash());
  EXPECT_EQ(hash({0, 2}), hash({0, 2}));
  EXPECT_NE(hash({0, 2}), hash({2, 0}));
  EXPECT_NE(hash({0, 2}), hash({0, 1}));
  EXPECT_NE(hash({0, 2}), data->content_hash());
}

TEST(DatasetTest, AnInfiniteTargetIsRefused) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(FindingOf({Column::Doubles("y", {1, -infinity})}, {.target = "y"}),
            "target 'y' is infinite in row 2");
}

TEST(DatasetTest, WeightsMustBeNumericFiniteAndNotNegative) {
  EXPECT_EQ(FindingOf({Class()}, {.weights = "class"}),
            "weights 'class' is of type categorical; it must be numeric");
  EXPECT_EQ(FindingOf({Column::Doubles("w", {1, -0.5})}, {.weights = "w"}),
            "weights 'w' is negative (-0.5) in row 2");
  EXPECT_EQ(FindingOf({Column::Doubles("w", {1, HUGE_VAL})}, {.weights = "w"}),
            "weights 'w' is infinite in row 2");
  EXPECT_EQ(FindingOf({Column::Doubles("w", {NAN})}, {.weights = "w"}),
            "weights 'w' is missing in 1 row, first in row 1; read the data with drop_missing = { "
            "\"weights\" } to leave such rows out");
}

TEST(DatasetTest, GroupsMustNotBeFloats) {
  EXPECT_EQ(FindingOf({Width()}, {.groups = "width"}),
            "groups 'width' is of type f64; it must be categorical, integer or bool");
}

TEST(DatasetTest, TimeMustBeNumericOrADate) {
  EXPECT_EQ(FindingOf({Column::Booleans("t", {true})}, {.time = "t"}),
            "time 't' is of type bool; it must be numeric, or dates such as 2024-01-31");
}

TEST(DatasetTest, DatesAreTimesInDays) {
  const auto data = Dataset::Create(
      "d", {Column::Categories("t", {1, 0, 1}, {"2024-03-01", "2024-02-29", "no row has it"})},
      {.time = "t"});
  EXPECT_THAT(data->time(), ElementsAre(19782, 19783, 19782));
}

TEST(DatasetTest, DatesOfWhichOneHasAClockAreTimesInSeconds) {
  const auto data = Dataset::Create(
      "d", {Column::Categories("t", {0, 1}, {"1970-01-02", "1970-01-01 00:01"})}, {.time = "t"});
  EXPECT_THAT(data->time(), ElementsAre(86400, 60));
}

TEST(DatasetTest, ATextThatIsNoDateIsNoTime) {
  EXPECT_EQ(
      FindingOf({Column::Categories("t", {0, 1}, {"2024-02-29", "31.1.2024"})}, {.time = "t"}),
      "time 't' is '31.1.2024', which is neither a number nor a date such as 2024-01-31 or "
      "2024-01-31T12:30, in row 2");
}

TEST(DatasetTest, FoldsMustBeIntegersFromMinusOne) {
  EXPECT_EQ(FindingOf({Width()}, {.folds = "width"}),
            "folds 'width' is of type f64; it must be i32 or i64");
  EXPECT_EQ(FindingOf({Column::Integers("f", {0, -2})}, {.folds = "f"}),
            "folds 'f' is -2 (below -1, which means never tested) in row 2");
}

TEST(DatasetTest, ColumnsMustHaveOneLength) {
  EXPECT_EQ(FindingOf({Width(), Column::Doubles("y", {1, 2})}),
            "column 'y' has 2 rows, column 'width' has 3");
}

TEST(DatasetTest, ColumnsMustHaveDistinctNames) {
  EXPECT_EQ(FindingOf({Width(), Class(), Width()}), "two columns are named 'width'");
  EXPECT_EQ(FindingOf({Width(), Column::Doubles("", {1, 2, 3})}), "column 2 has no name");
  EXPECT_EQ(FindingOf({Column::Doubles(std::string("a\0b", 3), {1})}),
            "the name of column 1 contains a NUL");
}

TEST(DatasetTest, NoColumnsAreNoDataset) { EXPECT_EQ(FindingOf({}), "it has no columns"); }

TEST(DatasetTest, LevelsOutOfRangeAreRefused) {
  EXPECT_EQ(FindingOf({Column::Categories("c", {0, 2}, {"a", "b"})}),
            "column 'c', row 2: level 2 is not one of the 2 levels (counted from 0)");
  EXPECT_EQ(FindingOf({Column::Categories("c", {-2}, {"a"})}),
            "column 'c', row 1: level -2 is not one of the 1 levels (counted from 0)");
}

TEST(DatasetTest, LevelsMustBeDistinct) {
  EXPECT_EQ(FindingOf({Column::Categories("c", {0}, {"a", "a"})}),
            "column 'c' has the level 'a' twice");
  EXPECT_EQ(FindingOf({Column::Categories("c", {0}, {std::string("\0", 1)})}),
            "column 'c' has a level that contains a NUL");
}

// A host's own memory: what is wrong there must be found here, not by a plugin.
Column Lent(std::int32_t dtype, const void* data, std::int64_t n_rows) {
  Column column;
  column.name = "x";
  column.dtype = dtype;
  column.n_rows = n_rows;
  column.data = data;
  return column;
}

TEST(DatasetTest, LentMemoryIsCheckedAndNotCopied) {
  const double values[] = {1, 2};
  const auto data = Dataset::Create("d", {Lent(CF_F64, values, 2)}, {});
  EXPECT_EQ(data->features()[0].data, values);

  const std::uint8_t bools[] = {0, 1, 2};
  EXPECT_EQ(FindingOf({Lent(CF_BOOL8, bools, 3)}), "column 'x', row 3: bool 2 is neither 0 nor 1");
  EXPECT_EQ(FindingOf({Lent(CF_F64, nullptr, 2)}), "column 'x' has no data");
  EXPECT_EQ(FindingOf({Lent(CF_F64, reinterpret_cast<const char*>(values) + 4, 1)}),
            "column 'x' is not aligned to 8 bytes");
  EXPECT_EQ(FindingOf({Lent(9, values, 2)}), "column 'x' has the unknown type 9");
}

TEST(DatasetTest, MissingEntriesMayHoldAnything) {
  const std::int32_t codes[] = {0, 77};
  const std::uint8_t bitmap = 0b01;
  Column column = Lent(CF_CAT32, codes, 2);
  column.levels = {"a"};
  column.validity = &bitmap;
  EXPECT_EQ(Dataset::Create("d", {column}, {})->features()[0].null_count, 1);
}

TEST(DatasetTest, TheOwnerOfAColumnLivesAsLongAsTheDataset) {
  auto values = std::make_shared<std::vector<double>>(std::vector<double>{1, 2});
  const std::weak_ptr<std::vector<double>> alive = values;
  Column column = Lent(CF_F64, values->data(), 2);
  column.owner = std::move(values);
  auto data = Dataset::Create("d", {std::move(column)}, {});
  EXPECT_FALSE(alive.expired());
  data.reset();
  EXPECT_TRUE(alive.expired());
}

TEST(DataViewTest, WithoutRowsItIsTheWholeDataset) {
  const DataView view{Dataset::Create("d", {Width()}, {}), nullptr};
  EXPECT_EQ(view.num_rows(), 3);
  EXPECT_EQ(view.row_id(2), 2);
}

TEST(DataViewTest, RowsMayRepeatInAnyOrder) {
  const DataView view{
      Dataset::Create("d", {Width()}, {}),
      std::make_shared<const std::vector<std::int64_t>>(std::vector<std::int64_t>{2, 0, 2, 1})};
  EXPECT_EQ(view.num_rows(), 4);
  EXPECT_EQ(view.row_id(0), 2);
  EXPECT_EQ(view.row_id(3), 1);
}

TEST(DatasetTest, StrataAndRowCostsAreNoFeatures) {
  const auto data =
      Dataset::Create("loans",
                      {Width(), Column::Categories("branch", {1, 0, 1}, {"north", "south"}),
                       Class(), Column::Doubles("a", {1, 2, 3}), Column::Integers("b", {4, 5, 6}),
                       Column::Doubles("c", {7, 8, 9})},
                      {.target = "class",
                       .strata = "branch",
                       .row_costs = {{"virginica", "c"}, {"setosa", "a"}, {"unseen", "b"}}});
  ASSERT_EQ(data->num_features(), 1);
  EXPECT_THAT(data->strata(), ElementsAre(1, 0, 1));
  // Row-major, in class order.
  EXPECT_THAT(data->row_costs(), ElementsAre(1, 4, 7, 2, 5, 8, 3, 6, 9));
  EXPECT_THAT(data->costs(), IsEmpty());
}

TEST(DatasetTest, RowCostsAreForEveryClassAndForClassesOnly) {
  const std::vector<Column> columns = {Column::Doubles("a", {1, 2, 3}), Class()};
  EXPECT_EQ(FindingOf(columns, {.target = "class", .row_costs = {{"setosa", "a"}}}),
            "row_costs has no column for class 'unseen'; give one for every class");
  EXPECT_EQ(FindingOf(columns, {.target = "class", .row_costs = {{"setsa", "a"}}}),
            "row_costs names 'setsa', which is not a class; did you mean 'setosa'? known: setosa, "
            "unseen, virginica");
  EXPECT_EQ(FindingOf(columns, {.target = "class", .row_costs = {{"setosa", "aa"}}}),
            "row_costs 'aa' is not a column; did you mean 'a'? known: a, class");
  EXPECT_EQ(FindingOf(columns, {.target = "a", .row_costs = {{"setosa", "a"}}}),
            "row_costs needs a categorical target");
}

TEST(DatasetTest, ACostMatrixComesWithACopyOfAnotherIdentity) {
  const auto data = Dataset::Create("iris", {Width(), Class()}, {.target = "class"});
  const CostMatrix costs{3, 3, {0, 1, 2, 3, 0, 4, 5, 6, 0}};
  const auto costly = Dataset::WithCosts(*data, costs);
  EXPECT_THAT(costly->costs(), testing::ElementsAreArray(costs.costs));
  EXPECT_EQ(costly->features()[0].data, data->features()[0].data);  // lent, not copied
  EXPECT_NE(costly->content_hash(), data->content_hash());
  EXPECT_EQ(Dataset::WithCosts(*costly, costs)->content_hash(), costly->content_hash());
  const auto rebuilt = Dataset::Rebuild(*costly, {Class()}, {.target = "class"});
  EXPECT_THAT(rebuilt->costs(), testing::ElementsAreArray(costs.costs));
}

TEST(DatasetTest, ACostMatrixOfTheWrongShapeNamesBothShapes) {
  const auto data = Dataset::Create("iris", {Width(), Class()}, {.target = "class"});
  const auto refusal = [&](const CostMatrix& costs) {
    return RefusalOf([&] { Dataset::WithCosts(*data, costs); });
  };
  EXPECT_EQ(
      refusal({2, 3, {0, 1, 2, 3, 0, 4}}),
      InvalidArgument(
          "cannot set the costs of dataset 'iris': the matrix is 2 x 3, the 3 classes need 3 x 3"));
  EXPECT_EQ(refusal({3, 3, {0, 1, 2, 3, 0, NAN, 5, 6, 0}}),
            InvalidArgument("cannot set the costs of dataset 'iris': an entry is not finite"));
  const auto numbers = Dataset::Create("d", {Width()}, {.target = "width"});
  EXPECT_EQ(RefusalOf([&] {
              Dataset::WithCosts(*numbers, {1, 1, {0}});
            }),
            InvalidArgument("cannot set the costs of dataset 'd': its target is not categorical"));
}

}  // namespace
}  // namespace crossfold
