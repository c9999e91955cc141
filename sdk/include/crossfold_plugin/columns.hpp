// The columns that a source returns.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold_plugin/data.h"

namespace crossfold::plugin {

// One column: SourceColumn, below. `owner` keeps the buffers alive; the factories below make one. A
// template, so that only plugins that make columns compile them.
template <class Text>
struct BasicSourceColumn {
  Text name = {};
  std::int32_t dtype = 0;  // CF_F64 ... CF_CAT32; 0 = it is not needed and has no entries
  std::int64_t n_rows = 0;
  // Entries of the type: a NaN or a code of -1 is missing. CF_BOOL8: a bitmap, as Arrow has it.
  const void* data = nullptr;
  const std::uint8_t* validity = nullptr;  // bitmap, 1 = present; null = all
  std::int64_t null_count = 0;             // zeros among the bits of `validity`
  std::vector<Text> levels = {};           // CF_CAT32
  bool ordered = false;                    // the levels have an order
  Text role = {};                          // as cf_column_hint.role; "" = none
  // An Arrow type that the host converts, as the C data interface writes it ("c", "tdD", "u"),
  // instead of `dtype`. `data` and `text` are its buffers after the bitmap.
  Text arrow_format = {};
  const void* text = nullptr;  // the bytes of "u" and "U", whose offsets are in `data`
  std::shared_ptr<const void> owner = {};

  static BasicSourceColumn Doubles(std::string name, std::vector<double> values) {
    return Of(std::move(name), CF_F64, std::move(values));
  }
  static BasicSourceColumn Floats(std::string name, std::vector<float> values) {
    return Of(std::move(name), CF_F32, std::move(values));
  }
  // `present` (empty = all) holds one bool per row.
  static BasicSourceColumn Integers(std::string name, std::vector<std::int64_t> values,
                                    const std::vector<bool>& present = {}) {
    return Of(std::move(name), CF_I64, std::move(values)).WithPresent(present);
  }
  static BasicSourceColumn Integers32(std::string name, std::vector<std::int32_t> values,
                                      const std::vector<bool>& present = {}) {
    return Of(std::move(name), CF_I32, std::move(values)).WithPresent(present);
  }
  static BasicSourceColumn Booleans(std::string name, const std::vector<bool>& values,
                                    const std::vector<bool>& present = {}) {
    BasicSourceColumn column = Of(std::move(name), CF_BOOL8, Bitmap(values)).WithPresent(present);
    column.n_rows = static_cast<std::int64_t>(values.size());
    return column;
  }
  static BasicSourceColumn Categories(std::string name, std::vector<std::int32_t> codes,
                                      std::vector<std::string> levels, bool ordered = false) {
    BasicSourceColumn column = Of(std::move(name), CF_CAT32, std::move(codes));
    column.levels = std::move(levels);
    column.ordered = ordered;
    return column;
  }
  // Categories whose levels are the strings, sorted by their bytes.
  static BasicSourceColumn Texts(std::string name, const std::vector<std::string>& texts,
                                 const std::vector<bool>& present = {}) {
    std::map<std::string_view, std::int32_t> code_of;
    const auto is_present = [&](std::size_t row) { return present.empty() || present[row]; };
    for (std::size_t row = 0; row < texts.size(); ++row) {
      if (is_present(row)) code_of.emplace(texts[row], 0);
    }
    std::vector<std::string> levels;
    for (auto& [text, code] : code_of) {
      code = static_cast<std::int32_t>(levels.size());
      levels.emplace_back(text);
    }
    std::vector<std::int32_t> codes;
    for (std::size_t row = 0; row < texts.size(); ++row) {
      codes.push_back(is_present(row) ? code_of[texts[row]] : -1);
    }
    return Categories(std::move(name), std::move(codes), std::move(levels));
  }
  static BasicSourceColumn Unused(std::string name, std::int64_t n_rows) {
    BasicSourceColumn column;
    column.name = std::move(name);
    column.n_rows = n_rows;
    return column;
  }

  BasicSourceColumn WithRole(std::string_view as) && {
    role = as;
    return std::move(*this);
  }
  // Marks the entries for which `present` is false as missing.
  BasicSourceColumn WithPresent(const std::vector<bool>& present) && {
    null_count = std::count(present.begin(), present.end(), false);
    if (null_count == 0) return std::move(*this);
    struct Buffers {
      std::shared_ptr<const void> entries;
      std::vector<std::uint8_t> validity;
    };
    auto buffers = std::make_shared<const Buffers>(Buffers{std::move(owner), Bitmap(present)});
    validity = buffers->validity.data();
    owner = std::move(buffers);
    return std::move(*this);
  }

 private:
  template <class T>
  static BasicSourceColumn Of(std::string name, std::int32_t dtype, std::vector<T> entries) {
    BasicSourceColumn column = Unused(std::move(name), static_cast<std::int64_t>(entries.size()));
    auto owner = std::make_shared<const std::vector<T>>(std::move(entries));
    column.dtype = dtype;
    column.data = owner->data();
    column.owner = std::move(owner);
    return column;
  }
  static std::vector<std::uint8_t> Bitmap(const std::vector<bool>& values) {
    std::vector<std::uint8_t> bits((values.size() + 7) / 8);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i]) bits[i / 8] |= static_cast<std::uint8_t>(1U << i % 8);
    }
    return bits;
  }
};

using SourceColumn = BasicSourceColumn<std::string>;

// Columns with the same number of rows, and with names that are distinct and not empty.
using Columns = std::vector<SourceColumn>;

}  // namespace crossfold::plugin
