// Linear models of LIBLINEAR: see README.md.
#include <linear.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../bytes_of_rows.h"
#include "../class_labels.h"
#include "../finite_rows.h"
#include "../onnx_parts.h"
#include "../sealed_library.h"
#include "../sparse_rows.h"
#include "../used_rows.h"
#include "crossfold_plugin.hpp"

namespace crossfold::bundled {
namespace {

namespace cf = crossfold::plugin;

enum class Solver {
  kL2Logistic,
  kL2LogisticDual,
  kL1Logistic,
  kL2SquaredHinge,
  kL2SquaredHingeDual,
  kL2HingeDual,
  kL1SquaredHinge,
  kCrammerSinger
};
enum class SvrSolver { kL2Squared, kL2SquaredDual, kL2AbsoluteDual };
constexpr std::array<const char*, 8> kSolverNames = {
    "l2_logistic",           "l2_logistic_dual", "l1_logistic",      "l2_squared_hinge",
    "l2_squared_hinge_dual", "l2_hinge_dual",    "l1_squared_hinge", "crammer_singer"};
constexpr std::array<const char*, 3> kSvrSolverNames = {"l2_squared", "l2_squared_dual",
                                                        "l2_absolute_dual"};
// The library's numbers for them, in the same order.
constexpr std::array<int, 8> kSolverTypes = {
    L2R_LR,         L2R_LR_DUAL, L1R_LR, L2R_L2LOSS_SVC, L2R_L2LOSS_SVC_DUAL, L2R_L1LOSS_SVC_DUAL,
    L1R_L2LOSS_SVC, MCSVM_CS};
constexpr std::array<int, 3> kSvrSolverTypes = {L2R_L2LOSS_SVR, L2R_L2LOSS_SVR_DUAL,
                                                L2R_L1LOSS_SVR_DUAL};

bool IsLogistic(int type) { return type == L2R_LR || type == L2R_LR_DUAL || type == L1R_LR; }

using FeatureNodes = SparseRows<feature_node>;

class Liblinear {
 public:
  static constexpr cf::LearnerInfo kInfo{
      .component = {.id = "crossfold.liblinear",
                    .title = "Linear model (LIBLINEAR)",
                    .doc = "Regularised logistic regression, linear support vector classification "
                           "and linear support vector regression, by the library LIBLINEAR.",
                    .source = "R.-E. Fan, K.-W. Chang, C.-J. Hsieh, X.-R. Wang and C.-J. Lin, "
                              "LIBLINEAR: a library for large linear classification, Journal of "
                              "Machine Learning Research 9 (2008)",
                    .determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_ROW_ORDER},
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS | CF_TASK_REGRESSION,
      .accepts = CF_ACCEPTS_NUMERIC};

  struct Params {
    Solver solver = Solver::kL2Logistic;
    SvrSolver svr_solver = SvrSolver::kL2Squared;
    double c = 1;
    double epsilon = 0.1;
    std::optional<double> bias = 1;
    double tolerance = 1e-4;
  };
  static constexpr auto kSchema = cf::Schema(
      cf::Choice("solver", &Params::solver, kSolverNames,
                 "Solver for classification: penalty, loss and form of the problem."),
      cf::Choice("svr_solver", &Params::svr_solver, kSvrSolverNames,
                 "Solver for regression: penalty, loss outside the tube and form of the problem."),
      cf::Real("c", &Params::c, {.low = 0}, "Weight of the losses relative to the penalty.",
               {.flags = CF_PF_LOG | CF_PF_LO_OPEN}),
      cf::Real("epsilon", &Params::epsilon, {.low = 0},
               "Half the width of the tube in which errors cost nothing; regression only.",
               {.unit = "units of the target"}),
      cf::Real("bias", &Params::bias, {.low = 0},
               "Value of a constant feature, whose weight is penalised like the others; none = no "
               "such feature."),
      cf::Real("tolerance", &Params::tolerance, {.low = 0},
               "Stopping tolerance; its meaning depends on the solver.",
               {.flags = CF_PF_LOG | CF_PF_LO_OPEN}));

  static Liblinear Fit(const Params& params, const cf::TrainingView& train,
                       const cf::Context& context) {
    Liblinear fitted;
    fitted.n_features_ = train.num_features();
    fitted.n_classes_ = train.num_classes();
    fitted.bias_ = params.bias.value_or(-1);
    fitted.solver_type_ = train.is_classification()
                              ? kSolverTypes[static_cast<std::size_t>(params.solver)]
                              : kSvrSolverTypes[static_cast<std::size_t>(params.svr_solver)];
    const std::vector<double> dense = FiniteRows(train);
    RequireMeasurable(dense, params.c);
    const std::vector<std::int64_t> order = RowsInClassOrder(train);
    if (train.is_classification() && train.label(order.front()) == train.label(order.back())) {
      fitted.labels_ = {train.label(order.front())};
      return fitted;
    }
    const auto d = static_cast<std::size_t>(train.num_features());
    FeatureNodes rows;
    std::vector<double> targets;
    for (const std::int64_t i : order) {
      rows.AddRow(std::span(dense).subspan(static_cast<std::size_t>(i) * d, d), fitted.bias_);
      targets.push_back(train.is_classification() ? train.label(i) : train.value(i));
    }
    fitted.Train(params, rows, targets, context);
    return fitted;
  }

  static std::uint64_t FitBytes(const Params&, const cf_shape& shape, const cf::Context&) {
    // The entries as doubles and as pairs of index and number.
    return BytesOfRows(shape, 24, 96);
  }

  cf::ModelShape shape() const { return {.n_features = n_features_, .n_classes = n_classes_}; }
  // The library's own rule: the largest decision value, with two classes its sign.
  void Predict(const cf::FeatureView& rows, std::span<std::int32_t> labels,
               const cf::Context& context) const {
    std::vector<double> decisions(num_labels());
    ForEachRow(rows, context, [&](std::size_t i, const model& m, const feature_node* row) {
      labels[i] = Label(m, row, decisions);
    });
  }

  void Predict(const cf::FeatureView& rows, std::span<double> values,
               const cf::Context& context) const {
    ForEachRow(rows, context, [&](std::size_t i, const model& m, const feature_node* row) {
      predict_values(&m, row, &values[i]);
    });
  }

  static bool ReplacesProbabilities(const Params& params) {
    return !IsLogistic(kSolverTypes[static_cast<std::size_t>(params.solver)]);
  }
  // The decision values. A class that the training rows lack has the same score in every row.
  void PredictScores(const cf::FeatureView& rows, std::span<double> scores,
                     const cf::Context& context) const {
    std::fill(scores.begin(), scores.end(), std::numeric_limits<double>::lowest());
    std::vector<double> decisions(num_labels());
    ForEachRow(rows, context, [&](std::size_t i, const model& m, const feature_node* row) {
      double* out = scores.data() + i * static_cast<std::size_t>(n_classes_);
      if (num_labels() == 1) {
        out[labels_.front()] = 0;
        return;
      }
      predict_values(&m, row, decisions.data());
      // With two classes the library has one value, the first class's, but for Crammer and Singer.
      if (num_labels() == 2 && solver_type_ != MCSVM_CS) decisions[1] = -decisions[0];
      for (std::size_t c = 0; c < num_labels(); ++c) out[labels_[c]] = decisions[c];
    });
  }

  // The probabilities of the logistic solvers; the others put 1 on the label.
  void PredictProba(const cf::FeatureView& rows, std::span<double> probabilities,
                    const cf::Context& context) const {
    std::fill(probabilities.begin(), probabilities.end(), 0.0);
    std::vector<double> shares(num_labels());
    ForEachRow(rows, context, [&](std::size_t i, const model& m, const feature_node* row) {
      double* out = probabilities.data() + i * static_cast<std::size_t>(n_classes_);
      if (!IsLogistic(solver_type_) || num_labels() == 1) {
        out[Label(m, row, shares)] = 1;
        return;
      }
      predict_probability(&m, row, shares.data());
      for (std::size_t c = 0; c < num_labels(); ++c) out[labels_[c]] = shares[c];
    });
  }

  void AddOnnx(const cf::FeatureView&, cf::OnnxGraph& graph, const cf::Context&) const {
    if (num_labels() == 1) {
      std::vector<double> only(static_cast<std::size_t>(n_classes_));
      only[static_cast<std::size_t>(labels_.front())] = 1;
      const auto row = graph.Numbers(only, {1, only.size()});
      return SetClassOutputs(graph, OnEveryRow(graph, row));
    }
    const auto decisions = AddDecisions(graph);
    if (n_classes_ == 0) return SetValueOutput(graph, decisions);
    const auto label = AddLabel(graph, decisions);
    graph.SetOutput("label", label);
    graph.SetOutput("probabilities",
                    IsLogistic(solver_type_) ? AddShares(graph, decisions) : AddOnes(graph, label));
  }

  static constexpr std::uint32_t kFormatVersion = 1;

  void Save(cf::Writer& w) const {
    w.Write(n_features_);
    w.Write(n_classes_);
    w.Write(solver_type_);
    w.Write(bias_);
    w.WriteSpan<std::int32_t>(labels_);
    w.WriteSpan<double>(weights_);
  }

  static Liblinear Load(cf::Reader& r) {
    Liblinear loaded;
    loaded.n_features_ = r.ReadWithin<std::int64_t>(0, INT32_MAX - 2);
    loaded.n_classes_ = r.ReadWithin<std::int64_t>(0, INT32_MAX);
    loaded.solver_type_ = r.ReadWithin<int>(0, L2R_L1LOSS_SVR_DUAL);
    loaded.bias_ = r.Read<double>();
    loaded.labels_ = r.ReadVector<std::int32_t>();
    loaded.weights_ = r.ReadVector<double>();
    if (!loaded.PartsFit()) {
      throw cf::Error(CF_E_BAD_BLOB, "the parts of the saved model do not fit together");
    }
    return loaded;
  }

 private:
  // The library multiplies gradients by second derivatives, which gives the fourth power of the
  // features. Its Newton method never ends once a product is not finite.
  static void RequireMeasurable(std::span<const double> dense, double c) {
    double squares = 0;
    for (const double x : dense) squares += x * x;
    if (std::isfinite(squares * squares * c * c)) return;
    throw cf::Error(CF_E_NUMERIC, "the features are too large for products; rescale them");
  }

  std::size_t num_labels() const { return labels_.size(); }

  // `decisions` is scratch space, one number a label.
  std::int32_t Label(const model& m, const feature_node* row, std::span<double> decisions) const {
    if (num_labels() == 1) return labels_.front();
    return static_cast<std::int32_t>(predict_values(&m, row, decisions.data()));
  }

  void Train(const Params& params, FeatureNodes& rows, std::vector<double>& targets,
             const cf::Context& context) {
    if (targets.size() > INT32_MAX) {
      throw cf::Error(CF_E_UNSUPPORTED_DATA, "liblinear takes at most 2147483647 rows");
    }
    std::vector<feature_node*> pointers = rows.Pointers();
    const problem whole{static_cast<int>(targets.size()), static_cast<int>(n_features_) + HasBias(),
                        targets.data(), pointers.data(), bias_};
    parameter wanted{};
    wanted.solver_type = solver_type_;
    wanted.eps = params.tolerance;
    wanted.C = params.c;
    wanted.p = params.epsilon;
    const SealedCall sealed(context, "liblinear");
    if (const char* const complaint = check_parameter(&whole, &wanted)) {
      throw cf::Error(CF_E_INVALID_PARAM, std::string("liblinear: ") + complaint);
    }
    context.Progress(0);
    const auto destroy = [](model* m) { free_and_destroy_model(&m); };
    const std::unique_ptr<model, decltype(destroy)> trained(::train(&whole, &wanted), destroy);
    if (n_classes_ > 0) labels_.assign(trained->label, trained->label + trained->nr_class);
    weights_.assign(trained->w, trained->w + NumWeights());
    for (const double weight : weights_) {
      if (std::isfinite(weight)) continue;
      throw cf::Error(CF_E_NUMERIC, "a weight is not finite; rescale the features");
    }
  }

  int HasBias() const { return bias_ >= 0 ? 1 : 0; }
  std::size_t NumWeights() const {
    const bool one_row = n_classes_ == 0 || (num_labels() == 2 && solver_type_ != MCSVM_CS);
    return (static_cast<std::size_t>(n_features_) + static_cast<std::size_t>(HasBias())) *
           (one_row ? 1 : num_labels());
  }

  bool PartsFit() const {
    const auto is_one_of = [this](std::span<const int> types) {
      return std::find(types.begin(), types.end(), solver_type_) != types.end();
    };
    if (n_classes_ == 0) {
      return is_one_of(kSvrSolverTypes) && labels_.empty() && weights_.size() == NumWeights();
    }
    const std::size_t wanted = num_labels() == 1 ? 0 : NumWeights();
    return is_one_of(kSolverTypes) && num_labels() > 0 && AreLabels(labels_, n_classes_) &&
           weights_.size() == wanted;
  }

  // The model for the library, which has no const; its predictions write nothing here.
  model View() const {
    model m{};
    m.param.solver_type = solver_type_;
    m.nr_class = n_classes_ == 0 ? 2 : static_cast<int>(num_labels());
    m.nr_feature = static_cast<int>(n_features_);
    m.w = const_cast<double*>(weights_.data());
    m.label = const_cast<int*>(labels_.data());
    m.bias = bias_;
    return m;
  }

  template <class Use>
  void ForEachRow(const cf::FeatureView& rows, const cf::Context& context, Use&& use) const {
    constexpr std::size_t kRowsPerPoll = 1024;
    const std::vector<double> dense = FiniteRows(rows);
    const auto n = static_cast<std::size_t>(rows.num_rows());
    const auto d = static_cast<std::size_t>(rows.num_features());
    const SealedCall sealed(context, "liblinear");
    const model m = View();
    FeatureNodes one;
    for (std::size_t i = 0; i < n; ++i) {
      if (i % kRowsPerPoll == 0) {
        context.Progress(static_cast<double>(i) / static_cast<double>(n));
      }
      one.Clear();
      one.AddRow(std::span(dense).subspan(i * d, d), bias_);
      use(i, m, one.row(0));
    }
  }

  // The parts of a graph of ONNX. Decision values: [rows, 1 or labels].
  cf::OnnxGraph::Value AddDecisions(cf::OnnxGraph& graph) const {
    const auto d = static_cast<std::size_t>(n_features_);
    const std::size_t n = weights_.size() / (d + static_cast<std::size_t>(HasBias()));
    const std::span<const double> weights(weights_);
    const auto products =
        graph.Node("MatMul", {graph.Columns(), graph.Numbers(weights.first(d * n), {d, n})});
    if (HasBias() == 0) return products;
    std::vector<double> offsets;
    for (const double weight : weights.subspan(d * n)) offsets.push_back(weight * bias_);
    return graph.Node("Add", {products, graph.Numbers(offsets, {1, n})});
  }
  // [rows]
  cf::OnnxGraph::Value AddLabel(cf::OnnxGraph& graph, const cf::OnnxGraph::Value& decisions) const {
    const std::vector<std::int64_t> labels(labels_.begin(), labels_.end());
    const auto table = graph.Integers(labels, {labels.size()});
    if (weights_.size() == NumWeightsOfOne()) {  // one decision: the first label if it is above 0
      const auto places =
          graph.Node("Cast", {graph.Node("LessOrEqual", {decisions, graph.Number(0)})},
                     {{"to", cf::kOnnxInt64}});
      return graph.Node("Squeeze", {graph.Node("Gather", {table, places}), graph.Axis(1)});
    }
    return graph.Node("Gather", {table, LargestOf(graph, decisions)});
  }
  // [rows, classes]
  cf::OnnxGraph::Value AddShares(cf::OnnxGraph& graph,
                                 const cf::OnnxGraph::Value& decisions) const {
    auto shares = graph.Node("Sigmoid", {decisions});
    if (weights_.size() == NumWeightsOfOne()) {
      const auto rest = graph.Node("Sub", {graph.Number(1), shares});
      shares = graph.Node("Concat", {shares, rest}, {{"axis", 1}});
    } else {
      shares = graph.Node("Div", {shares, SumOfRow(graph, shares)});
    }
    return SpreadClasses(graph, shares, labels_, static_cast<std::size_t>(n_classes_));
  }
  // [rows, classes]: 1 on the label.
  cf::OnnxGraph::Value AddOnes(cf::OnnxGraph& graph, const cf::OnnxGraph::Value& label) const {
    std::vector<std::int64_t> classes(static_cast<std::size_t>(n_classes_));
    std::iota(classes.begin(), classes.end(), 0);
    const auto is_label = graph.Node("Equal", {graph.Node("Unsqueeze", {label, graph.Axis(1)}),
                                               graph.Integers(classes, {1, classes.size()})});
    return graph.Node("Cast", {is_label}, {{"to", cf::kOnnxDouble}});
  }
  std::size_t NumWeightsOfOne() const {
    return static_cast<std::size_t>(n_features_) + static_cast<std::size_t>(HasBias());
  }

  std::int64_t n_features_ = 0;
  std::int64_t n_classes_ = 0;  // of the dataset; 0 in regression
  int solver_type_ = L2R_LR;
  double bias_ = -1;                  // < 0 = none
  std::vector<std::int32_t> labels_;  // the classes of the training rows
  std::vector<double> weights_;       // the library's order; empty if there is only one class
};

}  // namespace
}  // namespace crossfold::bundled

CROSSFOLD_PLUGIN("crossfold.liblinear", "1.0.0", "The Crossfold Authors", "MIT AND BSD-3-Clause",
                 crossfold::bundled::Liblinear)
