#include "engine/plan/fit_groups.h"

#include <span>
#include <unordered_map>

#include "crossfold_plugin.h"
#include "engine/plan/sharing.h"

namespace crossfold {
namespace {

using Members = FitGroups::Members;

// Groups members by key, in the order in which keys first appear.
template <class KeyOf>
std::vector<Members> GroupBy(const Members& members, const KeyOf& key_of) {
  std::vector<Members> groups;
  std::unordered_map<std::string, std::size_t> known;
  for (const std::size_t m : members) {
    const auto [place, is_new] = known.emplace(key_of(m), groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(m);
  }
  return groups;
}

}  // namespace

std::vector<Members> FitGroups::ByStep(std::size_t depth, const Members& members) const {
  return GroupBy(members, [&](std::size_t m) {
    const Spec& step = *pipeline(m).steps()[depth];
    return (IsLearner(depth, m) ? FamilyKey(step) : StepKey(step)) +
           SeedKey(step.component(), block(m).seed);
  });
}

std::size_t FitGroups::PathParam(const Members& members) const {
  const std::vector<ParamSpec>& params = pipeline(members.front()).learner().component().params;
  std::size_t best = params.size(), most = 1;
  for (std::size_t p = 0; p < params.size(); ++p) {
    if ((params[p].flags & CF_PF_SUBMODEL) == 0) continue;
    const std::size_t n = ByValue(members, p).size();
    if (n > most) {
      best = p;
      most = n;
    }
  }
  return best;
}

std::vector<Members> FitGroups::ByFit(const Members& members, std::size_t param) const {
  return GroupBy(members, [&](std::size_t m) { return ValuesKey(m, param, false); });
}

std::vector<Members> FitGroups::ByValue(const Members& members, std::size_t param) const {
  return GroupBy(members, [&](std::size_t m) { return ValuesKey(m, param, true); });
}

// Returns a key of the value of parameter `param` alone, or of all others.
std::string FitGroups::ValuesKey(std::size_t m, std::size_t param, bool alone) const {
  std::string key;
  const std::span<const Value> values = pipeline(m).learner().values();
  for (std::size_t p = 0; p < values.size(); ++p) {
    if ((p == param) == alone) AppendValue(key, values[p]);
  }
  return key;
}

}  // namespace crossfold
