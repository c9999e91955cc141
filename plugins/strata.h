// The strata that `stratify` spreads evenly: the classes, or quantile bins of a numeric target,
// combined with the strata column if the dataset has one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "crossfold_plugin/context.hpp"
#include "crossfold_plugin/splitter.hpp"
#include "row_sets.h"

namespace crossfold::bundled {

inline constexpr std::int64_t kDefaultBins = 10;

// The parameter `stratify`: a stratum that is too rare for the splits is refused, or with
// kAsFarAsPossible spread as far as possible, with a note.
enum class Stratify { kNo, kYes, kAsFarAsPossible };
inline constexpr std::array<const char*, 3> kStratifyNames = {"false", "true",
                                                              "as far as possible"};
inline constexpr const char* kIfStratified = "stratify=true,as far as possible";

// Logs what was done with a stratum that is too rare; there are `n_others` more.
void NoteRareStratum(const plugin::Context& context, const std::string& finding,
                     std::size_t n_others);

// Only strata that have rows. Those of classes are in the order of their first rows, so that neither
// the names of the classes nor their order matter; bins are from the lowest up, and within these
// the strata of the column are in the order of their first rows.
struct Strata {
  std::vector<RowSet> rows;        // ascending
  std::vector<std::string> names;  // "class 'A'", "bin 3 of the target (4.5 to 7)"
  bool has_bins = false;           // of a numeric target

  std::size_t size() const { return rows.size(); }
  // Returns the first of equal ones.
  std::size_t Smallest() const;
  // Rows of each stratum.
  std::vector<std::int64_t> Sizes() const;
  // "use at most 3 folds, fewer bins, stratify = \"as far as possible\", or stratify = false";
  // `other` may be empty.
  std::string WayOut(const std::string& other) const;
};

// The strata of the rows: combinations of class or bin with the strata column, whichever of them
// there are; at most `n_bins` bins of a numeric target. Throws Error for data that cannot be
// stratified.
Strata MakeStrata(const plugin::SplitInput& input, std::int64_t n_bins);

}  // namespace crossfold::bundled
