// Logistic regression for two and more classes: see README.md.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../design.h"
#include "../finite_rows.h"
#include "../linear_scores.h"
#include "../present_classes.h"
#include "blocked_loss.h"
#include "crossfold_plugin.hpp"
#include "lbfgs.h"
#include "newton.h"
#include "proximal_newton.h"
#include "svrg.h"

namespace crossfold::bundled {
namespace {

namespace cf = crossfold::plugin;

enum class Solver { kNewton, kLbfgs, kSvrg };
constexpr std::array<const char*, 3> kSolverNames = {"newton", "lbfgs", "svrg"};

class LogisticRegression {
 public:
  static constexpr cf::LearnerInfo kInfo{
      .component = {.id = "crossfold.logistic_regression",
                    .title = "Logistic regression",
                    .doc = "Class probabilities whose log odds are linear in the features, by "
                           "penalised maximum likelihood; softmax for more than two classes.",
                    .source =
                        "D. R. Cox, The regression analysis of binary sequences, Journal of "
                        "the Royal Statistical Society B 20 (1958) 215-242; J. D. Lee, Y. Sun and "
                        "M. A. Saunders, Proximal Newton-type methods for minimizing composite "
                        "functions, SIAM Journal on Optimization 24 (2014) 1420-1443",
                    .determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED},
      .accepts = CF_ACCEPTS_NUMERIC | CF_ACCEPTS_WEIGHTS};

  struct Params {
    Solver solver = Solver::kNewton;
    double l2 = 1;
    double l1 = 0;
    bool intercept = true;
    std::int64_t max_iter = 100;
    double tolerance = 1e-8;
  };
  static constexpr auto kSchema = cf::Schema(
      cf::Choice("solver", &Params::solver, kSolverNames,
                 "Method of minimisation: Newton's, on a copy of the features, or L-BFGS or "
                 "stochastic gradients (SVRG), which read the rows in blocks and keep none."),
      cf::Real("l2", &Params::l2, {.low = 0},
               "Weight of the L2 penalty (half the squared length of the coefficients) relative to "
               "the sum of the log-losses.",
               {.flags = CF_PF_LOG}),
      cf::Real("l1", &Params::l1, {.low = 0},
               "Weight of the L1 penalty (the sum of the absolute coefficients) relative to the "
               "sum of the log-losses.",
               {.flags = CF_PF_LOG, .active_if = "solver=newton"}),
      cf::Boolean("intercept", &Params::intercept,
                  "Fit an intercept for each score, which is never penalised."),
      cf::Integer("max_iter", &Params::max_iter, {.low = 1},
                  "Maximum number of steps; of svrg the maximum number of epochs, which read the "
                  "rows twice."),
      cf::Real("tolerance", &Params::tolerance, {.low = 1e-12, .high = 1},
               "Tolerance: the fit ends when a full step (or epoch) changes no score of a training "
               "row by more than this."));

  static constexpr std::uint32_t kFormatVersion = 1;
  static constexpr std::array<const char*, 1> kExportFormats = {"text"};

  static LogisticRegression Fit(const Params& params, const cf::TrainingView& train,
                                const cf::Context& context) {
    return FitAfter(nullptr, params, train, context);
  }
  static LogisticRegression FitFrom(const Params& params, const cf::TrainingView& train,
                                    const LogisticRegression& start, const cf::Context& context) {
    return FitAfter(&start, params, train, context);
  }

  static std::uint64_t FitBytes(const Params& params, const cf_shape& shape, const cf::Context&) {
    const auto n_rows = static_cast<std::uint64_t>(shape.n_rows);
    const auto width = static_cast<std::uint64_t>(shape.n_features) + 1;
    const auto n_scores = static_cast<std::uint64_t>(shape.n_classes == 2 ? 1 : shape.n_classes);
    // Of some rows, or all: the features as they come and scaled, the shares and residuals.
    const std::uint64_t row = sizeof(double) * (2 * width + 2 * n_scores + 5);
    const std::uint64_t second = sizeof(double) * width * width;
    if (params.solver == Solver::kNewton) {
      return n_rows * row + 2 * second * std::min<std::uint64_t>(n_scores * n_scores, 64);
    }
    constexpr std::uint64_t kPairs = 90;  // of L-BFGS: steps and changes of the slope
    const auto block =
        static_cast<std::uint64_t>(RowsPerBlock(params, shape.n_rows, shape.n_features));
    return 4 * block * row + second * (n_scores + 3) + kPairs * sizeof(double) * width * n_scores +
           n_rows / 128;
  }

  cf::ModelShape shape() const {
    return {.n_features = scores_.num_features(),
            .n_classes = static_cast<std::int64_t>(classes_.num_classes())};
  }
  void PredictProba(const cf::FeatureView& rows, std::span<double> probabilities,
                    const cf::Context& context) const {
    const std::size_t n_classes = classes_.num_classes();
    // Two classes have one score: the score of the first class is then 0.
    std::vector<double> scores(static_cast<std::size_t>(classes_.size()));
    const auto fitted = std::span<double>(scores).last(static_cast<std::size_t>(scores_.size()));
    ForEachFiniteRow(rows, context, [&](std::int64_t i, std::span<const double> row) {
      scores.front() = 0;
      scores_.Score(row, fitted);
      classes_.Probabilities(
          scores, probabilities.subspan(static_cast<std::size_t>(i) * n_classes, n_classes));
    });
  }

  void Importance(std::span<double> out, const cf::Context&) const {
    scores_.Importance(sds_, out);
  }

  std::string Export(std::size_t, const cf::Context&) const {
    if (classes_.size() == 2) {
      return scores_.Text(0, "log odds(" + classes_.name(1) + " : " + classes_.name(0) + ")");
    }
    std::string text;
    for (Index k = 0; k < classes_.size(); ++k) {
      text += scores_.Text(k, "score(" + classes_.name(k) + ")");
    }
    return text;
  }

  void AddOnnx(const cf::FeatureView&, cf::OnnxGraph& graph, const cf::Context&) const {
    auto scores = scores_.AddOnnx(graph);
    if (scores_.size() < classes_.size()) {  // the score of the first class is 0
      const std::array<double, 2> second = {0, 1};
      scores = graph.Node("Mul", {scores, graph.Numbers(second, {1, 2})});
    }
    SetClassOutputs(graph, classes_.AddOnnxProbabilities(graph, scores));
  }

  void Save(cf::Writer& w) const {
    classes_.Save(w);
    scores_.Save(w);
    SaveNumbers(w, sds_.data(), sds_.size());
  }
  static LogisticRegression Load(cf::Reader& r) {
    LogisticRegression loaded;
    loaded.classes_ = PresentClasses::Load(r);
    loaded.scores_ = LinearScores::Load(r);
    loaded.sds_ = LoadNumbers(r, loaded.scores_.num_features());
    const Index n_classes = loaded.classes_.size();
    if (n_classes == 0 || loaded.scores_.size() != (n_classes == 2 ? 1 : n_classes)) {
      throw cf::Error(CF_E_BAD_BLOB, "the classes and the scores of the model do not fit together");
    }
    return loaded;
  }

 private:
  // Starts at the coefficients of `start`, or at 0 for all features.
  static LogisticRegression FitAfter(const LogisticRegression* start, const Params& params,
                                     const cf::TrainingView& train, const cf::Context& context) {
    const DesignBlocks blocks(train, RowsPerBlock(params, train.num_rows(), train.num_features()));
    const ColumnMoments moments = blocks.Moments();
    LogisticRegression fitted;
    fitted.classes_ = PresentClasses(train);
    fitted.sds_ = moments.sd;
    if (start != nullptr) start->RequireSameClasses(fitted.classes_);
    const Index d = blocks.num_features();
    const auto names = FeatureNames(train);
    if (fitted.classes_.size() == 1) {  // it has probability 1, whatever the features
      fitted.scores_ =
          LinearScores(names, VectorXd::Zero(d), MatrixXd::Zero(d, 1), VectorXd::Zero(1));
      return fitted;
    }
    const Scaling scaling(moments, params.intercept);
    const MatrixXd w = Minimise(start, params, scaling, train, blocks, fitted.classes_, context);
    const MatrixXd coefficients = scaling.unit.cwiseInverse().asDiagonal() * w.topRows(d);
    const VectorXd offsets =
        params.intercept ? VectorXd(w.row(d).transpose()) : VectorXd::Zero(w.cols());
    fitted.scores_ = LinearScores(names, scaling.centre, coefficients, offsets);
    return fitted;
  }

  // Stochastic steps are of fewer rows if there are few, but of more than there are features.
  static Index RowsPerBlock(const Params& params, std::int64_t n_rows, std::int64_t n_features) {
    if (params.solver != Solver::kSvrg) return DesignBlocks::kRows;
    constexpr Index kSteps = 64, kRowsPerFeature = 4;
    const Index least = kRowsPerFeature * (n_features + 1);
    return std::max(least, std::min(n_rows / kSteps, DesignBlocks::kRows));
  }

  // Coefficients of the scaled features, and the intercepts.
  static MatrixXd Minimise(const LogisticRegression* start, const Params& params,
                           const Scaling& scaling, const cf::TrainingView& train,
                           const DesignBlocks& blocks, const PresentClasses& classes,
                           const cf::Context& context) {
    const Index d = scaling.num_features(), n_rows_of_w = scaling.num_columns();
    Penalty penalty{VectorXd::Zero(n_rows_of_w), VectorXd::Zero(n_rows_of_w)};
    penalty.l2.head(d) = params.l2 * scaling.unit.cwiseAbs2().cwiseInverse();
    penalty.l1.head(d) = params.l1 * scaling.unit.cwiseInverse();
    const Index n_scores = classes.size() == 2 ? 1 : classes.size();
    MatrixXd w = MatrixXd::Zero(n_rows_of_w, n_scores);
    if (start != nullptr) {
      w = start->CoefficientsIn(scaling, penalty);
    } else if (params.intercept) {
      w.row(d) = LogShares(classes, n_scores).transpose();
    }
    const NewtonLimits limits{params.max_iter, params.tolerance};
    if (params.solver != Solver::kNewton) {
      const BlockedLoss loss(blocks, scaling, classes, penalty, context);
      if (params.solver == Solver::kSvrg) return Svrg(loss, limits).Minimise(std::move(w));
      return Lbfgs(loss, classes, limits).Minimise(std::move(w));
    }
    LogLossSum loss = AllRows(scaling, train, classes);
    if (penalty.HasL1()) {
      ProximalNewton newton(std::move(loss), std::move(penalty), limits);
      return newton.Minimise(std::move(w), context);
    }
    Newton newton(std::move(loss), std::move(penalty), limits);
    return newton.Minimise(std::move(w), blocks.total_weight(), context);
  }

  static LogLossSum AllRows(const Scaling& scaling, const cf::TrainingView& train,
                            const PresentClasses& classes) {
    Design design = ReadDesign(train);
    std::vector<Index> class_of_row;
    for (const std::int32_t label : design.labels) class_of_row.push_back(classes.place_of(label));
    return {scaling.Apply(design.x), std::move(design.weights), std::move(class_of_row),
            classes.size()};
  }

  void RequireSameClasses(const PresentClasses& others) const {
    bool same = classes_.size() == others.size();
    for (Index k = 0; same && k < classes_.size(); ++k) same = classes_.index(k) == others.index(k);
    if (same) return;
    throw cf::Error(CF_E_INVALID_ARGUMENT,
                    "the training rows have different classes from the model to start from; start "
                    "from a model with the same classes");
  }

  // The result of Minimise, in the units of other rows. Coefficients that no penalty affects get
  // the mean 0 over the scores, as Newton keeps it.
  MatrixXd CoefficientsIn(const Scaling& rows, const Penalty& penalty) const {
    const Index d = scores_.num_features(), n_scores = scores_.size();
    MatrixXd w(rows.num_columns(), n_scores);
    for (Index k = 0; k < n_scores; ++k) {
      for (Index j = 0; j < d; ++j) w(j, k) = rows.unit[j] * scores_.coefficient(j, k);
    }
    if (w.rows() > d) {
      std::vector<double> at_centre(static_cast<std::size_t>(n_scores));
      scores_.Score({rows.centre.data(), static_cast<std::size_t>(d)}, at_centre);
      for (Index k = 0; k < n_scores; ++k) w(d, k) = at_centre[static_cast<std::size_t>(k)];
    }
    for (Index j = 0; n_scores > 1 && j < w.rows(); ++j) {
      if (penalty.l1[j] == 0 && penalty.l2[j] == 0) w.row(j).array() -= w.row(j).mean();
    }
    return w;
  }

  // The best intercepts without any feature.
  static VectorXd LogShares(const PresentClasses& classes, Index n_scores) {
    if (n_scores == 1) {
      return VectorXd::Constant(1, std::log(classes.weight(1) / classes.weight(0)));
    }
    VectorXd logs(n_scores);
    for (Index k = 0; k < n_scores; ++k) logs[k] = std::log(classes.weight(k));
    return (logs.array() - logs.mean()).matrix();
  }

  PresentClasses classes_;
  LinearScores scores_;
  VectorXd sds_;  // of the features
};

}  // namespace
}  // namespace crossfold::bundled

CROSSFOLD_PLUGIN("crossfold.logistic_regression", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::bundled::LogisticRegression)
