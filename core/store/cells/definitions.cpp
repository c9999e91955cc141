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
    insert_series_.Bind(1, new_id).BindBlob(2, BytesOf(key)).Bind(3, learner).Bind(4, splits);
    insert_series_.Bind(5, traits.repeat).Bind(6, static_cast<std::int64_t>(traits.seed));
    insert_series_.Bind(7, std::int64_t{traits.probabilities});
    insert_series_.Bind(8, std::int64_t{traits.separate});
    insert_series_.Run();
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
    Statement insert(db_, InsertInto(kLearnerTable, "INSERT OR REPLACE"));
    insert.Bind(1, id).BindBlob(2, BytesOf(key)).BindText(3, learner.ToString());
    insert.BindBlob(4, fields.bytes()).Run();
  });
}

StoredId Definitions::MetricOf(const Spec& metric) {
  const Digest key = SpecKey(metric);
  const std::int64_t id = Known(metrics_, find_metric_, key, [&](std::int64_t new_id) {
    AddPlugin(metric.component());
    FieldWriter fields;
    WriteSpec(metric, fields);
    Statement insert(db_, InsertInto(kMetricTable, "INSERT OR REPLACE"));
    insert.Bind(1, new_id).BindBlob(2, BytesOf(key)).BindText(3, metric.ToString());
    insert.BindBlob(4, fields.bytes()).Run();
  });
  return {id, key};
}

std::int64_t Definitions::SplitsOf(const SplitPlan& plan, std::int64_t split, const Digest& key) {
  return Known(splits_, find_splits_, key, [&](std::int64_t id) {
    const std::int64_t dataset = DatasetOf(*plan.view().data);
    FieldWriter fields;
    WriteSplitsOf(plan, split, fields);
    const std::int64_t n_folds = FoldsOf(plan, split);
    Statement insert(db_, InsertInto(kSplitsTable, "INSERT OR REPLACE"));
    insert.Bind(1, id).BindBlob(2, BytesOf(key)).Bind(3, dataset).Bind(4, n_folds);
    insert.BindBlob(5, PackBytes(fields.bytes())).Run();
  });
}

std::int64_t Definitions::DatasetOf(const Dataset& data) {
  const std::string& hash = data.content_hash();
  const auto known = datasets_.find(hash);
  if (known != datasets_.end()) return known->second;
  auto [id, is_whole] = find_dataset_.Find(hash, /*is_text=*/true);
  if (id == 0) id = find_dataset_.NextId();
  if (!is_whole) {
    const std::size_t size = DatasetImage(data).size();
    const auto bytes = static_cast<std::int64_t>(size > kLargestImage ? 0 : size);
    Statement insert(db_, InsertInto(kDatasetTable, "INSERT OR REPLACE"));
    insert.Bind(1, id).BindText(2, hash).Bind(3, data.num_rows()).Bind(4, data.num_features());
    insert.Bind(5, bytes).Run();
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
    insert.Bind(1, dataset).Bind(2, part++).BindBlob(3, PackBytes(bytes)).Run();
  });
}

void Definitions::AddPlugin(const Component& component) {
  const LoadedPlugin& plugin = *component.plugin;
  Statement insert(db_, InsertInto(kPluginTable, "INSERT OR REPLACE"));
  insert.BindText(1, plugin.sha256).BindText(2, plugin.id).BindText(3, plugin.version);
  insert.BindText(4, plugin.build_info).BindText(5, plugin.path.native()).Run();
}

std::int64_t Definitions::AddRun(const RunRecord& run) {
  FieldWriter arguments;
  arguments.Texts(run.arguments);
  // Never the number of a lost run whose other rows remain.
  const std::int64_t id = db_.Number(
      "SELECT 1 + max(coalesce((SELECT max(id) FROM runs), 0), "
      "coalesce((SELECT max(run) FROM wanted), 0), coalesce((SELECT max(run) FROM composed), 0))");
  Statement insert(db_, InsertInto(kRunTable));
  insert.Bind(1, id).BindText(2, UtcTime()).BindText(3, Version()).BindText(4, run.script);
  insert.BindText(5, run.script_text).BindBlob(6, arguments.bytes());
  insert.Bind(7, static_cast<std::int64_t>(run.seed)).Bind(8, std::int64_t{0}).Run();
  // An older Crossfold that removed a run of this number left its findings.
  Statement forget(db_, "DELETE FROM findings WHERE run = ?");
  forget.Bind(1, id).Run();
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
