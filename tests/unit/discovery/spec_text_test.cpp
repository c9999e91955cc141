#include "crossfold/spec_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "crossfold/error.h"
#include "message_of.h"
#include "unit/plugins/bundled_plugins.h"

namespace crossfold {
namespace {

using testing::StartsWith;

std::string TextOf(Kind kind, const std::string& text) {
  return ParseSpec(kind, text, BundledPlugins())->ToString();
}

std::string ParseError(Kind kind, const std::string& text) {
  return test::MessageOf([&] { ParseSpec(kind, text, BundledPlugins()); });
}

TEST(SpecTextTest, ReadsWhatToStringWrites) {
  for (const char* text :
       {"knn", "knn{distance=manhattan,k=7}", "random_forest{bootstrap=false}"}) {
    EXPECT_EQ(TextOf(Kind::kLearner, text), text);
  }
  for (const char* text : {"accuracy", "f1{average=macro}", "f_beta{average=macro,beta=2}",
                           "cost{matrix={0, 1, 5.5, 0}}", "recall{positive='it\\'s, {so}'}"}) {
    EXPECT_EQ(TextOf(Kind::kMetric, text), text);
  }
}

TEST(SpecTextTest, TheShortTextHasTheFirstNumbersOfALongList) {
  std::string twenty = "1";
  for (int i = 2; i <= 20; ++i) twenty += ", " + std::to_string(i);
  EXPECT_EQ(ShortSpecText("predefined{list={" + twenty + "}}"),
            "predefined{list={" + twenty + "}}");
  EXPECT_EQ(ShortSpecText("a|b{k=3,list={" + twenty + ", -21},name='{x}'}|c{m={1, 2}}"),
            "a|b{k=3,list={1, 2, 3, 4, 5, and 16 more},name='{x}'}|c{m={1, 2}}");
  EXPECT_EQ(ShortSpecText(R"(x{s={"a":{"b":[)" + twenty + R"(, 21],"c":["d"]}}}|knn{k=3})"),
            R"(x{s={"a":{"b":[1, 2, 3, 4, 5, and 16 more],"c":["d"]}}}|knn{k=3})");
  for (const char* whole : {"", "knn", "knn{k=7}", "{", "}{", "a{b={"}) {
    EXPECT_EQ(ShortSpecText(whole), whole);
  }
}

TEST(SpecTextTest, ReadsObjects) {
  for (const char* text :
       {R"(debug{settings={}})", R"(debug{action=log,settings={"a":{"b":[1,2.0,"x"]}},when_row=3})",
        R"(debug{settings={"a":"}, 'it\"s' {[|"}})"}) {
    EXPECT_EQ(TextOf(Kind::kLearner, text), text);
  }
  EXPECT_EQ(TextOf(Kind::kLearner, R"(debug{ settings = { "b" : 1, "a" : 2 } , when_row = 3 })"),
            R"(debug{settings={"a":2,"b":1},when_row=3})");
  EXPECT_EQ(TextOf(Kind::kLearner, R"(debug{settings='{"a": 1}'})"), R"(debug{settings={"a":1}})");
}

TEST(SpecTextTest, ReadsEntriesOfObjects) {
  EXPECT_EQ(TextOf(Kind::kLearner,
                   "debug{settings.max_iter=200,settings.loss=log_loss,"
                   "settings.rate=1.0,settings.warm=true,settings.depth=none,"
                   "settings.layers={8, 4},settings.a.b='1, 2'}"),
            R"(debug{settings={"a":{"b":"1, 2"},"depth":null,"layers":[8,4],"loss":"log_loss",)"
            R"("max_iter":200,"rate":1.0,"warm":true}})");
  EXPECT_EQ(TextOf(Kind::kLearner, R"(debug{settings.a=["x, y", 1, {"b": []}],settings.b="true",)"
                                   R"(settings.c={ },settings.d={"e":"}"},settings.f=[]})"),
            R"(debug{settings={"a":["x, y",1,{"b":[]}],"b":"true","c":{},"d":{"e":"}"},"f":[]}})");
  EXPECT_EQ(TextOf(Kind::kLearner, R"(debug{settings.a=2,settings={"a":1,"b":1}})"),
            R"(debug{settings={"a":2,"b":1}})");
}

TEST(SpecTextTest, WhatIsNotAnObjectIsRefused) {
  EXPECT_EQ(ParseError(Kind::kLearner, R"(debug{settings={"a":{1})"),
            R"(cannot make learner 'debug{settings={"a":{1}': a JSON value does not end; write it )"
            "as in ID{NAME=VALUE,NAME=VALUE}");
  EXPECT_EQ(ParseError(Kind::kLearner, "debug{settings={a=1}}"),
            "cannot make learner 'debug': settings = '{a=1}' is not a JSON object");
  EXPECT_EQ(ParseError(Kind::kLearner, "debug{settings=7}"),
            "cannot make learner 'debug': settings = '7' is not a JSON object");
}

TEST(SpecTextTest, ReadsListsOfColumns) {
  for (const char* text :
       {"standardize{columns=[age, bmi]}", "standardize{except=[*_id],sd=population}",
        R"(standardize{columns=[a\\, d\], {b}='c'|]})"}) {
    EXPECT_EQ(TextOf(Kind::kTransform, text), text);
  }
  EXPECT_EQ(TextOf(Kind::kTransform, "standardize{columns=age}"), "standardize{columns=[age]}");
  EXPECT_EQ(TextOf(Kind::kTransform, "standardize{columns='bmi, age'}"),
            "standardize{columns=[age, bmi]}");
}

TEST(SpecTextTest, SpacesAndTheFullIdMakeNoDifference) {
  EXPECT_EQ(TextOf(Kind::kLearner, " crossfold.knn { k = 7 , distance = manhattan } "),
            "knn{distance=manhattan,k=7}");
}

TEST(SpecTextTest, TheNameOfAMetricMayHaveItsAverage) {
  EXPECT_EQ(TextOf(Kind::kMetric, "f1_macro"), "f1{average=macro}");
  EXPECT_EQ(TextOf(Kind::kMetric, "crossfold.recall_weighted"), "recall{average=weighted}");
  EXPECT_EQ(TextOf(Kind::kMetric, "f_beta_micro{beta=2}"), "f_beta{average=micro,beta=2}");
  EXPECT_EQ(ParseError(Kind::kMetric, "f1_macro{average=micro}"),
            "cannot make metric 'f1_macro{average=micro}': its name already gives the average; "
            "leave out parameter 'average'");
}

TEST(SpecTextTest, OnlyAnAverageThatTheMetricHasIsPartOfAName) {
  EXPECT_THAT(ParseError(Kind::kMetric, "accuracy_macro"),
              StartsWith("cannot find metric 'accuracy_macro': "));
  EXPECT_THAT(ParseError(Kind::kMetric, "f1_binary"),
              StartsWith("cannot find metric 'f1_binary': "));
  EXPECT_THAT(ParseError(Kind::kMetric, "f2_macro"), StartsWith("cannot find metric 'f2_macro': "));
  EXPECT_THAT(ParseError(Kind::kLearner, "knn_macro"),
              StartsWith("cannot find learner 'knn_macro': "));
}

TEST(SpecTextTest, UnknownNamesAreToldAsInScripts) {
  EXPECT_THAT(ParseError(Kind::kMetric, "acuracy"),
              StartsWith("cannot find metric 'acuracy': did you mean 'accuracy'?"));
  EXPECT_THAT(ParseError(Kind::kLearner, "knn{kk=3}"),
              StartsWith("cannot make learner 'knn': unknown parameter 'kk'; did you mean 'k'?"));
}

TEST(SpecTextTest, OtherFormsAreRefused) {
  const std::string form = "; write it as in ID{NAME=VALUE,NAME=VALUE}";
  EXPECT_EQ(ParseError(Kind::kLearner, "knn{k=3"),
            "cannot make learner 'knn{k=3': the brace is not closed" + form);
  EXPECT_EQ(ParseError(Kind::kLearner, "knn{k}"),
            "cannot make learner 'knn{k}': 'k' has no value" + form);
  EXPECT_EQ(ParseError(Kind::kLearner, "knn{k=3,k=4}"),
            "cannot make learner 'knn{k=3,k=4}': parameter 'k' is given twice" + form);
  EXPECT_EQ(ParseError(Kind::kMetric, "cost{matrix={1, x}}"),
            "cannot make metric 'cost{matrix={1, x}}': 'x' in a list is not a number" + form);
  EXPECT_EQ(
      ParseError(Kind::kMetric, "recall{positive='a}"),
      "cannot make metric 'recall{positive='a}': a string begins with ' and does not end" + form);
}

}  // namespace
}  // namespace crossfold
