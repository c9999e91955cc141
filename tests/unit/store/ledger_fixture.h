// Stores with small runs of bundled plugins on the iris data, for the tools that read stores.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold/cell_store.h"
#include "crossfold/error.h"
#include "crossfold/read_data.h"
#include "crossfold/score.h"
#include "store/cells/sqlite.h"
#include "store/cells/stored_table.h"
#include "temporary_folder.h"
#include "unit/plugins/bundled_plugins.h"

namespace crossfold::fixture {

inline std::shared_ptr<const Dataset> Iris() {
  ReadRequest request;
  request.roles.target = "class";
  static const auto iris = ReadData(BundledPlugins(), CROSSFOLD_TEST_DATA "/iris.csv", request);
  return iris;
}

inline std::shared_ptr<const Pipeline> BundledLearner(std::string_view id,
                                                      const ParamValues& values = {}) {
  return Pipeline::Make({BundledSpec(Kind::kLearner, id, values)});
}

inline MetricList BundledMetrics(const std::vector<std::string>& ids) {
  MetricList metrics;
  for (const std::string& id : ids) metrics.push_back(BundledSpec(Kind::kMetric, id, {}));
  return metrics;
}

inline std::shared_ptr<const SplitPlan> KFold(std::int64_t folds, std::int64_t repeats,
                                              const std::shared_ptr<const Dataset>& data = Iris(),
                                              std::uint64_t seed = 1) {
  const auto splitter =
      BundledSpec(Kind::kSplitter, "kfold", {{"folds", folds}, {"repeats", repeats}});
  return MakeSplits(*splitter, {data, nullptr}, seed);
}

// Makes all checksums and totals again, except those of cells and scores: what somebody who forges
// a store would do.
inline void Reseal(Database& db) {
  for (const StoredTable* table : kStoredTables) {
    db.Execute(
        ("UPDATE " + std::string(table->name) + " SET checksum = " + ChecksumOf(*table)).c_str());
  }
  db.Execute((std::string("UPDATE series SET total = ") + kSeriesTotal).c_str());
  db.Execute(("UPDATE runs SET total = " + RunTotal() + " WHERE total IS NOT NULL").c_str());
}

// All splits, as an experiment asks for them.
inline CellBlock Asked(const std::string& name, std::shared_ptr<const Pipeline> learner,
                       std::shared_ptr<const SplitPlan> splits, Keep keep = Keep::kProbabilities,
                       const MetricList& metrics = BundledMetrics({"accuracy"})) {
  CellBlock block;
  block.learner = std::move(learner);
  block.splits = std::move(splits);
  block.count = block.splits->size();
  block.seed = 7;
  block.metrics = std::make_shared<const MetricList>(metrics);
  block.keep = keep;
  block.purpose = std::make_shared<const CellPurpose>(CellPurpose{name, "iris", false});
  return block;
}

inline RunEngine PlainRun() {
  return [](std::span<const CellBlock> blocks, const RunOptions& options, const TakeOutcome& take) {
    RunAndScore(blocks, options, take);
  };
}

class LedgerTest : public testing::Test {
 protected:
  std::filesystem::path path(const std::string& name = "store.cfdb") const {
    return folder_.path() / name;
  }
  // Runs the blocks as one run of a store; returns what came out.
  std::vector<Outcome> Run(const std::vector<CellBlock>& blocks,
                           const std::string& name = "store.cfdb",
                           const StoreOptions& options = {}) const {
    const auto store = CellStore::Open(path(name), options);
    store->BeginRun({"script.lua", "return 1\n", {"a", "b"}, 42});
    std::size_t n = 0;
    for (const CellBlock& block : blocks) n += static_cast<std::size_t>(block.count);
    std::vector<Outcome> outcomes(n);
    RunOptions run;
    run.workers = 2;
    RunStored(*store, blocks, run, PlainRun(),
              [&](std::size_t i, Outcome&& outcome) { outcomes[i] = std::move(outcome); });
    return outcomes;
  }

  const test::TemporaryFolder folder_;
};

template <class F>
std::string MessageOf(const F& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

inline std::string BytesOfFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace crossfold::fixture
