// A metric in C++: a struct with
//
//   static constexpr cf::MetricInfo kInfo{...};
//   struct Params {...};  static constexpr auto kSchema = cf::Schema(...);
//   static double Score(const Params&, const cf::MetricInput&, const cf::Context&);
//
// Where no value exists it throws cf::Undefined("why"): undefined is never a number.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "crossfold_plugin/capabilities.hpp"
#include "crossfold_plugin/component.hpp"
#include "crossfold_plugin/context.hpp"
#include "crossfold_plugin/metric.h"

namespace crossfold::plugin {

struct MetricInfo {
  ComponentInfo component;
  std::uint32_t needs = 0;     // CF_NEEDS_...
  std::uint32_t tasks = 0;     // CF_TASK_...
  std::int32_t direction = 0;  // +1 higher is better, -1 lower is better
  double worst = -std::numeric_limits<double>::infinity();
  double best = std::numeric_limits<double>::infinity();
};

// Truth and predictions of the same rows. What was declared in `needs` is there; other spans may
// be empty.
class MetricInput {
 public:
  explicit MetricInput(const cf_metric_input& input) : input_(&input) {}

  std::int64_t num_rows() const { return input_->n_rows; }
  std::int64_t num_classes() const { return input_->n_classes; }
  std::string_view class_name(std::int64_t c) const { return input_->class_names[c]; }
  std::span<const std::int32_t> truth_labels() const { return Span(input_->truth_labels); }
  std::span<const double> truth_values() const { return Span(input_->truth_values); }
  std::span<const std::int32_t> labels() const { return Span(input_->labels); }
  std::span<const double> values() const { return Span(input_->values); }
  // Row-major, num_rows x num_classes.
  std::span<const double> probabilities() const {
    if (input_->probabilities == nullptr) return {};
    return {input_->probabilities, static_cast<std::size_t>(input_->n_rows * input_->n_classes)};
  }
  bool has_weights() const { return input_->weights != nullptr; }
  double weight(std::int64_t i) const { return input_->weights ? input_->weights[i] : 1.0; }
  std::span<const std::int64_t> groups() const { return Span(input_->groups); }

 private:
  template <class T>
  std::span<const T> Span(const T* data) const {
    if (data == nullptr) return {};
    return {data, static_cast<std::size_t>(input_->n_rows)};
  }

  const cf_metric_input* input_;
};

namespace internal {

template <class M>
class MetricAdapter {
 public:
  static const cf_metric* Table() {
    static const cf_metric table = Make();
    return &table;
  }

 private:
  static cf_metric Make() {
    cf_metric t{};
    t.struct_size = sizeof(cf_metric);
    t.needs = M::kInfo.needs;
    t.info = MakeInfo<M>();
    t.tasks = M::kInfo.tasks;
    t.direction = M::kInfo.direction;
    t.worst = M::kInfo.worst;
    t.best = M::kInfo.best;
    t.score = &Score;
    t.get_capability = &CheckCapability<M>;
    return t;
  }

  static cf_status CF_CALL Score(const cf_call* call, const cf_arg* args, std::size_t n_args,
                                 const cf_metric_input* input, double* value) {
    *value = std::numeric_limits<double>::quiet_NaN();
    return Guard(call, [&] {
      *value = M::Score(ParamsOf<M>(args, n_args), MetricInput(*input), Context(*call));
    });
  }
};

}  // namespace internal
}  // namespace crossfold::plugin
