// A splitter in C++ is a struct with
//
//   static constexpr cf::SplitterInfo kInfo{.component = {.id = "org.example.s"}};
//   struct Params { std::int64_t folds = 10; };
//   static constexpr auto kSchema =
//       cf::Schema(cf::Integer("folds", &Params::folds, {.low = 2}, "Number of folds."));
//   static void Split(const Params&, const cf::SplitInput&, cf::SplitSink&, const cf::Context&);
//
// It emits every split or throws: it never gives fewer than requested.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "crossfold_plugin/capabilities.hpp"
#include "crossfold_plugin/component.hpp"
#include "crossfold_plugin/context.hpp"
#include "crossfold_plugin/splitter.h"

namespace crossfold::plugin {

struct SplitterInfo {
  ComponentInfo component;
  std::uint32_t uses = 0;  // CF_SPLIT_USES_... that it cannot do without
};

// The rows to split, numbered 0 .. num_rows()-1. Spans that do not apply are empty.
class SplitInput {
 public:
  explicit SplitInput(const cf_split_input& input) : input_(&input) {}

  std::int64_t num_rows() const { return input_->n_rows; }
  std::int64_t num_classes() const { return input_->n_classes; }
  std::string_view class_name(std::int64_t c) const { return input_->class_names[c]; }
  // An empty span may also mean that there are no rows; these functions tell the difference.
  bool has_labels() const { return input_->labels != nullptr; }
  bool has_values() const { return input_->values != nullptr; }
  bool has_groups() const { return input_->groups != nullptr; }
  bool has_strata() const {
    return CF_HAS(input_, cf_split_input, strata) && input_->strata != nullptr;
  }
  std::span<const std::int32_t> labels() const { return Span(input_->labels); }
  std::span<const double> values() const { return Span(input_->values); }
  std::span<const double> weights() const { return Span(input_->weights); }
  std::span<const std::int64_t> groups() const { return Span(input_->groups); }
  std::span<const double> time() const { return Span(input_->time); }
  // The same times as whole ticks; empty = the doubles are exact. Compare times by these.
  std::span<const std::int64_t> time_exact() const {
    return Span(CF_HAS(input_, cf_split_input, time_exact) ? input_->time_exact : nullptr);
  }
  // The unit of time_exact(), in seconds; NaN = not known.
  double seconds_per_tick() const { return input_->seconds_per_tick; }
  std::span<const std::int64_t> folds() const { return Span(input_->folds); }
  // The codes of the column that the data names for stratifying. Empty = none.
  std::span<const std::int64_t> strata() const {
    return Span(has_strata() ? input_->strata : nullptr);
  }

 private:
  template <class T>
  std::span<const T> Span(const T* data) const {
    if (data == nullptr) return {};
    return {data, static_cast<std::size_t>(input_->n_rows)};
  }

  const cf_split_input* input_;
};

// The sink of splits: either partitions or explicit splits, not both. The host copies everything.
class SplitSink {
 public:
  explicit SplitSink(const cf_split_sink& sink) : sink_(&sink) {}

  // Emits one repeat: split f tests the rows with fold f and trains on the others; -1 = always
  // trained on. Every fold 0 .. n_folds-1 must have a row.
  void EmitPartition(std::span<const std::int32_t> fold_of_row, std::int32_t n_folds) {
    Require(sink_->emit_partition(sink_, fold_of_row.data(),
                                  static_cast<std::int64_t>(fold_of_row.size()), n_folds));
  }
  void EmitSplit(std::span<const std::int64_t> train, std::span<const std::int64_t> test) {
    Require(sink_->emit_split(sink_, train.data(), static_cast<std::int64_t>(train.size()),
                              test.data(), static_cast<std::int64_t>(test.size())));
  }

 private:
  static void Require(cf_status status) {
    if (status != CF_OK) throw Error(status, "the host refused the split");
  }

  const cf_split_sink* sink_;
};

namespace internal {

template <class S>
class SplitterAdapter {
 public:
  static const cf_splitter* Table() {
    static const cf_splitter table = Make();
    return &table;
  }

 private:
  [[gnu::cold]] static cf_splitter Make() {
    static_assert(!NamesCheck<S>, "no host calls Check of a splitter: Split checks what it needs");
    cf_splitter t{};
    t.struct_size = sizeof(cf_splitter);
    t.uses = S::kInfo.uses;
    t.info = MakeInfo<S>();
    t.split = &Split;
    return t;
  }

  static cf_status CF_CALL Split(const cf_call* call, const cf_arg* args, std::size_t n_args,
                                 const cf_split_input* input, const cf_split_sink* sink) {
    return Guard(call, [&] {
      SplitSink out(*sink);
      S::Split(ParamsOf<S>(args, n_args), SplitInput(*input), out, Context(*call));
    });
  }
};

}  // namespace internal
}  // namespace crossfold::plugin
