// Serves plugins that are folders with a program in any language (docs/languages.md).
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "child_pool.h"
#include "crossfold_plugin.h"
#include "crossfold_plugin/error.hpp"
#include "crossfold_plugin/folder.h"
#include "crossfold_plugin/stream.hpp"
#include "folder_description.h"
#include "remote_model.h"

namespace crossfold::exec {
namespace {

// A folder as a plugin: the tables that a host reads, and the functions that they name.
// Thread-safe. Must live as long as the process, because a host may keep its tables that long.
class ServedFolder {
 public:
  // Starts the folder's program. Throws BadDescription, and plugin::Error if the program cannot be
  // started or does not speak the protocol.
  ServedFolder(std::string path, FolderDescription description);
  ServedFolder(const ServedFolder&) = delete;
  ServedFolder& operator=(const ServedFolder&) = delete;

  const cf_plugin& plugin() const { return plugin_; }
  const FolderDescription& description() const { return description_; }
  ChildPool& pool() { return pool_; }

 private:
  void MakeParams();
  void MakeInfo();
  void MakePlugin();

  std::string path_;
  FolderDescription description_;
  ChildPool pool_;
  std::string version_;  // with the environment
  // What the tables point to.
  struct ParamMemory {
    std::vector<const char*> choices, strings;
  };
  std::vector<std::unique_ptr<ParamMemory>> memory_;
  std::vector<cf_param> params_;
  std::vector<const cf_param*> param_pointers_;
  cf_learner learner_{};
  const cf_learner* learners_[1] = {&learner_};
  cf_plugin plugin_{};
};

using plugin::Guard;

constexpr std::uint64_t kMagic = 0x31434558464C4443u;  // "CDLFXEC1" in the file
constexpr std::uint32_t kFormatVersion = 1;

ServedFolder& FolderOf(const cf_call* call) {
  return *static_cast<ServedFolder*>(call->self->data);
}

const RemoteModel& ModelOf(const cf_model* model) {
  return *reinterpret_cast<const RemoteModel*>(model);
}

cf_model* ToHandle(std::unique_ptr<RemoteModel> model) {
  return reinterpret_cast<cf_model*>(model.release());
}

const SharedTablePtr& TableOf(const cf_prepared* prepared) {
  return *reinterpret_cast<const SharedTablePtr*>(prepared);
}

cf_status FitAny(const cf_call* call, const cf_arg* args, std::size_t n_args, const cf_table* train,
                 const cf_table* validation, const SharedTablePtr& table, cf_model** out) {
  *out = nullptr;
  return Guard(call, [&] {
    ServedFolder& folder = FolderOf(call);
    const FolderDescription& description = folder.description();
    *out = ToHandle(RemoteModel::Fit(
        folder.pool(), call,
        {description.id, ParamsText({args, n_args}, description), *train, validation, table}));
  });
}

cf_status CF_CALL Fit(const cf_call* call, const cf_arg* args, std::size_t n_args,
                      const cf_table* train, cf_model** out) {
  return FitAny(call, args, n_args, train, nullptr, nullptr, out);
}

cf_status CF_CALL FitValidated(const cf_call* call, const cf_arg* args, std::size_t n_args,
                               const cf_table* train, const cf_table* validation, cf_model** out) {
  return FitAny(call, args, n_args, train, validation, nullptr, out);
}

cf_status CF_CALL Predict(const cf_call* call, const cf_model* model, const cf_table* rows,
                          cf_prediction* out) {
  return Guard(call, [&] { ModelOf(model).Predict(call, *rows, *out); });
}

void CF_CALL Destroy(const cf_info*, cf_model* model) {
  delete reinterpret_cast<RemoteModel*>(model);
}

cf_status CF_CALL Prepare(const cf_call* call, const cf_arg*, std::size_t, const cf_table* all,
                          cf_prepared** out) {
  *out = nullptr;
  return Guard(call, [&] {
    auto table = std::make_shared<const SharedTable>(FolderOf(call).pool(), *all);
    *out = reinterpret_cast<cf_prepared*>(new SharedTablePtr(std::move(table)));
  });
}

cf_status CF_CALL FitPrepared(const cf_call* call, const cf_arg* args, std::size_t n_args,
                              const cf_prepared* prepared, const cf_table* train, cf_model** out) {
  return FitAny(call, args, n_args, train, nullptr, TableOf(prepared), out);
}

void CF_CALL DestroyPrepared(const cf_info*, cf_prepared* prepared) {
  delete reinterpret_cast<SharedTablePtr*>(prepared);
}

std::uint64_t CF_CALL PreparedBytes(const cf_info*, const cf_prepared* prepared) {
  return TableOf(prepared)->image().bytes();
}

cf_status CF_CALL Importance(const cf_call* call, const cf_model* model, double* out,
                             std::size_t n_features) {
  return Guard(call, [&] { ModelOf(model).Importance(call, n_features, out); });
}

cf_status CF_CALL Save(const cf_call* call, const cf_model* model, const cf_writer* writer) {
  return Guard(call, [&] {
    plugin::Writer to(*writer);
    to.Write(kMagic);
    to.Write(kFormatVersion);
    to.WriteText(FolderOf(call).description().id);
    ModelOf(model).Save(call, to);
  });
}

cf_status CF_CALL Load(const cf_call* call, const cf_reader* reader, cf_model** out) {
  *out = nullptr;
  return Guard(call, [&] {
    ServedFolder& folder = FolderOf(call);
    const std::string& id = folder.description().id;
    plugin::Reader from(*reader);
    if (from.Read<std::uint64_t>() != kMagic || from.Read<std::uint32_t>() != kFormatVersion) {
      throw plugin::Error(CF_E_BAD_BLOB, "these bytes are not a saved model");
    }
    if (from.ReadText() != id) {
      throw plugin::Error(CF_E_BAD_BLOB, "the saved model is not one of '" + id + "'");
    }
    *out = ToHandle(RemoteModel::Load(folder.pool(), call, id, from));
  });
}

constexpr cf_cap_proba kProba{sizeof(cf_cap_proba), 0, &Predict};
constexpr cf_cap_prepare kPrepare{
    sizeof(cf_cap_prepare), 0, &Prepare, &FitPrepared, nullptr, &DestroyPrepared, &PreparedBytes};
constexpr cf_cap_serialize kSerialize{sizeof(cf_cap_serialize), kFormatVersion, &Save, &Load};
constexpr cf_cap_validation kValidation{sizeof(cf_cap_validation), 0, &FitValidated, nullptr, 0};
constexpr cf_cap_importance kImportance{sizeof(cf_cap_importance), 0, &Importance};

const void* CF_CALL GetCapability(const cf_info* self, const char* id) {
  const FolderDescription& folder = static_cast<const ServedFolder*>(self->data)->description();
  const std::string_view wanted(id);
  if (wanted == CF_CAP_PREPARE) return &kPrepare;
  if (wanted == CF_CAP_PROBA && folder.has_proba) return &kProba;
  if (wanted == CF_CAP_SERIALIZE && folder.has_serialize) return &kSerialize;
  if (wanted == CF_CAP_VALIDATION && folder.has_validation) return &kValidation;
  if (wanted == CF_CAP_IMPORTANCE && folder.has_importance) return &kImportance;
  return nullptr;
}

const char* TextOrNull(const std::string& text) { return text.empty() ? nullptr : text.c_str(); }

std::vector<const char*> PointersTo(const std::vector<std::string>& texts) {
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  return pointers;
}

ServedFolder::ServedFolder(std::string path, FolderDescription description)
    : path_(std::move(path)),
      description_(std::move(description)),
      pool_(path_, description_),
      version_(description_.version) {
  const std::string environment = ToText(pool_.Open());
  if (!environment.empty()) version_ += " (" + environment + ")";
  MakeParams();
  MakeInfo();
  MakePlugin();
}

void ServedFolder::MakeParams() {
  for (const ParamDescription& param : description_.params) {
    memory_.push_back(std::make_unique<ParamMemory>());
    ParamMemory& memory = *memory_.back();
    memory.choices = PointersTo(param.choices);
    cf_param made{};
    made.struct_size = sizeof(cf_param);
    made.flags = param.flags;
    made.name = param.name.c_str();
    made.doc = param.doc.c_str();
    made.type = param.type;
    made.lo = param.lo;
    made.hi = param.hi;
    made.ilo = param.ilo;
    made.ihi = param.ihi;
    made.choices = memory.choices.data();
    made.n_choices = memory.choices.size();
    made.active_if = TextOrNull(param.active_if);
    made.unit = TextOrNull(param.unit);
    made.def.type = param.type;
    auto& value = made.def.u;
    if (std::holds_alternative<std::monostate>(param.default_value)) made.def.is_null = 1;
    if (const auto* r = std::get_if<double>(&param.default_value)) value.r = *r;
    if (const auto* i = std::get_if<std::int64_t>(&param.default_value)) value.i = *i;
    if (const auto* text = std::get_if<std::string>(&param.default_value)) {
      value.s = {text->c_str(), text->size()};
    }
    if (const auto* list = std::get_if<std::vector<std::int64_t>>(&param.default_value)) {
      value.il = {list->data(), list->size()};
    }
    if (const auto* list = std::get_if<std::vector<double>>(&param.default_value)) {
      value.rl = {list->data(), list->size()};
    }
    if (const auto* list = std::get_if<std::vector<std::string>>(&param.default_value)) {
      memory.strings = PointersTo(*list);
      value.sl = {memory.strings.data(), memory.strings.size()};
    }
    params_.push_back(made);
  }
  for (const cf_param& param : params_) param_pointers_.push_back(&param);
}

void ServedFolder::MakeInfo() {
  learner_.struct_size = sizeof(cf_learner);
  cf_info& info = learner_.info;
  info.id = description_.id.c_str();
  info.version = version_.c_str();
  info.title = description_.title.c_str();
  info.doc = description_.doc.c_str();
  info.source = TextOrNull(description_.source);
  info.params = param_pointers_.data();
  info.n_params = param_pointers_.size();
  info.determinism = description_.determinism;
  info.process_flags = CF_USES_THREADS | CF_NOT_FORK_SAFE;
  info.threading = CF_MT_PREDICT;
  info.data = this;
  learner_.tasks = description_.tasks;
  learner_.accepts = description_.accepts;
  learner_.fit = &Fit;
  learner_.predict = &Predict;
  learner_.destroy = &Destroy;
  learner_.get_capability = &GetCapability;
}

void ServedFolder::MakePlugin() {
  plugin_.magic = CF_ABI_MAGIC;
  plugin_.struct_size = sizeof(cf_plugin);
  plugin_.abi_major = CF_ABI_MAJOR;
  plugin_.abi_minor = CF_ABI_MINOR;
  plugin_.id = description_.id.c_str();
  plugin_.version = description_.version.c_str();
  plugin_.vendor = description_.vendor.c_str();
  plugin_.license = description_.license.c_str();
  plugin_.n_learners = 1;
  plugin_.learners = learners_;
}

const cf_plugin* CF_CALL OpenFolder(const cf_host* host, const char* path, const char* manifest) {
  try {
    // It is never deleted: its tables must stay for the life of the process.
    return &(new ServedFolder(path, ParseDescription(manifest)))->plugin();
  } catch (const std::exception& e) {
    host->log(host, CF_LOG_ERROR, e.what());
  }
  return nullptr;
}

constexpr cf_folders kFolders{sizeof(cf_folders), 0, &OpenFolder};

const void* CF_CALL GetFactory(const cf_plugin*, const char* kind) {
  return std::strcmp(kind, CF_FACTORY_FOLDERS) == 0 ? &kFolders : nullptr;
}

cf_plugin MakePlugin() {
  cf_plugin plugin{};
  plugin.magic = CF_ABI_MAGIC;
  plugin.struct_size = sizeof(cf_plugin);
  plugin.abi_major = CF_ABI_MAJOR;
  plugin.abi_minor = CF_ABI_MINOR;
  plugin.id = "crossfold.exec";
  plugin.version = "1.0.0";
  plugin.vendor = "The Crossfold Authors";
  plugin.license = "MIT";
  plugin.get_factory = &GetFactory;
  return plugin;
}

}  // namespace
}  // namespace crossfold::exec

CF_MANIFEST(
    "{\"crossfold\":1,\"abi_minor\":0,\"id\":\"crossfold.exec\",\"version\":\"1.0.0\","
    "\"factories\":[\"crossfold.folders/1\"]}");

const cf_plugin* CF_CALL crossfold_plugin_v1(std::uint32_t, const cf_host*) {
  static const cf_plugin plugin = crossfold::exec::MakePlugin();
  return &plugin;
}
