// Any bytes as a LIBSVM file: a dataset or a crossfold::Error comes out, the same for any number of
// threads.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "crossfold/libsvm.h"
#include "fuzz/law.h"

namespace {

using crossfold::LibsvmOptions;

// The hash of the content, or the message.
std::string Outcome(std::string_view text, const LibsvmOptions& options) {
  try {
    return crossfold::ParseLibsvm(text, "fuzz", options)->content_hash();
  } catch (const crossfold::Error& error) {
    crossfold::fuzz::DemandMessage(error);
    return error.what();
  }
}

void Read(std::string_view text, LibsvmOptions options) {
  options.most_bytes = 1 << 20;
  options.threads = 1;
  const std::string alone = Outcome(text, options);
  options.threads = 3;
  crossfold::fuzz::Demand(alone == Outcome(text, options), "threads do not matter");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  Read(text, {});
  Read(text, {.task = crossfold::Task::kRegression, .n_features = 4});
  return 0;
}
