#include "crossfold/component_text.h"

#include <string_view>
#include <vector>

#include "crossfold/component_facts.h"
#include "crossfold/spec.h"
#include "crossfold/table.h"

namespace crossfold {
namespace {

std::string Joined(const std::vector<Fact>& facts) {
  std::string text;
  for (const Fact& fact : facts) text += (text.empty() ? "" : ", ") + fact.words;
  return text;
}

// Returns notes for people who choose a value; ranges and defaults are shown elsewhere.
std::string Notes(const ParamSpec& param) {
  std::string notes = param.doc;
  if (!param.active_if.empty()) notes += " (only with " + param.active_if + ")";
  for (const Fact& flag : FlagsOf(param)) {
    if (flag.name != "nullable") notes += " [" + flag.words + "]";
  }
  return notes;
}

Table ParamTable(const Component& component) {
  Table table;
  table.columns = {"parameter", "values", "meaning"};
  for (const ParamSpec& param : component.params) {
    table.rows.push_back({param.name, Describe(param), Notes(param)});
  }
  return table;
}

void AddRow(Table& table, const char* what, const std::string& text) {
  if (!text.empty()) table.rows.push_back({std::string(what), text});
}

Table FactTable(const Component& component) {
  Table table;
  table.columns = {"declared", ""};
  AddRow(table, "for", Joined(TasksOf(component)));
  AddRow(table, "accepts", Joined(AcceptsOf(component)));
  AddRow(table, "needs", Joined(NeedsOf(component)));
  const std::string direction = DirectionOf(component);
  if (!direction.empty())
    AddRow(table, "better", direction == "neither" ? direction : direction + " values");
  AddRow(table, "threads", ThreadingOf(component).words);
  const std::string promises = Joined(DeterminismOf(component));
  AddRow(table, "repeatable", promises.empty() ? "no promises" : promises);
  AddRow(table, "process", Joined(ProcessFlagsOf(component)));
  for (const Fact& capability : CapabilitiesOf(component)) {
    AddRow(table, "also", capability.words + " (" + capability.name + ")");
  }
  return table;
}

}  // namespace

std::string ToText(const Component& component) {
  std::string text =
      std::string(KindName(component.kind)) + " " + component.id + " " + component.version + "\n";
  for (const std::string* line : {&component.title, &component.doc}) {
    if (!line->empty()) text += *line + "\n";
  }
  if (!component.reference.empty()) text += "Source: " + component.reference + "\n";
  text += "\n";
  text += component.params.empty() ? "It has no parameters.\n" : ToText(ParamTable(component));
  if (!AddedParams(component).empty()) {
    text += component.kind == Kind::kTransform
                ? "Also columns and except, which choose its features; see docs/transforms.md.\n"
                : "Also early_stopping_share, which holds rows out for it; see "
                  "docs/early_stopping.md.\n";
  }
  return text + "\n" + ToText(FactTable(component));
}

}  // namespace crossfold
