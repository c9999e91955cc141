#include "check/plain_calls.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "check/metric_calls.h"
#include "check/source_calls.h"
#include "check/split_calls.h"

namespace crossfold::check {
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
