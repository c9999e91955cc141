#include "engine/score/evaluate_metrics.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "engine/score/metric_input.h"
#include "engine/text/format_number.h"

namespace crossfold {
namespace {

// Returns what the metric needs and the input lacks; null = nothing.
const char* FindMissingInput(std::uint32_t needs, const cf_metric_input& input, bool has_scores) {
  if (input.n_rows == 0) return "there are no predictions";
  if ((needs & CF_NEEDS_LABELS) != 0 && input.labels == nullptr) return "learner gives no labels";
  if ((needs & CF_NEEDS_VALUES) != 0 && input.values == nullptr) return "learner gives no values";
  if ((needs & CF_NEEDS_PROBABILITIES) != 0 && input.probabilities == nullptr) {
    return has_scores ? "learner gives scores instead of probabilities"
                      : "learner gives no probabilities";
  }
  if ((needs & CF_NEEDS_COSTS) != 0 && input.costs == nullptr && input.row_costs == nullptr) {
    return "there are no costs";
  }
  if ((needs & CF_NEEDS_GROUPS) != 0 && input.groups == nullptr) {
    return "the dataset has no groups";
  }
  if ((needs & CF_NEEDS_TRAINING_TARGET) != 0 && input.training_class_weights == nullptr &&
      std::isnan(input.training_mean)) {
    return "the training rows are not known";
  }
  return nullptr;
}

// Returns why the metric's value cannot be a score; "" = it can.
std::string FindValueProblem(const cf_metric& metric, double value) {
  if (std::isnan(value)) return "returned NaN without a reason";
  if (std::isinf(value) && value != metric.worst && value != metric.best) {
    return "returned " + FormatShortest(value) + ", which is not one of its bounds";
  }
  return "";
}

// Makes a score of the result of a metric's last call. Throws StepError if the call failed.
Score ScoreOf(const Component& component, CallResult result, double value, const CallSite& site) {
  if (result.status == CF_E_UNDEFINED) return {false, 0, std::move(result.message)};
  RequireOk("score", component, std::move(result), site);
  std::string problem = FindValueProblem(*component.metric, value);
  if (!problem.empty()) ThrowStepError("score", component, CF_E_NUMERIC, std::move(problem));
  return {true, value, ""};
}

Score ScoreWhole(const Spec& metric, const cf_metric_input& input, CallSite& site) {
  const Component& component = metric.component();
  double value = std::numeric_limits<double>::quiet_NaN();
  CallResult result = TryStep("score", component, 0, site, [&](const cf_call* call) {
    return component.metric->score(call, metric.args().data(), metric.args().size(), &input,
                                   &value);
  });
  return ScoreOf(component, std::move(result), value, site);
}

// One metric that takes the rows block by block (crossfold.accumulate/1).
class Accumulation {
 public:
  // Throws StepError, as all calls do. REQUIRES: the metric offers the capability, and all
  // arguments outlive this.
  Accumulation(const Spec& metric, const cf_metric_input& about, CallSite& site)
      : component_(metric.component()),
        table_(component_.capability<cf_cap_accumulate>(CF_CAP_ACCUMULATE)),
        site_(&site) {
    Take(TryStep("score", component_, 0, site, [&](const cf_call* call) {
      return table_->begin(call, metric.args().data(), metric.args().size(), &about, &counted_);
    }));
    if (counted_ != nullptr || !undefined_.empty()) return;
    ThrowStepError("score", component_, CF_E_INVALID_ARGUMENT,
                   "it reported success but began nothing");
  }
  Accumulation(Accumulation&& other) noexcept
      : component_(other.component_),
        table_(other.table_),
        site_(other.site_),
        counted_(std::exchange(other.counted_, nullptr)),
        undefined_(std::move(other.undefined_)) {}
  Accumulation& operator=(Accumulation&&) = delete;
  ~Accumulation() {
    if (counted_ == nullptr) return;
    TryStep("score", component_, 0, *site_, [&](const cf_call*) {
      table_->destroy(component_.info(), counted_);
      return CF_OK;
    });
  }

  void Add(const cf_metric_input& block) {
    if (!undefined_.empty()) return;
    Take(TryStep("score", component_, 0, *site_,
                 [&](const cf_call* call) { return table_->add(call, counted_, &block); }));
  }

  Score Finish() {
    if (!undefined_.empty()) return {false, 0, undefined_};
    double value = std::numeric_limits<double>::quiet_NaN();
    CallResult result = TryStep("score", component_, 0, *site_, [&](const cf_call* call) {
      return table_->finish(call, counted_, &value);
    });
    return ScoreOf(component_, std::move(result), value, *site_);
  }

 private:
  void Take(CallResult result) {
    if (result.status == CF_E_UNDEFINED) {
      undefined_ = result.message.empty() ? "the metric gave no reason" : result.message;
      return;
    }
    RequireOk("score", component_, std::move(result), *site_);
  }

  const Component& component_;
  const cf_cap_accumulate* table_;
  CallSite* site_;
  cf_accumulator* counted_ = nullptr;
  std::string undefined_;
};

// `ranked` has scores in the place of probabilities.
const cf_metric_input& InputOf(const Component& metric, const cf_metric_input& given,
                               const cf_metric_input& ranked) {
  return (metric.metric->needs & CF_TAKES_SCORES) != 0 ? ranked : given;
}

// A block's probabilities stay in the cache of one core while all metrics read them.
std::int64_t RowsInBlock(const cf_metric_input& input) {
  constexpr std::int64_t kBlockBytes = 64 * 1024;
  const std::int64_t row_bytes = 8 * std::max<std::int64_t>(input.n_classes, 1);
  return std::max<std::int64_t>(kBlockBytes / row_bytes, 256);
}

}  // namespace

std::vector<Score> EvaluateMetrics(const MetricList& metrics, const cf_metric_input& given,
                                   CallSite& site, const double* row_scores) {
  std::vector<Score> scores(metrics.size());
  std::vector<std::pair<std::size_t, Accumulation>> begun;
  const std::int64_t block = RowsInBlock(given);
  cf_metric_input ranked = given;
  if (row_scores != nullptr) {
    ranked.probabilities = row_scores;
    ranked.flags |= CF_INPUT_HAS_SCORES;
  }
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    const Component& component = metrics[m]->component();
    const cf_metric_input& input = InputOf(component, given, ranked);
    const char* missing = FindMissingInput(component.metric->needs, input, row_scores != nullptr);
    if (missing != nullptr) {
      scores[m] = {false, 0, missing};
    } else if (input.n_rows > block &&
               component.capability<cf_cap_accumulate>(CF_CAP_ACCUMULATE) != nullptr) {
      begun.emplace_back(m, Accumulation(*metrics[m], BlockOf(input, 0, 0), site));
    } else {
      scores[m] = ScoreWhole(*metrics[m], input, site);
    }
  }
  if (begun.empty()) return scores;
  for (std::int64_t first = 0; first < given.n_rows; first += block) {
    for (auto& [m, accumulation] : begun) {
      const cf_metric_input& input = InputOf(metrics[m]->component(), given, ranked);
      accumulation.Add(BlockOf(input, first, std::min(block, given.n_rows - first)));
    }
  }
  for (auto& [m, accumulation] : begun) scores[m] = accumulation.Finish();
  return scores;
}

}  // namespace crossfold
