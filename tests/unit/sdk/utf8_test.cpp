// The examples of the Unicode standard, chapter 3.9 (tables 3-7 to 3-11).
#include "crossfold_plugin/utf8.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace crossfold::plugin {
namespace {

TEST(Utf8Test, CharactersOfOneToFourBytesAreRight) {
  EXPECT_EQ(FirstInvalidUtf8(""), std::nullopt);
  EXPECT_EQ(FirstInvalidUtf8("plain text, longer than eight bytes"), std::nullopt);
  EXPECT_EQ(FirstInvalidUtf8(
                "\xC2\x80 \xDF\xBF \xE0\xA0\x80 \xEF\xBF\xBF \xF0\x90\x80\x80 \xF4\x8F\xBF\xBF"),
            std::nullopt);
}

TEST(Utf8Test, OverlongFormsSurrogatesAndLargeNumbersAreWrong) {
  for (const char* wrong :
       {"\xC0\xAF", "\xC1\x80", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\x80", "\xE4"}) {
    EXPECT_EQ(FirstInvalidUtf8(std::string("12345678 ") + wrong), 9U) << wrong;
  }
}

TEST(Utf8Test, ACutCharacterIsWrongWhereItBegins) {
  EXPECT_EQ(FirstInvalidUtf8("ab\xE2\x82"), 2U);
  EXPECT_EQ(FirstInvalidUtf8("ab\xF0\x9F\x98"), 2U);
}

// The pieces of a text find what the whole has, whatever their size.
TEST(Utf8Test, PiecesFindTheFirstMistakeOfTheWhole) {
  const std::string right = "x\xC3\xA4yy\xE2\x82\xAC\xF0\x9F\x98\x80z 0123456789 \xC3\xA4";
  for (std::size_t at = 0; at <= right.size(); ++at) {
    for (const char* wrong : {"", "\x80", "\xE4", "\xF0\x9F"}) {
      const std::string text = right.substr(0, at) + wrong + right.substr(at);
      const auto whole = FirstInvalidUtf8(text);
      for (std::size_t piece = 1; piece < 7; ++piece) {
        std::optional<std::size_t> first;
        for (std::size_t begin = 0; begin < text.size() && !first; begin += piece) {
          first = FirstInvalidUtf8(text, begin, std::min(text.size(), begin + piece));
        }
        EXPECT_EQ(first, whole) << at << " " << piece;
      }
    }
  }
}

}  // namespace
}  // namespace crossfold::plugin
