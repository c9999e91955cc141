// Schemas and arrays made of any bytes, as a producer in another language might hand them over.
//
// What no consumer can find out is kept true here: that buffers are as long as lengths and offsets
// say, and that pointers point to something.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "crossfold/arrow_abi.h"

namespace crossfold::fuzz {

inline constexpr std::int64_t kMostEntries = 64;  // of an array, its offset included
inline constexpr std::size_t kBufferBytes = 1024;

// Takes choices from the input; 0 after its end.
class Choices {
 public:
  Choices(const std::uint8_t* bytes, std::size_t size) : at_(bytes), end_(bytes + size) {}

  std::uint8_t Byte() { return at_ == end_ ? 0 : *at_++; }
  // Mostly small, sometimes negative or huge.
  std::int64_t Count() {
    const std::uint8_t byte = Byte();
    if (byte < 0xF0) return byte % (kMostEntries / 4);
    if (byte < 0xF8) return -static_cast<std::int64_t>(byte & 7);
    return std::numeric_limits<std::int64_t>::max() >> (byte & 7);
  }
  std::string Text() {
    std::string text;
    for (std::size_t n = Byte() % 8; n > 0; --n) {
      const std::uint8_t byte = Byte();
      if (byte != 0) text.push_back(static_cast<char>(byte));
    }
    return text;
  }

 private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
};

inline int released_schemas = 0, released_arrays = 0;

inline void ReleaseSchema(ArrowSchema* schema) {
  ++released_schemas;
  schema->release = nullptr;
}

inline void ReleaseArray(ArrowArray* array) {
  ++released_arrays;
  array->release = nullptr;
}

// Releases of children are not counted: the consumer leaves them to the outermost.
inline void ReleaseChild(ArrowArray* array) { array->release = nullptr; }

// Owns everything that one input is made of; things stay where they are.
class Producer {
 public:
  explicit Producer(Choices& choices) : choices_(choices) {}

  ArrowSchema* Schema() { return &schemas_.emplace_back(); }
  ArrowArray* Array() { return &arrays_.emplace_back(); }

  void FillField(ArrowSchema* schema, ArrowArray* array, int depth) {
    static const char* const kFormats[] = {"g", "f", "i", "l", "b", "u",  "U",   "c",   "C",
                                           "s", "S", "I", "L", "n", "+l", "tdD", "tsu:"};
    const std::uint8_t format = choices_.Byte();
    schema->format = format < 0xF0 ? kFormats[format % std::size(kFormats)] : NewText();
    schema->name = choices_.Byte() < 0xF8 ? NewText() : nullptr;
    schema->flags = choices_.Byte();
    const std::uint8_t odd = choices_.Byte();
    if (odd >= 0xF8) schema->n_children = array->n_children = odd & 3;  // without any
    FillEntries(*schema, array);
    if (depth > 0 && choices_.Byte() % 4 == 0) {
      schema->dictionary = Schema();
      array->dictionary = choices_.Byte() < 0xF8 ? Array() : nullptr;
      ArrowArray* entries = array->dictionary == nullptr ? Array() : array->dictionary;
      FillField(schema->dictionary, entries, depth - 1);
    }
  }

  void FillEntries(const ArrowSchema& schema, ArrowArray* array) {
    array->length = choices_.Count();
    array->offset = choices_.Count();
    const std::uint8_t nulls = choices_.Byte();
    array->null_count = nulls < 0xE0 ? nulls % 3 - 1 : choices_.Count();
    array->release = choices_.Byte() < 0xF8 ? &ReleaseChild : nullptr;
    FillBuffers(schema.format, array);
  }

  // Another array of the type.
  void FillAgain(const ArrowSchema& schema, ArrowArray* array) {
    array->n_children = schema.n_children;
    FillEntries(schema, array);
    if (schema.dictionary == nullptr || choices_.Byte() >= 0xF8) return;
    array->dictionary = Array();
    FillAgain(*schema.dictionary, array->dictionary);
  }

  void FillBuffers(const std::string& format, ArrowArray* array) {
    const bool is_text = format == "u" || format == "U";
    const std::uint8_t odd = choices_.Byte();
    array->n_buffers = odd < 0xF0 ? (is_text ? 3 : 2) : odd & 3;
    auto& list = lists_.emplace_back(4, nullptr);  // more than n_buffers says
    for (const void*& buffer : list) {
      if (choices_.Byte() % 8 != 0) buffer = NewBuffer();
    }
    if (is_text && list[1] != nullptr) FillOffsets(format == "U", list[1]);
    array->buffers = odd == 0xEF ? nullptr : list.data();
    // Longer arrays would need longer buffers.
    if (array->length > kMostEntries) array->length = std::numeric_limits<std::int64_t>::max();
    if (array->offset > kMostEntries) array->offset = std::numeric_limits<std::int64_t>::max();
  }

  // Offsets below the size of a buffer; they may fall and be negative.
  void FillOffsets(bool is_large, const void* buffer) {
    auto* bytes = static_cast<unsigned char*>(const_cast<void*>(buffer));
    const std::size_t size = is_large ? 8 : 4;
    std::int64_t offset = choices_.Byte() % 4;
    for (std::size_t i = 0; i + size <= kBufferBytes; i += size) {
      const std::uint8_t step = choices_.Byte();
      if (step < 0xF0) offset += step % 4;
      if (step >= 0xF8) offset -= step & 7;
      if (offset >= static_cast<std::int64_t>(kBufferBytes)) offset = 0;
      const auto narrow = static_cast<std::int32_t>(offset);
      std::memcpy(bytes + i, is_large ? static_cast<const void*>(&offset) : &narrow, size);
    }
  }

  const char* NewText() { return texts_.emplace_back(choices_.Text()).c_str(); }

  const void* NewBuffer() {
    auto& words = buffers_.emplace_back(kBufferBytes / 8, 0);
    auto* bytes = reinterpret_cast<unsigned char*>(words.data());
    const std::size_t filled = choices_.Byte() % 32;
    for (std::size_t i = 0; i < filled; ++i) bytes[i] = choices_.Byte();
    return bytes;
  }

  void FillStruct(ArrowSchema* schema, ArrowArray* array) {
    schema->format = choices_.Byte() < 0xFC ? "+s" : NewText();
    schema->release = &ReleaseSchema;
    FillRows(array);
    const int n = choices_.Byte() % 4;
    for (int i = 0; i < n; ++i) {
      schema_pointers_.push_back(Schema());
      array_pointers_.push_back(Array());
      FillField(schema_pointers_.back(), array_pointers_.back(), 2);
      if (choices_.Byte() < 0xE0 && array->length <= kMostEntries) {
        array_pointers_.back()->length = array->length + array->offset;
      }
      if (choices_.Byte() >= 0xFC) array_pointers_.back() = nullptr;
    }
    schema->n_children = n;
    array->n_children = choices_.Byte() < 0xFC ? n : choices_.Count();
    schema->children = schema_pointers_.data();
    array->children = array_pointers_.data();
  }

  // Another array of the struct that FillStruct() made.
  void FillStructAgain(const ArrowSchema& schema, ArrowArray* array) {
    FillRows(array);
    auto& children = children_.emplace_back();
    for (std::int64_t i = 0; i < schema.n_children; ++i) {
      children.push_back(Array());
      FillAgain(*schema.children[i], children.back());
      if (choices_.Byte() < 0xE0 && array->length <= kMostEntries) {
        children.back()->length = array->length + array->offset;
      }
    }
    array->n_children = schema.n_children;
    array->children = children.data();
  }

 private:
  void FillRows(ArrowArray* array) {
    array->release = &ReleaseArray;
    array->length = choices_.Count();
    array->offset = choices_.Count() % 4;
    array->null_count = choices_.Byte() % 3 - 1;
    FillBuffers("+s", array);
    if (choices_.Byte() < 0xF0) array->n_buffers = 1;
  }

  Choices& choices_;
  std::deque<std::vector<ArrowArray*>> children_;
  std::deque<ArrowSchema> schemas_;
  std::deque<ArrowArray> arrays_;
  std::deque<std::string> texts_;
  std::deque<std::vector<std::uint64_t>> buffers_;
  std::deque<std::vector<const void*>> lists_;
  std::vector<ArrowSchema*> schema_pointers_;
  std::vector<ArrowArray*> array_pointers_;
};

}  // namespace crossfold::fuzz
