#include "ipc_batch.h"

#include <lz4frame.h>
#include <zstd.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "../reading/refusal.h"
#include "crossfold_plugin/arrow_views.hpp"
#include "crossfold_plugin/utf8.hpp"
#include "ipc_tables.h"

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

// Returns the bytes of frames that have `size` bytes in total. Empty if they have a different size
// or are invalid, or if the codec is not known.
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

constexpr std::size_t kEntryAlignment = 8;
// A batch without rows need not have them.
constexpr std::uint64_t kNothing[2] = {0, 0};

std::size_t SizeOf(std::int64_t n, std::int64_t width) {
  return static_cast<std::size_t>(n) * static_cast<std::size_t>(width);
}

std::int64_t CountNulls(const std::uint8_t* validity, std::int64_t n_rows) {
  std::int64_t present = 0;
  for (std::int64_t i = 0; i < n_rows / 8; ++i) present += std::popcount(validity[i]);
  const int rest = static_cast<int>(n_rows % 8);
  if (rest > 0) present += std::popcount(validity[n_rows / 8] & ((1U << rest) - 1));
  return n_rows - present;
}

// Whether the offsets never fall, and go from 0 or more to at most `size`.
template <class Offset>
bool AreOffsets(const char* data, std::int64_t n_rows, std::size_t size) {
  const auto* offsets = reinterpret_cast<const Offset*>(data);
  if (offsets[0] < 0) return false;
  bool fall = false;
  for (std::int64_t i = 0; i < n_rows; ++i) fall |= offsets[i + 1] < offsets[i];
  return !fall && static_cast<std::uint64_t>(offsets[n_rows]) <= size;
}

[[noreturn]] void RefuseDamage(const std::string& column, const std::string& finding) {
  RefuseContent("the file is damaged: column '" + Shown(column) + "' " + finding +
                "; write it again");
}

[[noreturn]] void RefuseMemory(const std::string& column) {
  RefuseContent("the buffers of column '" + Shown(column) +
                "' take more memory than the columns may; read fewer columns, or give it more");
}

}  // namespace

bool IpcArray::is_null(std::int64_t row) const {
  return validity != nullptr && (validity[row / 8] >> row % 8 & 1) == 0;
}

std::string_view IpcArray::Text(std::int64_t row, std::int64_t width) const {
  std::int64_t ends[2] = {0, 0};
  for (const std::int64_t i : {0, 1}) {
    if (width == 4) {
      ends[i] = reinterpret_cast<const std::int32_t*>(data)[row + i];
    } else {
      ends[i] = reinterpret_cast<const std::int64_t*>(data)[row + i];
    }
  }
  return {text + ends[0], static_cast<std::size_t>(ends[1] - ends[0])};
}

IpcBatch::IpcBatch(const ipc::RecordBatch& table, std::string_view body, std::int64_t most_bytes)
    : table_(table), body_(body), bytes_left_(most_bytes) {
  constexpr std::int64_t kMostRows = std::int64_t{1} << 48;
  if (table.n_rows() < 0 || table.n_rows() > kMostRows) {
    RefuseContent(
        "the file is damaged: a record batch has an impossible number of rows; write it "
        "again");
  }
}

void IpcBatch::Skip(const FieldShare& share) {
  node_ += share.n_nodes;
  buffer_ += share.n_buffers;
  for (std::size_t i = 0; i < share.n_views; ++i, ++view_) {
    const auto* counts = table_.view_counts();
    const bool is_there = counts != nullptr && view_ < counts->size();
    const std::int64_t count = is_there ? EntryOf<std::int64_t>(*counts, view_) : 0;
    buffer_ += static_cast<std::size_t>(std::max<std::int64_t>(count, 0));
  }
}

IpcArray IpcBatch::Next(const EntryType& type, const std::string& column) {
  const auto* nodes = table_.nodes();
  if (nodes == nullptr || node_ >= nodes->size()) RefuseDamage(column, "lacks its counts");
  const auto node = EntryOf<ipc::Node>(*nodes, node_++);
  if (node.n_rows() != n_rows()) {
    RefuseDamage(column, "has " + std::to_string(node.n_rows()) + " entries in a batch of " +
                             std::to_string(n_rows()) + " rows");
  }
  IpcArray array;
  array.n_rows = n_rows();
  if (type.layout == EntryLayout::kNone) return array;
  const std::size_t bitmap = SizeOf((n_rows() + 7) / 8, 1);
  const Bytes validity = NextBuffer(node.n_nulls() == 0 ? 0 : bitmap, column, array);
  if (node.n_nulls() != 0) {
    array.validity = reinterpret_cast<const std::uint8_t*>(validity.data);
    array.n_nulls = CountNulls(array.validity, n_rows());
    if (array.n_nulls == 0) array.validity = nullptr;
  }
  if (type.layout == EntryLayout::kText) {
    ReadTexts(type, column, array);
  } else if (type.layout == EntryLayout::kViews) {
    ReadViews(type, column, array);
  } else {
    const bool is_fixed = type.layout == EntryLayout::kFixed;
    array.data = NextBuffer(is_fixed ? SizeOf(n_rows(), type.width) : bitmap, column, array).data;
  }
  return array;
}

void IpcBatch::ReadTexts(const EntryType& type, const std::string& column, IpcArray& array) {
  const std::size_t needed = n_rows() == 0 ? 0 : SizeOf(n_rows() + 1, type.width);
  array.data = NextBuffer(needed, column, array).data;
  const Bytes text = NextBuffer(0, column, array);
  array.text = text.data;
  if (n_rows() == 0) {
    array.data = reinterpret_cast<const char*>(kNothing);
    return;
  }
  const bool are_sound = type.width == 4
                             ? AreOffsets<std::int32_t>(array.data, n_rows(), text.size)
                             : AreOffsets<std::int64_t>(array.data, n_rows(), text.size);
  if (!are_sound) RefuseDamage(column, "has strings outside its buffer");
  CheckUtf8(type, column, array);
}

// Returns how many buffers the views of a column point into.
std::size_t IpcBatch::NextViewCount(const std::string& column) {
  const auto* counts = table_.view_counts();
  const auto* buffers = table_.buffers();
  if (counts == nullptr || view_ >= counts->size()) RefuseDamage(column, "lacks its buffer count");
  const auto count = EntryOf<std::int64_t>(*counts, view_++);
  const std::size_t most = buffers == nullptr ? 0 : buffers->size();
  if (count < 0 || static_cast<std::uint64_t>(count) > most) RefuseDamage(column, "lacks a buffer");
  return static_cast<std::size_t>(count);
}

// Copies the strings to one buffer. Many views may point to the same bytes, so their sum is
// bounded.
void IpcBatch::ReadViews(const EntryType& type, const std::string& column, IpcArray& array) {
  struct Texts {
    std::vector<std::int64_t> ends = {0};
    std::string bytes;
  };
  IpcArray packed;
  const char* views = NextBuffer(SizeOf(n_rows(), plugin::kArrowViewBytes), column, packed).data;
  std::vector<std::string_view> buffers(NextViewCount(column));
  for (std::string_view& buffer : buffers) {
    const Bytes bytes = NextBuffer(0, column, packed);
    buffer = {bytes.data, bytes.size};
  }
  const auto buffer_of = [&](std::size_t i) {
    return i < buffers.size() ? buffers[i] : std::string_view();
  };
  auto texts = std::make_shared<Texts>();
  for (std::int64_t row = 0; row < n_rows(); ++row) {
    if (!array.is_null(row)) {
      const auto text =
          plugin::ArrowViewText(views + SizeOf(row, plugin::kArrowViewBytes), buffer_of);
      if (!text) RefuseDamage(column, "has strings outside its buffers");
      bytes_left_ -= static_cast<std::int64_t>(text->size());
      if (bytes_left_ < 0) RefuseMemory(column);
      texts->bytes += *text;
    }
    texts->ends.push_back(static_cast<std::int64_t>(texts->bytes.size()));
  }
  array.data = reinterpret_cast<const char*>(texts->ends.data());
  array.text = texts->bytes.data();
  array.owners.push_back(std::move(texts));
  CheckUtf8(type, column, array);
}

void IpcBatch::CheckUtf8(const EntryType& type, const std::string& column, const IpcArray& array) {
  for (std::int64_t row = 0; row < array.n_rows; ++row) {
    if (array.is_null(row) || !plugin::FirstInvalidUtf8(array.Text(row, type.width))) continue;
    RefuseContent("column '" + Shown(column) + "' has a string that is not UTF-8, '" +
                  Shown(array.Text(row, type.width)) +
                  "'; write it as UTF-8, or leave it out (types: ignore)");
  }
}

IpcBatch::Bytes IpcBatch::NextBuffer(std::size_t needed, const std::string& column,
                                     IpcArray& array) {
  const auto* buffers = table_.buffers();
  if (buffers == nullptr || buffer_ >= buffers->size()) RefuseDamage(column, "lacks a buffer");
  const auto place = EntryOf<ipc::Buffer>(*buffers, buffer_++);
  const auto body = static_cast<std::int64_t>(body_.size());
  const bool is_inside = place.offset() >= 0 && place.size() >= 0 && place.offset() <= body &&
                         place.size() <= body - place.offset();
  if (!is_inside) RefuseDamage(column, "has a buffer outside of its message");
  Bytes bytes{body_.data() + place.offset(), static_cast<std::size_t>(place.size())};
  if (table_.compression() != nullptr && bytes.size > 0) bytes = Unpacked(bytes, column, array);
  if (bytes.size < needed) {
    RefuseDamage(column, "has " + std::to_string(bytes.size) + " bytes where " +
                             std::to_string(needed) + " are needed");
  }
  if (bytes.size == 0) return {reinterpret_cast<const char*>(kNothing), 0};
  if (reinterpret_cast<std::uintptr_t>(bytes.data) % kEntryAlignment == 0) return bytes;
  auto copy = std::make_shared<std::vector<std::uint64_t>>(bytes.size / kEntryAlignment + 1);
  std::memcpy(copy->data(), bytes.data, bytes.size);
  bytes.data = reinterpret_cast<const char*>(copy->data());
  array.owners.push_back(std::move(copy));
  return bytes;
}

// A compressed buffer begins with its uncompressed size; -1 = it is not compressed.
IpcBatch::Bytes IpcBatch::Unpacked(Bytes packed, const std::string& column, IpcArray& array) {
  constexpr std::size_t kPrefix = sizeof(std::int64_t);
  if (packed.size < kPrefix) RefuseDamage(column, "has a compressed buffer without its size");
  std::int64_t size = 0;
  std::memcpy(&size, packed.data, kPrefix);
  const std::string_view frames(packed.data + kPrefix, packed.size - kPrefix);
  if (size == -1) return {frames.data(), frames.size()};
  if (size == 0) return {};
  if (size < 0) RefuseDamage(column, "has a compressed buffer of an impossible size");
  if (size > bytes_left_) RefuseMemory(column);
  // No codec expands a byte further, so a larger size is false, and no memory is taken for it.
  constexpr std::int64_t kMostPerByte = std::int64_t{1} << 15;
  if (size / kMostPerByte > static_cast<std::int64_t>(frames.size())) {
    RefuseDamage(column, "has a compressed buffer of an impossible size");
  }
  bytes_left_ -= size;
  auto bytes = std::make_shared<std::vector<std::uint64_t>>(
      Decompressed(table_.compression()->codec(), frames, static_cast<std::size_t>(size)));
  if (bytes->empty()) {
    RefuseContent("the buffers of column '" + Shown(column) +
                  "' cannot be decompressed; write the file again, with LZ4, ZSTD or without "
                  "compression");
  }
  const Bytes unpacked{reinterpret_cast<const char*>(bytes->data()),
                       static_cast<std::size_t>(size)};
  array.owners.push_back(std::move(bytes));
  return unpacked;
}

}  // namespace crossfold::reading
