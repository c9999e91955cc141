// A learner that misbehaves on request, to test engines and scripts: see README.md.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cfenv>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../baseline.h"
#include "crossfold_plugin.hpp"

namespace cf = crossfold::plugin;

namespace {

enum class Action {
  kNone,
  kThrowInFit,
  kThrowInPredict,
  kPredictNan,
  kWrongLabel,
  kSleep,
  kCrash,
  kAbort,
  kLog,
  kChangeRounding,
  kNotConverged,
  kHang,
  kSpin,
  kExit,
  kEatMemory,
  kScribble,
  kPrint,
  kFork
};
enum class Stage { kFit, kPredict };
constexpr std::array<const char*, 18> kActionNames = {"none",
                                                      "throw_in_fit",
                                                      "throw_in_predict",
                                                      "predict_nan",
                                                      "wrong_label",
                                                      "sleep",
                                                      "crash",
                                                      "abort",
                                                      "log",
                                                      "change_rounding",
                                                      "not_converged",
                                                      "hang",
                                                      "spin",
                                                      "exit",
                                                      "eat_memory",
                                                      "scribble",
                                                      "print",
                                                      "fork"};
constexpr std::array<const char*, 2> kStageNames = {"fit", "predict"};
constexpr const char* kStagedActions =
    "action=sleep,crash,abort,log,change_rounding,not_converged,hang,spin,exit,eat_memory,scribble,"
    "print,fork";
constexpr int kExitCode = 3;

void Sleep(std::int64_t ms, const cf::Context& context) {
  using std::chrono::milliseconds, std::chrono::steady_clock;
  const auto start = steady_clock::now();
  const auto length = milliseconds(ms);
  for (auto passed = steady_clock::duration::zero(); passed < length;
       passed = steady_clock::now() - start) {
    context.Progress(std::chrono::duration<double>(passed) / std::chrono::duration<double>(length));
    std::this_thread::sleep_for(std::min<steady_clock::duration>(milliseconds(1), length - passed));
  }
}

// Runs without end, and never asks the host whether to stop.
[[noreturn]] void Hang() {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}
[[noreturn]] void Spin() {
  for (std::atomic<std::uint64_t> turns = 0;; ++turns) {
  }
}

// Never takes the whole memory of a machine. Throws std::bad_alloc if there is less.
void EatMemory() {
  constexpr std::size_t kBlock = std::size_t{1} << 20, kMostBlocks = 1536;
  std::vector<std::unique_ptr<char[]>> blocks;
  while (blocks.size() < kMostBlocks) {
    blocks.push_back(std::make_unique_for_overwrite<char[]>(kBlock));
    std::memset(blocks.back().get(), 1, kBlock);
  }
}

// Writes the bytes that are already there, so that data that can be written to stay as they are.
void Scribble(const cf_column& column) {
  auto* byte = static_cast<volatile char*>(const_cast<void*>(column.data));
  const char same = *byte;
  *byte = same;
}

void Print(const std::string& stage) {
  std::printf("%s prints to standard output\n", stage.c_str());
  std::fprintf(stderr, "%s prints to standard error\n", stage.c_str());
  std::fflush(stdout);
}

// Leaves a process running that does nothing for an hour.
void Fork() {
  if (::fork() != 0) return;
  ::sleep(3600);
  ::_exit(0);
}

bool HasRow(const cf::FeatureView& rows, std::int64_t row_id) {
  for (std::int64_t i = 0; i < rows.num_rows(); ++i) {
    if (rows.row_id(i) == row_id) return true;
  }
  return false;
}

class Debug {
 public:
  static constexpr cf::LearnerInfo kInfo{
      .component = {.id = "crossfold.debug",
                    .title = "Misbehaviour on request",
                    .doc = "Predicts like featureless, but first does what the parameter 'action' "
                           "says: throws, crashes, sleeps, returns nonsense. For tests."},
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS | CF_TASK_REGRESSION,
      .accepts = CF_ACCEPTS_NUMERIC | CF_ACCEPTS_CATEGORICAL | CF_ACCEPTS_MISSING |
                 CF_ACCEPTS_WEIGHTS | CF_ACCEPTS_NO_FEATURES};

  struct Params {
    Action action = Action::kNone;
    Stage stage = Stage::kFit;
    std::int64_t when_row = -1;
    std::int64_t sleep_ms = 100;
    std::string settings = "{}";
  };
  static constexpr auto kSchema = cf::Schema(
      cf::Choice("action", &Params::action, kActionNames, "What to do."),
      cf::Choice("stage", &Params::stage, kStageNames, "When to do it.",
                 {.active_if = kStagedActions}),
      cf::Integer("when_row", &Params::when_row, {.low = -1},
                  "Act only if this row (0-based) is among those of the call; -1 = always."),
      cf::Integer("sleep_ms", &Params::sleep_ms, {.low = 0, .high = 86'400'000},
                  "How long to sleep.", {.active_if = "action=sleep", .unit = "ms"}),
      cf::Object("settings", &Params::settings, "What 'log' also logs. It has no other effect."));

  static void Check(const Params& params, const cf_shape& shape, const cf::Context&) {
    CheckTask(params, shape.n_classes > 0);
  }

  static std::uint64_t FitBytes(const Params&, const cf_shape&, const cf::Context&) { return 4096; }
  static Debug Fit(const Params& params, const cf::TrainingView& train,
                   const cf::Context& context) {
    CheckTask(params, train.is_classification());
    Debug fitted(params, crossfold::bundled::FitBaseline(train));
    if (fitted.ActsOn(train)) {
      if (params.action == Action::kThrowInFit) throw std::runtime_error("thrown in fit, as asked");
      if (params.stage == Stage::kFit) fitted.Misbehave("fit", train, context);
    }
    return fitted;
  }

  void Predict(const cf::FeatureView& rows, std::span<double> values,
               const cf::Context& context) const {
    const bool nan = ActBeforePrediction(rows, context) && params_.action == Action::kPredictNan;
    std::fill(values.begin(), values.end(), nan ? kNan : baseline_.mean);
  }

  void Predict(const cf::FeatureView& rows, std::span<std::int32_t> labels,
               const cf::Context& context) const {
    const auto& shares = baseline_.shares;
    const bool wrong = ActBeforePrediction(rows, context) && params_.action == Action::kWrongLabel;
    const auto majority = std::max_element(shares.begin(), shares.end()) - shares.begin();
    std::fill(labels.begin(), labels.end(),
              static_cast<std::int32_t>(wrong ? std::ssize(shares) : majority));
  }

  void PredictProba(const cf::FeatureView& rows, std::span<double> probabilities,
                    const cf::Context& context) const {
    const bool nan = ActBeforePrediction(rows, context) && params_.action == Action::kPredictNan;
    for (std::size_t i = 0; i < probabilities.size(); ++i) {
      probabilities[i] = nan ? kNan : baseline_.shares[i % baseline_.shares.size()];
    }
  }

 private:
  static constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

  Debug(const Params& params, crossfold::bundled::Baseline baseline)
      : params_(params), baseline_(std::move(baseline)) {}

  static void CheckTask(const Params& params, bool classification) {
    if (params.action == Action::kWrongLabel && !classification) {
      throw cf::Error(CF_E_INVALID_PARAM, "action = wrong_label needs a classification target");
    }
  }

  bool ActsOn(const cf::FeatureView& rows) const {
    return params_.when_row < 0 || HasRow(rows, params_.when_row);
  }

  // Whether the parameters select these rows.
  bool ActBeforePrediction(const cf::FeatureView& rows, const cf::Context& context) const {
    if (!ActsOn(rows)) return false;
    if (params_.action == Action::kThrowInPredict) {
      throw std::runtime_error("thrown in predict, as asked");
    }
    if (params_.stage == Stage::kPredict) Misbehave("predict", rows, context);
    return true;
  }

  void Log(const std::string& stage, const cf::FeatureView& rows,
           const cf::Context& context) const {
    std::string line = stage + " on " + std::to_string(rows.num_rows()) + " rows";
    if (params_.settings != "{}") line += " with " + params_.settings;
    context.Log(CF_LOG_INFO, line.c_str());
  }

  void Misbehave(const std::string& stage, const cf::FeatureView& rows,
                 const cf::Context& context) const {
    switch (params_.action) {
      case Action::kSleep:
        return Sleep(params_.sleep_ms, context);
      case Action::kCrash:
        std::raise(SIGSEGV);
        return;
      case Action::kAbort:
        std::abort();
      case Action::kLog:
        return Log(stage, rows, context);
      case Action::kChangeRounding:
        std::fesetround(FE_UPWARD);
        return;
      case Action::kHang:
        Hang();
      case Action::kSpin:
        Spin();
      case Action::kExit:
        std::exit(kExitCode);
      case Action::kEatMemory:
        return EatMemory();
      case Action::kScribble:
        if (rows.num_features() > 0 && rows.num_rows() > 0) Scribble(rows.column(0));
        return;
      case Action::kPrint:
        return Print(stage);
      case Action::kFork:
        return Fork();
      case Action::kNotConverged:
        throw cf::Error(CF_E_NOT_CONVERGED, "not converged in " + stage + ", as asked");
      default:
        return;
    }
  }

  Params params_;
  crossfold::bundled::Baseline baseline_;
};

}  // namespace

CROSSFOLD_PLUGIN("crossfold.debug", "1.0.0", "The Crossfold Authors", "MIT", Debug)
