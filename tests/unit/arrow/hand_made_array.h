// Arrow arrays made by hand, as a producer in another language would: every struct has a release
// callback of its own, and counts how often it was called.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "crossfold/arrow_abi.h"

namespace crossfold {

// One array with its type. A field that is not set is what most arrays have.
struct ArrowNode {
  std::string format, name;
  std::int64_t length = 0, null_count = 0, offset = 0, flags = 0;
  // Bytes of each buffer; no bytes = a null pointer.
  std::vector<std::vector<std::uint8_t>> buffers = {};
  std::vector<ArrowNode> children = {};
  std::vector<ArrowNode> dictionary = {};  // one or none
  std::string metadata = {};               // of the schema, packed; "" = none
};

// How often the callbacks of one exported array were called.
struct ReleaseCounts {
  int schemas = 0, arrays = 0;  // the outermost ones
  int children = 0;             // all others
};

template <class T>
std::vector<std::uint8_t> BytesOf(const std::vector<T>& entries) {
  std::vector<std::uint8_t> bytes(entries.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), entries.data(), bytes.size());
  return bytes;
}

// Bits, least significant first, after `skipped` others that are all 1.
inline std::vector<std::uint8_t> Bits(const std::vector<int>& bits, std::size_t skipped = 0) {
  std::vector<std::uint8_t> bytes((skipped + bits.size() + 7) / 8, 0);
  for (std::size_t i = 0; i < skipped + bits.size(); ++i) {
    if (i < skipped || bits[i - skipped] != 0) {
      bytes[i / 8] = static_cast<std::uint8_t>(bytes[i / 8] | (1U << (i % 8)));
    }
  }
  return bytes;
}

// A column without nulls.
template <class T>
ArrowNode Numbers(const std::string& format, const std::string& name,
                  const std::vector<T>& values) {
  ArrowNode node{format, name, static_cast<std::int64_t>(values.size())};
  node.buffers = {{}, BytesOf(values)};
  return node;
}

// utf8, or large_utf8 with Offset = std::int64_t.
template <class Offset = std::int32_t>
ArrowNode Texts(const std::string& name, const std::vector<std::string>& texts) {
  std::vector<Offset> offsets = {0};
  std::string all;
  for (const std::string& text : texts) {
    all += text;
    offsets.push_back(static_cast<Offset>(all.size()));
  }
  ArrowNode node{sizeof(Offset) == 4 ? "u" : "U", name, static_cast<std::int64_t>(texts.size())};
  node.buffers = {{}, BytesOf(offsets), std::vector<std::uint8_t>(all.begin(), all.end())};
  return node;
}

// A dictionary of utf8.
template <class Index>
ArrowNode Coded(const std::string& format, const std::string& name,
                const std::vector<Index>& indices, const std::vector<std::string>& levels) {
  ArrowNode node = Numbers(format, name, indices);
  node.dictionary = {Texts("", levels)};
  return node;
}

// Keys and values, packed as the specification says.
inline std::string Metadata(const std::vector<std::pair<std::string, std::string>>& entries) {
  std::string bytes;
  const auto add_size = [&](std::size_t size) {
    const auto number = static_cast<std::int32_t>(size);
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
  };
  add_size(entries.size());
  for (const auto& [key, value] : entries) {
    add_size(key.size());
    bytes += key;
    add_size(value.size());
    bytes += value;
  }
  return bytes;
}

inline ArrowNode Struct(std::vector<ArrowNode> children) {
  ArrowNode node{"+s", ""};
  node.length = children.empty() ? 0 : children[0].length;
  node.buffers = {{}};
  node.children = std::move(children);
  return node;
}

namespace hand_made {

// Everything that one level of an exported tree owns.
template <class T>
struct Level {
  ArrowNode node;
  std::vector<const void*> buffers;
  std::vector<T> children;
  std::vector<T*> pointers;
  std::vector<T> dictionary;
  std::shared_ptr<ReleaseCounts> counts;
  bool is_outermost = false;
};

template <class T>
void Release(T* part) {
  auto* level = static_cast<Level<T>*>(part->private_data);
  for (T& child : level->children) {
    if (child.release != nullptr) child.release(&child);
  }
  for (T& child : level->dictionary) {
    if (child.release != nullptr) child.release(&child);
  }
  if (level->is_outermost) {
    ++(std::is_same_v<T, ArrowSchema> ? level->counts->schemas : level->counts->arrays);
  } else {
    ++level->counts->children;
  }
  part->release = nullptr;
  delete level;
}

template <class T>
T Make(const ArrowNode& node, const std::shared_ptr<ReleaseCounts>& counts, bool is_outermost) {
  auto* level = new Level<T>{node, {}, {}, {}, {}, counts, is_outermost};
  T part{};
  for (const ArrowNode& child : node.children) {
    level->children.push_back(Make<T>(child, counts, false));
  }
  for (T& child : level->children) level->pointers.push_back(&child);
  for (const ArrowNode& child : node.dictionary) {
    level->dictionary.push_back(Make<T>(child, counts, false));
  }
  part.n_children = static_cast<std::int64_t>(level->children.size());
  part.children = level->children.empty() ? nullptr : level->pointers.data();
  part.dictionary = level->dictionary.empty() ? nullptr : level->dictionary.data();
  if constexpr (std::is_same_v<T, ArrowSchema>) {
    part.format = level->node.format.c_str();
    part.name = level->node.name.c_str();
    part.metadata = node.metadata.empty() ? nullptr : level->node.metadata.data();
    part.flags = node.flags;
  } else {
    for (const auto& bytes : level->node.buffers) {
      level->buffers.push_back(bytes.empty() ? nullptr : bytes.data());
    }
    part.length = node.length;
    part.null_count = node.null_count;
    part.offset = node.offset;
    part.n_buffers = static_cast<std::int64_t>(level->buffers.size());
    part.buffers = level->buffers.data();
  }
  part.release = &Release<T>;
  part.private_data = level;
  return part;
}

}  // namespace hand_made

// A pair of structs as a producer hands them over. What nobody takes is released at the end.
struct HandMade {
  explicit HandMade(const ArrowNode& node)
      : counts(std::make_shared<ReleaseCounts>()),
        schema(hand_made::Make<ArrowSchema>(node, counts, true)),
        array(hand_made::Make<ArrowArray>(node, counts, true)) {}
  ~HandMade() {
    if (schema.release != nullptr) schema.release(&schema);
    if (array.release != nullptr) array.release(&array);
  }
  HandMade(const HandMade&) = delete;
  HandMade& operator=(const HandMade&) = delete;

  std::shared_ptr<ReleaseCounts> counts;
  ArrowSchema schema;
  ArrowArray array;
};

// A stream that gives the arrays one after the other, and fails where it is asked to.
class HandMadeStream {
 public:
  explicit HandMadeStream(std::vector<ArrowNode> arrays) : arrays_(std::move(arrays)) {
    stream.get_schema = [](ArrowArrayStream* s, ArrowSchema* out) {
      HandMadeStream& self = Self(s);
      if (self.schema_code != 0) return self.schema_code;
      *out = hand_made::Make<ArrowSchema>(self.arrays_[0], self.counts, true);
      if (self.gives_released_schema) out->release(out);
      return 0;
    };
    stream.get_next = [](ArrowArrayStream* s, ArrowArray* out) {
      HandMadeStream& self = Self(s);
      if (self.before_next) self.before_next(self.n_given);
      if (self.fails_at == self.n_given) return self.code;
      if (!self.is_endless && self.n_given == self.arrays_.size()) {
        *out = ArrowArray{};
        return 0;
      }
      const ArrowNode& node = self.arrays_[std::min(self.n_given++, self.arrays_.size() - 1)];
      *out = hand_made::Make<ArrowArray>(node, self.counts, true);
      return 0;
    };
    stream.get_last_error = [](ArrowArrayStream* s) { return Self(s).last_error; };
    stream.release = [](ArrowArrayStream* s) {
      ++Self(s).n_released;
      s->release = nullptr;
    };
    stream.private_data = this;
  }
  ~HandMadeStream() = default;
  HandMadeStream(const HandMadeStream&) = delete;
  HandMadeStream& operator=(const HandMadeStream&) = delete;

  ArrowArrayStream stream{};
  std::shared_ptr<ReleaseCounts> counts = std::make_shared<ReleaseCounts>();
  int n_released = 0;
  std::size_t n_given = 0;
  bool is_endless = false;  // the last array again and again
  std::function<void(std::size_t)> before_next = {};
  std::size_t fails_at = static_cast<std::size_t>(-1);  // instead of giving that array
  int code = 5, schema_code = 0;
  bool gives_released_schema = false;
  const char* last_error = nullptr;

 private:
  static HandMadeStream& Self(ArrowArrayStream* s) {
    return *static_cast<HandMadeStream*>(s->private_data);
  }

  std::vector<ArrowNode> arrays_;
};

}  // namespace crossfold
