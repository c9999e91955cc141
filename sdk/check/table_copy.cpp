#include "check/table_copy.h"

#include <sys/mman.h>

#include <cmath>
#include <cstring>
#include <new>

#include "crossfold_plugin/view.hpp"

namespace crossfold::check {

namespace {

// Reserved, and used as far as it is needed.
constexpr std::size_t kMaxBytes = std::size_t{8} << 20;
constexpr std::size_t kAlignment = 64;

}  // namespace

ReadOnlyPages::ReadOnlyPages() {
  void* pages = ::mmap(nullptr, kMaxBytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  pages_ = static_cast<unsigned char*>(pages);
}

ReadOnlyPages::~ReadOnlyPages() { ::munmap(pages_, kMaxBytes); }

void ReadOnlyPages::Seal() {
  if (::mprotect(pages_, kMaxBytes, PROT_READ) != 0) throw std::bad_alloc();
}

void* ReadOnlyPages::Take(std::size_t bytes) {
  const std::size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  if (rounded > kMaxBytes - used_) throw std::bad_alloc();
  void* taken = pages_ + used_;
  used_ += rounded;
  return taken;
}

namespace {

std::size_t SizeOf(std::int32_t dtype) {
  switch (dtype) {
    case CF_F64:
    case CF_I64:
      return 8;
    case CF_BOOL8:
      return 1;
    default:
      return 4;
  }
}

std::int64_t EntryOf(const cf_table& table, std::int64_t position) {
  return table.rows == nullptr ? position : table.rows[position];
}

std::int64_t RowIdOf(const cf_table& table, std::int64_t position) {
  return table.row_ids == nullptr ? EntryOf(table, position) : table.row_ids[position];
}

}  // namespace

TableCopy::TableCopy(const cf_table& from, const CopyOptions& options) {
  const RowIds positions =
      options.positions == nullptr ? RowRange(0, from.n_rows) : *options.positions;
  RowIds entries = RowRange(0, from.n_rows_total), ids;
  if (options.positions != nullptr) {
    entries.clear();
    for (const std::int64_t position : positions) entries.push_back(EntryOf(from, position));
  }
  for (const std::int64_t position : positions) ids.push_back(RowIdOf(from, position));
  table_ = TakeArray<cf_table>(1);
  *table_ = from;
  table_->n_rows_total = static_cast<std::int64_t>(entries.size());
  table_->n_rows = static_cast<std::int64_t>(positions.size());
  const bool is_gathered = options.positions != nullptr;
  table_->rows = is_gathered || from.rows == nullptr ? nullptr : Gather(from.rows, positions);
  table_->row_ids = is_gathered ? Gather(ids.data(), RowRange(0, table_->n_rows))
                                : Gather(from.row_ids, positions);
  table_->weights = Gather(from.weights, positions);
  table_->groups = Gather(from.groups, positions);
  features_ = TakeArray<cf_column>(from.n_features);
  for (std::int64_t j = 0; j < from.n_features; ++j) {
    features_[j] = CopyColumn(from.features[j], entries, options, /*is_feature=*/true);
  }
  table_->features = features_;
  if (from.target == nullptr) return;
  auto* target = TakeArray<cf_column>(1);
  *target = CopyColumn(*from.target, entries, options, /*is_feature=*/false);
  table_->target = target;
}

template <class T>
const T* TableCopy::Gather(const T* from, const std::vector<std::int64_t>& places) {
  if (from == nullptr) return nullptr;
  T* to = TakeArray<T>(static_cast<std::int64_t>(places.size()));
  for (std::size_t i = 0; i < places.size(); ++i) to[i] = from[places[i]];
  return to;
}

const char* TableCopy::CopyText(const char* text) {
  const std::size_t size = std::strlen(text) + 1;
  return static_cast<const char*>(std::memcpy(pages_.Take(size), text, size));
}

cf_column TableCopy::CopyColumn(const cf_column& from, const std::vector<std::int64_t>& entries,
                                const CopyOptions& options, bool is_feature) {
  cf_column to = from;
  const auto n = static_cast<std::int64_t>(entries.size());
  const std::size_t size = SizeOf(from.dtype);
  auto* data = static_cast<unsigned char*>(pages_.Take(static_cast<std::size_t>(n) * size));
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto* source = static_cast<const unsigned char*>(from.data);
    std::memcpy(data + i * size, source + static_cast<std::size_t>(entries[i]) * size, size);
  }
  to.data = data;
  to.name = CopyText(from.name);
  if (from.levels != nullptr) {
    auto* levels = TakeArray<const char*>(from.n_levels);
    for (std::int64_t c = 0; c < from.n_levels; ++c) levels[c] = CopyText(from.levels[c]);
    to.levels = levels;
  }
  to.null_count = options.positions == nullptr ? from.null_count : -1;
  if (from.validity != nullptr) {
    auto* bits = TakeArray<std::uint8_t>((n + 7) / 8);
    for (std::int64_t i = 0; i < n; ++i) {
      if (!plugin::HasValidityBit(from, entries[static_cast<std::size_t>(i)])) continue;
      bits[i / 8] = static_cast<std::uint8_t>(bits[i / 8] | (1u << (i % 8)));
    }
    to.validity = bits;
    to.validity_offset = 0;
  }
  if (is_feature && options.bitmap_offset >= 0) SetBitmap(to, options, n);
  return to;
}

void TableCopy::SetBitmap(cf_column& column, const CopyOptions& options, std::int64_t n) {
  auto* bits = TakeArray<std::uint8_t>((n + options.bitmap_offset + 7) / 8 + 1);
  const std::size_t size = SizeOf(column.dtype);
  auto* data = static_cast<unsigned char*>(const_cast<void*>(column.data));
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t bit = i + options.bitmap_offset;
    if (!std::isnan(plugin::EntryAsDouble(column, i))) {
      bits[bit / 8] = static_cast<std::uint8_t>(bits[bit / 8] | (1u << (bit % 8)));
    } else if (options.hide_missing) {
      std::memset(data + static_cast<std::size_t>(i) * size, 0, size);
    }
  }
  column.validity = bits;
  column.validity_offset = options.bitmap_offset;
}

}  // namespace crossfold::check
