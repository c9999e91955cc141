#include "table_image.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <limits>
#include <system_error>
#include <type_traits>

#include "crossfold_plugin/error.hpp"
#include "crossfold_plugin/view.hpp"

namespace crossfold::exec {
namespace {

[[noreturn]] void Refuse(int error) {
  throw plugin::Error(CF_E_OUT_OF_MEMORY, "cannot share memory with the process of the learner: " +
                                              std::generic_category().message(error));
}

void* Map(int fd, std::size_t bytes, int protection, int sharing) {
  void* place = ::mmap(nullptr, bytes, protection, sharing, fd, 0);
  if (place == MAP_FAILED) Refuse(errno);
  return place;
}

}  // namespace

MemoryFile::MemoryFile(std::size_t bytes)
    : file_(::memfd_create("crossfold-exec", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
  if (!file_.is_open()) Refuse(errno);
  size_ = std::max<std::size_t>(bytes, 1);  // nothing cannot be mapped
  Allocate(size_);
  data_ = static_cast<char*>(Map(file_.get(), size_, PROT_READ | PROT_WRITE, MAP_SHARED));
  // A child that made it smaller would end this process.
  if (::fcntl(file_.get(), F_ADD_SEALS, F_SEAL_SHRINK) != 0) Refuse(errno);
}

MemoryFile::~MemoryFile() { Unmap(); }

std::string MemoryFile::path() const {
  return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(file_.get());
}

void MemoryFile::Grow(std::size_t bytes) {
  Allocate(bytes);
  void* place = ::mremap(data_, size_, bytes, MREMAP_MAYMOVE);  // if it fails, the old one stays
  if (place == MAP_FAILED) Refuse(errno);
  data_ = static_cast<char*>(place);
  size_ = bytes;
}

void MemoryFile::Seal() {
  Unmap();  // a file with a writable mapping cannot be sealed
  if (::fcntl(file_.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    Refuse(errno);
  }
  // Private, because some kernels allow no shared mapping of a sealed file. Nobody can write to it.
  data_ = static_cast<char*>(Map(file_.get(), size_, PROT_READ, MAP_PRIVATE));
}

// So that a lack of memory is an error here and not a SIGBUS.
void MemoryFile::Allocate(std::size_t bytes) {
  int error = EINTR;
  while (error == EINTR) error = ::posix_fallocate(file_.get(), 0, static_cast<off_t>(bytes));
  if (error != 0) Refuse(error);
}

void MemoryFile::Unmap() {
  if (data_ != nullptr) ::munmap(data_, size_);
  data_ = nullptr;
}

namespace {

// Whether missing entries need a bitmap, because no value of the type means missing.
bool NeedsBitmap(const cf_column& column) {
  const bool has_no_missing_value =
      column.dtype == CF_I32 || column.dtype == CF_I64 || column.dtype == CF_BOOL8;
  return has_no_missing_value && column.validity != nullptr;
}

std::int64_t RowCount(const cf_table& table, TableImage::Which which) {
  const std::int64_t n = which == TableImage::Which::kAll ? table.n_rows_total : table.n_rows;
  if (n > std::numeric_limits<std::int32_t>::max()) {
    throw plugin::Error(CF_E_UNSUPPORTED_DATA, "has " + std::to_string(n) +
                                                   " rows; a learner in another language takes " +
                                                   "at most 2147483647");
  }
  return n;
}

// The entries of a column as the image has them: `missing` for an entry whose bit is 0.
template <class T>
struct Entries {
  const cf_column& column;
  T missing;

  T operator()(std::int64_t entry) const {
    return plugin::HasValidityBit(column, entry) ? static_cast<const T*>(column.data)[entry]
                                                 : missing;
  }
};

// Calls `visit` with the Entries of the column's type.
template <class Visit>
auto Visited(const cf_column& column, const Visit& visit) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  switch (column.dtype) {
    case CF_F64:
      return visit(Entries<double>{column, kNaN});
    case CF_F32:
      return visit(Entries<float>{column, static_cast<float>(kNaN)});
    case CF_I64:
      return visit(Entries<std::int64_t>{column, 0});
    case CF_BOOL8:
      return visit(Entries<std::uint8_t>{column, 0});
    case CF_I32:
      return visit(Entries<std::int32_t>{column, 0});
    default:
      return visit(Entries<std::int32_t>{column, -1});
  }
}

std::size_t EntrySize(const cf_column& column) {
  return Visited(column, [](const auto& entries) { return sizeof(entries.missing); });
}

std::vector<ImageColumn> LayColumns(const cf_table& table, std::int64_t n_rows,
                                    BufferLayout& layout) {
  const auto n = static_cast<std::size_t>(n_rows);
  std::vector<ImageColumn> columns;
  for (std::int64_t j = 0; j < table.n_features; ++j) {
    const cf_column& from = table.features[j];
    ImageColumn column{
        from.name, from.dtype, layout.Add(n * EntrySize(from)), 0, plugin::IsOrdered(from), {}};
    if (NeedsBitmap(from)) column.validity_at = layout.Add((n + 7) / 8);
    if (from.dtype == CF_CAT32) column.levels.assign(from.levels, from.levels + from.n_levels);
    columns.push_back(std::move(column));
  }
  return columns;
}

template <class T, class EntryOf>
void CopyEntries(const Entries<T>& entries, std::int64_t n, const EntryOf& entry_of, char* to) {
  for (std::int64_t i = 0; i < n; ++i) {
    const T value = entries(entry_of(i));
    std::memcpy(to + static_cast<std::size_t>(i) * sizeof(T), &value, sizeof(T));
  }
}

template <class EntryOf>
void CopyBitmap(const cf_column& column, std::int64_t n, const EntryOf& entry_of, char* to) {
  for (std::int64_t i = 0; i < n; ++i) {
    if (!plugin::HasValidityBit(column, entry_of(i))) continue;
    to[i / 8] = static_cast<char>(static_cast<unsigned char>(to[i / 8]) | 1u << (i % 8));
  }
}

template <class EntryOf>
void CopyColumn(const cf_column& from, const ImageColumn& column, std::int64_t n,
                const EntryOf& entry_of, char* memory) {
  Visited(from,
          [&](const auto& entries) { CopyEntries(entries, n, entry_of, memory + column.at); });
  if (column.validity_at != 0) CopyBitmap(from, n, entry_of, memory + column.validity_at);
}

// Whether value_of(entry) has the bits of the image for all entries of the view. Without a branch
// per entry, as this is most of the time that a prediction of few rows takes.
template <class T, class ValueOf>
bool HaveSameBits(const ValueOf& value_of, const cf_table& view, const T* image) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t,
                                  std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint8_t>>;
  Bits difference = 0;
  const auto compare = [&](std::int64_t entry) {
    difference |= std::bit_cast<Bits>(value_of(entry)) ^ std::bit_cast<Bits>(image[entry]);
  };
  if (view.rows == nullptr) {
    for (std::int64_t i = 0; i < view.n_rows; ++i) compare(i);
  } else {
    for (std::int64_t i = 0; i < view.n_rows; ++i) compare(view.rows[i]);
  }
  return difference == 0;
}

template <class T>
bool AreSame(const Entries<T>& entries, const cf_table& view, const char* column) {
  const T* image = reinterpret_cast<const T*>(column);
  if (entries.column.validity != nullptr) return HaveSameBits<T>(entries, view, image);
  const T* data = static_cast<const T*>(entries.column.data);
  return HaveSameBits<T>([data](std::int64_t entry) { return data[entry]; }, view, image);
}

bool IsBitmapSame(const cf_column& from, const plugin::FeatureView& view, const char* bitmap) {
  for (std::int64_t i = 0; i < view.num_rows(); ++i) {
    const std::int64_t entry = view.entry(i);
    const bool is_present = (static_cast<unsigned char>(bitmap[entry / 8]) >> (entry % 8)) & 1;
    if (is_present != plugin::HasValidityBit(from, entry)) return false;
  }
  return true;
}

}  // namespace

TableImage::TableImage(const cf_table& table, Which which)
    : TableImage(table, which, BufferLayout()) {}

TableImage::TableImage(const cf_table& table, Which which, BufferLayout layout)
    : n_rows_(RowCount(table, which)),
      columns_(LayColumns(table, n_rows_, layout)),
      memory_(layout.end()) {
  const plugin::FeatureView view(table);
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    const cf_column& from = view.column(static_cast<std::int64_t>(j));
    if (which == Which::kAll) {
      CopyColumn(
          from, columns_[j], n_rows_, [](std::int64_t i) { return i; }, memory_.data());
    } else {
      const auto entry_of = [&view](std::int64_t i) { return view.entry(i); };
      CopyColumn(from, columns_[j], n_rows_, entry_of, memory_.data());
    }
  }
  memory_.Seal();
}

bool TableImage::Holds(const cf_table& table) const {
  const plugin::FeatureView view(table);
  if (table.n_rows_total != n_rows_ ||
      static_cast<std::size_t>(table.n_features) != columns_.size()) {
    return false;
  }
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    const cf_column& from = view.column(static_cast<std::int64_t>(j));
    const ImageColumn& column = columns_[j];
    if (from.dtype != column.dtype || NeedsBitmap(from) != (column.validity_at != 0)) return false;
    if (column.validity_at != 0 && !IsBitmapSame(from, view, memory_.data() + column.validity_at)) {
      return false;
    }
    const bool is_same = Visited(from, [&](const auto& entries) {
      return AreSame(entries, table, memory_.data() + column.at);
    });
    if (!is_same) return false;
  }
  return true;
}

}  // namespace crossfold::exec
