#include "ipc_dictionary.h"

#include <cstddef>
#include <cstring>
#include <limits>
#include <utility>

#include "../reading/refusal.h"

namespace crossfold::reading {
namespace {

template <class T>
T EntryAt(const char* data, std::int64_t row) {
  T entry{};
  std::memcpy(&entry, data + static_cast<std::size_t>(row) * sizeof(T), sizeof(T));
  return entry;
}

// Calls put(row, index) for the rows that are not null. Throws Error for an index that the
// dictionary lacks.
template <class Index, class Put>
void EachIndex(const IpcArray& indices, const IpcDictionary& dictionary, const std::string& column,
               const Put& put) {
  const std::size_t size = dictionary.code_of_entry.size();
  for (std::int64_t row = 0; row < indices.n_rows; ++row) {
    if (indices.is_null(row)) continue;
    const auto index = EntryAt<Index>(indices.data, row);
    // A negative one is larger than any size.
    if (static_cast<std::uint64_t>(index) >= size) {
      RefuseContent("the file is damaged: column '" + Shown(column) + "' has the index " +
                    std::to_string(index) + " in a dictionary of " + std::to_string(size) +
                    " entries; write it again");
    }
    put(static_cast<std::size_t>(row), static_cast<std::size_t>(index));
  }
}

template <class Index>
std::vector<std::int32_t> Codes(const IpcArray& indices, const IpcDictionary& dictionary,
                                const std::string& column) {
  std::vector<std::int32_t> codes(static_cast<std::size_t>(indices.n_rows), -1);
  EachIndex<Index>(indices, dictionary, column, [&](std::size_t row, std::size_t index) {
    codes[row] = dictionary.code_of_entry[index];
  });
  return codes;
}

}  // namespace

void IpcDictionary::Append(const IpcArray& texts, const EntryType& type,
                           const std::string& column) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  if (texts.n_rows > kMost - static_cast<std::int64_t>(code_of_entry.size())) {
    RefuseContent("column '" + Shown(column) + "' has too many levels");
  }
  for (std::int64_t entry = 0; entry < texts.n_rows; ++entry) {
    if (texts.is_null(entry)) {
      code_of_entry.push_back(-1);
      continue;
    }
    std::string level(texts.Text(entry, type.width));
    const auto [known, is_new] =
        code_of.try_emplace(level, static_cast<std::int32_t>(levels.size()));
    if (is_new) levels.push_back(std::move(level));
    code_of_entry.push_back(known->second);
  }
}

void CheckCodes(const IpcArray& indices, const IpcDictionary& dictionary,
                const std::string& column) {
  EachIndex<std::int32_t>(indices, dictionary, column, [](std::size_t, std::size_t) {});
}

std::vector<std::int32_t> CodesOf(const IpcArray& indices, const EntryType& type,
                                  const IpcDictionary& dictionary, const std::string& column) {
  switch (type.format[0]) {
    case 'c':
      return Codes<std::int8_t>(indices, dictionary, column);
    case 'C':
      return Codes<std::uint8_t>(indices, dictionary, column);
    case 's':
      return Codes<std::int16_t>(indices, dictionary, column);
    case 'S':
      return Codes<std::uint16_t>(indices, dictionary, column);
    case 'i':
      return Codes<std::int32_t>(indices, dictionary, column);
    case 'I':
      return Codes<std::uint32_t>(indices, dictionary, column);
    case 'l':
      return Codes<std::int64_t>(indices, dictionary, column);
    default:
      return Codes<std::uint64_t>(indices, dictionary, column);
  }
}

}  // namespace crossfold::reading
