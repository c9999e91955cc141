// Any bytes as a file of SVMlight: a dataset or a crossfold::Error comes out, the same whatever
// the chunks and threads.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/same_reading.h"
#include "fuzz/targets.h"

namespace {

using crossfold::sources::ChunkedReading;
using crossfold::sources::SvmlightOptions;

void ReadSvmlightText(std::string_view text, SvmlightOptions options) {
  options.most_bytes = 1 << 20;
  const auto read = [&](const ChunkedReading& how) {
    return crossfold::sources::ReadSvmlightText({text, "cannot read 'fuzz'"}, "fuzz", options, how);
  };
  crossfold::fuzz::DemandSameReading(read, {.threads = 1}, {.threads = 3, .chunk_bytes = 16});
}

}  // namespace

int crossfold::fuzz::FeedSvmlight(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  ReadSvmlightText(text, {});
  ReadSvmlightText(text, {.task = crossfold::Task::kRegression, .n_features = 4});
  return 0;
}
