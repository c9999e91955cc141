#include "model.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "cross_predict.h"
#include "kernels.h"
#include "search.h"

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

// The features in the order of the view, in that of the ids, and as whole numbers in blocks; ids,
// their order and targets.
std::uint64_t Knn::FitBytes(const Params&, const cf_shape& shape, const Context&) {
  constexpr std::uint64_t kBytesOfRow = 40, kBytesOfEntry = 2 * sizeof(double) + 2;
  return static_cast<std::uint64_t>(shape.n_rows) *
         (kBytesOfRow + kBytesOfEntry * static_cast<std::uint64_t>(shape.n_features));
}

std::uint64_t Knn::CrossBytes(const Params& params, const cf_shape& shape, const Context& context) {
  constexpr std::uint64_t kBytesOfRow = 16;  // fold, target, and place of a tested row
  const auto n_rows = static_cast<std::uint64_t>(shape.n_rows);
  const std::uint64_t copied = FitBytes(params, shape, context);
  if (Space::IsLearned(params.distance) ||
      !BlockedRows::IsLarge(shape.n_rows, shape.n_features, {})) {
    constexpr std::uint64_t kTested = 2048;  // rows with lists, or the rows of a large fold
    const auto k = static_cast<std::uint64_t>(params.k);
    return 2 * copied + kBytesOfRow * n_rows +
           sizeof(Neighbour) * std::min(k, n_rows) * std::max(kTested, n_rows / 2);
  }
  cf_shape block = shape;
  block.n_rows = BlockLimits().rows;
  const auto k = static_cast<std::uint64_t>(std::min(params.k, shape.n_rows));
  return kBytesOfRow * n_rows + 2 * FitBytes(params, block, context) +
         sizeof(double) * kMostQueryNumbers +
         sizeof(Neighbour) * std::max<std::uint64_t>(kMostNeighbours, kEnoughQueries * k);
}

Knn::Knn(const Params& params, std::size_t n_classes, Rows rows, Space space)
    : params_(params),
      n_classes_(n_classes),
      space_(std::move(space)),
      index_(rows.entries, rows.size(), rows.n_features, Metric::Of(params, space_.gower()).form()),
      row_ids_(std::move(rows.ids)),
      labels_(std::move(rows.labels)),
      values_(std::move(rows.values)) {}

Knn Knn::Fit(const Params& params, const TrainingView& train, const Context& context) {
  RequireEnoughRows(params.k, train.num_rows());
  return FitPath(params, "k", {}, train, context);
}

Knn Knn::FitPath(const Params& params, std::string_view, std::span<const cf_value> values,
                 const TrainingView& train, const Context&) {
  Rows rows = OrderedById(ReadRows(train, params.distance));
  Space space = Space::Fit(params.distance, rows, NominalFeatures(train));
  space.Map(rows.entries);
  Knn knn(params, static_cast<std::size_t>(train.num_classes()), std::move(rows), std::move(space));
  std::int64_t most = 0;
  for (const cf_value& value : values) {
    knn.path_.push_back(value.u.i);
    if (value.u.i <= train.num_rows()) most = std::max(most, value.u.i);
  }
  if (most > 0) knn.kept_ = std::make_shared<KeptNeighbours>(static_cast<std::size_t>(most));
  return knn;
}

Prepared Knn::Prepare(const Params& params, const FeatureView& all, const Context& context) {
  return Prepared::Make(params, all, context);
}

Knn Knn::FitPrepared(const Params& params, const Prepared&, const TrainingView& train,
                     const Context& context) {
  return Fit(params, train, context);
}

Knn Knn::FitPathPrepared(const Params& params, std::string_view param,
                         std::span<const cf_value> values, const Prepared&,
                         const TrainingView& train, const Context& context) {
  return FitPath(params, param, values, train, context);
}

// Calls use(row, ballot) with the votes of the k nearest training rows; for several rows at once if
// the call has threads.
template <class Use>
void Knn::ForEachRow(std::int64_t k, const FeatureView& rows, const Context& context,
                     const Use& use) const {
  std::vector<double> queries = ReadEntries(rows, params_.distance);
  space_.Map(queries);
  const Search search{&index_, Metric::Of(params_, space_.gower()), &BestKernels()};
  const auto n_queries = static_cast<std::size_t>(rows.num_rows());
  const auto n_nearest = static_cast<std::size_t>(k);
  const auto vote = [&](std::size_t i, std::span<const Neighbour> nearest) {
    RequireUsable(nearest);
    Ballot ballot(search.metric, targets());
    ballot.Begin(nearest, params_.weights);
    ballot.CountTo(nearest.size());
    use(i, ballot);
  };
  if (kept_ != nullptr && kept_->IsWorthKeeping(n_queries)) {
    kept_->ForEach(search, std::move(queries), n_queries, n_nearest, context, vote);
  } else {
    FindNearest(search, queries, n_queries, n_nearest, context, vote);
  }
}

void Knn::PredictValues(std::int64_t k, const FeatureView& rows, std::span<double> values,
                        const Context& context) const {
  ForEachRow(k, rows, context,
             [&](std::size_t i, const Ballot& ballot) { values[i] = ballot.Mean(); });
}

void Knn::PredictShares(std::int64_t k, const FeatureView& rows, std::span<double> probabilities,
                        const Context& context) const {
  ForEachRow(k, rows, context, [&](std::size_t i, const Ballot& ballot) {
    ballot.CopyShares(probabilities.subspan(i * n_classes_, n_classes_));
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
  w.Write(static_cast<std::uint64_t>(index_.num_features()));
  space_.Save(w);
  w.WriteSpan<std::int64_t>(row_ids_);
  w.WriteSpan<std::int32_t>(labels_);
  w.WriteSpan<double>(values_);
  for (std::size_t i = 0; i < index_.num_rows(); ++i) {
    for (std::size_t j = 0; j < index_.num_features(); ++j) w.Write(index_.entry(i, j));
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
  if (!sound) throw plugin::Error(CF_E_BAD_BLOB, "the saved model is inconsistent");
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
  return Knn(params, n_classes, OrderedById(std::move(rows)), std::move(space));
}

std::uint64_t Knn::Bytes() const {
  return sizeof(*this) + index_.Bytes() + row_ids_.size() * (sizeof(std::int64_t)) +
         labels_.size() * sizeof(std::int32_t) + values_.size() * sizeof(double);
}

}  // namespace crossfold::knn
