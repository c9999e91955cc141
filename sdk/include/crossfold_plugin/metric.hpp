// A metric in C++ is a struct M with
//
//   static constexpr cf::MetricInfo kInfo{.component = {.id = "org.example.m"}, .direction = +1};
//   struct Params { bool skip = false; };
//   static constexpr auto kSchema =
//       cf::Schema(cf::Boolean("skip", &Params::skip, "Leave out classes without rows."));
//
// and either
//
//   static double Score(const Params&, const cf::MetricInput&, const cf::Context&);
//
// or, if it can take the rows block by block (the struct then holds what it has counted so far),
//
//   static M Begin(const Params&, const cf::MetricInput& no_rows, const cf::Context&);
//   void Add(const cf::MetricInput& block, const cf::Context&);
//   double Finish(const cf::Context&) const;
//
// These three give it crossfold.accumulate/1: the host shows a block to all metrics before the next
// one, so that they share one pass over memory. The value must not depend on where blocks end: add
// row after row.
//
// Where there is no value it throws cf::Undefined("why"): undefined is never a number. What
// parameters and classes alone decide belongs in Check (see capability/check.hpp), which refuses a
// metric before anything runs. The test header_examples compiles these lines, as it does those of
// all headers here.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

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
  // The rows (and rows of the rarest class) that a test set needs for the mean over test sets to be
  // the score of all rows: crossfold.test-size/1. 0 = any number, as for a mean over rows.
  std::int64_t least_rows = 0, least_class_rows = 0;
};

// Truth and predictions of the same rows. The spans that `needs` declares are there; others may be
// empty.
class MetricInput {
 public:
  explicit MetricInput(const cf_metric_input& input) : input_(&input) {}

  std::int64_t num_rows() const { return input_->n_rows; }
  std::int64_t num_classes() const { return input_->n_classes; }
  std::string_view class_name(std::int64_t c) const { return input_->class_names[c]; }
  const char* const* class_names() const { return input_->class_names; }
  std::span<const std::int32_t> truth_labels() const { return Span(input_->truth_labels); }
  std::span<const double> truth_values() const { return Span(input_->truth_values); }
  std::span<const std::int32_t> labels() const { return Span(input_->labels); }
  std::span<const double> values() const { return Span(input_->values); }
  // Whether probabilities() are scores of any size, which only a metric with CF_TAKES_SCORES gets.
  bool has_scores() const { return (input_->flags & CF_INPUT_HAS_SCORES) != 0; }
  // Row-major, num_rows x num_classes.
  std::span<const double> probabilities() const {
    if (input_->probabilities == nullptr) return {};
    return {input_->probabilities, static_cast<std::size_t>(input_->n_rows * input_->n_classes)};
  }
  bool has_weights() const { return input_->weights != nullptr; }
  double weight(std::int64_t i) const { return input_->weights ? input_->weights[i] : 1.0; }
  std::span<const std::int64_t> groups() const { return Span(input_->groups); }
  // num_classes x num_classes, row = truth, column = predicted. Empty = the data has no cost
  // matrix.
  std::span<const double> costs() const {
    return Block(input_->costs, input_->n_classes * input_->n_classes);
  }
  // num_rows x num_classes, the cost of predicting a class in a row. Empty = the data has none.
  std::span<const double> row_costs() const {
    return Block(input_->row_costs, input_->n_rows * input_->n_classes);
  }
  // The summed weight of each class in the training rows. Empty = not known.
  std::span<const double> training_class_weights() const {
    return Block(input_->training_class_weights, input_->n_classes);
  }
  // Weighted mean of the target in the training rows. NaN = not known.
  double training_mean() const { return input_->training_mean; }

 private:
  static std::span<const double> Block(const double* data, std::int64_t size) {
    if (data == nullptr) return {};
    return {data, static_cast<std::size_t>(size)};
  }
  template <class T>
  std::span<const T> Span(const T* data) const {
    if (data == nullptr) return {};
    return {data, static_cast<std::size_t>(input_->n_rows)};
  }

  const cf_metric_input* input_;
};

template <class M>
concept Accumulates = requires(const typename M::Params& p, const MetricInput& in, const Context& c,
                               M& m) {
  { M::Begin(p, in, c) } -> std::same_as<M>;
  m.Add(in, c);
  { std::as_const(m).Finish(c) } -> std::same_as<double>;
};

namespace internal {

// True if M has a function of that name (not overloaded), whatever its arguments.
template <class M>
concept NamesBegin = Accumulates<M> || requires {
  &M::Begin;
};

// Returns the same input without rows.
inline cf_metric_input WithoutRows(const cf_metric_input& input) {
  cf_metric_input about = input;
  about.n_rows = 0;
  about.truth_labels = about.labels = nullptr;
  about.truth_values = about.values = about.probabilities = about.weights = nullptr;
  about.groups = nullptr;
  about.row_costs = nullptr;
  return about;
}

template <class M>
class AccumulateCalls {
 public:
  static const cf_cap_accumulate* Table() {
    static_assert(Accumulates<M>,
                  "A metric with Begin needs: static M Begin(const Params&, const MetricInput&, "
                  "const Context&); void Add(const MetricInput&, const Context&); double "
                  "Finish(const Context&) const");
    static const cf_cap_accumulate table{
        sizeof(cf_cap_accumulate), 0, &Begin, &Add, &Finish, &Destroy};
    return &table;
  }

 private:
  static cf_status CF_CALL Begin(const cf_call* call, const cf_arg* args, std::size_t n_args,
                                 const cf_metric_input* about, cf_accumulator** out) {
    *out = nullptr;
    return Guard(call, [&] {
      M begun = M::Begin(ParamsOf<M>(args, n_args), MetricInput(*about), Context(*call));
      *out = reinterpret_cast<cf_accumulator*>(new M(std::move(begun)));
    });
  }
  static cf_status CF_CALL Add(const cf_call* call, cf_accumulator* to,
                               const cf_metric_input* block) {
    return Guard(call, [&] { reinterpret_cast<M*>(to)->Add(MetricInput(*block), Context(*call)); });
  }
  static cf_status CF_CALL Finish(const cf_call* call, cf_accumulator* of, double* value) {
    *value = std::numeric_limits<double>::quiet_NaN();
    return Guard(call, [&] { *value = reinterpret_cast<const M*>(of)->Finish(Context(*call)); });
  }
  static void CF_CALL Destroy(const cf_info*, cf_accumulator* one) {
    delete reinterpret_cast<M*>(one);
  }
};

// The score of a metric that counts blocks: all rows are one block.
inline cf_status ScoreOneBlock(const cf_cap_accumulate& metric, const cf_call* call,
                               const cf_arg* args, std::size_t n_args, const cf_metric_input& input,
                               double* value) {
  const cf_metric_input about = WithoutRows(input);
  cf_accumulator* counted = nullptr;
  cf_status status = metric.begin(call, args, n_args, &about, &counted);
  if (status == CF_OK) status = metric.add(call, counted, &input);
  if (status == CF_OK) status = metric.finish(call, counted, value);
  if (counted != nullptr) metric.destroy(nullptr, counted);
  return status;
}

template <class M>
const void* CF_CALL MetricCapability(const cf_info* self, const char* id) {
  const std::string_view wanted = id;
  if constexpr (NamesBegin<M>) {
    if (wanted == CF_CAP_ACCUMULATE) return AccumulateCalls<M>::Table();
  }
  if constexpr (M::kInfo.least_rows > 0 || M::kInfo.least_class_rows > 0) {
    static constexpr cf_cap_test_size kSize{sizeof(cf_cap_test_size), 0, M::kInfo.least_rows,
                                            M::kInfo.least_class_rows};
    if (wanted == CF_CAP_TEST_SIZE) return &kSize;
  }
  return CheckCapability<M>(self, id);
}

template <class M>
class MetricAdapter {
 public:
  static const cf_metric* Table() {
    static const cf_metric table = Make();
    return &table;
  }

 private:
  [[gnu::cold]] static cf_metric Make() {
    cf_metric t{};
    t.struct_size = sizeof(cf_metric);
    t.needs = M::kInfo.needs;
    t.info = MakeInfo<M>();
    t.tasks = M::kInfo.tasks;
    t.direction = M::kInfo.direction;
    t.worst = M::kInfo.worst;
    t.best = M::kInfo.best;
    t.score = &Score;
    t.get_capability = &MetricCapability<M>;
    return t;
  }

  static cf_status CF_CALL Score(const cf_call* call, const cf_arg* args, std::size_t n_args,
                                 const cf_metric_input* input, double* value) {
    *value = std::numeric_limits<double>::quiet_NaN();
    if constexpr (NamesBegin<M>) {
      return ScoreOneBlock(*AccumulateCalls<M>::Table(), call, args, n_args, *input, value);
    } else {
      return Guard(call, [&] {
        *value = M::Score(ParamsOf<M>(args, n_args), MetricInput(*input), Context(*call));
      });
    }
  }
};

}  // namespace internal
}  // namespace crossfold::plugin
