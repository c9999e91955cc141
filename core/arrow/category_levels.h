// The levels of categorical columns whose entries are strings, and the order of levels: there is no
// other one. plugins/reading has a copy, because plugins only include the SDK.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace crossfold {

// Distinct strings with codes 0, 1, ... in the order in which they were added.
class LevelSet {
 public:
  std::int32_t CodeOf(std::string_view level);
  std::size_t size() const { return levels_.size(); }
  std::size_t bytes() const { return bytes_; }  // of memory, approximately
  const std::string& level(std::size_t code) const { return *levels_[code]; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> code_of_;
  std::vector<const std::string*> levels_;  // the keys of code_of_, which stay where they are
  std::size_t bytes_ = 0;
};

// Levels in their final order, and the final code of each level found.
struct OrderedLevels {
  std::vector<std::string> levels;
  std::vector<std::int32_t> code_of_found;
};

// Orders levels: the `declared` ones (distinct) come first, the others after them, sorted by value
// if all found ones are finite decimal numbers as ParseDouble reads them ("10", "-1.5", "1e3", not
// "nan"; equal values, such as 1 and 1.0, by bytes), else by bytes.
OrderedLevels OrderLevels(const LevelSet& found, std::span<const std::string> declared);

}  // namespace crossfold
