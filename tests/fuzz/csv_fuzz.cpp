// Any bytes as a CSV file: a dataset or a crossfold::Error comes out, the same whatever the chunks
// and threads, for every form that the options allow; what was read can be described. The bytes may
// be compressed and in any encoding.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "crossfold/data_report.h"
#include "fuzz/law.h"
#include "fuzz/same_reading.h"
#include "fuzz/targets.h"

namespace {

using crossfold::sources::ChunkedReading;
using crossfold::sources::ColumnType;
using crossfold::sources::CsvOptions;
using crossfold::sources::TextEncoding;

// Counts add up, whatever the data are.
void Describe(const crossfold::Dataset& data) {
  const std::shared_ptr<const crossfold::Dataset> lent(std::shared_ptr<const void>(), &data);
  const crossfold::DataReport report = crossfold::DescribeData({lent, nullptr}, {.threads = 1});
  for (const crossfold::ColumnFacts& column : report.columns) {
    crossfold::fuzz::Demand(column.n_missing + column.n_distinct <= report.n_rows,
                            "no more values than entries");
  }
  crossfold::fuzz::Demand(report.n_duplicate_rows < report.n_rows, "one row is the first");
}

// The text of the bytes; nothing if they have none.
void ReadBytes(std::string_view bytes, TextEncoding encoding) {
  crossfold::fuzz::Attempted([&] {
    Describe(*crossfold::sources::ParseCsv(
        bytes, "fuzz", {.encoding = encoding, .most_bytes = 1 << 20, .threads = 1}));
  });
}

void ReadCsvText(std::string_view text, const CsvOptions& options) {
  const auto read = [&](const ChunkedReading& how) {
    auto data = crossfold::sources::ReadCsvText({text, "cannot read 'fuzz'"}, "fuzz", options, how);
    crossfold::fuzz::Demand(data->num_rows() > 0, "a CSV dataset has rows");
    return data;
  };
  crossfold::fuzz::DemandSameReading(read,
                                     {.threads = 1, .chunk_bytes = 1 << 20, .bytes_per_column = 0},
                                     {.threads = 2, .chunk_bytes = 16, .bytes_per_column = 0});
}

}  // namespace

int crossfold::fuzz::FeedCsv(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  ReadCsvText(text, {});
  ReadCsvText(text, {.roles = {.target = "y", .weights = "w"}, .missing = {}, .separator = ';'});
  ReadCsvText(text, {.separator = crossfold::sources::kSeparatorAuto, .comment = "#"});
  ReadCsvText(text,
              {.separator = crossfold::sources::kSeparatorBlanks, .quote = '\'', .header = false});
  ReadCsvText(
      text,
      {.separator = ';', .quote = crossfold::sources::kNoQuote, .decimal = ',', .skip_lines = 1});
  ReadCsvText(text, {.separator = ';', .thousands = ','});
  ReadCsvText(text, {.separator = '|', .decimal = ',', .thousands = ' '});
  for (const TextEncoding encoding : {TextEncoding::kUtf8, TextEncoding::kLatin1,
                                      TextEncoding::kWindows1252, TextEncoding::kUtf16Le}) {
    ReadBytes(text, encoding);
  }
  for (const ColumnType type : {ColumnType::kF64, ColumnType::kF32, ColumnType::kI32,
                                ColumnType::kI64, ColumnType::kBool, ColumnType::kCategorical}) {
    ReadCsvText(text, {.roles = {.target = "y"}, .types = {{"x", type}}});
  }
  return 0;
}
