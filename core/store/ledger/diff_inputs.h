// Finds how the inputs of two series of cells differ.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "crossfold/store_diff.h"
#include "store/ledger/store_reader.h"

namespace crossfold {

struct InputDifference {
  std::optional<DiffReason> reason;  // the first one that applies
  std::string text;                  // all of them
  bool same_rows = true;             // the splits have the same row numbers
};

// Compares every pair of series once.
class DiffInputs {
 public:
  // Both must outlive this.
  DiffInputs(StoreReader& a, StoreReader& b) : a_(a), b_(b) {}

  // `versions` are those of Crossfold; "" = the same.
  const InputDifference& Of(std::int64_t a, std::int64_t b, const std::string& versions);
  // "150 rows (hash 0123456789ab) and 149 rows (hash ...)".
  std::string DataText(std::int64_t dataset_a, std::int64_t dataset_b);

 private:
  void CompareData(const SplitsRecord& a, const SplitsRecord& b, InputDifference& found);
  void CompareSplits(const SeriesRecord& a, const SeriesRecord& b, InputDifference& found);
  void CompareLearners(const LearnerRecord& a, const LearnerRecord& b, InputDifference& found);

  StoreReader& a_;
  StoreReader& b_;
  std::map<std::pair<std::int64_t, std::int64_t>, InputDifference> known_;
  std::map<std::pair<std::int64_t, std::int64_t>, bool> same_rows_;  // by splits
};

}  // namespace crossfold
