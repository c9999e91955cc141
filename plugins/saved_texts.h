// Lists of names in saved models.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "crossfold_plugin.hpp"

namespace crossfold::bundled {

inline void SaveTexts(plugin::Writer& w, const std::vector<std::string>& texts) {
  w.Write(static_cast<std::uint64_t>(texts.size()));
  for (const std::string& text : texts) w.WriteText(text);
}

// It never reads past the bytes, whatever length they claim.
inline std::vector<std::string> LoadTexts(plugin::Reader& r) {
  std::vector<std::string> texts;
  const auto n = r.Read<std::uint64_t>();
  for (std::uint64_t i = 0; i < n; ++i) texts.push_back(r.ReadText());
  return texts;
}

}  // namespace crossfold::bundled
