// CSV texts read as the file a.csv.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
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

// What is wrong with the text: the message after "cannot read 'a.csv': ".
inline std::string FindingOf(std::string_view text, const CsvOptions& options = {}) {
  const auto refusal = RefusalOfText(text, options);
  if (!refusal) return "";
  const std::string attempt = "cannot read 'a.csv': ";
  EXPECT_EQ(*refusal, BadData(attempt + refusal->message.substr(attempt.size())));
  return refusal->message.substr(attempt.size());
}

}  // namespace crossfold::sources
