// A source that reads Parquet, JSON and DuckDB databases through DuckDB.
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "../reading/refusal.h"
#include "crossfold_plugin.hpp"
#include "duckdb_query.h"

namespace crossfold::reading {

namespace cf = crossfold::plugin;

namespace {

bool IsParquet(const cf::SourceInput& input) { return input.head().starts_with("PAR1"); }

// Bytes 8 to 11 of a database (https://duckdb.org/docs/stable/internals/storage).
bool IsDatabase(const cf::SourceInput& input) {
  return input.head().size() >= 12 && input.head().substr(8, 4) == "DUCK";
}

bool IsPattern(const cf::SourceInput& input) {
  return input.location().find_first_of("*?[") != std::string_view::npos;
}

std::string Quoted(std::string_view text, char quote) {
  std::string quoted(1, quote);
  for (const char c : text) quoted += std::string(c == quote ? 2 : 1, c);
  return quoted + quote;
}

void RequireFile(const cf::SourceInput& input) {
  std::error_code error;
  const auto status = std::filesystem::status(std::string(input.location()), error);
  if (std::filesystem::is_regular_file(status) || IsPattern(input)) return;
  RefuseFile(std::filesystem::exists(status) ? "it is not a file" : "there is no such file");
}

}  // namespace

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

  static int Sniff(const cf::SourceInput& input) {
    if (IsParquet(input) || IsDatabase(input)) return CF_SNIFF_CONTENT;
    if (input.location().find("://") != std::string_view::npos) return CF_SNIFF_NO;
    for (const std::string ending : kEndings) {
      if (input.EndsWith("." + ending)) return CF_SNIFF_NAME;
    }
    return CF_SNIFF_NO;
  }
  static cf::Columns Open(const Params& params, const cf::SourceInput& input,
                          const cf::Context& context) {
    RequireFile(input);
    if (params.query && params.table) {
      RefuseOption("a query and a table exclude each other; give one");
    }
    DuckDbRequest request;
    const bool is_database = IsDatabase(input) || input.EndsWith(".duckdb");
    if (is_database) {
      if (!params.query && !params.table) RefuseOption("name a table, or give a query");
      request.database = input.location();
      if (params.table) request.view = Quoted(*params.table, '"');
    } else {
      if (params.table)
        RefuseOption("it is not a database, so it has no table; give a query of data");
      const bool is_json = !IsParquet(input) && !input.EndsWith(".parquet");
      request.view = std::string(is_json ? "read_json_auto(" : "read_parquet(") +
                     Quoted(input.location(), '\'') + ")";
    }
    request.query = params.query.value_or("");
    if (!params.query) request.threads = static_cast<int>(context.n_threads());
    return ReportingShortage("choose columns or rows in the query,",
                             [&] { return ReadDuckDb(request, input, context); });
  }
};

}  // namespace crossfold::reading

CROSSFOLD_PLUGIN("crossfold.duckdb", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::reading::DuckDb)
