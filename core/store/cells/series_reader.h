// The cells that a store has of a series.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "crossfold/outcome.h"
#include "store/cells/cell_claims.h"
#include "store/cells/cell_row.h"
#include "store/cells/sqlite.h"
#include "store/cells/store_impl.h"

namespace crossfold {

struct FoundCell {
  std::int64_t fold;
  ReadRow read;
  std::vector<std::pair<std::int64_t, Score>> scores;  // by metric id
  bool has_damaged_score = false;                      // whether some were left out
};

// Thread-safe.
class SeriesReader {
 public:
  explicit SeriesReader(CellStore::Impl& store) : store_(store) {}
  ~SeriesReader();
  SeriesReader(const SeriesReader&) = delete;
  SeriesReader& operator=(const SeriesReader&) = delete;

  // Appends the cells of folds first .. end - 1, in order. Throws SqliteError if the file is
  // damaged; `cells` then has the cells before the damage.
  void Read(std::int64_t series, std::int64_t first, std::int64_t end, bool with_scores,
            std::vector<FoundCell>& cells);
  // Whether one of the cells is stored; false if the file is damaged.
  bool HasAny(std::span<const CellRange> ranges);

 private:
  void Prepare(Database& db);
  void ReadCells(std::int64_t series, std::int64_t first, std::int64_t end,
                 std::vector<FoundCell>& cells);
  void ReadScores(std::int64_t series, std::int64_t first, std::int64_t end,
                  std::vector<FoundCell>& cells);

  CellStore::Impl& store_;
  std::optional<Statement> find_cells_, find_scores_, find_any_;
  const Database* found_in_ = nullptr;  // theirs
};

}  // namespace crossfold
