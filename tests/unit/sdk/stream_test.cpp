#include "crossfold_plugin/stream.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "unit/sdk/byte_stream.h"

namespace crossfold::plugin {
namespace {

using testing::ElementsAre;

template <class Write>
std::vector<unsigned char> WrittenBytes(const Write& write) {
  ByteSink sink;
  const cf_writer c = sink.writer();
  Writer w(c);
  write(w);
  return sink.bytes;
}

template <class Read>
std::string ErrorOf(std::vector<unsigned char> bytes, const Read& read) {
  ByteSource source(std::move(bytes));
  const cf_reader c = source.reader();
  Reader r(c);
  try {
    read(r);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), CF_E_BAD_BLOB);
    return e.what();
  }
  return "no error";
}

TEST(WriterTest, IntegersAreLittleEndian) {
  EXPECT_THAT(WrittenBytes([](Writer& w) { w.Write(std::uint32_t{0x01020304}); }),
              ElementsAre(4, 3, 2, 1));
  EXPECT_THAT(WrittenBytes([](Writer& w) { w.Write(std::int16_t{-2}); }), ElementsAre(0xFE, 0xFF));
}

TEST(WriterTest, DoublesAreTheirIeeeBytesLittleEndian) {
  EXPECT_THAT(WrittenBytes([](Writer& w) { w.Write(1.0); }),
              ElementsAre(0, 0, 0, 0, 0, 0, 0xF0, 0x3F));
}

TEST(WriterTest, TextAndSpansHaveTheirLengthFirst) {
  EXPECT_THAT(WrittenBytes([](Writer& w) { w.WriteText("ab"); }),
              ElementsAre(2, 0, 0, 0, 0, 0, 0, 0, 'a', 'b'));
  const std::vector<std::int8_t> values = {1, -1};
  EXPECT_THAT(WrittenBytes([&](Writer& w) { w.WriteSpan<std::int8_t>(values); }),
              ElementsAre(2, 0, 0, 0, 0, 0, 0, 0, 1, 0xFF));
}

TEST(WriterTest, AHostThatTakesNothingIsAnErrorNotAnEndlessLoop) {
  for (const std::int64_t answer : {std::int64_t{0}, std::int64_t{-1}}) {
    ByteSink sink;
    sink.refuse_with = answer;
    const cf_writer c = sink.writer();
    Writer w(c);
    try {
      w.Write(1.0);
      ADD_FAILURE() << "wrote to a host that takes nothing";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), CF_E_INTERNAL);
      EXPECT_STREQ(e.what(), "the host did not take the bytes of the model");
    }
  }
}

TEST(ReaderTest, ReadsBackEverythingInSmallPortions) {
  const double nan_with_payload = std::bit_cast<double>(std::uint64_t{0x7FF8000000001234});
  const std::vector<double> values = {0.1, -0.0, std::numeric_limits<double>::infinity()};
  const auto bytes = WrittenBytes([&](Writer& w) {
    w.Write(std::numeric_limits<std::int64_t>::min());
    w.Write(true);
    w.Write(0.1f);
    w.Write(nan_with_payload);
    w.WriteText(std::string("a\0b", 3));
    w.WriteSpan<double>(values);
    w.WriteSpan<std::int32_t>({});
  });
  ByteSource source(bytes);
  const cf_reader c = source.reader();
  Reader r(c);
  EXPECT_EQ(r.Read<std::int64_t>(), std::numeric_limits<std::int64_t>::min());
  EXPECT_TRUE(r.Read<bool>());
  EXPECT_EQ(r.Read<float>(), 0.1f);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(r.Read<double>()), 0x7FF8000000001234u);
  EXPECT_EQ(r.ReadText(), std::string("a\0b", 3));
  const auto back = r.ReadVector<double>();
  EXPECT_EQ(back, values);
  EXPECT_TRUE(std::signbit(back[1]));
  EXPECT_TRUE(r.ReadVector<std::int32_t>().empty());
  EXPECT_EQ(source.next, bytes.size());
}

TEST(ReaderTest, TheChecksumsOfBothSidesAgree) {
  ByteSink sink;
  const cf_writer cw = sink.writer();
  Writer w(cw);
  w.WriteText("abc");
  ByteSource source(sink.bytes);
  const cf_reader cr = source.reader();
  Reader r(cr);
  r.ReadText();
  EXPECT_EQ(r.checksum(), w.checksum());
}

// The usual test vector of 64-bit FNV-1a: the single byte 'a'.
TEST(ReaderTest, TheChecksumIsFnv1a) {
  ByteSink sink;
  const cf_writer c = sink.writer();
  Writer w(c);
  w.Write('a');
  EXPECT_EQ(w.checksum(), 0xAF63DC4C8601EC8Cu);
}

TEST(ReaderTest, BytesThatEndTooEarlyAreABadBlob) {
  EXPECT_EQ(ErrorOf({1, 2, 3}, [](Reader& r) { r.Read<std::uint32_t>(); }),
            "the saved model ends too early");
}

// Without a bound this would ask for 2^64 - 1 doubles.
TEST(ReaderTest, ALengthThatTheBytesCannotFillIsABadBlobNotAnAllocation) {
  const std::vector<unsigned char> huge(8, 0xFF);
  EXPECT_EQ(ErrorOf(huge, [](Reader& r) { r.ReadVector<double>(); }),
            "the saved model ends too early");
  EXPECT_EQ(ErrorOf(huge, [](Reader& r) { r.ReadText(); }), "the saved model ends too early");
}

TEST(ReaderTest, AFlagIsZeroOrOne) {
  EXPECT_EQ(ErrorOf({2}, [](Reader& r) { r.Read<bool>(); }),
            "a flag of the saved model is neither 0 nor 1");
}

TEST(ReaderTest, ANumberOutsideItsRangeIsABadBlob) {
  EXPECT_EQ(ErrorOf({3}, [](Reader& r) { r.ReadWithin<std::uint8_t>(0, 2); }),
            "a number of the saved model is out of range");
  EXPECT_EQ(ErrorOf({0, 0, 0, 0, 0, 0, 0xF8, 0x7F}, [](Reader& r) { r.ReadWithin(0.0, 1.0); }),
            "a number of the saved model is out of range");  // a NaN
  EXPECT_EQ(ErrorOf({2}, [](Reader& r) { r.ReadWithin<std::uint8_t>(0, 2); }), "no error");
}

TEST(ReaderTest, AReadErrorOfTheHostIsABadBlob) {
  ByteSource source({1});
  source.broken = true;
  const cf_reader c = source.reader();
  Reader r(c);
  try {
    r.Read<std::uint8_t>();
    FAIL() << "read from a broken stream";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), CF_E_BAD_BLOB);
    EXPECT_STREQ(e.what(), "the host could not read the saved model");
  }
}

}  // namespace
}  // namespace crossfold::plugin
