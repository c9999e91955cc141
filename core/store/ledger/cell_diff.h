// Compares the inputs and the results of two stored cells.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/outcome.h"
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

struct CellDifference {
  // Whether the store has an outcome; a cell that was stopped has none.
  bool is_in_a = true, is_in_b = true;
  // Why the results differ; none = they are equal, or one is missing.
  std::optional<DiffReason> reason;
  // All differences of the inputs, or of the results.
  std::string finding;
  bool has_other_inputs = false;
  bool has_damaged_scores = false;  // which were left out
};

class CellDiff {
 public:
  struct Place {
    std::int64_t series = 0, fold = 0;
  };

  // Both must outlive this.
  CellDiff(StoreReader& a, StoreReader& b) : a_(a), b_(b), inputs_(a, b) {}

  // `versions` are those of Crossfold, as in "0.1.0 and 0.2.0"; "" = the same. Throws
  // Error(kBadData) or plugin::Error for damaged rows.
  CellDifference Of(const Place& a, const Place& b, const std::string& versions);
  DiffInputs& inputs() { return inputs_; }

 private:
  // A stored cell with its scores by the metric's text.
  struct Cell {
    Outcome outcome;
    bool is_stopped = false;
    std::optional<std::string> prediction;                        // packed
    std::map<std::string, std::pair<std::string, Score>> scores;  // key of the metric, score
    bool has_damaged_scores = false;                              // whether some were left out
  };

  static std::optional<Cell> ReadCell(StoreReader& reader, const Place& place);
  static Prediction Unpack(StoreReader& reader, const Place& place, const std::string& packed);
  // The difference of the results; "" = none. `metric_plugin` gets the metric whose value differs,
  // if its plugin does.
  std::string ResultDifference(const Place& place_a, Cell a, const Place& place_b, Cell b,
                               bool same_rows, std::string& metric_plugin);
  std::vector<std::string> ClassesOf(const Place& place);

  StoreReader& a_;
  StoreReader& b_;
  DiffInputs inputs_;
};

}  // namespace crossfold
