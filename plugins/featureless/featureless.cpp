// The baseline that every learner must beat: see README.md.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "../baseline.h"
#include "crossfold_plugin.hpp"

namespace cf = crossfold::plugin;

namespace {

class Featureless {
 public:
  static constexpr cf::LearnerInfo kInfo{
      .component = {.id = "crossfold.featureless",
                    .title = "Baseline without features",
                    .doc = "Predicts the class shares (classification) or the mean (regression) "
                           "of the training rows. The label is the most frequent class, ties to "
                           "the lower class index.",
                    .source = "I. H. Witten, E. Frank and M. A. Hall, Data Mining, 3rd edition, "
                              "Morgan Kaufmann 2011 (as ZeroR)"},
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS | CF_TASK_REGRESSION,
      .accepts = CF_ACCEPTS_NUMERIC | CF_ACCEPTS_CATEGORICAL | CF_ACCEPTS_MISSING |
                 CF_ACCEPTS_WEIGHTS | CF_ACCEPTS_NO_FEATURES};
  using Params = cf::NoParams;
  static constexpr std::uint32_t kFormatVersion = 1;
  static constexpr auto kSchema = cf::kNoSchema;

  static Featureless Fit(const Params&, const cf::TrainingView& train, const cf::Context&) {
    return Featureless(crossfold::bundled::FitBaseline(train));
  }

  void Predict(const cf::FeatureView&, std::span<double> values, const cf::Context&) const {
    std::fill(values.begin(), values.end(), baseline_.mean);
  }

  void PredictProba(const cf::FeatureView&, std::span<double> probabilities,
                    const cf::Context&) const {
    const std::size_t n_classes = baseline_.shares.size();
    for (std::size_t i = 0; i < probabilities.size(); i += n_classes) {
      std::copy(baseline_.shares.begin(), baseline_.shares.end(), probabilities.begin() + i);
    }
  }

  void Save(cf::Writer& w) const {
    w.WriteSpan<double>(baseline_.shares);
    w.Write(baseline_.mean);
  }

  static Featureless Load(cf::Reader& r) {
    crossfold::bundled::Baseline baseline;
    baseline.shares = r.ReadVector<double>();
    baseline.mean = r.Read<double>();
    return Featureless(std::move(baseline));
  }

 private:
  explicit Featureless(crossfold::bundled::Baseline baseline) : baseline_(std::move(baseline)) {}

  crossfold::bundled::Baseline baseline_;
};

}  // namespace

CROSSFOLD_PLUGIN("crossfold.featureless", "1.0.0", "The Crossfold Authors", "MIT", Featureless)
