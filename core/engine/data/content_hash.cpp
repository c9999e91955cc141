#include "engine/data/content_hash.h"

#include <bit>
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
  for (std::size_t i = 0; i < width; ++i) bytes[i] = static_cast<std::uint8_t>(bits >> (8 * i));
}

void AddEntries(const Column& column, Sha256* hash) {
  VisitEntries(column, [&](auto entries) {
    std::vector<std::uint8_t> present(entries.size()), bytes(entries.size_bytes());
    for (std::size_t row = 0; row < entries.size(); ++row) {
      const auto entry = entries[row];
      const bool missing = !IsValid(column, row) || MarksMissing(column.dtype, entry);
      present[row] = missing ? 0 : 1;
      PutLittleEndian(missing ? 0 : Bits(entry), sizeof entry, &bytes[row * sizeof entry]);
    }
    hash->Add(present.data(), present.size());
    hash->Add(bytes.data(), bytes.size());
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
