// Parameters that the sources of this library share, and how they open a file.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "../reading/file_text.h"
#include "../reading/refusal.h"
#include "crossfold_plugin/params.hpp"
#include "crossfold_plugin/source.hpp"
#include "decoded_text.h"
#include "reading_memory.h"
#include "text_chunks.h"
#include "text_source.h"

namespace crossfold::reading {

namespace cf = crossfold::plugin;

struct FileParams {
  bool memory_map = true;
  std::int64_t most_bytes = std::int64_t{4} << 30;
};

template <class P>
constexpr auto MostBytesParam() {
  return cf::Integer("most_bytes", &P::most_bytes, {.low = 1},
                     "Maximum size of the text of a file that is compressed or read from a pipe.",
                     {.flags = CF_PF_NO_EFFECT_ON_RESULT, .unit = "bytes"});
}

template <class P>
constexpr auto EncodingParam() {
  return cf::Choice(
      "encoding", &P::encoding, kEncodingNames,
      "Encoding of the text; a file in utf-8 may also begin with a byte order mark of "
      "UTF-16.");
}

// Then it is not a file.
inline bool IsUri(const cf::SourceInput& input) {
  return input.location().find("://") != std::string_view::npos;
}
// Whether it is the name of a file with one of the endings, perhaps with ".gz" after it.
template <std::size_t N>
bool HasEnding(const cf::SourceInput& input, const std::array<const char*, N>& endings) {
  if (IsUri(input)) return false;
  for (const std::string ending : endings) {
    if (input.EndsWith("." + ending) || input.EndsWith("." + ending + ".gz")) return true;
  }
  return false;
}
// For a format that only its name distinguishes from other text.
template <std::size_t N>
int SniffByName(const cf::SourceInput& input, const std::array<const char*, N>& endings) {
  if (HasEnding(input, endings)) return CF_SNIFF_NAME;
  return IsUri(input) ? CF_SNIFF_NO : CF_SNIFF_GUESS;
}

// Returns the result of read(source, reading) for the text of the file.
template <class Read>
cf::Columns ReadTextFile(const FileParams& params, TextEncoding encoding,
                         const cf::SourceInput& input, const cf::Context& context,
                         const Read& read) {
  return ReportingShortage("choose columns (types) or rows,", [&] {
    const std::int64_t most_bytes = std::min(params.most_bytes, input.max_bytes());
    const FileText file(input.location(),
                        params.memory_map ? FileText::kSmallestMap : FileText::kNeverMap,
                        most_bytes);
    const DecodedText decoded(file.text(), encoding, most_bytes);
    const TextSource source{
        .text = decoded.text(),
        .most_columns = static_cast<std::size_t>(input.max_bytes() / ReadingMemory::kColumnBytes),
        .context = &context};
    const auto check = [&] {
      source.Progress(source.text.data());
      file.CheckUnchanged();
    };
    return read(source,
                ChunkedReading{.threads = static_cast<int>(context.n_threads()), .check = check});
  });
}

}  // namespace crossfold::reading
