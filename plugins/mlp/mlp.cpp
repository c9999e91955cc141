// Multilayer perceptron: see README.md.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../bytes_of_rows.h"
#include "../class_labels.h"
#include "../feature_text.h"
#include "../fixed_blocks.h"
#include "../moments.h"
#include "../used_rows.h"
#include "../validation_rows.h"
#include "crossfold_plugin.hpp"
#include "network.h"
#include "training.h"

namespace crossfold::bundled::mlp {
namespace {

namespace cf = crossfold::plugin;

constexpr std::array<const char*, 3> kActivationNames = {"relu", "tanh", "logistic"};
constexpr std::array<const char*, 2> kSolverNames = {"adam", "sgd"};
constexpr std::int64_t kMaxLayers = 100;
constexpr std::int64_t kMaxUnits = 100000;
constexpr double kMaxParameters = 1e8;

// The first columns of `out` become these rows of the view.
void CopyRows(const cf::FeatureView& rows, std::span<const std::int64_t> chosen, Matrix& out) {
  for (Index j = 0; j < out.rows(); ++j) {
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      const double x = rows.x(chosen[i], j);
      RequireFinite(rows, j, x);
      out(j, static_cast<Index>(i)) = x;
    }
  }
}

// Weights in units of their mean, so that the length of a step does not depend on their unit.
Vector WeightsOfMeanOne(const cf::TrainingView& train, std::span<const std::int64_t> used) {
  Vector weights(static_cast<Index>(used.size()));
  double total = 0, highest = 0;
  for (const std::int64_t row : used) highest = std::max(highest, train.weight(row));
  for (std::size_t i = 0; i < used.size(); ++i) {
    weights[static_cast<Index>(i)] = train.weight(used[i]) / highest;
    total += weights[static_cast<Index>(i)];
  }
  return weights * (static_cast<double>(used.size()) / total);
}

class Mlp {
 public:
  static constexpr cf::LearnerInfo kInfo{
      .component = {.id = "crossfold.mlp",
                    .title = "Multilayer perceptron",
                    .doc =
                        "A feed-forward neural network with any number of hidden layers, trained "
                        "by mini-batches: softmax and cross-entropy for classes, one linear "
                        "output and the squared error for numbers.",
                    .source = "D. E. Rumelhart, G. E. Hinton and R. J. Williams, Learning "
                              "representations by back-propagating errors, Nature 323 (1986)",
                    .determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_ROW_ORDER},
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS | CF_TASK_REGRESSION,
      .accepts = CF_ACCEPTS_NUMERIC | CF_ACCEPTS_WEIGHTS};

  struct Params : TrainingParams {
    std::vector<std::int64_t> hidden = {100};
    std::optional<std::int64_t> layers;
    std::int64_t units = 100;
    Activation activation = Activation::kRelu;
    bool scale_target = true;
  };
  static constexpr auto kSchema = cf::Schema(
      cf::IntegerList(
          "hidden", &Params::hidden, {.low = 1, .high = kMaxUnits},
          "Number of units of each hidden layer, first layer first; used only if layers is none.",
          {.unit = "units"}),
      cf::Integer("layers", &Params::layers, {.low = 0, .high = kMaxLayers},
                  "Number of hidden layers with `units` units each; none = as given by hidden.",
                  {.unit = "layers"}),
      cf::Integer("units", &Params::units, {.low = 1, .high = kMaxUnits},
                  "Number of units of each hidden layer; used only if layers is given.",
                  {.flags = CF_PF_LOG, .unit = "units"}),
      cf::Choice("activation", &Params::activation, kActivationNames,
                 "Activation function of the hidden units."),
      cf::Choice<Params>("solver", static_cast<Solver Params::*>(&Params::solver), kSolverNames,
                         "Optimizer: adaptive moments, or gradient descent with momentum."),
      cf::Real<Params>("learning_rate", &Params::learning_rate, {.low = 0},
                       "Size of the steps against the gradient.",
                       {.flags = CF_PF_LOG | CF_PF_LO_OPEN}),
      cf::Real<Params>("momentum", &Params::momentum, {.low = 0, .high = 1},
                       "Share of the last step that is added to the next one.",
                       {.flags = CF_PF_HI_OPEN, .active_if = "solver=sgd"}),
      cf::Boolean<Params>(
          "nesterov", &Params::nesterov,
          "Use Nesterov's momentum: take the gradient at the point that the momentum leads to.",
          {.active_if = "solver=sgd"}),
      cf::Real<Params>("beta1", &Params::beta1, {.low = 0, .high = 1},
                       "Decay rate of the mean gradient.",
                       {.flags = CF_PF_HI_OPEN, .active_if = "solver=adam"}),
      cf::Real<Params>("beta2", &Params::beta2, {.low = 0, .high = 1},
                       "Decay rate of the mean squared gradient.",
                       {.flags = CF_PF_HI_OPEN, .active_if = "solver=adam"}),
      cf::Real<Params>("epsilon", &Params::epsilon, {.low = 0},
                       "Added to the root of the mean squared gradient.",
                       {.flags = CF_PF_LOG | CF_PF_LO_OPEN, .active_if = "solver=adam"}),
      cf::Real<Params>("l2", &Params::l2, {.low = 0},
                       "Penalty: l2 / 2 times the sum of the squared weights, added to the mean "
                       "loss.",
                       {.flags = CF_PF_LOG}),
      cf::Integer<Params>("batch_size", &Params::batch_size, {.low = 1},
                          "Number of rows whose gradient makes one step (the mini-batch); all rows "
                          "if there are fewer.",
                          {.flags = CF_PF_LOG, .unit = "rows"}),
      cf::Integer<Params>("epochs", &Params::epochs, {.low = 1},
                          "Maximum number of passes over the training rows.",
                          {.flags = CF_PF_LOG, .unit = "passes"}),
      cf::Boolean<Params>("shuffle", &Params::shuffle, "Shuffle the rows in every epoch."),
      cf::Real<Params>(
          "validation", &Params::validation, {.low = 0, .high = 1},
          "Share of the training rows that is held out for early stopping, after the "
          "transforms are fitted to all of them; 0 = none. Prefer early_stopping_share.",
          {.flags = CF_PF_HI_OPEN, .unit = "share of the training rows"}),
      cf::Integer<Params>("patience", &Params::patience, {.low = 1},
                          "Number of epochs without improvement after which training stops; used "
                          "only with early_stopping_share or validation.",
                          {.unit = "passes"}),
      cf::Real<Params>("min_delta", &Params::min_delta, {.low = 0},
                       "Minimum decrease of the held-out loss that counts as an improvement."),
      cf::Boolean("scale_target", &Params::scale_target,
                  "Standardize a numeric target for training."));

  static Mlp Fit(const Params& params, const cf::TrainingView& train, const cf::Context& context) {
    return FitAfter(nullptr, params, train, nullptr, context);
  }
  static Mlp FitValidated(const Params& params, const cf::TrainingView& train,
                          const cf::TrainingView& validation, const cf::Context& context) {
    if (params.validation > 0) {
      throw cf::Error(
          CF_E_INVALID_PARAM,
          "both validation and early_stopping_share hold rows out; leave out validation");
    }
    return FitAfter(nullptr, params, train, &validation, context);
  }
  static Mlp FitFrom(const Params& params, const cf::TrainingView& train, const Mlp& start,
                     const cf::Context& context) {
    return FitAfter(&start, params, train, nullptr, context);
  }

  static std::uint64_t FitBytes(const Params&, const cf_shape& shape, const cf::Context&) {
    // The scaled entries, and the order of the rows.
    return BytesOfRows(shape, 8, 64);
  }

  cf::ModelShape shape() const {
    return {.n_features = network_.num_inputs(), .n_classes = n_classes_};
  }
  void Predict(const cf::FeatureView& rows, std::span<double> values,
               const cf::Context& context) const {
    ForEachBlock(rows, context, [&](std::size_t first, Index size, Matrix& outputs) {
      for (Index i = 0; i < size; ++i) {
        values[first + static_cast<std::size_t>(i)] = target_mean_ + target_sd_ * outputs(0, i);
      }
    });
  }

  void PredictProba(const cf::FeatureView& rows, std::span<double> probabilities,
                    const cf::Context& context) const {
    std::fill(probabilities.begin(), probabilities.end(), 0.0);
    ForEachBlock(rows, context, [&](std::size_t first, Index size, Matrix& outputs) {
      Network::Softmax(outputs);
      for (Index i = 0; i < size; ++i) {
        double* out = probabilities.data() + (first + static_cast<std::size_t>(i)) * num_classes();
        for (std::size_t c = 0; c < classes_.size(); ++c) {
          out[classes_[c]] = outputs(static_cast<Index>(c), i);
        }
      }
    });
  }

  void AddOnnx(const cf::FeatureView&, cf::OnnxGraph& graph, const cf::Context&) const {
    const auto outputs = network_.AddOnnx(graph);
    if (n_classes_ == 0) {
      const auto scaled = graph.Node("Mul", {outputs, graph.Number(target_sd_)});
      return SetValueOutput(graph, graph.Node("Add", {scaled, graph.Number(target_mean_)}));
    }
    const auto shares = graph.Node("Softmax", {outputs}, {{"axis", 1}});
    SetClassOutputs(graph, SpreadClasses(graph, shares, classes_, num_classes()));
  }

  static constexpr std::uint32_t kFormatVersion = 1;

  void Save(cf::Writer& w) const {
    w.Write(static_cast<std::int32_t>(network_.activation()));
    w.Write(static_cast<std::int32_t>(network_.output()));
    w.Write(n_classes_);
    w.WriteSpan<std::int32_t>(classes_);
    w.Write(target_mean_);
    w.Write(target_sd_);
    const std::vector<std::int64_t> sizes(network_.sizes().begin(), network_.sizes().end());
    w.WriteSpan<std::int64_t>(sizes);
    const Vector& parameters = network_.parameters();
    w.WriteSpan<double>({parameters.data(), static_cast<std::size_t>(parameters.size())});
  }

  static Mlp Load(cf::Reader& r) {
    FixBlockSizes();
    Mlp loaded;
    const auto activation = r.ReadWithin<std::int32_t>(0, kActivationNames.size() - 1);
    const auto output = r.ReadWithin<std::int32_t>(0, 1);
    loaded.n_classes_ = r.ReadWithin<std::int64_t>(0, INT32_MAX);
    loaded.classes_ = r.ReadVector<std::int32_t>();
    loaded.target_mean_ = r.Read<double>();
    loaded.target_sd_ = r.Read<double>();
    const std::vector<std::int64_t> sizes = r.ReadVector<std::int64_t>();
    const std::vector<double> parameters = r.ReadVector<double>();
    const bool fits = loaded.ClassesFit(static_cast<Output>(output), sizes) &&
                      NumParameters(sizes) == static_cast<double>(parameters.size());
    if (!fits) throw cf::Error(CF_E_BAD_BLOB, "the parts of the saved network do not fit together");
    loaded.network_ = Network({sizes.begin(), sizes.end()}, static_cast<Activation>(activation),
                              static_cast<Output>(output));
    loaded.network_.mutable_parameters() =
        Eigen::Map<const Vector>(parameters.data(), static_cast<Index>(parameters.size()));
    return loaded;
  }

 private:
  // The number of rows that go through the network together; the last ones are filled up with
  // zeros, so that the products and their order are the same for any rows.
  static constexpr std::int64_t kBlock = 64;

  // Trains the network of `start`, or a new one. `validation` may be null.
  static Mlp FitAfter(const Mlp* start, const Params& params, const cf::TrainingView& train,
                      const cf::TrainingView* validation, const cf::Context& context) {
    FixBlockSizes();
    const std::vector<std::int64_t> used = UsedRowsById(train);
    Mlp fitted;
    Examples examples = InputsOf(train, used);
    if (train.is_classification()) {
      fitted.n_classes_ = train.num_classes();
      fitted.classes_ = LabelsOf(train, used);
    } else if (params.scale_target) {
      fitted.TakeTargetScale(train, used);
    }
    fitted.SetTargets(train, used, examples);
    Examples held_back;
    if (validation != nullptr) {
      const std::vector<std::int64_t> held = UsedValidationRows(*validation, fitted.classes_);
      held_back = InputsOf(*validation, held);
      fitted.SetTargets(*validation, held, held_back);
    }
    const Index n_outputs =
        train.is_classification() ? static_cast<Index>(fitted.classes_.size()) : Index{1};
    fitted.network_ =
        Network(LayerSizes(params, train.num_features(), n_outputs), params.activation,
                train.is_classification() ? Output::kSoftmax : Output::kIdentity);
    if (start != nullptr) fitted.TakeWeights(*start);
    Trainer(params, examples, std::move(held_back), context, fitted.network_)
        .Train(start == nullptr ? FirstWeights::kDrawn : FirstWeights::kKept);
    return fitted;
  }

  // The rows without their targets.
  static Examples InputsOf(const cf::TrainingView& rows, std::span<const std::int64_t> used) {
    Examples examples;
    examples.inputs.resize(rows.num_features(), static_cast<Index>(used.size()));
    CopyRows(rows, used, examples.inputs);
    examples.weights = WeightsOfMeanOne(rows, used);
    return examples;
  }

  // Those of a network of the same shape. In regression the last layer is restated for the unit of
  // the target here, so that each row is predicted as before.
  void TakeWeights(const Mlp& start) {
    if (classes_ != start.classes_) {
      throw cf::Error(CF_E_INVALID_ARGUMENT,
                      "the training rows have different classes from the model to start from; "
                      "start from a model with the same classes");
    }
    if (network_.sizes() != start.network_.sizes() ||
        network_.activation() != start.network_.activation()) {
      throw cf::Error(CF_E_INVALID_PARAM, "the network would be " + ShapeText(network_) +
                                              ", that of the model to start from is " +
                                              ShapeText(start.network_) +
                                              "; give the same layers and activation");
    }
    Vector& parameters = network_.mutable_parameters();
    parameters = start.network_.parameters();
    if (n_classes_ > 0) return;
    const std::size_t last = network_.num_layers() - 1;
    const double ratio = start.target_sd_ / target_sd_;
    network_.WeightsIn(parameters, last) *= ratio;
    Eigen::Map<Vector> bias = network_.BiasesIn(parameters, last);
    bias = (ratio * bias.array() + (start.target_mean_ - target_mean_) / target_sd_).matrix();
  }

  // "4-100-3 relu".
  static std::string ShapeText(const Network& network) {
    std::string text;
    for (const Index size : network.sizes()) {
      if (!text.empty()) text += '-';
      text += std::to_string(size);
    }
    return text + ' ' + kActivationNames[static_cast<std::size_t>(network.activation())];
  }

  Mlp() : network_({1, 1}, Activation::kRelu, Output::kIdentity) {}

  std::size_t num_classes() const { return static_cast<std::size_t>(n_classes_); }

  // A double, because a product of sizes may exceed every integer.
  static double NumParameters(std::span<const std::int64_t> sizes) {
    double sum = 0;
    for (std::size_t l = 1; l < sizes.size(); ++l) {
      sum += (static_cast<double>(sizes[l - 1]) + 1) * static_cast<double>(sizes[l]);
    }
    return sum;
  }

  static std::vector<Index> LayerSizes(const Params& params, Index n_inputs, Index n_outputs) {
    if (!params.layers && params.hidden.size() > static_cast<std::size_t>(kMaxLayers)) {
      throw cf::Error(CF_E_INVALID_PARAM, "hidden has " + std::to_string(params.hidden.size()) +
                                              " layers, more than " + std::to_string(kMaxLayers));
    }
    std::vector<std::int64_t> sizes = {n_inputs};
    if (params.layers) {
      sizes.insert(sizes.end(), static_cast<std::size_t>(*params.layers), params.units);
    } else {
      sizes.insert(sizes.end(), params.hidden.begin(), params.hidden.end());
    }
    sizes.push_back(n_outputs);
    if (NumParameters(sizes) > kMaxParameters) {
      throw cf::Error(CF_E_INVALID_PARAM,
                      "the network would have more than 100000000 weights; use fewer units");
    }
    return {sizes.begin(), sizes.end()};
  }

  void TakeTargetScale(const cf::TrainingView& train, std::span<const std::int64_t> used) {
    std::vector<double> values, weights;
    for (const std::int64_t row : used) {
      values.push_back(train.value(row));
      weights.push_back(train.weight(row));
    }
    const Moments m = ComputeMoments(values, weights, Denominator::kTotalWeight, "the target");
    target_mean_ = m.mean;
    if (m.sd > 0) target_sd_ = m.sd;
  }

  // The outputs of the network are the classes that the training rows have, or the scaled target.
  void SetTargets(const cf::TrainingView& rows, std::span<const std::int64_t> used,
                  Examples& examples) const {
    if (rows.is_classification()) {
      for (const std::int64_t row : used) {
        examples.classes.push_back(static_cast<Index>(PlaceOf(classes_, rows.label(row))));
      }
      return;
    }
    examples.values.resize(static_cast<Index>(used.size()));
    for (std::size_t i = 0; i < used.size(); ++i) {
      examples.values[static_cast<Index>(i)] = (rows.value(used[i]) - target_mean_) / target_sd_;
    }
  }

  bool ClassesFit(Output output, std::span<const std::int64_t> sizes) const {
    if (sizes.size() < 2 || sizes.size() > static_cast<std::size_t>(kMaxLayers) + 2) return false;
    if (*std::min_element(sizes.begin(), sizes.end()) < 1) return false;
    if (output == Output::kIdentity)
      return n_classes_ == 0 && classes_.empty() && sizes.back() == 1;
    return AreLabels(classes_, n_classes_) &&
           sizes.back() == static_cast<std::int64_t>(classes_.size());
  }

  // Calls use(first row, number of rows, outputs); columns after the number of rows are padding.
  template <class Use>
  void ForEachBlock(const cf::FeatureView& rows, const cf::Context& context, Use&& use) const {
    Matrix inputs = Matrix::Zero(network_.num_inputs(), kBlock);
    std::vector<Matrix> layers;
    std::vector<std::int64_t> chosen;
    for (std::int64_t first = 0; first < rows.num_rows(); first += kBlock) {
      context.Progress(static_cast<double>(first) / static_cast<double>(rows.num_rows()));
      chosen.clear();
      for (std::int64_t i = first; i < std::min(first + kBlock, rows.num_rows()); ++i) {
        chosen.push_back(i);
      }
      const auto size = static_cast<Index>(chosen.size());
      inputs.rightCols(kBlock - size).setZero();
      CopyRows(rows, chosen, inputs);
      network_.Forward(inputs, layers);
      if (!layers.back().leftCols(size).allFinite()) {
        throw cf::Error(CF_E_NUMERIC,
                        "an output of the network exceeds the range of numbers; standardize the "
                        "features");
      }
      use(static_cast<std::size_t>(first), size, layers.back());
    }
  }

  Network network_;
  std::int64_t n_classes_ = 0;         // of the dataset; 0 in regression
  std::vector<std::int32_t> classes_;  // of each output, rising
  double target_mean_ = 0;
  double target_sd_ = 1;
};

}  // namespace
}  // namespace crossfold::bundled::mlp

CROSSFOLD_PLUGIN("crossfold.mlp", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::bundled::mlp::Mlp)
