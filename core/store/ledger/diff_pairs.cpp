#include "store/ledger/diff_pairs.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

namespace crossfold {
namespace {

using Name = std::tuple<std::string_view, std::string_view, bool, std::string_view, std::int64_t,
                        std::int64_t>;

Name MakeName(const LedgerPlace& place, bool with_candidate) {
  return {place.dataset, place.learner,
          place.inner,   with_candidate ? std::string_view(place.candidate) : std::string_view(),
          place.repeat,  place.fold};
}

struct Candidates {
  std::vector<const LedgerPlace*> a, b;
};

// What two cells have in common: 3 = the key, 2 = splits and seed, 1 = splits, 0 = nothing.
class Likeness {
 public:
  Likeness(StoreReader& a, StoreReader& b) : a_(a), b_(b) {}

  int Of(const LedgerPlace& a, const LedgerPlace& b) const {
    if (a.series == 0 || b.series == 0) return a.series == b.series ? 3 : 0;
    const SeriesRecord& in_a = a_.Series(a.series);
    const SeriesRecord& in_b = b_.Series(b.series);
    if (in_a.key == in_b.key) return 3;
    if (a_.Splits(in_a.splits).key != b_.Splits(in_b.splits).key) return 0;
    return in_a.traits.seed == in_b.traits.seed ? 2 : 1;
  }

 private:
  StoreReader& a_;
  StoreReader& b_;
};

// Takes pairs with at least this likeness out of the candidates.
void TakePairs(const Likeness& likeness, int least, Candidates& left,
               std::vector<CellPair>& pairs) {
  for (const LedgerPlace*& a : left.a) {
    const auto b = std::ranges::find_if(left.b, [&](const LedgerPlace* one) {
      return one != nullptr && likeness.Of(*a, *one) >= least;
    });
    if (b == left.b.end()) continue;
    pairs.push_back({a, *b});
    a = *b = nullptr;
  }
  std::erase(left.a, nullptr);
  std::erase(left.b, nullptr);
}

}  // namespace

std::vector<CellPair> PairCells(StoreReader& a, const LedgerPlaces& places_a, StoreReader& b,
                                const LedgerPlaces& places_b) {
  const Likeness likeness(a, b);
  std::vector<CellPair> pairs;
  std::map<Name, Candidates> named, unnamed;
  for (const LedgerPlace& place : places_a.places) named[MakeName(place, true)].a.push_back(&place);
  for (const LedgerPlace& place : places_b.places) named[MakeName(place, true)].b.push_back(&place);
  for (auto& [name, left] : named) {
    for (int least = 3; least >= 0; --least) TakePairs(likeness, least, left, pairs);
    for (const LedgerPlace* one : left.a) unnamed[MakeName(*one, one->inner)].a.push_back(one);
    for (const LedgerPlace* one : left.b) unnamed[MakeName(*one, one->inner)].b.push_back(one);
  }
  for (auto& [name, left] : unnamed) {
    TakePairs(likeness, 0, left, pairs);
    for (const LedgerPlace* one : left.a) pairs.push_back({one, nullptr});
    for (const LedgerPlace* one : left.b) pairs.push_back({nullptr, one});
  }
  std::ranges::stable_sort(pairs, {}, [](const CellPair& pair) {
    return MakeName(pair.a != nullptr ? *pair.a : *pair.b, true);
  });
  return pairs;
}

}  // namespace crossfold
