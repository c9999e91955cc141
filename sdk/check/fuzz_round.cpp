// One round of fuzzing: random data, settings and calls of one component, all from one seed.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/component_calls.h"
#include "check/metric_calls.h"
#include "check/probe_call.h"
#include "check/probe_data.h"
#include "check/random_settings.h"
#include "check/sharing_calls.h"
#include "check/source_calls.h"
#include "check/split_calls.h"
#include "check/subject.h"
#include "check/trial.h"
#include "crossfold/component.h"
#include "crossfold_plugin/random.hpp"
#include "files/file_bytes.h"
#include "files/scratch_folder.h"

namespace crossfold::check {

namespace {

namespace fs = std::filesystem;

DataShape DrawShape(plugin::Random& random) {
  constexpr std::array<std::int64_t, 7> kRows = {1, 2, 3, 7, 20, 40, 60};
  DataShape shape;
  shape.n_rows = kRows[random.Below(kRows.size())];
  shape.task = random.Below(3) == 0 ? Task::kRegression : Task::kClassification;
  shape.n_classes =
      shape.task == Task::kRegression ? 0 : 2 + static_cast<std::int64_t>(random.Below(3));
  shape.n_numeric = static_cast<std::int64_t>(random.Below(5));
  shape.n_categorical = static_cast<std::int64_t>(random.Below(4));
  shape.missing = random.Below(3) == 0 ? 0.2 : 0;
  shape.weights = random.Below(3) == 0;
  return shape;
}

// What of the shape the component declares to take. The task stays.
DataShape Within(const Component& component, DataShape shape) {
  const std::uint32_t accepts = AcceptedBy(component);
  const auto takes = [accepts](std::uint32_t flag) { return (accepts & flag) != 0; };
  if (!takes(CF_ACCEPTS_NUMERIC)) shape.n_numeric = 0;
  if (!takes(CF_ACCEPTS_CATEGORICAL)) shape.n_categorical = 0;
  if (!takes(CF_ACCEPTS_MISSING)) shape.missing = 0;
  shape.weights = shape.weights && takes(CF_ACCEPTS_WEIGHTS);
  if (NumFeatures(shape) > 0 || takes(CF_ACCEPTS_NO_FEATURES)) return shape;
  (takes(CF_ACCEPTS_NUMERIC) ? shape.n_numeric : shape.n_categorical) = 1;
  return shape;
}

double DrawEntry(std::uint64_t kind, plugin::Random& random) {
  switch (kind) {
    case 0:
      return 3.5;  // a constant
    case 1:
      return static_cast<double>(random.Below(3));  // ties
    case 2:
      return 100 * random.Normal();
    case 3:
      return 0.01 * random.Normal();
    default:
      return random.Normal();
  }
}

Column DrawNumbers(const DataShape& shape, const std::string& name, plugin::Random& random) {
  const std::uint64_t kind = random.Below(7);
  std::vector<double> entries;
  for (std::int64_t i = 0; i < shape.n_rows; ++i) {
    const bool is_missing = shape.missing > 0 && random.Uniform() < shape.missing;
    entries.push_back(is_missing ? std::nan("") : DrawEntry(kind, random));
  }
  return Column::Doubles(name, std::move(entries));
}

Column DrawCategories(const DataShape& shape, const std::string& name, std::int64_t n_levels,
                      double missing, plugin::Random& random) {
  const std::uint64_t used = 1 + random.Below(static_cast<std::uint64_t>(n_levels));
  std::vector<std::int32_t> codes;
  std::vector<std::string> levels;
  for (std::int64_t i = 0; i < shape.n_rows; ++i) {
    const bool is_missing = missing > 0 && random.Uniform() < missing;
    codes.push_back(is_missing ? -1 : static_cast<std::int32_t>(random.Below(used)));
  }
  for (std::int64_t c = 0; c < n_levels; ++c) levels.push_back("level " + std::to_string(c));
  return Column::Categories(name, std::move(codes), std::move(levels));
}

DataPtr DrawOf(const DataShape& shape, plugin::Random& random) {
  std::vector<Column> columns;
  for (std::int64_t j = 0; j < shape.n_numeric; ++j) {
    columns.push_back(DrawNumbers(shape, "n" + std::to_string(j), random));
  }
  for (std::int64_t j = 0; j < shape.n_categorical; ++j) {
    const auto n_levels = 1 + static_cast<std::int64_t>(random.Below(5));
    columns.push_back(
        DrawCategories(shape, "c" + std::to_string(j), n_levels, shape.missing, random));
  }
  DataShape whole = shape;
  whole.missing = 0;
  if (shape.task == Task::kRegression) {
    columns.push_back(DrawNumbers(whole, "y", random));
  } else {
    columns.push_back(DrawCategories(whole, "y", shape.n_classes, 0, random));
  }
  Roles roles{.target = "y"};
  if (shape.weights) {
    std::vector<double> weights;
    for (std::int64_t i = 0; i < shape.n_rows; ++i) {
      weights.push_back(random.Below(5) == 0 ? 0 : 2 * random.Uniform());
    }
    weights.front() = 1;  // not all may be 0
    columns.push_back(Column::Doubles("w", std::move(weights)));
    roles.weights = "w";
  }
  return Dataset::Create("fuzz", std::move(columns), roles);
}

// Data that the learner or transform declares to take; null if some tries found none.
DataPtr DrawData(const Component& component, plugin::Random& random) {
  constexpr int kTries = 100;
  for (int i = 0; i < kTries; ++i) {
    const DataShape shape = Within(component, DrawShape(random));
    if (Accepts(component, shape)) return DrawOf(shape, random);
  }
  return nullptr;
}

constexpr std::size_t kMostModels = 4;

std::string RowsText(const DataView& rows) { return std::to_string(rows.num_rows()) + " rows"; }

// Gets what a step is going to do.
using Teller = std::function<void(const std::string&)>;

// Plays with up to four models at a time. Not thread-safe.
class ModelPlay {
 public:
  // `tell` gets every step before it is done.
  ModelPlay(CheckContext& context, Teller tell)
      : context_(context), tell_(std::move(tell)), random_(context.RandomOf("steps")) {}

  // One random step. Findings go to the context.
  void Step() {
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

 private:
  struct Kept {
    SpecPtr spec;
    DataPtr data;
    DataView train;
    ModelPtr model;
  };

  template <class T>
  const T* Offered(const char* id) const {
    return context_.component().capability<T>(id);
  }
  bool Happens(std::uint64_t one_in) { return random_.Below(one_in) == 0; }

  ProbeOptions DrawOptions() {
    constexpr std::int64_t kPatience = 300;  // a fit that asks so often has shown what it does
    ProbeOptions options;
    options.seed = random_.Next();
    options.n_threads = 1 + static_cast<std::uint32_t>(random_.Below(3));
    options.cancel_at = Happens(8) ? 1 + static_cast<std::int64_t>(random_.Below(5)) : kPatience;
    if (Happens(12)) options.no_scratch_at = 1 + static_cast<std::int64_t>(random_.Below(3));
    return options;
  }

  DataView DrawRows(const DataPtr& data) {
    const auto n = static_cast<std::uint64_t>(data->num_rows());
    RowIds rows;
    for (std::uint64_t left = 1 + random_.Below(2 * n); left > 0; --left) {
      rows.push_back(static_cast<std::int64_t>(random_.Below(n)));
    }
    return RowsOf(data, std::move(rows));
  }

  // Whether it went well. What went wrong otherwise than it may is a finding.
  bool Judge(const std::string& what, const Reply& reply) {
    if (reply.ok()) return true;
    context_.FailIf(what + " ", FindBadError(reply));
    return false;
  }

  void Keep(const std::string& what, Kept kept, Made made) {
    if (made.left_handle) context_.Fail(what + " failed and did not set its handle to null");
    if (!Judge(what, made.reply)) return;
    kept.model = std::move(made.model);
    if (kept_.size() == kMostModels) kept_.erase(kept_.begin());
    kept_.push_back(std::move(kept));
  }

  void JudgeAnswer(const std::string& what, const Answer& answer, std::int64_t n_classes) {
    if (!Judge(what, answer.reply)) return;
    context_.FailIf(what + ": ", context_.component().learner != nullptr
                                     ? FindUnusable(answer.predicted, n_classes)
                                     : answer.applied.problem);
  }

  void FitOne() {
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

  void AskOne(const Kept& kept) {
    const DataView rows = DrawRows(kept.data);
    const std::string what =
        "a model of " + kept.spec->ToString() + " asked about " + RowsText(rows);
    tell_(what);
    JudgeAnswer(what, Ask(*kept.spec, kept.model.get(), rows, DrawOptions()),
                kept.data->num_classes());
  }

  void SaveAndLoad(Kept& kept) {
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
    context_.FailIf(what + ": ",
                    Difference(Ask(*kept.spec, made.model.get(), AllRows(kept.data)), before));
    kept.model = std::move(made.model);
  }

  void Change(Kept& kept) {
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

  void FitPathOne(const Kept& kept) {
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
    context_.FailIf("predict_at after " + what + ": ", FindUnusable(p, kept.data->num_classes()));
  }

  void FitPreparedOne(const Kept& kept) {
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
    context_.FailIf(what + " differs from fit: ",
                    Difference(answer, FitAsk(*kept.spec, kept.train, AllRows(kept.data))));
  }

  void CrossPredictOne(const Kept& kept) {
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
    context_.FailIf(what + " ", prediction.misuse());
    Judge(what, prediction.reply());
  }

  void Report(const Kept& kept) {
    if (const auto* memory = Offered<cf_cap_memory>(CF_CAP_MEMORY)) {
      tell_("model_bytes of " + kept.spec->ToString());
      memory->model_bytes(kept.spec->component().info(), kept.model.get());
    }
    if (const auto* table = Offered<cf_cap_importance>(CF_CAP_IMPORTANCE)) {
      const std::string what = "importance of " + kept.spec->ToString();
      tell_(what);
      std::vector<double> numbers(static_cast<std::size_t>(kept.data->num_features()),
                                  std::nan(""));
      const Reply reply = ProbeCall(*kept.spec, {}, [&](const cf_call* call) {
        return table->importance(call, kept.model.get(), numbers.data(), numbers.size());
      });
      if (!Judge(what, reply)) return;
      for (const double number : numbers) {
        if (!std::isfinite(number)) context_.Fail(what + " is not finite");
      }
    }
  }

  CheckContext& context_;
  Teller tell_;
  plugin::Random random_;
  std::vector<Kept> kept_;
};

class SourcePlay {
 public:
  // Skips the check if there is no file for the source. The context outlives this.
  SourcePlay(CheckContext& context, Teller tell)
      : context_(context),
        tell_(std::move(tell)),
        random_(context.RandomOf("steps")),
        folder_(ScratchFolder::Temporary()) {
    for (Sample& sample : SamplesOf(context)) {
      Original original{std::move(sample), "", {}};
      original.bytes = ReadFileBytes(original.sample.path);
      for (const Column& column : ReadSource(*original.sample.spec, original.sample.path).columns) {
        original.columns.push_back(column.name);
      }
      originals_.push_back(std::move(original));
    }
  }

  // Damages a copy of one of the files, and reads it under random settings and hints. Fails the
  // check for an outcome that no host could use.
  void Step() {
    const Original& original = originals_[Below(originals_.size())];
    std::string bytes = original.bytes;
    const std::string damage = Damage(bytes);
    const SpecPtr drawn = DrawSpec(context_.shared_component(), random_);
    const SpecPtr merged = SpecWith(*drawn, original.sample.spec->given());
    const SpecPtr& spec = merged == nullptr ? original.sample.spec : merged;
    const std::vector<cf_column_hint> hints = DrawHints(original);
    std::vector<const cf_column_hint*> pointers;
    for (const cf_column_hint& hint : hints) pointers.push_back(&hint);

    // A new file: one that is mapped must not change under its reader.
    const fs::path file = folder_.path() / original.sample.path.filename();
    fs::remove(file);
    std::ofstream(file, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    const std::string what = "read of " + original.sample.name() + " " + damage + " by " +
                             spec->ToString() + " with " + std::to_string(hints.size()) + " hints";
    tell_(what);
    context_.FailIf(what + ": ", FindImproperReading(ReadSource(*spec, file, {}, pointers)));
  }

 private:
  struct Original {
    Sample sample;
    std::string bytes;
    std::vector<std::string> columns;  // their names
  };

  // Changes `bytes` and returns in which way.
  std::string Damage(std::string& bytes) {
    if (bytes.empty()) return "as it is";
    const std::size_t at = Below(bytes.size());
    const std::size_t n = std::min(1 + Below(64), bytes.size() - at);
    const std::string place = std::to_string(n) + " bytes at " + std::to_string(at);
    switch (Below(6)) {
      case 0:
        return "as it is";
      case 1:
        bytes.resize(at);
        return "cut off after " + std::to_string(at) + " bytes";
      case 2:
        bytes.erase(at, n);
        return "without " + place;
      case 3:
        bytes.insert(Below(bytes.size()), bytes.substr(at, n));
        return "with " + place + " twice";
      case 4:
        // Sizes and counts are numbers of several bytes: extreme ones are tried on purpose.
        for (std::size_t i = 0; i < std::min<std::size_t>(n, 8); ++i) {
          bytes[at + i] = static_cast<char>(Below(2) == 0 ? 0xFF : 0);
        }
        return "with ones and zeros at " + std::to_string(at);
      default:
        for (std::size_t left = 1 + Below(8); left > 0; --left) {
          bytes[Below(bytes.size())] = static_cast<char>(Below(256));
        }
        return "with a few other bytes";
    }
  }

  std::vector<cf_column_hint> DrawHints(const Original& original) {
    static constexpr std::int32_t kTypes[] = {0,      CF_F64,   CF_F32,  CF_I64,
                                              CF_I32, CF_BOOL8, CF_CAT32};
    static const char* const kLevels[] = {"1", "a", "b"};
    std::vector<cf_column_hint> hints;
    for (const std::string& name : original.columns) {
      if (Below(3) != 0) continue;
      cf_column_hint hint{};
      hint.struct_size = sizeof hint;
      hint.name = name.c_str();
      hint.dtype = kTypes[Below(std::size(kTypes))];
      for (const std::uint32_t flag :
           {std::uint32_t{CF_HINT_FIRM}, std::uint32_t{CF_HINT_UNUSED},
            std::uint32_t{CF_HINT_COMPLETE}, std::uint32_t{CF_HINT_DROP_MISSING}}) {
        if (Below(4) == 0) hint.flags |= flag;
      }
      if (hint.dtype == CF_CAT32 && Below(2) == 0) {
        hint.levels = kLevels;
        hint.n_levels = static_cast<std::int32_t>(std::size(kLevels));
        if (Below(2) == 0) hint.flags |= CF_HINT_ORDERED | CF_HINT_CLOSED;
      }
      hints.push_back(hint);
    }
    return hints;
  }

  std::size_t Below(std::size_t n) { return static_cast<std::size_t>(random_.Below(n)); }

  CheckContext& context_;
  Teller tell_;
  plugin::Random random_;
  ScratchFolder folder_;
  std::vector<Original> originals_;
};

constexpr int kSteps = 30;

// A line for every step, if it is wanted: what stands last is what did not come back.
void Tell(const CheckContext& context, const std::string& step) {
  if (context.part().empty()) return;
  std::fputs((step + "\n").c_str(), stdout);
  std::fflush(stdout);
}

void PlayWithModels(CheckContext& context) {
  ModelPlay play(context, [&](const std::string& step) { Tell(context, step); });
  for (int i = 0; i < kSteps && !context.has_failed(); ++i) play.Step();
}

SplitShape DrawSplitShape(plugin::Random& random) {
  constexpr std::int64_t kRows[] = {1, 2, 5, 20, 57, 100};
  constexpr Task kTasks[] = {Task::kNone, Task::kClassification, Task::kRegression};
  SplitShape shape;
  shape.n_rows = kRows[random.Below(6)];
  shape.task = kTasks[random.Below(3)];
  shape.n_classes = 2 + static_cast<std::int64_t>(random.Below(3));
  shape.groups = random.Below(2) == 0;
  shape.time = random.Below(2) == 0;
  shape.folds = random.Below(2) == 0;
  return shape;
}

// A host refuses by name what lacks a role, before any call.
bool HasWhatItNeeds(const cf_splitter& splitter, const SplitShape& shape) {
  const std::uint32_t has = (shape.task != Task::kNone ? std::uint32_t{CF_SPLIT_USES_TARGET} : 0) |
                            (shape.groups ? std::uint32_t{CF_SPLIT_USES_GROUPS} : 0) |
                            (shape.time ? std::uint32_t{CF_SPLIT_USES_TIME} : 0) |
                            (shape.folds ? std::uint32_t{CF_SPLIT_USES_FOLDS} : 0);
  return (splitter.uses & ~has) == 0;
}

void Splits(CheckContext& context) {
  plugin::Random random = context.RandomOf("steps");
  for (int i = 0; i < kSteps && !context.has_failed(); ++i) {
    const SplitShape shape = DrawSplitShape(random);
    const SpecPtr spec = DrawSpec(context.shared_component(), random);
    if (!HasWhatItNeeds(*context.component().splitter, shape)) continue;
    const ProbeOptions options{.seed = random.Next()};
    const std::string what = spec->ToString() + " on " + Describe(shape);
    Tell(context, what);
    const Emitted emitted = Split(*spec, MakeRoles(shape, random.Next()), options);
    context.FailIf(what + ": ", emitted.reply.ok() ? emitted.problem : FindBadError(emitted.reply));
  }
}

void Scores(CheckContext& context) {
  plugin::Random random = context.RandomOf("steps");
  const std::vector<MetricShape> shapes = MetricShapes(context.component());
  for (int i = 0; i < kSteps && !context.has_failed() && !shapes.empty(); ++i) {
    MetricShape shape = shapes[random.Below(shapes.size())];
    shape.n_rows = 1 + static_cast<std::int64_t>(random.Below(60));
    const SpecPtr spec = DrawSpec(context.shared_component(), random);
    MetricRows rows = Predict(MakeTruth(shape, random.Next()), random.Uniform(), random.Next());
    RowIds chosen;
    for (std::uint64_t n = random.Below(80); n > 0; --n) {
      chosen.push_back(
          static_cast<std::int64_t>(random.Below(static_cast<std::uint64_t>(rows.size()))));
    }
    const std::string what =
        spec->ToString() + " of " + std::to_string(chosen.size()) + " rows of a " + Describe(shape);
    Tell(context, what);
    const Scored scored = Score(*spec, rows.Chosen(chosen));
    std::string problem = FindUnusable(scored, *context.component().metric);
    const bool is_undefined = scored.reply.status == CF_E_UNDEFINED && scored.reply.said_why;
    if (problem.empty() && !scored.ok() && !is_undefined) problem = FindBadError(scored.reply);
    context.FailIf(what + ": ", problem);
  }
}

void ReadsOfDamagedFiles(CheckContext& context) {
  SourcePlay play(context, [&](const std::string& step) { Tell(context, step); });
  for (int i = 0; i < kSteps && !context.has_failed(); ++i) play.Step();
}

constexpr Check kRounds[] = {
    {kFuzzRound, kLearner, 1, false, "", "random calls", &PlayWithModels},
    {kFuzzRound, kTransform, 1, false, "", "random calls", &PlayWithModels},
    {kFuzzRound, kSplitter, 1, false, "", "random calls", &Splits},
    {kFuzzRound, kMetric, 1, false, "", "random calls", &Scores},
    {kFuzzRound, kSource, 1, false, "", "random calls", &ReadsOfDamagedFiles},
};

}  // namespace

std::span<const Check> FuzzRounds() { return kRounds; }

}  // namespace crossfold::check
