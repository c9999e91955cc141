#include "run/model_file.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/version.h"
#include "crossfold_plugin/stream.hpp"
#include "data/column_entries.h"
#include "data/sha256.h"

namespace crossfold {
namespace {

constexpr std::string_view kMagic = "CFXMODEL";
constexpr std::uint32_t kFormatVersion = 1;
constexpr std::size_t kHeaderSize = 12;  // magic and version
constexpr std::size_t kDigestSize = 32;
constexpr const char* kDamaged = "it is damaged or cut short; save it again";

using SerializeTable = cf_cap_serialize;

const SerializeTable* SerializeOf(const Component& component) {
  const auto* table = component.capability<SerializeTable>(CF_CAP_SERIALIZE);
  if (!CF_HAS(table, SerializeTable, load)) return nullptr;
  return table->save != nullptr && table->load != nullptr ? table : nullptr;
}

// "learner 'knn'".
std::string NameOf(const Component& component) {
  return std::string(KindName(component.kind)) + " '" + std::string(ShortId(component.id)) + "'";
}

// ---- writing -----------------------------------------------------------------------------------

std::int64_t AppendBytes(void* stream, const void* bytes, std::size_t n) noexcept {
  try {
    static_cast<std::string*>(stream)->append(static_cast<const char*>(bytes), n);
    return static_cast<std::int64_t>(n);
  } catch (...) {  // no memory
    return -1;
  }
}

// What one call of save() writes.
std::string SaveStep(const Component& component, const StepModel& model, CallSite& site) {
  std::string blob;
  const cf_writer writer{&blob, &AppendBytes};
  const SerializeTable* table = SerializeOf(component);
  CallStep("save", component, 0, site,
           [&](const cf_call* call) { return table->save(call, model.get(), &writer); });
  return blob;
}

class ModelWriter {
 public:
  ModelWriter() : sink_{&bytes_, &AppendBytes}, w_(sink_) {}
  ModelWriter(const ModelWriter&) = delete;
  ModelWriter& operator=(const ModelWriter&) = delete;

  void Header(const ModelParts& parts) {
    w_.WriteRaw(kMagic);
    w_.Write(kFormatVersion);
    w_.WriteText(Version());
    w_.Write(parts.seed);
    const TrainingFacts& training = parts.training;
    w_.WriteText(training.dataset);
    w_.WriteText(training.content_hash);
    w_.Write(training.n_rows);
    w_.Write(static_cast<std::uint8_t>(training.task));
    Declaration(training.target);
    Texts(training.class_names);
    Declarations(parts.schema);
    w_.Write(static_cast<std::uint64_t>(parts.pipeline->steps().size()));
  }

  // `made` is null for the learner.
  void Step(const Spec& step, const TableSchema* made, const std::string& blob) {
    const Component& component = step.component();
    const LoadedPlugin& plugin = *component.plugin;
    for (const std::string* text :
         {&component.id, &component.version, &plugin.id, &plugin.version, &plugin.sha256}) {
      w_.WriteText(*text);
    }
    w_.Write(SerializeOf(component)->format_version);
    w_.Write(static_cast<std::uint64_t>(component.params.size()));
    for (std::size_t i = 0; i < component.params.size(); ++i) {
      const std::string& name = component.params[i].name;
      w_.WriteText(name);
      w_.Write(step.given().contains(name));
      Parameter(step.values()[i]);
    }
    if (made != nullptr) Declarations(*made);
    w_.WriteText(blob);
  }

  std::string Finish() {
    const Digest digest = Sha256Of(bytes_);
    bytes_.append(reinterpret_cast<const char*>(digest.data()), digest.size());
    return std::move(bytes_);
  }

 private:
  void Texts(const std::vector<std::string>& texts) {
    w_.Write(static_cast<std::uint64_t>(texts.size()));
    for (const std::string& text : texts) w_.WriteText(text);
  }
  void Declaration(const ColumnDeclaration& column) {
    w_.WriteText(column.name);
    w_.Write(column.dtype);
    w_.Write(column.ordered);
    Texts(column.levels);
  }
  void Declarations(const TableSchema& schema) {
    w_.Write(static_cast<std::uint64_t>(schema.features().size()));
    for (const ColumnDeclaration& column : schema.features()) Declaration(column);
  }
  void Parameter(const Value& value) {
    w_.Write(static_cast<std::uint8_t>(value.index()));
    std::visit([this](const auto& content) { Content(content); }, value);
  }
  void Content(Null) {}
  void Content(bool b) { w_.Write(b); }
  void Content(std::int64_t i) { w_.Write(i); }
  void Content(double d) { w_.Write(d); }
  void Content(const std::string& text) { w_.WriteText(text); }
  template <class T>
  void Content(const std::vector<T>& list) {
    w_.WriteSpan<T>(list);
  }

  std::string bytes_;
  const cf_writer sink_;
  plugin::Writer w_;
};

// ---- reading -----------------------------------------------------------------------------------

// Bytes that are consumed from the front.
struct Source {
  std::string_view rest;
};

std::int64_t TakeBytes(void* stream, void* bytes, std::size_t n) noexcept {
  auto& source = *static_cast<Source*>(stream);
  const std::size_t given = std::min(n, source.rest.size());
  std::memcpy(bytes, source.rest.data(), given);
  source.rest.remove_prefix(given);
  return static_cast<std::int64_t>(given);
}

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
  std::string crossfold_version;
  std::uint64_t seed = 0;
  TrainingFacts training;
  TableSchema schema;
  std::vector<SavedStep> steps;
};

// Throws plugin::Error for what cannot be.
class ModelReader {
 public:
  explicit ModelReader(std::string_view bytes)
      : source_{bytes}, stream_{&source_, &TakeBytes}, r_(stream_) {}
  ModelReader(const ModelReader&) = delete;
  ModelReader& operator=(const ModelReader&) = delete;

  SavedModel Read() {
    SavedModel saved;
    saved.crossfold_version = r_.ReadText();
    saved.seed = r_.Read<std::uint64_t>();
    TrainingFacts& training = saved.training;
    training.dataset = r_.ReadText();
    training.content_hash = r_.ReadText();
    training.n_rows = r_.Read<std::int64_t>();
    training.task =
        r_.ReadWithin<std::uint8_t>(1, 2) == 1 ? Task::kClassification : Task::kRegression;
    training.target = Declaration();
    training.class_names = List([this] { return r_.ReadText(); });
    if ((training.task == Task::kClassification) == training.class_names.empty()) Fail();
    saved.schema = Declarations();
    const auto n_steps = r_.Read<std::uint64_t>();
    if (n_steps == 0) Fail();
    for (std::uint64_t i = 0; i < n_steps; ++i) saved.steps.push_back(Step(i + 1 < n_steps));
    if (!source_.rest.empty()) Fail();
    return saved;
  }

 private:
  [[noreturn]] static void Fail() { throw plugin::Error(CF_E_BAD_BLOB, kDamaged); }

  // Elements take bytes, so a length that is a lie ends with the bytes.
  template <class ReadOne>
  std::vector<std::invoke_result_t<ReadOne>> List(const ReadOne& read_one) {
    std::vector<std::invoke_result_t<ReadOne>> list;
    const auto n = r_.Read<std::uint64_t>();
    for (std::uint64_t i = 0; i < n; ++i) list.push_back(read_one());
    return list;
  }

  ColumnDeclaration Declaration() {
    ColumnDeclaration column;
    column.name = r_.ReadText();
    column.dtype = r_.Read<std::int32_t>();
    column.ordered = r_.Read<bool>();
    column.levels = List([this] { return r_.ReadText(); });
    if (EntrySize(column.dtype) == 0) Fail();
    if (column.dtype != CF_CAT32 && !column.levels.empty()) Fail();
    return column;
  }
  TableSchema Declarations() {
    return TableSchema(List([this] { return Declaration(); }));
  }

  SavedStep Step(bool is_transform) {
    SavedStep step;
    for (std::string* text : {&step.component, &step.component_version, &step.plugin,
                              &step.plugin_version, &step.sha256}) {
      *text = r_.ReadText();
    }
    step.format = r_.Read<std::uint32_t>();
    step.params = List([this] {
      SavedParam param;
      param.name = r_.ReadText();
      param.given = r_.Read<bool>();
      param.value = Parameter();
      return param;
    });
    if (is_transform) step.made = Declarations();
    const auto size = r_.Read<std::uint64_t>();
    if (size > source_.rest.size()) Fail();
    step.blob = source_.rest.substr(0, static_cast<std::size_t>(size));
    source_.rest.remove_prefix(step.blob.size());
    return step;
  }

  Value Parameter() {
    switch (r_.Read<std::uint8_t>()) {
      case 0:
        return Null{};
      case 1:
        return r_.Read<bool>();
      case 2:
        return r_.Read<std::int64_t>();
      case 3:
        return r_.Read<double>();
      case 4:
        return r_.ReadText();
      case 5:
        return r_.ReadVector<std::int64_t>();
      case 6:
        return r_.ReadVector<double>();
      default:
        Fail();
    }
  }

  Source source_;
  const cf_reader stream_;
  plugin::Reader r_;
};

// Puts the parts together again with the plugins that are installed here.
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
      models.push_back(LoadStep(pipeline->steps()[i]->component(), saved.steps[i].blob));
      if (i + 1 < saved.steps.size()) made.push_back(std::move(saved.steps[i].made));
    }
    FittedSteps steps(*pipeline, std::move(models), std::move(made));
    return {std::move(pipeline), std::move(steps), std::move(saved.schema),
            std::move(saved.training), saved.seed};
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
    TellVersions(step, *component, name);
    return component;
  }

  void TellVersions(const SavedStep& step, const Component& component,
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

  // Values that were defaults when the model was saved stay what they were.
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
    return true;  // the parameter is gone: nothing could be set
  }

  StepModel LoadStep(const Component& component, std::string_view blob) {
    Source source{blob};
    const cf_reader reader{&source, &TakeBytes};
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
    if (!source.rest.empty()) {
      Refuse(ErrorKind::kBadData,
             NameOf(component) + " cannot be read: bytes are left over; save it again");
    }
    return owned;
  }

  const std::string& attempt_;
  const PluginHost& plugins_;
  CallSite site_;
};

// The bytes between the header and the checksum. Throws Error.
std::string_view CheckedBody(std::string_view bytes, const std::string& attempt) {
  const auto refuse = [&](const std::string& finding) {
    throw Error(ErrorKind::kBadData, attempt + finding);
  };
  if (bytes.substr(0, kMagic.size()) != kMagic) {
    refuse("it is no model saved by Crossfold; save one with model:save(path)");
  }
  if (bytes.size() < kHeaderSize + kDigestSize) refuse(kDamaged);
  std::uint32_t version = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    version |= std::uint32_t{static_cast<unsigned char>(bytes[kMagic.size() + i])} << (8 * i);
  }
  if (version > kFormatVersion) {
    refuse("it has format " + std::to_string(version) + ", Crossfold " + std::string(Version()) +
           " reads up to " + std::to_string(kFormatVersion) + "; use a newer Crossfold");
  }
  if (version == 0) refuse(kDamaged);
  const std::string_view covered = bytes.substr(0, bytes.size() - kDigestSize);
  const Digest digest = Sha256Of(covered);
  const std::string_view stored = bytes.substr(covered.size());
  if (std::memcmp(digest.data(), stored.data(), kDigestSize) != 0) refuse(kDamaged);
  return covered.substr(kHeaderSize);
}

}  // namespace

std::string WriteModel(const ModelParts& parts, const std::string& attempt, CallSite& site) {
  const auto steps = parts.pipeline->steps();
  for (const std::shared_ptr<const Spec>& step : steps) {
    if (SerializeOf(step->component()) != nullptr) continue;
    throw Error(ErrorKind::kInvalidArgument,
                attempt + NameOf(step->component()) +
                    " cannot be saved (it offers no crossfold.serialize/1); fit it again where "
                    "it is needed");
  }
  ModelWriter writer;
  writer.Header(parts);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::string blob = SaveStep(steps[i]->component(), parts.steps.models()[i], site);
    const auto made = parts.steps.schemas();
    writer.Step(*steps[i], i < made.size() ? &made[i] : nullptr, blob);
  }
  return writer.Finish();
}

ModelParts ReadModel(std::string_view bytes, const std::string& attempt,
                     const PluginHost& plugins) {
  const std::string_view body = CheckedBody(bytes, attempt);
  SavedModel saved;
  try {
    saved = ModelReader(body).Read();
  } catch (const plugin::Error& e) {  // right checksum, wrong content: not written by WriteModel
    throw Error(ErrorKind::kBadData, attempt + kDamaged);
  }
  return ModelLoader(attempt, plugins).Load(std::move(saved));
}

}  // namespace crossfold
