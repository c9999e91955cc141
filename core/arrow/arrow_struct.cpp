#include "arrow/arrow_struct.h"

#include <functional>
#include <string_view>
#include <utility>

#include "arrow/arrow_field.h"
#include "arrow/arrow_types.h"
#include "crossfold/error.h"
#include "crossfold_plugin/utf8.hpp"
#include "engine/data/role_names.h"
#include "engine/text/shown_text.h"

namespace crossfold {
namespace {

// Returns what is wrong with a schema whose fields are to be columns; "" = nothing.
std::string FindSchemaProblem(const ArrowSchema& schema) {
  if (schema.format == nullptr) return "its schema has no format";
  if (std::string_view(schema.format) != "+s") {
    return "it is of type " + std::string(ArrowTypeName(schema.format)) + " (" +
           Shown(schema.format) + "); export a struct array, such as a record batch";
  }
  if (schema.dictionary != nullptr) return "a struct array has no dictionary";
  const std::int64_t n = schema.n_children;
  if (n < 0) return "its schema has " + std::to_string(n) + " columns";
  if (n > 0 && schema.children == nullptr) return "its schema has no list of columns";
  std::set<std::string_view> names;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::string position = "column " + std::to_string(i + 1);
    if (schema.children[i] == nullptr) return position + " is null";
    const char* const name = schema.children[i]->name;
    if (name == nullptr || *name == '\0') return position + " has no name";
    if (plugin::FirstInvalidUtf8(name)) return position + " has a name that is not UTF-8";
    if (!names.insert(name).second) return "two columns are named '" + Shown(name) + "'";
  }
  return "";
}

// Returns what is wrong with an array of that schema; "" = nothing.
std::string FindArrayProblem(const ArrowSchema& schema, const ArrowArray& array) {
  if (array.dictionary != nullptr) return "a struct array has no dictionary";
  const std::int64_t n = schema.n_children;
  if (n != array.n_children) {
    return "its schema has " + std::to_string(n) + " columns, its array " +
           std::to_string(array.n_children);
  }
  if (n > 0 && array.children == nullptr) return "its array has no list of columns";
  for (std::int64_t i = 0; i < n; ++i) {
    if (array.children[i] == nullptr) return "column " + std::to_string(i + 1) + " is null";
  }
  return array.length < 0 ? "it has a negative length" : "";
}

// Refuses rows that are null as a whole, because they say nothing about their fields.
void CheckRows(const ArrowSchema& schema, const ArrowArray& array, std::int64_t rows_before,
               const std::string& attempt) {
  ArrowSchema flat_schema = schema;
  ArrowArray flat = array;
  flat_schema.n_children = flat.n_children = 0;
  const ArrowPart rows = CheckArrowPart(
      flat_schema, flat, 1, {.count = array.length, .before = rows_before}, attempt + "it ");
  if (rows.validity() == nullptr) return;
  for (std::int64_t row = 0; row < rows.n_rows; ++row) {
    if (!rows.is_null(row)) continue;
    throw Error(ErrorKind::kBadData,
                attempt + rows.RowName(row) + " is null as a whole; drop such rows");
  }
}

void Require(const std::string& problem, const std::string& attempt) {
  if (!problem.empty()) throw Error(ErrorKind::kBadData, attempt + problem);
}

}  // namespace

ArrowFields::ArrowFields(const ArrowSchema& schema, const std::string& attempt,
                         const std::set<std::string, std::less<>>& unused)
    : schema_(schema), attempt_(attempt) {
  Require(FindSchemaProblem(schema), attempt);
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    if (unused.contains(std::string_view(schema.children[i]->name))) continue;
    used_.push_back(schema.children[i]);
    places_.push_back(i);
  }
}

std::vector<std::string> ArrowFields::names() const {
  std::vector<std::string> names;
  for (std::int64_t i = 0; i < schema_.n_children; ++i) {
    names.emplace_back(schema_.children[i]->name);
  }
  return names;
}

std::vector<Column> ArrowFields::ColumnsOf(const TakenArray& taken,
                                           std::int64_t rows_before) const {
  const ArrowArray& array = taken->value();
  Require(FindArrayProblem(schema_, array), attempt_);
  CheckRows(schema_, array, rows_before, attempt_);
  std::vector<Column> columns;
  for (std::size_t i = 0; i < used_.size(); ++i) {
    columns.push_back(ArrowColumn(
        *used_[i], *array.children[places_[i]],
        {.skipped = array.offset, .count = array.length, .before = rows_before}, attempt_, taken));
  }
  return columns;
}

std::vector<Column> ArrowFields::EmptyColumns() const {
  std::vector<Column> columns;
  for (const ArrowSchema* field : used_) columns.push_back(EmptyArrowColumn(*field, attempt_));
  return columns;
}

Roles ArrowFields::FindRoles() const {
  Roles roles;
  for (const ArrowSchema* field : used_) {
    const ArrowMetadata metadata(*field, ArrowSubject(*field, attempt_));
    const std::string_view wanted = metadata.Find(kArrowRoleKey);
    if (wanted.empty()) continue;
    bool is_known = false;
    for (const auto& [role, place] : kArrowRoles) {
      if (role != wanted) continue;
      Require((roles.*place).empty()
                  ? ""
                  : "columns '" + Shown(roles.*place) + "' and '" + Shown(field->name) +
                        "' are both the " + std::string(role),
              attempt_);
      roles.*place = field->name;
      is_known = true;
    }
    Require(is_known ? "" : "has the unknown role '" + Shown(wanted) + "'",
            ArrowSubject(*field, attempt_));
  }
  return roles;
}

Roles WithFoundRoles(const Roles& given, const Roles& found) {
  Roles roles = given;
  for (const auto& [name, role] : kArrowRoles) {
    if ((roles.*role).empty() && !IsRole(given, found.*role)) roles.*role = found.*role;
  }
  return roles;
}

}  // namespace crossfold
