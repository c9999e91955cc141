// The definitions of a run and their numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace crossfold {

// Things that workers know by numbers from 1 on.
template <class T>
class Numbered {
 public:
  std::uint64_t Add(const std::shared_ptr<const T>& thing) {
    if (thing == nullptr) return 0;
    const auto [known, is_new] = numbers_.emplace(thing.get(), things_.size() + 1);
    if (is_new) things_.push_back(thing);
    return known->second;
  }
  std::uint64_t number(const std::shared_ptr<const T>& thing) const {
    return thing == nullptr ? 0 : numbers_.at(thing.get());
  }
  const std::shared_ptr<const T>& thing(std::uint64_t number) const {
    return things_[static_cast<std::size_t>(number - 1)];
  }
  std::size_t size() const { return things_.size(); }

 private:
  std::vector<std::shared_ptr<const T>> things_;
  std::unordered_map<const T*, std::uint64_t> numbers_;
};

}  // namespace crossfold
