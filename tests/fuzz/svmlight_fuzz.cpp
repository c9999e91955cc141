// Any bytes as a file of SVMlight: a dataset or a crossfold::Error comes out, the same whatever
// the chunks and threads.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/law.h"
#include "fuzz/targets.h"
#include "unit/sources/readings.h"

namespace {

using crossfold::sources::ChunkedReading;
using crossfold::sources::SvmlightOptions;

// The hash of the content, or the message.
std::string Outcome(std::string_view text, const SvmlightOptions& options,
                    const ChunkedReading& reading) {
  try {
    return crossfold::sources::ReadSvmlightText({text, "cannot read 'fuzz'"}, "fuzz", options,
                                                reading)
        ->content_hash();
  } catch (const crossfold::Error& error) {
    crossfold::fuzz::DemandMessage(error);
    return error.what();
  }
}

void ReadSvmlightText(std::string_view text, SvmlightOptions options) {
  options.most_bytes = 1 << 20;
  const std::string whole = Outcome(text, options, {.threads = 1});
  const std::string parts = Outcome(text, options, {.threads = 3, .chunk_bytes = 16});
  crossfold::fuzz::Demand(whole == parts, "chunks and threads do not matter");
}

}  // namespace

int crossfold::fuzz::FeedSvmlight(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  ReadSvmlightText(text, {});
  ReadSvmlightText(text, {.task = crossfold::Task::kRegression, .n_features = 4});
  return 0;
}
