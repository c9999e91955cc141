#include "cli/data_file.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "cli/command.h"
#include "crossfold/arff.h"
#include "crossfold/csv.h"
#include "crossfold/error.h"
#include "crossfold/libsvm.h"
#include "crossfold/sqlite.h"

namespace crossfold::cli {
namespace {

void DeclareColumns(Command& command, DataFileOptions& options) {
  command.AddOption("--target", options.roles.target, "Column to be predicted");
  command.AddOption("--weights", options.roles.weights, "Column of weights");
  command.AddOption("--groups", options.roles.groups, "Column of groups");
  command.AddOption("--time", options.roles.time, "Column of times");
  command.AddOption("--folds-column", options.roles.folds, "Column of fold numbers");
  command.AddOption("--strata", options.roles.strata, "Column of strata");
  command
      .AddOption("--types", options.types,
                 "Types of columns: NAME=TYPE,...; f64, f32, i32, i64, bool, categorical, ignore")
      .SplitAt(',');
  command
      .AddOption("--drop-missing", options.drop_missing,
                 "Leave out rows without an entry in these columns, or roles as in target,groups")
      .SplitAt(',');
  command
      .AddOption("--missing", options.missing,
                 "Cells that mean \"missing\", separated by commas; default empty, ? and NA")
      .SplitAt(',');
}

void DeclareForm(Command& command, DataFileOptions& options) {
  command.AddOption("--format", options.format, "Instead of what the ending says")
      .OneOf({"arff", "csv", "libsvm", "sqlite", "tsv"});
  command.AddOption("--separator", options.separator,
                    "A character, or auto, bar, colon, comma, semicolon, space, tab");
  command.AddOption("--quote", options.quote, "A character, or none");
  command.AddOption("--decimal", options.decimal, "The sign before decimals: . or ,");
  command.AddOption("--thousands", options.thousands,
                    "The sign between groups of digits: , . ' _ or a blank");
  command.AddOption("--encoding", options.encoding,
                    "utf-8, latin1, windows-1252, utf-16, utf-16le, utf-16be");
  command.AddOption("--comment", options.comment, "Lines that begin so are left out");
  command.AddOption("--skip-lines", options.skip_lines, "Lines to leave out before the header")
      .NotNegative();
  command.AddFlag("--no-header", options.no_header, "The first line is a row: columns c1, c2, ...");
  command.AddOption("--names", options.names, "Names of the columns, with --no-header")
      .SplitAt(',');
  command.AddOption("--task", options.task, "Of a LIBSVM file")
      .OneOf({"classification", "regression"});
  command.AddOption("--query", options.query, "SELECT on an SQLite database");
  command.AddOption("--table", options.table, "Table of an SQLite database");
  command
      .AddOption("--most-bytes", options.most_bytes,
                 "Limit of what is unpacked or read from a database, as in 8G; default 4G")
      .ByteSize();
}

// The ending in lower case, without ".gz".
std::string EndingOf(std::filesystem::path path) {
  const auto lower = [](std::string text) {
    for (char& c : text) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return text;
  };
  if (lower(path.extension().string()) == ".gz") path = path.stem();
  return lower(path.extension().string());
}

std::string FormatOf(const DataFileOptions& options) {
  if (!options.format.empty()) return options.format;
  if (!options.query.empty() || !options.table.empty()) return "sqlite";
  const std::map<std::string, std::string> formats = {{".arff", "arff"},
                                                      {".libsvm", "libsvm"},
                                                      {".svm", "libsvm"},
                                                      {".tsv", "tsv"},
                                                      {".svmlight", "libsvm"}};
  const auto known = formats.find(EndingOf(options.path));
  if (known != formats.end()) return known->second;
  std::error_code error;
  const bool is_file = std::filesystem::is_regular_file(options.path, error);
  return is_file && IsSqlite(options.path) ? "sqlite" : "csv";
}

[[noreturn]] void Refuse(const DataFileOptions& options, const std::string& finding) {
  throw Error(ErrorKind::kInvalidArgument, "cannot read '" + options.path + "': " + finding);
}

// Refuses options that files of this format do not have.
void CheckOptions(const DataFileOptions& options, const std::string& format) {
  const bool csv = format == "csv" || format == "tsv", sqlite = format == "sqlite";
  const bool libsvm = format == "libsvm";
  const Roles& roles = options.roles;
  const struct {
    const char* name;
    bool given, allowed;
  } checks[] = {
      {"--separator", !options.separator.empty(), csv},
      {"--quote", !options.quote.empty(), csv},
      {"--decimal", !options.decimal.empty(), csv},
      {"--thousands", !options.thousands.empty(), csv},
      {"--encoding", !options.encoding.empty(), csv || format == "arff"},
      {"--comment", !options.comment.empty(), csv},
      {"--skip-lines", options.skip_lines > 0, csv},
      {"--no-header", options.no_header, csv},
      {"--names", !options.names.empty(), csv},
      {"--missing", !options.missing.empty(), csv},
      {"--task", !options.task.empty(), libsvm},
      {"--query", !options.query.empty(), sqlite},
      {"--table", !options.table.empty(), sqlite},
      {"--types", !options.types.empty(), !libsvm},
      {"--drop-missing", !options.drop_missing.empty(), !libsvm},
      {"--target", !roles.target.empty(), !libsvm},
      {"--weights", !roles.weights.empty(), !libsvm},
      {"--groups", !roles.groups.empty(), !libsvm},
      {"--time", !roles.time.empty(), !libsvm},
      {"--folds-column", !roles.folds.empty(), !libsvm},
      {"--strata", !roles.strata.empty(), !libsvm},
  };
  for (const auto& check : checks) {
    if (!check.given || check.allowed) continue;
    Refuse(options, std::string(check.name) + " does not go with the format " + format +
                        "; leave it out, or name the format with --format");
  }
}

ColumnTypes TypesOf(const DataFileOptions& options) {
  ColumnTypes types;
  for (const std::string& entry : options.types) {
    const std::size_t equals = entry.rfind('=');
    if (equals == std::string::npos) {
      Refuse(options, "'" + entry + "' in --types has no type; write NAME=TYPE");
    }
    types[entry.substr(0, equals)] = ColumnTypeFromName(entry.substr(equals + 1));
  }
  return types;
}

char CharacterOf(const DataFileOptions& options, const char* name, const std::string& text) {
  if (text.size() != 1) Refuse(options, std::string(name) + " must be one character");
  return text[0];
}

template <class Options>
void SetMostBytes(const DataFileOptions& options, Options& out) {
  if (options.most_bytes == 0) return;
  out.most_bytes = static_cast<std::int64_t>(
      std::min<std::uint64_t>(options.most_bytes, std::uint64_t{1} << 62));
}

CsvOptions CsvOptionsOf(const DataFileOptions& options, bool tabs) {
  CsvOptions csv;
  csv.roles = options.roles;
  csv.types = TypesOf(options);
  csv.drop_missing = options.drop_missing;
  if (!options.missing.empty()) csv.missing = options.missing;
  if (tabs) csv.separator = '\t';
  if (!options.separator.empty()) csv.separator = SeparatorFromName(options.separator);
  if (options.quote == "none") {
    csv.quote = kNoQuote;
  } else if (!options.quote.empty()) {
    csv.quote = CharacterOf(options, "--quote", options.quote);
  }
  if (!options.decimal.empty()) csv.decimal = CharacterOf(options, "--decimal", options.decimal);
  if (!options.thousands.empty()) {
    csv.thousands = CharacterOf(options, "--thousands", options.thousands);
  }
  if (!options.encoding.empty()) csv.encoding = TextEncodingFromName(options.encoding);
  csv.comment = options.comment;
  csv.skip_lines = options.skip_lines;
  csv.header = !options.no_header;
  csv.names = options.names;
  SetMostBytes(options, csv);
  return csv;
}

}  // namespace

void DeclareDataFile(Command& command, DataFileOptions& options) {
  command
      .AddOption("file", options.path,
                 "CSV, TSV, ARFF or LIBSVM file, also with .gz, or SQLite database")
      .Required();
  DeclareColumns(command, options);
  DeclareForm(command, options);
}

std::shared_ptr<const Dataset> ReadDataFile(const DataFileOptions& options) {
  const std::string format = FormatOf(options);
  CheckOptions(options, format);
  if (format == "sqlite") {
    SqliteOptions sqlite;
    sqlite.query = options.query;
    sqlite.table = options.table;
    sqlite.roles = options.roles;
    sqlite.types = TypesOf(options);
    sqlite.drop_missing = options.drop_missing;
    SetMostBytes(options, sqlite);
    return ReadSqlite(options.path, sqlite);
  }
  if (format == "arff") {
    ArffOptions arff;
    arff.roles = options.roles;
    arff.types = TypesOf(options);
    arff.drop_missing = options.drop_missing;
    if (!options.encoding.empty()) arff.encoding = TextEncodingFromName(options.encoding);
    SetMostBytes(options, arff);
    return ReadArff(options.path, arff);
  }
  if (format == "libsvm") {
    LibsvmOptions libsvm;
    if (options.task == "regression") libsvm.task = Task::kRegression;
    SetMostBytes(options, libsvm);
    return ReadLibsvm(options.path, libsvm);
  }
  return ReadCsv(options.path, CsvOptionsOf(options, format == "tsv"));
}

}  // namespace crossfold::cli
