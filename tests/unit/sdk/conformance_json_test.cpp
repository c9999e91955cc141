#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "crossfold_conformance/json.hpp"

namespace crossfold::conformance {
namespace {

std::string Refusal(const std::string& text) {
  try {
    ReadJson(text);
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "it was read";
}

TEST(ConformanceJsonTest, ReadsEveryKindOfValue) {
  const Json value = ReadJson(R"( {"a": [1, -2.5e+3, "x", true, false, null], "b": {}, "c": []} )");
  ASSERT_EQ(value.kind, Json::Kind::kObject);
  const auto& list = value.at("a").list;
  ASSERT_EQ(list.size(), 6u);
  EXPECT_EQ(list[0].text, "1");
  EXPECT_EQ(list[1].text, "-2.5e+3");
  EXPECT_EQ(list[1].kind, Json::Kind::kNumber);
  EXPECT_EQ(list[2].text, "x");
  EXPECT_EQ(list[2].kind, Json::Kind::kText);
  EXPECT_TRUE(list[3].flag);
  EXPECT_EQ(list[4].kind, Json::Kind::kBool);
  EXPECT_FALSE(list[4].flag);
  EXPECT_EQ(list[5].kind, Json::Kind::kNull);
  EXPECT_TRUE(value.at("b").object.empty());
  EXPECT_EQ(value.at("c").kind, Json::Kind::kList);
}

// The escapes of RFC 8259, 7; U+1D11E is its own example of a surrogate pair.
TEST(ConformanceJsonTest, ReadsEscapes) {
  EXPECT_EQ(ReadJson(R"("\"\\\/\b\f\n\r\t")").text, "\"\\/\b\f\n\r\t");
  EXPECT_EQ(ReadJson(R"("\u0041\u00e9\u20AC\uD834\uDD1E")").text, "A\u00e9\u20ac\U0001D11E");
}

TEST(ConformanceJsonTest, ReadsNestingUpToALimit) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_EQ(ReadJson(nested(60)).list.size(), 1u);
  EXPECT_EQ(Refusal(nested(100000)), "the JSON is broken at byte 65");
}

TEST(ConformanceJsonTest, BrokenTextIsRefusedWithItsPlace) {
  EXPECT_EQ(Refusal(""), "the JSON is broken at byte 0");
  EXPECT_EQ(Refusal("{\"a\" 1}"), "the JSON is broken at byte 5");
  EXPECT_EQ(Refusal("[1, 2"), "the JSON is broken at byte 5");
  EXPECT_EQ(Refusal("[] x"), "the JSON is broken at byte 3");
  EXPECT_EQ(Refusal("\"abc"), "the JSON is broken at byte 4");
  EXPECT_EQ(Refusal("\"\\q\""), "the JSON is broken at byte 2");
  EXPECT_EQ(Refusal("\"\\uD834x\""), "the JSON is broken at byte 6");
  EXPECT_EQ(Refusal("\"\\u12"), "the JSON is broken at byte 2");
  EXPECT_EQ(Refusal("tru"), "the JSON is broken at byte 0");
}

TEST(ConformanceJsonTest, AMemberThatIsMissingIsNamed) {
  const Json value = ReadJson("{}");
  try {
    value.at("results");
    FAIL() << "it was found";
  } catch (const std::runtime_error& e) {
    EXPECT_STREQ(e.what(), "the JSON has no 'results'");
  }
}

}  // namespace
}  // namespace crossfold::conformance
