#include "check/fuzz_model.h"

#include <cmath>
#include <utility>

#include "check/cross_prediction.h"
#include "check/error_reply.h"
#include "check/fuzz_data.h"
#include "check/prepared.h"
#include "check/random_settings.h"

namespace crossfold::check {
namespace {

constexpr std::size_t kMostModels = 4;

std::string RowsText(const DataView& rows) { return std::to_string(rows.num_rows()) + " rows"; }

}  // namespace

ModelPlay::ModelPlay(CheckContext& context, std::function<void(const std::string&)> tell)
    : context_(context), tell_(std::move(tell)), random_(context.RandomOf("steps")) {}

void ModelPlay::Step() {
  if (kept_.empty() || (kept_.size() < kMostModels && Happens(3))) {
    FitOne();
    return;
  }
  const std::size_t chosen = random_.Below(kept_.size());
  Kept& kept = kept_[chosen];
  switch (random_.Below(9)) {
    case 0:
      tell_("destroy");
      kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(chosen));
      return;
    case 1:
      return SaveAndLoad(kept);
    case 2:
      return Change(kept);
    case 3:
      return FitPathOne(kept);
    case 4:
      return FitPreparedOne(kept);
    case 5:
      return CrossPredictOne(kept);
    case 6:
      return Report(kept);
    default:
      return AskOne(kept);
  }
}

ProbeOptions ModelPlay::DrawOptions() {
  constexpr std::int64_t kPatience = 300;  // a fit that asks so often has shown what it does
  ProbeOptions options;
  options.seed = random_.Next();
  options.n_threads = 1 + static_cast<std::uint32_t>(random_.Below(3));
  options.cancel_at = Happens(8) ? 1 + static_cast<std::int64_t>(random_.Below(5)) : kPatience;
  if (Happens(12)) options.no_scratch_at = 1 + static_cast<std::int64_t>(random_.Below(3));
  return options;
}

DataView ModelPlay::DrawRows(const DataPtr& data) {
  const auto n = static_cast<std::uint64_t>(data->num_rows());
  RowIds rows;
  for (std::uint64_t left = 1 + random_.Below(2 * n); left > 0; --left) {
    rows.push_back(static_cast<std::int64_t>(random_.Below(n)));
  }
  return RowsOf(data, std::move(rows));
}

bool ModelPlay::Judge(const std::string& what, const Reply& reply) {
  if (reply.ok()) return true;
  const std::string problem = FindBadError(reply);
  if (!problem.empty()) context_.Fail(what + " " + problem);
  return false;
}

void ModelPlay::Keep(const std::string& what, Kept kept, Made made) {
  if (made.left_handle) context_.Fail(what + " failed and did not set its handle to null");
  if (!Judge(what, made.reply)) return;
  kept.model = std::move(made.model);
  if (kept_.size() == kMostModels) kept_.erase(kept_.begin());
  kept_.push_back(std::move(kept));
}

void ModelPlay::JudgeAnswer(const std::string& what, const Answer& answer, std::int64_t n_classes) {
  if (!Judge(what, answer.reply)) return;
  const std::string problem = context_.component().learner != nullptr
                                  ? FindUnusable(answer.predicted, n_classes)
                                  : answer.applied.problem;
  if (!problem.empty()) context_.Fail(what + ": " + problem);
}

void ModelPlay::FitOne() {
  Kept kept;
  kept.data = DrawData(context_.component(), random_);
  if (kept.data == nullptr) context_.Skip("no data of those tried is what it declares to take");
  kept.spec = DrawSpec(context_.shared_component(), random_);
  kept.train = DrawRows(kept.data);
  const std::string what = "fit of " + kept.spec->ToString() + " on " + RowsText(kept.train);
  tell_(what);
  const ProbeOptions options = DrawOptions();
  Made made = Fit(*kept.spec, kept.train, options);
  Keep(what, std::move(kept), std::move(made));
}

void ModelPlay::AskOne(const Kept& kept) {
  const DataView rows = DrawRows(kept.data);
  const std::string what = "a model of " + kept.spec->ToString() + " asked about " + RowsText(rows);
  tell_(what);
  JudgeAnswer(what, Ask(*kept.spec, kept.model.get(), rows, DrawOptions()),
              kept.data->num_classes());
}

void ModelPlay::SaveAndLoad(Kept& kept) {
  if (Offered<cf_cap_serialize>(CF_CAP_SERIALIZE) == nullptr) return AskOne(kept);
  const std::string what = "save and load of " + kept.spec->ToString();
  tell_(what);
  const Answer before = Ask(*kept.spec, kept.model.get(), AllRows(kept.data));
  const Saved saved = Save(*kept.spec, kept.model.get(), random_.Below(40));
  if (!Judge(what, saved.reply)) return;
  if (!saved.bytes.empty() && Happens(2)) {
    Bytes damaged = saved.bytes;
    damaged[random_.Below(damaged.size())] ^= static_cast<unsigned char>(1 + random_.Below(255));
    if (Happens(3)) damaged.resize(random_.Below(damaged.size()));
    const Made made = Load(*kept.spec, damaged);
    if (Judge("load of a damaged " + kept.spec->ToString(), made.reply)) {
      Ask(*kept.spec, made.model.get(), AllRows(kept.data));
    }
  }
  Made made = Load(*kept.spec, saved.bytes, random_.Below(40));
  if (!Judge(what, made.reply)) {
    context_.Fail(what + " ended with " + made.reply.Describe());
    return;
  }
  const std::string difference =
      Difference(Ask(*kept.spec, made.model.get(), AllRows(kept.data)), before);
  if (!difference.empty()) context_.Fail(what + ": " + difference);
  kept.model = std::move(made.model);
}

void ModelPlay::Change(Kept& kept) {
  const auto* table = Offered<cf_cap_incremental>(CF_CAP_INCREMENTAL);
  if (table == nullptr) return AskOne(kept);
  tell_("clone, add_rows and remove_rows of " + kept.spec->ToString());
  Made clone = Make(*kept.spec, {}, [&](const cf_call* call, cf_model** out) {
    return table->clone(call, kept.model.get(), out);
  });
  if (!Judge("clone of " + kept.spec->ToString(), clone.reply)) return;
  const DataView rows = DrawRows(kept.data);
  const RowTable these = RowTable::ForTraining(*kept.data, rows.rows.get());
  const auto change = [&](const char* name, const auto& function) {
    const Reply reply = ProbeCall(*kept.spec, DrawOptions(), [&](const cf_call* call) {
      return function(call, clone.model.get(), &these.get());
    });
    return Judge(name + std::string(" of ") + kept.spec->ToString(), reply);
  };
  // After a failure the model may only be destroyed.
  if (!change("add_rows", table->add_rows)) return;
  if (table->remove_rows != nullptr && !change("remove_rows", table->remove_rows)) return;
  JudgeAnswer("a changed model of " + kept.spec->ToString(),
              Ask(*kept.spec, clone.model.get(), AllRows(kept.data)), kept.data->num_classes());
}

void ModelPlay::FitPathOne(const Kept& kept) {
  if (Offered<cf_cap_fit_path>(CF_CAP_FIT_PATH) == nullptr) return AskOne(kept);
  const PathValues values = PathValues::Of(*kept.spec);
  if (values.specs.empty()) return;
  const std::string what = "fit_path of " + kept.spec->ToString() + " on " + RowsText(kept.train);
  tell_(what);
  const Made path = FitPath(*kept.spec, values, kept.train, DrawOptions());
  if (!Judge(what, path.reply)) return;
  const std::size_t i = random_.Below(values.specs.size());
  const Predicted p = PredictAt(*kept.spec, path.model.get(), i, AllRows(kept.data));
  if (!Judge("predict_at after " + what, p.reply)) return;
  const std::string problem = FindUnusable(p, kept.data->num_classes());
  if (!problem.empty()) context_.Fail("predict_at after " + what + ": " + problem);
}

void ModelPlay::FitPreparedOne(const Kept& kept) {
  if (Offered<cf_cap_prepare>(CF_CAP_PREPARE) == nullptr) return AskOne(kept);
  const std::string what =
      "fit_prepared of " + kept.spec->ToString() + " on " + RowsText(kept.train);
  tell_(what);
  const Prepared prepared(*kept.spec, AllRows(kept.data), DrawOptions());
  if (!Judge("prepare of " + kept.spec->ToString(), prepared.reply())) return;
  const Made made = prepared.Fit(*kept.spec, kept.train);
  const Answer answer = AskFitted(*kept.spec, made, AllRows(kept.data));
  JudgeAnswer(what, answer, kept.data->num_classes());
  if (!IsDeterministic(context_.component())) return;
  const std::string difference =
      Difference(answer, FitAsk(*kept.spec, kept.train, AllRows(kept.data)));
  if (!difference.empty()) context_.Fail(what + " differs from fit: " + difference);
}

void ModelPlay::CrossPredictOne(const Kept& kept) {
  if (Offered<cf_cap_cross_predict>(CF_CAP_CROSS_PREDICT) == nullptr) return AskOne(kept);
  const std::string what = "cross_predict of " + kept.spec->ToString();
  tell_(what);
  CrossProblem problem{AllRows(kept.data), {}, 2};
  if (kept.data->num_rows() < 2) return;
  for (std::int64_t i = 0; i < kept.data->num_rows(); ++i) {
    problem.fold_of_row.push_back(i < 2 ? static_cast<std::int32_t>(i)
                                        : static_cast<std::int32_t>(random_.Below(3)) - 1);
  }
  const CrossPrediction prediction({kept.spec, kept.spec->With({})}, problem, nullptr);
  if (!prediction.misuse().empty()) context_.Fail(what + " " + prediction.misuse());
  Judge(what, prediction.reply());
}

void ModelPlay::Report(const Kept& kept) {
  if (const auto* memory = Offered<cf_cap_memory>(CF_CAP_MEMORY)) {
    tell_("model_bytes of " + kept.spec->ToString());
    memory->model_bytes(kept.spec->component().info(), kept.model.get());
  }
  if (const auto* table = Offered<cf_cap_importance>(CF_CAP_IMPORTANCE)) {
    const std::string what = "importance of " + kept.spec->ToString();
    tell_(what);
    std::vector<double> numbers(static_cast<std::size_t>(kept.data->num_features()), std::nan(""));
    const Reply reply = ProbeCall(*kept.spec, {}, [&](const cf_call* call) {
      return table->importance(call, kept.model.get(), numbers.data(), numbers.size());
    });
    if (!Judge(what, reply)) return;
    for (const double number : numbers) {
      if (!std::isfinite(number)) context_.Fail(what + " is not finite");
    }
  }
}

}  // namespace crossfold::check
