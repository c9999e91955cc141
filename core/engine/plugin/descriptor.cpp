#include "engine/plugin/descriptor.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <set>
#include <string_view>
#include <utility>

#include "engine/plugin/capabilities.h"
#include "engine/plugin/declaration.h"
#include "engine/plugin/defect.h"
#include "engine/plugin/foreign_text.h"
#include "engine/plugin/param_check.h"

namespace crossfold {
namespace {

// Sizes of version 1.0. They are frozen; fields that are appended later are optional.
constexpr std::uint32_t kPluginSize =
    offsetof(cf_plugin, get_factory) + sizeof(cf_plugin::get_factory);
constexpr std::uint32_t kLearnerSize =
    offsetof(cf_learner, get_capability) + sizeof(cf_learner::get_capability);
constexpr std::uint32_t kTransformSize =
    offsetof(cf_transform, get_capability) + sizeof(cf_transform::get_capability);
constexpr std::uint32_t kSplitterSize =
    offsetof(cf_splitter, get_capability) + sizeof(cf_splitter::get_capability);
constexpr std::uint32_t kMetricSize =
    offsetof(cf_metric, get_capability) + sizeof(cf_metric::get_capability);
constexpr std::uint32_t kSourceSize =
    offsetof(cf_source, get_capability) + sizeof(cf_source::get_capability);
constexpr std::uint32_t kParamSize = offsetof(cf_param, unit) + sizeof(cf_param::unit);

// More entries than any valid table has, so that an invalid number does not become a huge
// allocation.
constexpr std::size_t kMaxEntries = 100000;
constexpr std::size_t kMaxText = std::size_t{1} << 20;

constexpr std::uint32_t kParamFlags = CF_PF_LOG | CF_PF_LO_OPEN | CF_PF_HI_OPEN | CF_PF_NULLABLE |
                                      CF_PF_SUBMODEL | CF_PF_NO_EFFECT_ON_RESULT |
                                      CF_PF_DEPRECATED | CF_PF_PREPARE;
constexpr std::uint32_t kProcessFlags =
    CF_USES_THREADS | CF_USES_OPENMP | CF_NOT_FORK_SAFE | CF_WANTS_CHILD_PROCESS;
constexpr std::uint32_t kUses =
    CF_SPLIT_USES_TARGET | CF_SPLIT_USES_GROUPS | CF_SPLIT_USES_TIME | CF_SPLIT_USES_FOLDS;
constexpr std::uint32_t kNeeds = CF_NEEDS_LABELS | CF_NEEDS_VALUES | CF_NEEDS_PROBABILITIES |
                                 CF_NEEDS_COSTS | CF_NEEDS_GROUPS | CF_NEEDS_TRAINING_TARGET;

std::string Truncated(std::uint32_t size, std::uint32_t needed) {
  return "truncated descriptor: " + std::to_string(size) + " bytes, plugin ABI 1.0 has " +
         std::to_string(needed);
}

std::string Hex(std::uint32_t number) {
  char text[16];
  std::snprintf(text, sizeof(text), "0x%08X", static_cast<unsigned>(number));
  return text;
}

// Something that a later minor version defines and this host does not know.
Defect Novelty(const std::string& what) { return Defect{what, true}; }

void RequireKnown(std::uint32_t bits, std::uint32_t known, const char* field) {
  const std::uint32_t unknown = bits & ~known & ~CF_MAY_BE_IGNORED;
  if (unknown != 0) throw Novelty(std::string(field) + " has the unknown bits " + Hex(unknown));
}

void RequireZero(std::uint64_t reserved, const char* field) {
  if (reserved != 0) throw Novelty(std::string(field) + " is not 0");
}

void ReadChoices(const cf_param& from, ParamSpec& to) {
  if (from.n_choices == 0 || from.choices == nullptr) throw Defect{"it has no choices"};
  if (from.n_choices > kMaxEntries) throw Defect{"it has too many choices"};
  for (std::size_t i = 0; i < from.n_choices; ++i) to.choices.push_back(CleanText(from.choices[i]));
}

template <class T>
std::vector<T> ReadList(const T* list, std::size_t n) {
  if (n > kMaxEntries || (n > 0 && list == nullptr)) throw Defect{"its default is not a list"};
  return std::vector<T>(list, list + n);
}

std::vector<std::string> ReadStrings(const char* const* list, std::size_t n) {
  std::vector<std::string> texts;
  for (const char* text : ReadList(list, n)) {
    if (text == nullptr) throw Defect{"its default has an entry that is null"};
    texts.emplace_back(text, ::strnlen(text, kMaxText));
  }
  return texts;
}

std::string ReadString(const char* text, std::size_t n) {
  if (n > kMaxText || (text == nullptr && n != 0)) throw Defect{"its default is not a string"};
  return text == nullptr ? std::string() : std::string(text, n);
}

Value ReadDefault(const cf_param& from, const ParamSpec& spec) {
  if (from.type < CF_P_REAL || from.type > CF_P_STRING_LIST) {
    throw Novelty("its type " + std::to_string(from.type) + " is unknown");
  }
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
      return ReadString(from.def.u.s.p, from.def.u.s.n);
    case CF_P_INT_LIST:
      return ReadList(from.def.u.il.p, from.def.u.il.n);
    case CF_P_REAL_LIST:
      return ReadList(from.def.u.rl.p, from.def.u.rl.n);
    case CF_P_STRING_LIST:
      return ReadStrings(from.def.u.sl.p, from.def.u.sl.n);
    default:
      return from.def.u.i;
  }
}

// REQUIRES: the struct is large enough.
ParamSpec ReadParam(const cf_param& from) {
  RequireKnown(from.flags, kParamFlags, "its 'flags'");
  RequireZero(static_cast<std::uint32_t>(from.reserved), "its 'reserved'");
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
      throw Defect{"parameter '" + CleanText(param->name) + "': " + defect.text,
                   defect.needs_newer};
    }
  }
  const std::string defect = FindDefect(params);
  if (!defect.empty()) throw Defect{defect};
  NormalizeDefaults(params);
  return params;
}

std::string Named(Kind kind, const std::string& id) {
  return std::string(KindName(kind)) + " '" + id + "': ";
}

// Reads the fields that all kinds share.
void ReadInfo(const cf_info& info, Component& component) {
  component.version = CleanText(info.version);
  component.title = CleanText(info.title);
  component.doc = CleanDocument(info.doc);
  component.reference = CleanText(info.source);
  component.determinism = info.determinism;
  component.process_flags = info.process_flags;
  component.threading = info.threading;
  if (component.version.empty()) throw Defect{"it has no version"};
  RequireKnown(info.process_flags, kProcessFlags, "its 'process_flags'");
  RequireZero(static_cast<std::uint32_t>(info.reserved), "its 'reserved'");
  if (info.threading < CF_MT_NONE || info.threading > CF_MT_PREDICT) {
    throw Novelty("its threading " + std::to_string(info.threading) + " is unknown");
  }
  component.params = ReadParams(info);
}

void RequireFunction(bool is_there, const char* name) {
  if (!is_there) throw Defect{"its function '" + std::string(name) + "' is null"};
}

void Attach(const cf_learner* table, Component& component) {
  RequireZero(table->reserved, "its 'reserved'");
  RequireFunction(table->fit != nullptr, "fit");
  RequireFunction(table->predict != nullptr, "predict");
  RequireFunction(table->destroy != nullptr, "destroy");
  component.learner = table;
}

void Attach(const cf_transform* table, Component& component) {
  RequireZero(table->reserved, "its 'reserved'");
  RequireFunction(table->fit != nullptr, "fit");
  RequireFunction(table->apply != nullptr, "apply");
  RequireFunction(table->destroy != nullptr, "destroy");
  component.transform = table;
}

void Attach(const cf_splitter* table, Component& component) {
  RequireKnown(table->uses, kUses, "its 'uses'");
  RequireFunction(table->split != nullptr, "split");
  component.splitter = table;
}

void Attach(const cf_metric* table, Component& component) {
  RequireKnown(table->needs, kNeeds, "its 'needs'");
  RequireFunction(table->score != nullptr, "score");
  component.metric = table;
}

void RequireWords(const char* const* words, std::size_t n, const char* field) {
  if (n > kMaxEntries || (n > 0 && words == nullptr)) {
    throw Defect{"its list '" + std::string(field) + "' is damaged"};
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (words[i] == nullptr) throw Defect{"its list '" + std::string(field) + "' has a null"};
  }
}

void Attach(const cf_source* table, Component& component) {
  RequireWords(table->endings, table->n_endings, "endings");
  RequireWords(table->schemes, table->n_schemes, "schemes");
  RequireFunction(table->sniff != nullptr, "sniff");
  RequireFunction(table->open != nullptr, "open");
  component.source = table;
}

// Makes the component of a table. Throws Defect if it cannot be used.
template <class Table>
Component ReadComponent(Kind kind, const std::string& id, const Table& table) {
  Component component;
  component.kind = kind;
  component.id = id;
  ReadInfo(table.info, component);
  Attach(&table, component);
  CapabilityReading reading = ReadCapabilities(kind, table.info, table.get_capability);
  if (!reading.problem.empty()) throw Defect{reading.problem, reading.needs_newer};
  component.capabilities = std::move(reading.offered);
  return component;
}

// Returns the place of the one table with that id; nullptr = there is none.
template <class Table>
const Table* FindTable(std::size_t n, const Table* const* tables, const std::string& id) {
  for (std::size_t i = 0; i < n; ++i) {
    if (CleanText(tables[i]->info.id) == id) return tables[i];
  }
  return nullptr;
}

// Reads the tables of one kind, in the order of the manifest. Those that cannot be used go to
// `refused`.
template <class Table>
void ReadTables(Kind kind, std::size_t n, const Table* const* tables, std::uint32_t min_size,
                const Manifest& manifest, DescriptorReading& reading) {
  const std::vector<std::string>& ids = manifest.ids[kind];
  const std::string name(KindName(kind));
  if (n > kMaxEntries) throw Defect{"its list of " + name + "s is damaged"};
  if (n > 0 && tables == nullptr) throw Defect{"its list of " + name + "s is null"};
  std::set<std::string> found;
  for (std::size_t i = 0; i < n; ++i) {
    const std::string place = name + " " + std::to_string(i + 1);
    if (tables[i] == nullptr) throw Defect{place + ": it is null"};
    if (tables[i]->struct_size < min_size) {
      throw Defect{place + ": " + Truncated(tables[i]->struct_size, min_size)};
    }
    const std::string id = CleanText(tables[i]->info.id);
    if (std::find(ids.begin(), ids.end(), id) == ids.end()) {
      throw Defect{"its descriptor has the " + name + " '" + id + "', which its manifest lacks"};
    }
    if (!found.insert(id).second) {
      throw Defect{"its descriptor has the " + name + " '" + id + "' twice"};
    }
  }
  for (const std::string& id : ids) {
    try {
      const Table* table = FindTable(n, tables, id);
      if (table == nullptr) throw Defect{kNotOffered};
      reading.components.push_back(ReadComponent(kind, id, *table));
    } catch (const Defect& defect) {
      reading.refused.push_back({kind, id, defect.Reason()});
    }
  }
}

void CheckForm(const cf_plugin& plugin) {
  if (plugin.magic != CF_ABI_MAGIC) {
    throw Defect{"its descriptor starts with " + Hex(plugin.magic) + ", not with " +
                 Hex(CF_ABI_MAGIC)};
  }
  if (plugin.abi_major != CF_ABI_MAJOR) {
    throw Defect{"built for plugin ABI " + std::to_string(plugin.abi_major) +
                 "; this host supports ABI " + std::to_string(CF_ABI_MAJOR)};
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

// Calls `visit(kind, n, tables, size of a table of version 1.0)`.
template <class Visit>
void ForEachKind(const cf_plugin& plugin, const Visit& visit) {
  visit(Kind::kLearner, plugin.n_learners, plugin.learners, kLearnerSize);
  visit(Kind::kTransform, plugin.n_transforms, plugin.transforms, kTransformSize);
  visit(Kind::kSplitter, plugin.n_splitters, plugin.splitters, kSplitterSize);
  visit(Kind::kMetric, plugin.n_metrics, plugin.metrics, kMetricSize);
  visit(Kind::kSource, plugin.n_sources, plugin.sources, kSourceSize);
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
  ForEachKind(plugin, [&](Kind kind, std::size_t n, const auto* tables, std::uint32_t min_size) {
    manifest.ids[kind] = CheckedIds(kind, n, tables, min_size, all);
  });
  if (all.empty() && plugin.get_factory == nullptr) {
    throw Defect{"its descriptor offers nothing"};
  }
  return manifest;
}

}  // namespace

ManifestReading ManifestOf(const cf_plugin& plugin) {
  ManifestReading reading;
  try {
    reading.manifest = MakeManifest(plugin);
  } catch (const Defect& defect) {
    reading.problem = defect.Reason();
  }
  return reading;
}

DescriptorReading ReadDescriptor(const cf_plugin& plugin, const Manifest& manifest) {
  DescriptorReading reading;
  try {
    CheckHead(plugin, manifest);
    ForEachKind(plugin, [&](Kind kind, std::size_t n, const auto* tables, std::uint32_t min_size) {
      ReadTables(kind, n, tables, min_size, manifest, reading);
    });
    if (reading.components.empty() && !reading.refused.empty()) {
      const RefusedComponent& first = reading.refused.front();
      throw Defect{Named(first.kind, first.id) + first.reason};
    }
    reading.vendor = CleanText(plugin.vendor);
    reading.license = CleanText(plugin.license);
    reading.build_info = CleanText(plugin.build_info);
  } catch (const Defect& defect) {
    reading.components.clear();
    reading.refused.clear();
    reading.problem = defect.Reason();
  }
  return reading;
}

}  // namespace crossfold
