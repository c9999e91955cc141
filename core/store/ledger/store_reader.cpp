#include "store/ledger/store_reader.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>

#include "archive/zip_file.h"
#include "crossfold/cell_store.h"
#include "crossfold/store_findings.h"
#include "encoding/dataset_image.h"
#include "encoding/fields.h"
#include "encoding/split_fields.h"
#include "store/cells/cell_log.h"
#include "store/cells/packed_bytes.h"
#include "store/cells/store_file.h"

namespace crossfold {
namespace {

constexpr std::size_t kMaxPlans = 16;
// zlib packs a maximum of 1032 bytes into one.
constexpr std::int64_t kMaxZlibRatio = 1032;
// Every fold tests a row, so the packed definition has the numbers of all folds. Distinct numbers
// of 4 bytes pack to 1.4 bytes or more (measured for 100 to 1,000,000 numbers in order).
constexpr std::int64_t kMaxFoldsPerByte = 4;

// What a killed process had finished stays next to the store until a process that may write opens
// it.
void TakeOverWhatIsLeft(const std::filesystem::path& path) {
  if (!HasLogs(path)) return;
  try {
    CellStore::Open(path, {.for_runs = false});
  } catch (const Error&) {  // read-only, or damaged: reading says so
  }
}

StoredRun ReadRun(const Statement& row) {
  StoredRun run;
  run.number = row.Number(0);
  run.started = row.Text(1);
  run.crossfold = row.Text(2);
  run.script = row.Text(3);
  run.script_text = row.Text(4);
  FieldReader arguments(row.Bytes(5));
  run.arguments = arguments.Texts();
  run.seed = static_cast<std::uint64_t>(row.Number(6));
  run.finished = row.Number(7) != 0;
  return run;
}

std::string PlaceOf(const ComposedRecord& one) {
  return "'" + one.learner + "' on '" + one.dataset_name + "', repeat " +
         std::to_string(one.repeat + 1) + ", fold " + std::to_string(one.fold + 1);
}

// A row of kComposedTable.
ComposedRecord ReadComposed(const Statement& row) {
  ComposedRecord one;
  one.learner = row.Text(1);
  one.dataset_name = row.Text(2);
  one.repeat = row.Number(3);
  one.fold = row.Number(4);
  one.dataset = row.Number(5);
  one.n_train = row.Number(6);
  if (!row.IsNull(7)) one.prediction = row.Text(7);
  if (!row.IsNull(8)) one.failure = row.Text(8);
  return one;
}

// A row whose fold was changed still counts in the total, but no query reaches it.
constexpr const char* kAreReached =
    " AND (SELECT count(*) = count(DISTINCT fold) FROM cells c WHERE c.series = series.id)"
    " AND NOT EXISTS (SELECT 1 FROM cells c, splits p WHERE c.series = series.id AND "
    "p.id = series.splits AND p.n_folds > 0 AND c.fold NOT BETWEEN 0 AND p.n_folds - 1)"
    " AND NOT EXISTS (SELECT 1 FROM scores t WHERE t.series = series.id AND NOT EXISTS "
    "(SELECT 1 FROM cells c WHERE c.series = t.series AND c.fold = t.fold))";

// Calls read(fields) on all of `bytes`.
template <class Read>
auto ReadAll(std::string_view bytes, const Read& read) {
  FieldReader fields(bytes);
  auto value = read(fields);
  fields.End();
  return value;
}

// The record of row `id` of a table, read once.
template <class Record, class Read>
const Record& Find(const StoreReader& reader, std::map<std::int64_t, Record>& known,
                   const StoredTable& table, const std::string& what, std::int64_t id,
                   const Read& read) {
  const auto it = known.find(id);
  if (it != known.end()) return it->second;
  Statement row(reader.db(), SelectFrom(table) + "WHERE id = ?1", id);
  try {
    if (row.Step() && row.Number(table.n_columns) != 0)
      return known.emplace(id, read(row)).first->second;
  } catch (const plugin::Error&) {
  }
  reader.FailDamaged(what + " " + std::to_string(id));
}

}  // namespace

std::string NameOfMissingRows(std::int64_t run) {
  return "what run " + std::to_string(run) +
         " asked for, combined or noted (rows are missing or were added)";
}

std::string HexOfKey(std::string_view key) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char c : key) {
    const auto byte = static_cast<std::uint8_t>(c);
    text += {kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return text;
}

StoreReader::StoreReader(const std::filesystem::path& path) {
  TakeOverWhatIsLeft(path);
  db_ = OpenStoreToRead(path);
  db_->Execute("BEGIN");  // one state of the store, whoever writes meanwhile
  find_cell_ = std::make_unique<Statement>(
      *db_, std::string("SELECT ") + kCellColumns + " FROM cells WHERE series = ?1 AND fold = ?2");
  is_complete_ = std::make_unique<Statement>(*db_, std::string("SELECT total = ") + kSeriesTotal +
                                                       kAreReached + " FROM series WHERE id = ?1");
  find_scores_ = std::make_unique<Statement>(
      *db_, std::string("SELECT ") + kScoreColumns +
                " FROM scores WHERE series = ?1 AND fold = ?2 ORDER BY metric");
}

void StoreReader::FailDamaged(const std::string& what) const {
  throw Error(ErrorKind::kBadData,
              "cannot read store '" + db_->path().string() + "': " + what +
                  " is damaged or missing; crossfold repair recovers what is intact");
}

std::vector<std::pair<StoredRun, bool>> StoreReader::ReadRuns() const {
  std::vector<std::pair<StoredRun, bool>> runs;
  Statement row(*db_, SelectFrom(kRunTable) + "ORDER BY id");
  while (row.Step()) {
    try {
      const bool is_whole = row.Number(kRunTable.n_columns) != 0;
      runs.emplace_back(is_whole ? ReadRun(row) : StoredRun(), is_whole);
      runs.back().first.number = row.Number(0);
    } catch (const plugin::Error&) {
      FailDamaged("run " + std::to_string(row.Number(0)));
    }
  }
  return runs;
}

std::vector<StoredRun> StoreReader::Runs() const {
  std::vector<StoredRun> runs;
  for (auto& [run, is_whole] : ReadRuns()) {
    if (!is_whole) FailDamaged("run " + std::to_string(run.number));
    runs.push_back(std::move(run));
  }
  return runs;
}

void StoreReader::RequireWholeAfter(std::int64_t run) const {
  for (const auto& [one, is_whole] : ReadRuns()) {
    if (one.number <= run) continue;
    std::vector<std::string> damaged;
    if (is_whole) {
      Wanted(one.number, damaged);
      Composed(one.number, damaged);
      Findings(one.number, damaged);
    }
    if (!is_whole || !damaged.empty()) FailDamaged("run " + std::to_string(one.number));
  }
}

StoredRun StoreReader::Choose(std::int64_t number) const {
  std::int64_t wanted = number;
  if (number == 0) {
    wanted = db_->Number(
        "SELECT max(run) FROM (SELECT run FROM wanted WHERE inner = 0 UNION ALL "
        "SELECT run FROM composed)");
    RequireWholeAfter(wanted);
  }
  std::vector<StoredRun> runs;
  for (auto& [run, is_whole] : ReadRuns()) {
    if (run.number == wanted && !is_whole) FailDamaged("run " + std::to_string(wanted));
    runs.push_back(std::move(run));
  }
  const auto run = std::ranges::find(runs, wanted, &StoredRun::number);
  if (run != runs.end()) return *run;
  if (number == 0 && wanted != 0) FailDamaged("run " + std::to_string(wanted));
  const std::string attempt = "cannot read store '" + db_->path().string() + "': ";
  if (number == 0) throw Error(ErrorKind::kInvalidArgument, attempt + "no run has outer cells");
  std::string known;
  for (const StoredRun& one : runs)
    known += (known.empty() ? "" : ", ") + std::to_string(one.number);
  throw Error(ErrorKind::kInvalidArgument, attempt + "there is no run " + std::to_string(number) +
                                               "; known: " + (known.empty() ? "none" : known));
}

std::int64_t StoreReader::LastWithResults() const {
  // An older Crossfold that removed runs left their findings.
  const std::string of_runs = HasAllChecksums(*db_) ? "" : " AND run IN (SELECT id FROM runs)";
  const std::string found =
      std::string(" UNION ALL SELECT run FROM findings WHERE kind NOT IN ('") + kLockboxFinding +
      "', '" + kShardFinding + "')" + of_runs;
  const std::int64_t last =
      db_->Number(std::string("SELECT max(run) FROM (SELECT run FROM wanted WHERE inner = 0 "
                              "UNION ALL SELECT run FROM composed") +
                  (HasFindings(*db_) ? found + ")" : ")"));
  RequireWholeAfter(last);
  return last;
}

std::vector<WantedRange> StoreReader::Wanted(std::int64_t run,
                                             std::vector<std::string>& damaged) const {
  std::vector<WantedRange> wanted;
  Statement row(
      *db_,
      SelectFrom(kWantedTable) + "WHERE run = ?1 ORDER BY series, inner, learner, dataset, first",
      run);
  while (row.Step()) {
    WantedRange range{row.Number(1), row.Number(2) != 0, row.Text(3),
                      row.Text(4),   row.Number(5),      row.Number(6)};
    if (row.Number(kWantedTable.n_columns) != 0) {
      wanted.push_back(std::move(range));
    } else {
      damaged.push_back("what run " + std::to_string(run) + " asked for ('" + range.learner +
                        "' on '" + range.dataset + "')");
    }
  }
  return wanted;
}

bool StoreReader::IsComplete(std::int64_t run) const {
  Statement total(*db_, "SELECT total IS NULL OR total = " + RunTotal(HasFindings(*db_)) +
                            " FROM runs WHERE id = ?1");
  return total.Bind(1, run).Step() && total.Number(0) != 0;
}

bool StoreReader::IsCompleteSeries(std::int64_t id) {
  const ResetAtEnd reset(*is_complete_);
  return is_complete_->Bind(1, id).Step() && is_complete_->Number(0) != 0;
}

std::vector<ComposedRecord> StoreReader::Composed(std::int64_t run,
                                                  std::vector<std::string>& damaged) const {
  std::vector<ComposedRecord> composed;
  Statement row(
      *db_,
      SelectFrom(kComposedTable) + "WHERE run = ?1 ORDER BY learner, dataset_name, repeat, fold",
      run);
  while (row.Step()) {
    ComposedRecord one = ReadComposed(row);
    if (row.Number(kComposedTable.n_columns) != 0) {
      composed.push_back(std::move(one));
    } else {
      damaged.push_back(PlaceOf(one));
    }
  }
  return composed;
}

std::vector<ComposedRecord> StoreReader::Composed(std::int64_t run, const std::string& learner,
                                                  const std::string& dataset_name,
                                                  std::vector<std::string>& damaged) const {
  const auto [names, is_new] = damaged_composed_.try_emplace(run);
  if (is_new) Composed(run, names->second);
  damaged.insert(damaged.end(), names->second.begin(), names->second.end());
  std::vector<ComposedRecord> composed;
  Statement row(*db_,
                SelectFrom(kComposedTable) +
                    "WHERE run = ?1 AND learner = ?2 AND dataset_name = ?3 ORDER BY repeat, fold",
                run, learner, dataset_name);
  while (row.Step()) {
    if (row.Number(kComposedTable.n_columns) != 0) composed.push_back(ReadComposed(row));
  }
  return composed;
}

std::vector<FindingRow> StoreReader::Findings(std::int64_t run,
                                              std::vector<std::string>& damaged) const {
  std::vector<FindingRow> findings;
  if (!IsComplete(run)) damaged.push_back(NameOfMissingRows(run));
  if (!HasFindings(*db_)) return findings;
  Statement row(*db_,
                std::string("SELECT ") + kFindingColumns +
                    " FROM findings WHERE run = ?1 ORDER BY experiment, kind, name",
                run);
  try {
    while (row.Step()) {
      ReadFinding read = ReadFindingRow(row);
      if (read.is_whole) {
        if (read.row.kind != kShardFinding) findings.push_back(std::move(read.row));
      } else {
        damaged.push_back(NameOf(read.row));
      }
    }
  } catch (const SqliteError& e) {
    if (!e.is_damage()) throw;
    damaged.emplace_back("what experiments noted, from here on");
  }
  return findings;
}

const DatasetRecord& StoreReader::DatasetOf(std::int64_t id) {
  return Find(*this, datasets_, kDatasetTable, "dataset", id, [](const Statement& row) {
    return DatasetRecord{row.Text(1), row.Number(2), row.Number(4)};
  });
}

const SplitsRecord& StoreReader::Splits(std::int64_t id) {
  return Find(*this, splits_, kSplitsTable, "split", id, [](const Statement& row) {
    SplitsRecord splits{row.Text(1), row.Number(2), row.Number(3)};
    const std::int64_t most = kMaxFoldsPerByte * std::ssize(row.Bytes(4));
    if (splits.n_folds < 0 || splits.n_folds > most) FieldReader::Fail();
    return splits;
  });
}

const LearnerRecord& StoreReader::Learner(std::int64_t id) {
  return Find(*this, learners_, kLearnerTable, "learner", id, [](const Statement& row) {
    return LearnerRecord{row.Text(1), row.Text(2), ReadAll(row.Bytes(3), &ReadSpecs)};
  });
}

const MetricRecord& StoreReader::Metric(std::int64_t id) {
  return Find(*this, metrics_, kMetricTable, "metric", id, [](const Statement& row) {
    return MetricRecord{row.Text(1), row.Text(2), ReadAll(row.Bytes(3), &ReadSpec)};
  });
}

const SeriesRecord& StoreReader::Series(std::int64_t id) {
  return Find(*this, series_, kSeriesTable, "series", id, [](const Statement& row) {
    SeriesRecord series{row.Text(1), row.Number(2), row.Number(3), {}};
    series.traits = {row.Number(4), static_cast<std::uint64_t>(row.Number(5)), row.Number(6) != 0,
                     row.Number(7) != 0};
    return series;
  });
}

std::map<std::string, std::vector<std::int64_t>> StoreReader::NotedDatasets(
    std::int64_t run) const {
  std::map<std::string, std::vector<std::int64_t>> noted;
  if (!HasFindings(*db_)) return noted;
  Statement row(*db_,
                "SELECT f.name, d.id FROM findings f JOIN datasets d ON d.hash = f.dataset "
                "WHERE f.run = ?1 AND f.kind = 'dataset' ORDER BY f.experiment DESC",
                run);
  while (row.Step()) noted[row.Text(0)].push_back(row.Number(1));
  return noted;
}

std::int64_t StoreReader::DatasetWithHash(const std::string& hash) const {
  return KeyedRows(*db_, kDatasetTable, "hash").Find(hash, /*is_text=*/true).id;
}

std::shared_ptr<const Dataset> StoreReader::LoadDataset(std::int64_t id) {
  const auto known = contents_.find(id);
  if (known != contents_.end()) return known->second;
  const std::int64_t image_bytes = DatasetOf(id).image_bytes;
  if (image_bytes == 0) return contents_[id] = nullptr;
  auto image = std::make_shared<std::string>();
  Statement row(*db_, SelectFrom(kDatasetPartTable) + "WHERE dataset = ?1 ORDER BY part", id);
  bool is_whole = true;
  try {
    if (image_bytes < 0 || image_bytes > MostImageBytes(id)) FieldReader::Fail();
    while (row.Step()) {
      is_whole = is_whole && row.Number(kDatasetPartTable.n_columns) != 0;
      const std::size_t left = static_cast<std::size_t>(image_bytes) - image->size();
      *image += UnpackBytes(row.Bytes(2), std::min(kDatasetPartBytes, left));
    }
    if (is_whole && std::ssize(*image) == image_bytes) {
      return contents_[id] = ReadDatasetImage(*image, image);
    }
  } catch (const plugin::Error&) {
  } catch (const SqliteError&) {
    throw;
  } catch (const Error&) {  // no image
  }
  FailDamaged("dataset " + std::to_string(id));
}

std::int64_t StoreReader::MostImageBytes(std::int64_t dataset) const {
  return kMaxZlibRatio *
         db_->Number("SELECT sum(length(bytes)) FROM dataset_parts WHERE dataset = " +
                     std::to_string(dataset));
}

std::string StoreReader::SplitsDefinition(std::int64_t id) {
  const std::int64_t dataset = Splits(id).dataset;
  // A row has a byte or more.
  const std::int64_t n_rows =
      std::clamp<std::int64_t>(DatasetOf(dataset).n_rows, 0, MostImageBytes(dataset));
  Statement row(*db_, SelectFrom(kSplitsTable) + "WHERE id = ?1", id);
  try {
    if (row.Step() && row.Number(kSplitsTable.n_columns) != 0) {
      const std::string_view packed = row.Bytes(4);
      return UnpackBytes(packed, MostUnpacked(packed.size(), static_cast<std::size_t>(n_rows)));
    }
  } catch (const plugin::Error&) {
  }
  FailDamaged("split " + std::to_string(id));
}

std::shared_ptr<const SplitPlan> StoreReader::SplitsOf(const FindingRow& finding) {
  const std::int64_t id = finding.splits ? DatasetWithHash(finding.dataset) : 0;
  const std::shared_ptr<const Dataset> data = id == 0 ? nullptr : LoadDataset(id);
  if (!data) return nullptr;
  try {
    const std::size_t most =
        MostUnpacked(finding.splits->size(), static_cast<std::size_t>(data->num_rows()));
    const std::string fields = UnpackBytes(*finding.splits, most);
    return ReadAll(fields, [&](FieldReader& reader) { return ReadSplits(reader, data); });
  } catch (const plugin::Error&) {
  } catch (const Error&) {  // rows that the dataset does not have
  }
  FailDamaged(NameOf(finding));
}

std::shared_ptr<const SplitPlan> StoreReader::LoadSplits(std::int64_t id) {
  const auto known = std::ranges::find(plans_, id, [](const auto& entry) { return entry.first; });
  if (known != plans_.end()) {
    plans_.splice(plans_.begin(), plans_, known);
    return plans_.front().second;
  }
  const std::shared_ptr<const Dataset> data = LoadDataset(Splits(id).dataset);
  if (!data) return nullptr;
  const std::string definition = SplitsDefinition(id);
  try {
    plans_.emplace_front(
        id, ReadAll(definition, [&](FieldReader& fields) { return ReadSplits(fields, data); }));
  } catch (const plugin::Error&) {
    FailDamaged("split " + std::to_string(id));
  } catch (const Error&) {  // rows that the dataset does not have
    FailDamaged("split " + std::to_string(id));
  }
  if (plans_.size() > kMaxPlans) plans_.pop_back();
  return plans_.front().second;
}

std::optional<StoredCell> StoreReader::FindCell(std::int64_t series, std::int64_t fold) {
  const ResetAtEnd reset(*find_cell_);
  find_cell_->Bind(1, series).Bind(2, fold);
  if (!find_cell_->Step()) return std::nullopt;
  ReadRow read = ReadCellRow(*find_cell_, 0, series, fold);
  if (!read.is_whole) {
    FailDamaged("cell " + std::to_string(fold) + " of series " + std::to_string(series));
  }
  StoredCell cell{std::move(read.row), {}, 0};
  ReadScores(series, fold, cell);
  return cell;
}

void StoreReader::ReadScores(std::int64_t series, std::int64_t fold, StoredCell& cell) {
  const ResetAtEnd reset(*find_scores_);
  find_scores_->Bind(1, series).Bind(2, fold);
  try {
    while (find_scores_->Step()) {
      const auto [score, is_whole, checksum] = ReadScoreRow(*find_scores_);
      if (is_whole) {
        cell.scores.emplace_back(score.metric, score.score);
      } else {
        ++cell.damaged_scores;
      }
    }
  } catch (const SqliteError& e) {
    if (!e.is_damage()) throw;
    ++cell.damaged_scores;  // at least
  }
}

StorePlace::StorePlace(const std::filesystem::path& file) : path_(file) {
  if (!IsZipFile(file)) return;
  folder_.emplace(ScratchFolder::Temporary());
  path_ = folder_->File("store.cfdb");
  ExtractZipEntry(file, "store.cfdb", path_);
}

}  // namespace crossfold
