#include "programs/cli/lua_annotations.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "crossfold/component_facts.h"
#include "crossfold/spec.h"
#include "programs/cli/lua_text.h"

namespace crossfold::cli {
namespace {

using Components = std::vector<std::shared_ptr<const Component>>;

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }

// The id as a part of a class name: letters, digits, '_' and single dots; no part begins with a
// digit.
std::string NameOf(std::string_view id) {
  std::string name;
  bool starts = true;  // a part of the name
  for (const char c : id) {
    if (c == '.' && !starts) {
      name += '.';
      starts = true;
      continue;
    }
    if (starts && c >= '0' && c <= '9') name += '_';
    name += IsLetter(c) ? c : '_';
    starts = false;
  }
  if (starts) name += '_';  // empty, or a dot at the end
  return name;
}

// The text on one line, as the text after a line break would be code.
std::string OneLine(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool is_space = c == ' ' || (c >= '\t' && c <= '\r');
    if (is_space && (line.empty() || line.back() == ' ')) continue;
    line += is_space ? ' ' : c;
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

// A comment that shows in the editor; none if there is no text.
std::string Comment(std::string_view text) {
  const std::string line = OneLine(text);
  if (line.empty()) return "";
  return (line.front() == '@' ? "--- - " : "--- ") + line + "\n";
}

std::string TypeOf(const ParamSpec& param) {
  std::string type;
  switch (param.type) {
    case CF_P_REAL:
      type = "number";
      break;
    case CF_P_INT:
      type = "integer";
      break;
    case CF_P_BOOL:
      type = "boolean";
      break;
    case CF_P_CHOICE:
      for (const std::string& choice : param.choices) {
        const bool is_boolean = choice == "true" || choice == "false";
        type += (type.empty() ? "" : "|") + (is_boolean ? choice : LuaString(OneLine(choice)));
      }
      break;
    case CF_P_INT_LIST:
      type = "integer[]";
      break;
    case CF_P_REAL_LIST:
      type = "number[]";
      break;
    case CF_P_STRING_LIST:
      type = "string[]";
      break;
    default:
      type = IsObject(param) ? "table<string, any>|string" : "string";
  }
  return (param.flags & CF_PF_NULLABLE) != 0 ? type + "|\"none\"" : type;
}

std::string FieldOf(const ParamSpec& param) {
  std::string text = OneLine(param.doc);
  if (!text.empty() && text.back() != '.') text += '.';
  text += (text.empty() ? "" : " ") + Describe(param);
  for (const Fact& flag : FlagsOf(param)) {
    if (flag.name == "log" || flag.name == "deprecated") text += "; " + flag.words;
  }
  if (!param.active_if.empty()) text += "; only with " + param.active_if;
  return "---@field " + LuaKey(param.name) + "? " + TypeOf(param) + " " + OneLine(text) + "\n";
}

// The class names of the options, none twice.
std::map<const Component*, std::string> ClassNames(const Components& components) {
  std::map<const Component*, std::string> names;
  std::set<std::string> taken;
  for (const auto& component : components) {
    const std::string base = "crossfold.params." + std::string(KindName(component->kind)) + "." +
                             NameOf(ShortId(component->id));
    std::string name = base;
    for (int n = 2; !taken.insert(name).second; ++n) name = base + "_" + std::to_string(n);
    names.emplace(component.get(), name);
  }
  return names;
}

std::string ClassOf(const Component& component, const std::string& name) {
  std::string text = Comment(component.title) + Comment(component.doc);
  text += Comment("Parameters of " + std::string(KindName(component.kind)) + " '" +
                  std::string(ShortId(component.id)) + "' " + component.version + ".");
  // The entries of an object, "settings.max_depth", are fields that no class can list.
  const bool is_exact = std::ranges::none_of(component.params, IsObject);
  text += (is_exact ? "---@class (exact) " : "---@class ") + name + "\n";
  for (const ParamSpec& param : component.params) text += FieldOf(param);
  for (const ParamSpec* param : AddedParams(component)) {
    const char* type = param->type == CF_P_STRING ? "string|string[]" : "number";
    text += "---@field " + param->name + "? " + type + " " + param->doc + "\n";
  }
  return text + "\n";
}

std::string IdTypeOf(const Component& component) {
  const std::string_view short_id = ShortId(component.id);
  return LuaString(short_id) + (short_id == component.id ? "" : "|" + LuaString(component.id));
}

// What crossfold.d.lua calls a component of a kind.
std::string_view ResultOf(Kind kind) {
  if (kind == Kind::kLearner) return "crossfold.Spec";
  return kind == Kind::kMetric ? "crossfold.Metric" : "crossfold.Component";
}

// cf.learner and the like, with an overload for each component of that kind.
std::string MakerOf(Kind kind, const Components& components,
                    const std::map<const Component*, std::string>& names) {
  const std::string maker(KindName(kind)), result(ResultOf(kind));
  std::string text = Comment("Makes a " + maker + ": crossfold plugin list shows which there are.");
  for (const auto& component : components) {
    if (component->kind != kind) continue;
    text += "---@overload fun(id: " + IdTypeOf(*component) +
            ", params?: " + names.at(component.get()) + "): " + result + "\n";
  }
  return text +
         "---@param id string|table\n"
         "---@param params? table<string, any>\n"
         "---@return " +
         result +
         "\n"
         "---@nodiscard\n"
         "function cf." +
         maker + "(id, params) end\n\n";
}

}  // namespace

std::string LuaAnnotations(Components components) {
  std::sort(components.begin(), components.end(), [](const auto& a, const auto& b) {
    return std::tie(a->kind, a->id) < std::tie(b->kind, b->id);
  });
  const std::map<const Component*, std::string> names = ClassNames(components);
  std::string text =
      "---@meta crossfold\n"
      "-- Written by 'crossfold plugin annotate' for the plugins that were installed then; write "
      "it again\n-- after installing others. For editors only: nothing here runs. It goes with "
      "crossfold.d.lua, which\n-- has the rest of the module: docs/editors.md.\n\n";
  for (const auto& component : components) text += ClassOf(*component, names.at(component.get()));
  text +=
      "---@class crossfold\n"
      "local cf = {}\n\n";
  for (const Kind kind : kKinds) {
    if (kind != Kind::kSource) text += MakerOf(kind, components, names);
  }
  return text + "return cf\n";
}

}  // namespace crossfold::cli
