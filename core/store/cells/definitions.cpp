#include "store/cells/definitions.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "crossfold/version.h"
#include "encoding/dataset_image.h"
#include "encoding/spec_fields.h"
#include "encoding/split_fields.h"
#include "engine/text/utc_time.h"
#include "store/cells/packed_bytes.h"
#include "store/cells/store_file.h"

namespace crossfold {
namespace {

// The content of larger data is not kept: it is in a file that the user has. 4 GiB.
constexpr std::size_t kLargestImage = std::size_t{1} << 32;

// The number of folds of the repeat of `split`; 0 if it is a list.
std::int64_t FoldsOf(const SplitPlan& plan, std::int64_t split) {
  if (plan.partitions().empty()) return 0;
  return plan.partitions()[static_cast<std::size_t>(plan.repeat_of(split))].n_folds;
}

}  // namespace

std::size_t Definitions::KeyHash::operator()(const Digest& key) const {
  std::size_t hash;
  std::memcpy(&hash, key.data(), sizeof hash);
  return hash;
}

Definitions::Definitions(Database& db)
    : db_(db),
      wanted_(db),
      insert_series_(db, InsertInto(kSeriesTable, "INSERT OR REPLACE")),
      total_series_(db,
                    std::string("UPDATE series SET total = ") + kSeriesTotal + " WHERE id = ?1"),
      find_series_(db, kSeriesTable),
      find_learner_(db, kLearnerTable),
      find_metric_(db, kMetricTable),
      find_splits_(db, kSplitsTable),
      find_dataset_(db, kDatasetTable, "hash"),
      has_orphans_(db.Number("SELECT count(*) FROM series WHERE learner = 0 OR splits = 0") != 0) {}

void Definitions::Forget() {
  for (Ids* ids : {&series_, &learners_, &metrics_, &splits_}) ids->clear();
  datasets_.clear();
}

std::int64_t Definitions::Known(Ids& ids, KeyedRows& rows, const Digest& key,
                                const std::function<void(std::int64_t)>& insert) {
  const auto known = ids.find(key);
  if (known != ids.end()) return known->second;
  auto [id, is_whole] = rows.Find(BytesOf(key));
  if (id != 0 && has_orphans_ && &rows == &find_series_ && IsOrphan(id)) is_whole = false;
  if (id == 0) id = rows.NextId();
  if (!is_whole) insert(id);
  ids.emplace(key, id);
  return id;
}

bool Definitions::IsOrphan(std::int64_t series) {
  return db_.Number("SELECT learner = 0 OR splits = 0 FROM series WHERE id = " +
                    std::to_string(series)) != 0;
}

StoredId Definitions::SeriesOf(const CellBlock& block, std::int64_t split, bool share) {
  const Digest learner_key = KeyOfLearner(block.learner);
  const Digest splits_key = KeyOfSplits(block.splits, split);
  const SeriesTraits traits = TraitsOf(block, split, share);
  const Digest key = SeriesKey(learner_key, splits_key, traits);
  const std::int64_t id = Known(series_, find_series_, key, [&](std::int64_t new_id) {
    const std::int64_t learner = LearnerOf(*block.learner, learner_key);
    const std::int64_t splits = SplitsOf(*block.splits, split, splits_key);
    insert_series_
        .BindAll(new_id, Blob{BytesOf(key)}, learner, splits, traits.repeat, traits.seed,
                 traits.probabilities, traits.separate)
        .Run();
    total_series_.Bind(1, new_id).Run();  // of a row that was written again
  });
  return {id, key};
}

std::optional<std::int64_t> Definitions::FindSeries(const CellBlock& block, std::int64_t split,
                                                    bool share) {
  const Digest key = SeriesKey(KeyOfLearner(block.learner), KeyOfSplits(block.splits, split),
                               TraitsOf(block, split, share));
  const auto known = series_.find(key);
  if (known != series_.end()) return known->second;
  const auto [id, is_whole] = find_series_.Find(BytesOf(key));
  return is_whole ? std::optional(id) : std::nullopt;
}

const Digest& Definitions::KeyOfLearner(const std::shared_ptr<const Pipeline>& learner) {
  if (last_learner_ != learner) {
    last_learner_key_ = LearnerKey(*learner);
    last_learner_ = learner;
  }
  return last_learner_key_;
}

const Digest& Definitions::KeyOfSplits(const std::shared_ptr<const SplitPlan>& plan,
                                       std::int64_t split) {
  PlanKeys& known = plans_[plan.get()];
  if (known.plan.lock() != plan) {  // new, or another one had this address
    known = {plan, {}};
    if (plans_.size() % 256 == 0) {
      std::erase_if(plans_, [](const auto& entry) { return entry.second.plan.expired(); });
    }
  }
  const std::int64_t part = plan->partitions().empty() ? split : plan->repeat_of(split);
  auto& keys = plans_[plan.get()].keys;
  const auto found = keys.find(part);
  if (found != keys.end()) return found->second;
  return keys.emplace(part, SplitsKey(*plan, split)).first->second;
}

std::int64_t Definitions::LearnerOf(const Pipeline& learner, const Digest& key) {
  return Known(learners_, find_learner_, key, [&](std::int64_t id) {
    for (const auto& step : learner.steps()) AddPlugin(step->component());
    FieldWriter fields;
    WriteSpecs(learner.steps(), fields);
    Statement(db_, InsertInto(kLearnerTable, "INSERT OR REPLACE"), id, Blob{BytesOf(key)},
              learner.ToString(), Blob{fields.bytes()})
        .Run();
  });
}

StoredId Definitions::MetricOf(const Spec& metric) {
  const Digest key = SpecKey(metric);
  const std::int64_t id = Known(metrics_, find_metric_, key, [&](std::int64_t new_id) {
    AddPlugin(metric.component());
    FieldWriter fields;
    WriteSpec(metric, fields);
    Statement(db_, InsertInto(kMetricTable, "INSERT OR REPLACE"), new_id, Blob{BytesOf(key)},
              metric.ToString(), Blob{fields.bytes()})
        .Run();
  });
  return {id, key};
}

std::int64_t Definitions::SplitsOf(const SplitPlan& plan, std::int64_t split, const Digest& key) {
  return Known(splits_, find_splits_, key, [&](std::int64_t id) {
    const std::int64_t dataset = DatasetOf(*plan.view().data);
    FieldWriter fields;
    WriteSplitsOf(plan, split, fields);
    Statement(db_, InsertInto(kSplitsTable, "INSERT OR REPLACE"), id, Blob{BytesOf(key)}, dataset,
              FoldsOf(plan, split), Blob{PackBytes(fields.bytes())})
        .Run();
  });
}

std::int64_t Definitions::DatasetOf(const Dataset& data) {
  const std::string hash = data.hash_with_positive();
  const auto known = datasets_.find(hash);
  if (known != datasets_.end()) return known->second;
  auto [id, is_whole] = find_dataset_.Find(hash, /*is_text=*/true);
  if (id == 0) id = find_dataset_.NextId();
  if (!is_whole) {
    const std::size_t size = DatasetImage(data).size();
    const auto bytes = static_cast<std::int64_t>(size > kLargestImage ? 0 : size);
    Statement(db_, InsertInto(kDatasetTable, "INSERT OR REPLACE"), id, hash, data.num_rows(),
              data.num_features(), bytes)
        .Run();
    if (bytes > 0) AddImage(id, data);
  }
  datasets_.emplace(hash, id);
  return id;
}

void Definitions::AddImage(std::int64_t dataset, const Dataset& data) {
  const DatasetImage image(data);
  Statement insert(db_, InsertInto(kDatasetPartTable, "INSERT OR REPLACE"));
  std::int64_t part = 0;
  image.WriteParts(kDatasetPartBytes, [&](std::string_view bytes) {
    insert.BindAll(dataset, part++, Blob{PackBytes(bytes)}).Run();
  });
}

void Definitions::AddPlugin(const Component& component) {
  const LoadedPlugin& plugin = *component.plugin;
  Statement(db_, InsertInto(kPluginTable, "INSERT OR REPLACE"), plugin.sha256, plugin.id,
            plugin.version, plugin.build_info, plugin.path.native())
      .Run();
}

std::int64_t Definitions::AddRun(const RunRecord& run) {
  FieldWriter arguments;
  arguments.Texts(run.arguments);
  // Never the number of a lost run whose other rows remain.
  const std::int64_t id = db_.Number(
      "SELECT 1 + max(coalesce((SELECT max(id) FROM runs), 0), "
      "coalesce((SELECT max(run) FROM wanted), 0), coalesce((SELECT max(run) FROM composed), 0))");
  Statement(db_, InsertInto(kRunTable), id, UtcTime(), Version(), run.script, run.script_text,
            Blob{arguments.bytes()}, run.seed, 0)
      .Run();
  // An older Crossfold that removed a run of this number left its findings.
  Statement(db_, "DELETE FROM findings WHERE run = ?", id).Run();
  return id;
}

void Definitions::Want(std::int64_t run, const CellBlock& block, std::int64_t series,
                       std::int64_t first, std::int64_t count) {
  const CellPurpose* purpose = block.purpose.get();
  wanted_.Put(run, {series, purpose != nullptr && purpose->inner,
                    purpose != nullptr ? purpose->learner : block.learner->ToString(),
                    purpose != nullptr ? purpose->dataset : block.splits->view().data->name(),
                    first, count});
}

}  // namespace crossfold
