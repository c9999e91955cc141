// The source crossfold.duckdb.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "crossfold_plugin/params.hpp"
#include "crossfold_plugin/source.hpp"

namespace crossfold::reading {

namespace cf = crossfold::plugin;

struct DuckDb {
  static constexpr std::array<const char*, 5> kEndings = {"parquet", "json", "ndjson", "jsonl",
                                                          "duckdb"};
  static constexpr cf::SourceInfo kInfo{
      .component =
          {.id = "crossfold.duckdb",
           .title = "Parquet, JSON and DuckDB databases",
           .doc = "Reads files, or several by a pattern such as part-*.parquet, or the result of a "
                  "SELECT on them, through the library DuckDB, which has to be installed.",
           .source = "https://duckdb.org"},
      .endings = kEndings};
  struct Params {
    std::optional<std::string> query = {}, table = {};
  };
  static constexpr auto kSchema = cf::Schema(
      cf::Text("query", &Params::query,
               "A SELECT whose rows are read; in it the files are the view data."),
      cf::Text("table", &Params::table, "A table or view of a database whose rows are read."));

  static int Sniff(const cf::SourceInput& input);
  static cf::Columns Open(const Params& params, const cf::SourceInput& input,
                          const cf::Context& context);
};

}  // namespace crossfold::reading
