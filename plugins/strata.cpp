#include "strata.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <unordered_map>
#include <utility>

#include "crossfold_plugin/error.hpp"
#include "number_text.h"

namespace crossfold::bundled {
namespace {

// Which part of the strata each row belongs to, and the names of the parts.
struct StratumCodes {
  std::vector<std::int32_t> of_row;
  std::vector<std::string> names;
};

StratumCodes CodesOfClasses(const plugin::SplitInput& input) {
  StratumCodes codes;
  for (std::int64_t c = 0; c < input.num_classes(); ++c) {
    codes.names.push_back("class '" + std::string(input.class_name(c)) + "'");
  }
  codes.of_row.assign(input.labels().begin(), input.labels().end());
  const auto n_missing = std::count_if(codes.of_row.begin(), codes.of_row.end(),
                                       [](std::int32_t label) { return label < 0; });
  if (n_missing > 0) {
    throw plugin::Error(CF_E_UNSUPPORTED_DATA,
                        "the class of " + Counted(n_missing, "row") +
                            " is missing, and stratify needs it; use stratify = false");
  }
  return codes;
}

// Rows are ranked by the target; the bin of a run of equal values is that of its middle rank, so
// that ties stay together. Without ties the sizes of the bins differ by at most one.
StratumCodes CodesOfBins(std::span<const double> values, std::int64_t n_bins) {
  RowSet order = AllRows(static_cast<std::int64_t>(values.size()));
  const auto value_of = [&](std::int64_t row) { return values[static_cast<std::size_t>(row)]; };
  if (std::any_of(values.begin(), values.end(), [](double v) { return std::isnan(v); })) {
    throw plugin::Error(CF_E_UNSUPPORTED_DATA,
                        "the target of a row is missing, and stratify needs it; use stratify = "
                        "false");
  }
  std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return value_of(a) != value_of(b) ? value_of(a) < value_of(b) : a < b;
  });
  StratumCodes codes;
  codes.of_row.resize(values.size());
  std::vector<std::pair<double, double>> ranges(
      static_cast<std::size_t>(n_bins),
      {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()});
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    const double value = value_of(order[begin]);
    while (end < order.size() && value_of(order[end]) == value) ++end;
    const std::size_t bin =
        (begin + end - 1) * static_cast<std::size_t>(n_bins) / (2 * order.size());
    ranges[bin] = {std::min(ranges[bin].first, value), std::max(ranges[bin].second, value)};
    for (std::size_t i = begin; i < end; ++i) {
      codes.of_row[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(bin);
    }
  }
  for (std::size_t bin = 0; bin < ranges.size(); ++bin) {
    codes.names.push_back("bin " + std::to_string(bin + 1) + " of the target (" +
                          RoundedText(ranges[bin].first, 6) + " to " +
                          RoundedText(ranges[bin].second, 6) + ")");
  }
  return codes;
}

// Divides each part by the strata column.
StratumCodes Crossed(const StratumCodes& parts, std::span<const std::int64_t> strata) {
  std::unordered_map<std::int64_t, std::int64_t> number_of;  // by first row
  std::vector<std::string> first_row;
  std::vector<std::int64_t> numbers;
  numbers.reserve(strata.size());
  for (std::size_t row = 0; row < strata.size(); ++row) {
    const auto [place, is_new] =
        number_of.try_emplace(strata[row], static_cast<std::int64_t>(number_of.size()));
    if (is_new) first_row.push_back("the stratum of row " + std::to_string(row + 1));
    numbers.push_back(place->second);
  }
  const auto n_strata = static_cast<std::int64_t>(first_row.size());
  for (std::size_t row = 0; row < strata.size(); ++row) {
    numbers[row] += parts.of_row[row] * n_strata;
  }
  std::vector<std::int64_t> present = numbers;  // many combinations may have no row
  std::sort(present.begin(), present.end());
  present.erase(std::unique(present.begin(), present.end()), present.end());
  StratumCodes crossed;
  for (const std::int64_t number : present) {
    const std::string& part = parts.names[static_cast<std::size_t>(number / n_strata)];
    const std::string& stratum = first_row[static_cast<std::size_t>(number % n_strata)];
    crossed.names.push_back(part.empty() ? stratum : part + " in " + stratum);
  }
  crossed.of_row.reserve(numbers.size());
  for (const std::int64_t number : numbers) {
    crossed.of_row.push_back(static_cast<std::int32_t>(
        std::lower_bound(present.begin(), present.end(), number) - present.begin()));
  }
  return crossed;
}

}  // namespace

void NoteRareStratum(const plugin::Context& context, const std::string& finding,
                     std::size_t n_others) {
  const std::string others = n_others == 0 ? ""
                             : n_others == 1
                                 ? "; 1 more stratum is too rare"
                                 : "; " + std::to_string(n_others) + " more strata are too rare";
  context.Log(CF_LOG_INFO, ("stratified as far as possible: " + finding + others).c_str());
}

std::vector<std::int64_t> Strata::Sizes() const {
  std::vector<std::int64_t> sizes;
  for (const RowSet& set : rows) sizes.push_back(static_cast<std::int64_t>(set.size()));
  return sizes;
}

std::size_t Strata::Smallest() const {
  std::size_t smallest = 0;
  for (std::size_t s = 1; s < rows.size(); ++s) {
    if (rows[s].size() < rows[smallest].size()) smallest = s;
  }
  return smallest;
}

std::string Strata::WayOut(const std::string& other) const {
  const std::string ways = (other.empty() ? "" : other + ", ") + (has_bins ? "fewer bins, " : "");
  return "use " + ways + "stratify = \"as far as possible\"" + (ways.empty() ? "" : ",") +
         " or stratify = false";
}

Strata MakeStrata(const plugin::SplitInput& input, std::int64_t n_bins) {
  StratumCodes codes;
  Strata strata;
  if (input.has_labels()) {
    codes = CodesOfClasses(input);
  } else if (input.has_values()) {
    codes = CodesOfBins(input.values(), std::min(n_bins, input.num_rows()));
    strata.has_bins = true;
  } else if (input.has_strata()) {
    codes.names = {""};
    codes.of_row.resize(static_cast<std::size_t>(input.num_rows()));
  } else {
    throw plugin::Error(CF_E_UNSUPPORTED_DATA,
                        "stratify needs a target or a strata column; use stratify = false");
  }
  if (input.has_strata()) codes = Crossed(codes, input.strata());
  std::vector<std::size_t> sizes(codes.names.size());
  for (const std::int32_t code : codes.of_row) ++sizes[static_cast<std::size_t>(code)];
  std::vector<RowSet> rows(codes.names.size());
  for (std::size_t s = 0; s < rows.size(); ++s) rows[s].reserve(sizes[s]);
  for (std::size_t row = 0; row < codes.of_row.size(); ++row) {
    rows[static_cast<std::size_t>(codes.of_row[row])].push_back(static_cast<std::int64_t>(row));
  }
  std::vector<std::size_t> order;
  for (std::size_t s = 0; s < rows.size(); ++s) {
    if (!rows[s].empty()) order.push_back(s);
  }
  // The order of the classes is that of a list of names, which says nothing about the rows.
  if (input.has_labels()) {
    std::ranges::sort(order, {}, [&](std::size_t s) { return rows[s].front(); });
  }
  for (const std::size_t s : order) {
    strata.rows.push_back(std::move(rows[s]));
    strata.names.push_back(std::move(codes.names[s]));
  }
  return strata;
}

}  // namespace crossfold::bundled
