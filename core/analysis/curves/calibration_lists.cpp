#include "crossfold/calibration_lists.h"

#include <cmath>
#include <utility>

namespace crossfold {
namespace {

bool AreFinite(const std::vector<double>& numbers) {
  for (const double number : numbers) {
    if (!std::isfinite(number)) return false;
  }
  return true;
}

// Whether the points make a map from probabilities to probabilities.
bool IsMap(const stats::IsotonicRegression& map) {
  for (std::size_t i = 0; i < map.x.size(); ++i) {
    if (!(map.x[i] >= 0 && map.x[i] <= 1 && map.y[i] >= 0 && map.y[i] <= 1)) return false;
    if (i > 0 && !(map.x[i] > map.x[i - 1] && map.y[i] >= map.y[i - 1])) return false;
  }
  return !map.x.empty();
}

bool FillPlatt(const CalibrationLists& lists, std::size_t maps, Calibration& out) {
  if (lists.slope.size() != maps || lists.intercept.size() != maps) return false;
  if (!AreFinite(lists.slope) || !AreFinite(lists.intercept)) return false;
  for (std::size_t m = 0; m < maps; ++m) {
    out.platt.push_back({true, "", lists.slope[m], lists.intercept[m]});
  }
  return true;
}

bool FillIsotonic(const CalibrationLists& lists, std::size_t maps, Calibration& out) {
  out.method = CalibrationMethod::kIsotonic;
  if (lists.sizes.size() != maps || lists.x.size() != lists.y.size()) return false;
  std::size_t first = 0;
  for (const std::int64_t size : lists.sizes) {
    if (size < 1 || static_cast<std::size_t>(size) > lists.x.size() - first) return false;
    const auto from = static_cast<std::ptrdiff_t>(first), to = from + size;
    stats::IsotonicRegression map{true, "", {}, {}};
    map.x.assign(lists.x.begin() + from, lists.x.begin() + to);
    map.y.assign(lists.y.begin() + from, lists.y.begin() + to);
    if (!IsMap(map)) return false;
    out.isotonic.push_back(std::move(map));
    first += static_cast<std::size_t>(size);
  }
  return first == lists.x.size();
}

}  // namespace

CalibrationLists ListsOf(const Calibration& calibration) {
  CalibrationLists lists;
  for (const stats::PlattScaling& map : calibration.platt) {
    lists.slope.push_back(map.slope);
    lists.intercept.push_back(map.intercept);
  }
  for (const stats::IsotonicRegression& map : calibration.isotonic) {
    lists.sizes.push_back(static_cast<std::int64_t>(map.x.size()));
    lists.x.insert(lists.x.end(), map.x.begin(), map.x.end());
    lists.y.insert(lists.y.end(), map.y.begin(), map.y.end());
  }
  return lists;
}

std::optional<Calibration> CalibrationOf(const CalibrationLists& lists, std::size_t n_classes) {
  Calibration made;
  made.defined = true;
  const std::size_t maps = NumCalibrationMaps(n_classes);
  const bool valid =
      lists.sizes.empty() ? FillPlatt(lists, maps, made) : FillIsotonic(lists, maps, made);
  if (!valid) return std::nullopt;
  return made;
}

}  // namespace crossfold
