#include "check/trial.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "check/metric_calls.h"
#include "check/probe_call.h"
#include "check/source_calls.h"
#include "check/split_calls.h"
#include "check/subject.h"
#include "engine/text/format_number.h"

namespace crossfold::check {

namespace {

constexpr std::int64_t kRows = 30;

TrialResult Ended(const Reply& reply) { return {reply, FindImproper(reply), {}}; }

// Of a column that a transform made of data without missing entries.
std::string FindNotFinite(const Applied& applied) {
  if (!applied.problem.empty()) return applied.problem;
  for (const Applied::Column& column : applied.columns) {
    for (std::size_t i = 0; i < column.entries.size(); ++i) {
      if (std::isfinite(column.entries[i])) continue;
      return "entry " + std::to_string(i) + " of '" + column.name + "' is " +
             FormatShortest(column.entries[i]);
    }
  }
  return "";
}

TrialResult RunModel(const DataPtr& data, const Spec& spec, const ProbeOptions& options) {
  const Answer answer = FitAsk(spec, AllRows(data), AllRows(data), options);
  TrialResult result = Ended(answer.reply);
  if (!answer.reply.ok()) return result;
  result.problem = spec.component().learner != nullptr
                       ? FindUnusable(answer.predicted, data->num_classes())
                       : FindNotFinite(answer.applied);
  result.numbers = NumbersOf(answer);
  return result;
}

// On the first data that are not refused (see ShapesToTry); on the first ones if all are.
TrialResult RunLearner(const std::vector<DataPtr>& data, const Spec& spec,
                       const ProbeOptions& options) {
  TrialResult first = RunModel(data.front(), spec, options);
  if (first.reply.status != CF_E_UNSUPPORTED_DATA) return first;
  for (std::size_t i = 1; i < data.size(); ++i) {
    TrialResult result = RunModel(data[i], spec, options);
    if (result.reply.status != CF_E_UNSUPPORTED_DATA) return result;
  }
  return first;
}

TrialResult TrySplit(const SplitRoles& roles, const Spec& spec, const ProbeOptions& options) {
  const Emitted emitted = Split(spec, roles, options);
  TrialResult result = Ended(emitted.reply);
  if (!emitted.reply.ok()) return result;
  result.problem = FindProblem(emitted);
  if (!result.problem.empty()) return result;
  for (const SplitRows& split : emitted.Splits()) {
    result.numbers.push_back(static_cast<double>(split.train.size()));
    for (const auto* rows : {&split.train, &split.test}) {
      result.numbers.insert(result.numbers.end(), rows->begin(), rows->end());
    }
  }
  return result;
}

TrialResult TryScore(const MetricRows& rows, const Spec& spec, const ProbeOptions& options) {
  const Scored scored = Score(spec, rows, options);
  TrialResult result = Ended(scored.reply);
  if (!scored.ok()) return result;
  result.problem = FindUnusable(scored, *spec.component().metric);
  result.numbers = {scored.value};
  return result;
}

// What the file needs overrides settings of `spec`, if the two go together.
TrialResult TryRead(const Sample& sample, const Spec& spec, const ProbeOptions& options) {
  const SpecPtr merged = SpecWith(spec, sample.spec->given());
  const SourceRead read = ReadSource(merged == nullptr ? spec : *merged, sample.path, options);
  TrialResult result{read.reply, FindImproperReading(read), {}};
  if (read.ok()) result.numbers = NumbersOf(read);
  return result;
}

}  // namespace

Trials::Trials(CheckContext& context) {
  const Component& component = context.component();
  const std::uint64_t seed = context.SeedOf("data");
  if (component.kind == Kind::kSplitter) {
    for (const SplitShape& shape : EverySplitShape(component, kRows)) {
      names_.push_back(Describe(shape));
      roles_.push_back(MakeRoles(shape, seed));
    }
  } else if (component.kind == Kind::kSource) {
    samples_ = SamplesOf(context);
    for (const Sample& sample : samples_) names_.push_back(sample.name());
  } else if (component.kind == Kind::kMetric) {
    for (const MetricShape& shape : MetricShapes(component)) {
      names_.push_back("a " + Describe(shape));
      rows_.push_back(Predict(MakeTruth(shape, seed), 0.7, seed));
    }
  } else {
    for (const DataShape& usual : UsualShapes(component)) {
      names_.push_back("a " + Describe(usual));
      data_.emplace_back();
      for (DataShape shape : ShapesToTry(component, usual)) {
        shape.n_rows = kRows;
        data_.back().push_back(MakeData(shape, seed));
      }
    }
  }
}

TrialResult Trials::Run(std::size_t i, const Spec& spec, const ProbeOptions& options) const {
  switch (spec.component().kind) {
    case Kind::kLearner:
      return RunLearner(data_[i], spec, options);
    case Kind::kTransform:
      return RunModel(data_[i].front(), spec, options);
    case Kind::kSplitter:
      return TrySplit(roles_[i], spec, options);
    case Kind::kSource:
      return TryRead(samples_[i], spec, options);
    case Kind::kMetric:
      break;
  }
  return TryScore(rows_[i], spec, options);
}

TrialResult Trials::RunBriefly(std::size_t i, const Spec& spec, std::uint64_t seed) const {
  constexpr std::chrono::milliseconds kPatience{100};
  const auto until = std::chrono::steady_clock::now() + kPatience;
  ProbeOptions options{.seed = seed};
  // One thread calls it, between looks at cancel_at.
  options.on_progress = [&options, until] {
    if (std::chrono::steady_clock::now() > until) options.cancel_at = 1;
  };
  TrialResult result = Run(i, spec, options);
  if (result.reply.status == CF_E_CANCELLED && options.cancel_at == 1) result.problem.clear();
  return result;
}

namespace {

constexpr std::int64_t kStep = 5;  // rows from one variant to the next

std::vector<PlainCall> SplitCalls(CheckContext& context, std::size_t variant) {
  const SpecPtr spec = context.Defaults();
  std::vector<PlainCall> calls;
  for (const SplitCase& c : MakeSplitCases(context, *spec)) {
    RowIds order = RowRange(0, c.shape.n_rows);
    std::rotate(order.begin(), order.begin() + kStep * static_cast<std::int64_t>(variant),
                order.end());
    const auto split = [spec, variant, roles = c.roles.Reordered(order)](ProbeOptions options) {
      options.seed += variant;
      return TrySplit(roles, *spec, options);
    };
    calls.push_back({"split of " + c.name(), split});
  }
  return calls;
}

std::vector<PlainCall> ScoreCalls(CheckContext& context, std::size_t variant) {
  constexpr std::int64_t kRows = 40;
  const std::int64_t first = kStep * static_cast<std::int64_t>(variant);
  std::vector<PlainCall> calls;
  for (const MetricCase& c : MakeMetricCases(context)) {
    const std::int64_t end = std::min(first + kRows, c.rows.size());
    calls.push_back({"score " + c.Where(),
                     [spec = c.spec, rows = c.rows.Chosen(RowRange(first, end))](
                         const ProbeOptions& options) { return TryScore(rows, *spec, options); }});
  }
  return calls;
}

std::vector<PlainCall> ReadCalls(CheckContext& context) {
  std::vector<PlainCall> calls;
  for (const Sample& sample : SamplesOf(context)) {
    calls.push_back({"read of " + sample.name(), [sample](const ProbeOptions& options) {
                       return TryRead(sample, *sample.spec, options);
                     }});
  }
  return calls;
}

}  // namespace

std::vector<PlainCall> PlainCalls(CheckContext& context, std::size_t variant) {
  if (context.component().kind == Kind::kSource) return ReadCalls(context);
  return context.component().kind == Kind::kSplitter ? SplitCalls(context, variant)
                                                     : ScoreCalls(context, variant);
}

std::string Difference(const TrialResult& got, const TrialResult& expected) {
  if (got.reply.Describe() != expected.reply.Describe()) {
    return "the call ended with " + got.reply.Describe() + " instead of " +
           expected.reply.Describe();
  }
  if (got.problem != expected.problem) return got.problem;
  return Difference("number", got.numbers, expected.numbers);
}

}  // namespace crossfold::check
