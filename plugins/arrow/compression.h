// Compressed buffers.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ipc_tables.h"

namespace crossfold::reading {

// Returns the bytes of frames that have `size` bytes in total. Empty if they have a different size
// or are invalid, or if the codec is not known.
std::vector<std::uint64_t> Decompressed(ipc::Codec codec, std::string_view frames,
                                        std::size_t size);

}  // namespace crossfold::reading
