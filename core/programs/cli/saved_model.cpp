#include "programs/cli/saved_model.h"

#include "crossfold/ensemble_model.h"
#include "crossfold/error.h"
#include "crossfold/lua.h"
#include "crossfold/run.h"
#include "programs/cli/lua_state.h"

namespace crossfold::cli {
namespace {

class SavedPipeline final : public SavedModel {
 public:
  SavedPipeline(std::shared_ptr<const FittedModel> model, const PluginHost& plugins)
      : model_(std::move(model)) {
    options_.log = plugins.log();
  }

  std::string name() const override { return model_->learner().ToString(); }
  ModelOutline outline() const override { return model_->outline(); }
  Prediction Predict(const DataView& rows) override { return model_->Predict(rows, options_); }
  CoveredPrediction PredictCovered(const DataView&, double) override {
    throw Error(ErrorKind::kInvalidArgument, RefusedCoverage(name()));
  }
  std::string Export(const std::string& format) const override {
    return model_->Export(format, options_);
  }

  std::vector<std::pair<std::string, std::string>> more_facts() const override {
    const std::vector<std::string> formats = model_->export_formats();
    if (formats.empty()) return {};
    return {{"export formats", Joined(formats)}};
  }

  Table PartTable() const override {
    Table table;
    table.columns = {"step", "kind", "plugin", "version", "parameters"};
    for (const auto& step : model_->learner().steps()) {
      const Component& component = step->component();
      std::vector<std::string> params;
      for (std::size_t i = 0; i < component.params.size(); ++i) {
        params.push_back(component.params[i].name + " = " + ToText(step->values()[i]));
      }
      table.rows.push_back({std::string(ShortId(component.id)),
                            std::string(KindName(component.kind)), component.plugin->id,
                            component.plugin->version, Joined(params)});
    }
    return table;
  }

 private:
  std::shared_ptr<const FittedModel> model_;
  RunOptions options_;
};

// An option for people, who do not read long lists of numbers.
std::string OptionText(const Value& value) {
  constexpr std::size_t kShown = 50;
  std::size_t n = 0;
  if (const auto* reals = std::get_if<std::vector<double>>(&value)) n = reals->size();
  if (const auto* whole = std::get_if<std::vector<std::int64_t>>(&value)) n = whole->size();
  return n > kShown ? std::to_string(n) + " numbers" : ToText(value);
}

State NewState(const std::shared_ptr<PluginHost>& plugins) {
  State state(luaL_newstate());
  if (state == nullptr) throw Error(ErrorKind::kFailed, "out of memory");
  luaL_openlibs(state.get());
  LuaOptions options;
  options.plugins = plugins;
  OpenLua(state.get(), options);
  return state;
}

class SavedEnsembleModel final : public SavedModel {
 public:
  SavedEnsembleModel(const std::string& bytes, const std::string& path,
                     const std::shared_ptr<PluginHost>& plugins)
      : state_(NewState(plugins)), model_(state_.get(), bytes, path) {}

  std::string name() const override { return model_.saved().name; }
  ModelOutline outline() const override { return model_.saved().outline; }
  Prediction Predict(const DataView& rows) override { return model_.Predict(rows); }
  CoveredPrediction PredictCovered(const DataView& rows, double coverage) override {
    return model_.PredictCovered(rows, coverage);
  }
  std::string Export(const std::string&) const override {
    throw Error(ErrorKind::kInvalidArgument,
                "cannot export '" + name() +
                    "': the model of an ensemble has no format but its own; fit, save and export "
                    "a learner of it");
  }

  std::vector<std::pair<std::string, std::string>> more_facts() const override {
    std::vector<std::pair<std::string, std::string>> facts;
    const std::vector<std::string>& classes = model_.saved().outline.training.class_names;
    for (const auto& [option, value] : model_.saved().options) {
      const auto* place = std::get_if<std::int64_t>(&value);
      if (option == "place" && place != nullptr && *place >= 1 &&
          *place <= static_cast<std::int64_t>(classes.size())) {
        facts.emplace_back("positive class", classes[static_cast<std::size_t>(*place - 1)]);
      } else {
        facts.emplace_back(option, OptionText(value));
      }
    }
    return facts;
  }

  Table PartTable() const override {
    Table table;
    table.columns = {"member", "learner", "features"};
    std::int64_t number = 0;
    for (const EnsembleMember& member : model_.saved().members) {
      table.rows.push_back(
          {++number, member.name, member.features ? Joined(*member.features) : "all"});
    }
    return table;
  }

 private:
  State state_;
  EnsembleModel model_;
};

}  // namespace

std::unique_ptr<SavedModel> LoadSavedModel(const std::string& path,
                                           const std::shared_ptr<PluginHost>& plugins) {
  const std::string bytes = ReadModelFile(path);
  if (IsEnsembleModel(bytes)) return std::make_unique<SavedEnsembleModel>(bytes, path, plugins);
  return std::make_unique<SavedPipeline>(FittedModel::FromBytes(bytes, path, *plugins), *plugins);
}

std::string Joined(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : ", ") + text;
  return joined;
}

}  // namespace crossfold::cli
