#include "crossfold/plugin_json.h"

#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>
#include <type_traits>
#include <utility>

#include "crossfold/component_facts.h"
#include "plugin/param_check.h"

namespace crossfold {
namespace {

using Json = nlohmann::ordered_json;

// Plugins give any bytes for names and texts.
std::string Text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json OrNull(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json Names(const std::vector<Fact>& facts) {
  Json names = Json::array();
  for (const Fact& fact : facts) names.push_back(fact.name);
  return names;
}

Json ToJson(const Value& value) {
  return std::visit(
      [](const auto& content) -> Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(content)>, Null>) {
          return Json();
        } else {
          return Json(content);
        }
      },
      value);
}

bool IsInteger(const ParamSpec& p) { return p.type == CF_P_INT || p.type == CF_P_INT_LIST; }
bool IsReal(const ParamSpec& p) { return p.type == CF_P_REAL || p.type == CF_P_REAL_LIST; }

// Null = no bound.
Json Bound(const ParamSpec& p, bool is_low) {
  if (IsReal(p)) {
    const double bound = is_low ? p.lo : p.hi;
    return std::isfinite(bound) ? Json(bound) : Json();
  }
  if (!IsInteger(p)) return Json();
  using Limits = std::numeric_limits<std::int64_t>;
  const std::int64_t bound = is_low ? p.ilo : p.ihi;
  return bound == (is_low ? Limits::min() : Limits::max()) ? Json() : Json(bound);
}

Json ActiveIf(const ParamSpec& p) {
  const std::optional<Condition> condition = ParseCondition(p.active_if);
  if (!condition) return Json();
  return {{"param", condition->param}, {"values", condition->values}};
}

Json ToJson(const ParamSpec& p) {
  Json json;
  json["name"] = p.name;
  json["type"] = TypeNameOf(p);
  json["default"] = ToJson(p.default_value);
  json["low"] = Bound(p, true);
  json["high"] = Bound(p, false);
  json["low_open"] = (p.flags & CF_PF_LO_OPEN) != 0;
  json["high_open"] = (p.flags & CF_PF_HI_OPEN) != 0;
  json["scale"] =
      !IsInteger(p) && !IsReal(p) ? Json() : Json((p.flags & CF_PF_LOG) != 0 ? "log" : "linear");
  json["choices"] = p.choices;
  json["nullable"] = (p.flags & CF_PF_NULLABLE) != 0;
  json["unit"] = OrNull(p.unit);
  json["active_if"] = ActiveIf(p);
  json["flags"] = Names(FlagsOf(p));
  json["doc"] = p.doc;
  return json;
}

Json ToJson(const LoadedPlugin& plugin) {
  Json json;
  json["id"] = plugin.id;
  json["version"] = plugin.version;
  json["vendor"] = plugin.vendor;
  json["license"] = plugin.license;
  json["build_info"] = OrNull(plugin.build_info);
  json["file"] = plugin.path.string();
  json["sha256"] = plugin.sha256;
  return json;
}

Json ToJson(const Component& component) {
  Json json;
  json["id"] = component.id;
  json["short_id"] = ShortId(component.id);
  json["kind"] = KindName(component.kind);
  json["version"] = component.version;
  json["title"] = component.title;
  json["doc"] = component.doc;
  json["source"] = OrNull(component.source);
  Json params = Json::array();
  for (const ParamSpec& param : component.params) params.push_back(ToJson(param));
  json["params"] = std::move(params);
  json["tasks"] = Names(TasksOf(component));
  json["accepts"] = Names(AcceptsOf(component));
  json["needs"] = Names(NeedsOf(component));
  json["capabilities"] = Names(CapabilitiesOf(component));
  json["threading"] = ThreadingOf(component).name;
  json["determinism"] = Names(DeterminismOf(component));
  json["process"] = Names(ProcessFlagsOf(component));
  if (const cf_metric* metric = component.metric) {
    json["direction"] = DirectionOf(component);
    json["worst"] = std::isfinite(metric->worst) ? Json(metric->worst) : Json();
    json["best"] = std::isfinite(metric->best) ? Json(metric->best) : Json();
  }
  return json;
}

// `id` and `kind` are empty if no component is known.
Json EntryJson(const PluginEntry& entry, const std::string& id, std::string_view kind) {
  Json json;
  json["id"] = OrNull(id);
  json["short_id"] = OrNull(std::string(ShortId(id)));
  json["kind"] = OrNull(std::string(kind));
  json["version"] = OrNull(entry.version);
  json["plugin"] = OrNull(entry.id);
  json["file"] = entry.path.string();
  json["abi"] = entry.id.empty()
                    ? Json()
                    : Json(std::to_string(CF_ABI_MAJOR) + "." + std::to_string(entry.abi_minor));
  json["sha256"] = OrNull(entry.sha256);
  json["manifest"] = entry.has_manifest;
  json["status"] = entry.rejected.empty() ? "ready" : "disabled";
  json["reason"] = OrNull(entry.rejected);
  return json;
}

}  // namespace

std::string DescriptionJson(const Component& component) {
  Json json = ToJson(component);
  json["plugin"] = component.plugin == nullptr ? Json() : ToJson(*component.plugin);
  return Text(json);
}

std::string DescriptionJson(std::span<const std::shared_ptr<const Component>> components) {
  assert(!components.empty());
  Json json = ToJson(*components.front()->plugin);
  Json list = Json::array();
  for (const auto& component : components) list.push_back(ToJson(*component));
  json["components"] = std::move(list);
  return Text(json);
}

std::string ListJson(const std::vector<PluginEntry>& entries, const Kind* kind) {
  Json list = Json::array();
  for (const PluginEntry& entry : entries) {
    const std::pair<Kind, const std::vector<std::string>*> parts[] = {
        {Kind::kLearner, &entry.learners},
        {Kind::kTransform, &entry.transforms},
        {Kind::kSplitter, &entry.splitters},
        {Kind::kMetric, &entry.metrics}};
    bool has_any = false;
    for (const auto& [part, ids] : parts) {
      has_any = has_any || !ids->empty();
      if (kind != nullptr && *kind != part) continue;
      for (const std::string& id : *ids) list.push_back(EntryJson(entry, id, KindName(part)));
    }
    if (!has_any && kind == nullptr) list.push_back(EntryJson(entry, "", ""));
  }
  return Text(list);
}

}  // namespace crossfold
