#include "space.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "../matrices.h"

namespace crossfold::knn {
namespace {

using bundled::RowMatrix;

// A reciprocal condition number below this leaves no correct digits worth using.
constexpr double kSingular = 1e-12;

// Sample covariance (denominator n - 1) of rows scaled to unit spread, so that the test for
// singularity does not depend on units; `scale` gets the spreads.
RowMatrix ScaledCovariance(const Rows& train, Eigen::VectorXd& scale) {
  bundled::FixBlockSizes();
  const auto n = static_cast<Eigen::Index>(train.size());
  const auto d = static_cast<Eigen::Index>(train.n_features);
  RowMatrix centred = Eigen::Map<const RowMatrix>(train.entries.data(), n, d);
  centred.rowwise() -= centred.colwise().mean().eval();
  scale = (centred.colwise().squaredNorm() / static_cast<double>(n - 1)).cwiseSqrt().transpose();
  for (Eigen::Index j = 0; j < d; ++j) {
    if (scale[j] > 0) centred.col(j) /= scale[j];
  }
  return bundled::OuterProduct(centred.transpose(), centred.transpose()) /
         static_cast<double>(n - 1);
}

std::vector<double> CovarianceFactor(const Rows& train) {
  const std::string way_out = "; leave features out, use pca before it or another distance";
  if (train.size() <= train.n_features) {
    throw plugin::Error(CF_E_UNSUPPORTED_DATA,
                        "the covariance of " + std::to_string(train.n_features) +
                            " features is singular with " + std::to_string(train.size()) +
                            " training row" + (train.size() == 1 ? "" : "s") + way_out);
  }
  Eigen::VectorXd scale;
  const std::optional<RowMatrix> lower =
      bundled::LowerFactor(ScaledCovariance(train, scale), kSingular);
  if (!lower) {
    throw plugin::Error(CF_E_UNSUPPORTED_DATA,
                        "the covariance of the training rows is singular: some features are "
                        "constant or depend linearly on others" +
                            way_out);
  }
  const RowMatrix factor = scale.asDiagonal() * *lower;
  if (!bundled::AreFinite(factor.data(), factor.size())) {
    throw plugin::Error(CF_E_NUMERIC,
                        "the covariance exceeds the range of numbers; rescale the "
                        "features");
  }
  return {factor.data(), factor.data() + factor.size()};
}

GowerFeature FitGowerFeature(const Rows& train, std::size_t j, bool nominal) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (std::size_t i = 0; i < train.size(); ++i) {
    const double x = train.row(i)[j];
    if (std::isnan(x)) continue;
    low = std::min(low, x);
    high = std::max(high, x);
  }
  const double inverse_range = high > low ? 1 / (high - low) : 0;
  if (!std::isfinite(inverse_range) || (inverse_range == 0 && high > low)) {
    throw plugin::Error(CF_E_NUMERIC, "the range of feature number " + std::to_string(j + 1) +
                                          " exceeds the range of numbers; rescale it");
  }
  return {nominal, inverse_range};
}

}  // namespace

std::vector<bool> NominalFeatures(const plugin::FeatureView& rows) {
  std::vector<bool> nominal;
  for (std::int64_t j = 0; j < rows.num_features(); ++j) {
    const cf_column& column = rows.column(j);
    nominal.push_back((column.dtype == CF_CAT32 && !plugin::IsOrdered(column)) ||
                      column.dtype == CF_BOOL8);
  }
  return nominal;
}

Space Space::Fit(Distance distance, const Rows& train, const std::vector<bool>& nominal) {
  Space space;
  space.n_features_ = train.n_features;
  // These sums do not depend on the order of the training rows.
  if (distance == Distance::kMahalanobis) space.factor_ = CovarianceFactor(OrderedById(train));
  if (distance == Distance::kGower) {
    for (std::size_t j = 0; j < train.n_features; ++j) {
      space.gower_.push_back(FitGowerFeature(train, j, nominal[j]));
    }
  }
  return space;
}

// Solves L z = x for every row: |z_a - z_b|^2 = (x_a - x_b)' (L L')^-1 (x_a - x_b). Row by row, so
// that a row maps to the same bits whatever rows come with it.
void Space::Map(std::vector<double>& entries) const {
  if (factor_.empty()) return;
  const std::size_t d = n_features_;
  for (std::size_t first = 0; first < entries.size(); first += d) {
    for (std::size_t j = 0; j < d; ++j) {
      double rest = entries[first + j];
      for (std::size_t l = 0; l < j; ++l) rest -= factor_[j * d + l] * entries[first + l];
      entries[first + j] = rest / factor_[j * d + j];
    }
  }
}

void Space::Save(plugin::Writer& w) const {
  w.WriteSpan<double>(factor_);
  w.Write(static_cast<std::uint64_t>(gower_.size()));
  for (const GowerFeature& feature : gower_) {
    w.Write(feature.nominal);
    w.Write(feature.inverse_range);
  }
}

Space Space::Load(plugin::Reader& r, Distance distance, std::size_t n_features) {
  Space space;
  space.n_features_ = n_features;
  space.factor_ = r.ReadVector<double>();
  const auto n_gower = r.Read<std::uint64_t>();
  for (std::uint64_t j = 0; j < n_gower; ++j) {
    const bool nominal = r.Read<bool>();
    space.gower_.push_back({nominal, r.Read<double>()});
  }
  const bool has_factor = distance == Distance::kMahalanobis;
  const bool has_ranges = distance == Distance::kGower;
  const bool factor_fits = n_features < (std::size_t{1} << 32) &&
                           space.factor_.size() == (has_factor ? n_features * n_features : 0);
  if (!factor_fits || space.gower_.size() != (has_ranges ? n_features : 0)) {
    throw plugin::Error(CF_E_BAD_BLOB, "the saved model is inconsistent");
  }
  return space;
}

}  // namespace crossfold::knn
