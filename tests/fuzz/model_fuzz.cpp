// Any bytes as the file of a saved model, with the checksums that fit them: a model that predicts,
// or a crossfold::Error. A model that was loaded saves bytes that load as the same bytes.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "crossfold/fitted_model.h"
#include "crossfold/run.h"
#include "fuzz/law.h"
#include "fuzz/resealed.h"
#include "fuzz/rows_for.h"
#include "fuzz/targets.h"
#include "unit/plugins/bundled_plugins.h"

namespace {

using crossfold::FittedModel;

std::shared_ptr<const FittedModel> Load(std::string_view bytes) {
  return crossfold::fuzz::Attempted(
      [&] { return FittedModel::FromBytes(bytes, "fuzz", crossfold::BundledPlugins()); },
      "cannot load model 'fuzz': ");
}

void Predict(const FittedModel& model, bool has_gaps) {
  crossfold::fuzz::Attempted([&] {
    const auto rows = crossfold::fuzz::RowsFor(model.features(), has_gaps);
    crossfold::RunOptions options;
    options.workers = 1;
    const crossfold::Prediction prediction = model.Predict({rows, nullptr}, options);
    crossfold::fuzz::Demand(prediction.labels.size() + prediction.values.size() == 4,
                            "a prediction has a label or a value for each row");
  });
}

}  // namespace

int crossfold::fuzz::FeedModel(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view given(reinterpret_cast<const char*>(bytes), size);
  Load(given);
  const auto model = Load(crossfold::fuzz::Resealed(given));
  if (model == nullptr) return 0;
  const std::string saved = model->ToBytes();
  const auto again = Load(saved);
  crossfold::fuzz::Demand(again != nullptr, "what a model saves can be loaded");
  crossfold::fuzz::Demand(again->ToBytes() == saved, "a loaded model saves the same bytes");
  Predict(*model, false);
  Predict(*model, true);
  return 0;
}
