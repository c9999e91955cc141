// Any bytes as a CSV file: a dataset or a crossfold::Error comes out, the same whatever the chunks
// and threads.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "data/csv_reader.h"
#include "fuzz/law.h"

namespace {

using crossfold::ChunkedReading;
using crossfold::ColumnType;
using crossfold::CsvOptions;

// The hash of the content, or the message.
std::string Outcome(std::string_view text, const CsvOptions& options,
                    const ChunkedReading& reading) {
  try {
    const auto data =
        crossfold::ReadCsvText({text, "cannot read 'fuzz'"}, "fuzz", options, reading);
    crossfold::fuzz::Demand(data->num_rows() > 0, "a CSV dataset has rows");
    return data->content_hash();
  } catch (const crossfold::Error& error) {
    crossfold::fuzz::DemandMessage(error);
    return error.what();
  }
}

void Read(std::string_view text, const CsvOptions& options) {
  const std::string whole =
      Outcome(text, options, {.threads = 1, .chunk_bytes = 1 << 20, .bytes_per_column = 0});
  const std::string parts =
      Outcome(text, options, {.threads = 2, .chunk_bytes = 16, .bytes_per_column = 0});
  crossfold::fuzz::Demand(whole == parts, "chunks and threads do not matter");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  Read(text, {});
  Read(text, {.roles = {.target = "y", .weights = "w"}, .missing = {}, .separator = ';'});
  for (const ColumnType type : {ColumnType::kF64, ColumnType::kF32, ColumnType::kI32,
                                ColumnType::kI64, ColumnType::kBool, ColumnType::kCategorical}) {
    Read(text, {.roles = {.target = "y"}, .types = {{"x", type}}});
  }
  return 0;
}
