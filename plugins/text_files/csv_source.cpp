#include "csv_source.h"

#include "csv_reader.h"

namespace crossfold::reading {
namespace {

// Of a parameter that is one character; `none` if it is not given.
char CharacterOf(const std::optional<std::string>& text, const char* name, char none) {
  if (!text) return none;
  if (text->size() != 1) RefuseOption(std::string(name) + " must be one character of ASCII");
  return text->front();
}

}  // namespace

CsvOptions CsvOptionsOf(const CsvParams& params) {
  if (params.decimal.empty()) RefuseOption("the decimal sign must be '.' or ','");
  if (params.comment == "") RefuseOption("comment is empty; leave it out for none");
  return {.missing = params.missing,
          .separator = SeparatorFromName(params.separator),
          .quote = CharacterOf(params.quote, "quote", kNoQuote),
          .decimal = CharacterOf(params.decimal, "decimal", '.'),
          .thousands = CharacterOf(params.thousands, "thousands", kNoThousands),
          .skip_lines = params.skip_lines,
          .comment = params.comment.value_or(""),
          .header = params.header,
          .names = params.names,
          .most_bytes = params.most_bytes};
}

cf::Columns OpenCsv(const CsvParams& params, const cf::SourceInput& input,
                    const cf::Context& context) {
  const CsvOptions options = CsvOptionsOf(params);
  return ReadTextFile(params, EncodingOf(params.encoding), input, context,
                      [&](const TextSource& source, const ChunkedReading& reading) {
                        return ReadCsvText(source, input, options, reading);
                      });
}

}  // namespace crossfold::reading
