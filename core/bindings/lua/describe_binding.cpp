// Describes a dataset for scripts.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "bindings/lua/native.h"
#include "crossfold/data_report.h"

namespace crossfold::lua {
namespace {

void SetOptional(lua_State* L, const char* name, const std::optional<double>& value) {
  if (!value) return;
  lua_pushnumber(L, *value);
  lua_setfield(L, -2, name);
}

// An integer where the column has whole numbers.
void SetExtreme(lua_State* L, const char* name, const std::optional<double>& value,
                const std::optional<std::int64_t>& whole) {
  if (whole) return SetField(L, name, *whole);
  SetOptional(L, name, value);
}

double ShareOf(std::int64_t n, std::int64_t of) {
  return static_cast<double>(n) / static_cast<double>(of);
}

// Sets a list of { value =, count =, share = }.
void SetCounts(lua_State* L, const char* name, const std::vector<ValueCount>& values,
               std::int64_t n_rows) {
  SetList(L, name, values, [=](const ValueCount& one) {
    PushTable(L, Field("value", one.value), Field("count", one.count),
              Field("share", ShareOf(one.count, n_rows)));
  });
}

void PushColumn(lua_State* L, const ColumnFacts& column, std::int64_t n_rows) {
  PushTable(L, Field("name", column.name), Field("type", column.type), Field("role", column.role),
            Field("missing", column.n_missing),
            Field("missing_share", ShareOf(column.n_missing, n_rows)),
            Field("distinct", column.n_distinct));
  SetExtreme(L, "min", column.min, column.whole_min);
  SetOptional(L, "median", column.median);
  SetOptional(L, "mean", column.mean);
  SetExtreme(L, "max", column.max, column.whole_max);
  SetOptional(L, "sd", column.sd);
  if (column.n_levels == 0) return;
  SetField(L, "levels", column.n_levels);
  SetCounts(L, "most_frequent", column.most_frequent, n_rows);
}

void PushFinding(lua_State* L, const DataFinding& finding) {
  PushTable(L, Field("kind", finding.kind), Field("warning", finding.is_warning),
            Field("columns", finding.columns), Field("message", finding.message));
}

void PushReport(lua_State* L, const DataReport& report) {
  PushTable(L, Field("name", report.name), Field("task", report.task), Field("rows", report.n_rows),
            Field("features", report.n_features), Field("dropped_rows", report.n_dropped_rows),
            Field("duplicate_rows", report.n_duplicate_rows),
            Field("contradicting_rows", report.n_contradicting_rows));
  SetCounts(L, "classes", report.classes, report.n_rows);
  SetList(L, "columns", report.columns,
          [&](const ColumnFacts& column) { PushColumn(L, column, report.n_rows); });
  SetList(L, "findings", report.findings,
          [L](const DataFinding& finding) { PushFinding(L, finding); });
}

// native.describe(data, folds, most_frequent, threads or nil): the facts, their text, their JSON.
int DescribeRows(lua_State* L) {
  const DataView& view = CheckTrainingData(L, 1);
  DataReportOptions options;
  options.folds = luaL_checkinteger(L, 2);
  options.most_frequent = luaL_checkinteger(L, 3);
  const lua_Integer threads = luaL_optinteger(L, 4, GetSession(L).options.workers);
  options.threads = static_cast<int>(threads);
  const auto describe = [&] {
    auto report = std::make_unique<DataReport>(DescribeData(view, options));
    std::string text = ToText(*report), json = ToJson(*report);
    return std::tuple(std::move(report), std::move(text), std::move(json));
  };
  return RunAndPush(L, describe, [](lua_State* state, const auto& made) {
    PushReport(state, *std::get<0>(made));
    PushText(state, std::get<1>(made));
    PushText(state, std::get<2>(made));
    return 3;
  });
}

}  // namespace

void OpenDescriptions(lua_State* L) { AddFunctions(L, {{"describe", DescribeRows}}); }

}  // namespace crossfold::lua
