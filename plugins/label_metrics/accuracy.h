// Accuracy and error rate: the shares of rows whose predicted label is right, and wrong.
#pragma once

#include "confusion.h"

namespace crossfold::bundled {

class Accuracy : public Confusion {
 public:
  static constexpr plugin::MetricInfo kInfo{
      .component = {.id = "crossfold.accuracy",
                    .title = "Accuracy",
                    .doc = "Share of the rows, or of their weight, whose predicted label is the "
                           "true one."},
      .needs = CF_NEEDS_LABELS,
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
      .direction = 1,
      .worst = 0,
      .best = 1};

  using Params = plugin::NoParams;
  static constexpr auto kSchema = plugin::kNoSchema;

  static Accuracy Begin(const Params&, const plugin::MetricInput& about, const plugin::Context&) {
    return Accuracy(about);
  }
  double Finish(const plugin::Context&) const {
    const ConfusionTable table = Table();
    return table.correct() / table.total();
  }

 private:
  using Confusion::Confusion;
};

class ErrorRate : public Confusion {
 public:
  static constexpr plugin::MetricInfo kInfo{
      .component = {.id = "crossfold.error_rate",
                    .title = "Error rate",
                    .doc = "Share of the rows, or of their weight, whose predicted label is not "
                           "the true one."},
      .needs = CF_NEEDS_LABELS,
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
      .direction = -1,
      .worst = 1,
      .best = 0};

  using Params = plugin::NoParams;
  static constexpr auto kSchema = plugin::kNoSchema;

  static ErrorRate Begin(const Params&, const plugin::MetricInput& about, const plugin::Context&) {
    return ErrorRate(about);
  }
  double Finish(const plugin::Context&) const {
    const ConfusionTable table = Table();
    return table.Wrong() / table.total();
  }

 private:
  using Confusion::Confusion;
};

}  // namespace crossfold::bundled
