// Flips single bits of a store, spread over all of its tables and indices: whoever reads it gets
// the right numbers, or is reported.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "crossfold/composed_fold.h"
#include "crossfold/pipeline.h"
#include "crossfold/rescore.h"
#include "crossfold/store_diff.h"
#include "crossfold/store_export.h"
#include "crossfold/store_findings.h"
#include "crossfold/store_ledger.h"
#include "crossfold/store_repair.h"
#include "crossfold/store_status.h"
#include "crossfold/store_verify.h"
#include "engine/text/format_number.h"
#include "store/cells/sqlite.h"
#include "unit/engine/run/sharing_fixture.h"
#include "unit/store/ledger_fixture.h"

namespace crossfold {
namespace {

using fixture::Asked;
using fixture::BundledLearner;
using fixture::BundledMetrics;
using fixture::KFold;
using fixture::PlainRun;

constexpr std::size_t kPage = 4096;

// Where something is in a page, so that a flip means something.
using Span = std::pair<std::size_t, std::size_t>;  // first byte of the file, one after the last

std::size_t NumberAt(const std::string& file, std::size_t at, int n) {
  std::size_t number = 0;
  for (int i = 0; i < n; ++i) {
    number = number << 8 | static_cast<unsigned char>(file[at + static_cast<std::size_t>(i)]);
  }
  return number;
}

// The used bytes of the tree whose root is page `page` (sqlite.org/fileformat2.html, 1.6).
void AddTree(const std::string& file, std::size_t page, std::vector<Span>& used,
             std::set<std::size_t>& pages) {
  pages.insert(page);
  const std::size_t start = (page - 1) * kPage;
  const std::size_t head = start + (page == 1 ? 100 : 0);
  const std::size_t type = NumberAt(file, head, 1);
  const std::size_t n = NumberAt(file, head + 3, 2);
  const bool is_leaf = type == 10 || type == 13;
  const std::size_t pointers = head + (is_leaf ? 8 : 12);
  used.emplace_back(start, pointers + 2 * n);
  used.emplace_back(start + NumberAt(file, head + 5, 2), start + kPage);
  if (is_leaf) return;
  AddTree(file, NumberAt(file, head + 8, 4), used, pages);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t cell = start + NumberAt(file, pointers + 2 * i, 2);
    AddTree(file, NumberAt(file, cell, 4), used, pages);
  }
}

// What reports a change to a reader, by its name. "" = nothing was reported.
struct Answer {
  std::string text;
  bool is_told = false;  // an error, or the name of what is damaged
};

class StoreFlipTest : public fixture::LedgerTest {
 protected:
  std::vector<CellBlock> Blocks() const {
    const MetricList metrics = BundledMetrics({"accuracy", "log_loss"});
    return {Asked("knn", BundledLearner("knn"), splits_, Keep::kProbabilities, metrics),
            Asked("floor", BundledLearner("featureless"), splits_, Keep::kProbabilities, metrics)};
  }

  // An earlier run with other learners, and one with cells, an ensemble and what it noted.
  void MakeStore() {
    const auto store = CellStore::Open(path());
    store->BeginRun({"script.lua", "return 0\n", {}, 42});
    RunOn(*store, {Asked("bayes", BundledLearner("naive_bayes"), splits_)});
    store->FinishRun();
    store->BeginRun({"script.lua", "return 1\n", {"a"}, 42});
    const std::vector<Outcome> outcomes = RunOn(*store, Blocks());
    std::vector<Finding> findings = {
        {0, "evaluate", "", R"({"learners":[{"name":"vote"}],"metrics":[{"text":"accuracy"}]})",
         nullptr},
        {0, "dataset", "iris", "{}", splits_}};
    for (std::int64_t split = 0; split < splits_->size(); ++split) {
      Prediction prediction = outcomes[static_cast<std::size_t>(split)].prediction;
      RecordComposed(*store, {.learner = "vote",
                              .dataset_name = "iris",
                              .data = fixture::Iris(),
                              .repeat = splits_->repeat_of(split),
                              .fold = splits_->fold_of(split),
                              .n_train = 100,
                              .prediction = std::make_shared<const Prediction>(prediction),
                              .failure = ""});
      findings.push_back({0, "fold", "1 " + std::to_string(split + 1),
                          R"({"composed":"vote","values":[0.9]})", nullptr});
    }
    RecordFindings(*store, 0, findings);
    store->FinishRun();
  }

  static std::vector<Outcome> RunOn(CellStore& store, const std::vector<CellBlock>& blocks) {
    std::vector<Outcome> outcomes;
    for (const CellBlock& block : blocks) {
      outcomes.resize(outcomes.size() + static_cast<std::size_t>(block.count));
    }
    RunOptions options;
    options.workers = 1;
    RunStored(store, blocks, options, PlainRun(),
              [&](std::size_t i, Outcome&& outcome) { outcomes[i] = std::move(outcome); });
    return outcomes;
  }

  Answer Rescored() const {
    RescoreRequest request;
    request.metrics = BundledMetrics({"log_loss", "accuracy"});
    const auto rescored = Rescore(path(), request);
    return {ToCsv(ScoreTable(rescored)), !rescored.damaged.empty()};
  }

  Answer Exported() const {
    const auto damaged = ExportRun(path(), path("run.zip"), {});
    return {fixture::BytesOfFile(path("run.zip")), !damaged.empty()};
  }

  Answer Compared() const {
    const StoreDiff diff = DiffRuns({path(), 0}, {path("whole.cfdb"), 0});
    return {ToText(diff, 10), !diff.damaged.empty() || !diff.cells.empty()};
  }

  Answer Verified() const {
    const VerifyReport report =
        VerifyStore(path(), ParseVerifySample("100%"), BundledPlugins(), {}, PlainRun());
    return {ToText(report), !report.damaged.empty() || report.Count(VerifyResult::kDifferent) != 0};
  }

  Answer Status() const {
    const StoreStatus status = ReadStoreStatus(path());
    std::string text = std::to_string(status.cells) + " " + std::to_string(status.predictions);
    for (const LearnerStatus& one : status.learners) {
      text += "\n" + one.learner + " " + one.dataset + " " + std::to_string(one.wanted) + " " +
              std::to_string(one.done) + " " + std::to_string(one.failed) + " " +
              std::to_string(one.missing);
    }
    for (const RunStatus& run : status.runs) text += "\n" + run.started + " " + run.script;
    return {text, !status.damaged.empty()};
  }

  static std::string TextOf(const StoredCells& cells, std::size_t s,
                            std::vector<std::string>& damaged) {
    const std::string state = "\n" + std::to_string(static_cast<int>(cells.state(s)));
    if (cells.state(s) < CellState::kFailed) return state;
    Outcome outcome;
    if (cells.state(s) == CellState::kFailed) outcome.failure = cells.failure(s);
    outcome.warnings = cells.warnings(s);
    outcome.n_train = cells.n_train(s);
    outcome.n_test = cells.n_test(s);
    if (cells.has_prediction(s)) {
      outcome.prediction = cells.UnpackPrediction(s, Keep::kProbabilities);
    }
    std::string text = state + fixture::BytesOf(outcome) + std::to_string(cells.fit_s(s));
    for (const char* metric : {"accuracy", "log_loss"}) {
      const Score* score = cells.FindScore(s, metric);
      if (score == nullptr) continue;
      text += metric + (score->defined ? std::to_string(score->value) : score->undefined);
    }
    if (cells.num_damaged_scores(s) > 0) damaged.emplace_back("a score");
    return text;
  }

  // As cf.stored reads it.
  Answer Stored() const {
    const Ledger ledger(path());
    const StoredRun run = ledger.Choose(ledger.LastWithResults());
    std::vector<std::string> damaged;
    std::string text = std::to_string(run.number) + run.started + run.script_text;
    for (const Finding& finding : ledger.Findings(run.number, damaged)) {
      text += "\n" + finding.kind + " " + finding.name + " " + finding.body;
    }
    const auto add = [&](const LedgerEntry& entry) {
      text += "\n" + fixture::BytesOf(entry.outcome) + std::to_string(entry.outcome.fit_s);
      for (const auto& [metric, score] : entry.scores) {
        text += metric + (score.defined ? std::to_string(score.value) : score.undefined);
      }
      if (entry.damaged_scores > 0) damaged.emplace_back("a score");
    };
    for (const CellBlock& block : Blocks()) {
      LedgerQuery query;
      query.run = run.number;
      query.learner = block.purpose->learner;
      query.dataset = "iris";
      query.splits = block.splits;
      query.seed = block.seed;
      query.probabilities = true;
      for (std::int64_t s = 0; s < block.count; ++s) {
        query.places.emplace_back(block.splits->repeat_of(s), block.splits->fold_of(s));
        query.learner_keys.push_back(StoredLearnerKey(*block.learner));
      }
      const StoredCells cells = ledger.Cells(query, damaged);
      for (std::size_t s = 0; s < cells.size(); ++s) text += TextOf(cells, s, damaged);
    }
    const auto more = ledger.VisitComposed(run.number, "vote", "iris", add);
    damaged.insert(damaged.end(), more.begin(), more.end());
    return {text, !damaged.empty()};
  }

  Answer Repaired() const {
    std::filesystem::remove(path("saved.cfdb"));
    const RepairReport report = RepairStore(path(), path("saved.cfdb"));
    const Ledger ledger(path("saved.cfdb"));
    std::string text;
    ledger.Visit(ledger.LastWithResults(), LedgerPart::kAll,
                 [&](const LedgerEntry& entry) { text += fixture::BytesOf(entry.outcome); });
    return {text, !report.damaged.empty()};
  }

  // On a copy, as it writes.
  Answer Resumed() const {
    std::filesystem::copy_file(path(), path("resumed.cfdb"),
                               std::filesystem::copy_options::overwrite_existing);
    std::string text;
    const auto store = CellStore::Open(path("resumed.cfdb"));
    for (const Outcome& outcome : RunOn(*store, Blocks())) text += fixture::BytesOf(outcome);
    return {text, false};
  }

  std::vector<std::pair<std::string, std::function<Answer()>>> Readers() const {
    return {{"rescore", [this] { return Rescored(); }}, {"export", [this] { return Exported(); }},
            {"diff", [this] { return Compared(); }},    {"verify", [this] { return Verified(); }},
            {"status", [this] { return Status(); }},    {"stored", [this] { return Stored(); }},
            {"repair", [this] { return Repaired(); }},  {"resume", [this] { return Resumed(); }}};
  }

  // The used bytes of every table and index, by name; what is in no tree are overflow pages.
  std::vector<std::pair<std::string, std::vector<Span>>> Places(const std::string& file) const {
    std::vector<std::pair<std::string, std::vector<Span>>> places;
    std::set<std::size_t> pages;
    AddTree(file, 1, places.emplace_back("schema", std::vector<Span>()).second, pages);
    Database db(path(), Database::Access::kRead);
    Statement row(db, "SELECT name, rootpage FROM sqlite_schema WHERE rootpage > 0");
    while (row.Step()) {
      AddTree(file, static_cast<std::size_t>(row.Number(1)),
              places.emplace_back(row.Text(0), std::vector<Span>()).second, pages);
    }
    std::vector<Span>& rest = places.emplace_back("overflow", std::vector<Span>()).second;
    for (std::size_t page = 1; page <= file.size() / kPage; ++page) {
      if (!pages.contains(page)) rest.emplace_back((page - 1) * kPage, page * kPage);
    }
    return places;
  }

  const std::shared_ptr<const SplitPlan> splits_ = KFold(3, 2);
};

// CROSSFOLD_FLIPS of them, from the one with number CROSSFOLD_FIRST_FLIP on.
std::uint32_t FromEnvironment(const char* name, std::uint32_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : static_cast<std::uint32_t>(ParseInteger(text).value());
}

TEST_F(StoreFlipTest, WhoReadsAStoreWithAFlippedBitGetsTheRightNumbersOrIsTold) {
  MakeStore();
  const std::string whole = fixture::BytesOfFile(path());
  std::filesystem::copy_file(path(), path("whole.cfdb"));
  std::map<std::string, std::string> right;
  for (const auto& [name, read] : Readers()) {
    const Answer answer = read();
    EXPECT_FALSE(answer.is_told) << name << " of the whole store";
    right[name] = answer.text;
  }
  const auto places = Places(whole);
  const std::uint32_t first = FromEnvironment("CROSSFOLD_FIRST_FLIP", 0);
  const std::uint32_t end = first + FromEnvironment("CROSSFOLD_FLIPS", 200);
  const bool is_slow = std::getenv("CROSSFOLD_FLIPS") != nullptr;  // tells where it is
  int n_told = 0, n_equal = 0;
  for (std::uint32_t flip = first; flip < end; ++flip) {
    std::mt19937 random(flip);
    const auto& [table, used] = places[flip % places.size()];
    const Span span = used[random() % used.size()];
    if (span.first >= span.second) continue;
    const std::size_t at = span.first + random() % (span.second - span.first);
    const int bit = static_cast<int>(random() % 8);
    std::string file = whole;
    file[at] = static_cast<char>(static_cast<unsigned char>(file[at]) ^ (1U << bit));
    folder_.Write("store.cfdb", file);
    for (const auto& [name, read] : Readers()) {
      if (is_slow) std::fprintf(stderr, "%u %s %s %zu\n", flip, name.c_str(), table.c_str(), at);
      Answer answer;
      try {
        answer = read();
      } catch (const Error& e) {
        answer.is_told = true;
      }
      ++(answer.is_told ? n_told : n_equal);
      EXPECT_TRUE(answer.is_told || answer.text == right[name])
          << name << " after flip " << flip << " of bit " << bit << " of byte " << at << " in "
          << table;
    }
    for (const char* end_of_name : {"-wal", "-shm", "-journal"}) {
      for (const char* name : {"store.cfdb", "resumed.cfdb", "saved.cfdb"}) {
        std::filesystem::remove(path(std::string(name) + end_of_name));
      }
    }
  }
  EXPECT_GT(n_told, 0);
  EXPECT_GT(n_equal, 0);
  RecordProperty("told", n_told);
  RecordProperty("equal", n_equal);
}

}  // namespace
}  // namespace crossfold
