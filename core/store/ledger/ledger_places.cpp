#include "store/ledger/ledger_places.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "crossfold/error.h"

namespace crossfold {
namespace {

// What cells of one experiment have in common; those of another with the same names may differ.
using Experiment = std::tuple<std::string, std::int64_t, std::uint64_t, bool, bool>;

Experiment ExperimentOf(StoreReader& reader, std::int64_t series) {
  if (series == 0) return {};
  const SeriesRecord& record = reader.Series(series);
  const SplitsRecord& splits = reader.Splits(record.splits);
  return {reader.DatasetOf(splits.dataset).hash, splits.n_folds, record.traits.seed,
          record.traits.probabilities, record.traits.separate};
}

std::string KeyOf(StoreReader& reader, const LedgerPlace& place) {
  return place.series == 0 ? "" : reader.Series(place.series).key;
}

// Outer cells of a search have another candidate in every fold; the candidate distinguishes inner
// ones.
auto NamesOf(const LedgerPlace& place) {
  return std::tuple(std::string_view(place.dataset), std::string_view(place.learner), place.inner,
                    place.inner ? std::string_view(place.candidate) : std::string_view());
}

auto SlotOf(const LedgerPlace& place) {
  return std::tuple_cat(NamesOf(place), std::tuple(place.repeat, place.fold));
}

void AddRange(StoreReader& reader, const WantedRange& range, std::vector<LedgerPlace>& places) {
  const SeriesRecord& series = reader.Series(range.series);
  LedgerPlace place;
  place.dataset = range.dataset;
  place.learner = range.learner;
  place.inner = range.inner;
  place.candidate = reader.Learner(series.learner).text;
  place.repeat = series.traits.repeat;
  place.series = range.series;
  for (std::int64_t i = 0; i < range.count; ++i) {
    place.fold = range.first + i;
    places.push_back(place);
  }
}

// Numbers the places first .. last - 1, which have the same names: by experiment, if some have the
// same repeat and fold.
void CountOccurrences(StoreReader& reader, std::span<LedgerPlace> places) {
  const bool are_unique =
      std::ranges::adjacent_find(places, [](const LedgerPlace& a, const LedgerPlace& b) {
        return SlotOf(a) == SlotOf(b);
      }) == places.end();
  if (are_unique) return;
  std::set<Experiment> experiments;
  for (const LedgerPlace& place : places) experiments.insert(ExperimentOf(reader, place.series));
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::int64_t> taken;
  for (LedgerPlace& place : places) {
    const auto rank =
        std::distance(experiments.begin(), experiments.find(ExperimentOf(reader, place.series)));
    // Several of one experiment: each takes the next place after all experiments.
    const std::int64_t again = taken[{rank, place.repeat, place.fold}]++;
    place.occurrence = rank + again * static_cast<std::int64_t>(experiments.size());
  }
}

// Calls f on every group of neighbours with the same names.
template <class F>
void ForEachName(std::vector<LedgerPlace>& places, const F& f) {
  for (std::size_t first = 0; first < places.size();) {
    std::size_t last = first;
    while (last < places.size() && NamesOf(places[last]) == NamesOf(places[first])) ++last;
    f(std::span(places).subspan(first, last - first));
    first = last;
  }
}

}  // namespace

std::string NameOf(const LedgerPlace& place) {
  std::string name = "'" + place.learner + "' on '" + place.dataset + "'";
  if (place.inner) name += ", inner, " + place.candidate;
  return name + ", repeat " + std::to_string(place.repeat + 1) + ", fold " +
         std::to_string(place.fold + 1);
}

std::string NameOf(const WantedRange& range) {
  return "'" + range.learner + "' on '" + range.dataset + "', " + std::to_string(range.count) +
         (range.count == 1 ? " cell" : " cells");
}

bool IsDefined(StoreReader& reader, const WantedRange& range) {
  try {
    const SeriesRecord& record = reader.Series(range.series);
    reader.Learner(record.learner);
    const SplitsRecord& splits = reader.Splits(record.splits);
    reader.DatasetOf(splits.dataset);
    if (!HasFolds(range)) return false;
    if (splits.n_folds != 0) {
      return range.count <= splits.n_folds && range.first <= splits.n_folds - range.count;
    }
    // Each list has its own definition; equal ones continue the count.
    return range.count <= reader.db().num_bytes();
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::kBadData) throw;
    return false;
  }
}

bool IsDefined(StoreReader& reader, const WantedRange& range, std::vector<std::string>& damaged) {
  const bool is_defined = IsDefined(reader, range);
  if (!is_defined) {
    damaged.push_back(NameOf(range));
  } else if (!reader.IsCompleteSeries(range.series)) {
    damaged.push_back(NameOf(range) + " (rows are missing or were added)");
  }
  return is_defined;
}

LedgerPlaces FindPlaces(StoreReader& reader, std::int64_t run, LedgerPart part) {
  LedgerPlaces found;
  if (!reader.IsComplete(run)) found.damaged.push_back(NameOfMissingRows(run));
  for (const WantedRange& range : reader.Wanted(run, found.damaged)) {
    const bool is_asked = part == LedgerPart::kAll || range.inner == (part == LedgerPart::kInner);
    if (!is_asked) continue;
    if (IsDefined(reader, range, found.damaged)) AddRange(reader, range, found.places);
  }
  if (part != LedgerPart::kInner) found.composed = reader.Composed(run, found.damaged);
  for (std::size_t i = 0; i < found.composed.size(); ++i) {
    const ComposedRecord& one = found.composed[i];
    LedgerPlace& place = found.places.emplace_back();
    place.dataset = one.dataset_name;
    place.learner = one.learner;
    place.repeat = one.repeat;
    place.fold = one.fold;
    place.composed = i;
  }
  const auto order = [&reader](const LedgerPlace& a, const LedgerPlace& b) {
    if (SlotOf(a) != SlotOf(b)) return SlotOf(a) < SlotOf(b);
    if (a.candidate != b.candidate) return a.candidate < b.candidate;
    return a.series != b.series && KeyOf(reader, a) < KeyOf(reader, b);
  };
  std::sort(found.places.begin(), found.places.end(), order);
  const auto same = [](const LedgerPlace& a, const LedgerPlace& b) {
    return a.series == b.series && a.series != 0 && SlotOf(a) == SlotOf(b);
  };
  found.places.erase(std::unique(found.places.begin(), found.places.end(), same),
                     found.places.end());
  ForEachName(found.places, [&](std::span<LedgerPlace> places) {
    CountOccurrences(reader, places);
    std::stable_sort(places.begin(), places.end(), [](const LedgerPlace& a, const LedgerPlace& b) {
      return std::tie(a.occurrence, a.repeat, a.fold) < std::tie(b.occurrence, b.repeat, b.fold);
    });
  });
  return found;
}

}  // namespace crossfold
