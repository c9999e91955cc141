#include "models/model_file.h"

#include <cstring>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/version.h"
#include "engine/data/sha256.h"
#include "engine/plugin/foreign_text.h"
#include "engine/run/transform_step.h"
#include "models/ensemble_file.h"

namespace crossfold {
namespace {

constexpr std::size_t kHeaderSize = kMagicSize + 4;  // magic and version
constexpr std::size_t kDigestSize = 32;

constexpr FileFrame kModelFrame{"CFXMODEL", 1};

using SerializeTable = cf_cap_serialize;

const SerializeTable* SerializeOf(const Component& component) {
  const auto* table = component.capability<SerializeTable>(CF_CAP_SERIALIZE);
  if (!CF_HAS(table, SerializeTable, load)) return nullptr;
  return table->save != nullptr && table->load != nullptr ? table : nullptr;
}

// Returns "learner 'knn'".
std::string NameOf(const Component& component) {
  return std::string(KindName(component.kind)) + " '" + std::string(ShortId(component.id)) + "'";
}

// ---- writing -----------------------------------------------------------------------------------

// Returns what one call of save() writes; "" for a transform without a model, for which no feature
// was chosen.
std::string SaveStep(const Component& component, const StepModel& model, CallSite& site) {
  std::string blob;
  if (model.get() == nullptr) return blob;
  const cf_writer writer{&blob, &AppendBytes};
  const SerializeTable* table = SerializeOf(component);
  CallStep("save", component, 0, site,
           [&](const cf_call* call) { return table->save(call, model.get(), &writer); });
  return blob;
}

// `made` is null for the learner.
void WriteStep(const Spec& step, const TableSchema* made, const std::string& blob,
               FieldWriter& fields) {
  const Component& component = step.component();
  const LoadedPlugin& plugin = *component.plugin;
  for (const std::string* text :
       {&component.id, &component.version, &plugin.id, &plugin.version, &plugin.sha256}) {
    fields.Text(*text);
  }
  fields.Number(SerializeOf(component)->format_version);
  const ParamValues added = step.added();
  fields.Length(component.params.size() + added.size());
  for (std::size_t i = 0; i < component.params.size(); ++i) {
    const std::string& name = component.params[i].name;
    fields.Text(name);
    fields.Number(step.given().contains(name));
    fields.Parameter(step.values()[i]);
  }
  for (const auto& [name, value] : added) {
    fields.Text(name);
    fields.Number(true);
    fields.Parameter(value);
  }
  if (made != nullptr) fields.Declarations(made->features());
  fields.Text(blob);
}

// ---- reading -----------------------------------------------------------------------------------

struct SavedParam {
  std::string name;
  bool given = false;
  Value value;
};

struct SavedStep {
  std::string component, component_version, plugin, plugin_version, sha256;
  std::uint32_t format = 0;
  std::vector<SavedParam> params;
  TableSchema made;       // transforms only
  std::string_view blob;  // inside the bytes of the file
};

struct SavedModel {
  ModelOutline outline;
  std::vector<SavedStep> steps;
};

// The readers throw plugin::Error for invalid bytes.
SavedStep ReadStep(bool is_transform, FieldReader& fields) {
  SavedStep step;
  for (std::string* text : {&step.component, &step.component_version, &step.plugin,
                            &step.plugin_version, &step.sha256}) {
    *text = CleanText(fields.Text().c_str());  // for messages; declarations of plugins are clean
  }
  step.format = fields.Number<std::uint32_t>();
  step.params = fields.List([&] {
    SavedParam param;
    param.name = fields.Text();
    param.given = fields.Number<bool>();
    param.value = fields.Parameter();
    return param;
  });
  if (is_transform) step.made = TableSchema(fields.Declarations());
  step.blob = fields.Bytes();
  return step;
}

SavedModel ReadModelFields(std::string_view body) {
  FieldReader fields(body);
  SavedModel saved;
  saved.outline = ReadOutline(fields);
  const auto n_steps = fields.Number<std::uint64_t>();
  if (n_steps == 0) FieldReader::Fail();
  for (std::uint64_t i = 0; i < n_steps; ++i) {
    saved.steps.push_back(ReadStep(i + 1 < n_steps, fields));
  }
  fields.End();
  return saved;
}

// Makes a model of the parts, with the plugins that are installed here.
class ModelLoader {
 public:
  ModelLoader(const std::string& attempt, const PluginHost& plugins)
      : attempt_(attempt), plugins_(plugins), site_(nullptr, plugins.log()) {}

  ModelParts Load(SavedModel saved) {
    std::vector<std::shared_ptr<const Spec>> specs;
    for (const SavedStep& step : saved.steps) {
      const bool is_learner = &step == &saved.steps.back();
      specs.push_back(MakeSpec(step, Find(step, is_learner)));
    }
    auto pipeline = Pipeline::Make(std::move(specs));
    std::vector<StepModel> models;
    std::vector<TableSchema> made;
    for (std::size_t i = 0; i < saved.steps.size(); ++i) {
      const Spec& step = *pipeline->steps()[i];
      const std::span<const ColumnDeclaration> features =
          i == 0 ? saved.outline.features : made.back().features();
      models.push_back(ChoosesNone(step, features)
                           ? StepModel(step.component(), nullptr)
                           : LoadStep(step.component(), saved.steps[i].blob));
      if (i + 1 < saved.steps.size()) made.push_back(std::move(saved.steps[i].made));
    }
    FittedSteps steps(*pipeline, std::move(models), std::move(made));
    return {std::move(pipeline), std::move(steps), TableSchema(std::move(saved.outline.features)),
            std::move(saved.outline.training), saved.outline.seed};
  }

 private:
  [[noreturn]] void Refuse(ErrorKind kind, const std::string& finding) const {
    throw Error(kind, attempt_ + finding);
  }

  std::shared_ptr<const Component> Find(const SavedStep& step, bool is_learner) const {
    const Kind kind = is_learner ? Kind::kLearner : Kind::kTransform;
    const std::string name = std::string(KindName(kind)) + " '" + step.component + "'";
    std::shared_ptr<const Component> component;
    try {
      component = plugins_.Find(kind, step.component);
    } catch (const Error& e) {
      if (e.kind() == ErrorKind::kBadPlugin) Refuse(e.kind(), e.what());
      Refuse(ErrorKind::kInvalidArgument, name + " is not installed; install plugin '" +
                                              step.plugin + "' " + step.plugin_version +
                                              " or a newer one");
    }
    const std::string installed =
        "plugin '" + component->plugin->id + "' " + component->plugin->version;
    const SerializeTable* table = SerializeOf(*component);
    if (table == nullptr || table->format_version < step.format) {
      const std::string reads =
          table == nullptr ? "reads none" : "reads up to " + std::to_string(table->format_version);
      Refuse(ErrorKind::kBadPlugin, name + " was saved in format " + std::to_string(step.format) +
                                        " by version " + step.plugin_version + ", " + installed +
                                        " " + reads + "; install a newer plugin");
    }
    LogVersions(step, *component, name);
    return component;
  }

  void LogVersions(const SavedStep& step, const Component& component,
                   const std::string& name) const {
    const LoadedPlugin& plugin = *component.plugin;
    const bool same_version = plugin.id == step.plugin && plugin.version == step.plugin_version &&
                              component.version == step.component_version;
    if (!plugins_.log() || (same_version && plugin.sha256 == step.sha256)) return;
    if (same_version) {
      plugins_.log()(CF_LOG_INFO, name + " of the model was saved by another build of plugin '" +
                                      plugin.id + "' " + plugin.version);
      return;
    }
    plugins_.log()(CF_LOG_WARN, name + " of the model was saved by plugin '" + step.plugin + "' " +
                                    step.plugin_version + " and is read by '" + plugin.id + "' " +
                                    plugin.version);
  }

  // Makes a spec with all values of the model, including those that were defaults when it was
  // saved.
  std::shared_ptr<const Spec> MakeSpec(const SavedStep& step,
                                       const std::shared_ptr<const Component>& component) const {
    ParamValues given;
    for (const SavedParam& param : step.params) {
      if (param.given) given.emplace(param.name, param.value);
    }
    try {
      auto spec = Spec::Make(component, given);
      for (const SavedParam& param : step.params) {
        if (param.given || HasValue(*spec, param)) continue;
        ParamValues more = given;
        more.emplace(param.name, param.value);
        if (FindProblems(*component, more).empty()) given = std::move(more);
      }
      return given.size() == spec->given().size() ? spec : Spec::Make(component, given);
    } catch (const Error& e) {
      Refuse(ErrorKind::kBadPlugin, std::string(e.what()) + " (plugin '" + component->plugin->id +
                                        "' " + component->plugin->version + "); install version " +
                                        step.plugin_version);
    }
  }

  static bool HasValue(const Spec& spec, const SavedParam& param) {
    const std::vector<ParamSpec>& declared = spec.component().params;
    for (std::size_t i = 0; i < declared.size(); ++i) {
      if (declared[i].name == param.name) return spec.values()[i] == param.value;
    }
    return true;  // the parameter no longer exists: there is nothing to set
  }

  StepModel LoadStep(const Component& component, std::string_view blob) {
    const cf_reader reader{&blob, &TakeBytes};
    const SerializeTable* table = SerializeOf(component);
    cf_model* model = nullptr;
    try {
      CallStep("load", component, 0, site_,
               [&](const cf_call* call) { return table->load(call, &reader, &model); });
    } catch (const StepError& e) {
      if (model != nullptr) StepModel(component, model);
      Refuse(ErrorKind::kBadData,
             NameOf(component) + " cannot be read: " + e.failure().message + "; save it again");
    }
    if (model == nullptr) {
      Refuse(ErrorKind::kBadPlugin, NameOf(component) +
                                        " cannot be read: it reported success but made no model; "
                                        "report this to the author of its plugin");
    }
    StepModel owned(component, model);
    if (!blob.empty()) {
      Refuse(ErrorKind::kBadData,
             NameOf(component) + " cannot be read: bytes are left over; save it again");
    }
    return owned;
  }

  const std::string& attempt_;
  const PluginHost& plugins_;
  CallSite site_;
};

}  // namespace

std::string Framed(const FileFrame& frame, std::string_view fields) {
  FieldWriter file;
  file.Raw(frame.magic);
  file.Number(frame.version);
  file.Raw(fields);
  const Digest digest = Sha256Of(file.bytes());
  file.Raw({reinterpret_cast<const char*>(digest.data()), digest.size()});
  return file.Take();
}

std::string_view CheckedBody(std::string_view bytes, const FileFrame& frame,
                             const std::string& attempt) {
  const auto refuse = [&](const std::string& finding) {
    throw Error(ErrorKind::kBadData, attempt + finding);
  };
  if (bytes.size() < kHeaderSize + kDigestSize) refuse(kDamagedFile);
  std::uint32_t version = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    version |= std::uint32_t{static_cast<unsigned char>(bytes[kMagicSize + i])} << (8 * i);
  }
  if (version > frame.version) {
    refuse("it has format " + std::to_string(version) + ", Crossfold " + std::string(Version()) +
           " reads up to " + std::to_string(frame.version) + "; use a newer Crossfold");
  }
  if (version == 0) refuse(kDamagedFile);
  const std::string_view covered = bytes.substr(0, bytes.size() - kDigestSize);
  const Digest digest = Sha256Of(covered);
  const std::string_view stored = bytes.substr(covered.size());
  if (std::memcmp(digest.data(), stored.data(), kDigestSize) != 0) refuse(kDamagedFile);
  return covered.substr(kHeaderSize);
}

void WriteOutline(const TrainingFacts& training, std::span<const ColumnDeclaration> features,
                  std::uint64_t seed, FieldWriter& fields) {
  fields.Text(Version());
  fields.Number(seed);
  fields.Text(training.dataset);
  fields.Text(training.content_hash);
  fields.Number(training.n_rows);
  fields.Number(static_cast<std::uint8_t>(training.task));
  fields.Declaration(training.target);
  fields.Texts(training.class_names);
  fields.Declarations(features);
}

ModelOutline ReadOutline(FieldReader& fields) {
  ModelOutline outline;
  fields.Text();  // the Crossfold version, which only people read
  outline.seed = fields.Number<std::uint64_t>();
  TrainingFacts& training = outline.training;
  training.dataset = fields.Text();
  training.content_hash = fields.Text();
  training.n_rows = fields.Number<std::int64_t>();
  const auto task = fields.Number<std::uint8_t>();
  if (task < 1 || task > 2) FieldReader::Fail();
  training.task = task == 1 ? Task::kClassification : Task::kRegression;
  training.target = fields.Declaration();
  training.class_names = fields.Texts();
  if ((training.task == Task::kClassification) == training.class_names.empty()) FieldReader::Fail();
  outline.features = fields.Declarations();
  return outline;
}

std::string WriteModel(const ModelParts& parts, const std::string& attempt, CallSite& site) {
  const auto steps = parts.pipeline->steps();
  for (const std::shared_ptr<const Spec>& step : steps) {
    if (SerializeOf(step->component()) != nullptr) continue;
    throw Error(ErrorKind::kInvalidArgument,
                attempt + NameOf(step->component()) +
                    " cannot be saved (it offers no crossfold.serialize/1); fit it again where "
                    "it is needed");
  }
  FieldWriter fields;
  WriteOutline(parts.training, parts.schema.features(), parts.seed, fields);
  fields.Length(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::string blob = SaveStep(steps[i]->component(), parts.steps.models()[i], site);
    const auto made = parts.steps.schemas();
    WriteStep(*steps[i], i < made.size() ? &made[i] : nullptr, blob, fields);
  }
  return Framed(kModelFrame, fields.bytes());
}

ModelParts ReadModel(std::string_view bytes, const std::string& attempt,
                     const PluginHost& plugins) {
  if (bytes.substr(0, kMagicSize) != kModelFrame.magic) {
    throw Error(
        ErrorKind::kBadData,
        attempt + (IsEnsembleModel(bytes)
                       ? "it is the model of an ensemble; load it with cf.load(path) of the "
                         "Lua library or as a LoadedModel"
                       : "it is not a model saved by Crossfold; save one with "
                         "model:save(path)"));
  }
  const std::string_view body = CheckedBody(bytes, kModelFrame, attempt);
  SavedModel saved;
  try {
    saved = ReadModelFields(body);
  } catch (const plugin::Error&) {  // right checksum, wrong content: not written by WriteModel
    throw Error(ErrorKind::kBadData, attempt + kDamagedFile);
  }
  return ModelLoader(attempt, plugins).Load(std::move(saved));
}

}  // namespace crossfold
