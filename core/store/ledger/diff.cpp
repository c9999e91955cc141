#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/store_diff.h"
#include "crossfold_plugin/error.hpp"
#include "engine/text/format_number.h"
#include "store/ledger/cell_diff.h"
#include "store/ledger/ledger_places.h"
#include "store/ledger/store_reader.h"

namespace crossfold {
namespace {

// At least one of the two is there.
struct CellPair {
  const LedgerPlace* a = nullptr;
  const LedgerPlace* b = nullptr;
};

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

// Matches cells by the names in the experiments: dataset, learner, inner or outer, candidate,
// repeat, fold; outer cells also match if only the candidate differs. Among several with the same
// names, those are matched that have the key in common, then those with the same splits and seed,
// then those with the same splits, then the rest. The pairs are in the order of the names.
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

// One of the two runs.
struct Side {
  explicit Side(const RunPlace& where)
      : place(where.store),
        reader(place.path()),
        run(reader.Choose(where.run)),
        all(FindPlaces(reader, run.number, LedgerPart::kAll)) {}

  StorePlace place;
  StoreReader reader;
  StoredRun run;
  LedgerPlaces all;
};

class Differ {
 public:
  Differ(const RunPlace& a, const RunPlace& b) : a_(a), b_(b), cells_(a_.reader, b_.reader) {}

  StoreDiff Run() {
    for (const CellPair& pair : PairCells(a_.reader, a_.all, b_.reader, b_.all)) Take(pair);
    AddDamaged(a_);
    AddDamaged(b_);
    return std::move(diff_);
  }

 private:
  void Add(const LedgerPlace& place, DiffReason reason, std::string finding) {
    diff_.cells.push_back({place.learner, place.dataset, place.candidate, place.inner, place.repeat,
                           place.fold, reason, std::move(finding)});
  }

  void Take(const CellPair& pair) {
    if (pair.b == nullptr) return Add(*pair.a, DiffReason::kOnlyA, "the second run has none");
    if (pair.a == nullptr) return Add(*pair.b, DiffReason::kOnlyB, "the first run has none");
    const bool is_read = IsReadable([&] {
      if (pair.a->series == 0 || pair.b->series == 0) {
        CompareComposed(pair);
      } else {
        CompareCells(pair);
      }
    });
    if (!is_read) diff_.damaged.push_back(NameOf(*pair.a));
  }

  void AddDamaged(const Side& side) {
    diff_.damaged.insert(diff_.damaged.end(), side.all.damaged.begin(), side.all.damaged.end());
  }

  void CompareComposed(const CellPair& pair) {
    if (pair.a->series != pair.b->series) {
      return Add(*pair.a, DiffReason::kComposed, "one is a cell, the other combined or imported");
    }
    const ComposedRecord& a = a_.all.composed[pair.a->composed];
    const ComposedRecord& b = b_.all.composed[pair.b->composed];
    const bool same_data =
        a_.reader.DatasetOf(a.dataset).hash == b_.reader.DatasetOf(b.dataset).hash;
    if (a.prediction == b.prediction && a.failure == b.failure) {
      ++diff_.n_equal;
      if (!same_data) ++diff_.n_equal_other_inputs;
    } else if (!same_data) {
      Add(*pair.a, DiffReason::kData, cells_.inputs().DataText(a.dataset, b.dataset));
    } else {
      Add(*pair.a, DiffReason::kComposed, "its parts, the script or the imported file differ");
    }
  }

  void CompareCells(const CellPair& pair) {
    const CellDifference found =
        cells_.Of({pair.a->series, pair.a->fold}, {pair.b->series, pair.b->fold}, VersionText());
    if (!found.is_in_a && !found.is_in_b) return;
    if (!found.is_in_b)
      return Add(*pair.a, DiffReason::kOnlyA, "the second run has not finished it");
    if (!found.is_in_a)
      return Add(*pair.b, DiffReason::kOnlyB, "the first run has not finished it");
    if (found.has_damaged_scores) diff_.damaged.push_back("scores of " + NameOf(*pair.a));
    if (found.reason) return Add(*pair.a, *found.reason, found.finding);
    ++diff_.n_equal;
    if (found.has_other_inputs) ++diff_.n_equal_other_inputs;
  }

  // "0.1.0 and 0.2.0", or "" if both runs were made by the same version.
  std::string VersionText() const {
    return a_.run.crossfold == b_.run.crossfold ? ""
                                                : a_.run.crossfold + " and " + b_.run.crossfold;
  }

  Side a_, b_;
  CellDiff cells_;
  StoreDiff diff_;
};

std::string PlaceOf(const DifferingCell& cell) {
  std::string place = cell.learner;
  if (cell.inner) place += " (" + cell.candidate + ", inner)";
  return place + " on " + cell.dataset + ", repeat " + std::to_string(cell.repeat + 1) + ", fold " +
         std::to_string(cell.fold + 1);
}

std::string Cells(std::int64_t n) { return std::to_string(n) + (n == 1 ? " cell" : " cells"); }

}  // namespace

std::string NameOf(DiffReason reason) {
  switch (reason) {
    case DiffReason::kData:
      return "data";
    case DiffReason::kSplit:
      return "rows of the split";
    case DiffReason::kSeed:
      return "seed";
    case DiffReason::kParameter:
      return "parameter";
    case DiffReason::kPlugin:
      return "plugin";
    case DiffReason::kCrossfold:
      return "Crossfold version";
    case DiffReason::kMode:
      return "sharing";
    case DiffReason::kComposed:
      return "combined or imported in the script";
    case DiffReason::kNotReproducible:
      return "not reproducible";
    case DiffReason::kOnlyA:
      return "only in the first";
    case DiffReason::kOnlyB:
      return "only in the second";
  }
  return "";
}

RunPlace ParseRunPlace(const std::string& text) {
  std::error_code ignored;
  const std::size_t sign = text.rfind('#');
  if (sign == std::string::npos || std::filesystem::exists(text, ignored)) return {text, 0};
  const auto run = ParseInteger(std::string_view(text).substr(sign + 1));
  if (!run || *run < 1) {
    throw Error(ErrorKind::kInvalidArgument,
                "cannot find run '" + text + "': '" + text.substr(sign + 1) +
                    "' is not the number of a run; write it as in a.cfdb#2");
  }
  return {text.substr(0, sign), *run};
}

StoreDiff DiffRuns(const RunPlace& a, const RunPlace& b) { return Differ(a, b).Run(); }

std::string ToText(const StoreDiff& diff, std::size_t details) {
  std::map<DiffReason, std::int64_t> counts;
  for (const DifferingCell& cell : diff.cells) ++counts[cell.reason];
  std::string text = Cells(diff.n_equal) + " equal";
  if (diff.n_equal_other_inputs > 0) {
    text += ", " + std::to_string(diff.n_equal_other_inputs) + " of them from different inputs";
  }
  text += "\n";
  if (!diff.cells.empty()) {
    text += Cells(static_cast<std::int64_t>(diff.cells.size())) + " different\n";
  }
  for (const auto& [reason, n] : counts)
    text += "  " + NameOf(reason) + ": " + std::to_string(n) + "\n";
  const std::size_t shown = std::min(details, diff.cells.size());
  if (shown > 0) text += "\n";
  for (const DifferingCell& cell : std::span(diff.cells).first(shown)) {
    text += PlaceOf(cell) + ": " + NameOf(cell.reason) + ": " + cell.finding + "\n";
  }
  if (shown < diff.cells.size()) {
    text += "... and " + std::to_string(diff.cells.size() - shown) + " more\n";
  }
  return text;
}

Table CellTable(const StoreDiff& diff) {
  Table table;
  table.columns = {"learner", "dataset", "inner",  "candidate",
                   "repeat",  "fold",    "reason", "finding"};
  for (const DifferingCell& cell : diff.cells) {
    table.rows.push_back({cell.learner, cell.dataset, cell.inner, cell.candidate, cell.repeat + 1,
                          cell.fold + 1, NameOf(cell.reason), cell.finding});
  }
  return table;
}

}  // namespace crossfold
