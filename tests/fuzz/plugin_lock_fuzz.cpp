// Any bytes as a lock of plugins. What was read is written and read again as the same.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "crossfold/plugin_lock.h"
#include "fuzz/law.h"
#include "fuzz/targets.h"

int crossfold::fuzz::FeedPluginLock(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const auto lock = Attempted([&] { return std::optional(ParsePluginLock(text, "fuzz")); });
  if (!lock) return 0;
  const auto again = crossfold::ParsePluginLock(ToText(*lock), "fuzz");
  crossfold::fuzz::Demand(again.plugins == lock->plugins, "a written lock reads back");
  return 0;
}
