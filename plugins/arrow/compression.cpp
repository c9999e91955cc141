#include "compression.h"

#include <lz4frame.h>
#include <zstd.h>

#include <cstddef>

namespace crossfold::reading {
namespace {

bool DecompressLz4(std::string_view frames, char* to, std::size_t size) {
  LZ4F_dctx* context = nullptr;
  if (LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION)) != 0) return false;
  std::size_t written = 0, wanted = 1;  // `wanted` is 0 after the end of a frame
  while (!frames.empty()) {
    std::size_t room = size - written, taken = frames.size();
    wanted = LZ4F_decompress(context, to + written, &room, frames.data(), &taken, nullptr);
    if (LZ4F_isError(wanted) != 0 || (room == 0 && taken == 0)) {
      wanted = 1;
      break;
    }
    written += room;
    frames.remove_prefix(taken);
  }
  LZ4F_freeDecompressionContext(context);
  return wanted == 0 && written == size;
}

bool DecompressZstd(std::string_view frames, char* to, std::size_t size) {
  return ZSTD_decompress(to, size, frames.data(), frames.size()) == size;
}

}  // namespace

std::vector<std::uint64_t> Decompressed(ipc::Codec codec, std::string_view frames,
                                        std::size_t size) {
  std::vector<std::uint64_t> bytes(size / sizeof(std::uint64_t) + 1);
  auto* to = reinterpret_cast<char*>(bytes.data());
  bool is_sound = false;
  if (codec == ipc::Codec::Lz4Frame) is_sound = DecompressLz4(frames, to, size);
  if (codec == ipc::Codec::Zstd) is_sound = DecompressZstd(frames, to, size);
  if (!is_sound) bytes.clear();
  return bytes;
}

}  // namespace crossfold::reading
