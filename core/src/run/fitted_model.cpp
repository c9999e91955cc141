#include <mutex>
#include <utility>

#include "crossfold/error.h"
#include "crossfold/run.h"
#include "run/fit_predict.h"

namespace crossfold {
namespace {

// The step only where it is not clear which one it was.
std::string Describe(const Pipeline& pipeline, const Failure& failure) {
  if (pipeline.steps().size() == 1) return failure.message;
  return failure.stage + ": " + failure.message;
}

[[noreturn]] void ThrowFailed(const std::string& attempt, const Pipeline& pipeline,
                              const StepError& e) {
  if (e.cancelled()) throw Error(ErrorKind::kCancelled, attempt + "cancelled");
  throw Error(ErrorKind::kFailed, attempt + Describe(pipeline, e.failure()));
}

// Whether one fitted pipeline may predict on several threads at the same time.
bool PredictsConcurrently(const Pipeline& pipeline) {
  for (const std::shared_ptr<const Spec>& step : pipeline.steps()) {
    if (step->component().threading != CF_MT_PREDICT) return false;
  }
  return true;
}

}  // namespace

struct FittedModel::Impl {
  Impl(std::shared_ptr<const Pipeline> p, FittedSteps s, const Dataset& data,
       std::uint64_t model_seed)
      : pipeline(std::move(p)),
        steps(std::move(s)),
        schema(data.features()),
        n_classes(data.num_classes()),
        seed(model_seed),
        concurrent(PredictsConcurrently(*pipeline)) {}

  std::shared_ptr<const Pipeline> pipeline;  // outlives steps
  FittedSteps steps;
  TableSchema schema;
  std::int64_t n_classes;
  std::uint64_t seed;
  bool concurrent;
  std::mutex predict_lock;  // used unless concurrent
};

FittedModel::FittedModel(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
FittedModel::~FittedModel() = default;

const Pipeline& FittedModel::learner() const { return *impl_->pipeline; }

std::shared_ptr<const FittedModel> FittedModel::Fit(std::shared_ptr<const Pipeline> learner,
                                                    const DataView& train, std::uint64_t seed,
                                                    const RunOptions& options) {
  const Dataset& data = *train.data;
  CheckCompatible(*learner, data);
  const std::string attempt =
      "cannot fit '" + learner->ToString() + "' on dataset '" + data.name() + "': ";
  if (train.num_rows() == 0) {
    throw Error(ErrorKind::kInvalidArgument, attempt + "there are no rows");
  }
  CallSite site(options.cancel, options.log);
  const RowTable table = RowTable::ForTraining(data, train.rows.get());
  try {
    FittedSteps steps = FittedSteps::Fit(*learner, table.get(), StepSeeds(seed), site);
    site.LogWarnings();
    auto impl = std::make_unique<Impl>(std::move(learner), std::move(steps), data, seed);
    return std::shared_ptr<const FittedModel>(new FittedModel(std::move(impl)));
  } catch (const StepError& e) {
    site.LogWarnings();
    ThrowFailed(attempt, *learner, e);
  }
}

Prediction FittedModel::Predict(const DataView& rows, const RunOptions& options) const {
  const Dataset& data = *rows.data;
  const std::string attempt = "cannot predict with '" + impl_->pipeline->ToString() +
                              "' on dataset '" + data.name() + "': ";
  const std::string difference = impl_->schema.FindDifference(data.features());
  if (!difference.empty()) {
    throw Error(ErrorKind::kInvalidArgument,
                attempt + difference + "; the features must be those of the training data");
  }
  Prediction prediction;
  prediction.n_classes = impl_->n_classes;
  if (rows.num_rows() == 0) return prediction;
  CallSite site(options.cancel, options.log);
  const RowTable table = RowTable::ForPrediction(data, rows.rows.get());
  try {
    std::unique_lock<std::mutex> lock(impl_->predict_lock, std::defer_lock);
    if (!impl_->concurrent) lock.lock();
    prediction =
        impl_->steps.Predict(table.get(), {impl_->n_classes, true}, StepSeeds(impl_->seed), site);
  } catch (const StepError& e) {
    site.LogWarnings();
    ThrowFailed(attempt, *impl_->pipeline, e);
  }
  site.LogWarnings();
  for (std::int64_t i = 0; i < rows.num_rows(); ++i) prediction.rows.push_back(rows.row_id(i));
  return prediction;
}

}  // namespace crossfold
