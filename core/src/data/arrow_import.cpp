#include <string>
#include <utility>
#include <vector>

#include "crossfold/arrow.h"
#include "crossfold/error.h"
#include "data/arrow_field.h"
#include "data/arrow_types.h"
#include "data/csv_records.h"

namespace crossfold {
namespace {

// Takes an array or schema out of a struct, and releases it, once.
template <class T>
class Taken {
 public:
  explicit Taken(T* source) noexcept : value_(*source) { source->release = nullptr; }
  ~Taken() {
    if (value_.release != nullptr) value_.release(&value_);
  }
  Taken(const Taken&) = delete;
  Taken& operator=(const Taken&) = delete;

  const T& value() const { return value_; }
  T* source() { return &value_; }

 private:
  T value_;
};

// What is wrong with the struct array that holds the columns; "" = nothing.
std::string FindProblem(const ArrowSchema& schema, const ArrowArray& array) {
  if (schema.format == nullptr) return "its schema has no format";
  if (std::string_view(schema.format) != "+s") {
    return "it is of type " + std::string(ArrowTypeName(schema.format)) + " (" +
           Shown(schema.format) + "); export a struct array, such as a record batch";
  }
  if (schema.dictionary != nullptr || array.dictionary != nullptr) {
    return "a struct array has no dictionary";
  }
  if (schema.n_children < 0 || schema.n_children != array.n_children) {
    return "its schema has " + std::to_string(schema.n_children) + " columns, its array " +
           std::to_string(array.n_children);
  }
  if (schema.n_children > 0 && (schema.children == nullptr || array.children == nullptr)) {
    return "it has no list of columns";
  }
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    if (schema.children[i] != nullptr && array.children[i] != nullptr) continue;
    return "column " + std::to_string(i + 1) + " is not there";
  }
  return "";
}

// Rows that are null as a whole say nothing about their fields.
void CheckRows(const ArrowSchema& schema, const ArrowArray& array, const std::string& attempt) {
  ArrowSchema flat_schema = schema;
  ArrowArray flat = array;
  flat_schema.n_children = flat.n_children = 0;
  const ArrowPart rows = CheckArrowPart(flat_schema, flat, 1, 0, array.length, attempt + "it ");
  if (rows.validity() == nullptr) return;
  for (std::int64_t row = 0; row < rows.n_rows; ++row) {
    if (!rows.is_null(row)) continue;
    throw Error(ErrorKind::kBadData,
                attempt + "row " + std::to_string(row + 1) + " is null as a whole; drop such rows");
  }
}

std::vector<Column> ArrowColumns(const ArrowSchema& schema, const ArrowArray& array,
                                 const std::string& attempt,
                                 const std::shared_ptr<const void>& owner) {
  const std::string problem = FindProblem(schema, array);
  if (!problem.empty()) throw Error(ErrorKind::kBadData, attempt + problem);
  if (array.length < 0) throw Error(ErrorKind::kBadData, attempt + "it has a negative length");
  CheckRows(schema, array, attempt);
  std::vector<Column> columns;
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    columns.push_back(ArrowColumn(*schema.children[i], *array.children[i], array.offset,
                                  array.length, attempt, owner));
  }
  return columns;
}

}  // namespace

std::shared_ptr<const Dataset> ImportArrow(ArrowSchema* schema, ArrowArray* array,
                                           const std::string& name, const Roles& roles) {
  const std::string attempt = "cannot import '" + Shown(name) + "': ";
  const bool was_released = schema->release == nullptr || array->release == nullptr;
  const Taken<ArrowSchema> types(schema);
  Taken<ArrowArray> taken(array);  // until there is memory to keep it
  const auto entries = std::make_shared<const Taken<ArrowArray>>(taken.source());
  if (was_released) {
    throw Error(ErrorKind::kInvalidArgument,
                attempt + "its schema or array has been released already");
  }
  return Dataset::Create(name, ArrowColumns(types.value(), entries->value(), attempt, entries),
                         roles);
}

}  // namespace crossfold
