// Any bytes as the file of an ensemble's model, with the checksum that fits them: what it holds, or
// a crossfold::Error, and the same for the models with and without Lua that are made of it.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "crossfold/ensemble_model.h"
#include "crossfold/loaded_model.h"
#include "crossfold/plugin_host.h"
#include "crossfold/run.h"
#include "fuzz/law.h"
#include "fuzz/resealed.h"
#include "fuzz/rows_for.h"
#include "fuzz/targets.h"
#include "models/ensemble_file.h"
#include "unit/bindings/lua/lua_state.h"

namespace {

using crossfold::SavedEnsemble;

lua_State* EnsembleState() {
  static const crossfold::LuaState state = [] {
    crossfold::LuaOptions options = crossfold::TestOptions();
    options.workers = 1;
    return crossfold::NewLuaState(options);
  }();
  return state.get();
}

// Errors of scripts name the attempt, and never a place inside the library.
void DemandLuaMessage(const crossfold::Error& error) {
  crossfold::fuzz::DemandMessage(error, "");
  const std::string_view text = error.what();
  for (const std::string_view inside : {"[crossfold]", "[string", "attempt to", "bad argument"}) {
    if (text.find(inside) == text.npos) continue;
    throw crossfold::fuzz::BrokenLaw("a mistake inside the library: " + std::string(text));
  }
}

void Predict(const std::string& bytes) {
  try {
    crossfold::EnsembleModel model(EnsembleState(), bytes, "fuzz");
    const auto rows = crossfold::fuzz::RowsFor(model.saved().outline.features, false);
    const crossfold::Prediction prediction = model.Predict({rows, nullptr});
    crossfold::fuzz::Demand(prediction.labels.size() + prediction.values.size() == 4,
                            "a prediction has a label or a value for each row");
  } catch (const crossfold::Error& error) {
    DemandLuaMessage(error);
  }
}

// The same without Lua.
void PredictNatively(const std::string& bytes) {
  static const crossfold::PluginHost plugins{crossfold::PluginHostOptions()};
  crossfold::fuzz::Attempted(
      [&] {
        const auto model = crossfold::LoadedModel::FromBytes(bytes, "fuzz", plugins);
        const auto rows = crossfold::fuzz::RowsFor(model->outline().features, false);
        model->Predict({rows, nullptr}, crossfold::RunOptions());
      },
      "");
}

void ReadBothWays(std::string_view bytes) {
  SavedEnsemble saved;
  try {
    saved = crossfold::ReadEnsemble(bytes, "cannot load model 'fuzz': ");
  } catch (const crossfold::Error& error) {
    crossfold::fuzz::DemandMessage(error, "cannot load model 'fuzz': ");
    return;
  }
  const std::string written = crossfold::WriteEnsemble(saved);
  const SavedEnsemble again = crossfold::ReadEnsemble(written, "cannot load model 'fuzz': ");
  crossfold::fuzz::Demand(crossfold::WriteEnsemble(again) == written, "ensembles read back");
}

}  // namespace

int crossfold::fuzz::FeedEnsemble(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view given(reinterpret_cast<const char*>(bytes), size);
  if (!crossfold::IsEnsembleModel(given)) return 0;
  ReadBothWays(given);
  const std::string sealed = crossfold::fuzz::Resealed(given);
  ReadBothWays(sealed);
  Predict(sealed);
  PredictNatively(sealed);
  return 0;
}
