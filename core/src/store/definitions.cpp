#include "store/definitions.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <ctime>
#include <utility>

#include "crossfold/version.h"
#include "data/dataset_image.h"
#include "plan/split_fields.h"
#include "plugin/spec_fields.h"
#include "store/packed_bytes.h"

namespace crossfold {
namespace {

constexpr std::size_t kPartBytes = 16u << 20;

// A plan of the repeat or list of `split` alone.
std::shared_ptr<const SplitPlan> PlanOf(const SplitPlan& plan, std::int64_t split) {
  if (plan.partitions().empty()) {
    return SplitPlan::FromRows(plan.view().data, {plan.Rows(split)});
  }
  return SplitPlan::FromPartitions(
      plan.view(), {plan.partitions()[static_cast<std::size_t>(plan.repeat_of(split))]});
}

std::string NowAsText() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

}  // namespace

std::size_t Definitions::KeyHash::operator()(const Digest& key) const {
  std::size_t hash;
  std::memcpy(&hash, key.data(), sizeof hash);
  return hash;
}

Definitions::Definitions(Database& db)
    : db_(db),
      want_(db,
            "INSERT INTO wanted(run, series, inner, learner, dataset, first, count) "
            "VALUES(?,?,?,?,?,?,?) ON CONFLICT DO UPDATE SET count = max(count, excluded.count)"),
      insert_series_(db,
                     "INSERT INTO series(key, learner, splits, repeat, seed, probabilities, "
                     "separate) VALUES(?,?,?,?,?,?,?)"),
      find_series_(db, "SELECT id FROM series WHERE key = ?"),
      find_learner_(db, "SELECT id FROM learners WHERE key = ?"),
      find_metric_(db, "SELECT id FROM metrics WHERE key = ?"),
      find_splits_(db, "SELECT id FROM splits WHERE key = ?"),
      has_orphans_(db.Number("SELECT count(*) FROM series WHERE learner = 0 OR splits = 0") != 0) {}

void Definitions::Forget() {
  for (Ids* ids : {&series_, &learners_, &metrics_, &splits_}) ids->clear();
  datasets_.clear();
}

std::int64_t Definitions::Known(Ids& ids, Statement& find, const Digest& key,
                                const std::function<void()>& insert) {
  const auto known = ids.find(key);
  if (known != ids.end()) return known->second;
  const ResetAtEnd reset(find);
  std::int64_t id = 0;
  if (find.BindBlob(1, BytesOf(key)).Step()) {
    id = find.Number(0);
  } else {
    insert();
    id = db_.last_id();
  }
  ids.emplace(key, id);
  return id;
}

StoredId Definitions::SeriesOf(const CellBlock& block, std::int64_t split, bool share) {
  const Digest learner_key = KeyOfLearner(block.learner);
  const Digest splits_key = KeyOfSplits(block.splits, split);
  const SeriesTraits traits = TraitsOf(block, split, share);
  const Digest key = SeriesKey(learner_key, splits_key, traits);
  const bool is_adopted = has_orphans_ && !series_.contains(key);
  const std::int64_t id = Known(series_, find_series_, key, [&] {
    const std::int64_t learner = LearnerOf(*block.learner, learner_key);
    const std::int64_t splits = SplitsOf(*block.splits, split, splits_key);
    insert_series_.BindBlob(1, BytesOf(key)).Bind(2, learner).Bind(3, splits);
    insert_series_.Bind(4, traits.repeat).Bind(5, static_cast<std::int64_t>(traits.seed));
    insert_series_.Bind(6, std::int64_t{traits.probabilities});
    insert_series_.Bind(7, std::int64_t{traits.separate});
    insert_series_.Run();
  });
  if (is_adopted) {
    Statement adopt(db_, "UPDATE series SET learner = ?, splits = ? WHERE id = ?");
    adopt.Bind(1, LearnerOf(*block.learner, learner_key));
    adopt.Bind(2, SplitsOf(*block.splits, split, splits_key)).Bind(3, id).Run();
  }
  return {id, key};
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
  return Known(learners_, find_learner_, key, [&] {
    for (const auto& step : learner.steps()) AddPlugin(step->component());
    FieldWriter fields;
    WriteSpecs(learner.steps(), fields);
    Statement insert(db_, "INSERT INTO learners(key, text, definition) VALUES(?,?,?)");
    insert.BindBlob(1, BytesOf(key)).BindText(2, learner.ToString()).BindBlob(3, fields.bytes());
    insert.Run();
  });
}

StoredId Definitions::MetricOf(const Spec& metric) {
  const Digest key = SpecKey(metric);
  const std::int64_t id = Known(metrics_, find_metric_, key, [&] {
    AddPlugin(metric.component());
    FieldWriter fields;
    WriteSpec(metric, fields);
    Statement insert(db_, "INSERT INTO metrics(key, text, definition) VALUES(?,?,?)");
    insert.BindBlob(1, BytesOf(key)).BindText(2, metric.ToString()).BindBlob(3, fields.bytes());
    insert.Run();
  });
  return {id, key};
}

std::int64_t Definitions::SplitsOf(const SplitPlan& plan, std::int64_t split, const Digest& key) {
  return Known(splits_, find_splits_, key, [&] {
    const std::int64_t dataset = DatasetOf(*plan.view().data);
    const std::shared_ptr<const SplitPlan> part = PlanOf(plan, split);
    FieldWriter fields;
    WriteSplits(*part, fields);
    const std::int64_t n_folds = part->partitions().empty() ? 0 : part->size();
    Statement insert(db_, "INSERT INTO splits(key, dataset, n_folds, definition) VALUES(?,?,?,?)");
    insert.BindBlob(1, BytesOf(key)).Bind(2, dataset).Bind(3, n_folds);
    insert.BindBlob(4, PackBytes(fields.bytes())).Run();
  });
}

std::int64_t Definitions::DatasetOf(const Dataset& data) {
  const std::string& hash = data.content_hash();
  const auto known = datasets_.find(hash);
  if (known != datasets_.end()) return known->second;
  Statement find(db_, "SELECT id FROM datasets WHERE hash = ?");
  std::int64_t id = 0;
  if (find.BindText(1, hash).Step()) {
    id = find.Number(0);
  } else {
    const auto bytes = static_cast<std::int64_t>(DatasetImage(data).size());
    Statement insert(db_,
                     "INSERT INTO datasets(hash, n_rows, n_features, image_bytes) VALUES(?,?,?,?)");
    insert.BindText(1, hash).Bind(2, data.num_rows()).Bind(3, data.num_features());
    insert.Bind(4, bytes).Run();
    id = db_.last_id();
    AddImage(id, data);
  }
  datasets_.emplace(hash, id);
  return id;
}

void Definitions::AddImage(std::int64_t dataset, const Dataset& data) {
  const DatasetImage image(data);
  std::vector<char> bytes(image.size());
  image.WriteTo(bytes.data());
  Statement insert(db_, "INSERT INTO dataset_parts(dataset, part, bytes) VALUES(?,?,?)");
  std::int64_t part = 0;
  for (std::size_t at = 0; at < bytes.size(); at += kPartBytes) {
    const std::size_t n = std::min(kPartBytes, bytes.size() - at);
    insert.Bind(1, dataset).Bind(2, part++).BindBlob(3, PackBytes({&bytes[at], n})).Run();
  }
}

void Definitions::AddPlugin(const Component& component) {
  const LoadedPlugin& plugin = *component.plugin;
  Statement insert(db_,
                   "INSERT OR REPLACE INTO plugins(sha256, id, version, build_info, path) "
                   "VALUES(?,?,?,?,?)");
  insert.BindText(1, plugin.sha256).BindText(2, plugin.id).BindText(3, plugin.version);
  insert.BindText(4, plugin.build_info).BindText(5, plugin.path.native()).Run();
}

std::int64_t Definitions::AddRun(const RunRecord& run) {
  FieldWriter arguments;
  arguments.Texts(run.arguments);
  Statement insert(db_,
                   "INSERT INTO runs(started, crossfold, script, script_text, arguments, seed, "
                   "finished) VALUES(?,?,?,?,?,?,0)");
  insert.BindText(1, NowAsText()).BindText(2, Version()).BindText(3, run.script);
  insert.BindText(4, run.script_text).BindBlob(5, arguments.bytes());
  insert.Bind(6, static_cast<std::int64_t>(run.seed)).Run();
  const std::int64_t id = db_.last_id();
  // An older Crossfold that removed a run of this number left its findings.
  Statement forget(db_, "DELETE FROM findings WHERE run = ?");
  forget.Bind(1, id).Run();
  return id;
}

void Definitions::Want(std::int64_t run, const CellBlock& block, std::int64_t series,
                       std::int64_t first, std::int64_t count) {
  const CellPurpose* purpose = block.purpose.get();
  want_.Bind(1, run).Bind(2, series).Bind(3, std::int64_t{purpose != nullptr && purpose->inner});
  want_.BindText(4, purpose != nullptr ? purpose->learner : block.learner->ToString());
  want_.BindText(5, purpose != nullptr ? purpose->dataset : block.splits->view().data->name());
  want_.Bind(6, first).Bind(7, count).Run();
}

}  // namespace crossfold
