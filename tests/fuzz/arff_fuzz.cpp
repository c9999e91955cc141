// Any bytes as an ARFF file: a dataset or a crossfold::Error comes out, the same whatever the
// chunks and threads.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/same_reading.h"
#include "fuzz/targets.h"

namespace {

using crossfold::sources::ArffOptions;
using crossfold::sources::ChunkedReading;
using crossfold::sources::ColumnType;

void ReadArffText(std::string_view text, const ArffOptions& options) {
  const auto read = [&](const ChunkedReading& how) {
    return crossfold::sources::ReadArffText({text, "cannot read 'fuzz'"}, "fuzz", options, how);
  };
  crossfold::fuzz::DemandSameReading(read,
                                     {.threads = 1, .chunk_bytes = 1 << 20, .bytes_per_column = 0},
                                     {.threads = 2, .chunk_bytes = 16, .bytes_per_column = 0});
}

}  // namespace

int crossfold::fuzz::FeedArff(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  ReadArffText(text, {});
  ReadArffText(text, {.roles = {.target = "y", .groups = "g"},
                      .types = {{"x", ColumnType::kF32}, {"d", ColumnType::kIgnore}}});
  ReadArffText(text, {.types = {{"x", ColumnType::kCategorical}, {"y", ColumnType::kI32}},
                      .like = {{.name = "c", .dtype = CF_CAT32, .levels = {"b", "a"}}}});
  return 0;
}
