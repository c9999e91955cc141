// Any bytes as the cache of scanned plugins, and as the answer of a process that scans one. What
// was read is written and read again as the same.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "discovery/plugin_scan.h"
#include "fuzz/law.h"
#include "fuzz/targets.h"

int crossfold::fuzz::FeedScanCache(const std::uint8_t* bytes, std::size_t size) {
  using crossfold::fuzz::Demand;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const std::string written = ToText(crossfold::ParseScannedFiles(text));
  Demand(ToText(crossfold::ParseScannedFiles(written)) == written, "a written cache reads back");
  if (const auto outcome = crossfold::ParseScanOutcome(text)) {
    Demand(crossfold::ParseScanOutcome(ToText(*outcome)) == outcome, "an outcome reads back");
  }
  return 0;
}
