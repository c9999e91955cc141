// Datasets from and to Arrow arrays, through the Arrow C data interface: pyarrow, polars, R arrow,
// DuckDB and others support it. The host needs no Arrow library.
#pragma once

#include <memory>
#include <string>

#include "crossfold/arrow_abi.h"
#include "crossfold/dataset.h"
#include "crossfold/infinite_entries.h"

namespace crossfold {

// Takes over a struct array (a record batch): its fields become columns. Both structs are consumed
// whatever happens: the schema is released before this returns; the array when nothing uses its
// memory any more, exactly once, by the thread that drops the last reference to it.
//
//   float64, float32, int64, int32          the same memory, if it is aligned
//   int8, int16, uint8, uint16 -> i32; uint32, uint64 -> i64; bool -> bool    copied
//   dates, times of day, timestamps -> i64  whole numbers of their unit; the same memory if they
//                                           have 64 bits
//   dictionary of utf8 or large_utf8        a category: levels in the order of the dictionary;
//                                           int32 indices are the same memory
//   utf8, large_utf8                        a category: levels sorted as the source "csv" does,
//                                           copied
//   null                                    f64 without an entry
//
// Nulls, NaN and the index -1 are missing values. A column whose metadata have the key
// "crossfold.role", with the value "target", "weights", "groups", "time", "folds" or "strata", has
// that role unless `roles` name another column for it. Throws Error(kBadData), as Dataset::Create
// does and for types and arrays that cannot be taken:
//   cannot import 'sales': column 'tags' is of type list (+l); make a column of each of its parts
//   or leave it out
std::shared_ptr<const Dataset> ImportArrow(ArrowSchema* schema, ArrowArray* array,
                                           const std::string& name, const Roles& roles,
                                           InfiniteEntries infinite = InfiniteEntries::kRefuse);

// Takes over a stream of such arrays, and releases it whatever happens. A single array is used as
// above. Several arrays are copied into one as they arrive, so that only the result and one array
// are in memory. Levels that only later arrays have come last.
std::shared_ptr<const Dataset> ImportArrowStream(
    ArrowArrayStream* stream, const std::string& name, const Roles& roles,
    InfiniteEntries infinite = InfiniteEntries::kRefuse);

// Fills in both structs with a struct array of all columns, in the memory of the dataset where the
// layout allows it (not: bool, bitmaps that begin inside a byte, categories with codes -1).
// Categories are dictionaries of utf8 with int32 indices; NaN stays NaN. Columns with a role say so
// in their metadata ("crossfold.role"), as ImportArrow() reads them. The caller releases both or
// passes them on; children may be moved out, and keep the dataset alive. Throws
// Error(kInvalidArgument) if the levels take 2 GiB or more together; then it fills in nothing.
void ExportArrow(std::shared_ptr<const Dataset> data, ArrowSchema* schema, ArrowArray* array);

// Exports the same as a stream of one array, which the caller releases. The functions of the stream
// return EINVAL or ENOMEM instead of throwing.
void ExportArrowStream(std::shared_ptr<const Dataset> data, ArrowArrayStream* stream);

}  // namespace crossfold
