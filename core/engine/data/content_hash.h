// The identity of a dataset's content.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "crossfold/dataset.h"

namespace crossfold {

// Returns SHA-256 (hex) over, in this order ("text" and "integer" as Sha256::AddText and
// AddInteger):
//   text "crossfold-dataset-1", integer rows, integer columns;
//   for each column: text name, integer dtype (CF_F64 ...), integer 1 if it is an ordered
//     category, else 0, integer number of levels, each level as text; then one byte per row, 1 =
//     present, 0 = missing; then each entry, little-endian, in the width of its type, all bits 0 if
//     missing;
//   the columns of the roles target, weights, groups, time, folds as text, "" = none;
//   if there are strata: texts "strata" and the column;
//   for each coordinate: texts "coordinate" and the column;
//   for each row cost, in the order of the class names: texts "row cost", class, column.
// -0.0 hashes as 0.0.
std::string ContentHash(std::int64_t n_rows, std::span<const Column> columns, const Roles& roles);

// DataView::content_hash of some rows is a hash over the texts "crossfold-rows-1" and the content
// hash, then their number and their ids as integers.

// Returns the hash of data with that content hash and cost matrix, over the texts
// "crossfold-costs-1" and the content hash, then the bits of each cost as an integer.
std::string HashWithCosts(const std::string& content_hash, std::span<const double> costs);

// Returns the hash of data with that content hash and positive class, over the texts
// "crossfold-positive-1", the content hash and the class.
std::string HashWithPositive(const std::string& content_hash, const std::string& positive);

}  // namespace crossfold
