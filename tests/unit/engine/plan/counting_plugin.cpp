// Components that log a line for each call that costs time, so that a test can count them.
#include <algorithm>
#include <crossfold_plugin.hpp>
#include <cstdint>
#include <span>
#include <string_view>

namespace {
namespace cf = crossfold::plugin;

void Tell(const cf::Context& context, const char* what) { context.Log(CF_LOG_INFO, what); }

// Predicts the first class. Fits all values of `size` at once and prepares for each `metric`.
struct Path {
  static constexpr cf::LearnerInfo kInfo{.component = {.id = "counting.path"},
                                         .accepts = CF_ACCEPTS_NUMERIC};
  struct Params {
    std::int64_t size = 1;
    double rate = 1;
    std::int64_t metric = 1;
  };
  static constexpr auto kSchema =
      cf::Schema(cf::Integer("size", &Params::size, {.low = 1}, "Fitted all at once.",
                             {.flags = CF_PF_SUBMODEL}),
                 cf::Real("rate", &Params::rate, {}, "Fitted one by one."),
                 cf::Integer("metric", &Params::metric, {}, "What the structure depends on.",
                             {.flags = CF_PF_PREPARE}));
  struct Prepared {
    static std::uint64_t Bytes() { return 8; }
  };

  static Path Fit(const Params&, const cf::TrainingView&, const cf::Context& context) {
    Tell(context, "fit");
    return {};
  }
  static Path FitPath(const Params&, std::string_view, std::span<const cf_value>,
                      const cf::TrainingView&, const cf::Context& context) {
    Tell(context, "fit");
    return {};
  }
  static Prepared Prepare(const Params&, const cf::FeatureView&, const cf::Context& context) {
    Tell(context, "prepare");
    return {};
  }
  static Path FitPrepared(const Params&, const Prepared&, const cf::TrainingView&,
                          const cf::Context& context) {
    Tell(context, "fit");
    return {};
  }
  static Path FitPathPrepared(const Params&, std::string_view, std::span<const cf_value>,
                              const Prepared&, const cf::TrainingView&,
                              const cf::Context& context) {
    Tell(context, "fit");
    return {};
  }
  void Predict(const cf::FeatureView&, std::span<std::int32_t> labels, const cf::Context&) const {
    std::fill(labels.begin(), labels.end(), 0);
  }
  void PredictAt(std::size_t, const cf::FeatureView&, std::span<std::int32_t> labels,
                 const cf::Context&) const {
    std::fill(labels.begin(), labels.end(), 0);
  }
};

// Predicts the first class, across folds where it can.
struct Cross {
  static constexpr cf::LearnerInfo kInfo{.component = {.id = "counting.cross"},
                                         .accepts = CF_ACCEPTS_NUMERIC};
  struct Params {
    std::int64_t k = 1;
  };
  static constexpr auto kSchema = cf::Schema(cf::Integer("k", &Params::k, {.low = 1}, "A number."));

  static Cross Fit(const Params&, const cf::TrainingView&, const cf::Context& context) {
    Tell(context, "fit");
    return {};
  }
  void Predict(const cf::FeatureView&, std::span<std::int32_t> labels, const cf::Context&) const {
    std::fill(labels.begin(), labels.end(), 0);
  }
  static void CrossPredict(std::span<const Params> settings, const cf::TrainingView& rows,
                           std::span<const std::int32_t> fold_of_row, std::int32_t,
                           cf::CrossSink& sink, const cf::Context& context) {
    Tell(context, "pass");
    for (std::size_t s = 0; s < settings.size(); ++s) {
      for (std::int64_t i = 0; i < rows.num_rows(); ++i) {
        if (fold_of_row[static_cast<std::size_t>(i)] < 0) continue;
        constexpr std::int32_t kFirst = 0;
        sink.Emit(s, {&i, 1}, {.labels = {&kFirst, 1}});
      }
    }
  }
};

// Changes nothing.
struct Same {
  static constexpr cf::TransformInfo kInfo{.component = {.id = "counting.same"}};
  struct Params {
    double shift = 0;
  };
  static constexpr auto kSchema = cf::Schema(cf::Real("shift", &Params::shift, {}, "A number."));

  static Same Fit(const Params&, const cf::TrainingView&, const cf::Context& context) {
    Tell(context, "transform");
    return {};
  }
  void Apply(const cf::FeatureView& rows, cf::ColumnSink& out, const cf::Context&) const {
    for (std::int64_t j = 0; j < rows.num_features(); ++j) out.Pass(j);
  }
};

}  // namespace

CROSSFOLD_PLUGIN("counting", "1.0.0", "The Crossfold Authors", "MIT", Path, Cross, Same)
