// What cells are made from, in the tables: datasets, plugins, splits, learners, metrics, series,
// and the runs that ask for them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "crossfold/cell_store.h"
#include "store/cells/cell_keys.h"
#include "store/cells/cell_row.h"
#include "store/cells/sqlite.h"
#include "store/cells/stored_table.h"

namespace crossfold {

// Remembers what it has found or written. Not thread-safe; must be used inside a transaction.
class Definitions {
 public:
  // Must outlive this.
  explicit Definitions(Database& db);

  StoredId SeriesOf(const CellBlock& block, std::int64_t split, bool share);
  // The same of a series that is known; writes nothing, and may be called outside a transaction.
  std::optional<std::int64_t> FindSeries(const CellBlock& block, std::int64_t split, bool share);
  StoredId MetricOf(const Spec& metric);
  std::int64_t DatasetOf(const Dataset& data);
  std::int64_t AddRun(const RunRecord& run);
  // The cells of one block: `count` folds of a series, from `first` on.
  void Want(std::int64_t run, const CellBlock& block, std::int64_t series, std::int64_t first,
            std::int64_t count);
  // Must be called after a transaction that was rolled back.
  void Forget();

 private:
  struct KeyHash {
    std::size_t operator()(const Digest& key) const;
  };
  using Ids = std::unordered_map<Digest, std::int64_t, KeyHash>;
  // The keys of one plan, by repeat or list.
  struct PlanKeys {
    std::weak_ptr<const SplitPlan> plan;
    std::unordered_map<std::int64_t, Digest> keys;
  };

  const Digest& KeyOfLearner(const std::shared_ptr<const Pipeline>& learner);
  const Digest& KeyOfSplits(const std::shared_ptr<const SplitPlan>& plan, std::int64_t split);
  std::int64_t LearnerOf(const Pipeline& learner, const Digest& key);
  std::int64_t SplitsOf(const SplitPlan& plan, std::int64_t split, const Digest& key);
  void AddImage(std::int64_t dataset, const Dataset& data);
  void AddPlugin(const Component& component);
  // The id of a key in a table, or of the row that `insert` adds under a given id. A damaged row is
  // written again, and so is one of a repaired store that refers to a lost row.
  std::int64_t Known(Ids& ids, KeyedRows& rows, const Digest& key,
                     const std::function<void(std::int64_t id)>& insert);
  bool IsOrphan(std::int64_t series);

  Database& db_;
  Ids series_, learners_, metrics_, splits_;
  std::unordered_map<std::string, std::int64_t> datasets_;
  std::unordered_map<const SplitPlan*, PlanKeys> plans_;
  std::shared_ptr<const Pipeline> last_learner_;  // blocks of many lists ask for the same one
  Digest last_learner_key_{};
  WantedRows wanted_;
  Statement insert_series_, total_series_;
  KeyedRows find_series_, find_learner_, find_metric_, find_splits_, find_dataset_;
  const bool has_orphans_;  // series of a repaired store whose learner or split was lost
};

}  // namespace crossfold
