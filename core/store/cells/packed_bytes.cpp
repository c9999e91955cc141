#include "store/cells/packed_bytes.h"

#include <zlib.h>

#include <algorithm>
#include <new>

#include "encoding/fields.h"

namespace crossfold {

std::string PackBytes(std::string_view bytes) {
  uLongf size = compressBound(bytes.size());
  std::string packed(size, '\0');
  const int code = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                             reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), 1);
  if (code != Z_OK) throw std::bad_alloc();  // the only reason that is left
  packed.resize(size);
  return packed;
}

std::string UnpackBytes(std::string_view packed, std::size_t most) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) throw std::bad_alloc();
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));  // is only read
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string bytes;
  int code = Z_OK;
  try {
    while (code == Z_OK && bytes.size() <= most) {
      const std::size_t old = bytes.size();
      bytes.resize(old + std::clamp<std::size_t>(old, 4096, 16u << 20));
      stream.next_out = reinterpret_cast<Bytef*>(bytes.data() + old);
      stream.avail_out = static_cast<uInt>(bytes.size() - old);
      code = inflate(&stream, Z_NO_FLUSH);
      bytes.erase(bytes.size() - stream.avail_out);
    }
  } catch (...) {
    inflateEnd(&stream);
    throw;
  }
  const bool used_all = stream.avail_in == 0;
  inflateEnd(&stream);
  if (code != Z_STREAM_END || !used_all || bytes.size() > most) FieldReader::Fail();
  return bytes;
}

std::uint32_t AddToChecksum(std::uint32_t checksum, std::string_view bytes) {
  return static_cast<std::uint32_t>(crc32_z(
      checksum, reinterpret_cast<const Bytef*>(bytes.empty() ? "" : bytes.data()), bytes.size()));
}

}  // namespace crossfold
