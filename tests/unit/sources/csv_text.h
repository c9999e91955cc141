// CSV texts read as the file a.csv.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "unit/engine/data/refusal.h"
#include "unit/sources/readings.h"

namespace crossfold::sources {

inline std::shared_ptr<const Dataset> ParseText(std::string_view text,
                                                const CsvOptions& options = {}) {
  return ParseCsv(text, "a.csv", options);
}

inline std::optional<Refusal> RefusalOfText(std::string_view text, const CsvOptions& options = {}) {
  return RefusalOf([&] { ParseText(text, options); });
}

}  // namespace crossfold::sources
