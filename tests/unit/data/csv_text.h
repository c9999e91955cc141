// CSV texts read as the file a.csv.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "crossfold/csv.h"
#include "unit/data/refusal.h"

namespace crossfold {

inline std::shared_ptr<const Dataset> ParseText(std::string_view text,
                                                const CsvOptions& options = {}) {
  return ParseCsv(text, "a.csv", options);
}

inline std::optional<Refusal> RefusalOfText(std::string_view text, const CsvOptions& options = {}) {
  return RefusalOf([&] { ParseText(text, options); });
}

}  // namespace crossfold
