// The image of a dataset is a sequence of bytes in which the dataset is used in place. Worker
// processes map it and stores keep it.
//   "CFXDATA1", length of the head (8), head, then the buffers, each on a multiple of 64 bytes:
//   for every column its entries, and its validity bitmap if it has one
// The head, in fields (encoding/fields.h): text name, rows (8), roles (target, weights, groups,
// time, folds, strata as texts, list of class and column of row_costs), list of columns
// (declaration, whether there is a bitmap), costs, and the coordinates as a list of texts if there
// are any. Equal datasets have equal images, up to entries that a bitmap marks as missing.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/dataset.h"

namespace crossfold {

// The image of one dataset, which must outlive it.
class DatasetImage {
 public:
  explicit DatasetImage(const Dataset& data);

  std::size_t size() const { return size_; }
  // REQUIRES: `bytes` has size() bytes.
  void WriteTo(char* bytes) const;
  // Gives the bytes part by part, in order, each of `part_bytes` except the last.
  void WriteParts(std::size_t part_bytes, const std::function<void(std::string_view)>& take) const;

 private:
  const Dataset& data_;
  // Calls put(place, bytes) for everything that is not zero, in order.
  template <class Put>
  void EachPiece(const Put& put) const;

  std::string head_;
  std::vector<std::size_t> places_;  // of the buffers, in order
  std::size_t size_ = 0;
};

// Makes a dataset whose columns are in `bytes`, which `owner` keeps alive. Throws Error(kBadData)
// for bytes that no DatasetImage wrote. REQUIRES: `bytes` begins on a multiple of 8.
std::shared_ptr<const Dataset> ReadDatasetImage(std::string_view bytes,
                                                std::shared_ptr<const void> owner);

}  // namespace crossfold
