#include "crossfold/column_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/pipeline.h"
#include "unit/engine/plugin/declared_components.h"

namespace crossfold {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<cf_column> Features(const std::vector<const char*>& names,
                                std::int32_t dtype = CF_F64) {
  std::vector<cf_column> features;
  for (const char* name : names) {
    cf_column& feature = features.emplace_back();
    feature.name = name;
    feature.dtype = dtype;
  }
  return features;
}

// Names of the features that the choice takes.
std::vector<std::string> Taken(const ParamValues& lists, const std::vector<cf_column>& features) {
  const ColumnChoice choice(lists);
  std::vector<std::string> names;
  for (const cf_column& feature : features) {
    if (choice.Has(feature)) names.emplace_back(feature.name);
  }
  return names;
}

std::string Unknown(const ParamValues& lists, const std::vector<cf_column>& features) {
  return ColumnChoice(lists).FindUnknown(features);
}

std::string Normal(const std::string& text) { return ColumnList(text).ToString(); }

std::shared_ptr<const Component> Scale(std::vector<ParamSpec> params = {}) {
  return test::Declare(Kind::kTransform, "x.scale", std::move(params));
}

std::string ErrorOf(const ParamValues& values) {
  try {
    Spec::Make(Scale(), values);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ColumnListTest, ListsWithTheSameEntriesHaveOneText) {
  EXPECT_EQ(Normal(" bmi,age , bmi"), "age, bmi");
  EXPECT_EQ(Normal("numeric, lab_*, age"), "age, lab_*, numeric");
}

TEST(ColumnListTest, ANormalTextStaysWhatItIs) {
  for (const char* text : {"age", "*", "a*b*", R"(a\*b)", R"(a\, b)", R"(a\\)", R"(\numeric)",
                           R"(a\])", R"(\ a\ )", R"(\*, \bool, a*)"}) {
    EXPECT_EQ(Normal(text), text);
  }
}

TEST(ColumnListTest, NeedlessBackslashesGo) { EXPECT_EQ(Normal(R"(\a\g\e\)"), R"(age\\)"); }

TEST(ColumnListTest, EntriesOfAListMayHaveCommasAndBlanks) {
  const std::vector<std::string> entries = {"age, in years", " b ", "c\\", "d\\*"};
  EXPECT_THAT(ColumnList(ColumnList::TextOf(entries)).names(),
              ElementsAre(" b ", "age, in years", "c\\", "d*"));
}

TEST(ColumnChoiceTest, TakesNamesPatternsAndTypes) {
  std::vector<cf_column> features = Features({"age", "lab_a", "lab_b", "slab_", "sex"});
  features.back().dtype = CF_CAT32;
  EXPECT_THAT(Taken({{"columns", "age"}}, features), ElementsAre("age"));
  EXPECT_THAT(Taken({{"columns", "lab_*"}}, features), ElementsAre("lab_a", "lab_b"));
  EXPECT_THAT(Taken({{"columns", "*a*_*"}}, features), ElementsAre("lab_a", "lab_b", "slab_"));
  EXPECT_THAT(Taken({{"columns", "categorical"}}, features), ElementsAre("sex"));
  EXPECT_THAT(Taken({{"columns", "numeric"}, {"except", "lab_*, age"}}, features),
              ElementsAre("slab_"));
  EXPECT_THAT(Taken({{"except", "*a*"}}, features), ElementsAre("sex"));
  EXPECT_THAT(Taken({{"columns", "bool, nothing_*"}}, features), IsEmpty());
}

TEST(ColumnChoiceTest, APartOfAPatternIsNotUsedTwice) {
  EXPECT_THAT(Taken({{"columns", "ab*ba"}}, Features({"aba", "abba", "ab_ba"})),
              ElementsAre("abba", "ab_ba"));
  EXPECT_THAT(Taken({{"columns", "*x*x*"}}, Features({"x", "xx", "axbxc"})),
              ElementsAre("xx", "axbxc"));
}

TEST(ColumnChoiceTest, NumericIsEveryTypeButCategorical) {
  for (const std::int32_t dtype : {CF_F64, CF_F32, CF_I64, CF_I32, CF_BOOL8}) {
    EXPECT_THAT(Taken({{"columns", "numeric"}}, Features({"a"}, dtype)), ElementsAre("a"));
  }
  EXPECT_THAT(Taken({{"columns", "bool"}}, Features({"a"}, CF_BOOL8)), ElementsAre("a"));
  EXPECT_THAT(Taken({{"columns", "i32, f32, f64"}}, Features({"a"}, CF_I64)), IsEmpty());
}

TEST(ColumnChoiceTest, ABackslashMakesNamesOfPatternsAndTypes) {
  const std::vector<cf_column> features = Features({"a*", "ab", "numeric"});
  EXPECT_THAT(Taken({{"columns", R"(a\*, \numeric)"}}, features), ElementsAre("a*", "numeric"));
}

TEST(ColumnChoiceTest, AnUnknownNameIsToldWithTheNearest) {
  const std::vector<cf_column> features = Features({"age", "bmi"});
  EXPECT_EQ(Unknown({{"columns", "agee, bmi"}}, features),
            "'columns' names 'agee', which is not a feature here; did you mean 'age'? known: age, "
            "bmi");
  EXPECT_THAT(Unknown({{"except", "bmj"}}, features), HasSubstr("'except' names 'bmj'"));
  EXPECT_EQ(Unknown({{"columns", "lab_*, categorical"}}, features), "");
}

TEST(PlacesTest, AColumnThatKeepsItsNameKeepsItsPlace) {
  const std::vector<std::string_view> made = {"d", "b"};
  EXPECT_THAT(PlacesOf(made, Features({"a", "b", "c", "d"}), {false, true, false, true}),
              ElementsAre(3, 1));
}

TEST(PlacesTest, NewColumnsStandWhereTheFirstOneIsGone) {
  const std::vector<cf_column> features = Features({"a", "b", "c", "d"});
  const std::vector<std::string_view> axes = {"pc1", "pc2"};
  EXPECT_THAT(PlacesOf(axes, features, {false, true, true, false}), ElementsAre(1, 1));
  const std::vector<std::string_view> coded = {"a", "d=x", "d=y"};
  EXPECT_THAT(PlacesOf(coded, features, {true, false, false, true}), ElementsAre(0, 3, 3));
}

TEST(PlacesTest, NewColumnsBesideThoseThatStayFollowTheLastOfThem) {
  const std::vector<std::string_view> made = {"b", "c", "b_missing"};
  EXPECT_THAT(PlacesOf(made, Features({"a", "b", "c", "d"}), {false, true, true, false}),
              ElementsAre(1, 2, 2));
  const std::vector<std::string_view> in_front = {"new", "b"};
  EXPECT_THAT(PlacesOf(in_front, Features({"a", "b"}), {false, true}), ElementsAre(1, 1));
}

TEST(ColumnsOfSpecTest, AreInTheTextButNotAmongTheArguments) {
  const auto spec = Spec::Make(Scale({test::Real("low", 0, 1, 0)}),
                               {{"columns", "bmi, age"}, {"except", "*]"}, {"low", 0.5}});
  EXPECT_EQ(spec->ToString(), R"(x.scale{columns=[age, bmi],except=[*\]],low=0.5})");
  EXPECT_EQ(spec->args().size(), 1u);
  EXPECT_TRUE(spec->columns()->Has(Features({"age"}).front()));
  EXPECT_EQ(Spec::Make(Scale(), {})->columns(), nullptr);
}

TEST(ColumnsOfSpecTest, NullTakesTheChoiceBack) {
  const auto spec = Spec::Make(Scale(), {{"columns", "age"}})->With({{"columns", Null{}}});
  EXPECT_EQ(spec->ToString(), "x.scale");
  EXPECT_EQ(spec->columns(), nullptr);
}

TEST(ColumnsOfSpecTest, ADeclaredParameterOfThatNameKeepsItsMeaning) {
  const auto spec = Spec::Make(Scale({test::Integer("columns", 1, 9, 2)}),
                               {{"columns", std::int64_t{3}}, {"except", "age"}});
  EXPECT_EQ(spec->ToString(), "x.scale{columns=3,except=[age]}");
  EXPECT_EQ(spec->args().size(), 1u);
  EXPECT_TRUE(spec->columns()->Has(Features({"bmi"}).front()));
}

TEST(ColumnsOfSpecTest, OtherKindsHaveNone) {
  EXPECT_THROW(Spec::Make(test::DeclareKnn(), {{"columns", "age"}}), Error);
}

TEST(ColumnsOfSpecTest, BadListsAreTold) {
  EXPECT_EQ(ErrorOf({{"columns", "a,,b"}}),
            "cannot make transform 'x.scale': columns = a,,b has an empty entry; write names, "
            "patterns and types, as in 'age, lab_*'");
  EXPECT_THAT(
      ErrorOf({{"except", std::int64_t{3}}}),
      HasSubstr("except = 3 is of the wrong type; it must be a name, a pattern, a type or"));
  EXPECT_THAT(ErrorOf({{"colums", "a"}}), HasSubstr("did you mean 'columns'?"));
}

TEST(ColumnsOfPipelineTest, AreParametersOfTheStep) {
  const auto pipeline =
      Pipeline::Make({Spec::Make(Scale(), {}), Spec::Make(test::DeclareKnn(), {})});
  EXPECT_EQ(pipeline->With({{"x.scale.columns", "age"}})->ToString(), "x.scale{columns=[age]}|knn");
  EXPECT_EQ(pipeline->With({{"columns", "age"}})->ToString(), "x.scale{columns=[age]}|knn");
  EXPECT_EQ(pipeline->Find("columns").step, 0u);
  EXPECT_EQ(pipeline->Find("columns").spec->name, "columns");
}

TEST(ColumnsOfPipelineTest, TheNameAloneMeansADeclaredParameter) {
  const auto learner = test::Declare(Kind::kLearner, "x.bayes",
                                     {test::OfType("columns", CF_P_STRING, std::string())});
  const auto pipeline = Pipeline::Make({Spec::Make(Scale(), {}), Spec::Make(learner, {})});
  EXPECT_EQ(pipeline->With({{"columns", "age"}})->ToString(), "x.scale|x.bayes{columns='age'}");
}

}  // namespace
}  // namespace crossfold
