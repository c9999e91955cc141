// Any bytes as a CSV file: a dataset or a crossfold::Error comes out, nothing else.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "crossfold/csv.h"
#include "crossfold/error.h"

namespace {

using crossfold::ColumnType;
using crossfold::CsvOptions;

// Reading the same text twice gives the same content.
void Read(std::string_view text, const CsvOptions& options) {
  try {
    const auto data = crossfold::ParseCsv(text, "fuzz", options);
    const auto again = crossfold::ParseCsv(text, "fuzz", options);
    if (data->num_rows() < 1 || data->content_hash() != again->content_hash()) std::abort();
  } catch (const crossfold::Error&) {
  }
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
