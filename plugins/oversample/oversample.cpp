// Random oversampling of the smaller classes: see README.md.
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "../class_rows.h"
#include "crossfold_plugin.hpp"

namespace cf = crossfold::plugin;
using crossfold::bundled::Positions;

namespace {

struct Oversample : crossfold::bundled::PassesColumns<Oversample> {
  static constexpr cf::TransformInfo kInfo{
      .component = {.id = "crossfold.oversample",
                    .title = "Random oversampling",
                    .doc = "Repeats randomly drawn training rows of the smaller classes until each "
                           "has its share of the size of the largest class. Rows to predict are "
                           "left alone.",
                    .source = "G. E. A. P. A. Batista, R. C. Prati and M. C. Monard, A study of "
                              "the behavior of several methods for balancing machine learning "
                              "training data, SIGKDD Explorations 6 (2004)"},
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
      .accepts = CF_ACCEPTS_NUMERIC | CF_ACCEPTS_CATEGORICAL | CF_ACCEPTS_MISSING |
                 CF_ACCEPTS_NO_FEATURES};
  struct Params {
    double ratio = 1;
  };
  static constexpr auto kSchema =
      cf::Schema(cf::Real("ratio", &Params::ratio, {.low = 0, .high = 1},
                          "Size of every smaller class, relative to the largest."));

  static void Resample(const Params& params, const cf::TrainingView& train, cf::RowSink& out,
                       const cf::Context& context) {
    const auto classes = crossfold::bundled::RowsByClass(train);
    const auto largest = static_cast<double>(crossfold::bundled::LargestClass(classes));
    const auto wanted = static_cast<std::size_t>(std::round(params.ratio * largest));
    Positions positions = crossfold::bundled::AllPositions(train.num_rows());
    cf::Random random = context.MakeRandom();
    for (const Positions& rows : classes) {
      for (std::size_t n = rows.size(); n < wanted; ++n) {
        positions.push_back(rows[static_cast<std::size_t>(random.Below(rows.size()))]);
      }
    }
    out.Emit(positions);
  }
};

}  // namespace

CROSSFOLD_PLUGIN("crossfold.oversample", "1.0.0", "The Crossfold Authors", "MIT", Oversample)
