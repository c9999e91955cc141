#include "analysis/facts/near_rows.h"

#include <cassert>
#include <cmath>
#include <limits>
#include <span>
#include <unordered_map>

#include "analysis/facts/content_keys.h"
#include "engine/data/column_entries.h"

namespace crossfold {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Row-major numbers of the rows of a view, and a hash of what must be equal.
struct Points {
  std::size_t width = 0;
  std::vector<double> numbers;
  std::vector<std::uint64_t> keys;

  std::span<const double> row(std::size_t i) const { return {numbers.data() + i * width, width}; }
};

// Mean and standard deviation (population) of the present entries; deviation 0 if there is none.
struct Spread {
  double mean = 0, deviation = 0;
};

Spread SpreadOf(const std::vector<double>& numbers) {
  double count = 0, sum = 0, squares = 0;
  for (const double x : numbers) {
    if (std::isnan(x)) continue;
    sum += x;
    ++count;
  }
  if (count == 0) return {};
  const double mean = sum / count;
  for (const double x : numbers) {
    if (!std::isnan(x)) squares += (x - mean) * (x - mean);
  }
  return {mean, std::sqrt(squares / count)};
}

// Entries of a numeric column as numbers, NaN = missing.
std::vector<double> NumbersOf(const Column& column, const DataView& view) {
  return VisitEntries(column, [&](auto entries) {
    std::vector<double> numbers;
    for (std::int64_t i = 0; i < view.num_rows(); ++i) {
      const auto row = static_cast<std::size_t>(view.row_id(i));
      const bool missing = !IsValid(column, row) || MarksMissing(column.dtype, entries[row]);
      numbers.push_back(missing ? std::numeric_limits<double>::quiet_NaN()
                                : static_cast<double>(entries[row]));
    }
    return numbers;
  });
}

struct Scaled {
  const Column* column;
  Spread spread;  // deviation 0: only whether it is missing counts, or the category
};

Points MakePoints(const DataView& view, const std::vector<Scaled>& scaled) {
  const auto n = static_cast<std::size_t>(view.num_rows());
  Points points;
  for (const Scaled& s : scaled) points.width += s.spread.deviation > 0 ? 1 : 0;
  points.numbers.resize(n * points.width);
  points.keys.assign(n, 0);
  std::size_t place = 0;
  for (const Scaled& s : scaled) {
    const std::vector<double> numbers = NumbersOf(*s.column, view);
    const bool counts = s.spread.deviation > 0;
    for (std::size_t i = 0; i < n; ++i) {
      const bool missing = std::isnan(numbers[i]);
      if (IsNumeric(s.column->dtype)) {
        points.keys[i] = Mix(points.keys[i] ^ (missing ? 1 : 0));
      } else {
        points.keys[i] =
            Mix(points.keys[i] ^ (missing ? 0 : static_cast<std::uint64_t>(numbers[i]) + 1));
      }
      if (counts) {
        points.numbers[i * points.width + place] =
            missing ? 0 : (numbers[i] - s.spread.mean) / s.spread.deviation;
      }
    }
    place += counts ? 1 : 0;
  }
  return points;
}

// The squared distance, or any number from `limit` on if it is not below that.
double SquaredDistance(std::span<const double> a, std::span<const double> b, double limit) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size() && sum < limit; ++j) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return sum;
}

// Puts row `other` at squared distance d < near.third into its place.
void Insert(std::int64_t other, double d, NearRows& near) {
  if (d >= near.second) {
    near.third = d;
    return;
  }
  near.third = near.second;
  near.second = d < near.distance ? near.distance : d;
  if (d < near.distance) {
    near.distance = d;
    near.nearest = other;
  }
}

}  // namespace

std::vector<NearRows> FindNearRows(const DataView& rows, const DataView& among,
                                   const CancelToken* cancel) {
  assert(rows.data == among.data);
  std::vector<Scaled> scaled;
  for (const cf_column& feature : among.data->features()) {
    const Column& column = among.data->column(feature.name);
    const bool numeric = IsNumeric(column.dtype);
    scaled.push_back({&column, numeric ? SpreadOf(NumbersOf(column, among)) : Spread{}});
    if (!std::isfinite(scaled.back().spread.deviation)) scaled.back().spread.deviation = 0;
  }
  const Points queries = MakePoints(rows, scaled), points = MakePoints(among, scaled);
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> by_key;
  for (std::size_t i = 0; i < points.keys.size(); ++i) by_key[points.keys[i]].push_back(i);

  std::vector<NearRows> result;
  for (std::size_t q = 0; q < queries.keys.size(); ++q) {
    StopIfCancelled(cancel);
    NearRows near{-1, kInfinity, kInfinity, kInfinity};
    const auto found = by_key.find(queries.keys[q]);
    if (found != by_key.end()) {
      const std::int64_t id = rows.row_id(static_cast<std::int64_t>(q));
      for (const std::size_t i : found->second) {
        const std::int64_t other = among.row_id(static_cast<std::int64_t>(i));
        const double d = SquaredDistance(queries.row(q), points.row(i), near.third);
        if (d < near.third && d > 0 && other != id) Insert(other, d, near);
      }
    }
    near.distance = std::sqrt(near.distance);
    near.second = std::sqrt(near.second);
    near.third = std::sqrt(near.third);
    result.push_back(near);
  }
  return result;
}

}  // namespace crossfold
