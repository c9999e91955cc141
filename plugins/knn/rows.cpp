#include "rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "../feature_text.h"

namespace crossfold::knn {

namespace {

std::string WithDistance(Distance distance) {
  return std::string("distance = ") + kDistanceNames[static_cast<int>(distance)];
}

void RequireNumeric(const plugin::FeatureView& rows, Distance distance) {
  if (distance == Distance::kGower) return;
  for (std::int64_t j = 0; j < rows.num_features(); ++j) {
    if (rows.is_categorical(j)) {
      throw plugin::Error(CF_E_UNSUPPORTED_DATA,
                          bundled::FeatureText(rows, j) + " is categorical and " +
                              WithDistance(distance) +
                              " takes numbers only; encode it or use distance = gower");
    }
  }
}

void RequireEntries(const plugin::FeatureView& rows, std::span<const double> row,
                    Distance distance) {
  const bool mixed = distance == Distance::kGower;
  for (std::size_t j = 0; j < row.size(); ++j) {
    const bool missing = std::isnan(row[j]);
    if (missing ? mixed : std::isfinite(row[j])) continue;
    const std::string feature = bundled::FeatureText(rows, static_cast<std::int64_t>(j));
    throw plugin::Error(CF_E_UNSUPPORTED_DATA,
                        missing ? feature + " has a missing entry and " + WithDistance(distance) +
                                      " takes none; impute it or use distance = gower"
                                : feature + " has an infinite entry");
  }
}

}  // namespace

std::vector<double> ReadEntries(const plugin::FeatureView& rows, Distance distance) {
  RequireNumeric(rows, distance);
  std::vector<double> entries = rows.DenseRows();
  const auto d = static_cast<std::size_t>(rows.num_features());
  for (std::size_t first = 0; first < entries.size(); first += d) {
    RequireEntries(rows, std::span(entries).subspan(first, d), distance);
  }
  return entries;
}

void RequireReadable(const plugin::FeatureView& rows, std::span<const double> dense,
                     std::span<const std::int64_t> positions, Distance distance) {
  RequireNumeric(rows, distance);
  const auto d = static_cast<std::size_t>(rows.num_features());
  for (const std::int64_t position : positions) {
    RequireEntries(rows, dense.subspan(static_cast<std::size_t>(position) * d, d), distance);
  }
}

Rows ReadRows(const plugin::TrainingView& train, Distance distance) {
  return RowsWith(train, ReadEntries(train, distance));
}

Rows RowsWith(const plugin::TrainingView& train, std::vector<double> entries) {
  Rows rows;
  rows.n_features = static_cast<std::size_t>(train.num_features());
  rows.entries = std::move(entries);
  for (std::int64_t i = 0; i < train.num_rows(); ++i) {
    rows.ids.push_back(train.row_id(i));
    if (train.is_classification()) {
      rows.labels.push_back(train.label(i));
    } else {
      rows.values.push_back(train.value(i));
    }
  }
  return rows;
}

std::vector<std::int64_t> OrderById(std::span<const std::int64_t> ids) {
  std::vector<std::int64_t> order(ids.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return ids[static_cast<std::size_t>(a)] < ids[static_cast<std::size_t>(b)];
  });
  return order;
}

Rows OrderedById(Rows rows) {
  if (std::is_sorted(rows.ids.begin(), rows.ids.end())) return rows;
  return Select(rows, OrderById(rows.ids));
}

Rows Select(const Rows& rows, std::span<const std::int64_t> positions) {
  Rows some;
  some.n_features = rows.n_features;
  for (const std::int64_t position : positions) {
    const auto i = static_cast<std::size_t>(position);
    const std::span<const double> row = rows.row(i);
    some.entries.insert(some.entries.end(), row.begin(), row.end());
    some.ids.push_back(rows.ids[i]);
    if (!rows.labels.empty()) some.labels.push_back(rows.labels[i]);
    if (!rows.values.empty()) some.values.push_back(rows.values[i]);
  }
  return some;
}

}  // namespace crossfold::knn
