// Chunks and threads do not matter: whatever their size and number, a text gives the dataset or the
// message that it gives in one piece. The one piece is what the other CSV tests are about.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "crossfold_plugin/random.hpp"
#include "engine/data/column_entries.h"
#include "unit/engine/data/refusal.h"
#include "unit/sources/readings.h"

namespace crossfold::sources {
namespace {

using plugin::Random;

// The content, or the message.
std::string Outcome(const std::string& text, const CsvOptions& options,
                    const ChunkedReading& reading) {
  std::string hash;
  const auto refusal = RefusalOf([&] {
    const auto data = ReadCsvText({text, "cannot read 'a.csv'"}, "a", options, reading);
    hash = data->content_hash();
    for (const Column& column : data->columns()) hash += column.validity == nullptr ? 'a' : 'v';
  });
  return refusal ? refusal->message : hash;
}

std::string InOnePiece(const std::string& text, const CsvOptions& options = {}) {
  return Outcome(text, options, {.threads = 1, .chunk_bytes = 1 << 30, .bytes_per_column = 0});
}

class RandomCsv {
 public:
  explicit RandomCsv(std::uint64_t seed) : random_(seed) {}

  std::string Text() {
    const std::uint64_t n_columns = 1 + random_.Below(4), n_rows = random_.Below(30);
    const char* const line_end = random_.Below(2) == 0 ? "\n" : "\r\n";
    std::string text = random_.Below(4) == 0 ? "\xEF\xBB\xBF" : "";
    // One or two kinds of cells a column, so that types other than text come out too.
    std::vector<std::uint64_t> kinds;
    for (std::uint64_t c = 0; c < n_columns; ++c) kinds.push_back(random_.Below(6));
    text += Header(n_columns) + line_end;
    for (std::uint64_t row = 0; row < n_rows; ++row) {
      for (std::uint64_t c = 0; c < n_columns; ++c) {
        text += (c > 0 ? "," : "") + Cell(random_.Below(20) == 0 ? random_.Below(6) : kinds[c]);
      }
      text += row + 1 < n_rows || random_.Below(2) == 0 ? line_end : "";
    }
    if (random_.Below(3) == 0) text += line_end;
    return text;
  }

  // A text with a few bytes changed: mostly refused.
  std::string Damaged() {
    std::string text = Text();
    for (std::uint64_t edits = 1 + random_.Below(3); edits > 0; --edits) {
      const std::size_t at = random_.Below(text.size());
      const std::string_view special("\"\n\r,x1 \0\xEF", 9);
      if (random_.Below(2) == 0) {
        text[at] = special[random_.Below(special.size())];
      } else {
        text.insert(at, 1, special[random_.Below(special.size())]);
      }
    }
    return text;
  }

 private:
  std::string Pick(std::vector<std::string> choices) {
    return choices[random_.Below(choices.size())];
  }
  std::string Header(std::uint64_t n_columns) {
    std::string header;
    for (std::uint64_t c = 0; c < n_columns; ++c) {
      header +=
          (c > 0 ? "," : "") + Pick({"c" + std::to_string(c), "\"c\n" + std::to_string(c) + "\"",
                                     "\"c,\"\"" + std::to_string(c) + "\""});
    }
    return header;
  }
  std::string Cell(std::uint64_t kind) {
    if (random_.Below(10) == 0) return Pick({"", "?", "NA", " NA "});
    switch (kind) {
      case 0:
        return Pick({"1", "-20", "+3", "007", "\"4\"", " 5 ", "-0", "9223372036854775807"});
      case 1:
        return Pick({"0.5", "-1.25e3", ".5", "5.", "0.1234567890123456789", "-0.0",
                     "9223372036854775808", "123456789.12345678"});
      case 2:
        return Pick({"true", "FALSE", "True", "\"false\""});
      case 3:
        return Pick({"red", "\"two\nlines\"", "\"a,\"\"b\"\"\"", "\"\"", "\"\r\n\"", "blue"});
      case 4:
        return "";
      default:
        return Pick({"1", "0.25", "12345678901234567890"});
    }
  }

  Random random_;
};

TEST(CsvChunksTest, ChunksOfEverySizeGiveTheSameDataset) {
  const std::string text =
      "a,\"b\n\",c\r\n1,\"x\ny\",\r\n2.5,\"\"\"\n\",true\r\n-0,\"\r\n\",false\r\n?,z,\r\n\r\n";
  const std::string whole = InOnePiece(text);
  ASSERT_EQ(whole.find("cannot"), std::string::npos) << whole;
  for (std::size_t bytes = 1; bytes <= text.size(); ++bytes) {
    EXPECT_EQ(Outcome(text, {}, {.threads = 1, .chunk_bytes = bytes, .bytes_per_column = 0}), whole)
        << bytes;
  }
}

TEST(CsvChunksTest, RandomTextsAreTheSameForAnyChunksAndThreads) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    RandomCsv random(seed);
    const std::string text = random.Text();
    const std::string whole = InOnePiece(text);
    for (const std::size_t bytes : {1U, 2U, 7U, 40U}) {
      EXPECT_EQ(Outcome(text, {}, {.threads = 3, .chunk_bytes = bytes, .bytes_per_column = 0}),
                whole)
          << text;
    }
  }
}

TEST(CsvChunksTest, DamagedTextsGiveTheSameMessageForAnyChunksAndThreads) {
  const CsvOptions options{.types = {{"c0", ColumnType::kI64}}};
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    RandomCsv random(seed);
    const std::string text = random.Damaged();
    for (const CsvOptions& given : {CsvOptions(), options}) {
      const std::string whole = InOnePiece(text, given);
      for (const std::size_t bytes : {1U, 11U}) {
        EXPECT_EQ(Outcome(text, given, {.threads = 2, .chunk_bytes = bytes, .bytes_per_column = 0}),
                  whole)
            << text;
      }
    }
  }
}

TEST(CsvChunksTest, ALateTextRetypesItsColumnOnly) {
  std::string text = "x,y\n";
  for (int i = 0; i < 300; ++i) text += std::to_string(i) + "," + std::to_string(i) + ".5\n";
  text += "late,1\n";
  const auto data =
      ReadCsvText({text, ""}, "a", {}, {.threads = 2, .chunk_bytes = 64, .bytes_per_column = 0});
  EXPECT_EQ(data->column("x").dtype, CF_CAT32);
  EXPECT_EQ(data->column("x").levels.size(), 301U);
  EXPECT_EQ(data->column("y").dtype, CF_F64);
}

TEST(CsvChunksTest, ANegativeZeroKeepsItsSignWhenItsColumnTurnsReal) {
  const auto data = ReadCsvText({"x\n-0\n1.5\n", ""}, "a", {},
                                {.threads = 1, .chunk_bytes = 2, .bytes_per_column = 0});
  EXPECT_TRUE(std::signbit(static_cast<const double*>(data->column("x").data)[0]));
}

TEST(CsvChunksTest, AMissingEntryOfARoleIsFoundBehindDroppedRows) {
  const CsvOptions options{.roles = {.target = "y", .groups = "g"}, .drop_missing = {"target"}};
  const ChunkedReading reading{.threads = 2, .chunk_bytes = 3, .bytes_per_column = 0};
  EXPECT_EQ(Outcome("y,g\na,1\n?,?\nb,2\nb,?\n", options, reading),
            "cannot read 'a.csv': line 5, column 'g': the groups is missing; read the data with "
            "drop_missing = { \"groups\" } to leave such rows out");
  const auto data = ReadCsvText({"y,g\na,1\n?,?\nb,2\n", ""}, "a", options, reading);
  EXPECT_EQ(data->num_dropped_rows(), 1);
  EXPECT_EQ(data->groups().size(), 2U);
}

TEST(CsvChunksTest, TheFirstMissingTargetIsFoundInItsChunk) {
  EXPECT_EQ(Outcome("y,x\na,1\n\"b\n\",2\n?,3\n?,4\n", {.roles = {.target = "y"}},
                    {.threads = 2, .chunk_bytes = 3, .bytes_per_column = 0}),
            "cannot read 'a.csv': line 5, column 'y': the target is missing; read the data with "
            "drop_missing = { \"target\" } to leave such rows out");
}

}  // namespace
}  // namespace crossfold::sources
