// Random datasets of columns of all types for tests of trees, with views of some of their rows.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "crossfold_plugin/random.hpp"
#include "crossfold_plugin/stream.hpp"
#include "crossfold_plugin/view.hpp"
#include "tree/tree.h"

namespace crossfold::bundled::tree {

inline constexpr std::array<const char*, 64> kLevels = [] {
  std::array<const char*, 64> names{};
  names.fill("level");
  return names;
}();

// A dataset of columns of all types, and a view of some of its rows.
class Table {
 public:
  void AddNumbers(std::vector<double> numbers) {
    numbers_.push_back(std::move(numbers));
    Add(CF_F64, numbers_.back().data(), 0, 0);
  }
  void AddCodes(std::vector<std::int32_t> codes, std::int64_t n_levels, bool ordered) {
    codes_.push_back(std::move(codes));
    Add(CF_CAT32, codes_.back().data(), n_levels, ordered ? std::uint32_t{CF_COLUMN_ORDERED} : 0u);
  }
  void AddBools(std::vector<std::uint8_t> bools) {
    bools_.push_back(std::move(bools));
    Add(CF_BOOL8, bools_.back().data(), 0, 0);
  }

  std::vector<std::int32_t> labels;
  std::int64_t n_classes = 0;   // 0 = regression
  std::vector<double> targets;  // regression
  std::vector<std::int64_t> view, row_ids;
  std::vector<double> weights;  // of the view; empty = none

  plugin::TrainingView View() {
    target_ = cf_column{};
    target_.name = "y";
    target_.dtype = n_classes > 0 ? CF_CAT32 : CF_F64;
    target_.data = n_classes > 0 ? static_cast<const void*>(labels.data()) : targets.data();
    target_.n_levels = n_classes;
    target_.levels = kLevels.data();
    table_ = cf_table{};
    table_.struct_size = sizeof(cf_table);
    table_.n_rows_total = static_cast<std::int64_t>(std::max(labels.size(), targets.size()));
    table_.n_rows = view.empty() ? table_.n_rows_total : std::ssize(view);
    table_.rows = view.empty() ? nullptr : view.data();
    table_.row_ids = row_ids.empty() ? nullptr : row_ids.data();
    table_.n_features = std::ssize(columns_);
    table_.features = columns_.data();
    table_.target = &target_;
    table_.weights = weights.empty() ? nullptr : weights.data();
    return plugin::TrainingView(table_);
  }

 private:
  void Add(std::int32_t dtype, const void* data, std::int64_t n_levels, std::uint32_t flags) {
    cf_column column{};
    column.data = data;
    column.name = "x";
    column.dtype = dtype;
    column.n_levels = n_levels;
    column.levels = n_levels > 0 ? kLevels.data() : nullptr;
    column.flags = flags;
    columns_.push_back(column);
  }

  std::vector<std::vector<double>> numbers_;
  std::vector<std::vector<std::int32_t>> codes_;
  std::vector<std::vector<std::uint8_t>> bools_;
  std::vector<cf_column> columns_;
  cf_column target_{};
  cf_table table_{};
};

inline std::string BytesOf(const Tree& tree) {
  std::string bytes;
  const cf_writer sink{&bytes, [](void* to, const void* data, std::size_t n) {
                         static_cast<std::string*>(to)->append(static_cast<const char*>(data), n);
                         return static_cast<std::int64_t>(n);
                       }};
  plugin::Writer writer(sink);
  SaveTree(tree, writer);
  return bytes;
}

inline double Draw(plugin::Random& random, std::uint64_t kind) {
  switch (kind) {
    case 0:
      return random.Normal();
    case 1:
      return static_cast<double>(random.Below(3)) - 1.0;
    case 2:
      return std::round(random.Normal() * 20) / 8;
    case 3:
      return random.Below(5) > 0 ? 0.0 : random.Normal();
    case 4:
      return 7.0;
    default:
      return std::ldexp(random.Uniform() - 0.5, static_cast<int>(random.Below(2000)) - 1000);
  }
}

inline void AddRandomColumn(Table& table, std::size_t n, plugin::Random& random) {
  const std::uint64_t kind = random.Below(10);
  if (kind < 6) {
    std::vector<double> numbers(n);
    for (double& x : numbers) x = Draw(random, kind);
    table.AddNumbers(std::move(numbers));
    return;
  }
  if (kind == 6) {
    std::vector<std::uint8_t> bools(n);
    for (std::uint8_t& x : bools) x = static_cast<std::uint8_t>(random.Below(2));
    table.AddBools(std::move(bools));
    return;
  }
  const std::uint64_t n_levels = 1 + random.Below(kind == 9 ? 40 : 6);
  std::vector<std::int32_t> codes(n);
  for (std::int32_t& x : codes) x = static_cast<std::int32_t>(random.Below(n_levels));
  table.AddCodes(std::move(codes), static_cast<std::int64_t>(n_levels) + 1, kind == 8);
}

// A view of all rows, of some, in any order, or with repeated ones.
inline void DrawView(Table& table, std::size_t n, plugin::Random& random) {
  const std::uint64_t kind = random.Below(4);
  if (kind == 0) return;
  for (std::size_t i = 0; i < n; ++i) {
    if (kind == 1 && random.Below(3) == 0) continue;
    table.view.push_back(static_cast<std::int64_t>(kind == 3 ? random.Below(n) : i));
  }
  if (table.view.empty()) table.view.push_back(0);
  if (kind >= 2) random.Shuffle(std::span<std::int64_t>(table.view));
  if (kind < 3 || random.Below(2) == 0) return;
  for (std::size_t i = 0; i < table.view.size(); ++i) {
    table.row_ids.push_back(static_cast<std::int64_t>(random.Below(n)));
  }
}

inline void DrawWeights(Table& table, std::size_t n, plugin::Random& random) {
  const std::uint64_t kind = random.Below(4);
  if (kind == 0) return;
  for (std::size_t i = 0; i < n; ++i) {
    const double whole = static_cast<double>(random.Below(4));
    table.weights.push_back(kind == 1 ? whole : kind == 2 ? whole * random.Uniform() : 1.0);
  }
  table.weights[0] = 1;
}

template <class T>
T OneOf(plugin::Random& random, std::initializer_list<T> values) {
  return values.begin()[random.Below(values.size())];
}

}  // namespace crossfold::bundled::tree
