// Any bytes as a CSV file: a dataset or a crossfold::Error comes out, the same whatever the chunks
// and threads, for every form that the options allow; what was read can be described. The bytes may
// be compressed and in any encoding.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "crossfold/data_report.h"
#include "fuzz/law.h"
#include "fuzz/targets.h"
#include "unit/sources/readings.h"

namespace {

using crossfold::sources::ChunkedReading;
using crossfold::sources::ColumnType;
using crossfold::sources::CsvOptions;
using crossfold::sources::TextEncoding;

// The hash of the content, or the message.
std::string Outcome(std::string_view text, const CsvOptions& options,
                    const ChunkedReading& reading) {
  try {
    const auto data =
        crossfold::sources::ReadCsvText({text, "cannot read 'fuzz'"}, "fuzz", options, reading);
    crossfold::fuzz::Demand(data->num_rows() > 0, "a CSV dataset has rows");
    return data->content_hash();
  } catch (const crossfold::Error& error) {
    crossfold::fuzz::DemandMessage(error);
    return error.what();
  }
}

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
  try {
    Describe(*crossfold::sources::ParseCsv(
        bytes, "fuzz", {.encoding = encoding, .most_bytes = 1 << 20, .threads = 1}));
  } catch (const crossfold::Error& error) {
    crossfold::fuzz::DemandMessage(error);
  }
}

void ReadCsvText(std::string_view text, const CsvOptions& options) {
  const std::string whole =
      Outcome(text, options, {.threads = 1, .chunk_bytes = 1 << 20, .bytes_per_column = 0});
  const std::string parts =
      Outcome(text, options, {.threads = 2, .chunk_bytes = 16, .bytes_per_column = 0});
  crossfold::fuzz::Demand(whole == parts, "chunks and threads do not matter");
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
