// Principal components of numeric columns: see README.md.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "../feature_values.h"
#include "../moments.h"
#include "../number_text.h"
#include "../onnx_parts.h"
#include "../orthogonal_factors.h"
#include "crossfold_plugin.hpp"

namespace crossfold::bundled {
namespace {

namespace cf = crossfold::plugin;

// Principal axes by singular value decomposition.
struct PrincipalAxes {
  std::size_t n_features = 0;
  std::vector<double> loadings;         // row-major, one unit vector of n_features an axis
  std::vector<double> singular_values;  // one an axis, falling

  std::size_t size() const { return singular_values.size(); }
  double loading(std::size_t axis, std::size_t feature) const {
    return loadings[axis * n_features + feature];
  }
};

constexpr double kSignTolerance = 1e-9;

// 1 or -1: what makes the leading loading positive.
double SignOf(const Eigen::VectorXd& axis) {
  const double greatest = axis.cwiseAbs().maxCoeff();
  for (const double loading : axis) {
    if (std::fabs(loading) >= greatest * (1 - kSignTolerance)) return loading < 0 ? -1 : 1;
  }
  return 1;
}

// All axes of a centred matrix: as many as it has rows or columns, whichever is less. Of the
// loadings of an axis, the one of the greatest absolute value is positive; the first of those that
// are equally great up to 1e-9. REQUIRES: rows.size() == n_rows * n_features (row-major), all
// finite. Throws Error if the decomposition fails.
PrincipalAxes FindPrincipalAxes(const std::vector<double>& rows, std::size_t n_rows,
                                std::size_t n_features) {
  PrincipalAxes found;
  found.n_features = n_features;
  if (n_features == 0) return found;
  FixBlockSizes();
  const Eigen::Map<const RowMatrix> matrix(rows.data(), static_cast<Eigen::Index>(n_rows),
                                           static_cast<Eigen::Index>(n_features));
  const auto [values, left, axes, is_known] = FindSingularValues(matrix, Sides::kRight);
  if (!is_known || !AreFinite(axes.data(), axes.size())) {
    throw cf::Error(CF_E_NUMERIC, "the singular value decomposition has no finite result");
  }
  for (Eigen::Index axis = 0; axis < axes.cols(); ++axis) {
    const Eigen::VectorXd column = axes.col(axis);
    const double sign = SignOf(column);
    for (const double loading : column) found.loadings.push_back(sign * loading);
    found.singular_values.push_back(values[axis]);
  }
  return found;
}

constexpr double kShareTolerance = 1e-12;
constexpr double kNoVariance = 1e-12;  // relative to the first component's standard deviation

class Pca {
 public:
  static constexpr cf::TransformInfo kInfo{
      .component = {.id = "crossfold.pca",
                    .title = "Principal component analysis",
                    .doc = "Replaces the numeric columns by their coordinates along the directions "
                           "in which the training rows spread most. Categorical columns pass "
                           "through.",
                    .determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED},
      .accepts = CF_ACCEPTS_NUMERIC | CF_ACCEPTS_CATEGORICAL | CF_ACCEPTS_WEIGHTS |
                 CF_ACCEPTS_NO_FEATURES};

  struct Params {
    std::optional<std::int64_t> components;
    std::optional<double> variance;
    bool scale = false;
    bool whiten = false;
  };
  static constexpr auto kSchema = cf::Schema(
      cf::Integer("components", &Params::components, {.low = 1},
                  "Number of components; none = all, or as many as `variance` asks for."),
      cf::Real("variance", &Params::variance, {.low = 0, .high = 1},
               "The fewest components that hold this share of the variance; none = all.",
               {.flags = CF_PF_LO_OPEN}),
      cf::Boolean("scale", &Params::scale,
                  "First divide every column by its standard deviation (correlations instead of "
                  "covariances)."),
      cf::Boolean("whiten", &Params::whiten,
                  "Divide every component by its standard deviation (denominator n - 1)."));

  static void Check(const Params& params, const cf_shape& shape, const cf::Context&) {
    RequireOneRule(params);
    RequireComponents(params, std::min(shape.n_rows, shape.n_numeric));
  }

  static Pca Fit(const Params& params, const cf::TrainingView& train, const cf::Context& context) {
    RequireOneRule(params);
    Pca fitted;
    double total_weight = 0;
    for (std::int64_t i = 0; i < train.num_rows(); ++i) total_weight += train.weight(i);
    if (!(total_weight > 1)) {
      throw cf::Error(CF_E_UNSUPPORTED_DATA,
                      "the training rows have a total weight of " + NumberText(total_weight) +
                          ", and a variance needs more than 1 (weights count as repetitions)");
    }
    for (std::int64_t j = 0; j < train.num_features(); ++j) {
      ReportFeature(context, j, train.num_features());
      fitted.features_.push_back(DescribeFeature(train, j, params.scale));
    }
    std::size_t n_rows = 0;
    const std::vector<double> centred = fitted.CentredRows(train, n_rows);
    const PrincipalAxes axes = FindPrincipalAxes(centred, n_rows, fitted.num_numeric());
    fitted.KeepAxes(params, axes, total_weight);
    return fitted;
  }

  cf::ModelShape shape() const { return {.n_features = std::ssize(features_)}; }
  void Apply(const cf::FeatureView& rows, cf::ColumnSink& out, const cf::Context& context) const {
    std::vector<std::span<double>> columns;
    for (std::size_t k = 0; k < axes_.size(); ++k) {
      columns.push_back(out.AddNumeric("pc" + std::to_string(k + 1)));
      std::fill(columns.back().begin(), columns.back().end(), 0.0);
    }
    std::vector<double> entries(static_cast<std::size_t>(rows.num_rows()));
    std::size_t numeric = 0;
    for (std::int64_t j = 0; j < rows.num_features(); ++j) {
      ReportFeature(context, j, rows.num_features());
      const Feature& feature = features_[static_cast<std::size_t>(j)];
      if (!feature.numeric) {
        out.Pass(j);
        continue;
      }
      rows.CopyColumn(j, entries);
      for (const double x : entries) RequireFinite(rows, j, x);
      for (std::size_t k = 0; k < axes_.size(); ++k) {
        const double loading = axes_.loading(k, numeric) / divisors_[k];
        for (std::size_t i = 0; i < entries.size(); ++i) {
          columns[k][i] += loading * ((entries[i] - feature.mean) / feature.divisor);
        }
      }
      ++numeric;
    }
  }

  void AddOnnx(const cf::FeatureView& columns, cf::OnnxGraph& graph, const cf::Context&) const {
    AddAxes(graph);
    for (std::int64_t j = 0; j < columns.num_features(); ++j) {
      if (!features_[static_cast<std::size_t>(j)].numeric) {
        graph.SetOutput(columns.name(j), graph.Column(j));
      }
    }
  }

  static constexpr std::uint32_t kFormatVersion = 1;
  void Save(cf::Writer& w) const {
    w.Write(static_cast<std::uint64_t>(features_.size()));
    for (const Feature& feature : features_) {
      w.Write(feature.numeric);
      w.Write(feature.mean);
      w.Write(feature.divisor);
    }
    w.WriteSpan<double>(axes_.singular_values);
    w.WriteSpan<double>(axes_.loadings);
    w.WriteSpan<double>(divisors_);
    w.WriteSpan<double>(shares_);
  }
  static Pca Load(cf::Reader& r) {
    Pca model;
    const auto n = r.Read<std::uint64_t>();
    for (std::uint64_t j = 0; j < n; ++j) {
      Feature feature;
      feature.numeric = r.Read<bool>();
      feature.mean = r.Read<double>();
      feature.divisor = r.Read<double>();
      model.features_.push_back(feature);
    }
    model.axes_.n_features = model.num_numeric();
    model.axes_.singular_values = r.ReadVector<double>();
    model.axes_.loadings = r.ReadVector<double>();
    model.divisors_ = r.ReadVector<double>();
    model.shares_ = r.ReadVector<double>();
    const std::size_t n_axes = model.axes_.size();
    if (n_axes > model.num_numeric() ||
        model.axes_.loadings.size() != n_axes * model.num_numeric() ||
        model.divisors_.size() != n_axes || model.shares_.size() != n_axes) {
      throw cf::Error(CF_E_BAD_BLOB, "the parts of the saved model do not fit together");
    }
    return model;
  }

  static constexpr std::array<const char*, 1> kExportFormats = {"text"};
  std::string Export(std::size_t, const cf::Context&) const {
    std::string text = "component\tshare of variance\n";
    for (std::size_t k = 0; k < shares_.size(); ++k) {
      text += "pc" + std::to_string(k + 1) + '\t' + NumberText(shares_[k]) + '\n';
    }
    return text;
  }

 private:
  struct Feature {
    bool numeric = false;
    double mean = 0;
    double divisor = 1;
  };

  void AddAxes(cf::OnnxGraph& graph) const {
    if (axes_.size() == 0) return;
    const std::size_t d = num_numeric();
    std::vector<std::int64_t> places;
    std::vector<double> means, divisors, loadings(d * axes_.size());
    for (std::size_t j = 0; j < features_.size(); ++j) {
      if (!features_[j].numeric) continue;
      places.push_back(static_cast<std::int64_t>(j));
      means.push_back(features_[j].mean);
      divisors.push_back(features_[j].divisor);
    }
    for (std::size_t k = 0; k < axes_.size(); ++k) {
      for (std::size_t j = 0; j < d; ++j) {
        loadings[j * axes_.size() + k] = axes_.loading(k, j) / divisors_[k];
      }
    }
    const auto numeric =
        graph.Node("Gather", {graph.Columns(), graph.Integers(places, {d})}, {{"axis", 1}});
    const auto centred = graph.Node("Sub", {numeric, graph.Numbers(means, {1, d})});
    const auto scaled = graph.Node("Div", {centred, graph.Numbers(divisors, {1, d})});
    const auto axes = graph.Node("MatMul", {scaled, graph.Numbers(loadings, {d, axes_.size()})});
    for (std::size_t k = 0; k < axes_.size(); ++k) {
      graph.SetOutput(
          "pc" + std::to_string(k + 1),
          graph.Node("Gather", {axes, graph.Axis(static_cast<std::int64_t>(k))}, {{"axis", 1}}));
    }
  }

  static void RequireOneRule(const Params& params) {
    if (!params.components || !params.variance) return;
    throw cf::Error(CF_E_INVALID_PARAM,
                    "components and variance both set the number of components; give one");
  }

  static Feature DescribeFeature(const cf::TrainingView& train, std::int64_t j, bool scale) {
    Feature feature;
    if (train.is_categorical(j)) return feature;
    feature.numeric = true;
    std::vector<double> values, weights;
    for (std::int64_t i = 0; i < train.num_rows(); ++i) {
      if (train.weight(i) == 0) continue;
      RequireFinite(train, j, train.x(i, j));
      values.push_back(train.x(i, j));
      weights.push_back(train.weight(i));
    }
    const Moments m =
        ComputeMoments(values, weights, Denominator::kTotalWeight, FeatureText(train, j));
    feature.mean = m.mean;
    if (scale && m.sd > 0) feature.divisor = m.sd;
    return feature;
  }

  std::size_t num_numeric() const {
    return static_cast<std::size_t>(
        std::count_if(features_.begin(), features_.end(),
                      [](const Feature& feature) { return feature.numeric; }));
  }

  // Row-major, only rows of positive weight, each times the root of its weight: then the squares
  // sum up as if the row stood there weight times.
  std::vector<double> CentredRows(const cf::TrainingView& train, std::size_t& n_rows) const {
    std::vector<double> centred;
    for (std::int64_t i = 0; i < train.num_rows(); ++i) {
      if (train.weight(i) == 0) continue;
      ++n_rows;
      const double root = std::sqrt(train.weight(i));
      for (std::int64_t j = 0; j < train.num_features(); ++j) {
        const Feature& feature = features_[static_cast<std::size_t>(j)];
        if (!feature.numeric) continue;
        centred.push_back(root * ((train.x(i, j) - feature.mean) / feature.divisor));
      }
    }
    return centred;
  }

  void KeepAxes(const Params& params, const PrincipalAxes& axes, double total_weight) {
    double total = 0;
    for (const double s : axes.singular_values) total += s * s;
    const std::size_t n_kept = NumberOfAxes(params, axes, total);
    axes_.n_features = axes.n_features;
    axes_.loadings.assign(
        axes.loadings.begin(),
        axes.loadings.begin() + static_cast<std::ptrdiff_t>(n_kept * axes.n_features));
    for (std::size_t k = 0; k < n_kept; ++k) {
      const double s = axes.singular_values[k];
      axes_.singular_values.push_back(s);
      shares_.push_back(total > 0 ? s * s / total : 0);
      divisors_.push_back(1);
      if (!params.whiten) continue;
      if (!(s > kNoVariance * axes.singular_values[0])) {
        throw cf::Error(CF_E_NUMERIC, "component " + std::to_string(k + 1) +
                                          " has no variance, so it cannot be whitened; ask for " +
                                          "fewer components");
      }
      divisors_.back() = s / std::sqrt(total_weight - 1);
    }
  }

  static void RequireComponents(const Params& params, std::int64_t most) {
    if (params.components.value_or(0) <= most) return;
    throw cf::Error(CF_E_INVALID_PARAM, "components = " + std::to_string(*params.components) +
                                            " exceeds the " + std::to_string(most) +
                                            " that the rows and numeric features allow");
  }

  static std::size_t NumberOfAxes(const Params& params, const PrincipalAxes& axes, double total) {
    if (params.components) {
      RequireComponents(params, static_cast<std::int64_t>(axes.size()));
      return static_cast<std::size_t>(*params.components);
    }
    if (!params.variance) return axes.size();
    if (total == 0) {
      throw cf::Error(CF_E_UNSUPPORTED_DATA, "the numeric features have no variance to share");
    }
    double sum = 0;
    for (std::size_t k = 0; k < axes.size(); ++k) {
      sum += axes.singular_values[k] * axes.singular_values[k];
      if (sum >= (*params.variance - kShareTolerance) * total) return k + 1;
    }
    return axes.size();
  }

  std::vector<Feature> features_;
  PrincipalAxes axes_;            // of the numeric features, those that are kept
  std::vector<double> divisors_;  // one an axis
  std::vector<double> shares_;    // of the whole variance, one an axis
};

}  // namespace
}  // namespace crossfold::bundled

CROSSFOLD_PLUGIN("crossfold.pca", "1.0.0", "The Crossfold Authors", "MIT", crossfold::bundled::Pca)
