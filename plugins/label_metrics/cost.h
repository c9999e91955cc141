// The cost of the predictions, by a matrix of the classes or by costs of each row.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "confusion.h"

namespace crossfold::bundled {

// A metric in units of cost, lower is better. Costs may be negative: a gain.
constexpr plugin::MetricInfo CostInfo(plugin::ComponentInfo component, std::uint32_t needs) {
  return {.component = component,
          .needs = needs,
          .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
          .direction = -1,
          .worst = std::numeric_limits<double>::infinity(),
          .best = -std::numeric_limits<double>::infinity()};
}

// Infinity is the bound of the metric, but no cost is infinite.
inline double CheckedCost(double cost) {
  if (std::isfinite(cost)) return cost;
  throw plugin::Error(CF_E_NUMERIC, "the costs are too large to be summed");
}

class Cost : public Confusion {
 public:
  static constexpr plugin::MetricInfo kInfo = CostInfo(
      {.id = "crossfold.cost",
       .title = "Cost",
       .doc = "Mean cost of the predictions by a cost matrix (row = truth, column = predicted).",
       .source = "C. Elkan, The foundations of cost-sensitive learning, IJCAI 2001, 973-978"},
      CF_NEEDS_LABELS);

  struct Params {
    std::vector<double> matrix;
    bool total = false;
  };
  static constexpr auto kSchema = plugin::Schema(
      plugin::RealList("matrix", &Params::matrix, {},
                       "Costs row by row in class order, one row for each true class; empty = "
                       "those of the dataset."),
      plugin::Boolean("total", &Params::total,
                      "Return the weighted sum over the rows instead of the mean."));

  static void Check(const Params& params, const cf_shape& shape, const plugin::Context&) {
    CheckMatrix(params, shape.n_classes, (shape.flags & CF_SHAPE_HAS_COSTS) != 0);
  }
  static Cost Begin(const Params& params, const plugin::MetricInput& about,
                    const plugin::Context&) {
    CheckMatrix(params, about.num_classes(), !about.costs().empty());
    return Cost(params, about);
  }
  double Finish(const plugin::Context&) const {
    const ConfusionTable table = Table();
    plugin::CompensatedSum sum;
    for (std::size_t t = 0; t < table.size(); ++t) {
      for (std::size_t p = 0; p < table.size(); ++p) {
        sum.Add(table.at(t, p) * costs_[t * table.size() + p]);
      }
    }
    return CheckedCost(total_ ? sum.value() : sum.value() / table.total());
  }

 private:
  Cost(const Params& params, const plugin::MetricInput& about)
      : Confusion(about),
        costs_(params.matrix.empty()
                   ? std::vector<double>(about.costs().begin(), about.costs().end())
                   : params.matrix),
        total_(params.total) {}

  static void CheckMatrix(const Params& params, std::int64_t n_classes, bool data_has_costs) {
    if (params.matrix.empty()) {
      if (data_has_costs) return;
      throw plugin::Error(CF_E_INVALID_ARGUMENT,
                          "there is no cost matrix; give the metric one with matrix = {...} or "
                          "the dataset with costs = {...}");
    }
    const auto size = static_cast<std::int64_t>(params.matrix.size());
    if (size == n_classes * n_classes) return;
    const auto shape = [](std::int64_t k) { return std::to_string(k) + " x " + std::to_string(k); };
    const auto side = static_cast<std::int64_t>(std::llround(std::sqrt(params.matrix.size())));
    throw plugin::Error(
        CF_E_INVALID_ARGUMENT,
        (side * side == size ? "the cost matrix is " + shape(side)
                             : "the cost matrix has " + std::to_string(size) + " entries") +
            ", the " + std::to_string(n_classes) + " classes need " + shape(n_classes));
  }

  std::vector<double> costs_;
  bool total_;
};

class RowCost {
 public:
  static constexpr plugin::MetricInfo kInfo = CostInfo(
      {.id = "crossfold.row_cost",
       .title = "Row cost",
       .doc =
           "Mean cost of the predictions, with costs of predicting each class given for each row.",
       .source = "B. Zadrozny and C. Elkan, Learning and making decisions when costs and "
                 "probabilities are both unknown, KDD 2001, 204-213"},
      CF_NEEDS_LABELS | CF_NEEDS_COSTS);

  struct Params {
    bool total = false;
  };
  static constexpr auto kSchema = plugin::Schema(plugin::Boolean(
      "total", &Params::total, "Return the weighted sum over the rows instead of the mean."));

  static void Check(const Params&, const cf_shape& shape, const plugin::Context&) {
    if ((shape.flags & CF_SHAPE_HAS_ROW_COSTS) == 0) RefuseWithoutCosts();
  }
  static RowCost Begin(const Params& params, const plugin::MetricInput&, const plugin::Context&) {
    return RowCost(params.total);
  }
  void Add(const plugin::MetricInput& block, const plugin::Context&) {
    const std::span<const double> costs = block.row_costs();
    if (costs.empty() && block.num_rows() > 0) RefuseWithoutCosts();
    n_rows_ += block.num_rows();
    for (std::int64_t i = 0; i < block.num_rows(); ++i) {
      const std::int64_t predicted = block.labels()[static_cast<std::size_t>(i)];
      const double cost = costs[static_cast<std::size_t>(i * block.num_classes() + predicted)];
      sum_.Add(block.weight(i) * cost);
      weight_.Add(block.weight(i));
    }
  }
  double Finish(const plugin::Context&) const {
    if (n_rows_ == 0) throw plugin::Undefined("there are no rows");
    if (weight_.value() == 0) throw plugin::Undefined("the weights of all rows are zero");
    return CheckedCost(total_ ? sum_.value() : sum_.value() / weight_.value());
  }

 private:
  explicit RowCost(bool total) : total_(total) {}

  [[noreturn]] static void RefuseWithoutCosts() {
    throw plugin::Error(CF_E_INVALID_ARGUMENT,
                        "the rows have no costs; name the columns that hold them with row_costs = "
                        "{ class = \"column\" }");
  }

  bool total_;
  std::int64_t n_rows_ = 0;
  plugin::CompensatedSum sum_, weight_;
};

}  // namespace crossfold::bundled
