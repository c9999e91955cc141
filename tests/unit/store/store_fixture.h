// Stores in a folder of their own, and runs with and without them.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/cell_store.h"
#include "crossfold/score.h"
#include "store/cells/sqlite.h"
#include "temporary_folder.h"
#include "unit/engine/run/fixture.h"
#include "unit/engine/run/sharing_fixture.h"

namespace crossfold::fixture {

inline const RunEngine& PlainEngine() {
  static const RunEngine engine = [](std::span<const CellBlock> blocks, const RunOptions& options,
                                     const TakeOutcome& take) {
    RunAndScore(blocks, options, take);
  };
  return engine;
}

inline std::size_t CountCells(std::span<const CellBlock> blocks) {
  std::size_t n = 0;
  for (const CellBlock& block : blocks) n += static_cast<std::size_t>(block.count);
  return n;
}

inline std::vector<std::string> RunPlain(std::span<const CellBlock> blocks,
                                         const RunOptions& options = Workers(2)) {
  std::vector<std::string> outcomes(CountCells(blocks));
  RunAndScore(blocks, options,
              [&](std::size_t i, Outcome&& outcome) { outcomes[i] = BytesOf(outcome); });
  return outcomes;
}

inline std::vector<std::string> RunInStore(CellStore& store, std::span<const CellBlock> blocks,
                                           const RunOptions& options = Workers(2)) {
  std::vector<std::string> outcomes(CountCells(blocks));
  RunStored(store, blocks, options, PlainEngine(),
            [&](std::size_t i, Outcome&& outcome) { outcomes[i] = BytesOf(outcome); });
  return outcomes;
}

inline std::shared_ptr<const MetricList> Metrics(MetricList metrics) {
  return std::make_shared<const MetricList>(std::move(metrics));
}

// All splits.
inline CellBlock BlockOf(std::shared_ptr<const Pipeline> learner,
                         std::shared_ptr<const SplitPlan> splits,
                         std::shared_ptr<const MetricList> metrics = nullptr,
                         Keep keep = Keep::kLabels, std::uint64_t seed = 7) {
  CellBlock block;
  block.learner = std::move(learner);
  block.splits = std::move(splits);
  block.count = block.splits->size();
  block.seed = seed;
  block.metrics = std::move(metrics);
  block.keep = keep;
  return block;
}

class StoreTest : public testing::Test {
 protected:
  std::filesystem::path path(const std::string& name = "store.cfdb") const {
    return folder_.path() / name;
  }
  std::shared_ptr<CellStore> Open(StoreOptions options = {}) const {
    return CellStore::Open(path(), options);
  }
  // Cells that were found and computed by a new store object.
  std::pair<std::uint64_t, std::uint64_t> FoundAndComputed(std::span<const CellBlock> blocks,
                                                           const RunOptions& options = Workers(2)) {
    const auto store = Open();
    last_ = RunInStore(*store, blocks, options);
    return {store->counts().found, store->counts().computed};
  }
  std::int64_t Number(const std::string& sql) const {
    Database db(path(), Database::Access::kRead);
    return db.Number(sql);
  }
  void Execute(const std::string& sql) const {
    Database db(path(), Database::Access::kWrite);
    db.Execute(sql.c_str());
  }
  std::size_t NumFiles() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_.path()), {}));
  }

  test::TemporaryFolder folder_;
  std::vector<std::string> last_;  // outcomes of FoundAndComputed
};

using FoundComputed = std::pair<std::uint64_t, std::uint64_t>;

}  // namespace crossfold::fixture
