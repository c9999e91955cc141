// A small plugin without a defect, so that the tests of the host need no bundled one.
#include <crossfold_plugin.hpp>

namespace cf = crossfold::plugin;

namespace {

// Predicts the first class.
struct FirstClass {
  static constexpr cf::LearnerInfo kInfo{.component = {.id = "crossfold.first_class",
                                                       .version = "1.2.0",
                                                       .title = "First class",
                                                       .doc = "Predicts the first class."}};
  struct Params {
    std::int64_t k = 5;
  };
  static constexpr auto kSchema =
      cf::Schema(cf::Integer("k", &Params::k, {.low = 1, .high = 10}, "Not used."));

  static FirstClass Fit(const Params&, const cf::TrainingView&, const cf::Context&) { return {}; }
  void Predict(const cf::FeatureView&, std::span<std::int32_t> labels, const cf::Context&) const {
    for (std::int32_t& label : labels) label = 0;
  }
};

// One split: the first row tests.
struct FirstRow {
  static constexpr cf::SplitterInfo kInfo{
      .component = {.id = "org.example.first_row", .title = "First row"}};
  using Params = cf::NoParams;
  static constexpr auto kSchema = cf::kNoSchema;

  static void Split(const Params&, const cf::SplitInput& input, cf::SplitSink& sink,
                    const cf::Context&) {
    std::vector<std::int32_t> fold_of_row(static_cast<std::size_t>(input.num_rows()), -1);
    fold_of_row.front() = 0;
    sink.EmitPartition(fold_of_row, 1);
  }
};

}  // namespace

CROSSFOLD_PLUGIN("crossfold.fixture", "1.0.0", "The Crossfold Authors", "MIT", FirstClass, FirstRow)
