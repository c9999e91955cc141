#include "model.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "vote.h"

namespace crossfold::knn {

using plugin::Context;
using plugin::FeatureView;
using plugin::TrainingView;

void RequireEnoughRows(std::int64_t k, std::int64_t n_rows) {
  if (k <= n_rows) return;
  throw plugin::Error(CF_E_INVALID_PARAM, "k = " + std::to_string(k) + " exceeds the " +
                                              std::to_string(n_rows) + " training row" +
                                              (n_rows == 1 ? "" : "s"));
}

void Knn::Check(const Params& params, const cf_shape& shape, const Context&) {
  RequireEnoughRows(params.k, shape.n_rows);
}

Knn::Knn(const Params& params, std::size_t n_classes, Rows rows, Space space)
    : params_(params),
      n_classes_(n_classes),
      space_(std::move(space)),
      blocks_((space_.Map(rows.entries), rows.entries), rows.size(), rows.n_features),
      row_ids_(std::move(rows.ids)),
      labels_(std::move(rows.labels)),
      values_(std::move(rows.values)) {}

Knn Knn::Fit(const Params& params, const TrainingView& train, const Context& context) {
  RequireEnoughRows(params.k, train.num_rows());
  return FitPath(params, "k", {}, train, context);
}

Knn Knn::FitPath(const Params& params, std::string_view, std::span<const cf_value> values,
                 const TrainingView& train, const Context&) {
  Rows rows = ReadRows(train, params.distance);
  Space space = Space::Fit(params.distance, rows, NominalFeatures(train));
  Knn knn(params, static_cast<std::size_t>(train.num_classes()), std::move(rows), std::move(space));
  for (const cf_value& value : values) knn.path_.push_back(value.u.i);
  return knn;
}

// Calls use(row, votes) with the votes of the k nearest training rows, nearest first.
template <class Use>
void Knn::ForEachRow(std::int64_t k, const FeatureView& rows, const Context& context,
                     Use&& use) const {
  std::vector<double> queries = ReadEntries(rows, params_.distance);
  space_.Map(queries);
  std::vector<Vote> votes;
  WithMetric(params_, space_.gower(), [&](const auto& metric) {
    FindNearest(
        metric, blocks_, row_ids_, queries, static_cast<std::size_t>(rows.num_rows()),
        static_cast<std::size_t>(k), context, [](std::size_t, std::size_t) { return false; },
        [&](std::size_t i, std::span<const Neighbour> neighbours) {
          Weigh(metric, params_.weights, neighbours, votes);
          use(i, std::span<const Vote>(votes));
        });
  });
}

void Knn::PredictValues(std::int64_t k, const FeatureView& rows, std::span<double> values,
                        const Context& context) const {
  ForEachRow(k, rows, context, [&](std::size_t i, std::span<const Vote> votes) {
    values[i] = MeanOfVotes(votes, values_);
  });
}

void Knn::PredictShares(std::int64_t k, const FeatureView& rows, std::span<double> probabilities,
                        const Context& context) const {
  ForEachRow(k, rows, context, [&](std::size_t i, std::span<const Vote> votes) {
    ShareVotes(votes, labels_, probabilities.subspan(i * n_classes_, n_classes_));
  });
}

void Knn::Predict(const FeatureView& rows, std::span<double> values, const Context& context) const {
  PredictValues(params_.k, rows, values, context);
}

void Knn::PredictProba(const FeatureView& rows, std::span<double> probabilities,
                       const Context& context) const {
  PredictShares(params_.k, rows, probabilities, context);
}

void Knn::PredictAt(std::size_t index, const FeatureView& rows, std::span<double> values,
                    const Context& context) const {
  RequireEnoughRows(path_.at(index), static_cast<std::int64_t>(row_ids_.size()));
  PredictValues(path_[index], rows, values, context);
}

void Knn::PredictProbaAt(std::size_t index, const FeatureView& rows,
                         std::span<double> probabilities, const Context& context) const {
  RequireEnoughRows(path_.at(index), static_cast<std::int64_t>(row_ids_.size()));
  PredictShares(path_[index], rows, probabilities, context);
}

void Knn::Save(plugin::Writer& w) const {
  w.Write(params_.k);
  w.Write(static_cast<std::int32_t>(params_.distance));
  w.Write(params_.p);
  w.Write(static_cast<std::int32_t>(params_.weights));
  w.Write(static_cast<std::uint64_t>(n_classes_));
  w.Write(static_cast<std::uint64_t>(blocks_.num_features()));
  space_.Save(w);
  w.WriteSpan<std::int64_t>(row_ids_);
  w.WriteSpan<std::int32_t>(labels_);
  w.WriteSpan<double>(values_);
  for (std::size_t i = 0; i < blocks_.num_rows(); ++i) {
    for (std::size_t j = 0; j < blocks_.num_features(); ++j) w.Write(blocks_.entry(i, j));
  }
}

namespace {

Params LoadParams(plugin::Reader& r) {
  Params params;
  params.k = r.Read<std::int64_t>();
  params.distance = static_cast<Distance>(r.ReadWithin<std::int32_t>(0, kDistanceNames.size() - 1));
  params.p = r.Read<double>();
  params.weights = static_cast<Weights>(r.ReadWithin<std::int32_t>(0, kWeightNames.size() - 1));
  return params;
}

void RequireSound(bool sound) {
  if (!sound) throw plugin::Error(CF_E_BAD_BLOB, "the saved model contradicts itself");
}

}  // namespace

Knn Knn::Load(plugin::Reader& r) {
  const Params params = LoadParams(r);
  const auto n_classes = r.Read<std::uint64_t>();
  Rows rows;
  rows.n_features = r.Read<std::uint64_t>();
  Space space = Space::Load(r, params.distance, rows.n_features);
  rows.ids = r.ReadVector<std::int64_t>();
  rows.labels = r.ReadVector<std::int32_t>();
  rows.values = r.ReadVector<double>();
  const std::size_t n = rows.size();
  RequireSound(params.k >= 1 && params.k <= static_cast<std::int64_t>(n) && rows.n_features > 0);
  RequireSound(params.p >= 1 && std::isfinite(params.p));
  RequireSound(rows.labels.size() == (n_classes > 0 ? n : 0));
  RequireSound(rows.values.size() == (n_classes > 0 ? 0 : n));
  for (const std::int32_t label : rows.labels) {
    RequireSound(label >= 0 && static_cast<std::uint64_t>(label) < n_classes);
  }
  const bool mixed = params.distance == Distance::kGower;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < rows.n_features; ++j) {
      const double entry = rows.entries.emplace_back(r.Read<double>());
      RequireSound(mixed || !std::isnan(entry));
    }
  }
  // The entries were saved as the space had mapped them.
  Knn knn(params, n_classes, std::move(rows), Space());
  knn.space_ = std::move(space);
  return knn;
}

std::uint64_t Knn::Bytes() const {
  return sizeof(*this) + blocks_.num_blocks() * kLanes * blocks_.num_features() * sizeof(double) +
         row_ids_.size() * (sizeof(std::int64_t)) + labels_.size() * sizeof(std::int32_t) +
         values_.size() * sizeof(double);
}

}  // namespace crossfold::knn
