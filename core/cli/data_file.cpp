#include "cli/data_file.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "cli/command.h"
#include "cli/lua_text.h"
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
                 "Types of columns: NAME=TYPE,...; numeric, f64, f32, i32, i64, bool, categorical, "
                 "ignore, or levels in their order as in size=s<m<l")
      .OneValueEach()
      .SplitAt(',');
  command
      .AddOption("--drop-missing", options.drop_missing,
                 "Leave out rows without an entry in these columns, or roles as in target,groups")
      .SplitAt(',');
  command
      .AddOption("--missing", options.missing,
                 "Cells that mean \"missing\", separated by commas; default empty, ? and NA")
      .OneValueEach()
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
      .OneValueEach()
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

// Column -> name of its type, or its levels with < between them.
std::map<std::string, std::string> TypeNamesOf(const DataFileOptions& options) {
  std::map<std::string, std::string> types;
  for (const std::string& entry : options.types) {
    const std::size_t equals = entry.rfind('=');
    if (equals == std::string::npos) {
      Refuse(options, "'" + entry + "' in --types has no type; write NAME=TYPE");
    }
    types[entry.substr(0, equals)] = entry.substr(equals + 1);
  }
  return types;
}

// The levels of "s<m<l"; none of a type's name.
std::vector<std::string> LevelsOf(const std::string& type) {
  std::vector<std::string> levels;
  if (type.find('<') == std::string::npos) return levels;
  for (std::size_t begin = 0; begin <= type.size();) {
    const std::size_t end = std::min(type.find('<', begin), type.size());
    levels.push_back(type.substr(begin, end - begin));
    begin = end + 1;
  }
  return levels;
}

ColumnTypes TypesOf(const DataFileOptions& options) {
  ColumnTypes types;
  for (const auto& [name, type] : TypeNamesOf(options)) {
    std::vector<std::string> levels = LevelsOf(type);
    types[name] = levels.empty() ? WantedType(ColumnTypeFromName(type)) : WantedType(levels);
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

std::string LuaStrings(const std::vector<std::string>& texts) {
  std::vector<std::string> items;
  for (const std::string& text : texts) items.push_back(LuaString(text));
  return LuaList(items);
}

// The columns and the form, as options of cf.read.
void AddReadOptions(const DataFileOptions& options, LuaTable& read) {
  const Roles& roles = options.roles;
  read.AddString("target", roles.target);
  read.AddString("weights", roles.weights);
  read.AddString("groups", roles.groups);
  read.AddString("time", roles.time);
  read.AddString("folds", roles.folds);
  read.AddString("strata", roles.strata);
  LuaTable types;
  for (const auto& [name, type] : TypeNamesOf(options)) {
    const std::vector<std::string> levels = LevelsOf(type);
    types.Add(name, levels.empty() ? LuaString(type) : LuaStrings(levels));
  }
  if (!types.empty()) read.Add("types", types.text());
  if (!options.drop_missing.empty()) read.Add("drop_missing", LuaStrings(options.drop_missing));
  if (!options.missing.empty()) read.Add("missing", LuaStrings(options.missing));
  read.AddString("separator", options.separator);
  if (options.quote == "none") {
    read.Add("quote", "false");
  } else {
    read.AddString("quote", options.quote);
  }
  read.AddString("decimal", options.decimal);
  read.AddString("thousands", options.thousands);
  read.AddString("encoding", options.encoding);
  read.AddString("comment", options.comment);
  if (options.skip_lines > 0) read.Add("skip_lines", std::to_string(options.skip_lines));
  if (options.no_header) read.Add("header", "false");
  if (!options.names.empty()) read.Add("names", LuaStrings(options.names));
  read.AddString("task", options.task);
  if (options.most_bytes > 0) read.Add("most_bytes", std::to_string(options.most_bytes));
}

}  // namespace

void DeclareDataFile(Command& command, DataFileOptions& options) {
  command
      .AddOption("file", options.path,
                 "CSV, TSV, ARFF or LIBSVM file, also with .gz, or SQLite database")
      .Required();
  DeclareDataOptions(command, options);
}

void DeclareDataOptions(Command& command, DataFileOptions& options) {
  DeclareColumns(command, options);
  DeclareForm(command, options);
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

std::string ReadCallText(const DataFileOptions& options) {
  const std::string format = FormatOf(options);
  CheckOptions(options, format);
  LuaTable read;
  if (format == "sqlite") {
    read.AddString("sqlite", options.path);
    read.AddString("query", options.query);
    read.AddString("table", options.table);
    AddReadOptions(options, read);
    return "cf.read " + read.text();
  }
  read.AddString("format", options.format);
  AddReadOptions(options, read);
  return "cf.read(" + LuaString(options.path) + (read.empty() ? "" : ", " + read.text()) + ")";
}

}  // namespace crossfold::cli
