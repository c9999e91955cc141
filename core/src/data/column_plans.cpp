#include "data/column_plans.h"

#include <algorithm>
#include <utility>

#include "crossfold/error.h"
#include "crossfold/nearest_name.h"
#include "data/column_types.h"
#include "data/part_threads.h"
#include "data/role_names.h"

namespace crossfold {
ColumnPlan PlanColumn(const std::string& name, const ColumnTypes& types,
                      std::span<const ColumnDeclaration> like) {
  ColumnPlan plan{.name = name};
  const auto known = std::find_if(like.begin(), like.end(),
                                  [&](const ColumnDeclaration& c) { return c.name == name; });
  if (known != like.end()) {
    plan.type = ColumnTypeOf(known->dtype);
    plan.declared = known->levels;
    plan.ordered = known->ordered;
  }
  const auto wanted = types.find(name);
  if (wanted == types.end()) return plan;
  plan.type = wanted->second.type;
  if (wanted->second.ordered) {
    plan.declared = wanted->second.levels;
    plan.ordered = plan.closed = true;
  }
  return plan;
}

void CheckColumnOptions(const CsvSource& source, std::span<const std::string> names,
                        const ColumnTypes& types, const Roles& roles,
                        std::span<const std::string> drop_missing) {
  for (const auto& [column, type] : types) {
    if (type.ordered && type.levels.empty()) {
      throw Error(ErrorKind::kInvalidArgument, source.attempt + ": the list of levels of '" +
                                                   column +
                                                   "' is empty; name all levels in their order");
    }
    if (std::find(names.begin(), names.end(), column) != names.end()) continue;
    throw Error(ErrorKind::kInvalidArgument, source.attempt + ": a type is given for '" + column +
                                                 "', which is no column; " +
                                                 KnownNames(column, names));
  }
  std::vector<std::string> kept;
  for (const std::string& name : names) {
    const auto type = types.find(name);
    if (type == types.end() || type->second.type != ColumnType::kIgnore) kept.push_back(name);
  }
  CheckRoleNames(roles, kept, ErrorKind::kInvalidArgument, source.attempt);
  ColumnsMeant(roles, kept, drop_missing, source.attempt);
}

std::vector<Column> FinishColumns(const CsvSource& source, std::vector<ColumnAssembly>& assemblies,
                                  std::size_t n_rows, std::size_t n_parts, int threads,
                                  const std::function<void(std::size_t)>& rewrite) {
  for (ColumnAssembly& assembly : assemblies) assembly.Settle(n_rows);
  ForEachPart(threads, n_parts, [&](std::size_t part) {
    const bool needed =
        std::any_of(assemblies.begin(), assemblies.end(),
                    [part](const ColumnAssembly& a) { return a.NeedsRewrite(part); });
    if (needed) rewrite(part);
  });
  std::vector<Column> finished(assemblies.size());
  // Threads do not pay for a text of one chunk.
  ForEachPart(n_parts > 1 ? threads : 1, assemblies.size(), [&](std::size_t i) {
    if (!assemblies[i].is_ignored()) finished[i] = assemblies[i].Finish();
  });
  std::vector<Column> columns;
  for (std::size_t i = 0; i < finished.size(); ++i) {
    if (!assemblies[i].is_ignored()) columns.push_back(std::move(finished[i]));
  }
  if (columns.empty()) {
    throw Error(ErrorKind::kInvalidArgument, source.attempt + ": every column is ignored");
  }
  return columns;
}

}  // namespace crossfold
