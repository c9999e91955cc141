#include "bindings/c/handles.h"

#include <mutex>
#include <unordered_map>

namespace crossfold::c_api {
namespace {

struct Handles {
  std::mutex mutex;
  std::unordered_map<const void*, const void*> kinds;
};

// Never destroyed, because hosts also destroy handles while their process ends.
Handles& All() {
  static auto* const all = new Handles;
  return *all;
}

}  // namespace

void Remember(const void* handle, const void* kind) {
  const std::lock_guard lock(All().mutex);
  All().kinds[handle] = kind;
}

bool Forget(const void* handle, const void* kind) noexcept {
  const std::lock_guard lock(All().mutex);
  const auto found = All().kinds.find(handle);
  if (found == All().kinds.end() || found->second != kind) return false;
  All().kinds.erase(found);
  return true;
}

bool IsKnown(const void* handle, const void* kind) noexcept {
  const std::lock_guard lock(All().mutex);
  const auto found = All().kinds.find(handle);
  return found != All().kinds.end() && found->second == kind;
}

}  // namespace crossfold::c_api
