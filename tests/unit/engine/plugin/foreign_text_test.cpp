#include "engine/plugin/foreign_text.h"

#include <gtest/gtest.h>

namespace crossfold {
namespace {

TEST(ForeignTextTest, WellFormedTextStaysAsItIs) {
  EXPECT_EQ(CleanText("k = 3 für §2.2 \xF0\x9F\x99\x82"), "k = 3 für §2.2 \xF0\x9F\x99\x82");
}

TEST(ForeignTextTest, ANullPointerIsAnEmptyText) { EXPECT_EQ(CleanText(nullptr), ""); }

TEST(ForeignTextTest, ControlCharactersBecomeSpaces) {
  EXPECT_EQ(CleanText("one\ntwo\r\x1B[31mred\x7F"), "one two  [31mred ");
}

// The ill-formed sequences of the Unicode standard, section 3.9: a lone continuation byte, an
// overlong form, a surrogate, a code point above U+10FFFF, a cut sequence.
TEST(ForeignTextTest, BytesThatAreNoUtf8BecomeQuestionMarks) {
  EXPECT_EQ(CleanText("a\x80z"), "a?z");
  EXPECT_EQ(CleanText("a\xC0\xAFz"), "a??z");
  EXPECT_EQ(CleanText("a\xED\xA0\x80z"), "a???z");
  EXPECT_EQ(CleanText("a\xF4\x90\x80\x80z"), "a????z");
  EXPECT_EQ(CleanText("a\xE2\x82"), "a??");
}

TEST(ForeignTextTest, ALongLineIsCut) {
  EXPECT_EQ(CleanText(std::string(5000, 'x').c_str()), std::string(4096, 'x') + " ...");
}

TEST(ForeignTextTest, ADocumentKeepsItsLines) {
  EXPECT_EQ(CleanDocument("one\ntwo\t\xFF"), "one\ntwo ?");
}

}  // namespace
}  // namespace crossfold
