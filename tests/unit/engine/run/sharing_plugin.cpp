// Learners and transforms that tell in the log how often they are called, and that misbehave as
// asked. What they predict depends on every training row, on the row, the setting and (where they
// are seeded) the seed, so that work that was shared wrongly gives other predictions. A learner is
// a sum of whole numbers: rows can be added and removed in any order without a rounding error.
#include <array>
#include <bit>
#include <cfenv>
#include <chrono>
#include <cmath>
#include <crossfold_plugin.hpp>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace {
namespace cf = crossfold::plugin;

constexpr std::uint32_t kAllTasks = CF_TASK_BINARY | CF_TASK_MULTICLASS | CF_TASK_REGRESSION;
constexpr std::uint32_t kUnseeded = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED;

enum class Mode {
  kNone,
  kThrowInFit,
  kThrowInPredict,
  kRoundInFit,      // change the rounding mode
  kRoundInPredict,  // so, too
  kRoundInDestroy,
  kSleep,        // in a fit, shared or not, until the call is cancelled
  kSleepShared,  // in shared calls only
  kBreakLaw,     // shared calls predict something else
  kFailShared,   // shared calls fail as a whole
  kFailOne,      // the shared call fails for this setting
  kSkipRow,      // cross-predict leaves out the first row of each fold
  kNotANumber,
  kNoClass,
  kUnaskedRow,  // cross-predict emits a row that is always trained on, or there is none
  kRefuse,      // check/1 does: `base` training rows or fewer
  kRoundInCheck,
  kFailAlone,  // fits of their own fail
  kSleepAlone  // and here they sleep
};
constexpr std::array<const char*, 19> kModes = {
    "none",         "throw_in_fit",     "throw_in_predict",
    "round_in_fit", "round_in_predict", "round_in_destroy",
    "sleep",        "sleep_shared",     "break_law",
    "fail_shared",  "fail_one",         "skip_row",
    "not_a_number", "no_class",         "unasked_row",
    "refuse",       "round_in_check",   "fail_alone",
    "sleep_alone"};

struct Settings {
  Mode mode = Mode::kNone;
  std::int64_t k = 1;
  std::int64_t base = 0;
  std::int64_t grain = 0;
};
constexpr auto kSettingsSchema = cf::Schema(
    cf::Choice("mode", &Settings::mode, kModes, "How it misbehaves."),
    cf::Integer("k", &Settings::k, {}, "Part of the setting.", {.flags = CF_PF_SUBMODEL}),
    cf::Integer("base", &Settings::base, {}, "Part of the setting."),
    cf::Integer("grain", &Settings::grain, {}, "Part of the setting.", {.flags = CF_PF_PREPARE}));

std::uint64_t Mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t h = a * 0x9E3779B97F4A7C15u + b + 0x632BE59BD9B4E019u;
  h ^= h >> 29;
  h *= 0xBF58476D1CE4E5B9u;
  return h ^ (h >> 32);
}

void SleepUntilCancelled(const cf::Context& context) {
  context.Log(CF_LOG_INFO, "asleep");
  for (int i = 0; i < 60000; ++i) {
    context.Progress(0.5);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  throw cf::Error(CF_E_INTERNAL, "nobody cancelled the call");
}

std::uint64_t RowHash(const cf::TrainingView& rows, std::int64_t i, double feature) {
  const std::uint64_t target = rows.is_classification()
                                   ? static_cast<std::uint64_t>(rows.label(i))
                                   : std::bit_cast<std::uint64_t>(rows.value(i));
  const auto x = std::bit_cast<std::uint64_t>(feature);
  return Mix(Mix(static_cast<std::uint64_t>(rows.row_id(i)), target), x);
}
std::uint64_t RowHash(const cf::TrainingView& rows, std::int64_t i) {
  return RowHash(rows, i, rows.x(i, 0));
}

// Changes the rounding mode when it is destroyed, as does each copy.
class Door {
 public:
  Door() = default;
  explicit Door(bool slams) {
    if (slams) lock_.reset(&kLock);
  }
  Door(const Door& other) : Door(other.lock_ != nullptr) {}
  Door(Door&&) = default;
  Door& operator=(Door&&) = default;

 private:
  static constexpr int kLock = 0;
  struct Slam {
    void operator()(const int*) const { std::fesetround(FE_UPWARD); }
  };
  std::unique_ptr<const int, Slam> lock_;
};

// What a fit keeps.
struct Model {
  Settings settings;
  std::uint64_t sum = 0;  // over the training rows
  std::uint64_t seed = 0;
  std::int64_t n_classes = 0;
  std::uint64_t salt = 0;  // not 0: breaks the law of what made it
  double error = 0;        // of values, relative
  Door door = {};

  std::uint64_t Hash(const cf::FeatureView& rows, std::int64_t i) const {
    std::uint64_t h = Mix(sum, static_cast<std::uint64_t>(settings.k));
    h = Mix(Mix(h, static_cast<std::uint64_t>(settings.base)), seed);
    h = Mix(Mix(h, static_cast<std::uint64_t>(settings.grain)), salt);
    h = Mix(h, std::bit_cast<std::uint64_t>(rows.x(i, 0)));
    return Mix(h, static_cast<std::uint64_t>(rows.row_id(i)));
  }
  double Value(const cf::FeatureView& rows, std::int64_t i) const {
    if (settings.mode == Mode::kNotANumber) return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>(Hash(rows, i) >> 40) * 0x1p-20 * (1 + error);
  }
  // n_classes numbers that sum to 1.
  void Probabilities(const cf::FeatureView& rows, std::int64_t i, std::span<double> out) const {
    double sum_of_all = 0;
    const std::uint64_t h = Hash(rows, i);
    for (std::size_t c = 0; c < out.size(); ++c) {
      out[c] = static_cast<double>(Mix(h, c) >> 40) + 1;
      sum_of_all += out[c];
    }
    for (double& p : out) p /= sum_of_all;
    if (settings.mode == Mode::kNotANumber) out[0] = std::numeric_limits<double>::quiet_NaN();
  }
  std::int32_t Label(const cf::FeatureView& rows, std::int64_t i) const {
    if (settings.mode == Mode::kNoClass) return static_cast<std::int32_t>(n_classes);
    std::vector<double> all(static_cast<std::size_t>(n_classes));
    Probabilities(rows, i, all);
    std::int32_t label = 0;
    cf::internal::MostProbable(all, n_classes, std::span(&label, 1));
    return label;
  }
};

void Misbehave(const Settings& settings, const cf::Context& context) {
  if (settings.mode == Mode::kThrowInFit) throw cf::Error(CF_E_NUMERIC, "no fit today");
  if (settings.mode == Mode::kSleep) SleepUntilCancelled(context);
  if (settings.mode == Mode::kRoundInFit) std::fesetround(FE_UPWARD);
}

// In calls that serve several settings or folds.
void MisbehaveTogether(const Settings& settings, const cf::Context& context) {
  if (settings.mode == Mode::kFailShared) throw cf::Error(CF_E_NUMERIC, "not together");
  if (settings.mode == Mode::kSleepShared) SleepUntilCancelled(context);
}
std::uint64_t SaltOf(const Settings& settings) { return settings.mode == Mode::kBreakLaw ? 1 : 0; }

// A model that has seen no row.
Model Start(const Settings& settings, std::uint64_t seed, const cf::TrainingView& rows,
            const cf::Context& context) {
  Misbehave(settings, context);
  Model made;
  made.settings = settings;
  made.seed = seed;
  made.n_classes = rows.num_classes();
  made.door = Door(settings.mode == Mode::kRoundInDestroy);
  return made;
}

void MisbehaveInPredict(const Settings& settings) {
  if (settings.mode == Mode::kThrowInPredict) throw cf::Error(CF_E_NUMERIC, "no prediction today");
  if (settings.mode == Mode::kRoundInPredict) std::fesetround(FE_UPWARD);
}

void Fill(const Model& model, const cf::FeatureView& rows, std::span<std::int32_t> labels) {
  MisbehaveInPredict(model.settings);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    labels[i] = model.Label(rows, static_cast<std::int64_t>(i));
  }
}
void Fill(const Model& model, const cf::FeatureView& rows, std::span<double> values) {
  MisbehaveInPredict(model.settings);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = model.Value(rows, static_cast<std::int64_t>(i));
  }
}
void FillProbabilities(const Model& model, const cf::FeatureView& rows, std::span<double> out) {
  MisbehaveInPredict(model.settings);
  const auto k = static_cast<std::size_t>(model.n_classes);
  for (std::size_t i = 0; i * k < out.size(); ++i) {
    model.Probabilities(rows, static_cast<std::int64_t>(i), out.subspan(i * k, k));
  }
}

constexpr cf::LearnerInfo Info(const char* id, std::uint32_t determinism) {
  return {.component = {.id = id, .determinism = determinism}, .tasks = kAllTasks};
}

// What all learners have.
template <class Self>
struct Learner {
  using Params = Settings;
  static constexpr auto kSchema = kSettingsSchema;
  Model model;

  static std::uint64_t SeedOf(std::uint64_t seed) {
    return (Self::kInfo.component.determinism & CF_DET_UNSEEDED) == 0 ? seed : 0;
  }
  static void Check(const Settings& settings, const cf_shape& shape, const cf::Context&) {
    if (settings.mode == Mode::kRoundInCheck) std::fesetround(FE_UPWARD);
    if (settings.mode != Mode::kRefuse || shape.n_rows > settings.base) return;
    throw cf::Error(CF_E_INVALID_ARGUMENT, "too few rows");
  }
  static Self Fit(const Settings& settings, const cf::TrainingView& train, const cf::Context& c) {
    c.Log(CF_LOG_INFO, "fit");
    if (settings.mode == Mode::kFailAlone) throw cf::Error(CF_E_NUMERIC, "only together");
    if (settings.mode == Mode::kSleepAlone) SleepUntilCancelled(c);
    Self made;
    made.model = Start(settings, SeedOf(c.seed()), train, c);
    for (std::int64_t i = 0; i < train.num_rows(); ++i) made.model.sum += RowHash(train, i);
    return made;
  }
  void Predict(const cf::FeatureView& rows, std::span<std::int32_t> labels,
               const cf::Context&) const {
    Fill(model, rows, labels);
  }
  void Predict(const cf::FeatureView& rows, std::span<double> values, const cf::Context&) const {
    Fill(model, rows, values);
  }
  void PredictProba(const cf::FeatureView& rows, std::span<double> out, const cf::Context&) const {
    FillProbabilities(model, rows, out);
  }
};

// Offers nothing.
struct Plain : Learner<Plain> {
  static constexpr cf::LearnerInfo kInfo = Info("sharing.plain", kUnseeded);
};
struct Seeded : Learner<Seeded> {
  static constexpr cf::LearnerInfo kInfo = Info("sharing.seeded", CF_DET_SEEDED);
};

// crossfold.fit-path/1
template <class Self>
struct PathLearner : Learner<Self> {
  std::vector<Model> path;

  static Self AtValues(const Self& one, std::span<const cf_value> values) {
    Self made = one;
    for (const cf_value& value : values) {
      Model at = one.model;
      at.settings.k = value.u.i;
      at.salt = SaltOf(at.settings);
      made.path.push_back(at);
    }
    return made;
  }
  static Self FitPath(const Settings& settings, std::string_view, std::span<const cf_value> values,
                      const cf::TrainingView& train, const cf::Context& c) {
    c.Log(CF_LOG_INFO, "fit path");
    MisbehaveTogether(settings, c);
    if (settings.mode == Mode::kFailOne) throw cf::Error(CF_E_NUMERIC, "not together");
    Self one;
    one.model = Start(settings, Self::SeedOf(c.seed()), train, c);
    for (std::int64_t i = 0; i < train.num_rows(); ++i) one.model.sum += RowHash(train, i);
    return AtValues(one, values);
  }
  void PredictAt(std::size_t v, const cf::FeatureView& rows, std::span<std::int32_t> labels,
                 const cf::Context&) const {
    Fill(path[v], rows, labels);
  }
  void PredictAt(std::size_t v, const cf::FeatureView& rows, std::span<double> values,
                 const cf::Context&) const {
    Fill(path[v], rows, values);
  }
  void PredictProbaAt(std::size_t v, const cf::FeatureView& rows, std::span<double> out,
                      const cf::Context&) const {
    FillProbabilities(path[v], rows, out);
  }
};
struct Path : PathLearner<Path> {
  static constexpr cf::LearnerInfo kInfo = Info("sharing.path", CF_DET_SEEDED);
};

// crossfold.prepare/1: the feature by row id, 1 MB whatever the rows are.
struct PreparedFeature {
  std::vector<double> x;
  bool breaks_law;
  std::uint64_t Bytes() const { return 1 << 20; }
};
PreparedFeature PrepareFeature(const Settings& settings, const cf::FeatureView& all,
                               const cf::Context& c) {
  c.Log(CF_LOG_INFO, "prepare");
  MisbehaveTogether(settings, c);
  PreparedFeature made{std::vector<double>(static_cast<std::size_t>(all.num_rows())), false};
  all.CopyColumn(0, made.x);
  made.breaks_law = settings.mode == Mode::kBreakLaw;
  return made;
}

struct Preparing : PathLearner<Preparing> {
  static constexpr cf::LearnerInfo kInfo = Info("sharing.preparing", kUnseeded);
  using Prepared = PreparedFeature;

  static Prepared Prepare(const Settings& settings, const cf::FeatureView& all,
                          const cf::Context& c) {
    return PrepareFeature(settings, all, c);
  }
  static Preparing Train(const Settings& settings, const Prepared& prepared,
                         const cf::TrainingView& train, const cf::Context& c) {
    Preparing made;
    made.model = Start(settings, 0, train, c);
    made.model.salt = prepared.breaks_law ? 1 : 0;
    for (std::int64_t i = 0; i < train.num_rows(); ++i) {
      const double x = prepared.x[static_cast<std::size_t>(train.row_id(i))];
      made.model.sum += RowHash(train, i, x);
    }
    return made;
  }
  static Preparing FitPrepared(const Settings& settings, const Prepared& prepared,
                               const cf::TrainingView& train, const cf::Context& c) {
    c.Log(CF_LOG_INFO, "fit prepared");
    return Train(settings, prepared, train, c);
  }
  static Preparing FitPathPrepared(const Settings& settings, std::string_view,
                                   std::span<const cf_value> values, const Prepared& prepared,
                                   const cf::TrainingView& train, const cf::Context& c) {
    c.Log(CF_LOG_INFO, "fit path prepared");
    return AtValues(Train(settings, prepared, train, c), values);
  }
};

// crossfold.cross-predict/1
class Folds {
 public:
  Folds(const cf::TrainingView& rows, std::span<const std::int32_t> fold_of_row,
        std::int32_t n_folds, const cf::CrossSink& sink)
      : rows_(rows), fold_of_row_(fold_of_row), n_folds_(n_folds), sink_(sink) {}

  void PredictSetting(std::size_t s, const Settings& settings, bool seeded, double error,
                      const cf::Context& c) const {
    for (std::int32_t f = 0; f < n_folds_; ++f) {
      sink_.Try(s, f, [&] {
        if (settings.mode == Mode::kFailOne) throw cf::Error(CF_E_NUMERIC, "not together");
        Model model = Start(settings, seeded ? sink_.Seed(s, f) : 0, rows_, c);
        model.salt = SaltOf(settings);
        model.error = error;
        for (std::int64_t i = 0; i < rows_.num_rows(); ++i) {
          if (fold_of_row_[static_cast<std::size_t>(i)] != f) model.sum += RowHash(rows_, i);
        }
        EmitFold(s, f, model);
      });
    }
  }

 private:
  void EmitFold(std::size_t s, std::int32_t f, const Model& model) const {
    MisbehaveInPredict(model.settings);
    bool skip = model.settings.mode == Mode::kSkipRow;
    std::int64_t always_trained = rows_.num_rows();  // no row at all, if there is none
    for (std::int64_t i = 0; i < rows_.num_rows(); ++i) {
      const std::int32_t fold = fold_of_row_[static_cast<std::size_t>(i)];
      if (fold == -1) always_trained = i;
      if (fold == f && !std::exchange(skip, false)) EmitRow(s, model, i, i);
    }
    if (model.settings.mode == Mode::kUnaskedRow) EmitRow(s, model, 0, always_trained);
  }
  void EmitRow(std::size_t s, const Model& model, std::int64_t i, std::int64_t position) const {
    std::int32_t label = 0;
    double value = 0;
    std::vector<double> probabilities(static_cast<std::size_t>(model.n_classes));
    cf::CrossPrediction out;
    if (sink_.wants_labels()) {
      label = model.Label(rows_, i);
      out.labels = std::span(&label, 1);
    }
    if (sink_.wants_values()) {
      value = model.Value(rows_, i);
      out.values = std::span(&value, 1);
    }
    if (sink_.wants_probabilities()) {
      model.Probabilities(rows_, i, probabilities);
      out.probabilities = probabilities;
    }
    sink_.Emit(s, std::span(&position, 1), out);
  }

  const cf::TrainingView& rows_;
  std::span<const std::int32_t> fold_of_row_;
  std::int32_t n_folds_;
  const cf::CrossSink& sink_;
};

template <class Self>
struct CrossLearner : Learner<Self> {
  static constexpr double kError = 0;
  static void CrossPredict(std::span<const Settings> settings, const cf::TrainingView& rows,
                           std::span<const std::int32_t> fold_of_row, std::int32_t n_folds,
                           cf::CrossSink& sink, const cf::Context& c) {
    const std::string line =
        "cross-predict " + std::to_string(settings.size()) + " x " + std::to_string(n_folds);
    c.Log(CF_LOG_INFO, line.c_str());
    for (const Settings& one : settings) MisbehaveTogether(one, c);
    const bool seeded = (Self::kInfo.component.determinism & CF_DET_UNSEEDED) == 0;
    for (std::size_t s = 0; s < settings.size(); ++s) {
      Folds(rows, fold_of_row, n_folds, sink)
          .PredictSetting(s, settings[s], seeded, Self::kError, c);
    }
  }
};
struct Crossing : CrossLearner<Crossing> {
  static constexpr cf::LearnerInfo kInfo = Info("sharing.crossing", CF_DET_SEEDED);
};
// Its shared values are a little off.
struct Near : CrossLearner<Near> {
  static constexpr cf::LearnerInfo kInfo = Info("sharing.near", CF_DET_SEEDED);
  static constexpr double kCrossPredictTolerance = 1e-9;
  static constexpr double kError = 1e-12;
};

// crossfold.incremental/1
template <class Self>
struct RemovableLearner : Learner<Self> {
  void AddRows(const cf::TrainingView& rows, const cf::Context&) { Add(rows, 1); }
  void RemoveRows(const cf::TrainingView& rows, const cf::Context& c) {
    c.Log(CF_LOG_INFO, "remove");
    MisbehaveTogether(this->model.settings, c);
    if (this->model.settings.mode == Mode::kFailOne && rows.row_id(0) == 0) {
      throw cf::Error(CF_E_NUMERIC, "not row 0");
    }
    Add(rows, static_cast<std::uint64_t>(-1));
    this->model.salt = SaltOf(this->model.settings);
    this->model.error = Self::kError;
  }

 private:
  void Add(const cf::TrainingView& rows, std::uint64_t sign) {
    for (std::int64_t i = 0; i < rows.num_rows(); ++i) this->model.sum += sign * RowHash(rows, i);
  }
};
struct Removable : RemovableLearner<Removable> {
  static constexpr cf::LearnerInfo kInfo = Info("sharing.removable", kUnseeded);
  static constexpr bool kIncrementalExact = true;
  static constexpr double kError = 0;
};
struct NearlyRemovable : RemovableLearner<NearlyRemovable> {
  static constexpr cf::LearnerInfo kInfo = Info("sharing.nearly_removable", kUnseeded);
  static constexpr double kIncrementalTolerance = 1e-9;
  static constexpr double kError = 1e-12;
};

// Adds a number to the first feature: of the training rows, and of the seed.
template <class Self>
struct Mover {
  using Params = Settings;
  static constexpr auto kSchema = kSettingsSchema;
  Settings settings;
  double by = 0;
  Door door = {};

  static Self Fit(const Settings& settings, const cf::TrainingView& train, const cf::Context& c) {
    c.Log(CF_LOG_INFO, Self::kInfo.component.id);
    Misbehave(settings, c);
    Self made;
    made.settings = settings;
    made.by = static_cast<double>(train.num_rows()) + static_cast<double>(settings.base) / 8;
    if ((Self::kInfo.component.determinism & CF_DET_UNSEEDED) == 0) {
      made.by += static_cast<double>(c.seed() >> 44) * 0x1p-20;
    }
    made.door = Door(settings.mode == Mode::kRoundInDestroy);
    return made;
  }
  void Apply(const cf::FeatureView& rows, cf::ColumnSink& out, const cf::Context&) const {
    if (settings.mode == Mode::kThrowInPredict) throw cf::Error(CF_E_NUMERIC, "stuck");
    const std::span<double> moved = out.AddNumeric(std::string(rows.name(0)));
    rows.CopyColumn(0, moved);
    for (double& x : moved) x += by;
    for (std::int64_t j = 1; j < rows.num_features(); ++j) out.Pass(j);
  }
};
struct Shift : Mover<Shift> {
  static constexpr cf::TransformInfo kInfo{
      .component = {.id = "sharing.shift", .determinism = kUnseeded}};
};
struct Jitter : Mover<Jitter> {
  static constexpr cf::TransformInfo kInfo{
      .component = {.id = "sharing.jitter", .determinism = CF_DET_SEEDED}};
};

}  // namespace

CROSSFOLD_PLUGIN("sharing", "1.0.0", "The Crossfold Authors", "MIT", Plain, Seeded, Path, Preparing,
                 Crossing, Near, Removable, NearlyRemovable, Shift, Jitter)
