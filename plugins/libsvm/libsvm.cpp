// Support vector machines of LIBSVM: see README.md.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../bytes_of_rows.h"
#include "../finite_rows.h"
#include "../sealed_library.h"
#include "../used_rows.h"
#include "crossfold_plugin.hpp"
#include "dense_kernel.h"
#include "svm_machine.h"

namespace crossfold::bundled {
namespace {

namespace cf = crossfold::plugin;

enum class Formulation { kCost, kNu };
enum class GammaRule { kScale, kAuto };
enum class Kernel { kLinear, kPoly, kRbf, kSigmoid };  // in the order of libsvm's kernel types
constexpr std::array<const char*, 2> kFormulationNames = {"cost", "nu"};
constexpr std::array<const char*, 2> kGammaRuleNames = {"scale", "auto"};
constexpr std::array<const char*, 4> kKernelNames = {"linear", "poly", "rbf", "sigmoid"};

// Population variance of all entries together.
double Variance(std::span<const double> entries) {
  const auto n = static_cast<double>(entries.size());
  const double mean = std::accumulate(entries.begin(), entries.end(), 0.0) / n;
  double squares = 0;
  for (const double x : entries) squares += (x - mean) * (x - mean);
  return squares / n;
}

class Libsvm {
 public:
  static constexpr cf::LearnerInfo kInfo{
      .component = {.id = "crossfold.libsvm",
                    .title = "Support vector machine (LIBSVM)",
                    .doc = "Support vector classification, one machine for each pair of classes, "
                           "and support vector regression, by the library LIBSVM.",
                    .source = "C.-C. Chang and C.-J. Lin, LIBSVM: a library for support vector "
                              "machines, ACM Transactions on Intelligent Systems and Technology 2 "
                              "(2011)",
                    .determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_ROW_ORDER},
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS | CF_TASK_REGRESSION,
      .accepts = CF_ACCEPTS_NUMERIC};

  struct Params {
    Formulation formulation = Formulation::kCost;
    Kernel kernel = Kernel::kRbf;
    double c = 1;
    double nu = 0.5;
    double epsilon = 0.1;
    std::optional<double> gamma;
    GammaRule gamma_rule = GammaRule::kScale;
    std::int64_t degree = 3;
    double coef0 = 0;
    bool probability = false;
    double tolerance = 1e-3;
    bool shrinking = true;
    double cache_size = 100;
  };
  static constexpr auto kSchema = cf::Schema(
      cf::Choice("formulation", &Params::formulation, kFormulationNames,
                 "C-SVC and epsilon-SVR (cost), or nu-SVC and nu-SVR (nu)."),
      cf::Choice("kernel", &Params::kernel, kKernelNames, "Kernel between two rows."),
      cf::Real("c", &Params::c, {.low = 0}, "Cost of a row on the wrong side; not used by nu-SVC.",
               {.flags = CF_PF_LOG | CF_PF_LO_OPEN}),
      cf::Real("nu", &Params::nu, {.low = 0, .high = 1},
               "Bound on the share of rows on the wrong side, and on that of support vectors.",
               {.flags = CF_PF_LO_OPEN, .active_if = "formulation=nu"}),
      cf::Real("epsilon", &Params::epsilon, {.low = 0},
               "Half the width of the tube in which errors cost nothing; regression only.",
               {.active_if = "formulation=cost", .unit = "units of the target"}),
      cf::Real("gamma", &Params::gamma, {.low = 0},
               "Factor in the kernels poly, rbf and sigmoid; none = by gamma_rule.",
               {.flags = CF_PF_LOG | CF_PF_LO_OPEN, .active_if = "kernel=poly,rbf,sigmoid"}),
      cf::Choice("gamma_rule", &Params::gamma_rule, kGammaRuleNames,
                 "Value of gamma if it is none: 1 / (features * variance of all entries), or 1 / "
                 "features.",
                 {.active_if = "kernel=poly,rbf,sigmoid"}),
      cf::Integer("degree", &Params::degree, {.low = 1, .high = 1000},
                  "Exponent of the kernel poly.", {.active_if = "kernel=poly"}),
      cf::Real("coef0", &Params::coef0, {}, "Constant in the kernels poly and sigmoid.",
               {.active_if = "kernel=poly,sigmoid"}),
      cf::Boolean("probability", &Params::probability,
                  "Fit Platt's probabilities by an inner 5-fold cross-validation; classification "
                  "only."),
      cf::Real("tolerance", &Params::tolerance, {.low = 0},
               "Violation of the optimality conditions at which the solver stops.",
               {.flags = CF_PF_LOG | CF_PF_LO_OPEN}),
      cf::Boolean("shrinking", &Params::shrinking,
                  "Use the shrinking heuristic: leave out variables that seem to stay at a bound."),
      cf::Real("cache_size", &Params::cache_size, {.low = 1, .high = 1e6},
               "Memory for columns of the kernel matrix.",
               {.flags = CF_PF_NO_EFFECT_ON_RESULT, .unit = "MB"}));

  static Libsvm Fit(const Params& params, const cf::TrainingView& train,
                    const cf::Context& context) {
    Libsvm fitted;
    fitted.n_features_ = train.num_features();
    fitted.n_classes_ = train.num_classes();
    const std::vector<std::int64_t> order = RowsInClassOrder(train);
    const auto d = static_cast<std::size_t>(train.num_features());
    const std::vector<double> entries = InOrder(FiniteRows(train), order, d);
    if (train.is_classification() && train.label(order.front()) == train.label(order.back())) {
      fitted.only_class_ = train.label(order.front());
      return fitted;
    }
    std::vector<double> targets;
    for (const std::int64_t i : order) {
      targets.push_back(train.is_classification() ? train.label(i) : train.value(i));
    }
    fitted.machine_ = Train(MakeParameter(params, train.is_classification(), entries, d), entries,
                            d, targets, context);
    return fitted;
  }

  static std::uint64_t FitBytes(const Params& params, const cf_shape& shape, const cf::Context&) {
    // The entries as doubles, in two orders, and as pairs of index and number, or in panels;
    // columns of the kernel, and all of it.
    const auto n_rows = static_cast<std::size_t>(shape.n_rows);
    const bool has_matrix =
        MayTakeMatrix(n_rows, params.probability && shape.n_classes > 0, params.kernel);
    return BytesOfRows(shape, 32, 160) + static_cast<std::uint64_t>(params.cache_size * 1e6) +
           (has_matrix ? KernelMatrix::BytesOf(n_rows, static_cast<std::size_t>(shape.n_features))
                       : 0);
  }

  cf::ModelShape shape() const { return {.n_features = n_features_, .n_classes = n_classes_}; }
  void Predict(const cf::FeatureView& rows, std::span<double> values,
               const cf::Context& context) const {
    ForEachRow(rows, context, [&](std::size_t i, const svm_node* row) {
      values[i] = svm_predict(&machine_.predictor(), row);
    });
  }

  static bool ReplacesProbabilities(const Params& params) { return !params.probability; }
  // The decision value for two classes. For more, a class has the number of its votes and, as a
  // fraction that can't change their order, the sum of its decision values.
  void PredictScores(const cf::FeatureView& rows, std::span<double> scores,
                     const cf::Context& context) const {
    std::fill(scores.begin(), scores.end(), only_class_ >= 0 ? 0.0 : -1.0);
    const auto n_classes = static_cast<std::size_t>(n_classes_);
    std::vector<double> decisions(machine_.num_pairs()), of_class(machine_.num_classes());
    ForEachRow(rows, context, [&](std::size_t i, const svm_node* row) {
      double* out = scores.data() + i * n_classes;
      if (only_class_ >= 0) {
        out[only_class_] = 1;
        return;
      }
      svm_predict_values(&machine_.predictor(), row, decisions.data());
      ScoreClasses(decisions, of_class);
      for (std::size_t c = 0; c < of_class.size(); ++c) out[machine_.labels()[c]] = of_class[c];
    });
  }

  // Platt's probabilities, or else the shares of the votes of the pairs. The label is the most
  // probable class in both cases, which for votes is libsvm's own rule.
  void PredictProba(const cf::FeatureView& rows, std::span<double> probabilities,
                    const cf::Context& context) const {
    std::fill(probabilities.begin(), probabilities.end(), 0.0);
    const auto n_classes = static_cast<std::size_t>(n_classes_);
    std::vector<double> decisions(machine_.num_pairs()), shares(machine_.num_classes());
    ForEachRow(rows, context, [&](std::size_t i, const svm_node* row) {
      double* out = probabilities.data() + i * n_classes;
      if (only_class_ >= 0) {
        out[only_class_] = 1;
        return;
      }
      if (machine_.has_probabilities()) {
        svm_predict_probability(&machine_.predictor(), row, shares.data());
      } else {
        svm_predict_values(&machine_.predictor(), row, decisions.data());
        CountVotes(decisions, shares);
      }
      const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
      for (std::size_t c = 0; c < shares.size(); ++c) {
        out[machine_.labels()[c]] = shares[c] / total;
      }
    });
  }

  static constexpr std::uint32_t kFormatVersion = 1;

  void Save(cf::Writer& w) const {
    w.Write(n_features_);
    w.Write(n_classes_);
    w.Write(only_class_);
    if (only_class_ < 0) machine_.Save(w);
  }

  static Libsvm Load(cf::Reader& r) {
    Libsvm loaded;
    loaded.n_features_ = r.ReadWithin<std::int64_t>(0, INT32_MAX - 1);
    loaded.n_classes_ = r.ReadWithin<std::int64_t>(0, INT32_MAX);
    loaded.only_class_ =
        r.ReadWithin<std::int32_t>(-1, static_cast<std::int32_t>(loaded.n_classes_) - 1);
    if (loaded.only_class_ >= 0) return loaded;
    loaded.machine_ = SvmMachine::Load(r, loaded.n_features_);
    const bool classifies = loaded.machine_.classifies();
    if (classifies != (loaded.n_classes_ > 0) ||
        (classifies && loaded.machine_.labels().back() >= loaded.n_classes_)) {
      throw cf::Error(CF_E_BAD_BLOB, "the classes of the saved machine are out of range");
    }
    return loaded;
  }

 private:
  static std::vector<double> InOrder(std::span<const double> dense,
                                     std::span<const std::int64_t> order, std::size_t d) {
    std::vector<double> ordered;
    ordered.reserve(dense.size());
    for (const std::int64_t i : order) {
      const auto row = dense.subspan(static_cast<std::size_t>(i) * d, d);
      ordered.insert(ordered.end(), row.begin(), row.end());
    }
    return ordered;
  }

  static svm_parameter MakeParameter(const Params& params, bool classifies,
                                     std::span<const double> entries, std::size_t n_features) {
    const bool nu = params.formulation == Formulation::kNu;
    svm_parameter p{};
    p.svm_type = classifies ? (nu ? NU_SVC : C_SVC) : (nu ? NU_SVR : EPSILON_SVR);
    p.kernel_type = static_cast<int>(params.kernel);
    p.degree = static_cast<int>(params.degree);
    p.coef0 = params.coef0;
    p.cache_size = params.cache_size;
    p.eps = params.tolerance;
    p.C = params.c;
    p.nu = params.nu;
    p.p = params.epsilon;
    p.shrinking = params.shrinking ? 1 : 0;
    p.probability = params.probability && classifies ? 1 : 0;
    p.gamma = params.gamma ? *params.gamma : DefaultGamma(params.gamma_rule, entries, n_features);
    return p;
  }

  static double DefaultGamma(GammaRule rule, std::span<const double> entries,
                             std::size_t n_features) {
    const double share = 1 / static_cast<double>(n_features);
    if (rule == GammaRule::kAuto) return share;
    const double variance = Variance(entries);
    if (!std::isfinite(variance)) {
      throw cf::Error(CF_E_NUMERIC,
                      "the variance of the features exceeds the range of numbers; rescale them");
    }
    return variance > 0 ? share / variance : 1;
  }

  static SvmMachine Train(const svm_parameter& parameter, std::span<const double> entries,
                          std::size_t n_features, std::vector<double>& targets,
                          const cf::Context& context) {
    const std::size_t n = targets.size();
    if (n > INT32_MAX) {
      throw cf::Error(CF_E_UNSUPPORTED_DATA, "libsvm takes at most 2147483647 rows");
    }
    svm_problem problem{static_cast<int>(n), targets.data(), nullptr};
    const SealedCall sealed(context, "libsvm");
    if (const char* const complaint = svm_check_parameter(&problem, &parameter)) {
      throw cf::Error(CF_E_INVALID_PARAM, std::string("libsvm: ") + complaint);
    }
    context.Progress(0);
    svm_parameter solved = parameter;
    std::optional<KernelMatrix> matrix;
    SvmNodes rows;
    std::vector<svm_node*> pointers;
    if (WantsMatrix(parameter, n, entries)) {
      matrix.emplace(parameter, entries, n_features, context);
      solved.kernel_type = PRECOMPUTED;
      pointers = matrix->Rows();
    } else {
      for (std::size_t i = 0; i < n; ++i) rows.AddRow(entries.subspan(i * n_features, n_features));
      pointers = rows.Pointers();
    }
    problem.x = pointers.data();
    const auto destroy = [](svm_model* model) { svm_free_and_destroy_model(&model); };
    const std::unique_ptr<svm_model, decltype(destroy)> trained(svm_train(&problem, &solved),
                                                                destroy);
    SvmMachine machine(*trained, parameter, entries, n_features);
    if (!machine.IsFinite()) {
      throw cf::Error(CF_E_NUMERIC,
                      "the trained machine has numbers that are not finite; rescale the features");
    }
    return machine;
  }

  // The library tests its machines for Platt's probabilities with a formula of rbf that rounds in
  // another way than the one of training, which a matrix can't give.
  static bool MayTakeMatrix(std::size_t n_rows, bool probability, Kernel kernel) {
    return n_rows <= KernelMatrix::kMostRows && !(probability && kernel == Kernel::kRbf);
  }
  static bool WantsMatrix(const svm_parameter& parameter, std::size_t n_rows,
                          std::span<const double> entries) {
    return MayTakeMatrix(n_rows, parameter.probability != 0,
                         static_cast<Kernel>(parameter.kernel_type)) &&
           IsDense(entries);
  }

  // Pairs in libsvm's order: (0,1), (0,2) ... (1,2) ...
  static void CountVotes(std::span<const double> decisions, std::span<double> votes) {
    std::fill(votes.begin(), votes.end(), 0.0);
    std::size_t pair = 0;
    for (std::size_t a = 0; a < votes.size(); ++a) {
      for (std::size_t b = a + 1; b < votes.size(); ++b) votes[decisions[pair++] > 0 ? a : b] += 1;
    }
  }

  static void ScoreClasses(std::span<const double> decisions, std::span<double> scores) {
    if (scores.size() == 2) {
      scores[0] = decisions[0];
      scores[1] = -decisions[0];
      return;
    }
    CountVotes(decisions, scores);
    std::vector<double> sums(scores.size());
    std::size_t pair = 0;
    for (std::size_t a = 0; a < sums.size(); ++a) {
      for (std::size_t b = a + 1; b < sums.size(); ++b, ++pair) {
        sums[a] += decisions[pair];
        sums[b] -= decisions[pair];
      }
    }
    for (std::size_t c = 0; c < sums.size(); ++c) {
      scores[c] += sums[c] / (3 * (1 + std::abs(sums[c])));
    }
  }

  template <class Use>
  void ForEachRow(const cf::FeatureView& rows, const cf::Context& context, Use&& use) const {
    constexpr std::size_t kRowsPerPoll = 64;
    const std::vector<double> dense = FiniteRows(rows);
    const auto n = static_cast<std::size_t>(rows.num_rows());
    const auto d = static_cast<std::size_t>(rows.num_features());
    const SealedCall sealed(context, "libsvm");
    for (std::size_t first = 0; first < n; first += kRowsPerPoll) {
      context.Progress(static_cast<double>(first) / static_cast<double>(n));
      const std::size_t count = std::min(kRowsPerPoll, n - first);
      const auto block = std::span(dense).subspan(first * d, count * d);
      const auto use_one = [&](std::size_t i, const svm_node* row) { use(first + i, row); };
      if (machine_.dense_vectors().num_rows() > 0) {
        ForEachDenseRow(block, use_one);
      } else {
        for (std::size_t i = 0; i < count; ++i) {
          SvmNodes one;
          one.AddRow(block.subspan(i * d, d));
          use_one(i, one.row(0));
        }
      }
    }
  }

  template <class Use>
  void ForEachDenseRow(std::span<const double> rows, Use&& use) const {
    const PanelRows& vectors = machine_.dense_vectors();
    const std::size_t n = rows.size() / vectors.num_features();
    const std::size_t stride = vectors.num_panels() * kPanelRows;
    std::vector<double> values((n + kRowGroup - 1) / kRowGroup * kRowGroup * stride);
    PredictionValues(machine_.model().param, rows, vectors, values.data(), stride);
    std::vector<svm_node> nodes(vectors.num_rows() + 1);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < vectors.num_rows(); ++k) {
        nodes[k + 1].value = values[i * stride + k];
      }
      use(i, nodes.data());
    }
  }

  std::int64_t n_features_ = 0;
  std::int64_t n_classes_ = 0;    // of the dataset; 0 in regression
  std::int32_t only_class_ = -1;  // the only class of the training rows; -1 = there are more
  SvmMachine machine_;            // unused if there is only one class
};

}  // namespace
}  // namespace crossfold::bundled

CROSSFOLD_PLUGIN("crossfold.libsvm", "1.0.0", "The Crossfold Authors", "MIT AND BSD-3-Clause",
                 crossfold::bundled::Libsvm)
