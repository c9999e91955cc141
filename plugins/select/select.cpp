// Keeps the features with the best scores: see README.md.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "../feature_values.h"
#include "../number_text.h"
#include "crossfold_plugin.hpp"
#include "feature_scores.h"

namespace cf = crossfold::plugin;
using crossfold::bundled::NumberText;
using crossfold::bundled::ReportFeature;
using crossfold::select::kMethodNames;
using crossfold::select::Method;
using crossfold::select::NeedsClasses;
using crossfold::select::ScoreOf;
using crossfold::select::Scores;

namespace {

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

CROSSFOLD_PLUGIN("crossfold.select", "1.0.0", "The Crossfold Authors", "MIT", Select)
