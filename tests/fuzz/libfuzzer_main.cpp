// What libFuzzer calls: the target CROSSFOLD_FUZZ_TARGET.
#include <cstddef>
#include <cstdint>

#include "fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  return crossfold::fuzz::CROSSFOLD_FUZZ_TARGET(bytes, size);
}
