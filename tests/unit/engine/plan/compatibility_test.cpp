#include "engine/plan/compatibility.h"

#include <limits>

#include "unit/engine/run/fixture.h"

namespace crossfold {
namespace {

using fixture::Centred;
using fixture::Classes;
using fixture::ExpectError;
using fixture::Learner;
using fixture::Numbers;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::shared_ptr<const Dataset> TwoClasses(std::vector<Column> features, Roles roles = {}) {
  roles.target = "class";
  features.push_back(Column::Categories("class", {0, 1, 0, 1}, {"a", "b"}));
  return Dataset::Create("two", std::move(features), roles);
}

void ExpectRefused(const Pipeline& learner, const Dataset& data, const std::string& text) {
  ExpectError(ErrorKind::kInvalidArgument, text, [&] { CheckCompatible(learner, data); });
}

TEST(CheckCompatibleTest, TakesWhatFits) {
  EXPECT_NO_THROW(CheckCompatible(*Learner("picky"), *Classes(9, 2)));
  EXPECT_NO_THROW(CheckCompatible(*Learner("coin"), *Classes(9, 3)));
  EXPECT_NO_THROW(CheckCompatible(*Learner("probe"), *Numbers({1, 2}, {3, 4})));
}

TEST(CheckCompatibleTest, AClassifierNeedsClasses) {
  ExpectRefused(*Learner("coin"), *Numbers({1, 2}, {3, 4}),
                "cannot use learner 'fixture.coin' on dataset 'numbers': it is for classification, "
                "the target 'y' is numeric; if its numbers name classes, read it with types = { y "
                "= \"categorical\" }");
}

TEST(CheckCompatibleTest, TheWayOutNamesAnyColumnAsLuaDoes) {
  Roles roles;
  roles.target = "sold (y/n)";
  const auto data = Dataset::Create("sales", {Column::Doubles("sold (y/n)", {0, 1})}, roles);
  ExpectRefused(*Learner("coin"), *data,
                "cannot use learner 'fixture.coin' on dataset 'sales': it is for classification, "
                "the target 'sold (y/n)' is numeric; if its numbers name classes, read it with "
                "types = { [\"sold (y/n)\"] = \"categorical\" }");
}

TEST(CheckCompatibleTest, ARegressorNeedsNumbers) {
  ExpectRefused(*Learner("probe"), *Classes(9, 3),
                "cannot use learner 'fixture.probe' on dataset 'classes': it is for regression, "
                "the target 'class' is categorical");
}

TEST(CheckCompatibleTest, ABinaryLearnerNeedsTwoClasses) {
  ExpectRefused(*Learner("picky"), *Classes(9, 3),
                "cannot use learner 'fixture.picky' on dataset 'classes': it is for two classes, "
                "the target 'class' has 3");
}

TEST(CheckCompatibleTest, ATargetIsNeeded) {
  const auto data = Dataset::Create("bare", {Column::Doubles("x", {1, 2})}, {});
  ExpectRefused(*Learner("coin"), *data,
                "cannot use learner 'fixture.coin' on dataset 'bare': the dataset has no target; "
                "read it with target = \"<column>\"");
}

TEST(CheckCompatibleTest, CategoriesMayBeRefused) {
  const auto data = TwoClasses({Column::Categories("c", {0, 0, 1, 1}, {"p", "q"})});
  ExpectRefused(*Learner("picky"), *data,
                "cannot use learner 'fixture.picky' on dataset 'two': it does not accept "
                "categorical features (feature 'c'); encode them as numbers or leave them out");
}

TEST(CheckCompatibleTest, NumbersMayBeRefused) {
  const auto data = TwoClasses({Column::Doubles("x", {1, 2, 3, 4})});
  ExpectRefused(*Learner("namer"), *data,
                "cannot use learner 'fixture.namer' on dataset 'two': it does not accept numeric "
                "features (feature 'x'); make them categorical or leave them out");
}

TEST(CheckCompatibleTest, MissingValuesMayBeRefused) {
  const auto data = TwoClasses({Column::Doubles("x", {1, kNaN, kNaN, 4})});
  ExpectRefused(*Learner("picky"), *data,
                "cannot use learner 'fixture.picky' on dataset 'two': it does not accept missing "
                "values (2 in feature 'x'); fill them in or leave the feature out");
}

TEST(CheckCompatibleTest, NoFeaturesMayBeRefused) {
  ExpectRefused(
      *Learner("picky"), *TwoClasses({}),
      "cannot use learner 'fixture.picky' on dataset 'two': it needs features and there are none");
  EXPECT_NO_THROW(CheckCompatible(*Learner("coin"), *TwoClasses({})));
}

TEST(CheckCompatibleTest, WeightsMayBeRefusedByAnyStep) {
  Roles roles;
  roles.weights = "w";
  const auto data =
      TwoClasses({Column::Doubles("x", {1, 2, 3, 4}), Column::Doubles("w", {1, 1, 2, 2})}, roles);
  const std::string refusal =
      "cannot use learner 'fixture.picky' on dataset 'two': it does not accept row weights (column "
      "'w'); read the data without weights";
  ExpectRefused(*Learner("picky"), *data, refusal);
  ExpectRefused(*Centred("center", "picky"), *data, refusal);
}

TEST(CheckCompatibleTest, WhatATransformMayRepairIsNotRefusedBeforehand) {
  const auto data = TwoClasses({Column::Doubles("x", {1, kNaN, kNaN, 4})});
  EXPECT_NO_THROW(CheckCompatible(*Centred("center", "picky"), *data));
}

TEST(CountMissingTest, CountsWhatNobodyCountedBefore) {
  const std::vector<double> numbers = {1, kNaN, 3, 4};
  const std::uint8_t validity = 0b0111;  // the last entry is missing
  cf_column column{};
  column.data = numbers.data();
  column.validity = &validity;
  column.dtype = CF_F64;
  column.null_count = -1;
  EXPECT_EQ(CountMissing(column, 4), 2);
  column.null_count = 3;
  EXPECT_EQ(CountMissing(column, 4), 3);
}

}  // namespace
}  // namespace crossfold
