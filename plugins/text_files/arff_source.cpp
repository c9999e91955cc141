#include "arff_source.h"

#include <algorithm>

#include "../reading/ascii.h"
#include "arff_reader.h"

namespace crossfold::reading {

// The first line after comments and blank lines decides.
int Arff::Sniff(const cf::SourceInput& input) {
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

cf::Columns Arff::Open(const Params& params, const cf::SourceInput& input,
                       const cf::Context& context) {
  return ReadTextFile(params, EncodingOf(params.encoding), input, context,
                      [&](const TextSource& source, const ChunkedReading& reading) {
                        return ReadArffText(source, input, reading);
                      });
}

}  // namespace crossfold::reading
