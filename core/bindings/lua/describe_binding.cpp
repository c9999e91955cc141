// Describes a dataset for scripts.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "bindings/lua/arguments.h"
#include "bindings/lua/handles.h"
#include "bindings/lua/protect.h"
#include "bindings/lua/session.h"
#include "crossfold/data_report.h"

namespace crossfold::lua {
namespace {

struct Description {
  DataReport report;
  std::string text, json;
};

void SetOptional(lua_State* L, const char* name, const std::optional<double>& value) {
  if (!value) return;
  lua_pushnumber(L, *value);
  lua_setfield(L, -2, name);
}

// An integer where the column has whole numbers.
void SetExtreme(lua_State* L, const char* name, const std::optional<double>& value,
                const std::optional<std::int64_t>& whole) {
  if (whole) return SetInteger(L, name, *whole);
  SetOptional(L, name, value);
}

double ShareOf(std::int64_t n, std::int64_t of) {
  return static_cast<double>(n) / static_cast<double>(of);
}

// Sets a list of { value =, count =, share = }.
void SetCounts(lua_State* L, const char* name, const std::vector<ValueCount>& values,
               std::int64_t n_rows) {
  lua_createtable(L, static_cast<int>(values.size()), 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    lua_createtable(L, 0, 3);
    SetText(L, "value", values[i].value);
    SetInteger(L, "count", values[i].count);
    SetNumber(L, "share", ShareOf(values[i].count, n_rows));
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
  lua_setfield(L, -2, name);
}

void PushColumn(lua_State* L, const ColumnFacts& column, std::int64_t n_rows) {
  lua_createtable(L, 0, 12);
  SetText(L, "name", column.name);
  SetText(L, "type", column.type);
  SetText(L, "role", column.role);
  SetInteger(L, "missing", column.n_missing);
  SetNumber(L, "missing_share", ShareOf(column.n_missing, n_rows));
  SetInteger(L, "distinct", column.n_distinct);
  SetExtreme(L, "min", column.min, column.whole_min);
  SetOptional(L, "median", column.median);
  SetOptional(L, "mean", column.mean);
  SetExtreme(L, "max", column.max, column.whole_max);
  SetOptional(L, "sd", column.sd);
  if (column.n_levels == 0) return;
  SetInteger(L, "levels", column.n_levels);
  SetCounts(L, "most_frequent", column.most_frequent, n_rows);
}

void PushFinding(lua_State* L, const DataFinding& finding) {
  lua_createtable(L, 0, 4);
  SetText(L, "kind", finding.kind);
  lua_pushboolean(L, finding.is_warning ? 1 : 0);
  lua_setfield(L, -2, "warning");
  PushTexts(L, finding.columns);
  lua_setfield(L, -2, "columns");
  SetText(L, "message", finding.message);
}

void PushReport(lua_State* L, const DataReport& report) {
  lua_createtable(L, 0, 10);
  SetText(L, "name", report.name);
  SetText(L, "task", report.task);
  SetInteger(L, "rows", report.n_rows);
  SetInteger(L, "features", report.n_features);
  SetInteger(L, "dropped_rows", report.n_dropped_rows);
  SetInteger(L, "duplicate_rows", report.n_duplicate_rows);
  SetInteger(L, "contradicting_rows", report.n_contradicting_rows);
  SetCounts(L, "classes", report.classes, report.n_rows);
  lua_createtable(L, static_cast<int>(report.columns.size()), 0);
  for (std::size_t i = 0; i < report.columns.size(); ++i) {
    PushColumn(L, report.columns[i], report.n_rows);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
  lua_setfield(L, -2, "columns");
  lua_createtable(L, static_cast<int>(report.findings.size()), 0);
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    PushFinding(L, report.findings[i]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
  lua_setfield(L, -2, "findings");
}

// native.describe(data, folds, most_frequent, threads or nil): the facts, their text, their JSON.
int DescribeRows(lua_State* L) {
  const DataView& view = CheckTrainingData(L, 1);
  DataReportOptions options;
  options.folds = luaL_checkinteger(L, 2);
  options.most_frequent = luaL_checkinteger(L, 3);
  const lua_Integer threads = luaL_optinteger(L, 4, GetSession(L).options.workers);
  options.threads = static_cast<int>(threads);
  auto* holder = NewOwned<std::unique_ptr<Description>>(L);
  Try(L, [&] {
    *holder = std::make_unique<Description>();
    Description& made = **holder;
    made.report = DescribeData(view, options);
    made.text = ToText(made.report);
    made.json = ToJson(made.report);
  });
  PushReport(L, (*holder)->report);
  PushText(L, (*holder)->text);
  PushText(L, (*holder)->json);
  return 3;
}

}  // namespace

void OpenDescriptions(lua_State* L) {
  static constexpr luaL_Reg kFunctions[] = {{"describe", DescribeRows}, {nullptr, nullptr}};
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace crossfold::lua
