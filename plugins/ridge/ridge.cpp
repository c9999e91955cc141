// Ridge regression and least squares: see README.md.
#include "ridge_model.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "crossfold_plugin.hpp"

namespace cf = crossfold::plugin;

namespace {

constexpr std::uint32_t kAllTasks = CF_TASK_BINARY | CF_TASK_MULTICLASS | CF_TASK_REGRESSION;
constexpr std::uint32_t kNumbersAndWeights = CF_ACCEPTS_NUMERIC | CF_ACCEPTS_WEIGHTS;
constexpr char kInterceptDoc[] = "Fit an intercept, which is never penalised.";

class Ridge : public crossfold::bundled::RidgeModel {
 public:
  static constexpr cf::LearnerInfo kInfo{
      .component = {.id = "crossfold.ridge",
                    .title = "Ridge regression",
                    .doc = "Linear regression with the squared length of the coefficients as "
                           "penalty. As a classifier it fits a target of -1 and 1 for each class "
                           "and predicts the class with the largest value.",
                    .source = "A. E. Hoerl and R. W. Kennard, Ridge regression: biased estimation "
                              "for nonorthogonal problems, Technometrics 12 (1970) 55-67",
                    .determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED},
      .tasks = kAllTasks,
      .accepts = kNumbersAndWeights};

  struct Params {
    double l2 = 1;
    bool intercept = true;
  };
  static constexpr auto kSchema =
      cf::Schema(cf::Real("l2", &Params::l2, {.low = 0},
                          "Weight of the squared length of the coefficients relative to the sum of "
                          "squared errors; 0 gives least squares.",
                          {.flags = CF_PF_LOG | CF_PF_SUBMODEL}),
                 cf::Boolean("intercept", &Params::intercept, kInterceptDoc));

  static Ridge Fit(const Params& params, const cf::TrainingView& train, const cf::Context&) {
    Ridge fitted;
    fitted.FitAll({params.l2}, params.intercept, train);
    return fitted;
  }

  static Ridge FitPath(const Params& params, std::string_view, std::span<const cf_value> values,
                       const cf::TrainingView& train, const cf::Context&) {
    std::vector<double> l2;
    for (const cf_value& value : values) l2.push_back(value.u.r);
    Ridge fitted;
    fitted.FitAll(std::move(l2), params.intercept, train);
    return fitted;
  }
  void PredictAt(std::size_t index, const cf::FeatureView& rows, std::span<std::int32_t> labels,
                 const cf::Context& context) const {
    LabelsAt(index, rows, labels, context);
  }
  void PredictAt(std::size_t index, const cf::FeatureView& rows, std::span<double> values,
                 const cf::Context& context) const {
    ValuesAt(index, rows, values, context);
  }

  static void CrossPredict(std::span<const Params> settings, const cf::TrainingView& rows,
                           std::span<const std::int32_t> fold_of_row, std::int32_t n_folds,
                           cf::CrossSink& sink, const cf::Context& context) {
    for (const bool intercept : {true, false}) {
      std::vector<CrossSetting> alike;
      for (std::size_t s = 0; s < settings.size(); ++s) {
        if (settings[s].intercept == intercept) alike.push_back({s, settings[s].l2});
      }
      CrossPredictAll(alike, intercept, rows, fold_of_row, n_folds, sink, context);
    }
  }

  static std::uint64_t FitBytes(const Params&, const cf_shape& shape, const cf::Context&) {
    return crossfold::bundled::BytesOfFit(shape);
  }
  static std::uint64_t CrossBytes(const Params&, const cf_shape& shape, const cf::Context&) {
    return crossfold::bundled::BytesOfCrossPrediction(shape);
  }

  static Ridge Load(cf::Reader& r) {
    Ridge loaded;
    loaded.LoadAll(r);
    return loaded;
  }
};

class LeastSquares : public crossfold::bundled::RidgeModel {
 public:
  static constexpr cf::LearnerInfo kInfo{
      .component = {.id = "crossfold.least_squares",
                    .title = "Least squares",
                    .doc = "Linear regression by least squares; of all best solutions the one with "
                           "the shortest vector of coefficients. As a classifier it fits a target "
                           "of -1 and 1 for each class and predicts the class with the largest "
                           "value.",
                    .source = "A. Bjorck, Numerical Methods for Least Squares Problems, SIAM 1996",
                    .determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED},
      .tasks = kAllTasks,
      .accepts = kNumbersAndWeights};

  struct Params {
    bool intercept = true;
  };
  static constexpr auto kSchema =
      cf::Schema(cf::Boolean("intercept", &Params::intercept, kInterceptDoc));

  static LeastSquares Fit(const Params& params, const cf::TrainingView& train, const cf::Context&) {
    LeastSquares fitted;
    fitted.FitAll({0}, params.intercept, train);
    return fitted;
  }

  static void CrossPredict(std::span<const Params> settings, const cf::TrainingView& rows,
                           std::span<const std::int32_t> fold_of_row, std::int32_t n_folds,
                           cf::CrossSink& sink, const cf::Context& context) {
    for (std::size_t s = 0; s < settings.size(); ++s) {
      CrossPredictAll({{s, 0}}, settings[s].intercept, rows, fold_of_row, n_folds, sink, context);
    }
  }

  static std::uint64_t FitBytes(const Params&, const cf_shape& shape, const cf::Context&) {
    return crossfold::bundled::BytesOfFit(shape);
  }
  static std::uint64_t CrossBytes(const Params&, const cf_shape& shape, const cf::Context&) {
    return crossfold::bundled::BytesOfCrossPrediction(shape);
  }

  static LeastSquares Load(cf::Reader& r) {
    LeastSquares loaded;
    loaded.LoadAll(r);
    return loaded;
  }
};

}  // namespace

CROSSFOLD_PLUGIN("crossfold.ridge", "1.0.0", "The Crossfold Authors", "MIT", Ridge, LeastSquares)
