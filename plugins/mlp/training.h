// Training of a Network: mini-batches, the two solvers, early stopping. See README.md.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "crossfold_plugin.hpp"
#include "network.h"

namespace crossfold::bundled::mlp {

enum class FirstWeights { kDrawn, kKept };
enum class Solver : std::int32_t { kAdam, kSgd };

struct TrainingParams {
  Solver solver = Solver::kAdam;
  double learning_rate = 1e-3;
  double momentum = 0.9;  // sgd
  bool nesterov = true;
  double beta1 = 0.9;  // adam
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double l2 = 1e-4;
  std::int64_t batch_size = 200;
  std::int64_t epochs = 200;
  bool shuffle = true;
  double validation = 0;  // share of the rows; 0 = no early stopping
  std::int64_t patience = 10;
  double min_delta = 1e-4;
};

// Changes the parameters by one step against the gradient.
class Optimiser {
 public:
  Optimiser(const TrainingParams& params, Index num_parameters)
      : params_(params), first_(Vector::Zero(num_parameters)) {
    if (params.solver == Solver::kAdam) second_ = Vector::Zero(num_parameters);
  }

  void Step(const Vector& gradient, Vector& parameters) {
    if (params_.solver == Solver::kAdam) {
      StepAdam(gradient, parameters);
    } else {
      StepMomentum(gradient, parameters);
    }
  }

 private:
  // Kingma and Ba 2015, algorithm 1; first_ and second_ are its moments m and v.
  void StepAdam(const Vector& gradient, Vector& parameters) {
    ++num_steps_;
    const auto t = static_cast<double>(num_steps_);
    const double first_share = 1 - std::pow(params_.beta1, t);
    const double second_share = 1 - std::pow(params_.beta2, t);
    first_ = params_.beta1 * first_ + (1 - params_.beta1) * gradient;
    second_ = params_.beta2 * second_ + (1 - params_.beta2) * gradient.cwiseAbs2();
    parameters.array() -= params_.learning_rate * (first_.array() / first_share) /
                          ((second_.array() / second_share).sqrt() + params_.epsilon);
  }

  // first_ is the velocity. Nesterov's form as in Sutskever et al. 2013, in terms of the parameters
  // that are looked ahead to.
  void StepMomentum(const Vector& gradient, Vector& parameters) {
    first_ = params_.momentum * first_ - params_.learning_rate * gradient;
    if (params_.nesterov) {
      parameters += params_.momentum * first_ - params_.learning_rate * gradient;
    } else {
      parameters += first_;
    }
  }

  const TrainingParams& params_;
  Vector first_, second_;
  std::int64_t num_steps_ = 0;
};

// Examples `chosen`, in that order. `out` keeps its memory from call to call.
inline void Gather(const Examples& from, std::span<const Index> chosen, Examples& out) {
  const auto n = static_cast<Index>(chosen.size());
  out.inputs.resize(from.inputs.rows(), n);
  out.weights.resize(n);
  out.values.resize(from.values.size() > 0 ? n : 0);
  out.classes.resize(from.classes.empty() ? 0 : chosen.size());
  for (Index i = 0; i < n; ++i) {
    const Index source = chosen[static_cast<std::size_t>(i)];
    out.inputs.col(i) = from.inputs.col(source);
    out.weights[i] = from.weights[source];
    if (out.values.size() > 0) out.values[i] = from.values[source];
    if (!out.classes.empty()) {
      out.classes[static_cast<std::size_t>(i)] = from.classes[static_cast<std::size_t>(source)];
    }
  }
}

// Keeps the best parameters and reports when there were too many epochs without an improvement.
class EarlyStopping {
 public:
  explicit EarlyStopping(const TrainingParams& params) : params_(params) {}

  // Takes the loss on the held-out rows after an epoch. Returns whether to stop.
  bool Add(double loss, const Vector& parameters) {
    if (loss < best_loss_) {
      best_loss_ = loss;
      best_ = parameters;
    }
    if (loss < reference_ - params_.min_delta) {
      reference_ = loss;
      num_without_ = 0;
      return false;
    }
    return ++num_without_ >= params_.patience;
  }
  const Vector& best() const { return best_; }

 private:
  const TrainingParams& params_;
  double best_loss_ = std::numeric_limits<double>::infinity();
  double reference_ = std::numeric_limits<double>::infinity();
  std::int64_t num_without_ = 0;
  Vector best_;
};

class Trainer {
 public:
  // Changes `network`. `held_back` are the examples for early stopping; without any, the share
  // `validation` of the others is drawn. REQUIRES: at least one example; weights > 0 with the
  // mean 1.
  Trainer(const TrainingParams& params, const Examples& examples, Examples held_back,
          const plugin::Context& context, Network& network)
      : params_(params),
        examples_(examples),
        context_(context),
        network_(network),
        random_(context.MakeRandom()),
        held_back_(std::move(held_back)) {}

  // Trains from weights that are drawn, or from those that the network has.
  void Train(FirstWeights first) {
    HoldBack();
    if (first == FirstWeights::kDrawn) network_.Initialise(random_);
    Optimiser optimiser(params_, network_.parameters().size());
    EarlyStopping stopping(params_);
    for (std::int64_t epoch = 0; epoch < params_.epochs; ++epoch) {
      TrainEpoch(epoch, optimiser);
      if (held_back_.size() > 0 && stopping.Add(HeldBackLoss(epoch), network_.parameters())) break;
    }
    if (held_back_.size() > 0) network_.mutable_parameters() = stopping.best();
    RequireFinite(network_.parameters().allFinite(), params_.epochs);
  }

 private:
  // Draws the rows of the validation; the others stay in order_, in their order.
  void HoldBack() {
    const auto n = static_cast<std::size_t>(examples_.size());
    std::vector<Index> all(n);
    std::iota(all.begin(), all.end(), Index{0});
    const auto n_held =
        static_cast<std::size_t>(std::floor(params_.validation * static_cast<double>(n) + 0.5));
    if (params_.validation > 0 && (n_held == 0 || n_held >= n)) {
      throw plugin::Error(CF_E_INVALID_PARAM,
                          "the validation share leaves " + std::to_string(n - n_held) + " of " +
                              std::to_string(n) + " training rows for training and " +
                              std::to_string(n_held) +
                              " for early stopping; both need at least one");
    }
    if (n_held > 0) {
      random_.Shuffle(std::span<Index>(all));
      Gather(examples_, std::span<const Index>(all).first(n_held), held_back_);
      all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n_held));
      std::sort(all.begin(), all.end());
    }
    order_ = std::move(all);
  }

  void TrainEpoch(std::int64_t epoch, Optimiser& optimiser) {
    if (params_.shuffle) random_.Shuffle(std::span<Index>(order_));
    const auto batch_size = static_cast<std::size_t>(
        std::min(params_.batch_size, static_cast<std::int64_t>(order_.size())));
    for (std::size_t first = 0; first < order_.size(); first += batch_size) {
      const std::size_t size = std::min(batch_size, order_.size() - first);
      context_.Progress((static_cast<double>(epoch) +
                         static_cast<double>(first) / static_cast<double>(order_.size())) /
                        static_cast<double>(params_.epochs));
      Gather(examples_, std::span<const Index>(order_).subspan(first, size), batch_);
      const double loss = network_.LossAndGradient(batch_, static_cast<double>(size), params_.l2,
                                                   layers_, gradient_);
      RequireFinite(std::isfinite(loss), epoch + 1);
      optimiser.Step(gradient_, network_.mutable_parameters());
    }
  }

  // Mean loss, without the penalty of the weights.
  double HeldBackLoss(std::int64_t epoch) {
    network_.Forward(held_back_.inputs, layers_);
    const double loss =
        network_.LossAndOutputDerivatives(held_back_, held_back_.weights.sum(), layers_);
    RequireFinite(std::isfinite(loss), epoch + 1);
    return loss;
  }

  void RequireFinite(bool finite, std::int64_t epoch) const {
    if (finite) return;
    throw plugin::Error(CF_E_NUMERIC, "the training diverged: the loss is not finite in epoch " +
                                          std::to_string(epoch) +
                                          "; lower learning_rate or standardize the features");
  }

  const TrainingParams& params_;
  const Examples& examples_;
  const plugin::Context& context_;
  Network& network_;
  plugin::Random random_;
  Examples held_back_;
  Examples batch_;
  std::vector<Index> order_;  // of the rows that are learned from
  std::vector<Matrix> layers_;
  Vector gradient_;
};

}  // namespace crossfold::bundled::mlp
