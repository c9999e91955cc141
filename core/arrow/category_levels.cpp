#include "arrow/category_levels.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/text/format_number.h"

namespace crossfold {
namespace {

// Codes of the found levels, sorted.
std::vector<std::size_t> SortedCodes(const LevelSet& found) {
  std::vector<std::size_t> order;
  std::vector<double> values;
  bool all_numbers = true;
  for (std::size_t code = 0; code < found.size(); ++code) {
    const std::optional<double> value = ParseDouble(found.level(code));
    all_numbers = all_numbers && value && std::isfinite(*value);
    values.push_back(value.value_or(0.0));
    order.push_back(code);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (all_numbers && values[a] != values[b]) return values[a] < values[b];
    return found.level(a) < found.level(b);
  });
  return order;
}

}  // namespace

std::int32_t LevelSet::CodeOf(std::string_view level) {
  const auto known = code_of_.find(level);
  if (known != code_of_.end()) return known->second;
  constexpr std::size_t kBytesPerLevel = 96;
  bytes_ += level.size() + kBytesPerLevel;
  const auto code = static_cast<std::int32_t>(levels_.size());
  levels_.push_back(&code_of_.emplace(level, code).first->first);
  return code;
}

OrderedLevels OrderLevels(const LevelSet& found, std::span<const std::string> declared) {
  OrderedLevels ordered;
  ordered.levels.assign(declared.begin(), declared.end());
  ordered.code_of_found.resize(found.size());
  std::unordered_map<std::string_view, std::int32_t> declared_code;
  for (std::size_t i = 0; i < declared.size(); ++i) {
    declared_code.emplace(declared[i], static_cast<std::int32_t>(i));
  }
  for (const std::size_t code : SortedCodes(found)) {
    const auto known = declared_code.find(found.level(code));
    if (known != declared_code.end()) {
      ordered.code_of_found[code] = known->second;
      continue;
    }
    ordered.code_of_found[code] = static_cast<std::int32_t>(ordered.levels.size());
    ordered.levels.push_back(found.level(code));
  }
  return ordered;
}

}  // namespace crossfold
