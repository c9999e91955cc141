#include "crossfold/json_value.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "crossfold/error.h"

namespace crossfold {
namespace {

std::string MessageOf(const std::string& text) {
  try {
    ReadJson(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadData);
    return error.what();
  }
  return "";
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
  EXPECT_EQ(Only<double>("9223372036854775808"), 9223372036854775808.0);
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

TEST(JsonValueTest, WhatIsNoJsonIsRefused) {
  EXPECT_EQ(MessageOf("[1, }"), "cannot read JSON: it is no JSON at byte 5");
  EXPECT_EQ(MessageOf(""), "cannot read JSON: it is no JSON at byte 1");
  EXPECT_EQ(MessageOf("1 2"), "cannot read JSON: it is no JSON at byte 3");
  EXPECT_EQ(MessageOf("\"\xff\""), "cannot read JSON: it is no JSON at byte 2");
  EXPECT_EQ(MessageOf("1e999"), "cannot read JSON: it is no JSON at byte 5");
}

TEST(JsonValueTest, DeepNestingIsRefused) {
  EXPECT_EQ(MessageOf(std::string(64, '[') + std::string(64, ']')), "");
  EXPECT_EQ(MessageOf(std::string(65, '[') + std::string(65, ']')),
            "cannot read JSON: it is nested too deeply");
  EXPECT_EQ(MessageOf(std::string(10'000'000, '[')), "cannot read JSON: it is nested too deeply");
}

TEST(JsonValueTest, MoreValuesThanFitAreRefused) {
  std::string text = "[0";
  for (int i = 0; i < 10'000'000; ++i) text += ",0";
  EXPECT_EQ(MessageOf(text + "]"), "cannot read JSON: it has too many values");
}

}  // namespace
}  // namespace crossfold
