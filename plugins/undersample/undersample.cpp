// Random undersampling of the larger classes: see README.md.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../class_rows.h"
#include "crossfold_plugin.hpp"

namespace cf = crossfold::plugin;
using crossfold::bundled::Positions;

namespace {

struct Undersample : crossfold::bundled::PassesColumns<Undersample> {
  static constexpr cf::TransformInfo kInfo{
      .component = {.id = "crossfold.undersample",
                    .title = "Random undersampling",
                    .doc = "Leaves out randomly drawn training rows of the larger classes until "
                           "none is larger than a multiple of the smallest class. Rows to predict "
                           "are left alone.",
                    .source = "G. E. A. P. A. Batista, R. C. Prati and M. C. Monard, A study of "
                              "the behavior of several methods for balancing machine learning "
                              "training data, SIGKDD Explorations 6 (2004)"},
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
      .accepts = CF_ACCEPTS_NUMERIC | CF_ACCEPTS_CATEGORICAL | CF_ACCEPTS_MISSING |
                 CF_ACCEPTS_NO_FEATURES};
  struct Params {
    double ratio = 1;
  };
  static constexpr auto kSchema = cf::Schema(cf::Real(
      "ratio", &Params::ratio, {.low = 1}, "Largest size of a class, relative to the smallest."));

  static void Resample(const Params& params, const cf::TrainingView& train, cf::RowSink& out,
                       const cf::Context& context) {
    const auto classes = crossfold::bundled::RowsByClass(train);
    const auto smallest = static_cast<double>(crossfold::bundled::SmallestClass(classes));
    const double limit = std::round(params.ratio * smallest);
    std::vector<bool> is_left_out(static_cast<std::size_t>(train.num_rows()));
    cf::Random random = context.MakeRandom();
    for (Positions rows : classes) {
      if (static_cast<double>(rows.size()) <= limit) continue;
      random.Shuffle(std::span<std::int64_t>(rows));
      for (std::size_t i = static_cast<std::size_t>(limit); i < rows.size(); ++i) {
        is_left_out[static_cast<std::size_t>(rows[i])] = true;
      }
    }
    Positions kept;
    for (const std::int64_t i : crossfold::bundled::AllPositions(train.num_rows())) {
      if (!is_left_out[static_cast<std::size_t>(i)]) kept.push_back(i);
    }
    out.Emit(kept);
  }
};

}  // namespace

CROSSFOLD_PLUGIN("crossfold.undersample", "1.0.0", "The Crossfold Authors", "MIT", Undersample)
