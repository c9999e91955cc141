#include "store/cells/cell_keys.h"

#include <cstddef>
#include <span>

#include "crossfold/version.h"
#include "encoding/fields.h"
#include "engine/plan/sharing.h"

namespace crossfold {
namespace {

void Add(Sha256& hash, const Digest& digest) { hash.Add(digest.data(), digest.size()); }

template <class T>
void AddNumbers(Sha256& hash, std::span<const T> numbers) {
  hash.AddInteger(numbers.size());
  hash.Add(numbers.data(), numbers.size_bytes());
}

}  // namespace

Digest SpecKey(const Spec& spec) {
  const Component& component = spec.component();
  Sha256 hash;
  hash.AddText("crossfold-spec-1");
  hash.AddInteger(static_cast<std::uint64_t>(component.kind));
  hash.AddText(component.id);
  hash.AddText(component.version);
  hash.AddText(component.plugin ? component.plugin->sha256 : "");
  hash.AddInteger(component.params.size());
  FieldWriter values;
  for (std::size_t i = 0; i < component.params.size(); ++i) {
    values.Text(component.params[i].name);
    values.Parameter(spec.values()[i]);
  }
  for (const auto& [name, value] : spec.added()) {  // without any the key is as ever
    values.Text(name);
    values.Parameter(value);
  }
  hash.AddText(values.bytes());
  return hash.Finish();
}

Digest LearnerKey(const Pipeline& learner) {
  Sha256 hash;
  hash.AddText("crossfold-learner-1");
  hash.AddInteger(learner.steps().size());
  for (const std::shared_ptr<const Spec>& step : learner.steps()) Add(hash, SpecKey(*step));
  return hash.Finish();
}

Digest SplitsKey(const SplitPlan& plan, std::int64_t split) {
  Sha256 hash;
  hash.AddText("crossfold-splits-1");
  hash.AddText(plan.view().data->content_hash());
  if (plan.partitions().empty()) {
    const SplitRows rows = plan.Rows(split);
    hash.AddText("list");
    AddNumbers(hash, std::span<const std::int64_t>(rows.train));
    AddNumbers(hash, std::span<const std::int64_t>(rows.test));
    return hash.Finish();
  }
  const Partition& partition = plan.partitions()[static_cast<std::size_t>(plan.repeat_of(split))];
  hash.AddText("partition");
  hash.AddInteger(plan.view().rows ? 1 : 0);
  if (plan.view().rows) AddNumbers(hash, std::span<const std::int64_t>(*plan.view().rows));
  hash.AddInteger(static_cast<std::uint64_t>(partition.n_folds));
  AddNumbers(hash, std::span<const std::int32_t>(partition.fold_of_row));
  return hash.Finish();
}

SeriesTraits TraitsOf(const CellBlock& block, std::int64_t split, bool share) {
  SeriesTraits traits;
  traits.repeat = block.splits->repeat_of(split);
  traits.seed = block.seed;
  traits.probabilities = WantsProbabilities(block);
  traits.separate = !share && !block.splits->partitions().empty() &&
                    block.learner->transforms().empty() &&
                    ToleranceOf(block.learner->learner().component()) != 0;
  return traits;
}

Digest SeriesKey(const Digest& learner, const Digest& splits, const SeriesTraits& traits) {
  Sha256 hash;
  hash.AddText("crossfold-series-1");
  hash.AddText(Version());
  hash.AddInteger(CF_ABI_MAJOR);
  hash.AddInteger(CF_ABI_MINOR);
  Add(hash, learner);
  Add(hash, splits);
  hash.AddInteger(static_cast<std::uint64_t>(traits.repeat));
  hash.AddInteger(traits.seed);
  hash.AddInteger(traits.probabilities ? 1 : 0);
  hash.AddInteger(traits.separate ? 1 : 0);
  return hash.Finish();
}

}  // namespace crossfold
