#include "store/cells/series_reader.h"

#include <algorithm>
#include <string>

#include "store/cells/store_file.h"

namespace crossfold {

SeriesReader::~SeriesReader() {
  const CellStore::Impl::Locked locked = store_.Lock();  // statements belong to the connection
  find_cells_.reset();
  find_scores_.reset();
  find_any_.reset();
}

void SeriesReader::Read(std::int64_t series, std::int64_t first, std::int64_t end, bool with_scores,
                        std::vector<FoundCell>& cells) {
  CellStore::Impl::Locked locked = store_.Lock();
  Prepare(locked.db);
  ReadCells(series, first, end, cells);
  if (!cells.empty() && with_scores) ReadScores(series, first, end, cells);
}

bool SeriesReader::HasAny(std::span<const CellRange> ranges) {
  CellStore::Impl::Locked locked = store_.Lock();
  try {
    Prepare(locked.db);
    return std::ranges::any_of(ranges, [&](const CellRange& range) {
      const ResetAtEnd reset(*find_any_);
      find_any_->Bind(1, range.series).Bind(2, range.first).Bind(3, range.first + range.count);
      return find_any_->Step();
    });
  } catch (const SqliteError&) {
    return false;
  }
}

void SeriesReader::Prepare(Database& db) {
  if (found_in_ == &db) return;
  found_in_ = &db;
  const std::string where = " WHERE series = ? AND fold >= ? AND fold < ? ORDER BY fold";
  find_cells_.emplace(db, std::string("SELECT fold, ") + kCellColumns + " FROM cells" + where);
  find_scores_.emplace(db, std::string("SELECT ") + kScoreColumns + " FROM scores" + where);
  find_any_.emplace(db, "SELECT 1 FROM cells WHERE series = ? AND fold >= ? AND fold < ?");
}

void SeriesReader::ReadCells(std::int64_t series, std::int64_t first, std::int64_t end,
                             std::vector<FoundCell>& cells) {
  const ResetAtEnd reset(*find_cells_);
  find_cells_->Bind(1, series).Bind(2, first).Bind(3, end);
  while (find_cells_->Step()) {
    const std::int64_t fold = find_cells_->Number(0);
    // Keys of a damaged page may be in no order.
    const bool fits = fold >= first && fold < end && (cells.empty() || cells.back().fold < fold);
    if (fits) cells.push_back({fold, ReadCellRow(*find_cells_, 1, series, fold), {}, false});
  }
}

void SeriesReader::ReadScores(std::int64_t series, std::int64_t first, std::int64_t end,
                              std::vector<FoundCell>& cells) {
  const ResetAtEnd reset(*find_scores_);
  find_scores_->Bind(1, series).Bind(2, first).Bind(3, end);
  auto cell = cells.begin();
  while (find_scores_->Step()) {
    const auto [row, is_whole, checksum] = ReadScoreRow(*find_scores_);
    while (cell != cells.end() && cell->fold < row.fold) ++cell;
    if (cell == cells.end()) return;
    if (cell->fold != row.fold) continue;
    if (is_whole) {
      cell->scores.emplace_back(row.metric, row.score);
    } else {
      cell->has_damaged_score = true;
    }
  }
}

}  // namespace crossfold
