// Struct arrays, such as record batches: their fields are columns.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "crossfold/arrow_abi.h"
#include "crossfold/dataset.h"

namespace crossfold {

// Takes an array or schema out of a struct, and releases it once.
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
using TakenArray = std::shared_ptr<const Taken<ArrowArray>>;

// The declarations of the fields of a struct. `unused` columns are left out everywhere, whatever
// their type.
class ArrowFields {
 public:
  // Keeps references. Throws Error(kBadData) "<attempt><finding>" unless the schema is that of a
  // struct whose fields have distinct names.
  ArrowFields(const ArrowSchema& schema, const std::string& attempt,
              const std::set<std::string, std::less<>>& unused);

  // Names of all columns.
  std::vector<std::string> names() const;
  // The columns that are used.
  const std::vector<const ArrowSchema*>& used() const { return used_; }
  // Returns the roles in the metadata of the columns. Throws Error(kBadData).
  Roles FindRoles() const;
  // Returns the columns of an array, in its memory if possible. Earlier arrays had `rows_before`
  // rows. Throws Error(kBadData).
  std::vector<Column> ColumnsOf(const TakenArray& array, std::int64_t rows_before = 0) const;
  // Returns columns without rows.
  std::vector<Column> EmptyColumns() const;

 private:
  const ArrowSchema& schema_;
  const std::string& attempt_;
  std::vector<const ArrowSchema*> used_;
  std::vector<std::int64_t> places_;  // places of the used columns among the fields
};

// Returns `given`, completed by the roles that the metadata of the columns give.
Roles WithFoundRoles(const Roles& given, const Roles& found);

}  // namespace crossfold
