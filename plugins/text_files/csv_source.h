// The sources crossfold.csv and crossfold.tsv.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "csv_options.h"
#include "csv_reader.h"
#include "text_params.h"

namespace crossfold::reading {

enum class Ragged { kRefuse, kFill };
constexpr std::array<const char*, 2> kRaggedNames = {"refuse", "fill"};
enum class DuplicateNames { kRefuse, kNumber };
constexpr std::array<const char*, 2> kDuplicateNames = {"refuse", "number"};

struct CsvParams : FileParams {
  std::string separator = ",";
  std::optional<std::string> quote = "\"";
  std::string decimal = ".";
  std::optional<std::string> thousands = {};
  TextEncoding encoding = TextEncoding::kUtf8;
  std::int64_t skip_lines = 0;
  std::optional<std::string> comment = {};
  bool header = true;
  std::vector<std::string> names = {};
  std::vector<std::string> missing = CsvOptions().missing;
  Ragged ragged = Ragged::kRefuse;
  DuplicateNames duplicate_names = DuplicateNames::kRefuse;
};

// Of a parameter that is one character; `none` if it is not given.
inline char CharacterOf(const std::optional<std::string>& text, const char* name, char none) {
  if (!text) return none;
  if (text->size() != 1) RefuseOption(std::string(name) + " must be one character of ASCII");
  return text->front();
}

// Throws Error for options with which no text can be read.
inline CsvOptions CsvOptionsOf(const CsvParams& params) {
  if (params.decimal.empty()) RefuseOption("the decimal sign must be '.' or ','");
  if (params.comment == "") RefuseOption("comment is empty; leave it out for none");
  return {.missing = params.missing,
          .separator = SeparatorFromName(params.separator),
          .quote = CharacterOf(params.quote, "quote", kNoQuote),
          .decimal = CharacterOf(params.decimal, "decimal", '.'),
          .thousands = CharacterOf(params.thousands, "thousands", kNoThousands),
          .skip_lines = params.skip_lines,
          .comment = params.comment.value_or(""),
          .fill = params.ragged == Ragged::kFill,
          .number_duplicates = params.duplicate_names == DuplicateNames::kNumber,
          .header = params.header,
          .names = params.names,
          .most_bytes = params.most_bytes};
}
inline cf::Columns OpenCsv(const CsvParams& params, const cf::SourceInput& input,
                           const cf::Context& context) {
  const CsvOptions options = CsvOptionsOf(params);
  return ReadTextFile(params, params.encoding, input, context,
                      [&](const TextSource& source, const ChunkedReading& reading) {
                        return ReadCsvText(source, input, options, reading);
                      });
}

template <class P>
constexpr auto CsvSchema() {
  return cf::Schema(
      cf::Text(
          "separator", &P::separator,
          "Between the cells: a character of ASCII, or one of the words comma, semicolon, tab, "
          "bar, colon, space (runs of blanks) and auto (the one of , ; tab | that gives all lines "
          "the same number of cells)."),
      cf::Text("quote", &P::quote,
               "Around cells that hold separators, quotes or line ends; none = cells are never "
               "quoted."),
      cf::Text("decimal", &P::decimal, "The decimal sign: a point or a comma."),
      cf::Text("thousands", &P::thousands,
               "The sign between groups of digits: one of , . ' _ or a blank."),
      EncodingParam<P>(),
      cf::Integer("skip_lines", &P::skip_lines, {.low = 0},
                  "Number of lines at the start that are left out.", {.unit = "lines"}),
      cf::Text("comment", &P::comment, "Lines that begin with this are left out."),
      cf::Boolean("header", &P::header, "Whether the first line names the columns."),
      cf::TextList("names", &P::names,
                   "The names of the columns of a file without header; empty = c1, c2, ..."),
      cf::TextList("missing", &P::missing, "Cells that mean a missing entry."),
      cf::Choice("ragged", &P::ragged, kRaggedNames,
                 "What becomes of rows that are shorter than the header: an error, or missing "
                 "entries at their end."),
      cf::Choice("duplicate_names", &P::duplicate_names, kDuplicateNames,
                 "What becomes of columns of the same name: an error, or the names x, x.2, x.3."),
      MemoryMapParam<P>(), MostBytesParam<P>());
}

struct Csv {
  static constexpr std::array<const char*, 1> kEndings = {"csv"};
  static constexpr cf::SourceInfo kInfo{
      .component = {.id = "crossfold.csv",
                    .title = "Comma-separated values",
                    .doc =
                        "Reads text files of one line per row (RFC 4180) with separators, quotes, "
                        "decimal signs and encodings of many kinds, also if compressed by gzip. "
                        "Columns are i64, f64, bool or categorical, depending on their cells.",
                    .source = "RFC 4180"},
      .endings = kEndings,
      .promises = CF_SOURCE_READS_ONE_FILE};
  using Params = CsvParams;
  static constexpr auto kSchema = CsvSchema<CsvParams>();

  static int Sniff(const cf::SourceInput& input) {
    if (HasEnding(input, kEndings)) return CF_SNIFF_NAME;
    // Opening it gives a better error than "no source reads this".
    constexpr int kRatherThanOtherTexts = CF_SNIFF_GUESS + 1;
    return IsUri(input) ? int{CF_SNIFF_NO} : kRatherThanOtherTexts;
  }
  static cf::Columns Open(const Params& params, const cf::SourceInput& input,
                          const cf::Context& context) {
    return OpenCsv(params, input, context);
  }
};

struct TsvParams : CsvParams {
  TsvParams() { separator = "tab"; }
};

struct Tsv {
  static constexpr std::array<const char*, 1> kEndings = {"tsv"};
  static constexpr cf::SourceInfo kInfo{
      .component = {.id = "crossfold.tsv",
                    .title = "Tab-separated values",
                    .doc = "Reads text files as crossfold.csv does, with tabs between the cells.",
                    .source = "https://www.iana.org/assignments/media-types/text/"
                              "tab-separated-values"},
      .endings = kEndings,
      .promises = CF_SOURCE_READS_ONE_FILE};
  using Params = TsvParams;
  static constexpr auto kSchema = CsvSchema<TsvParams>();

  static int Sniff(const cf::SourceInput& input) { return SniffByName(input, kEndings); }
  static cf::Columns Open(const Params& params, const cf::SourceInput& input,
                          const cf::Context& context) {
    return OpenCsv(params, input, context);
  }
};

}  // namespace crossfold::reading
