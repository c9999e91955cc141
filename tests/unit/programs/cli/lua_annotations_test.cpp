#include "programs/cli/lua_annotations.h"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <string>

namespace crossfold::cli {
namespace {

std::shared_ptr<Component> Made(Kind kind, const std::string& id) {
  auto component = std::make_shared<Component>();
  component->kind = kind;
  component->id = id;
  component->version = "1.2.0";
  return component;
}

ParamSpec Integer(const std::string& name, std::int64_t low, std::int64_t value) {
  ParamSpec param;
  param.name = name;
  param.type = CF_P_INT;
  param.ilo = low;
  param.ihi = std::numeric_limits<std::int64_t>::max();
  param.default_value = value;
  return param;
}

// The text between the head of the file and the class of the module.
std::string Classes(const std::string& text) {
  const std::string start = "docs/editors.md.\n\n", end = "---@class crossfold\n";
  const std::size_t from = text.find(start) + start.size();
  return text.substr(from, text.find(end) - from);
}

TEST(LuaAnnotationsTest, EveryTypeOfParameterHasItsLuaType) {
  const auto component = Made(Kind::kLearner, "crossfold.all");
  component->title = "All types";
  component->params = {Integer("k", 1, 5)};
  component->params[0].doc = "Number of\nneighbours";
  component->params[0].flags = CF_PF_LOG;
  ParamSpec real;
  real.name = "end";
  real.hi = 1;
  real.flags = CF_PF_LO_OPEN | CF_PF_NULLABLE | CF_PF_DEPRECATED;
  real.default_value = Null{};
  real.active_if = "mode=b";
  ParamSpec choice;
  choice.name = "mode";
  choice.type = CF_P_CHOICE;
  choice.choices = {"a", "b\"c"};
  choice.default_value = std::string("a");
  ParamSpec list = Integer("list", 1, 0);
  list.type = CF_P_INT_LIST;
  list.default_value = std::vector<std::int64_t>{1, 2};
  ParamSpec flag;
  flag.name = "flag";
  flag.type = CF_P_BOOL;
  flag.default_value = true;
  ParamSpec wide_flag = choice;
  wide_flag.name = "wide";
  wide_flag.choices = {"false", "true", "a bit"};
  wide_flag.default_value = false;
  component->params.insert(component->params.end(), {real, choice, list, flag, wide_flag});
  EXPECT_EQ(
      Classes(LuaAnnotations({component})),
      "--- All types\n"
      "--- Parameters of learner 'all' 1.2.0.\n"
      "---@class (exact) crossfold.params.learner.all\n"
      "---@field k? integer Number of neighbours. integer >= 1, default 5; searched on a "
      "logarithmic scale\n"
      "---@field [\"end\"]? number|\"none\" real in (0, 1], or none, default none; do not use "
      "it in new scripts; only with mode=b\n"
      "---@field mode? \"a\"|\"b\\\"c\" one of a, b\"c, default a\n"
      "---@field list? integer[] list of integers >= 1, default {1, 2}\n"
      "---@field flag? boolean true or false, default true\n"
      "---@field wide? false|true|\"a bit\" one of false, true, a bit, default false\n\n");
}

TEST(LuaAnnotationsTest, AnObjectIsATableAndHasEntriesThatAreNotListed) {
  const auto component = Made(Kind::kLearner, "org.x");
  ParamSpec object;
  object.name = "settings";
  object.type = CF_P_STRING;
  object.flags = CF_PF_OBJECT;
  object.default_value = std::string("{}");
  component->params = {object};
  EXPECT_EQ(Classes(LuaAnnotations({component})),
            "--- Parameters of learner 'org.x' 1.2.0.\n"
            "---@class crossfold.params.learner.org.x\n"
            "---@field settings? table<string, any>|string object, default {}\n\n");
}

TEST(LuaAnnotationsTest, TransformsTakeAChoiceOfColumns) {
  EXPECT_EQ(
      Classes(LuaAnnotations({Made(Kind::kTransform, "org.x")})),
      "--- Parameters of transform 'org.x' 1.2.0.\n"
      "---@class (exact) crossfold.params.transform.org.x\n"
      "---@field columns? string|string[] Features that the transform gets: names, patterns "
      "and types.\n"
      "---@field except? string|string[] Features that it does not get, in the same form.\n\n");
}

TEST(LuaAnnotationsTest, AwkwardIdsBecomeClassNamesThatDiffer) {
  const std::string text =
      LuaAnnotations({Made(Kind::kMetric, "org.x-y"), Made(Kind::kMetric, "org.x_y"),
                      Made(Kind::kMetric, "3d..a."), Made(Kind::kMetric, "-")});
  EXPECT_EQ(Classes(text),
            "--- Parameters of metric '-' 1.2.0.\n"
            "---@class (exact) crossfold.params.metric._\n\n"
            "--- Parameters of metric '3d..a.' 1.2.0.\n"
            "---@class (exact) crossfold.params.metric._3d._a._\n\n"
            "--- Parameters of metric 'org.x-y' 1.2.0.\n"
            "---@class (exact) crossfold.params.metric.org.x_y\n\n"
            "--- Parameters of metric 'org.x_y' 1.2.0.\n"
            "---@class (exact) crossfold.params.metric.org.x_y_2\n\n");
  EXPECT_NE(
      text.find("---@overload fun(id: \"org.x_y\", params?: crossfold.params.metric.org.x_y_2): "
                "crossfold.Metric\n"),
      std::string::npos);
}

// The classes are those of crossfold.d.lua, which knows their methods.
TEST(LuaAnnotationsTest, EachMakerGivesTheClassOfItsKind) {
  const std::string text = LuaAnnotations({Made(Kind::kSplitter, "crossfold.halves")});
  const auto maker = [](const std::string& kind, const std::string& overloads,
                        const std::string& result) {
    return "--- Makes a " + kind + ": crossfold plugin list shows which there are.\n" + overloads +
           "---@param id string|table\n---@param params? table<string, any>\n---@return " + result +
           "\n---@nodiscard\nfunction cf." + kind + "(id, params) end\n\n";
  };
  EXPECT_EQ(text.substr(text.find("---@class crossfold\n")),
            "---@class crossfold\nlocal cf = {}\n\n" + maker("learner", "", "crossfold.Spec") +
                maker("transform", "", "crossfold.Component") +
                maker("splitter",
                      "---@overload fun(id: \"halves\"|\"crossfold.halves\", params?: "
                      "crossfold.params.splitter.halves): crossfold.Component\n",
                      "crossfold.Component") +
                maker("metric", "", "crossfold.Metric") + "return cf\n");
}

TEST(LuaAnnotationsTest, WhatAPluginWritesIsNoAnnotationAndNoCode) {
  const auto component = Made(Kind::kSplitter, "org.x");
  component->title = "@class evil";
  component->doc = "first\nos.exit()\r\n@field x";
  EXPECT_EQ(Classes(LuaAnnotations({component})),
            "--- - @class evil\n"
            "--- first os.exit() @field x\n"
            "--- Parameters of splitter 'org.x' 1.2.0.\n"
            "---@class (exact) crossfold.params.splitter.org.x\n\n");
}

TEST(LuaAnnotationsTest, TheOrderOfTheComponentsDoesNotMatter) {
  const auto a = Made(Kind::kLearner, "a"), b = Made(Kind::kLearner, "b"),
             m = Made(Kind::kMetric, "a");
  EXPECT_EQ(LuaAnnotations({a, b, m}), LuaAnnotations({m, b, a}));
}

}  // namespace
}  // namespace crossfold::cli
