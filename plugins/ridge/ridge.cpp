// Ridge regression and least squares: see README.md.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../design.h"
#include "../finite_rows.h"
#include "../linear_scores.h"
#include "../present_classes.h"
#include "cross_folds.h"
#include "cross_sums.h"
#include "crossfold_plugin.hpp"
#include "least_squares_path.h"
#include "problem.h"
#include "ridge_memory.h"

namespace crossfold::bundled {
namespace {

// What ridge regression and least squares share: everything but their parameters.
class RidgeModel {
 public:
  static constexpr double kIncrementalTolerance = 1e-9;
  static constexpr double kCrossPredictTolerance = 1e-9;
  static constexpr std::uint32_t kFormatVersion = 1;
  static constexpr std::array<const char*, 1> kExportFormats = {"text"};

  plugin::ModelShape shape() const {
    return {.n_features = std::ssize(features_),
            .n_classes = classifies_ ? static_cast<std::int64_t>(classes_.num_classes()) : 0};
  }
  void Predict(const plugin::FeatureView& rows, std::span<std::int32_t> labels,
               const plugin::Context& context) const {
    LabelsAt(0, rows, labels, context);
  }
  void Predict(const plugin::FeatureView& rows, std::span<double> values,
               const plugin::Context& context) const {
    ValuesAt(0, rows, values, context);
  }

  void Importance(std::span<double> out, const plugin::Context&) const {
    scores_.front().Importance(sums_.x_sd(), out);
  }

  std::string Export(std::size_t, const plugin::Context&) const {
    const LinearScores& scores = scores_.front();
    if (!classifies_) return scores.Text(0, "value");
    std::string text;
    for (Index k = 0; k < classes_.size(); ++k) {
      text += scores.Text(k, "score(" + classes_.name(k) + ")");
    }
    return text;
  }

  void AddOnnx(const plugin::FeatureView&, plugin::OnnxGraph& graph, const plugin::Context&) const {
    const OnnxValue scores = scores_.front().AddOnnx(graph);
    if (!classifies_) return SetValueOutput(graph, scores);
    graph.SetOutput("label", classes_.AddOnnxLabel(graph, scores));
  }

  void AddRows(const plugin::TrainingView& rows, const plugin::Context&) {
    if (!HasWeight(rows)) return;
    const Problem more(rows, intercept_);
    RequireSums();
    sums_.Add(more.sums);
    UpdateClasses(more.classes, 1);
    SolveAgain();
  }
  void RemoveRows(const plugin::TrainingView& rows, const plugin::Context&) {
    if (!HasWeight(rows)) return;
    const Problem less(rows, intercept_);
    RequireSums();
    if (!(less.sums.weight < sums_.weight)) {
      throw plugin::Error(CF_E_UNSUPPORTED_DATA, "no training rows would be left");
    }
    sums_.Remove(less.sums);
    UpdateClasses(less.classes, -1);
    SolveAgain();
  }

  void Save(plugin::Writer& w) const {
    w.Write(intercept_);
    w.Write(classifies_);
    w.WriteSpan<double>(l2_);
    classes_.Save(w);
    w.Write(static_cast<std::uint64_t>(features_.size()));
    for (const std::string& name : features_) w.WriteText(name);
    sums_.Save(w);
    for (const LinearScores& scores : scores_) scores.Save(w);
  }

 protected:
  // Fits every value of l2.
  void FitAll(std::vector<double> l2, bool intercept, const plugin::TrainingView& train) {
    const Problem problem(train, intercept);
    intercept_ = intercept;
    classifies_ = train.is_classification();
    l2_ = std::move(l2);
    classes_ = problem.classes;
    features_ = problem.features;
    sums_ = problem.sums;
    LeastSquaresPath path(problem.factor, problem.n_rows);
    for (const double value : l2_) scores_.push_back(MakeScores(path.Solve(value)));
  }

  void LoadAll(plugin::Reader& r) {
    intercept_ = r.Read<bool>();
    classifies_ = r.Read<bool>();
    l2_ = r.ReadVector<double>();
    classes_ = PresentClasses::Load(r);
    const auto n_features = r.Read<std::uint64_t>();
    for (std::uint64_t j = 0; j < n_features; ++j) features_.push_back(r.ReadText());
    sums_ = CrossSums::Load(r);
    for (std::size_t i = 0; i < l2_.size(); ++i) scores_.push_back(LinearScores::Load(r));
    if (!SizesFit()) throw plugin::Error(CF_E_BAD_BLOB, "the parts of the model do not fit");
  }

  void LabelsAt(std::size_t index, const plugin::FeatureView& rows, std::span<std::int32_t> labels,
                const plugin::Context& context) const {
    std::vector<double> scores(static_cast<std::size_t>(classes_.size()));
    ForEachFiniteRow(rows, context, [&](std::int64_t i, std::span<const double> row) {
      scores_.at(index).Score(row, scores);
      const auto best = std::max_element(scores.begin(), scores.end()) - scores.begin();
      labels[static_cast<std::size_t>(i)] = classes_.index(best);
    });
  }
  void ValuesAt(std::size_t index, const plugin::FeatureView& rows, std::span<double> values,
                const plugin::Context& context) const {
    ForEachFiniteRow(rows, context, [&](std::int64_t i, std::span<const double> row) {
      scores_.at(index).Score(row, values.subspan(static_cast<std::size_t>(i), 1));
    });
  }

  // One setting of a cross prediction: which of the caller's, and its l2.
  struct CrossSetting {
    std::size_t index;
    double l2;
  };

  // Every out-of-fold prediction of settings that differ in l2.
  static void CrossPredictAll(const std::vector<CrossSetting>& settings, bool intercept,
                              const plugin::TrainingView& rows,
                              std::span<const std::int32_t> fold_of_row, std::int32_t n_folds,
                              const plugin::CrossSink& sink, const plugin::Context& context) {
    if (settings.empty()) return;
    std::vector<double> l2;
    for (const CrossSetting& setting : settings) l2.push_back(setting.l2);
    const std::vector<Positions> folds = FoldsToTakeOut(rows, fold_of_row, n_folds);
    std::vector<std::vector<char>> done(folds.size(), std::vector<char>(settings.size()));
    if (std::any_of(folds.begin(), folds.end(), [](const auto& fold) { return !fold.empty(); })) {
      const CrossFolds shared(rows, folds, intercept, kCrossPredictTolerance);
      shared.Predict(l2, context,
                     [&](std::size_t s, std::size_t fold, const FoldPrediction& prediction) {
                       Emit(settings[s], folds[fold], prediction, sink);
                       done[fold][s] = 1;
                     });
    }
    for (std::size_t fold = 0; fold < folds.size(); ++fold) {
      std::vector<CrossSetting> left;
      for (std::size_t s = 0; s < settings.size(); ++s) {
        if (!done[fold][s]) left.push_back(settings[s]);
      }
      if (left.empty()) continue;
      context.Progress(static_cast<double>(fold) / static_cast<double>(folds.size()));
      const auto number = static_cast<std::int32_t>(fold);
      const FoldViews views(rows, fold_of_row, number);
      FitFold(left, intercept, views, PositionsOfFold(fold_of_row, number), number, sink, context);
    }
  }

 private:
  static void Emit(const CrossSetting& setting, const Positions& fold,
                   const FoldPrediction& prediction, const plugin::CrossSink& sink) {
    sink.Emit(setting.index, fold, {prediction.labels, prediction.values});
  }

  // Separate fits of a fold, from one factorisation; if that fails, each by itself.
  static void FitFold(const std::vector<CrossSetting>& settings, bool intercept,
                      const FoldViews& views, const Positions& fold, std::int32_t number,
                      const plugin::CrossSink& sink, const plugin::Context& context) {
    std::optional<RidgeModel> path;
    try {
      if (settings.size() > 1) path = FitOn(settings, intercept, views);
    } catch (const plugin::Error&) {
    }
    for (std::size_t s = 0; s < settings.size(); ++s) {
      sink.Try(settings[s].index, number, [&] {
        const RidgeModel own = path ? RidgeModel() : FitOn({settings[s]}, intercept, views);
        const RidgeModel& model = path ? *path : own;
        const std::size_t index = path ? s : 0;
        FoldPrediction prediction;
        if (model.classifies_) {
          prediction.labels.resize(fold.size());
          model.LabelsAt(index, views.test.features(), prediction.labels, context);
        } else {
          prediction.values.resize(fold.size());
          model.ValuesAt(index, views.test.features(), prediction.values, context);
        }
        Emit(settings[s], fold, prediction, sink);
      });
    }
  }

  static RidgeModel FitOn(const std::vector<CrossSetting>& settings, bool intercept,
                          const FoldViews& views) {
    std::vector<double> l2;
    for (const CrossSetting& setting : settings) l2.push_back(setting.l2);
    RidgeModel fitted;
    fitted.FitAll(std::move(l2), intercept, views.train.training());
    return fitted;
  }

  static bool HasWeight(const plugin::TrainingView& rows) {
    for (std::int64_t i = 0; i < rows.num_rows(); ++i) {
      if (rows.weight(i) > 0) return true;
    }
    return false;
  }

  void RequireSums() const {
    if (l2_.size() != 1) {
      throw plugin::Error(CF_E_UNSUPPORTED, "a model of several values of l2 takes no rows");
    }
    if (static_cast<Index>(features_.size()) > kMostFeaturesWithSums) {
      throw plugin::Error(CF_E_UNSUPPORTED, "a model of more than " +
                                                std::to_string(kMostFeaturesWithSums) +
                                                " features takes no rows; fit all rows again");
    }
  }

  void UpdateClasses(const PresentClasses& other, double sign) {
    constexpr double kNothing = 1e-12;  // what rounding leaves of a share
    std::vector<double> weights = classes_.all_weights();
    for (std::size_t c = 0; c < weights.size(); ++c) {
      const double before = weights[c];
      weights[c] += sign * other.all_weights()[c];
      if (weights[c] <= kNothing * before) weights[c] = 0;
    }
    classes_.set_all_weights(std::move(weights));
  }

  void SolveAgain() {
    scores_.front() = MakeScores(SolveSums(sums_, l2_.front(), kIncrementalTolerance));
  }

  // Of the classes that are present.
  LinearScores MakeScores(const MatrixXd& coefficients) const {
    if (!classifies_) return {features_, sums_.x_centre(), coefficients, sums_.y_centre()};
    MatrixXd chosen(coefficients.rows(), classes_.size());
    VectorXd offsets(classes_.size());
    for (Index k = 0; k < classes_.size(); ++k) {
      chosen.col(k) = coefficients.col(classes_.index(k));
      offsets[k] = sums_.y_centre()[classes_.index(k)];
    }
    return {features_, sums_.x_centre(), chosen, offsets};
  }

  bool SizesFit() const {
    const auto d = static_cast<Index>(features_.size());
    const Index n_targets = classifies_ ? static_cast<Index>(classes_.num_classes()) : 1;
    const Index n_scores = classifies_ ? classes_.size() : 1;
    const bool sums_fit = sums_.x_mean.size() == d && sums_.y_mean.size() == n_targets &&
                          sums_.xx.rows() == (d <= kMostFeaturesWithSums ? d : 0) &&
                          sums_.centred == intercept_;
    return sums_fit && !l2_.empty() && n_scores > 0 &&
           std::all_of(scores_.begin(), scores_.end(), [&](const LinearScores& scores) {
             return scores.num_features() == d && scores.size() == n_scores;
           });
  }

  bool intercept_ = true;
  bool classifies_ = false;
  std::vector<double> l2_;
  PresentClasses classes_;
  std::vector<std::string> features_;
  CrossSums sums_;
  std::vector<LinearScores> scores_;  // one for each l2
};

constexpr std::uint32_t kAllTasks = CF_TASK_BINARY | CF_TASK_MULTICLASS | CF_TASK_REGRESSION;
constexpr std::uint32_t kNumbersAndWeights = CF_ACCEPTS_NUMERIC | CF_ACCEPTS_WEIGHTS;
constexpr char kInterceptDoc[] = "Fit an intercept, which is never penalised.";

class Ridge : public RidgeModel {
 public:
  static constexpr plugin::LearnerInfo kInfo{
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
  static constexpr auto kSchema = plugin::Schema(
      plugin::Real("l2", &Params::l2, {.low = 0},
                   "Weight of the squared length of the coefficients relative to the sum of "
                   "squared errors; 0 gives least squares.",
                   {.flags = CF_PF_LOG | CF_PF_SUBMODEL}),
      plugin::Boolean("intercept", &Params::intercept, kInterceptDoc));

  static Ridge Fit(const Params& params, const plugin::TrainingView& train,
                   const plugin::Context&) {
    Ridge fitted;
    fitted.FitAll({params.l2}, params.intercept, train);
    return fitted;
  }

  static Ridge FitPath(const Params& params, std::string_view, std::span<const cf_value> values,
                       const plugin::TrainingView& train, const plugin::Context&) {
    std::vector<double> l2;
    for (const cf_value& value : values) l2.push_back(value.u.r);
    Ridge fitted;
    fitted.FitAll(std::move(l2), params.intercept, train);
    return fitted;
  }
  void PredictAt(std::size_t index, const plugin::FeatureView& rows, std::span<std::int32_t> labels,
                 const plugin::Context& context) const {
    LabelsAt(index, rows, labels, context);
  }
  void PredictAt(std::size_t index, const plugin::FeatureView& rows, std::span<double> values,
                 const plugin::Context& context) const {
    ValuesAt(index, rows, values, context);
  }

  static void CrossPredict(std::span<const Params> settings, const plugin::TrainingView& rows,
                           std::span<const std::int32_t> fold_of_row, std::int32_t n_folds,
                           plugin::CrossSink& sink, const plugin::Context& context) {
    for (const bool intercept : {true, false}) {
      std::vector<CrossSetting> alike;
      for (std::size_t s = 0; s < settings.size(); ++s) {
        if (settings[s].intercept == intercept) alike.push_back({s, settings[s].l2});
      }
      CrossPredictAll(alike, intercept, rows, fold_of_row, n_folds, sink, context);
    }
  }

  static std::uint64_t FitBytes(const Params&, const cf_shape& shape, const plugin::Context&) {
    return BytesOfFit(shape);
  }
  static std::uint64_t CrossBytes(const Params&, const cf_shape& shape, const plugin::Context&) {
    return BytesOfCrossPrediction(shape);
  }

  static Ridge Load(plugin::Reader& r) {
    Ridge loaded;
    loaded.LoadAll(r);
    return loaded;
  }
};

class LeastSquares : public RidgeModel {
 public:
  static constexpr plugin::LearnerInfo kInfo{
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
      plugin::Schema(plugin::Boolean("intercept", &Params::intercept, kInterceptDoc));

  static LeastSquares Fit(const Params& params, const plugin::TrainingView& train,
                          const plugin::Context&) {
    LeastSquares fitted;
    fitted.FitAll({0}, params.intercept, train);
    return fitted;
  }

  static void CrossPredict(std::span<const Params> settings, const plugin::TrainingView& rows,
                           std::span<const std::int32_t> fold_of_row, std::int32_t n_folds,
                           plugin::CrossSink& sink, const plugin::Context& context) {
    for (std::size_t s = 0; s < settings.size(); ++s) {
      CrossPredictAll({{s, 0}}, settings[s].intercept, rows, fold_of_row, n_folds, sink, context);
    }
  }

  static std::uint64_t FitBytes(const Params&, const cf_shape& shape, const plugin::Context&) {
    return BytesOfFit(shape);
  }
  static std::uint64_t CrossBytes(const Params&, const cf_shape& shape, const plugin::Context&) {
    return BytesOfCrossPrediction(shape);
  }

  static LeastSquares Load(plugin::Reader& r) {
    LeastSquares loaded;
    loaded.LoadAll(r);
    return loaded;
  }
};

}  // namespace
}  // namespace crossfold::bundled

CROSSFOLD_PLUGIN("crossfold.ridge", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::bundled::Ridge, crossfold::bundled::LeastSquares)
