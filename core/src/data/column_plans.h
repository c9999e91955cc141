// What the options of a reader say about the columns of a file.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "crossfold/csv.h"
#include "data/column_assembly.h"
#include "data/csv_records.h"

namespace crossfold {

ColumnPlan PlanColumn(const std::string& name, const ColumnTypes& types,
                      std::span<const ColumnDeclaration> like);

// Throws Error(kInvalidArgument) if a type, a role or an entry of drop_missing names no column of
// the file.
void CheckColumnOptions(const CsvSource& source, std::span<const std::string> names,
                        const ColumnTypes& types, const Roles& roles,
                        std::span<const std::string> drop_missing);

// Fixes the types of columns whose parts have been read, calls rewrite(part) for each part that
// some column needs once more, and gives the columns that are not ignored. Throws
// Error(kInvalidArgument) if all are.
std::vector<Column> FinishColumns(const CsvSource& source, std::vector<ColumnAssembly>& assemblies,
                                  std::size_t n_rows, std::size_t n_parts, int threads,
                                  const std::function<void(std::size_t)>& rewrite);

}  // namespace crossfold
