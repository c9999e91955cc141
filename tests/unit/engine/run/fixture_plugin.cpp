// Components whose behaviour the tests of plan, run and score switch by parameters.
#include <array>
#include <cfenv>
#include <chrono>
#include <cmath>
#include <crossfold_plugin.hpp>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace {
namespace cf = crossfold::plugin;

#ifdef CROSSFOLD_LATER_FIXTURE
#define CROSSFOLD_FIXTURE_VERSION "1.1.0"
constexpr std::int64_t kDefaultCount = 4;
constexpr std::uint32_t kRecorderFormat = 2;
#else
#define CROSSFOLD_FIXTURE_VERSION "1.0.0"
constexpr std::int64_t kDefaultCount = 3;
constexpr std::uint32_t kRecorderFormat = 1;
#endif

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Sleeps in small steps until the host cancels the call; gives up after a minute.
void SleepUntilCancelled(const cf::Context& context) {
  for (int i = 0; i < 60000; ++i) {
    context.Progress(0.5);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  throw cf::Error(CF_E_INTERNAL, "nobody cancelled the call");
}

// Logs a line and forgets to put the rounding mode back.
void BeLoud(const cf::Context& context) {
  context.Log(CF_LOG_INFO, "here I am");
  std::fesetround(FE_UPWARD);
}

// Random probabilities: from the fit's seed, the call's seed and the row.
struct Coin {
  enum class Mode {
    kRandom,
    kThrowInFit,
    kThrowInPredict,
    kBadLabel,
    kNoLabel,
    kNegative,
    kWrongSum,
    kNotANumber,
    kSleepInFit,
    kSleepInPredict,
    kCancelUnasked,
    kRounding
  };
  static constexpr std::array<const char*, 12> kModes = {
      "random",       "throw_in_fit",     "throw_in_predict", "bad_label",
      "no_label",     "negative",         "wrong_sum",        "not_a_number",
      "sleep_in_fit", "sleep_in_predict", "cancel_unasked",   "rounding"};
  static constexpr cf::LearnerInfo kInfo{.component = {.id = "fixture.coin"},
                                         .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
                                         .accepts = CF_ACCEPTS_NUMERIC | CF_ACCEPTS_CATEGORICAL |
                                                    CF_ACCEPTS_MISSING | CF_ACCEPTS_WEIGHTS |
                                                    CF_ACCEPTS_NO_FEATURES};
  struct Params {
    Mode mode = Mode::kRandom;
    std::int64_t only_with_rows = 0;
  };
  static constexpr auto kSchema =
      cf::Schema(cf::Choice("mode", &Params::mode, kModes, "What it does."),
                 cf::Integer("only_with_rows", &Params::only_with_rows, {.low = 0},
                             "Misbehaves only with so many training rows; 0 = with any."));

  Mode mode = Mode::kRandom;
  std::uint64_t fit_seed = 0;
  std::int64_t n_classes = 0;

  static Coin Fit(const Params& params, const cf::TrainingView& train, const cf::Context& context) {
    const bool misbehaves = params.only_with_rows == 0 || params.only_with_rows == train.num_rows();
    const Mode mode = misbehaves ? params.mode : Mode::kRandom;
    if (mode == Mode::kThrowInFit)
      throw cf::Error(CF_E_NOT_CONVERGED, "the coin stood on its edge");
    if (mode == Mode::kSleepInFit) SleepUntilCancelled(context);
    if (mode == Mode::kCancelUnasked) throw cf::Error(CF_E_CANCELLED, "no wish to go on");
    if (mode == Mode::kRounding) BeLoud(context);
    return {mode, context.seed(), train.num_classes()};
  }
  void Predict(const cf::FeatureView& rows, std::span<std::int32_t> labels,
               const cf::Context& context) const {
    if (mode == Mode::kThrowInPredict) throw cf::Error(CF_E_NUMERIC, "the coin rolled away");
    if (mode == Mode::kSleepInPredict) SleepUntilCancelled(context);
    if (mode == Mode::kNoLabel) return;
    const std::vector<double> all = Draw(rows, context);
    cf::internal::MostProbable(all, n_classes, labels);
    if (mode == Mode::kBadLabel) labels.back() = static_cast<std::int32_t>(n_classes);
  }
  void PredictProba(const cf::FeatureView& rows, std::span<double> out,
                    const cf::Context& context) const {
    const std::vector<double> all = Draw(rows, context);
    std::copy(all.begin(), all.end(), out.begin());
    if (mode == Mode::kNegative) out[0] = -0.25;
    if (mode == Mode::kNotANumber) out[0] = kNaN;
    if (mode == Mode::kWrongSum) std::fill(out.begin(), out.end(), 0.5);
  }

 private:
  std::vector<double> Draw(const cf::FeatureView& rows, const cf::Context& context) const {
    std::vector<double> all(static_cast<std::size_t>(rows.num_rows() * n_classes));
    for (std::int64_t i = 0; i < rows.num_rows(); ++i) {
      cf::Random random(fit_seed ^ (context.seed() + static_cast<std::uint64_t>(rows.row_id(i))));
      double sum = 0;
      const std::span row(&all[static_cast<std::size_t>(i * n_classes)],
                          static_cast<std::size_t>(n_classes));
      for (double& p : row) sum += p = random.Uniform() + 0.001;
      for (double& p : row) p /= sum;
    }
    return all;
  }
};

// Its model changes the process when it is destroyed.
struct Slammer {
  static constexpr cf::LearnerInfo kInfo{.component = {.id = "fixture.slammer"},
                                         .accepts = Coin::kInfo.accepts};
  using Params = cf::NoParams;
  static constexpr auto kSchema = cf::kNoSchema;
  struct Slam {
    void operator()(const int*) const { std::fesetround(FE_UPWARD); }
  };
  std::unique_ptr<const int, Slam> door;

  static Slammer Fit(const Params&, const cf::TrainingView&, const cf::Context&) {
    static constexpr int kDoor = 0;
    return {std::unique_ptr<const int, Slam>(&kDoor)};
  }
  void Predict(const cf::FeatureView&, std::span<std::int32_t> labels, const cf::Context&) const {
    std::fill(labels.begin(), labels.end(), 0);
  }
};

// Labels only.
struct FirstClass {
  static constexpr cf::LearnerInfo kInfo{.component = {.id = "fixture.first_class"},
                                         .accepts = Coin::kInfo.accepts};
  using Params = cf::NoParams;
  static constexpr auto kSchema = cf::kNoSchema;
  static FirstClass Fit(const Params&, const cf::TrainingView&, const cf::Context&) { return {}; }
  void Predict(const cf::FeatureView&, std::span<std::int32_t> labels, const cf::Context&) const {
    std::fill(labels.begin(), labels.end(), 0);
  }
};

// A number that shows what the learner was given.
struct Probe {
  enum class Mode {
    kTrainingRows,  // how many
    kTargetSum,     // of the training rows
    kWeightSum,     // of the training rows
    kFeature,       // the first feature of the row to predict
    kFitSeed,       // modulo 2^32
    kPredictSeed,   // modulo 2^32
    kInfinite,
    kFeatureSum,  // of the first feature of the training rows
    kRowIdSum     // of the training rows
  };
  static constexpr std::array<const char*, 9> kModes = {
      "training_rows", "target_sum", "weight_sum",  "feature",   "fit_seed",
      "predict_seed",  "infinite",   "feature_sum", "row_id_sum"};
  static constexpr cf::LearnerInfo kInfo{
      .component = {.id = "fixture.probe"},
      .tasks = CF_TASK_REGRESSION,
      .accepts = CF_ACCEPTS_NUMERIC | CF_ACCEPTS_CATEGORICAL | CF_ACCEPTS_WEIGHTS};
  struct Params {
    Mode mode = Mode::kTrainingRows;
  };
  static constexpr auto kSchema =
      cf::Schema(cf::Choice("mode", &Params::mode, kModes, "What it predicts."));

  Mode mode = Mode::kTrainingRows;
  double constant = 0;

  static Probe Fit(const Params& params, const cf::TrainingView& train,
                   const cf::Context& context) {
    Probe made{params.mode, 0};
    if (params.mode == Mode::kTrainingRows) made.constant = static_cast<double>(train.num_rows());
    if (params.mode == Mode::kFitSeed) {
      made.constant = static_cast<double>(context.seed() & 0xFFFFFFFFu);
    }
    for (std::int64_t i = 0; i < train.num_rows(); ++i) {
      if (params.mode == Mode::kTargetSum) made.constant += train.value(i);
      if (params.mode == Mode::kWeightSum) made.constant += train.weight(i);
      if (params.mode == Mode::kFeatureSum) made.constant += train.x(i, 0);
      if (params.mode == Mode::kRowIdSum) made.constant += static_cast<double>(train.row_id(i));
    }
    return made;
  }
  static Probe FitValidated(const Params& params, const cf::TrainingView& train,
                            const cf::TrainingView& validation, const cf::Context& context) {
    Probe made = Fit(params, train, context);
    made.constant += 1000 * Fit(params, validation, context).constant;
    return made;
  }
  void Predict(const cf::FeatureView& rows, std::span<double> values,
               const cf::Context& context) const {
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = constant;
      if (mode == Mode::kFeature) values[i] = rows.x(static_cast<std::int64_t>(i), 0);
      if (mode == Mode::kPredictSeed) {
        values[i] = static_cast<double>(context.seed() & 0xFFFFFFFFu);
      }
    }
    if (mode == Mode::kInfinite) values[0] = kInfinity;
  }
};

// Two classes, numbers without gaps, no weights, at least so many rows.
struct Picky {
  static constexpr cf::LearnerInfo kInfo{
      .component = {.id = "fixture.picky"}, .tasks = CF_TASK_BINARY, .accepts = CF_ACCEPTS_NUMERIC};
  struct Params {
    std::int64_t rows = 1;
  };
  static constexpr auto kSchema =
      cf::Schema(cf::Integer("rows", &Params::rows, {.low = 1}, "Training rows it needs."));
  static void Check(const Params& params, const cf_shape& shape, const cf::Context&) {
    if (shape.n_rows >= params.rows) return;
    throw cf::Error(CF_E_UNSUPPORTED_DATA, "needs " + std::to_string(params.rows) +
                                               " training rows, there are " +
                                               std::to_string(shape.n_rows));
  }
  static Picky Fit(const Params&, const cf::TrainingView&, const cf::Context&) { return {}; }
  void Predict(const cf::FeatureView&, std::span<std::int32_t> labels, const cf::Context&) const {
    std::fill(labels.begin(), labels.end(), 1);
  }
};

// Categories only.
struct Namer {
  static constexpr cf::LearnerInfo kInfo{.component = {.id = "fixture.namer"},
                                         .accepts = CF_ACCEPTS_CATEGORICAL};
  using Params = cf::NoParams;
  static constexpr auto kSchema = cf::kNoSchema;
  static Namer Fit(const Params&, const cf::TrainingView&, const cf::Context&) { return {}; }
  void Predict(const cf::FeatureView&, std::span<std::int32_t> labels, const cf::Context&) const {
    std::fill(labels.begin(), labels.end(), 0);
  }
};

// Can be saved, has a parameter of every type, tells importance and exports. Predicts the sum of
// the features (a missing one counts as 100) times `rate`, or the class of that number modulo them.
// Fitted from an earlier model it adds up both rates, if they are not opposite.
struct Recorder {
  enum class Shape { kRound, kSquare };
  static constexpr std::array<const char*, 2> kShapes = {"round", "square"};
  static constexpr std::array<const char*, 2> kExportFormats = {"text", "latin_1"};
  static constexpr std::uint32_t kFormatVersion = kRecorderFormat;
  static constexpr cf::LearnerInfo kInfo{
      .component = {.id = "fixture.recorder"},
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS | CF_TASK_REGRESSION,
      .accepts = CF_ACCEPTS_NUMERIC | CF_ACCEPTS_CATEGORICAL | CF_ACCEPTS_MISSING};
  struct Params {
    double rate = 1;
    std::int64_t count = kDefaultCount;
    bool flag = false;
    Shape shape = Shape::kRound;
    std::string note = "";
    std::vector<std::int64_t> sizes = {1, 2};
    std::vector<double> shares = {0.5};
    std::optional<double> limit = std::nullopt;
  };
  static constexpr auto kSchema =
      cf::Schema(cf::Real("rate", &Params::rate, {}, "A factor."),
                 cf::Integer("count", &Params::count, {}, "A number."),
                 cf::Boolean("flag", &Params::flag, "A flag."),
                 cf::Choice("shape", &Params::shape, kShapes, "A shape."),
                 cf::Text("note", &Params::note, "A text."),
                 cf::IntegerList("sizes", &Params::sizes, {}, "Some numbers."),
                 cf::RealList("shares", &Params::shares, {}, "Some shares."),
                 cf::Real("limit", &Params::limit, {}, "A bound, or none."));

  double rate = 1;
  std::uint64_t n_features = 0;
  std::uint64_t n_classes = 0;

  static Recorder Fit(const Params& params, const cf::TrainingView& train, const cf::Context&) {
    return {params.rate, static_cast<std::uint64_t>(train.num_features()),
            static_cast<std::uint64_t>(train.num_classes())};
  }
  static Recorder FitFrom(const Params& params, const cf::TrainingView& train,
                          const Recorder& start, const cf::Context& context) {
    if (start.rate == -params.rate) {
      throw cf::Error(CF_E_INVALID_ARGUMENT, "the rates cancel each other");
    }
    Recorder made = Fit(params, train, context);
    made.rate += start.rate;
    return made;
  }
  double Sum(const cf::FeatureView& rows, std::int64_t i) const {
    if (static_cast<std::uint64_t>(rows.num_features()) != n_features) {
      throw cf::Error(CF_E_INVALID_ARGUMENT, "it was trained on other features");
    }
    double sum = 0;
    for (std::int64_t j = 0; j < rows.num_features(); ++j) {
      sum += std::isnan(rows.x(i, j)) ? 100 : rows.x(i, j);
    }
    return sum * rate;
  }
  void Predict(const cf::FeatureView& rows, std::span<double> values, const cf::Context&) const {
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = Sum(rows, static_cast<std::int64_t>(i));
    }
  }
  void PredictProba(const cf::FeatureView& rows, std::span<double> out, const cf::Context&) const {
    if (n_classes == 0 || out.size() != static_cast<std::size_t>(rows.num_rows()) * n_classes) {
      throw cf::Error(CF_E_INVALID_ARGUMENT, "it was trained on other classes");
    }
    std::fill(out.begin(), out.end(), 0.0);
    for (std::size_t i = 0; i * n_classes < out.size(); ++i) {
      const double sum = std::abs(Sum(rows, static_cast<std::int64_t>(i)));
      const double at = std::fmod(std::isfinite(sum) ? sum : 0, static_cast<double>(n_classes));
      out[i * n_classes + static_cast<std::size_t>(at)] = 1;
    }
  }
  void Save(cf::Writer& w) const {
    w.Write(rate);
    w.Write(n_features);
    w.Write(n_classes);
  }
  static Recorder Load(cf::Reader& r) {
    Recorder made;
    made.rate = r.Read<double>();
    made.n_features = r.Read<std::uint64_t>();
    made.n_classes = r.Read<std::uint64_t>();
    return made;
  }
  // That of the first feature is the rate, of the second twice the rate ...
  void Importance(std::span<double> out, const cf::Context&) const {
    for (std::size_t j = 0; j < out.size(); ++j) out[j] = rate * static_cast<double>(j + 1);
  }
  std::string Export(std::size_t format, const cf::Context&) const {
    return format == 0 ? "rate " + std::to_string(rate) + "\n" : "na\xEFve";
  }
};

// Subtracts the mean of the training rows from the first feature and passes the others.
struct Center {
  enum class Mode {
    kCenter,
    kThrowInFit,
    kThrowInApply,
    kOtherColumns,  // for rows that are not as many as the training rows
    kGaps,          // every entry missing, for rows that are not as many as the training rows
    kNothing,
    kTwice,
    kBadCode,
    kUnfilled
  };
  static constexpr std::array<const char*, 9> kModes = {
      "center",  "throw_in_fit", "throw_in_apply", "other_columns", "gaps",
      "nothing", "twice",        "bad_code",       "unfilled"};
  static constexpr cf::TransformInfo kInfo{.component = {.id = "fixture.center"}};
  static constexpr std::uint32_t kFormatVersion = 1;
  struct Params {
    Mode mode = Mode::kCenter;
  };
  static constexpr auto kSchema =
      cf::Schema(cf::Choice("mode", &Params::mode, kModes, "What it does."));

  Mode mode = Mode::kCenter;
  double mean = 0;
  std::int64_t n_training_rows = 0;

  static Center Fit(const Params& params, const cf::TrainingView& train, const cf::Context&) {
    if (params.mode == Mode::kThrowInFit) throw cf::Error(CF_E_NUMERIC, "no centre");
    Center made{params.mode, 0, train.num_rows()};
    for (std::int64_t i = 0; i < train.num_rows(); ++i) made.mean += train.x(i, 0);
    made.mean /= static_cast<double>(train.num_rows());
    return made;
  }
  void Save(cf::Writer& w) const {
    w.Write(static_cast<std::int32_t>(mode));
    w.Write(mean);
    w.Write(n_training_rows);
  }
  static Center Load(cf::Reader& r) {
    Center made;
    made.mode = static_cast<Mode>(r.ReadWithin<std::int32_t>(0, 8));
    made.mean = r.Read<double>();
    made.n_training_rows = r.Read<std::int64_t>();
    return made;
  }
  void Apply(const cf::FeatureView& rows, cf::ColumnSink& out, const cf::Context&) const {
    const bool other_rows = rows.num_rows() != n_training_rows;
    if (mode == Mode::kThrowInApply) throw cf::Error(CF_E_NUMERIC, "off centre");
    if (mode == Mode::kNothing) return;
    if (mode == Mode::kBadCode) {
      static constexpr std::array<const char*, 2> kLevels = {"left", "right"};
      out.AddCategorical("side", kLevels)[0] = 2;
      return;
    }
    const std::string name(mode == Mode::kOtherColumns && other_rows ? "moved" : rows.name(0));
    const std::span<double> centred = out.AddNumeric(name);
    if (mode == Mode::kTwice) out.AddNumeric(name);
    if (mode == Mode::kUnfilled || (mode == Mode::kGaps && other_rows)) {
      if (mode == Mode::kGaps) std::fill(centred.begin(), centred.end(), kNaN);
      return;
    }
    rows.CopyColumn(0, centred);
    for (double& x : centred) x -= mean;
    for (std::int64_t j = 1; j < rows.num_features(); ++j) out.Pass(j);
  }
};

// Changes which rows train. Columns pass.
struct Resampler {
  enum class Mode { kLastTwice, kWeigh, kRandom, kOutOfRange, kBadWeight, kThrow };
  static constexpr std::array<const char*, 6> kModes = {"last_twice",   "weigh",      "random",
                                                        "out_of_range", "bad_weight", "throw"};
  static constexpr cf::TransformInfo kInfo{.component = {.id = "fixture.resampler"}};
  struct Params {
    Mode mode = Mode::kLastTwice;
  };
  static constexpr auto kSchema =
      cf::Schema(cf::Choice("mode", &Params::mode, kModes, "What it emits."));

  static void Resample(const Params& params, const cf::TrainingView& train, cf::RowSink& out,
                       const cf::Context& context) {
    const std::int64_t n = train.num_rows();
    std::vector<std::int64_t> positions(static_cast<std::size_t>(n));
    std::vector<double> weights;
    std::iota(positions.begin(), positions.end(), 0);
    cf::Random random = context.MakeRandom();
    if (params.mode == Mode::kThrow) throw cf::Error(CF_E_UNSUPPORTED_DATA, "nothing to choose");
    if (params.mode == Mode::kLastTwice) positions.front() = n - 1;
    if (params.mode == Mode::kOutOfRange) positions.front() = n;
    for (std::int64_t& position : positions) {
      if (params.mode == Mode::kWeigh) weights.push_back(static_cast<double>(position + 1));
      if (params.mode == Mode::kBadWeight) weights.push_back(kNaN);
      if (params.mode != Mode::kRandom) continue;
      position = static_cast<std::int64_t>(random.Below(static_cast<std::uint64_t>(n)));
    }
    out.Emit(positions, weights);
  }
  static Resampler Fit(const Params&, const cf::TrainingView&, const cf::Context&) { return {}; }
  void Apply(const cf::FeatureView& rows, cf::ColumnSink& out, const cf::Context&) const {
    for (std::int64_t j = 0; j < rows.num_features(); ++j) out.Pass(j);
  }
};

// Makes a new row from one that it draws, with the first feature negated. Columns pass.
struct Synthesizer {
  enum class Mode { kNegate, kThrow, kOtherColumns, kGaps };
  static constexpr std::array<const char*, 4> kModes = {"negate", "throw", "other_columns", "gaps"};
  static constexpr cf::TransformInfo kInfo{.component = {.id = "fixture.synthesizer"}};
  struct Params {
    Mode mode = Mode::kNegate;
  };
  static constexpr auto kSchema =
      cf::Schema(cf::Choice("mode", &Params::mode, kModes, "What it makes."));

  static std::int64_t Drawn(const cf::TrainingView& train, const cf::Context& context) {
    return static_cast<std::int64_t>(
        context.MakeRandom().Below(static_cast<std::uint64_t>(train.num_rows())));
  }
  static void Resample(const Params&, const cf::TrainingView& train, cf::RowSink& out,
                       const cf::Context& context) {
    std::vector<std::int64_t> positions(static_cast<std::size_t>(train.num_rows()));
    std::iota(positions.begin(), positions.end(), 0);
    positions.push_back(Drawn(train, context));
    out.Emit(positions);
  }
  static void Synthesize(const Params& params, const cf::TrainingView& train,
                         std::span<const std::int64_t> positions, cf::ColumnSink& out,
                         const cf::Context& context) {
    if (positions.back() != Drawn(train, context)) throw cf::Error(CF_E_INTERNAL, "another seed");
    if (params.mode == Mode::kThrow) throw cf::Error(CF_E_NUMERIC, "nothing new");
    const bool moves = params.mode == Mode::kOtherColumns;
    const std::span<double> first = out.AddNumeric(moves ? "moved" : std::string(train.name(0)));
    for (std::size_t i = 0; i < positions.size(); ++i) first[i] = train.x(positions[i], 0);
    first.back() = params.mode == Mode::kGaps ? kNaN : -first.back();
    for (std::int64_t j = 1; j < train.num_features(); ++j) out.Pass(j);
  }
  static Synthesizer Fit(const Params&, const cf::TrainingView&, const cf::Context&) { return {}; }
  void Apply(const cf::FeatureView& rows, cf::ColumnSink& out, const cf::Context&) const {
    for (std::int64_t j = 0; j < rows.num_features(); ++j) out.Pass(j);
  }
};

struct Nonsense {
  enum class Mode {
    kModulo,
    kWrongLength,
    kEmptyFold,
    kFoldOutOfRange,
    kMixed,
    kNothing,
    kThrow,
    kBothParts,
    kNoTraining,
    kOutOfRange,
    kList,
    kRandom,
    kLeaveOneOut,
    kSleep,
    kByLabel,
    kByStratum,
    kLoud
  };
  static constexpr std::array<const char*, 17> kModes = {
      "modulo",        "wrong_length", "empty_fold",  "fold_out_of_range", "mixed", "nothing",
      "throw",         "both_parts",   "no_training", "out_of_range",      "list",  "random",
      "leave_one_out", "sleep",        "by_label",    "by_stratum",        "loud"};
  static constexpr cf::SplitterInfo kInfo{.component = {.id = "fixture.nonsense"}};
  struct Params {
    Mode mode = Mode::kModulo;
    std::int64_t folds = 2;
    std::int64_t repeats = 1;
  };
  static constexpr auto kSchema =
      cf::Schema(cf::Choice("mode", &Params::mode, kModes, "What it emits."),
                 cf::Integer("folds", &Params::folds, {.low = 1}, "Folds."),
                 cf::Integer("repeats", &Params::repeats, {.low = 1}, "Repeats."));

  static void Split(const Params& params, const cf::SplitInput& input, cf::SplitSink& out,
                    const cf::Context& context) {
    const auto n = static_cast<std::size_t>(input.num_rows());
    const auto n_folds = static_cast<std::int32_t>(params.folds);
    cf::Random random = context.MakeRandom();
    if (EmitList(params.mode, input.num_rows(), out)) return;
    if (params.mode == Mode::kNothing) return;
    if (params.mode == Mode::kSleep) SleepUntilCancelled(context);
    if (params.mode == Mode::kLoud) BeLoud(context);
    if (params.mode == Mode::kThrow) {
      throw cf::Error(CF_E_INVALID_PARAM, "there are fewer rows than folds");
    }
    for (std::int64_t repeat = 0; repeat < params.repeats; ++repeat) {
      std::vector<std::int32_t> folds(n);
      for (std::size_t i = 0; i < n; ++i) folds[i] = static_cast<std::int32_t>(i) % n_folds;
      if (params.mode == Mode::kByStratum) {
        for (std::size_t i = 0; i < n; ++i) {
          folds[i] = static_cast<std::int32_t>(input.strata()[i]);
        }
      }
      if (params.mode == Mode::kByLabel) folds.assign(input.labels().begin(), input.labels().end());
      if (params.mode == Mode::kRandom) random.Shuffle(std::span(folds));
      if (params.mode == Mode::kWrongLength) folds.pop_back();
      if (params.mode == Mode::kFoldOutOfRange) folds[3] = n_folds;
      if (params.mode == Mode::kLeaveOneOut) std::iota(folds.begin(), folds.end(), 0);
      std::int32_t announced = n_folds;
      if (params.mode == Mode::kEmptyFold) ++announced;
      if (params.mode == Mode::kLeaveOneOut) announced = static_cast<std::int32_t>(n);
      out.EmitPartition(folds, announced);
    }
    if (params.mode == Mode::kMixed) {
      out.EmitSplit(std::array<std::int64_t, 1>{0}, std::array<std::int64_t, 1>{1});
    }
  }

 private:
  static bool EmitList(Mode mode, std::int64_t n_rows, cf::SplitSink& out) {
    const std::array<std::int64_t, 1> first = {0};
    if (mode == Mode::kBothParts) out.EmitSplit(std::array<std::int64_t, 2>{1, 0}, first);
    if (mode == Mode::kNoTraining) out.EmitSplit({}, first);
    if (mode == Mode::kOutOfRange) out.EmitSplit(std::array<std::int64_t, 1>{n_rows}, first);
    if (mode == Mode::kList) {
      out.EmitSplit(std::array<std::int64_t, 3>{3, 1, 1}, std::array<std::int64_t, 2>{2, 0});
      out.EmitSplit(std::array<std::int64_t, 1>{2}, std::array<std::int64_t, 1>{3});
    }
    return mode == Mode::kBothParts || mode == Mode::kNoTraining || mode == Mode::kOutOfRange ||
           mode == Mode::kList;
  }
};

// Cannot do without any of the roles.
template <std::uint32_t kUses>
struct Needy {
  static constexpr cf::SplitterInfo kInfo{
      .component = {.id = kUses == CF_SPLIT_USES_TARGET   ? "fixture.needs_target"
                          : kUses == CF_SPLIT_USES_GROUPS ? "fixture.needs_groups"
                          : kUses == CF_SPLIT_USES_TIME   ? "fixture.needs_time"
                                                          : "fixture.needs_folds"},
      .uses = kUses};
  using Params = cf::NoParams;
  static constexpr auto kSchema = cf::kNoSchema;
  // Folds by the parity of the role.
  static void Split(const Params&, const cf::SplitInput& input, cf::SplitSink& out,
                    const cf::Context&) {
    std::vector<std::int32_t> folds;
    for (std::size_t i = 0; i < static_cast<std::size_t>(input.num_rows()); ++i) {
      std::int64_t entry = 0;
      if (kUses == CF_SPLIT_USES_TARGET && input.num_classes() > 0) entry = input.labels()[i];
      if (kUses == CF_SPLIT_USES_TARGET && input.num_classes() == 0) {
        entry = static_cast<std::int64_t>(input.values()[i]);
      }
      if (kUses == CF_SPLIT_USES_GROUPS) entry = input.groups()[i];
      if (kUses == CF_SPLIT_USES_TIME) entry = static_cast<std::int64_t>(input.time()[i]);
      if (kUses == CF_SPLIT_USES_FOLDS) entry = input.folds()[i];
      folds.push_back(static_cast<std::int32_t>(entry % 2));
    }
    out.EmitPartition(folds, 2);
  }
};

// The weighted share of right labels; or worse.
struct Hits {
  enum class Mode { kShare, kUndefined, kNotANumber, kThrow, kInfinite, kBound, kLoud };
  static constexpr std::array<const char*, 7> kModes = {
      "share", "undefined", "not_a_number", "throw", "infinite", "bound", "loud"};
  static constexpr cf::MetricInfo kInfo{.component = {.id = "fixture.hits"},
                                        .needs = CF_NEEDS_LABELS,
                                        .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
                                        .direction = 1,
                                        .worst = -kInfinity,
                                        .best = 1};
  struct Params {
    Mode mode = Mode::kShare;
  };
  static constexpr auto kSchema =
      cf::Schema(cf::Choice("mode", &Params::mode, kModes, "What it returns."));
  static double Score(const Params& params, const cf::MetricInput& input,
                      const cf::Context& context) {
    if (params.mode == Mode::kLoud) BeLoud(context);
    if (params.mode == Mode::kUndefined) throw cf::Undefined("one class only");
    if (params.mode == Mode::kThrow) throw cf::Error(CF_E_INTERNAL, "the scale broke");
    if (params.mode == Mode::kNotANumber) return kNaN;
    if (params.mode == Mode::kInfinite) return kInfinity;
    if (params.mode == Mode::kBound) return -kInfinity;
    double right = 0;
    double all = 0;
    for (std::size_t i = 0; i < input.labels().size(); ++i) {
      const double weight = input.weight(static_cast<std::int64_t>(i));
      all += weight;
      if (input.labels()[i] == input.truth_labels()[i]) right += weight;
    }
    return right / all;
  }
};

// The mean probability of the true class.
struct TrueProbability {
  static constexpr cf::MetricInfo kInfo{.component = {.id = "fixture.true_probability"},
                                        .needs = CF_NEEDS_PROBABILITIES,
                                        .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
                                        .direction = 1,
                                        .worst = 0,
                                        .best = 1};
  using Params = cf::NoParams;
  static constexpr auto kSchema = cf::kNoSchema;
  static double Score(const Params&, const cf::MetricInput& input, const cf::Context&) {
    double sum = 0;
    for (std::int64_t i = 0; i < input.num_rows(); ++i) {
      const auto row = static_cast<std::size_t>(i);
      const auto truth = static_cast<std::size_t>(input.truth_labels()[row]);
      sum += input.probabilities()[row * static_cast<std::size_t>(input.num_classes()) + truth];
    }
    return sum / static_cast<double>(input.num_rows());
  }
};

struct MeanDifference {
  static constexpr cf::MetricInfo kInfo{.component = {.id = "fixture.mean_difference"},
                                        .needs = CF_NEEDS_VALUES,
                                        .tasks = CF_TASK_REGRESSION};
  using Params = cf::NoParams;
  static constexpr auto kSchema = cf::kNoSchema;
  static double Score(const Params&, const cf::MetricInput& input, const cf::Context&) {
    double sum = 0;
    for (std::size_t i = 0; i < input.values().size(); ++i) {
      sum += input.values()[i] - input.truth_values()[i];
    }
    return sum / static_cast<double>(input.num_rows());
  }
};

// The weighted share of right labels, counted block by block; or how many blocks there were.
struct Counted {
  enum class Mode { kShare, kBlocks, kBeginUndefined, kAddUndefined, kThrowInAdd };
  static constexpr std::array<const char*, 5> kModes = {"share", "blocks", "begin_undefined",
                                                        "add_undefined", "throw_in_add"};
  static constexpr cf::MetricInfo kInfo{.component = {.id = "fixture.counted"},
                                        .needs = CF_NEEDS_LABELS,
                                        .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS};
  struct Params {
    Mode mode = Mode::kShare;
    std::string positive;
  };
  static constexpr auto kSchema =
      cf::Schema(cf::Choice("mode", &Params::mode, kModes, "What it does."),
                 cf::Text("positive", &Params::positive, "A class."));

  static void Check(const Params& params, const cf_shape& shape, const cf::Context&) {
    for (std::int64_t c = 0; c < shape.n_classes; ++c) {
      if (params.positive == shape.class_names[c]) return;
    }
    if (params.positive.empty()) return;
    throw cf::Error(CF_E_INVALID_PARAM, "'" + params.positive + "' is not a class");
  }
  static Counted Begin(const Params& params, const cf::MetricInput& about, const cf::Context&) {
    if (params.mode == Mode::kBeginUndefined || about.num_rows() != 0) {
      throw cf::Undefined("nothing to begin with");
    }
    return {params.mode};
  }
  void Add(const cf::MetricInput& block, const cf::Context&) {
    ++blocks;
    if (mode == Mode::kAddUndefined) throw cf::Undefined("not in this block");
    if (mode == Mode::kThrowInAdd) throw cf::Error(CF_E_INTERNAL, "lost count");
    for (std::int64_t i = 0; i < block.num_rows(); ++i) {
      const auto row = static_cast<std::size_t>(i);
      all += block.weight(i);
      if (block.labels()[row] == block.truth_labels()[row]) right += block.weight(i);
    }
  }
  double Finish(const cf::Context&) const {
    return mode == Mode::kBlocks ? static_cast<double>(blocks) : right / all;
  }

  Mode mode = Mode::kShare;
  std::int64_t blocks = 0;
  double right = 0, all = 0;
};

// Sum of the cost matrix, times a million; plus the mean cost of the predicted classes in their
// rows.
struct Costs {
  static constexpr cf::MetricInfo kInfo{.component = {.id = "fixture.costs"},
                                        .needs = CF_NEEDS_LABELS | CF_NEEDS_COSTS,
                                        .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS};
  using Params = cf::NoParams;
  static constexpr auto kSchema = cf::kNoSchema;
  static double Score(const Params&, const cf::MetricInput& input, const cf::Context&) {
    double sum = 0;
    for (const double cost : input.costs()) sum += 1e6 * cost;
    const auto k = static_cast<std::size_t>(input.num_classes());
    for (std::size_t i = 0; !input.row_costs().empty() && i < input.labels().size(); ++i) {
      sum += input.row_costs()[i * k + static_cast<std::size_t>(input.labels()[i])];
    }
    return sum;
  }
};

// Weight of the first class, or the mean target, of the training rows.
struct TrainingTarget {
  static constexpr cf::MetricInfo kInfo{
      .component = {.id = "fixture.training_target"},
      .needs = CF_NEEDS_TRAINING_TARGET,
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS | CF_TASK_REGRESSION};
  using Params = cf::NoParams;
  static constexpr auto kSchema = cf::kNoSchema;
  static double Score(const Params&, const cf::MetricInput& input, const cf::Context&) {
    return input.num_classes() > 0 ? input.training_class_weights()[0] : input.training_mean();
  }
};

// Needs what nobody gives here.
template <std::uint32_t kNeeds>
struct Demanding {
  static constexpr cf::MetricInfo kInfo{
      .component = {.id = kNeeds == CF_NEEDS_COSTS    ? "fixture.needs_costs"
                          : kNeeds == CF_NEEDS_GROUPS ? "fixture.needs_group_ids"
                                                      : "fixture.needs_training_target"},
      .needs = kNeeds,
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS};
  using Params = cf::NoParams;
  static constexpr auto kSchema = cf::kNoSchema;
  static double Score(const Params&, const cf::MetricInput&, const cf::Context&) { return 1; }
};

// Predicts its first feature, and draws that as a graph of ONNX, with a defect.
struct DrawnGraph {
  enum class Defect { kNone, kNoOutput, kTakenName, kRefuses };
  static constexpr std::array<const char*, 4> kDefects = {"none", "no_output", "taken_name",
                                                          "refuses"};
  static constexpr cf::LearnerInfo kInfo{.component = {.id = "fixture.drawn_graph"},
                                         .tasks = CF_TASK_REGRESSION};
  struct Params {
    Defect defect = Defect::kNone;
  };
  static constexpr auto kSchema =
      cf::Schema(cf::Choice("defect", &Params::defect, kDefects, "What its graph does wrong."));

  static DrawnGraph Fit(const Params& params, const cf::TrainingView&, const cf::Context&) {
    return {params.defect};
  }
  void Predict(const cf::FeatureView& rows, std::span<double> values, const cf::Context&) const {
    rows.CopyColumn(0, values);
  }
  void AddOnnx(const cf::FeatureView&, cf::OnnxGraph& graph, const cf::Context&) const {
    if (defect == Defect::kRefuses) throw cf::Error(CF_E_UNSUPPORTED, "it has no graph");
    const auto column = cf::OnnxGraph::Column(0);
    const auto value = graph.Node("Squeeze", {column, graph.Axis(1)});
    if (defect == Defect::kTakenName) graph.SetOutput(column, value);
    if (defect != Defect::kNoOutput) graph.SetOutput("value", value);
  }

  Defect defect = Defect::kNone;
};

using NeedsTarget = Needy<CF_SPLIT_USES_TARGET>;
using NeedsGroups = Needy<CF_SPLIT_USES_GROUPS>;
using NeedsTime = Needy<CF_SPLIT_USES_TIME>;
using NeedsFolds = Needy<CF_SPLIT_USES_FOLDS>;
using NeedsCosts = Demanding<CF_NEEDS_COSTS>;
using NeedsGroupIds = Demanding<CF_NEEDS_GROUPS>;
using NeedsTrainingTarget = Demanding<CF_NEEDS_TRAINING_TARGET>;

}  // namespace

CROSSFOLD_PLUGIN("fixture", CROSSFOLD_FIXTURE_VERSION, "The Crossfold Authors", "MIT", Coin,
                 Slammer, FirstClass, Probe, Picky, Namer, Recorder, Center, Resampler, Synthesizer,
                 Nonsense, NeedsTarget, NeedsGroups, NeedsTime, NeedsFolds, Hits, TrueProbability,
                 MeanDifference, Counted, Costs, TrainingTarget, NeedsCosts, NeedsGroupIds,
                 NeedsTrainingTarget, DrawnGraph)
