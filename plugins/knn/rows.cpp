#include "rows.h"

#include <cmath>
#include <string>

#include "../feature_text.h"

namespace crossfold::knn {

std::vector<double> ReadEntries(const plugin::FeatureView& rows, Distance distance) {
  const std::string with = std::string("distance = ") + kDistanceNames[static_cast<int>(distance)];
  const bool mixed = distance == Distance::kGower;
  for (std::int64_t j = 0; j < rows.num_features(); ++j) {
    if (!mixed && rows.is_categorical(j)) {
      throw plugin::Error(CF_E_UNSUPPORTED_DATA,
                          bundled::FeatureText(rows, j) + " is categorical and " + with +
                              " takes numbers only; encode it or use distance = gower");
    }
  }
  std::vector<double> entries = rows.DenseRows();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const bool missing = std::isnan(entries[i]);
    if (missing ? mixed : std::isfinite(entries[i])) continue;
    const auto j = static_cast<std::int64_t>(i) % rows.num_features();
    const std::string feature = bundled::FeatureText(rows, j);
    throw plugin::Error(CF_E_UNSUPPORTED_DATA,
                        missing ? feature + " has a missing entry and " + with +
                                      " takes none; impute it or use distance = gower"
                                : feature + " has an infinite entry");
  }
  return entries;
}

Rows ReadRows(const plugin::TrainingView& train, Distance distance) {
  Rows rows;
  rows.n_features = static_cast<std::size_t>(train.num_features());
  rows.entries = ReadEntries(train, distance);
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
