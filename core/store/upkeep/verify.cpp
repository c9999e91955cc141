#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "archive/zip_file.h"
#include "crossfold/error.h"
#include "crossfold/store_verify.h"
#include "crossfold_plugin/error.hpp"
#include "encoding/fields.h"
#include "encoding/spec_fields.h"
#include "engine/plugin/foreign_text.h"
#include "engine/text/format_number.h"
#include "store/cells/outcome_difference.h"
#include "store/cells/store_file.h"
#include "store/cells/stored_prediction.h"
#include "store/cells/stored_table.h"
#include "store/ledger/store_check.h"
#include "store/ledger/store_reader.h"
#include "store/upkeep/archive_check.h"
#include "store/upkeep/rebuilt_cells.h"
#include "store/upkeep/verify_composed.h"

namespace crossfold {
namespace {

struct SampledCell {
  std::uint64_t draw = 0;
  std::string key;  // of the series
  std::int64_t series = 0, fold = 0;
};

// The first 8 bytes, little-endian, of SHA-256 over the text "crossfold-sample-1", the seed, the
// key of the series and the fold.
std::uint64_t DrawOf(std::uint64_t seed, std::string_view key, std::int64_t fold) {
  Sha256 hash;
  hash.AddText("crossfold-sample-1");
  hash.AddInteger(seed);
  hash.AddText(key);
  hash.AddInteger(static_cast<std::uint64_t>(fold));
  const Digest digest = hash.Finish();
  std::uint64_t draw = 0;
  for (int i = 7; i >= 0; --i) draw = draw << 8 | digest[static_cast<std::size_t>(i)];
  return draw;
}

std::size_t SampleSize(const VerifySample& sample, std::size_t n) {
  if (sample.cells != 0) return std::min(n, static_cast<std::size_t>(sample.cells));
  return std::min(n, static_cast<std::size_t>(std::ceil(sample.share * static_cast<double>(n))));
}

bool IsDefined(StoreReader& reader, std::int64_t series) {
  return IsReadable([&] { reader.Learner(reader.Series(series).learner); });
}

// By key and fold. `n_stored` gets the number of all cells.
std::vector<SampledCell> DrawCells(StoreReader& reader, const VerifySample& sample,
                                   std::int64_t& n_stored) {
  std::vector<SampledCell> cells;
  Statement row(reader.db(), "SELECT series, fold FROM cells ORDER BY series, fold");
  while (row.Step()) {
    ++n_stored;
    SampledCell cell;
    cell.series = row.Number(0);
    cell.fold = row.Number(1);
    if (!IsDefined(reader, cell.series)) continue;  // reported as a damaged row
    cell.key = reader.Series(cell.series).key;
    cell.draw = DrawOf(sample.seed, cell.key, cell.fold);
    cells.push_back(std::move(cell));
  }
  const auto by_draw = [](const SampledCell& a, const SampledCell& b) {
    return std::tie(a.draw, a.key, a.fold) < std::tie(b.draw, b.key, b.fold);
  };
  std::sort(cells.begin(), cells.end(), by_draw);
  cells.resize(SampleSize(sample, cells.size()));
  const auto by_key = [](const SampledCell& a, const SampledCell& b) {
    return std::tie(a.key, a.fold) < std::tie(b.key, b.fold);
  };
  std::sort(cells.begin(), cells.end(), by_key);
  return cells;
}

// Names that the last run which asks for the series gave it.
struct SeriesNames {
  std::string learner, dataset;
  bool inner = false;
};

std::map<std::int64_t, SeriesNames> ReadNames(StoreReader& reader) {
  std::map<std::int64_t, SeriesNames> names;
  Statement row(reader.db(), "SELECT series, learner, dataset, inner FROM wanted WHERE " +
                                 IsWhole(kWantedTable) +
                                 " ORDER BY run, series, inner DESC, learner DESC, dataset DESC");
  while (row.Step()) names[row.Number(0)] = {row.Text(1), row.Text(2), row.Number(3) != 0};
  return names;
}

class Verifier {
 public:
  Verifier(StoreReader& reader, const PluginHost& plugins, const RunOptions& options,
           const RunEngine& engine, Isolation isolation)
      : reader_(reader),
        plugins_(plugins),
        cells_(reader, plugins, isolation),
        options_(options),
        engine_(engine) {}

  VerifyReport Run(const VerifySample& sample) {
    VerifyReport report;
    report.damaged = FindDamage(reader_.db(), CheckDepth::kFile);
    const std::vector<SampledCell> drawn = DrawCells(reader_, sample, report.n_stored);
    const auto names = ReadNames(reader_);
    for (const SampledCell& cell : drawn) report.cells.push_back(Describe(cell, names));
    for (const std::size_t place : BySplits(drawn)) {
      if (options_.cancel != nullptr && options_.cancel->cancelled()) break;
      Enqueue(drawn[place], place, report);
      if (batch_.size() >= kMaxCells || plan_bytes_ > kMaxPlanBytes) RunBatch(report);
    }
    RunBatch(report);
    report.composed = VerifyComposed(reader_, plugins_);
    AddSkipped(report);
    return report;
  }

 private:
  // The maximum that runs together: enough for all workers, and little enough for memory.
  static constexpr std::size_t kMaxCells = 1000;
  static constexpr std::int64_t kMaxPlanBytes = std::int64_t{256} << 20;

  struct Waiting {
    std::size_t place;  // in the report
    StoredCell stored;
    std::vector<std::int64_t> metrics;  // ids, as scored
    bool share;
    std::string versions;  // of its components, where they are others now
  };

  void AddSkipped(VerifyReport& report) {
    const std::int64_t n = report.n_stored - std::ssize(report.cells);
    if (n > 0) {
      report.skipped.push_back(std::to_string(n) + (n == 1 ? " cell" : " cells") +
                               " outside the sample, except their checksums");
    }
    std::map<std::string, std::int64_t> made_elsewhere;  // folds by source; "" = the script
    for (const VerifiedCell& fold : report.composed) ++made_elsewhere[fold.imported];
    for (const auto& [source, count] : made_elsewhere) {
      const std::string folds = std::to_string(count) + (count == 1 ? " fold" : " folds");
      report.skipped.push_back(
          source.empty() ? "how the script combined the predictions of " + folds +
                               "; their scores and checksums were checked"
                         : "the predictions of " + folds + ", " + source +
                               ": another tool made them, so they cannot be computed again; their "
                               "scores and checksums were checked");
    }
    if (!HasAllChecksums(reader_.db())) {
      report.skipped.emplace_back(
          "rows of tables other than cells, scores and findings: the store has format 1, without "
          "checksums of these; opening it for writing adds them");
    }
    const std::int64_t n_open =
        reader_.db().Number("SELECT count(*) FROM runs WHERE total IS NULL");
    if (n_open > 0 && HasAllChecksums(reader_.db())) {
      report.skipped.push_back("missing rows of " + std::to_string(n_open) +
                               (n_open == 1 ? " run that is running or was killed"
                                            : " runs that are running or were killed"));
    }
  }

  VerifiedCell Describe(const SampledCell& cell, const std::map<std::int64_t, SeriesNames>& names) {
    VerifiedCell described;
    const auto named = names.find(cell.series);
    if (named != names.end()) {
      described.learner = named->second.learner;
      described.dataset = named->second.dataset;
      described.inner = named->second.inner;
    }
    const SeriesRecord& series = reader_.Series(cell.series);
    described.candidate = reader_.Learner(series.learner).text;
    described.repeat = series.traits.repeat;
    described.fold = cell.fold;
    return described;
  }

  // The order in which cells run: those with the same splits together, as they share memory and
  // work.
  std::vector<std::size_t> BySplits(const std::vector<SampledCell>& cells) {
    const auto rank = [&](std::size_t i) {
      const SeriesRecord& series = reader_.Series(cells[i].series);
      return std::tuple(series.splits, series.traits.repeat, cells[i].series, cells[i].fold);
    };
    std::vector<std::size_t> order(cells.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
    return order;
  }

  void Enqueue(const SampledCell& cell, std::size_t place, VerifyReport& report) {
    std::string why;
    try {
      std::optional<StoredCell> stored = reader_.FindCell(cell.series, cell.fold);
      // A scan found the cell, but a damaged page hides it from a search.
      if (!stored) FieldReader::Fail();
      Waiting waiting{place, *std::move(stored), {}, true, ""};
      if (waiting.stored.row.status == StoredStatus::kStopped) {
        why = "it failed by a limit or a signal: " + ToOutcome(waiting.stored.row).failure.message;
      } else if (waiting.stored.damaged_scores > 0) {
        why = "a score of it is damaged";
      } else {
        for (const auto& [metric, score] : waiting.stored.scores) waiting.metrics.push_back(metric);
        waiting.share = !reader_.Series(cell.series).traits.separate;
        CellBlock block = cells_.Make(cell.series, cell.fold, waiting.metrics);
        waiting.versions = OtherVersions(cell, block);
        const bool is_new = blocks_.empty() || blocks_.back().splits != block.splits;
        if (is_new) plan_bytes_ += RebuiltCells::BytesOf(*block.splits);
        blocks_.push_back(std::move(block));
        batch_.push_back(std::move(waiting));
        return;
      }
    } catch (const Error& e) {  // a plugin that is gone, content that is not kept, a damaged row
      why = e.what();
    } catch (const plugin::Error& e) {
      why = "its row is damaged";
    }
    report.cells[place].result = VerifyResult::kUnchecked;
    report.cells[place].finding = std::move(why);
  }

  // Why results may differ although the files of the plugins are the same.
  std::string OtherVersions(const SampledCell& cell, const CellBlock& block) {
    const std::vector<SpecRecord>& stored =
        reader_.Learner(reader_.Series(cell.series).learner).steps;
    std::string text;
    for (std::size_t i = 0; i < stored.size(); ++i) {
      const std::string other =
          VersionDifference(stored[i], block.learner->steps()[i]->component());
      if (!other.empty()) text += "; " + other;
    }
    return text;
  }

  void RunBatch(VerifyReport& report) {
    for (const bool share : {true, false}) RunPart(share, report);
    blocks_.clear();
    batch_.clear();
    plan_bytes_ = 0;
  }

  void RunPart(bool share, VerifyReport& report) {
    std::vector<CellBlock> blocks;
    std::vector<std::size_t> places;  // in the batch
    for (std::size_t i = 0; i < batch_.size(); ++i) {
      if (batch_[i].share != share) continue;
      blocks.push_back(blocks_[i]);
      places.push_back(i);
    }
    if (blocks.empty()) return;
    RunOptions options = options_;
    options.share = share;
    TestRows tests;
    engine_(blocks, options, [&](std::size_t i, Outcome&& outcome) {
      const Waiting& waiting = batch_[places[i]];
      Compare(waiting, blocks[i], tests, outcome, report.cells[waiting.place]);
    });
  }

  // Called on workers: changes only its own cell.
  static void Compare(const Waiting& waiting, const CellBlock& block, TestRows& tests,
                      const Outcome& outcome, VerifiedCell& cell) {
    try {
      if (outcome.status == OutcomeStatus::kCancelled) {
        cell.result = VerifyResult::kUnchecked;
        cell.finding = "the run was cancelled";
        return;
      }
      const auto [result, finding] = CompareOutcomes(waiting, block, tests, outcome);
      cell.result = result;
      cell.finding = finding;
      if (result == VerifyResult::kDifferent) cell.finding += waiting.versions;
    } catch (const std::exception& e) {  // damaged bytes, no memory
      cell.result = VerifyResult::kUnchecked;
      cell.finding = e.what();
    }
  }

  static std::pair<VerifyResult, std::string> CompareOutcomes(const Waiting& waiting,
                                                              const CellBlock& block,
                                                              TestRows& tests,
                                                              const Outcome& outcome) {
    Outcome stored = ToOutcome(waiting.stored.row);
    for (const auto& [metric, score] : waiting.stored.scores) stored.scores.push_back(score);
    const bool has_prediction = waiting.stored.row.prediction.has_value();
    if (has_prediction) {
      const TestRows::Rows rows = tests.Of(*block.splits, block.first);
      stored.prediction =
          UnpackPredictionOf(*block.splits->view().data, *waiting.stored.row.prediction, rows.ids);
    }
    std::vector<std::string> names;
    for (const auto& metric : *block.metrics) names.push_back(metric->ToString());
    std::string finding =
        FindDifference(stored, outcome, has_prediction, names,
                       block.splits->view().data->class_names(), {"the store", "this run"});
    if (!finding.empty()) return {VerifyResult::kDifferent, std::move(finding)};
    if (stored.status == OutcomeStatus::kOk && !has_prediction && names.empty()) {
      return {VerifyResult::kUnchecked, "neither its prediction nor a score is kept"};
    }
    return {VerifyResult::kEqual, ""};
  }

  StoreReader& reader_;
  const PluginHost& plugins_;
  RebuiltCells cells_;
  const RunOptions& options_;
  const RunEngine& engine_;
  std::vector<CellBlock> blocks_;
  std::vector<Waiting> batch_;
  std::int64_t plan_bytes_ = 0;
};

std::string Place(const VerifiedCell& cell) {
  std::string place = cell.learner.empty() ? cell.candidate : cell.learner;
  if (cell.inner) place += " (" + cell.candidate + ", inner)";
  if (!cell.dataset.empty()) place += " on " + cell.dataset;
  return place + ", repeat " + std::to_string(cell.repeat + 1) + ", fold " +
         std::to_string(cell.fold + 1);
}

std::string NameOf(VerifyResult result) {
  switch (result) {
    case VerifyResult::kEqual:
      return "equal";
    case VerifyResult::kDifferent:
      return "different";
    case VerifyResult::kUnchecked:
      return "not checkable";
  }
  return "";
}

std::int64_t CountIn(const std::vector<VerifiedCell>& cells, VerifyResult result) {
  return std::ranges::count(cells, result, &VerifiedCell::result);
}

// "4 equal, 1 different, 0 not checkable".
template <class Count>
std::string CountsText(const Count& count) {
  const auto part = [&](VerifyResult result) {
    return std::to_string(count(result)) + " " + NameOf(result);
  };
  return part(VerifyResult::kEqual) + ", " + part(VerifyResult::kDifferent) + ", " +
         part(VerifyResult::kUnchecked) + "\n";
}

// Cells with the same finding are one line: a missing plugin concerns many.
void AddFindings(const std::vector<VerifiedCell>& cells, VerifyResult result, std::string& text) {
  std::map<std::string, std::pair<std::int64_t, const VerifiedCell*>> findings;
  for (const VerifiedCell& cell : cells) {
    if (cell.result != result) continue;
    auto& [count, first] = findings[cell.finding];
    if (count++ == 0) first = &cell;
  }
  for (const auto& [finding, where] : findings) {
    const auto& [count, first] = where;
    text += NameOf(result) + ": " + Place(*first);
    if (count > 1) text += " and " + std::to_string(count - 1) + " more";
    text += ": " + finding + "\n";
  }
}

}  // namespace

VerifySample ParseVerifySample(const std::string& text) {
  VerifySample sample;
  const std::string_view all = text;
  if (all.ends_with('%')) {
    const auto percent = ParseDouble(all.substr(0, all.size() - 1));
    if (percent && *percent > 0 && *percent <= 100) {
      sample.share = *percent / 100;
      return sample;
    }
  } else if (const auto cells = ParseInteger(all); cells && *cells > 0) {
    sample.cells = *cells;
    return sample;
  }
  throw Error(ErrorKind::kInvalidArgument, "cannot draw a sample of '" + text +
                                               "': it is neither a share above 0% and up to 100% "
                                               "nor a number of cells; write it as in 5% or 20");
}

std::int64_t VerifyReport::Count(VerifyResult result) const {
  return CountIn(cells, result) + CountIn(composed, result);
}

std::int64_t VerifyReport::CountFiles(VerifyResult result) const {
  return std::ranges::count(files, result, &VerifiedFile::result);
}

VerifyReport VerifyStore(const std::filesystem::path& store, const VerifySample& sample,
                         const PluginHost& plugins, const RunOptions& options,
                         const RunEngine& engine, Isolation isolation) {
  std::optional<ZipReader> archive;
  if (IsZipFile(store)) RequireListedFiles(archive.emplace(store));
  const StorePlace place(store);
  StoreReader reader(place.path());
  VerifyReport report = Verifier(reader, plugins, options, engine, isolation).Run(sample);
  if (archive) report.files = CompareFiles(*archive, place.path());
  return report;
}

std::string ToText(const VerifyReport& report) {
  const auto counts = [](const std::vector<VerifiedCell>& cells) {
    return CountsText([&cells](VerifyResult result) { return CountIn(cells, result); });
  };
  std::string text = "checked " + std::to_string(report.cells.size()) + " of " +
                     std::to_string(report.n_stored) + " cells: " + counts(report.cells);
  for (const bool is_imported : {false, true}) {
    std::vector<VerifiedCell> folds;
    std::ranges::copy_if(report.composed, std::back_inserter(folds), [&](const VerifiedCell& fold) {
      return fold.imported.empty() != is_imported;
    });
    if (folds.empty()) continue;
    const std::string noun = folds.size() == 1 ? "fold" : "folds";
    text += "scores of " + std::to_string(folds.size()) +
            (is_imported ? " imported " + noun : " " + noun + " that the script combined") +
            ", from their predictions: " + counts(folds);
  }
  for (const VerifyResult result : {VerifyResult::kDifferent, VerifyResult::kUnchecked}) {
    AddFindings(report.cells, result, text);
    AddFindings(report.composed, result, text);
  }
  text += FilesText(report);
  for (const std::string& what : report.damaged) text += "damaged: " + what + "\n";
  for (const std::string& what : report.skipped) text += "not checked: " + what + "\n";
  return text;
}

std::string FilesText(const VerifyReport& report) {
  if (report.files.empty()) return "";
  std::string text = "checked " + std::to_string(report.files.size()) + " files of the archive: " +
                     CountsText([&](VerifyResult result) { return report.CountFiles(result); });
  for (const VerifiedFile& file : report.files) {
    if (file.result == VerifyResult::kEqual) continue;
    text += NameOf(file.result) + ": " + CleanText(file.name.c_str()) + ": " + file.finding + "\n";
  }
  return text;
}

Table CellTable(const VerifyReport& report) {
  Table table;
  table.columns = {"learner", "dataset", "inner",  "candidate",
                   "repeat",  "fold",    "result", "finding"};
  for (const std::vector<VerifiedCell>* cells : {&report.cells, &report.composed}) {
    for (const VerifiedCell& cell : *cells) {
      table.rows.push_back({cell.learner, cell.dataset, cell.inner,
                            cell.imported.empty() ? cell.candidate : cell.imported, cell.repeat + 1,
                            cell.fold + 1, NameOf(cell.result), cell.finding});
    }
  }
  const auto add = [&table](const char* result, const std::string& finding) {
    std::vector<TableCell>& row = table.rows.emplace_back(table.columns.size(), Null{});
    row[row.size() - 2] = std::string(result);
    row.back() = finding;
  };
  for (const std::string& what : report.damaged) add("damaged", what);
  for (const std::string& what : report.skipped) add("not looked at", what);
  return table;
}

}  // namespace crossfold
