// Log loss: the mean negative logarithm of the probability that was given to the true class.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "crossfold_plugin.hpp"

namespace {

namespace cf = crossfold::plugin;
using cf::CompensatedSum;

struct LogLoss {
  static constexpr cf::MetricInfo kInfo{
      .component = {.id = "crossfold.log_loss",
                    .title = "Log loss",
                    .doc = "Weighted mean of -ln p, where p is the probability that was given to "
                           "the true class, clipped to [clip, 1 - clip].",
                    .source = "Good 1952, Rational decisions"},
      .needs = CF_NEEDS_PROBABILITIES,
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
      .direction = -1,
      .worst = std::numeric_limits<double>::infinity(),
      .best = 0};

  struct Params {
    double clip = 1e-15;
  };
  static constexpr auto kSchema =
      cf::Schema(cf::Real("clip", &Params::clip, {.low = 0, .high = 0.5},
                          "Least probability that counts, so that one certain mistake does not "
                          "make the mean infinite; 0 = none.",
                          {.flags = CF_PF_HI_OPEN}));

  static double Score(const Params& params, const cf::MetricInput& input, const cf::Context&) {
    if (input.num_rows() == 0) throw cf::Undefined("there are no rows");
    CompensatedSum loss, total;
    bool is_infinite = false;
    for (std::int64_t i = 0; i < input.num_rows(); ++i) {
      const double p = std::clamp(ProbabilityOfTruth(input, i), params.clip, 1 - params.clip);
      const double weight = input.weight(i);
      total.Add(weight);
      if (weight == 0) continue;  // 0 * infinity would not be a number
      if (p == 0) {
        is_infinite = true;
      } else {
        loss.Add(weight * -std::log(p));
      }
    }
    if (total.value() == 0) throw cf::Undefined("the weights of all rows are zero");
    if (is_infinite) return std::numeric_limits<double>::infinity();
    return loss.value() / total.value();
  }

 private:
  static double ProbabilityOfTruth(const cf::MetricInput& input, std::int64_t row) {
    const std::int64_t c = input.truth_labels()[static_cast<std::size_t>(row)];
    const double p = input.probabilities()[static_cast<std::size_t>(row * input.num_classes() + c)];
    // Clipping would hide it.
    if (!(p >= 0 && p <= 1)) {
      throw cf::Error(CF_E_NUMERIC, "a predicted probability of class '" +
                                        std::string(input.class_name(c)) +
                                        "' is not between 0 and 1");
    }
    return p;
  }
};

}  // namespace

CROSSFOLD_PLUGIN("crossfold.log_loss", "1.0.0", "The Crossfold Authors", "MIT", LogLoss)
