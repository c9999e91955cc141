#include "plugin/descriptor.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <set>
#include <string_view>
#include <utility>

#include "plugin/capabilities.h"
#include "plugin/declaration.h"
#include "plugin/defect.h"
#include "plugin/foreign_text.h"
#include "plugin/param_check.h"

namespace crossfold {
namespace {

// Sizes of version 1.0. Frozen: what is appended later is optional.
constexpr std::uint32_t kPluginSize = offsetof(cf_plugin, metrics) + sizeof(cf_plugin::metrics);
constexpr std::uint32_t kLearnerSize =
    offsetof(cf_learner, get_capability) + sizeof(cf_learner::get_capability);
constexpr std::uint32_t kTransformSize =
    offsetof(cf_transform, get_capability) + sizeof(cf_transform::get_capability);
constexpr std::uint32_t kSplitterSize =
    offsetof(cf_splitter, get_capability) + sizeof(cf_splitter::get_capability);
constexpr std::uint32_t kMetricSize =
    offsetof(cf_metric, get_capability) + sizeof(cf_metric::get_capability);
constexpr std::uint32_t kParamSize = offsetof(cf_param, unit) + sizeof(cf_param::unit);

// More than any sound table has; a wild number must not become a wild allocation.
constexpr std::size_t kMaxEntries = 100000;

std::string Truncated(std::uint32_t size, std::uint32_t needed) {
  return "truncated descriptor: " + std::to_string(size) + " bytes, plugin ABI 1.0 has " +
         std::to_string(needed);
}

std::string Hex(std::uint32_t number) {
  char text[16];
  std::snprintf(text, sizeof(text), "0x%08X", static_cast<unsigned>(number));
  return text;
}

void ReadChoices(const cf_param& from, ParamSpec& to) {
  if (from.n_choices == 0 || from.choices == nullptr) throw Defect{"it has no choices"};
  if (from.n_choices > kMaxEntries) throw Defect{"it has too many choices"};
  for (std::size_t i = 0; i < from.n_choices; ++i) to.choices.push_back(CleanText(from.choices[i]));
}

template <class T>
std::vector<T> ReadList(const T* list, std::size_t n) {
  if (n > kMaxEntries || (n > 0 && list == nullptr)) throw Defect{"its default is no list"};
  return std::vector<T>(list, list + n);
}

Value ReadDefault(const cf_param& from, const ParamSpec& spec) {
  if (from.type < CF_P_REAL || from.type > CF_P_REAL_LIST) return Null{};  // refused with its type
  if (from.def.type != from.type) throw Defect{"its default is of another type"};
  if (from.def.is_null != 0) return Null{};
  switch (from.type) {
    case CF_P_REAL:
      return from.def.u.r;
    case CF_P_BOOL:
      if (from.def.u.i != 0 && from.def.u.i != 1) throw Defect{"its default is neither 0 nor 1"};
      return from.def.u.i != 0;
    case CF_P_CHOICE:
      if (from.def.u.i < 0 || static_cast<std::uint64_t>(from.def.u.i) >= spec.choices.size()) {
        throw Defect{"its default is choice " + std::to_string(from.def.u.i) + " of " +
                     std::to_string(spec.choices.size()) + ", counted from 0"};
      }
      return ChoiceValue(spec.choices[static_cast<std::size_t>(from.def.u.i)]);
    case CF_P_STRING:
      if (from.def.u.s.p == nullptr) {
        if (from.def.u.s.n != 0) throw Defect{"its default is no text"};
        return std::string();
      }
      return std::string(from.def.u.s.p, from.def.u.s.n);
    case CF_P_INT_LIST:
      return ReadList(from.def.u.il.p, from.def.u.il.n);
    case CF_P_REAL_LIST:
      return ReadList(from.def.u.rl.p, from.def.u.rl.n);
    default:
      return from.def.u.i;
  }
}

// REQUIRES: the struct is large enough.
ParamSpec ReadParam(const cf_param& from) {
  ParamSpec to;
  to.name = CleanText(from.name);
  to.doc = CleanDocument(from.doc);
  to.type = from.type;
  to.flags = from.flags;
  to.lo = from.lo;
  to.hi = from.hi;
  to.ilo = from.ilo;
  to.ihi = from.ihi;
  to.active_if = CleanText(from.active_if);
  to.unit = CleanText(from.unit);
  if (to.type == CF_P_CHOICE) ReadChoices(from, to);
  to.default_value = ReadDefault(from, to);
  return to;
}

std::vector<ParamSpec> ReadParams(const cf_info& info) {
  if (info.n_params > kMaxEntries) throw Defect{"it has too many parameters"};
  if (info.n_params > 0 && info.params == nullptr) throw Defect{"its list of parameters is null"};
  std::vector<ParamSpec> params;
  for (std::size_t i = 0; i < info.n_params; ++i) {
    const cf_param* param = info.params[i];
    if (param == nullptr) throw Defect{"parameter " + std::to_string(i + 1) + " is null"};
    if (param->struct_size < kParamSize) {
      throw Defect{"parameter " + std::to_string(i + 1) + " has a " +
                   Truncated(param->struct_size, kParamSize)};
    }
    try {
      params.push_back(ReadParam(*param));
    } catch (const Defect& defect) {
      throw Defect{"parameter '" + CleanText(param->name) + "': " + defect.text};
    }
  }
  const std::string defect = FindDefect(params);
  if (!defect.empty()) throw Defect{defect};
  return params;
}

// What the four kinds have in common. `id` is the one that the manifest gives in this place.
Component ReadInfo(Kind kind, const cf_info& info, const std::string& id) {
  const std::string own_id = CleanText(info.id);
  if (own_id != id) {
    throw Defect{"its manifest has the " + std::string(KindName(kind)) + " '" + id +
                 "' where its descriptor has '" + own_id + "'"};
  }
  const std::string attempt = std::string(KindName(kind)) + " '" + id + "': ";
  Component component;
  component.kind = kind;
  component.id = id;
  component.version = CleanText(info.version);
  component.title = CleanText(info.title);
  component.doc = CleanDocument(info.doc);
  component.source = CleanText(info.source);
  component.determinism = info.determinism;
  component.process_flags = info.process_flags;
  component.threading = info.threading;
  if (component.version.empty()) throw Defect{attempt + "it has no version"};
  if (info.threading < CF_MT_NONE || info.threading > CF_MT_PREDICT) {
    throw Defect{attempt + "its threading " + std::to_string(info.threading) + " is unknown"};
  }
  try {
    component.params = ReadParams(info);
  } catch (const Defect& defect) {
    throw Defect{attempt + defect.text};
  }
  return component;
}

void RequireFunction(bool is_there, const Component& component, const char* name) {
  if (is_there) return;
  throw Defect{std::string(KindName(component.kind)) + " '" + component.id + "': its function '" +
               name + "' is null"};
}

void Attach(const cf_learner* table, Component& component) {
  RequireFunction(table->fit != nullptr, component, "fit");
  RequireFunction(table->predict != nullptr, component, "predict");
  RequireFunction(table->destroy != nullptr, component, "destroy");
  component.learner = table;
}

void Attach(const cf_transform* table, Component& component) {
  RequireFunction(table->fit != nullptr, component, "fit");
  RequireFunction(table->apply != nullptr, component, "apply");
  RequireFunction(table->destroy != nullptr, component, "destroy");
  component.transform = table;
}

void Attach(const cf_splitter* table, Component& component) {
  RequireFunction(table->split != nullptr, component, "split");
  component.splitter = table;
}

void Attach(const cf_metric* table, Component& component) {
  RequireFunction(table->score != nullptr, component, "score");
  component.metric = table;
}

template <class Table>
void AttachCapabilities(const Table& table, Component& component) {
  CapabilityReading reading = ReadCapabilities(component.kind, table.get_capability);
  if (!reading.problem.empty()) {
    throw Defect{std::string(KindName(component.kind)) + " '" + component.id +
                 "': " + reading.problem};
  }
  component.capabilities = std::move(reading.offered);
}

// The tables of one kind, in the order of the manifest.
template <class Table>
void ReadTables(Kind kind, std::size_t n, const Table* const* tables, std::uint32_t min_size,
                const std::vector<std::string>& ids, std::vector<Component>& components) {
  const std::string name(KindName(kind));
  if (n != ids.size()) {
    throw Defect{"its manifest has " + std::to_string(ids.size()) + " " + name +
                 "s, its descriptor " + std::to_string(n)};
  }
  if (n > 0 && tables == nullptr) throw Defect{"its list of " + name + "s is null"};
  for (std::size_t i = 0; i < n; ++i) {
    const Table* table = tables[i];
    if (table == nullptr) throw Defect{name + " '" + ids[i] + "': it is null"};
    if (table->struct_size < min_size) {
      throw Defect{name + " '" + ids[i] + "': " + Truncated(table->struct_size, min_size)};
    }
    components.push_back(ReadInfo(kind, table->info, ids[i]));
    Attach(table, components.back());
    AttachCapabilities(*table, components.back());
  }
}

void CheckForm(const cf_plugin& plugin) {
  if (plugin.magic != CF_ABI_MAGIC) {
    throw Defect{"its descriptor starts with " + Hex(plugin.magic) + ", not with " +
                 Hex(CF_ABI_MAGIC)};
  }
  if (plugin.abi_major != CF_ABI_MAJOR) {
    throw Defect{"built for plugin ABI " + std::to_string(plugin.abi_major) +
                 ", this host speaks " + std::to_string(CF_ABI_MAJOR)};
  }
  if (plugin.struct_size < kPluginSize) throw Defect{Truncated(plugin.struct_size, kPluginSize)};
}

void CheckHead(const cf_plugin& plugin, const Manifest& manifest) {
  CheckForm(plugin);
  const std::string id = CleanText(plugin.id);
  const std::string version = CleanText(plugin.version);
  if (id != manifest.id) {
    throw Defect{"its manifest has the id '" + manifest.id + "', its descriptor '" + id + "'"};
  }
  if (version != manifest.version) {
    throw Defect{"its manifest has the version '" + manifest.version + "', its descriptor '" +
                 version + "'"};
  }
}

std::string CheckedId(const char* text, std::set<std::string>& all) {
  const std::string id = CleanText(text);
  if (!IsWellFormedId(id)) {
    throw Defect{"its descriptor has the id '" + id +
                 "'; ids are made of a-z, 0-9, '_', '.' and '-'"};
  }
  if (!all.insert(id).second) throw Defect{"its descriptor repeats the id '" + id + "'"};
  return id;
}

template <class Table>
std::vector<std::string> CheckedIds(Kind kind, std::size_t n, const Table* const* tables,
                                    std::uint32_t min_size, std::set<std::string>& all) {
  const std::string name(KindName(kind));
  if (n > kMaxEntries || (n > 0 && tables == nullptr)) {
    throw Defect{"its list of " + name + "s is damaged"};
  }
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < n; ++i) {
    if (tables[i] == nullptr || tables[i]->struct_size < min_size) {
      throw Defect{"its " + name + " " + std::to_string(i + 1) + " is damaged"};
    }
    ids.push_back(CheckedId(tables[i]->info.id, all));
  }
  return ids;
}

Manifest MakeManifest(const cf_plugin& plugin) {
  CheckForm(plugin);
  Manifest manifest;
  std::set<std::string> none, all;
  manifest.abi_minor = plugin.abi_minor;
  manifest.id = CheckedId(plugin.id, none);
  manifest.version = CleanText(plugin.version);
  if (manifest.version.empty()) throw Defect{"its descriptor has no version"};
  manifest.learners =
      CheckedIds(Kind::kLearner, plugin.n_learners, plugin.learners, kLearnerSize, all);
  manifest.transforms =
      CheckedIds(Kind::kTransform, plugin.n_transforms, plugin.transforms, kTransformSize, all);
  manifest.splitters =
      CheckedIds(Kind::kSplitter, plugin.n_splitters, plugin.splitters, kSplitterSize, all);
  manifest.metrics = CheckedIds(Kind::kMetric, plugin.n_metrics, plugin.metrics, kMetricSize, all);
  if (all.empty()) throw Defect{"its descriptor offers nothing"};
  return manifest;
}

}  // namespace

ManifestReading ManifestOf(const cf_plugin& plugin) {
  ManifestReading reading;
  try {
    reading.manifest = MakeManifest(plugin);
  } catch (const Defect& defect) {
    reading.problem = defect.text;
  }
  return reading;
}

DescriptorReading ReadDescriptor(const cf_plugin& plugin, const Manifest& manifest) {
  DescriptorReading reading;
  try {
    CheckHead(plugin, manifest);
    std::vector<Component>& components = reading.components;
    ReadTables(Kind::kLearner, plugin.n_learners, plugin.learners, kLearnerSize, manifest.learners,
               components);
    ReadTables(Kind::kTransform, plugin.n_transforms, plugin.transforms, kTransformSize,
               manifest.transforms, components);
    ReadTables(Kind::kSplitter, plugin.n_splitters, plugin.splitters, kSplitterSize,
               manifest.splitters, components);
    ReadTables(Kind::kMetric, plugin.n_metrics, plugin.metrics, kMetricSize, manifest.metrics,
               components);
    reading.vendor = CleanText(plugin.vendor);
    reading.license = CleanText(plugin.license);
    reading.build_info = CleanText(plugin.build_info);
  } catch (const Defect& defect) {
    reading.components.clear();
    reading.problem = defect.text;
  }
  return reading;
}

}  // namespace crossfold
