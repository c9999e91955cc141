// A multilayer perceptron: its shape, its parameters, its outputs, and its loss with the gradient
// by backpropagation (Rumelhart, Hinton and Williams 1986). See README.md.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "../matrices.h"
#include "../onnx_parts.h"
#include "../softmax.h"
#include "crossfold_plugin.hpp"

namespace crossfold::bundled::mlp {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;  // examples are columns
using Vector = Eigen::VectorXd;

enum class Activation : std::int32_t { kRelu, kTanh, kLogistic };
enum class Output : std::int32_t { kSoftmax, kIdentity };  // classes, one value

// Rows as examples for the network.
struct Examples {
  Matrix inputs;               // features x examples
  std::vector<Index> classes;  // kSoftmax: the output that should be 1
  Vector values;               // kIdentity
  Vector weights;              // of the losses

  Index size() const { return inputs.cols(); }
};

// Weights and biases are in one vector, layer by layer: the weights (outputs x inputs of the layer,
// column by column), then the biases. So an optimiser, a copy or a file does not need to know the
// layers.
class Network {
 public:
  // `sizes`: inputs, hidden layers, outputs. All parameters are 0.
  Network(std::vector<Index> sizes, Activation activation, Output output)
      : sizes_(std::move(sizes)), activation_(activation), output_(output) {
    Index end = 0;
    for (std::size_t l = 0; l < num_layers(); ++l) {
      offsets_.push_back(end);
      end += num_weights(l) + sizes_[l + 1];
    }
    parameters_ = Vector::Zero(end);
  }

  std::size_t num_layers() const { return sizes_.size() - 1; }
  const std::vector<Index>& sizes() const { return sizes_; }
  Index num_inputs() const { return sizes_.front(); }
  Index num_outputs() const { return sizes_.back(); }
  Activation activation() const { return activation_; }
  Output output() const { return output_; }
  const Vector& parameters() const { return parameters_; }
  Vector& mutable_parameters() { return parameters_; }

  // Layer l of any vector that is laid out like the parameters.
  Eigen::Map<const Matrix> WeightsIn(const Vector& parameters, std::size_t l) const {
    return {parameters.data() + offsets_[l], sizes_[l + 1], sizes_[l]};
  }
  Eigen::Map<Matrix> WeightsIn(Vector& parameters, std::size_t l) const {
    return {parameters.data() + offsets_[l], sizes_[l + 1], sizes_[l]};
  }
  Eigen::Map<const Vector> BiasesIn(const Vector& parameters, std::size_t l) const {
    return {parameters.data() + offsets_[l] + num_weights(l), sizes_[l + 1]};
  }
  Eigen::Map<Vector> BiasesIn(Vector& parameters, std::size_t l) const {
    return {parameters.data() + offsets_[l] + num_weights(l), sizes_[l + 1]};
  }

  // Weights uniform within +-limit, biases 0. Layers that a relu follows: limit^2 = 6 / inputs (He
  // et al. 2015); the others: 6 / (inputs + outputs) (Glorot and Bengio 2010).
  void Initialise(plugin::Random& random) {
    for (std::size_t l = 0; l < num_layers(); ++l) {
      const bool relu = l + 1 < num_layers() && activation_ == Activation::kRelu;
      const Index fan = relu ? sizes_[l] : sizes_[l] + sizes_[l + 1];
      const double limit = std::sqrt(6.0 / static_cast<double>(fan));
      Eigen::Map<Matrix> weights = WeightsIn(parameters_, l);
      for (Index k = 0; k < weights.size(); ++k) {
        weights.data()[k] = limit * (2 * random.Uniform() - 1);
      }
      BiasesIn(parameters_, l).setZero();
    }
  }

  // Computes the output of every layer for the inputs, with examples as columns. The last one is
  // the output before the softmax. `layers` keeps its memory from call to call.
  void Forward(const Matrix& inputs, std::vector<Matrix>& layers) const {
    layers.resize(num_layers());
    for (std::size_t l = 0; l < num_layers(); ++l) {
      const Matrix& below = l == 0 ? inputs : layers[l - 1];
      layers[l].resize(sizes_[l + 1], below.cols());
      SetProduct(WeightsIn(parameters_, l), below, layers[l]);
      layers[l].colwise() += BiasesIn(parameters_, l);
      if (l + 1 < num_layers()) Activate(layers[l]);
    }
  }

  // Adds the outputs of the last layer, before any softmax, to a graph: [rows, num_outputs()].
  OnnxValue AddOnnx(plugin::OnnxGraph& graph) const {
    OnnxValue x = graph.Columns();
    for (std::size_t l = 0; l < num_layers(); ++l) {
      // Column by column, weights of outputs x inputs are inputs x outputs in row-major order.
      const auto weights = WeightsIn(parameters_, l);
      const auto biases = BiasesIn(parameters_, l);
      const auto n_in = static_cast<std::size_t>(weights.cols());
      const auto n_out = static_cast<std::size_t>(weights.rows());
      const OnnxValue product =
          graph.Node("MatMul", {x, graph.Numbers({weights.data(), n_in * n_out}, {n_in, n_out})});
      x = graph.Node("Add", {product, graph.Numbers({biases.data(), n_out}, {1, n_out})});
      constexpr std::array<const char*, 3> kOperators = {"Relu", "Tanh", "Sigmoid"};
      if (l + 1 < num_layers()) {
        x = graph.Node(kOperators[static_cast<std::size_t>(activation_)], {x});
      }
    }
    return x;
  }

  // Turns each column into probabilities; returns the logarithms of the sums that divide it, so
  // that log p = z - log_sum, however small p is.
  static Vector Softmax(Matrix& columns) {
    Vector log_sums(columns.cols());
    for (Index i = 0; i < columns.cols(); ++i) {
      log_sums[i] = bundled::Softmax(
          std::span<double>(columns.col(i).data(), static_cast<std::size_t>(columns.rows())));
    }
    return log_sums;
  }

  // The weighted sum of the examples' losses over `divisor`: cross-entropy, or half the squared
  // error. Leaves in layers.back() its derivatives by the last layer's outputs. REQUIRES:
  // Forward(examples.inputs, layers).
  double LossAndOutputDerivatives(const Examples& examples, double divisor,
                                  std::vector<Matrix>& layers) const {
    Matrix& out = layers.back();
    double loss = 0;
    if (output_ == Output::kIdentity) {
      for (Index i = 0; i < out.cols(); ++i) {
        const double error = out(0, i) - examples.values[i];
        loss += examples.weights[i] * error * error / 2;
        out(0, i) = examples.weights[i] * error / divisor;
      }
      return loss / divisor;
    }
    Vector wanted(out.cols());
    for (Index i = 0; i < out.cols(); ++i) wanted[i] = out(Class(examples, i), i);
    const Vector log_sums = Softmax(out);
    for (Index i = 0; i < out.cols(); ++i) {
      loss += examples.weights[i] * (log_sums[i] - wanted[i]);
      out(Class(examples, i), i) -= 1;
      out.col(i) *= examples.weights[i] / divisor;
    }
    return loss / divisor;
  }

  // The loss above plus l2 / 2 times the sum of the squared weights (not of the biases), and its
  // gradient by the parameters. `layers` is scratch space.
  double LossAndGradient(const Examples& examples, double divisor, double l2,
                         std::vector<Matrix>& layers, Vector& gradient) const {
    Forward(examples.inputs, layers);
    double loss = LossAndOutputDerivatives(examples, divisor, layers);
    gradient.resize(parameters_.size());
    for (std::size_t l = num_layers(); l-- > 0;) {
      const Matrix& deltas = layers[l];
      const auto weights = WeightsIn(parameters_, l);
      auto slope = WeightsIn(gradient, l);
      SetOuterProduct(deltas, l == 0 ? examples.inputs : layers[l - 1], slope);
      slope += l2 * weights;
      loss += l2 / 2 * weights.squaredNorm();
      BiasesIn(gradient, l) = deltas.rowwise().sum();
      if (l > 0) {
        const Matrix back = CrossProduct(weights, deltas);
        TimesSlope(back, layers[l - 1]);
      }
    }
    return loss;
  }

 private:
  Index num_weights(std::size_t l) const { return sizes_[l] * sizes_[l + 1]; }
  static Index Class(const Examples& examples, Index i) {
    return examples.classes[static_cast<std::size_t>(i)];
  }

  void Activate(Matrix& z) const {
    double* values = z.data();
    switch (activation_) {
      case Activation::kRelu:  // a NaN stays one
        for (Index k = 0; k < z.size(); ++k) values[k] = values[k] < 0 ? 0 : values[k];
        return;
      case Activation::kTanh:
        for (Index k = 0; k < z.size(); ++k) values[k] = std::tanh(values[k]);
        return;
      case Activation::kLogistic:
        for (Index k = 0; k < z.size(); ++k) values[k] = 1 / (1 + std::exp(-values[k]));
        return;
    }
  }

  // Replaces the outputs of an activation by `back` times its slope there.
  void TimesSlope(const Matrix& back, Matrix& outputs) const {
    double* a = outputs.data();
    const double* b = back.data();
    switch (activation_) {
      case Activation::kRelu:
        for (Index k = 0; k < outputs.size(); ++k) a[k] = a[k] > 0 ? b[k] : 0;
        return;
      case Activation::kTanh:
        for (Index k = 0; k < outputs.size(); ++k) a[k] = b[k] * (1 - a[k] * a[k]);
        return;
      case Activation::kLogistic:
        for (Index k = 0; k < outputs.size(); ++k) a[k] = b[k] * a[k] * (1 - a[k]);
        return;
    }
  }

  std::vector<Index> sizes_;
  std::vector<Index> offsets_;  // of each layer's weights among the parameters
  Activation activation_;
  Output output_;
  Vector parameters_;
};

}  // namespace crossfold::bundled::mlp
