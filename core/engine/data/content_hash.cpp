#include "engine/data/content_hash.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "engine/data/column_entries.h"
#include "engine/data/sha256.h"

namespace crossfold {
namespace {

std::uint64_t Bits(double entry) { return std::bit_cast<std::uint64_t>(entry == 0 ? 0.0 : entry); }
std::uint64_t Bits(float entry) { return std::bit_cast<std::uint32_t>(entry == 0 ? 0.0F : entry); }
std::uint64_t Bits(std::int32_t entry) { return static_cast<std::uint32_t>(entry); }
std::uint64_t Bits(std::int64_t entry) { return static_cast<std::uint64_t>(entry); }
std::uint64_t Bits(std::uint8_t entry) { return entry; }

void PutLittleEndian(std::uint64_t bits, std::size_t width, std::uint8_t* bytes) {
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(bytes, &bits, width);
    return;
  }
  for (std::size_t i = 0; i < width; ++i) bytes[i] = static_cast<std::uint8_t>(bits >> (8 * i));
}

// Gives the hash what `put(row, bytes)` writes of each row, `width` bytes, in blocks: no array
// grows with the rows.
template <class Put>
void AddRows(std::size_t n_rows, std::size_t width, Sha256* hash, const Put& put) {
  constexpr std::size_t kBlock = 8192;
  std::vector<std::uint8_t> bytes(std::min(n_rows, kBlock) * width);
  for (std::size_t first = 0; first < n_rows; first += kBlock) {
    const std::size_t n = std::min(kBlock, n_rows - first);
    for (std::size_t i = 0; i < n; ++i) put(first + i, &bytes[i * width]);
    hash->Add(bytes.data(), n * width);
  }
}

void AddEntries(const Column& column, Sha256* hash) {
  VisitEntries(column, [&]<class T>(std::span<const T> entries) {
    const auto is_missing = [&](std::size_t row) {
      return !IsValid(column, row) || MarksMissing(column.dtype, entries[row]);
    };
    AddRows(entries.size(), 1, hash,
            [&](std::size_t row, std::uint8_t* bytes) { *bytes = is_missing(row) ? 0 : 1; });
    AddRows(entries.size(), sizeof(T), hash, [&](std::size_t row, std::uint8_t* bytes) {
      PutLittleEndian(is_missing(row) ? 0 : Bits(entries[row]), sizeof(T), bytes);
    });
  });
}

void AddColumn(const Column& column, Sha256* hash) {
  const bool categorical = column.dtype == CF_CAT32;
  hash->AddText(column.name);
  hash->AddInteger(static_cast<std::uint64_t>(column.dtype));
  hash->AddInteger(categorical && column.ordered ? 1 : 0);
  hash->AddInteger(categorical ? column.levels.size() : 0);
  if (categorical) {
    for (const std::string& level : column.levels) hash->AddText(level);
  }
  AddEntries(column, hash);
}

}  // namespace

std::string ContentHash(std::int64_t n_rows, std::span<const Column> columns, const Roles& roles) {
  Sha256 hash;
  hash.AddText("crossfold-dataset-1");
  hash.AddInteger(static_cast<std::uint64_t>(n_rows));
  hash.AddInteger(columns.size());
  for (const Column& column : columns) AddColumn(column, &hash);
  for (const std::string* role :
       {&roles.target, &roles.weights, &roles.groups, &roles.time, &roles.folds}) {
    hash.AddText(*role);
  }
  // Roles of later versions are hashed only if they are used, so that the hashes of other data stay
  // the same.
  if (!roles.strata.empty()) {
    hash.AddText("strata");
    hash.AddText(roles.strata);
  }
  for (const std::string& column : roles.coordinates) {
    hash.AddText("coordinate");
    hash.AddText(column);
  }
  for (const auto& [name, column] : roles.row_costs) {
    hash.AddText("row cost");
    hash.AddText(name);
    hash.AddText(column);
  }
  return ToHex(hash.Finish());
}

std::string HashWithCosts(const std::string& content_hash, std::span<const double> costs) {
  Sha256 hash;
  hash.AddText("crossfold-costs-1");
  hash.AddText(content_hash);
  for (const double cost : costs) hash.AddInteger(Bits(cost));
  return ToHex(hash.Finish());
}

std::string HashWithPositive(const std::string& content_hash, const std::string& positive) {
  Sha256 hash;
  hash.AddText("crossfold-positive-1");
  hash.AddText(content_hash);
  hash.AddText(positive);
  return ToHex(hash.Finish());
}

std::string DataView::content_hash() const {
  if (!rows) return data->content_hash();
  Sha256 hash;
  hash.AddText("crossfold-rows-1");
  hash.AddText(data->content_hash());
  hash.AddInteger(rows->size());
  for (const std::int64_t row : *rows) hash.AddInteger(Bits(row));
  return ToHex(hash.Finish());
}

}  // namespace crossfold
