#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/json_value.h"
#include "crossfold/value.h"
#include "sanitized.h"
#include "unit/engine/data/refusal.h"

namespace crossfold {
namespace {

std::string JsonRefusal(const std::string& text) {
  return test::MessageOf([&] { ReadJson(text); }, ErrorKind::kBadData);
}

template <class T>
T Only(const std::string& text) {
  return std::get<T>(ReadJson(text).value);
}

TEST(JsonValueTest, ValuesHaveTheirTypes) {
  EXPECT_EQ(Only<Null>("null"), Null());
  EXPECT_TRUE(Only<bool>("true"));
  EXPECT_EQ(Only<std::int64_t>("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(Only<double>("3.0"), 3.0);
  EXPECT_EQ(Only<std::int64_t>("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(Only<std::uint64_t>("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(Only<double>("18446744073709551616"), 18446744073709551616.0);
  EXPECT_TRUE(std::signbit(Only<double>("-0.0")));
  EXPECT_EQ(Only<std::string>("\"a\\u00e9\\n\""), "a\xc3\xa9\n");
}

TEST(JsonValueTest, ListsAndObjectsKeepTheirOrder) {
  const JsonObject object = Only<JsonObject>(R"({"b": [1, {"x": []}, 2], "a": null})");
  ASSERT_EQ(object.size(), 2u);
  EXPECT_EQ(object[0].name, "b");
  const auto& list = std::get<JsonList>(object[0].value.value);
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(std::get<JsonObject>(list[1].value)[0].name, "x");
  EXPECT_EQ(std::get<std::int64_t>(list[2].value), 2);
  EXPECT_EQ(object[1].name, "a");
}

TEST(JsonValueTest, AMemberIsFoundByItsName) {
  const JsonValue json = ReadJson(R"({"a": 1, "b": {"c": "d"}, "a": 2})");
  EXPECT_EQ(*json.Find("a")->As<std::int64_t>(), 2);  // the last of that name
  EXPECT_EQ(json.Find("a")->As<double>(), nullptr);
  EXPECT_EQ(*json.Find("b")->FindAs<std::string>("c"), "d");
  EXPECT_EQ(json.Find("c"), nullptr);
  EXPECT_EQ(json.FindAs<bool>("b"), nullptr);
  EXPECT_EQ(json.Find("a")->Find("a"), nullptr);
}

TEST(JsonValueTest, ADocumentIsWrittenOnOneLineOrIndented) {
  const std::vector<std::string> names = {"x", "y"};
  const JsonObject document = {{"names", names}, {"empty", JsonList()}, {"of", JsonObject()}};
  EXPECT_EQ(JsonText(document), R"({"names":["x","y"],"empty":[],"of":{}})");
  EXPECT_EQ(JsonText(document, 1),
            "{\n \"names\": [\n  \"x\",\n  \"y\"\n ],\n \"empty\": [],\n \"of\": {}\n}");
}

TEST(JsonValueTest, NumbersAreWrittenAsTheyAre) {
  EXPECT_EQ(JsonText(JsonList{std::uint32_t{7}, -1, INT64_MIN, UINT64_MAX, true}),
            "[7,-1,-9223372036854775808,18446744073709551615,true]");
  EXPECT_EQ(JsonText(JsonList{1.0, 0.1, -0.0, 1e300, std::optional<double>(0.5)}),
            "[1.0,0.1,-0.0,1e+300,0.5]");
  EXPECT_EQ(JsonText(JsonList{HUGE_VAL, std::nan(""), Null(), std::optional<double>()}),
            "[null,null,null,null]");
}

TEST(JsonValueTest, BytesThatAreNotUtf8AreReplaced) {
  EXPECT_EQ(JsonText("a\xff\"\n\xc3\xa9"), "\"a\xef\xbf\xbd\\\"\\n\xc3\xa9\"");
}

TEST(JsonValueTest, OfMembersWithOneNameTheLastIsWrittenInTheFirstPlace) {
  EXPECT_EQ(JsonText(JsonObject{{"a", 1}, {"b", 2}, {"a", 3}}), R"({"a":3,"b":2})");
}

TEST(JsonValueTest, WhatIsNoJsonIsRefused) {
  EXPECT_EQ(JsonRefusal("[1, }"), "cannot read JSON: it is not JSON at byte 5");
  EXPECT_EQ(JsonRefusal(""), "cannot read JSON: it is not JSON at byte 1");
  EXPECT_EQ(JsonRefusal("1 2"), "cannot read JSON: it is not JSON at byte 3");
  EXPECT_EQ(JsonRefusal("\"\xff\""), "cannot read JSON: it is not JSON at byte 2");
  EXPECT_EQ(JsonRefusal("1e999"), "cannot read JSON: it has a number that is too large at byte 5");
}

TEST(JsonValueTest, DeepNestingIsRefused) {
  EXPECT_EQ(JsonRefusal(std::string(64, '[') + std::string(64, ']')), "");
  EXPECT_EQ(JsonRefusal(std::string(65, '[') + std::string(65, ']')),
            "cannot read JSON: it is nested too deeply");
  EXPECT_EQ(JsonRefusal(std::string(10'000'000, '[')), "cannot read JSON: it is nested too deeply");
}

TEST(JsonValueTest, MoreValuesThanFitAreRefused) {
  if (kSanitized) GTEST_SKIP() << "takes ten seconds";
  std::string text = "[0";
  for (int i = 0; i < 10'000'000; ++i) text += ",0";
  EXPECT_EQ(JsonRefusal(text + "]"), "cannot read JSON: it has too many values");
}

TEST(JsonValueTest, EqualValuesHaveOneCanonicalText) {
  EXPECT_EQ(CanonicalJsonText(ReadJson(R"({"b":[{"d":1,"c":2.0}],"a":3,"b":[{"d":1,"c":2}]})")),
            R"({"a":3,"b":[{"c":2,"d":1}]})");
}

TEST(JsonValueTest, ValuesOfParametersAreJson) {
  EXPECT_EQ(JsonText(JsonOf(Null{})), "null");
  EXPECT_EQ(JsonText(JsonOf(std::vector<double>{1, 2})), "[1.0,2.0]");
  EXPECT_EQ(JsonText(JsonOf(Nested{R"({"a": 1})"})), R"({"a":1})");
  EXPECT_EQ(JsonText(JsonOf(Nested{"{"})), "null");
}

TEST(ValueToTextTest, WritesEveryType) {
  EXPECT_EQ(ToText(Value(Null())), "none");
  EXPECT_EQ(ToText(Value(true)), "true");
  EXPECT_EQ(ToText(Value(false)), "false");
  EXPECT_EQ(ToText(Value(std::int64_t{-5})), "-5");
  EXPECT_EQ(ToText(Value(0.5)), "0.5");
  EXPECT_EQ(ToText(Value(std::string("euclidean"))), "euclidean");
  EXPECT_EQ(ToText(Value(std::vector<std::int64_t>{1, 2})), "{1, 2}");
  EXPECT_EQ(ToText(Value(std::vector<double>{0.1, 1e-7})), "{0.1, 1e-07}");
  EXPECT_EQ(ToText(Value(std::vector<double>{})), "{}");
}

}  // namespace
}  // namespace crossfold
