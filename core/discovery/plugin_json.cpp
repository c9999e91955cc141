#include "crossfold/plugin_json.h"

#include <cassert>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

#include "crossfold/component_facts.h"
#include "crossfold/json_value.h"
#include "engine/plugin/param_check.h"

namespace crossfold {
namespace {

JsonValue OrNull(std::string_view text) { return text.empty() ? JsonValue() : JsonValue(text); }

JsonValue Names(const std::vector<Fact>& facts) {
  JsonList names;
  for (const Fact& fact : facts) names.push_back(fact.name);
  return names;
}

JsonValue DefaultOf(const ParamSpec& p) {
  const auto* text = std::get_if<std::string>(&p.default_value);
  return IsObject(p) && text != nullptr ? ReadJson(*text) : JsonOf(p.default_value);
}

// Returns null if there is no bound.
JsonValue Bound(const ParamSpec& p, bool is_low) {
  if (IsReal(p)) return is_low ? p.lo : p.hi;  // numbers that are not finite are written as null
  if (!IsInteger(p)) return Null();
  using Limits = std::numeric_limits<std::int64_t>;
  const std::int64_t bound = is_low ? p.ilo : p.ihi;
  return bound == (is_low ? Limits::min() : Limits::max()) ? JsonValue() : JsonValue(bound);
}

JsonValue ActiveIf(const ParamSpec& p) {
  const std::optional<Condition> condition = ParseCondition(p.active_if);
  if (!condition) return Null();
  return JsonObject{{"param", condition->param}, {"values", condition->values}};
}

JsonValue Scale(const ParamSpec& p) {
  if (!IsInteger(p) && !IsReal(p)) return Null();
  return (p.flags & CF_PF_LOG) != 0 ? "log" : "linear";
}

JsonObject ToJson(const ParamSpec& p) {
  return {{"name", p.name},
          {"type", TypeNameOf(p)},
          {"default", DefaultOf(p)},
          {"low", Bound(p, true)},
          {"high", Bound(p, false)},
          {"low_open", (p.flags & CF_PF_LO_OPEN) != 0},
          {"high_open", (p.flags & CF_PF_HI_OPEN) != 0},
          {"scale", Scale(p)},
          {"choices", p.choices},
          {"nullable", (p.flags & CF_PF_NULLABLE) != 0},
          {"unit", OrNull(p.unit)},
          {"active_if", ActiveIf(p)},
          {"flags", Names(FlagsOf(p))},
          {"doc", p.doc}};
}

JsonObject ToJson(const LoadedPlugin& plugin) {
  return {{"id", plugin.id},
          {"version", plugin.version},
          {"vendor", plugin.vendor},
          {"license", plugin.license},
          {"build_info", OrNull(plugin.build_info)},
          {"file", plugin.path.string()},
          {"folder", plugin.runs_in_child},
          {"sha256", plugin.sha256}};
}

JsonObject ToJson(const Component& component) {
  JsonList params;
  for (const ParamSpec& param : component.params) params.push_back(ToJson(param));
  JsonObject json = {{"id", component.id},
                     {"short_id", ShortId(component.id)},
                     {"kind", KindName(component.kind)},
                     {"version", component.version},
                     {"title", component.title},
                     {"doc", component.doc},
                     {"source", OrNull(component.reference)},
                     {"params", std::move(params)},
                     {"tasks", Names(TasksOf(component))},
                     {"accepts", Names(AcceptsOf(component))},
                     {"needs", Names(NeedsOf(component))},
                     {"capabilities", Names(CapabilitiesOf(component))},
                     {"threading", ThreadingOf(component).name},
                     {"determinism", Names(DeterminismOf(component))},
                     {"process", Names(ProcessFlagsOf(component))}};
  if (const cf_metric* metric = component.metric) {
    json.push_back({"direction", DirectionOf(component)});
    json.push_back({"worst", metric->worst});
    json.push_back({"best", metric->best});
  }
  return json;
}

// Returns why that component cannot be used, or any of the file; "" = it can.
std::string ProblemOf(const PluginEntry& entry, const std::string& id) {
  for (const RefusedComponent& refused : entry.refused) {
    if (entry.rejected.empty() && refused.id == id) return refused.reason;
  }
  return entry.rejected;
}

// `id` is empty if no component is known.
JsonObject EntryJson(const PluginEntry& entry, const std::string& id, std::optional<Kind> kind) {
  const std::string problem = ProblemOf(entry, id);
  const std::string abi = std::to_string(CF_ABI_MAJOR) + "." + std::to_string(entry.abi_minor);
  return {{"id", OrNull(id)},
          {"short_id", OrNull(ShortId(id))},
          {"kind", OrNull(kind ? KindName(*kind) : "")},
          {"version", OrNull(entry.version)},
          {"plugin", OrNull(entry.id)},
          {"file", entry.path.string()},
          {"folder", entry.is_folder},
          {"abi", OrNull(entry.id.empty() ? "" : abi)},
          {"sha256", OrNull(entry.sha256)},
          {"manifest", entry.has_manifest},
          {"status", problem.empty() ? "ready" : "disabled"},
          {"reason", OrNull(problem)}};
}

}  // namespace

std::string DescriptionJson(const Component& component) {
  JsonObject json = ToJson(component);
  json.push_back({"plugin", Null()});
  if (component.plugin != nullptr) json.back().value = ToJson(*component.plugin);
  return JsonText(std::move(json), 2) + "\n";
}

std::string DescriptionJson(std::span<const std::shared_ptr<const Component>> components) {
  assert(!components.empty());
  JsonObject json = ToJson(*components.front()->plugin);
  JsonList list;
  for (const auto& component : components) list.push_back(ToJson(*component));
  json.push_back({"components", std::move(list)});
  return JsonText(std::move(json), 2) + "\n";
}

std::string ListJson(const std::vector<PluginEntry>& entries, const Kind* kind) {
  JsonList list;
  for (const PluginEntry& entry : entries) {
    for (const Kind part : kKinds) {
      if (kind != nullptr && *kind != part) continue;
      for (const std::string& id : entry.ids[part]) list.push_back(EntryJson(entry, id, part));
    }
    if (entry.ids.empty() && kind == nullptr) list.push_back(EntryJson(entry, "", std::nullopt));
  }
  return JsonText(std::move(list), 2) + "\n";
}

}  // namespace crossfold
