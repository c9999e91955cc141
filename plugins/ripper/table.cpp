#include "table.h"

#include <algorithm>
#include <cmath>

#include "../feature_values.h"
#include "../level_names.h"
#include "../used_rows.h"

namespace crossfold::bundled::ripper {
namespace {

// Returns the rows that have an entry, sorted by it; rows with equal entries keep their order.
Rows SortedRows(const std::vector<double>& entries) {
  Rows order;
  for (std::uint32_t i = 0; i < entries.size(); ++i) {
    if (!std::isnan(entries[i])) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return entries[a] < entries[b]; });
  return order;
}

double CountValues(const std::vector<double>& entries, const Rows& order) {
  double n = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || entries[order[i]] > entries[order[i - 1]]) ++n;
  }
  return n;
}

}  // namespace

bool Table::Covers(std::span<const Condition> conditions, std::uint32_t row) const {
  return std::all_of(conditions.begin(), conditions.end(),
                     [&](const Condition& c) { return c.Holds(entries[c.feature][row]); });
}

Table ReadTable(const plugin::TrainingView& train) {
  Table table;
  const Positions kept = UsedRowsById(train);
  for (const std::int64_t i : kept) {
    table.labels.push_back(train.label(i));
    table.weights.push_back(train.weight(i));
  }
  for (std::int64_t j = 0; j < train.num_features(); ++j) {
    const std::size_t n_levels = LevelNames(train, j).size();
    std::vector<double>& entries = table.entries.emplace_back();
    for (const std::int64_t i : kept) {
      entries.push_back(train.x(i, j));
      RefuseInfinite(train, j, entries.back());
    }
    const bool numeric = !HasLevels(train, j);
    table.n_levels.push_back(n_levels);
    table.order.push_back(numeric ? SortedRows(entries) : Rows());
    table.n_conditions +=
        numeric ? 2 * CountValues(entries, table.order.back()) : static_cast<double>(n_levels);
  }
  return table;
}

Rows CoveredRows(const Table& table, std::span<const Condition> conditions, const Rows& rows) {
  Rows covered;
  for (const std::uint32_t row : rows) {
    if (table.Covers(conditions, row)) covered.push_back(row);
  }
  return covered;
}

ClassWeight WeighClass(const Table& table, std::int32_t label, const Rows& rows) {
  ClassWeight weight;
  for (const std::uint32_t row : rows) {
    weight.all += table.weights[row];
    if (table.labels[row] == label) weight.hits += table.weights[row];
  }
  return weight;
}

}  // namespace crossfold::bundled::ripper
