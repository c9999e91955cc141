// The source crossfold.arff.
#pragma once

#include <algorithm>
#include <array>

#include "../reading/ascii.h"
#include "arff_reader.h"
#include "text_params.h"

namespace crossfold::reading {

struct Arff {
  static constexpr std::array<const char*, 1> kEndings = {"arff"};
  static constexpr cf::SourceInfo kInfo{
      .component = {.id = "crossfold.arff",
                    .title = "ARFF, the format of Weka and OpenML",
                    .doc = "Reads text files that declare their columns: lists of values are "
                           "categorical with their levels in that order, numeric and integer are "
                           "i64 if all values are, else f64. Sparse lines are read, too.",
                    .source = "https://waikato.github.io/weka-wiki/formats_and_processing/"
                              "arff_stable/"},
      .endings = kEndings,
      .promises = CF_SOURCE_READS_ONE_FILE};
  struct Params : FileParams {
    TextEncoding encoding = TextEncoding::kUtf8;
  };
  static constexpr auto kSchema =
      cf::Schema(EncodingParam<Params>(), MemoryMapParam<Params>(), MostBytesParam<Params>());

  // The first line after comments and blank lines decides.
  static int Sniff(const cf::SourceInput& input) {
    std::string_view head = input.head();
    if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
    for (;;) {
      head.remove_prefix(std::min(head.find_first_not_of(" \t\r\n"), head.size()));
      if (!head.starts_with('%')) break;
      head.remove_prefix(std::min(head.find('\n'), head.size()));
    }
    for (const std::string_view first : {"@relation", "@attribute"}) {
      if (LowerCase(head.substr(0, first.size())) == first) return CF_SNIFF_CONTENT;
    }
    return HasEnding(input, kEndings) ? CF_SNIFF_NAME : CF_SNIFF_NO;
  }
  static cf::Columns Open(const Params& params, const cf::SourceInput& input,
                          const cf::Context& context) {
    return ReadTextFile(params, params.encoding, input, context,
                        [&](const TextSource& source, const ChunkedReading& reading) {
                          return ReadArffText(source, input, reading);
                        });
  }
};

}  // namespace crossfold::reading
