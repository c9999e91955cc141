#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "crossfold/column_choice.h"
#include "crossfold/error.h"
#include "crossfold/pipeline.h"
#include "crossfold/spec.h"
#include "engine/plugin/object_param.h"
#include "unit/engine/data/refusal.h"
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
  return test::MessageOf([&] { Spec::Make(Scale(), values); });
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

std::shared_ptr<const Component> Estimator(std::string settings = "{}", std::uint32_t flags = 0) {
  ParamSpec object = test::OfType("settings", CF_P_STRING, std::move(settings));
  object.flags = CF_PF_OBJECT | flags;
  return test::Declare(Kind::kLearner, "x.estimator",
                       {test::OfType("estimator", CF_P_STRING, std::string("A")),
                        test::Integer("k", 1, 9, 5), object});
}

std::string Made(const ParamValues& values) { return Spec::Make(Estimator(), values)->ToString(); }

std::vector<std::string> ProblemsOf(const ParamValues& values) {
  return FindProblems(*Estimator(), values);
}

// The order of the bytes of UTF-8: "Z" (5A) < "a" (61) < "\u00e9" (C3 A9).
TEST(ObjectParamTest, EqualObjectsAreEqualStrings) {
  const char* const sorted =
      R"(x.estimator{settings={"Z":[1,2.5],"a":{"x":null,"y":true},"é":"é"}})";
  EXPECT_EQ(Made({{"settings", R"({"é":"\u00e9", "a" : {"y":true,"x":null},"Z":[1, 2.50]})"}}),
            sorted);
  EXPECT_EQ(Made({{"settings", Nested{R"({"a":{"x":null,"y":true},"Z":[1,25e-1],"é":"é"})"}}}),
            sorted);
}

TEST(ObjectParamTest, WholeFloatsStayFloats) {
  EXPECT_EQ(Made({{"settings", R"({"a":1.0,"b":1,"c":1e2,"d":-0.0})"}}),
            R"(x.estimator{settings={"a":1.0,"b":1,"c":100.0,"d":-0.0}})");
}

TEST(ObjectParamTest, PluginsGetTheSortedString) {
  const auto spec = Spec::Make(Estimator(), {{"settings", R"({"b":1, "a":2})"}});
  const cf_value& value = spec->args()[2].value;
  EXPECT_EQ(value.type, CF_P_STRING);
  EXPECT_EQ(std::string(value.u.s.p, value.u.s.n), R"({"a":2,"b":1})");
}

TEST(ObjectParamTest, OtherValuesAreRefused) {
  EXPECT_THAT(ProblemsOf({{"settings", "max_iter=3"}}),
              ElementsAre("settings = 'max_iter=3' is not a JSON object"));
  EXPECT_THAT(ProblemsOf({{"settings", "[1]"}}),
              ElementsAre("settings = '[1]' is not a JSON object"));
  EXPECT_THAT(ProblemsOf({{"settings", Nested{"[1]"}}}),
              ElementsAre("settings = '[1]' is not a JSON object"));
  EXPECT_THAT(ProblemsOf({{"settings", 3.5}}), ElementsAre("settings = 3.5 is not a JSON object"));
  EXPECT_THAT(ProblemsOf({{"settings", Null{}}}),
              ElementsAre("settings = none is not allowed; it must be a JSON object"));
}

TEST(ObjectParamTest, OnlyAnObjectTakesNestedValues) {
  EXPECT_THAT(ProblemsOf({{"estimator", Nested{R"({"a":1})"}}}),
              ElementsAre(R"(estimator = {"a":1} is of the wrong type; it must be a string)"));
  EXPECT_THAT(ProblemsOf({{"k", Nested{"[1,true]"}}}),
              ElementsAre("k = [1,true] is of the wrong type; it must be an integer in [1, 9]"));
}

TEST(ObjectParamTest, AnEmptyListIsAnEmptyObject) {
  EXPECT_EQ(Made({{"settings", std::vector<std::int64_t>()}}), "x.estimator{settings={}}");
  EXPECT_EQ(Made({{"settings.a", std::vector<std::int64_t>()}}),
            R"(x.estimator{settings={"a":{}}})");
}

TEST(ObjectParamTest, ADottedNameSetsAnEntryOfTheObjectInTheSameCall) {
  EXPECT_EQ(Made({{"settings", R"({"max_iter":5,"seed":1})"}, {"settings.max_iter", 200.0}}),
            R"(x.estimator{settings={"max_iter":200.0,"seed":1}})");
}

TEST(ObjectParamTest, ADottedNameAloneKeepsTheOtherEntriesOfTheDefault) {
  const auto spec = Spec::Make(Estimator(R"({"a":1,"b":2})"), {{"settings.b", std::int64_t{3}}});
  EXPECT_EQ(spec->values()[2], Value(R"({"a":1,"b":3})"));
}

TEST(ObjectParamTest, AChangeKeepsTheOtherEntries) {
  const auto spec = Spec::Make(Estimator(), {{"settings", R"({"a":1,"b":{"c":2}})"}});
  EXPECT_EQ(spec->With({{"settings.b.c", true}, {"settings.d", "x"}})->ToString(),
            R"(x.estimator{settings={"a":1,"b":{"c":true},"d":"x"}})");
  EXPECT_EQ(spec->With({{"settings", R"({"d":1})"}})->ToString(),
            R"(x.estimator{settings={"d":1}})");
}

TEST(ObjectParamTest, EntriesHaveAllTypesOfJson) {
  EXPECT_EQ(Made({{"settings.a", Null{}},
                  {"settings.b", std::vector<double>{1, 0.5}},
                  {"settings.c", std::vector<std::int64_t>{1, 2}},
                  {"settings.d", std::vector<std::string>{"x", "it's"}},
                  {"settings.e", Nested{R"([1, {"z":2, "y":[]}])"}},
                  {"settings.f", "a \"b\"\n"}}),
            R"(x.estimator{settings={"a":null,"b":[1.0,0.5],"c":[1,2],"d":["x","it's"],)"
            R"("e":[1,{"y":[],"z":2}],"f":"a \"b\"\n"}})");
}

TEST(ObjectParamTest, ObjectsOnTheWayAreAdded) {
  EXPECT_EQ(Made({{"settings.tree.max_depth", std::int64_t{3}}, {"settings.tree", Nested{"{}"}}}),
            R"(x.estimator{settings={"tree":{"max_depth":3}}})");
  EXPECT_EQ(Made({{"settings.a.b.c", std::int64_t{3}}}),
            R"(x.estimator{settings={"a":{"b":{"c":3}}}})");
}

TEST(ObjectParamTest, AnEntryWhoseNameHasDotsIsFound) {
  EXPECT_EQ(Made({{"settings", R"({"n.trees":5,"n":{"a.b":{}}})"},
                  {"settings.n.a.b.c", true},
                  {"settings.n.trees", std::int64_t{9}}}),
            R"(x.estimator{settings={"n":{"a.b":{"c":true}},"n.trees":9}})");
}

TEST(ObjectParamTest, WhatJsonCannotHoldIsNoEntry) {
  EXPECT_THAT(
      ProblemsOf({{"settings.a", std::numeric_limits<double>::infinity()},
                  {"settings.b", "\xff"},
                  {"settings.c", std::vector<double>{0, std::numeric_limits<double>::quiet_NaN()}},
                  {"settings.d", std::vector<std::string>{"\xff"}},
                  {"settings.e", Nested{"{"}}}),
      ElementsAre("settings.a = inf is not finite; JSON has no such number",
                  "settings.b is not UTF-8",
                  "settings.c = {0, nan} is not finite; JSON has no such number",
                  "settings.d is not UTF-8", "settings.e = '{' is not JSON"));
}

TEST(ObjectParamTest, WhatIsNotAnObjectHasNoEntries) {
  EXPECT_THAT(ProblemsOf({{"settings", R"({"a":{"b":[1,2]}})"}, {"settings.a.b.c", true}}),
              ElementsAre("cannot set settings.a.b.c: settings.a.b = [1,2] is not an object"));
}

TEST(ObjectParamTest, NamesWithoutAnEntryAreRefused) {
  for (const char* name : {"settings.", "settings..a", "settings.a.", "settings.a..b"}) {
    EXPECT_THAT(ProblemsOf({{name, true}}),
                ElementsAre("'" + std::string(name) + "' does not name an entry"));
  }
}

TEST(ObjectParamTest, EntriesAreNotNestedTooDeeply) {
  std::string name = "settings.a";
  for (int i = 1; i < 64; ++i) name += ".a";
  EXPECT_THAT(ProblemsOf({{name, true}}), IsEmpty());
  EXPECT_THAT(ProblemsOf({{name, std::vector<std::int64_t>{1}}}),
              ElementsAre("'" + name + "' is nested too deeply"));
  for (int i = 0; i < 100000; ++i) name += ".a";
  EXPECT_THAT(ProblemsOf({{name, true}}), ElementsAre("'" + name + "' is nested too deeply"));
}

TEST(ObjectParamTest, OnlyObjectsHaveDottedNames) {
  EXPECT_THAT(ProblemsOf({{"k.x", true}, {"setings.x", true}}),
              ElementsAre("unknown parameter 'k.x'; known: estimator, k, settings",
                          "unknown parameter 'setings.x'; did you mean 'settings'? known: "
                          "estimator, k, settings"));
}

TEST(ObjectParamTest, TheParameterOfAnEntryIsItsObject) {
  const auto spec = Spec::Make(Estimator(), {});
  EXPECT_TRUE(spec->has_param("settings.a.b"));
  EXPECT_FALSE(spec->has_param("k.a"));
  EXPECT_EQ(spec->FindParam("settings.a.b"), spec->FindParam("settings"));
}

TEST(ObjectParamTest, AnObjectWithoutEffectIsReportedOnce) {
  ParamSpec object = test::OfType("settings", CF_P_STRING, std::string("{}"));
  object.flags = CF_PF_OBJECT;
  object.active_if = "kind=a";
  const auto component =
      test::Declare(Kind::kLearner, "x.y", {test::Choice("kind", {"a", "b"}, "b"), object});
  const ParamValues values = {{"settings.x", true}, {"settings.y", true}};
  EXPECT_THAT(FindProblems(*component, values),
              ElementsAre("'settings' has no effect while kind = b; it needs kind = a"));
  const auto spec = Spec::Make(component, {});
  EXPECT_THAT(spec->WithoutInactive(values), IsEmpty());
  EXPECT_EQ(spec->With({{"kind", "a"}})->WithoutInactive(values), values);
}

TEST(ObjectParamTest, NoneIsAValueWhereItIsDeclared) {
  const auto component = Estimator("{}", CF_PF_NULLABLE);
  const auto spec = Spec::Make(component, {{"settings", Null{}}});
  EXPECT_EQ(spec->ToString(), "x.estimator{settings=none}");
  EXPECT_EQ(spec->With({{"settings.a", true}})->ToString(), R"(x.estimator{settings={"a":true}})");
}

TEST(ObjectParamTest, ItIsDescribedAsAnObject) {
  const auto component = Estimator(R"({"a":1})");
  EXPECT_EQ(Describe(component->params[2]), R"(object, default {"a":1})");
  EXPECT_EQ(Describe(component->params[0]), "string, default 'A'");
}

}  // namespace
}  // namespace crossfold
