// Any bytes as a lockbox: what it says, or a crossfold::Error. Then the bytes as the entries of
// one, each a byte for the kind, two for the length and its fields, with the chain that fits them:
// what was read is written and read again as the same.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/lockbox.h"
#include "encoding/fields.h"
#include "fuzz/law.h"
#include "fuzz/targets.h"
#include "lockbox/lockbox_file.h"

namespace {

using crossfold::LockboxFile;
using crossfold::NewEntry;

constexpr const char* kAttempt = "cannot read lockbox 'fuzz': ";

std::optional<LockboxFile> Parse(std::string_view bytes) {
  return crossfold::fuzz::Attempted(
      [&] { return std::optional(LockboxFile::Parse(bytes, kAttempt)); }, kAttempt);
}

std::vector<NewEntry> EntriesIn(std::string_view given) {
  std::vector<NewEntry> entries;
  while (given.size() >= 3) {
    const std::size_t n = static_cast<unsigned char>(given[1]) +
                          256 * std::size_t{static_cast<unsigned char>(given[2])};
    entries.push_back({static_cast<std::uint8_t>(given[0]), std::string(given.substr(3, n))});
    given.remove_prefix(std::min(given.size(), 3 + n));
  }
  return entries;
}

// The fields of the entries as the parsed values write them.
void DemandSameFields(const LockboxFile& file) {
  std::size_t opening = 0;
  for (const crossfold::LockboxEntry& entry : file.entries) {
    std::string written;
    if (entry.kind == crossfold::kOpeningEntry) {
      written = crossfold::WriteOpening(file.openings[opening++]);
    } else if (entry.kind == crossfold::kAnswerEntry) {
      crossfold::LockboxAnswer answer;
      const std::int64_t number = crossfold::ReadAnswer(entry.fields, answer);
      written = crossfold::WriteAnswer(number, answer);
    } else {
      continue;  // a seal also names the version that wrote it
    }
    crossfold::fuzz::Demand(written == entry.fields, "entries are written as they were read");
  }
}

}  // namespace

int crossfold::fuzz::FeedLockbox(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view given(reinterpret_cast<const char*>(bytes), size);
  if (const auto file = Parse(given)) DemandSameFields(*file);
  const std::vector<NewEntry> entries = EntriesIn(given);
  const std::string chained = crossfold::FormatLockbox(entries, crossfold::LockboxKey());
  const auto file = Parse(chained);
  if (!file) return 0;
  crossfold::fuzz::Demand(file->entries.size() == entries.size(), "no entry is lost");
  DemandSameFields(*file);
  return 0;
}
