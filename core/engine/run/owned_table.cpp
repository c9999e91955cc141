#include "engine/run/owned_table.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "crossfold/column_choice.h"
#include "crossfold_plugin/view.hpp"
#include "engine/data/column_entries.h"
#include "engine/plan/compatibility.h"
#include "engine/plugin/foreign_text.h"

namespace crossfold {
namespace {

constexpr std::size_t kAlignment = 64;

AlignedBytes MakeBytes(std::size_t size) {
  const std::size_t rounded =
      (std::max<std::size_t>(size, 1) + kAlignment - 1) / kAlignment * kAlignment;
  return AlignedBytes(
      static_cast<std::byte*>(::operator new (rounded, std::align_val_t{kAlignment})));
}

// Makes entries that a plugin forgets to fill missing (or 0 if a type has no missing entry), so
// that every run gives the same.
void FillUnset(std::byte* data, std::int32_t dtype, std::int64_t n_rows) {
  const auto n = static_cast<std::size_t>(n_rows);
  if (dtype == CF_F64) {
    std::fill_n(reinterpret_cast<double*>(data), n, std::numeric_limits<double>::quiet_NaN());
  } else if (dtype == CF_F32) {
    std::fill_n(reinterpret_cast<float*>(data), n, std::numeric_limits<float>::quiet_NaN());
  } else if (dtype == CF_CAT32) {
    std::fill_n(reinterpret_cast<std::int32_t*>(data), n, -1);
  } else {
    std::memset(data, 0, n * EntrySize(dtype));
  }
}

template <class T>
void GatherEntries(const void* from, const cf_table& table, std::byte* to) {
  const T* entries = static_cast<const T*>(from);
  T* out = reinterpret_cast<T*>(to);
  for (std::int64_t i = 0; i < table.n_rows; ++i) {
    out[i] = entries[table.rows != nullptr ? table.rows[i] : i];
  }
}

}  // namespace

void FreeAligned::operator()(std::byte* bytes) const {
  ::operator delete (bytes, std::align_val_t{kAlignment});
}

OwnedTable::OwnedTable(const cf_table& input)
    : input_(&input),
      n_rows_(input.n_rows),
      sink_{sizeof(cf_column_sink), 0, this, &AddColumnCall, &PassColumnCall} {}

void OwnedTable::KeepProblem(const char* problem) noexcept {
  if (!problem_.empty()) return;
  try {
    problem_ = problem;
  } catch (const std::bad_alloc&) {
    problem_ = "out of memory";  // short enough to need none
  }
}

void* OwnedTable::AddColumnCall(const cf_column_sink* sink, const char* name, std::int32_t dtype,
                                const char* const* levels, std::int64_t n_levels,
                                std::uint32_t flags, std::uint8_t** validity) noexcept {
  OwnedTable& self = *static_cast<OwnedTable*>(sink->sink_data);
  if (validity != nullptr) *validity = nullptr;
  const char* problem = nullptr;
  try {
    if (n_levels < 0 || (n_levels > 0 && levels == nullptr)) {
      problem = "it made a column with a wrong number of levels";
    } else {
      problem = self.AddColumn(name, dtype, {levels, static_cast<std::size_t>(n_levels)}, flags,
                               validity != nullptr);
    }
  } catch (...) {  // std::bad_alloc, std::length_error
    problem = "out of memory";
  }
  if (problem != nullptr) {
    self.KeepProblem(problem);
    return nullptr;
  }
  Buffers& made = self.buffers_.back();
  if (validity != nullptr) *validity = reinterpret_cast<std::uint8_t*>(made.validity.get());
  return made.data.get();
}

cf_status OwnedTable::PassColumnCall(const cf_column_sink* sink, std::int64_t feature) noexcept {
  OwnedTable& self = *static_cast<OwnedTable*>(sink->sink_data);
  const char* problem = nullptr;
  try {
    problem = self.PassColumn(feature);
  } catch (...) {
    problem = "out of memory";
  }
  if (problem == nullptr) return CF_OK;
  self.KeepProblem(problem);
  return CF_E_INVALID_ARGUMENT;
}

const char* OwnedTable::AddColumn(const char* name, std::int32_t dtype,
                                  std::span<const char* const> levels, std::uint32_t flags,
                                  bool with_validity) {
  if (name == nullptr || *name == '\0') return "it made a column without a name";
  if (EntrySize(dtype) == 0) return "it made a column of an unknown type";
  if (dtype != CF_CAT32 && !levels.empty()) return "it made a column of numbers with levels";
  if (!IsUtf8Text(name)) return "it made a column whose name is not UTF-8";
  for (const char* level : levels) {
    if (level == nullptr) return "it made a level without a name";
    if (!IsUtf8Text(level)) return "it made a level whose name is not UTF-8";
  }
  Buffers b;
  b.name = name;
  b.levels.assign(levels.begin(), levels.end());
  b.data = MakeBytes(static_cast<std::size_t>(n_rows_) * EntrySize(dtype));
  FillUnset(b.data.get(), dtype, n_rows_);
  if (with_validity) {
    const auto n_bytes = static_cast<std::size_t>((n_rows_ + 7) / 8);
    b.validity = MakeBytes(n_bytes);
    std::memset(b.validity.get(), 0xFF, n_bytes);
  }
  Buffers& kept = buffers_.emplace_back(std::move(b));
  for (const std::string& level : kept.levels) kept.level_pointers.push_back(level.c_str());
  cf_column column{};
  column.data = kept.data.get();
  column.validity = reinterpret_cast<const std::uint8_t*>(kept.validity.get());
  column.name = kept.name.c_str();
  column.levels = kept.level_pointers.empty() ? nullptr : kept.level_pointers.data();
  column.n_levels = static_cast<std::int64_t>(kept.levels.size());
  column.null_count = -1;
  column.dtype = dtype;
  column.flags = flags & CF_COLUMN_ORDERED;
  columns_.push_back(column);
  return nullptr;
}

const char* OwnedTable::PassColumn(std::int64_t feature) {
  if (feature < 0 || feature >= input_->n_features) return "it passed a column that does not exist";
  const cf_column& from = input_->features[feature];
  const char* problem =
      AddColumn(from.name, from.dtype, {from.levels, static_cast<std::size_t>(from.n_levels)},
                from.flags, from.validity != nullptr);
  if (problem != nullptr) return problem;
  Buffers& to = buffers_.back();
  switch (EntrySize(from.dtype)) {
    case 8:
      GatherEntries<std::uint64_t>(from.data, *input_, to.data.get());
      break;
    case 4:
      GatherEntries<std::uint32_t>(from.data, *input_, to.data.get());
      break;
    default:
      GatherEntries<std::uint8_t>(from.data, *input_, to.data.get());
  }
  if (from.validity != nullptr) GatherValidity(from, to);
  return nullptr;
}

void OwnedTable::GatherValidity(const cf_column& from, Buffers& to) const {
  auto* bits = reinterpret_cast<std::uint8_t*>(to.validity.get());
  for (std::int64_t i = 0; i < n_rows_; ++i) {
    const std::int64_t entry = input_->rows != nullptr ? input_->rows[i] : i;
    if (!plugin::HasValidityBit(from, entry)) {
      bits[i / 8] = static_cast<std::uint8_t>(bits[i / 8] & ~(1u << (i % 8)));
    }
  }
}

void OwnedTable::CheckCodes(const cf_column& column) {
  const auto* codes = static_cast<const std::int32_t*>(column.data);
  for (std::int64_t i = 0; i < n_rows_; ++i) {
    if (codes[i] >= -1 && codes[i] < column.n_levels) continue;
    problem_ = "it gave column '" + std::string(column.name) + "' the category code " +
               std::to_string(codes[i]) + " with " + std::to_string(column.n_levels) + " levels";
    return;
  }
}

void OwnedTable::PassBy(const cf_table& rows, const std::vector<bool>& chosen) {
  if (!problem_.empty()) return;
  input_ = &rows;
  const std::span features(rows.features, chosen.size());
  std::vector<std::string_view> names;
  for (const cf_column& column : columns_) names.emplace_back(column.name);
  const std::unordered_set<std::string_view> made(names.begin(), names.end());
  std::vector<std::size_t> places = PlacesOf(names, features, chosen);
  for (std::size_t j = 0; j < chosen.size(); ++j) {
    if (chosen[j]) continue;
    if (made.contains(features[j].name)) {
      problem_ = "it made column '" + std::string(features[j].name) +
                 "', which is also the name of a feature that it did not get; rename the feature";
      return;
    }
    if (const char* problem = PassColumn(static_cast<std::int64_t>(j))) return KeepProblem(problem);
    places.push_back(j);
  }
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t c) { return places[c]; });
  std::vector<cf_column> ordered;
  for (const std::size_t c : order) ordered.push_back(columns_[c]);
  columns_ = std::move(ordered);
}

void OwnedTable::Finish() {
  std::unordered_set<std::string_view> names;
  for (cf_column& column : columns_) {
    if (!problem_.empty()) return;
    if (!names.insert(column.name).second) {
      problem_ = "it made column '" + std::string(column.name) + "' twice";
    } else if (column.dtype == CF_CAT32) {
      CheckCodes(column);
    }
    column.null_count = CountMissing(column, n_rows_);
  }
}

}  // namespace crossfold
