#include "crossfold/cost_table.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "crossfold/error.h"
#include "crossfold/nearest_name.h"
#include "crossfold/read_data.h"
#include "engine/data/column_entries.h"
#include "engine/plugin/problems.h"

namespace crossfold {
namespace {

// The first column as names, even if they look like numbers.
std::shared_ptr<const Dataset> ReadNamesAndCosts(const std::filesystem::path& path,
                                                 const PluginHost& plugins) {
  ReadRequest request;
  request.format = "csv";
  request.options["missing"] = std::vector<std::string>();
  const std::string first = ReadData(plugins, path.string(), request)->columns().front().name;
  request.options.clear();
  request.types.emplace(first, ColumnType::kCategorical);
  return ReadData(plugins, path.string(), request);
}

std::string NameAt(const Column& names, std::size_t row) {
  const std::int32_t code = static_cast<const std::int32_t*>(names.data)[row];
  return code < 0 ? "" : names.levels[static_cast<std::size_t>(code)];
}

// Entries as numbers, NaN where they are missing.
std::vector<double> NumbersOf(const Column& column) {
  std::vector<double> numbers;
  VisitEntries(column, [&](auto entries) {
    for (std::size_t row = 0; row < entries.size(); ++row) {
      const bool missing = !IsValid(column, row) || MarksMissing(column.dtype, entries[row]);
      numbers.push_back(missing ? std::nan("") : static_cast<double>(entries[row]));
    }
  });
  return numbers;
}

// Adds one column of costs.
void AddColumn(const Column& column, std::size_t at, CostTable& table,
               std::vector<std::string>& problems) {
  if (!IsNumeric(column.dtype)) {
    problems.push_back("column '" + column.name + "' has no numbers");
    return;
  }
  const std::vector<double> numbers = NumbersOf(column);
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    if (!std::isfinite(numbers[row])) {
      problems.push_back("line " + std::to_string(row + 2) + ", column '" + column.name +
                         "' has no finite number");
    }
    table.costs[row * table.predicted.size() + at] = numbers[row];
  }
}

// The position of each class in `names`; adds a problem for each class that is not there exactly
// once.
std::vector<std::size_t> Places(std::span<const std::string> classes,
                                const std::vector<std::string>& names, const std::string& what,
                                std::vector<std::string>& problems) {
  std::vector<std::size_t> places;
  for (const std::string& name : classes) {
    const auto n = std::count(names.begin(), names.end(), name);
    if (n == 0) problems.push_back("there is no " + what + " for class '" + name + "'");
    if (n > 1) problems.push_back("there are several " + what + "s for class '" + name + "'");
    places.push_back(
        static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin()));
  }
  for (const std::string& name : names) {
    if (std::find(classes.begin(), classes.end(), name) != classes.end()) continue;
    problems.push_back(what + " '" + name + "' is not a class; " + KnownNames(name, classes));
  }
  return places;
}

}  // namespace

CostTable ReadCostTable(const std::filesystem::path& path, const PluginHost& plugins) {
  const std::shared_ptr<const Dataset> file = ReadNamesAndCosts(path, plugins);
  const std::span<const Column> columns = file->columns();
  const auto n_rows = static_cast<std::size_t>(file->num_rows());
  CostTable table;
  table.name = path.string();
  std::vector<std::string> problems;
  for (std::size_t row = 0; row < n_rows; ++row) {
    table.truth.push_back(NameAt(columns.front(), row));
    if (table.truth.back().empty()) {
      problems.push_back("line " + std::to_string(row + 2) + " names no class");
    }
  }
  for (const Column& column : columns.subspan(1)) table.predicted.push_back(column.name);
  if (table.predicted.empty()) problems.push_back("it has one column; costs need one per class");
  table.costs.resize(n_rows * table.predicted.size());
  for (std::size_t i = 1; i < columns.size(); ++i) AddColumn(columns[i], i - 1, table, problems);
  ThrowIfAny("cannot read costs '" + table.name + "'", problems);
  return table;
}

CostMatrix ToCostMatrix(const CostTable& table, const Dataset& data) {
  const std::string attempt =
      "cannot use costs '" + table.name + "' on dataset '" + data.name() + "'";
  if (data.task() != Task::kClassification) {
    throw Error(ErrorKind::kInvalidArgument, attempt + ": its target is not categorical");
  }
  std::vector<std::string> problems;
  const auto rows = Places(data.class_names(), table.truth, "row", problems);
  const auto columns = Places(data.class_names(), table.predicted, "column", problems);
  ThrowIfAny(attempt, problems);
  CostMatrix matrix{data.num_classes(), data.num_classes(), {}};
  for (const std::size_t row : rows) {
    for (const std::size_t column : columns) {
      matrix.costs.push_back(table.costs[row * table.predicted.size() + column]);
    }
  }
  return matrix;
}

}  // namespace crossfold
