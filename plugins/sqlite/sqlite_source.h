// The source crossfold.sqlite.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "../reading/refusal.h"
#include "crossfold_plugin/params.hpp"
#include "crossfold_plugin/source.hpp"
#include "sqlite_reader.h"

namespace crossfold::reading {

struct Sqlite {
  static constexpr std::array<const char*, 3> kEndings = {"db", "sqlite", "sqlite3"};
  static constexpr cf::SourceInfo kInfo{
      .component = {.id = "crossfold.sqlite",
                    .title = "SQLite databases",
                    .doc = "Reads a table or the result of a SELECT. Columns get their types from "
                           "their cells: i64 if all are INTEGER, f64 if all are INTEGER or REAL, "
                           "else categorical. The database is never written to.",
                    .source = "https://www.sqlite.org"},
      .endings = kEndings,
      .promises = CF_SOURCE_READS_ONE_FILE};
  struct Params {
    std::optional<std::string> query = {}, table = {};
    std::int64_t most_bytes = std::int64_t{4} << 30;
  };
  // SQL functions cannot be interrupted; they take less than a second for strings of this number of
  // bytes.
  static constexpr std::int64_t kLongestUntrustedText = std::int64_t{1} << 18;
  static constexpr auto kSchema = cf::Schema(
      cf::Text("query", &Params::query, "A SELECT whose rows are read; instead of a table."),
      cf::Text("table", &Params::table, "A table or view whose rows are read, by rowid."),
      cf::Integer("most_bytes", &Params::most_bytes, {.low = 1},
                  "Maximum size of all cells in memory.",
                  {.flags = CF_PF_NO_EFFECT_ON_RESULT, .unit = "bytes"}));

  static int Sniff(const cf::SourceInput& input) {
    constexpr std::string_view kMagic("SQLite format 3\0", 16);
    if (input.head().starts_with(kMagic)) return CF_SNIFF_CONTENT;
    // An empty file is an empty database, and unknown bytes may be anything.
    if (!input.head().empty()) return CF_SNIFF_NO;
    for (const std::string ending : kEndings) {
      if (input.EndsWith("." + ending)) return CF_SNIFF_NAME;
    }
    return CF_SNIFF_NO;
  }

  static cf::Columns Open(const Params& params, const cf::SourceInput& input,
                          const cf::Context& context) {
    return ReportingShortage("choose columns or rows,", [&] {
      return ReadSqlite(input.location(),
                        {.query = params.query.value_or(""),
                         .table = params.table.value_or(""),
                         .most_bytes = std::min(params.most_bytes, input.max_bytes()),
                         .most_text_bytes = input.is_trusted() ? 0 : kLongestUntrustedText},
                        input, context);
    });
  }
};

}  // namespace crossfold::reading
