// Keeps the features with the best scores: see README.md.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "../feature_values.h"
#include "../mdl_cuts.h"
#include "../moments.h"
#include "../number_text.h"
#include "crossfold_plugin.hpp"

namespace crossfold::bundled {
namespace {

namespace cf = crossfold::plugin;
using cf::TrainingView;

// How much one feature says about the target, by several measures. Higher is more.
enum class Method : std::uint8_t {
  kVariance,
  kAnovaF,
  kChiSquared,
  kMutualInformation,
  kCorrelation
};
constexpr std::array<const char*, 5> kMethodNames = {"variance", "anova_f", "chi_squared",
                                                     "mutual_information", "correlation"};

// Whether the method scores such features; others are not judged.
bool Scores(Method method, bool categorical) {
  return !categorical || method == Method::kChiSquared || method == Method::kMutualInformation;
}
bool NeedsClasses(Method method) {
  return method == Method::kAnovaF || method == Method::kChiSquared ||
         method == Method::kMutualInformation;
}

Moments MomentsOf(const TrainingView& train, std::int64_t j, const FeatureValues& part) {
  return ComputeMoments(part.values, part.weights, Denominator::kTotalWeight,
                        FeatureText(train, j));
}

std::optional<double> Variance(const TrainingView& train, std::int64_t j) {
  const FeatureValues present = PresentValues(train, j);
  if (present.values.empty()) return std::nullopt;
  const Moments m = MomentsOf(train, j, present);
  return m.sd * m.sd;
}

// Mean square between the classes by mean square within them.
std::optional<double> AnovaF(const TrainingView& train, std::int64_t j) {
  const FeatureValues present = PresentValues(train, j);
  std::vector<FeatureValues> parts(static_cast<std::size_t>(train.num_classes()));
  for (std::size_t i = 0; i < present.values.size(); ++i) {
    FeatureValues& part = parts[static_cast<std::size_t>(train.label(present.rows[i]))];
    part.values.push_back(present.values[i]);
    part.weights.push_back(present.weights[i]);
  }
  const Moments all = MomentsOf(train, j, present);
  double between = 0, within = 0;
  int n_classes = 0;
  for (const FeatureValues& part : parts) {
    if (part.values.empty()) continue;
    const Moments m = MomentsOf(train, j, part);
    ++n_classes;
    between += m.weight * (m.mean - all.mean) * (m.mean - all.mean);
    within += m.weight * m.sd * m.sd;
  }
  if (n_classes < 2 || all.sd == 0 || !(all.weight > n_classes)) return std::nullopt;
  if (within == 0) return std::numeric_limits<double>::infinity();
  return between / (n_classes - 1) / (within / (all.weight - n_classes));
}

// Absolute value of Pearson's correlation with a numeric target.
std::optional<double> Correlation(const TrainingView& train, std::int64_t j) {
  const FeatureValues present = PresentValues(train, j);
  std::vector<double> targets;
  for (const std::int64_t i : present.rows) targets.push_back(train.value(i));
  const Moments x = MomentsOf(train, j, present);
  const Moments y =
      ComputeMoments(targets, present.weights, Denominator::kTotalWeight, "the target");
  if (x.sd == 0 || y.sd == 0) return std::nullopt;
  double sum = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    sum +=
        present.weights[i] * ((present.values[i] - x.mean) / x.sd) * ((targets[i] - y.mean) / y.sd);
  }
  return std::min(1.0, std::fabs(sum / x.weight));
}

// Weights by level (or interval) and class.
struct Contingency {
  std::size_t n_levels, n_classes;
  std::vector<double> weights;  // n_levels x n_classes
  std::vector<double> of_level, of_class;
  double total = 0;

  Contingency(std::size_t levels, std::size_t classes)
      : n_levels(levels),
        n_classes(classes),
        weights(levels * classes),
        of_level(levels),
        of_class(classes) {}

  void Add(std::size_t level, std::int32_t label, double weight) {
    const auto c = static_cast<std::size_t>(label);
    weights[level * n_classes + c] += weight;
    of_level[level] += weight;
    of_class[c] += weight;
    total += weight;
  }

  // Calls use(observed, expected) for every cell whose row and column are not empty.
  template <class Use>
  void ForEachCell(const Use& use) const {
    for (std::size_t level = 0; level < n_levels; ++level) {
      for (std::size_t c = 0; c < n_classes; ++c) {
        const double expected = of_level[level] * of_class[c] / total;
        if (expected > 0) use(weights[level * n_classes + c], expected);
      }
    }
  }
};

Contingency CountLevels(const TrainingView& train, std::int64_t j) {
  Contingency table(static_cast<std::size_t>(train.num_levels(j)),
                    static_cast<std::size_t>(train.num_classes()));
  for (std::int64_t i = 0; i < train.num_rows(); ++i) {
    if (train.is_missing(i, j)) continue;
    table.Add(static_cast<std::size_t>(train.x(i, j)), train.label(i), train.weight(i));
  }
  return table;
}

// A bool has its two values as intervals.
std::vector<double> CutsOf(const TrainingView& train, std::int64_t j,
                           const FeatureValues& present) {
  if (train.column(j).dtype == CF_BOOL8) return {0.5};
  std::vector<std::int32_t> labels;
  for (const std::int64_t i : present.rows) labels.push_back(train.label(i));
  return MdlCuts(ValueClasses(present.values, present.weights, labels,
                              static_cast<std::size_t>(train.num_classes())));
}

Contingency CountIntervals(const TrainingView& train, std::int64_t j) {
  const FeatureValues present = PresentValues(train, j);
  const std::vector<double> cuts = CutsOf(train, j, present);
  Contingency table(cuts.size() + 1, static_cast<std::size_t>(train.num_classes()));
  for (std::size_t i = 0; i < present.values.size(); ++i) {
    table.Add(IntervalOf(cuts, present.values[i]), train.label(present.rows[i]),
              present.weights[i]);
  }
  return table;
}

std::optional<double> ChiSquared(const Contingency& table) {
  if (table.total == 0) return std::nullopt;
  double sum = 0;
  table.ForEachCell([&sum](double observed, double expected) {
    sum += (observed - expected) * (observed - expected) / expected;
  });
  return sum;
}

// In nats.
std::optional<double> MutualInformation(const Contingency& table) {
  if (table.total == 0) return std::nullopt;
  double sum = 0;
  table.ForEachCell([&sum](double observed, double expected) {
    if (observed > 0) sum += observed * std::log(observed / expected);
  });
  return std::max(0.0, sum / table.total);  // rounding may leave a negative value
}

// Returns the score on the rows in which feature j is present; nothing if the measure is undefined
// for them. May be infinite (anova_f). Weights count as repetitions. REQUIRES: Scores(method,
// train.is_categorical(j)), a target that fits the method.
std::optional<double> ScoreOf(Method method, const TrainingView& train, std::int64_t j) {
  if (method == Method::kVariance) return Variance(train, j);
  if (method == Method::kAnovaF) return AnovaF(train, j);
  if (method == Method::kCorrelation) return Correlation(train, j);
  const Contingency table =
      train.is_categorical(j) ? CountLevels(train, j) : CountIntervals(train, j);
  return method == Method::kChiSquared ? ChiSquared(table) : MutualInformation(table);
}

std::string NameOf(Method method) { return kMethodNames[static_cast<std::size_t>(method)]; }

class Select {
 public:
  static constexpr cf::TransformInfo kInfo{
      .component = {.id = "crossfold.select",
                    .title = "Feature selection by scores",
                    .doc = "Scores every feature by itself on the training rows and keeps the k "
                           "best, or those above a threshold. Features that the method cannot "
                           "score pass through.",
                    .determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED}};

  struct Params {
    Method method = Method::kVariance;
    std::optional<std::int64_t> k;
    std::optional<double> threshold;
  };
  static constexpr auto kSchema = cf::Schema(
      cf::Choice("method", &Params::method, kMethodNames, "Method that scores a feature."),
      cf::Integer("k", &Params::k, {.low = 1}, "Number of features to keep."),
      cf::Real("threshold", &Params::threshold, {.low = 0},
               "Keep only features with a higher score; without k and threshold it is 0."));

  static void Check(const Params& params, const cf_shape& shape, const cf::Context&) {
    RequireTarget(params, shape.n_classes > 0);
    RequireScored(params, (Scores(params.method, false) ? shape.n_numeric : 0) +
                              (Scores(params.method, true) ? shape.n_categorical : 0));
  }

  static Select Fit(const Params& params, const cf::TrainingView& train,
                    const cf::Context& context) {
    RequireTarget(params, train.is_classification());
    Select fitted;
    fitted.method_ = params.method;
    std::int64_t n_judged = 0;
    for (std::int64_t j = 0; j < train.num_features(); ++j) {
      ReportFeature(context, j, train.num_features());
      Feature feature;
      feature.name = train.name(j);
      feature.judged = Scores(params.method, train.is_categorical(j));
      if (feature.judged) feature.score = ScoreOf(params.method, train, j);
      n_judged += feature.judged ? 1 : 0;
      fitted.features_.push_back(feature);
    }
    RequireScored(params, n_judged);
    fitted.Choose(params);
    return fitted;
  }

  cf::ModelShape shape() const { return {.n_features = std::ssize(features_)}; }
  void Apply(const cf::FeatureView& rows, cf::ColumnSink& out, const cf::Context&) const {
    for (std::int64_t j = 0; j < rows.num_features(); ++j) {
      if (features_[static_cast<std::size_t>(j)].kept) out.Pass(j);
    }
  }

  void AddOnnx(const cf::FeatureView& columns, cf::OnnxGraph& graph, const cf::Context&) const {
    for (std::int64_t j = 0; j < columns.num_features(); ++j) {
      if (!features_[static_cast<std::size_t>(j)].kept) continue;
      graph.SetOutput(columns.name(j), graph.Column(j));
    }
  }

  static constexpr std::uint32_t kFormatVersion = 1;
  void Save(cf::Writer& w) const {
    w.Write(static_cast<std::uint8_t>(method_));
    w.Write(static_cast<std::uint64_t>(features_.size()));
    for (const Feature& feature : features_) {
      w.WriteText(feature.name);
      w.Write(feature.judged);
      w.Write(feature.kept);
      w.Write(feature.score.has_value());
      if (feature.score) w.Write(*feature.score);
    }
  }
  static Select Load(cf::Reader& r) {
    Select model;
    model.method_ = static_cast<Method>(
        r.ReadWithin<std::uint8_t>(0, static_cast<std::uint8_t>(kMethodNames.size() - 1)));
    const auto n = r.Read<std::uint64_t>();
    for (std::uint64_t j = 0; j < n; ++j) {
      Feature feature;
      feature.name = r.ReadText();
      feature.judged = r.Read<bool>();
      feature.kept = r.Read<bool>();
      if (r.Read<bool>()) feature.score = r.Read<double>();
      model.features_.push_back(feature);
    }
    return model;
  }

  static constexpr std::array<const char*, 1> kExportFormats = {"text"};
  std::string Export(std::size_t, const cf::Context&) const {
    std::string text = "kept\t" + NameOf(method_) + "\tfeature\n";
    for (const Feature& feature : features_) {
      text += feature.kept ? "yes\t" : "no\t";
      if (feature.score) {
        text += NumberText(*feature.score);
      } else {
        text += feature.judged ? "undefined" : "-";
      }
      text += '\t' + feature.name + '\n';
    }
    return text;
  }

 private:
  static void RequireScored(const Params& params, std::int64_t n_judged) {
    if (params.k.value_or(0) <= n_judged) return;
    throw cf::Error(CF_E_INVALID_PARAM, "k = " + std::to_string(*params.k) + " exceeds the " +
                                            std::to_string(n_judged) + " features that " +
                                            NameOf(params.method) + " scores");
  }

  struct Feature {
    std::string name;
    bool judged = false;  // by this method; others are kept
    bool kept = false;
    std::optional<double> score;  // nothing = undefined
  };

  static void RequireTarget(const Params& params, bool classification) {
    if (NeedsClasses(params.method) && !classification) {
      throw cf::Error(
          CF_E_UNSUPPORTED_DATA,
          "method = " + NameOf(params.method) + " needs a categorical target; this one is numeric");
    }
    if (params.method == Method::kCorrelation && classification) {
      throw cf::Error(CF_E_UNSUPPORTED_DATA,
                      "method = correlation needs a numeric target; this one is categorical");
    }
  }

  // Ties go to the earlier feature; an undefined score is never kept.
  void Choose(const Params& params) {
    const double lowest = params.k ? -std::numeric_limits<double>::infinity() : 0.0;
    const double threshold = params.threshold.value_or(lowest);
    std::vector<std::size_t> order;
    for (std::size_t j = 0; j < features_.size(); ++j) {
      Feature& feature = features_[j];
      feature.kept = !feature.judged;
      if (feature.score && *feature.score > threshold) order.push_back(j);
    }
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
      return *features_[a].score > *features_[b].score;
    });
    if (params.k && static_cast<std::size_t>(*params.k) < order.size()) {
      order.resize(static_cast<std::size_t>(*params.k));
    }
    for (const std::size_t j : order) features_[j].kept = true;
  }

  Method method_ = Method::kVariance;
  std::vector<Feature> features_;
};

}  // namespace
}  // namespace crossfold::bundled

CROSSFOLD_PLUGIN("crossfold.select", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::bundled::Select)
