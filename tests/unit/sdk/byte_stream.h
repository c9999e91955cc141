// A writer and reader over memory that take and give few bytes at a time, as pipes do.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "crossfold_plugin/capability.h"

namespace crossfold::plugin {

struct ByteSink {
  std::vector<unsigned char> bytes;
  std::size_t portion = 3;
  std::int64_t refuse_with = 1;  // <= 0: every write returns this

  cf_writer writer() {
    return {this, [](void* stream, const void* from, std::size_t n) -> std::int64_t {
              auto* self = static_cast<ByteSink*>(stream);
              if (self->refuse_with <= 0) return self->refuse_with;
              const auto* first = static_cast<const unsigned char*>(from);
              n = std::min(n, self->portion);
              self->bytes.insert(self->bytes.end(), first, first + n);
              return static_cast<std::int64_t>(n);
            }};
  }
};

struct ByteSource {
  explicit ByteSource(std::vector<unsigned char> b) : bytes(std::move(b)) {}
  std::vector<unsigned char> bytes;
  std::size_t portion = 3;
  std::size_t next = 0;
  bool broken = false;  // every read is an error

  cf_reader reader() {
    return {this, [](void* stream, void* to, std::size_t n) -> std::int64_t {
              auto* self = static_cast<ByteSource*>(stream);
              if (self->broken) return -1;
              n = std::min({n, self->portion, self->bytes.size() - self->next});
              if (n != 0) std::memcpy(to, self->bytes.data() + self->next, n);
              self->next += n;
              return static_cast<std::int64_t>(n);
            }};
  }
};

}  // namespace crossfold::plugin
