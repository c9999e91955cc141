#include "duckdb_source.h"

#include <filesystem>
#include <string_view>
#include <system_error>

#include "../reading/refusal.h"
#include "duckdb_query.h"

namespace crossfold::reading {
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

int DuckDb::Sniff(const cf::SourceInput& input) {
  if (IsParquet(input) || IsDatabase(input)) return CF_SNIFF_CONTENT;
  if (input.location().find("://") != std::string_view::npos) return CF_SNIFF_NO;
  for (const std::string ending : kEndings) {
    if (input.EndsWith("." + ending)) return CF_SNIFF_NAME;
  }
  return CF_SNIFF_NO;
}

cf::Columns DuckDb::Open(const Params& params, const cf::SourceInput& input,
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

}  // namespace crossfold::reading
