// Buffers that are compressed.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ipc_tables.h"

namespace crossfold::reading {

// The bytes of frames that have `size` bytes together. Empty if they have another size or are not
// sound, or if the codec is not known.
std::vector<std::uint64_t> Decompressed(ipc::Codec codec, std::string_view frames,
                                        std::size_t size);

}  // namespace crossfold::reading
