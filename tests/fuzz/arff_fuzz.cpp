// Any bytes as an ARFF file: a dataset or a crossfold::Error comes out, the same whatever the
// chunks and threads.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/law.h"
#include "fuzz/targets.h"
#include "unit/sources/readings.h"

namespace {

using crossfold::sources::ArffOptions;
using crossfold::sources::ChunkedReading;
using crossfold::sources::ColumnType;

// The hash of the content, or the message.
std::string Outcome(std::string_view text, const ArffOptions& options,
                    const ChunkedReading& reading) {
  try {
    return crossfold::sources::ReadArffText({text, "cannot read 'fuzz'"}, "fuzz", options, reading)
        ->content_hash();
  } catch (const crossfold::Error& error) {
    crossfold::fuzz::DemandMessage(error);
    return error.what();
  }
}

void ReadArffText(std::string_view text, const ArffOptions& options) {
  const std::string whole =
      Outcome(text, options, {.threads = 1, .chunk_bytes = 1 << 20, .bytes_per_column = 0});
  const std::string parts =
      Outcome(text, options, {.threads = 2, .chunk_bytes = 16, .bytes_per_column = 0});
  crossfold::fuzz::Demand(whole == parts, "chunks and threads do not matter");
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
