#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "crossfold/csv.h"
#include "crossfold/error.h"
#include "data/csv_column.h"
#include "data/csv_records.h"
#include "data/file_bytes.h"
#include "data/role_names.h"
#include "text/nearest_name.h"

namespace crossfold {
namespace {

constexpr std::array<std::pair<std::string_view, ColumnType>, 8> kTypeNames = {
    {{"bool", ColumnType::kBool},
     {"categorical", ColumnType::kCategorical},
     {"f32", ColumnType::kF32},
     {"f64", ColumnType::kF64},
     {"i32", ColumnType::kI32},
     {"i64", ColumnType::kI64},
     {"ignore", ColumnType::kIgnore},
     {"numeric", ColumnType::kF64}}};

// Mistakes in the options, as far as the header can show them.
void CheckOptions(const CsvSource& source, const CsvOptions& options,
                  const std::vector<std::string>& names) {
  for (const auto& [column, type] : options.types) {
    if (std::find(names.begin(), names.end(), column) != names.end()) continue;
    throw Error(ErrorKind::kInvalidArgument, source.attempt + ": a type is given for '" + column +
                                                 "', which is no column; " +
                                                 KnownNames(column, names));
  }
  std::vector<std::string> kept;
  for (const std::string& name : names) {
    const auto type = options.types.find(name);
    if (type == options.types.end() || type->second != ColumnType::kIgnore) kept.push_back(name);
  }
  CheckRoleNames(options.roles, kept, ErrorKind::kInvalidArgument, source.attempt);
}

void CheckSeparator(const CsvSource& source, char separator) {
  constexpr std::string_view kForbidden("\"\r\n\0", 4);
  if (kForbidden.find(separator) == std::string_view::npos) return;
  throw Error(ErrorKind::kInvalidArgument,
              source.attempt + ": the separator must not be a quote, a line end or NUL");
}

// The dataset would refuse this too, but knows no lines.
void CheckRolesComplete(const CsvSource& source, const CsvOptions& options,
                        const CsvRecords& records, const MissingMarkers& missing) {
  for (const auto& [role, name] : NamedRoles(options.roles)) {
    const auto column = static_cast<std::size_t>(
        std::find(records.names.begin(), records.names.end(), name) - records.names.begin());
    for (std::size_t row = 0; row < records.num_rows(); ++row) {
      const CsvCell& cell = records.cell(row, column);
      if (!missing.Matches(cell)) continue;
      source.Refuse("line " + std::to_string(source.LineOf(cell.data)) + ", column '" +
                    Shown(name) + "': the " + std::string(role) +
                    " is missing; leave such rows out");
    }
  }
}

ColumnType TypeOf(std::int32_t dtype) {
  switch (dtype) {
    case CF_F64:
      return ColumnType::kF64;
    case CF_F32:
      return ColumnType::kF32;
    case CF_I32:
      return ColumnType::kI32;
    case CF_I64:
      return ColumnType::kI64;
    case CF_BOOL8:
      return ColumnType::kBool;
    default:
      return ColumnType::kCategorical;
  }
}

// What the options say about one column.
struct WantedColumn {
  ColumnType type = ColumnType::kInfer;
  std::span<const std::string> levels;
};

WantedColumn FindWanted(const CsvOptions& options, const std::string& name) {
  WantedColumn wanted;
  const auto like = std::find_if(options.like.begin(), options.like.end(),
                                 [&](const ColumnDeclaration& c) { return c.name == name; });
  if (like != options.like.end()) wanted = {TypeOf(like->dtype), like->levels};
  const auto type = options.types.find(name);
  if (type != options.types.end()) wanted.type = type->second;
  return wanted;
}

std::shared_ptr<const Dataset> Read(const CsvSource& source, const std::string& dataset_name,
                                    const CsvOptions& options) {
  CheckSeparator(source, options.separator);
  const CsvRecords records = SplitCsv(source, options.separator);
  CheckOptions(source, options, records.names);
  const MissingMarkers missing(options.missing);
  std::vector<Column> columns;
  for (std::size_t i = 0; i < records.names.size(); ++i) {
    const WantedColumn wanted = FindWanted(options, records.names[i]);
    if (wanted.type == ColumnType::kIgnore) continue;
    columns.push_back(MakeColumn(source, records, i, wanted.type, wanted.levels, missing));
  }
  if (columns.empty()) {
    throw Error(ErrorKind::kInvalidArgument, source.attempt + ": every column is ignored");
  }
  CheckRolesComplete(source, options, records, missing);
  return Dataset::Create(dataset_name, std::move(columns), options.roles);
}

}  // namespace

ColumnType ColumnTypeFromName(std::string_view name) {
  std::vector<std::string> known;
  for (const auto& [type_name, type] : kTypeNames) {
    if (type_name == name) return type;
    known.emplace_back(type_name);
  }
  throw Error(ErrorKind::kInvalidArgument, "cannot use column type '" + std::string(name) +
                                               "': there is none; " + KnownNames(name, known));
}

std::shared_ptr<const Dataset> ReadCsv(const std::filesystem::path& path,
                                       const CsvOptions& options) {
  const std::string bytes = ReadFileBytes(path);
  return Read({bytes, "cannot read '" + path.string() + "'"}, path.stem().string(), options);
}

std::shared_ptr<const Dataset> ParseCsv(std::string_view text, const std::string& name,
                                        const CsvOptions& options) {
  return Read({text, "cannot read '" + name + "'"}, name, options);
}

}  // namespace crossfold
