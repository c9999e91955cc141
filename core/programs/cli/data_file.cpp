#include "programs/cli/data_file.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

#include "crossfold/error.h"
#include "crossfold/read_data.h"
#include "crossfold/write_data.h"
#include "programs/cli/command.h"
#include "programs/cli/commands.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/lua_text.h"
#include "programs/cli/standard_output.h"

namespace crossfold::cli {
namespace {

// An option that is the parameter of a source of the same name, with '_' for '-'.
struct ParameterOption {
  const char* name;
  const char* description;
};
constexpr ParameterOption kParameterOptions[] = {
    {"--missing", "Entries that mean \"missing\", separated by commas; default empty, ? and NA"},
    {"--separator",
     "Column separator: a character, or auto, bar, colon, comma, semicolon, space, tab"},
    {"--quote", "Quote character, or none"},
    {"--decimal", "Decimal mark: . or ,"},
    {"--thousands", "Thousands separator: , . ' _ or a blank"},
    {"--encoding", "utf-8, latin1, windows-1252, utf-16, gb18030, shift-jis, ..."},
    {"--comment", "Skip lines that begin with this string"},
    {"--skip-lines", "Number of lines to skip before the header"},
    {"--ragged", "Rows that are shorter than the header: refuse (default) or fill"},
    {"--duplicate-names", "Columns of the same name: refuse (default) or number"},
    {"--names", "Names of the columns, with --no-header, separated by commas"},
    {"--task", "Task of a LIBSVM file: classification or regression"},
    {"--query", "SELECT statement for a database, or for Parquet or JSON files (as table data)"},
    {"--table", "Table of a database"},
};

void DeclareColumns(Command& command, DataFileOptions& options) {
  command.AddOption("--target", options.roles.target, "Column to be predicted");
  command.AddOption("--weights", options.roles.weights, "Column of weights");
  command.AddOption("--groups", options.roles.groups, "Column of groups");
  command.AddOption("--time", options.roles.time, "Column of times");
  command.AddOption("--folds-column", options.roles.folds, "Column of fold numbers");
  command.AddOption("--strata", options.roles.strata, "Column of strata");
  command.AddOption("--positive", options.roles.positive,
                    "The class that metrics and curves of one class are of; default the second");
  command
      .AddOption("--coordinates", options.roles.coordinates,
                 "Columns with the coordinates of each row, as in x,y")
      .SplitAt(',');
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
      .AddOption("--infinite", options.infinite, "What becomes of infinite numbers; default refuse")
      .OneOf({"refuse", "missing", "keep"});
}

void DeclareForm(Command& command, DataFileOptions& options) {
  command.AddOption("--format", options.format,
                    "Format of the file, instead of the one that its name and content suggest");
  for (const ParameterOption& option : kParameterOptions) {
    command.AddOption(option.name, options.texts[option.name], option.description);
  }
  command.AddFlag("--no-header", options.no_header,
                  "The first line is a row; the columns are named c1, c2, ...");
  command
      .AddOption("--most-bytes", options.texts["--most-bytes"],
                 "Maximum number of bytes unpacked or read from a database, as in 8G; default 4G")
      .ByteSize();
  command
      .AddOption("--parameter", options.parameters,
                 "A parameter of the source, NAME=VALUE: crossfold plugin describe FORMAT lists "
                 "them; repeatable")
      .OneValueEach();
}

[[noreturn]] void Refuse(const DataFileOptions& options, const std::string& finding) {
  throw Error(ErrorKind::kInvalidArgument, "cannot read '" + options.path + "': " + finding);
}

std::vector<std::string> SplitAt(const std::string& text, char delimiter) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(delimiter, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// The name and the value of "name=value" in the option.
std::pair<std::string, std::string> SplitAtSign(const DataFileOptions& options,
                                                const std::string& entry, std::size_t sign,
                                                const std::string& lacks) {
  if (sign == std::string::npos) Refuse(options, "'" + entry + "' in " + lacks);
  return {entry.substr(0, sign), entry.substr(sign + 1)};
}

ColumnTypes TypesOf(const DataFileOptions& options) {
  ColumnTypes types;
  for (const std::string& entry : options.types) {
    const auto [name, type] =
        SplitAtSign(options, entry, entry.rfind('='), "--types has no type; write NAME=TYPE");
    const bool is_list = type.find('<') != std::string::npos;
    types[name] = is_list ? WantedType(SplitAt(type, '<')) : WantedType(ColumnTypeFromName(type));
  }
  return types;
}

// The parameters given for the source.
struct GivenParameter {
  std::string option;  // for messages
  std::string name, text;
};

std::vector<GivenParameter> GivenParameters(const DataFileOptions& options) {
  std::vector<GivenParameter> given;
  for (const auto& [option, text] : options.texts) {
    if (text.empty()) continue;
    std::string name = option.substr(2);
    std::ranges::replace(name, '-', '_');
    given.push_back({option, std::move(name), text});
  }
  if (options.no_header) given.push_back({"--no-header", "header", "false"});
  for (const std::string& entry : options.parameters) {
    auto [name, text] =
        SplitAtSign(options, entry, entry.find('='), "--parameter has no value; write NAME=VALUE");
    given.push_back({"parameter '" + name + "'", std::move(name), std::move(text)});
  }
  return given;
}

template <class Number>
std::optional<Number> NumberOf(const std::string& text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return number;
}

// The value of the text for the parameter. A text of another form stays a string, which the check
// of the parameters refuses.
Value ValueOf(const ParamSpec& param, const std::string& text) {
  if (text == "none" && (param.flags & CF_PF_NULLABLE) != 0) return Null{};
  switch (param.type) {
    case CF_P_STRING_LIST:
      return SplitAt(text, ',');
    case CF_P_BOOL:
      if (text == "true" || text == "false") return text == "true";
      return text;
    case CF_P_INT:
      if (const auto number = NumberOf<std::int64_t>(text)) return *number;
      return text;
    case CF_P_REAL:
      if (const auto number = NumberOf<double>(text)) return *number;
      return text;
    default:
      return text;
  }
}

ReadRequest RequestOf(const DataFileOptions& options, const PluginHost& plugins) {
  ReadRequest request;
  const auto is_given = [&](const char* option) {
    const auto text = options.texts.find(option);
    return text != options.texts.end() && !text->second.empty();
  };
  request.format = options.format;
  if (request.format.empty() && (is_given("--query") || is_given("--table"))) {
    // A database may have any name.
    const auto known = FindSource(plugins, options.path, request);
    if (std::ranges::find(known->params, "query", &ParamSpec::name) == known->params.end()) {
      request.format = "sqlite";
    }
  }
  request.roles = options.roles;
  request.types = TypesOf(options);
  request.drop_missing = options.drop_missing;
  if (!options.infinite.empty()) request.infinite = InfiniteEntriesFromName(options.infinite);
  const auto source = FindSource(plugins, options.path, request);
  for (const auto& [option, name, text] : GivenParameters(options)) {
    const auto param = std::ranges::find(source->params, name, &ParamSpec::name);
    if (param == source->params.end()) {
      Refuse(options, option + " does not go with the format " + std::string(ShortId(source->id)) +
                          "; leave it out, or name the format with --format");
    }
    request.options[name] = ValueOf(*param, text);
  }
  return request;
}

}  // namespace

void DeclareDataFile(Command& command, DataFileOptions& options) {
  command
      .AddOption("file", options.path,
                 "CSV, TSV, ARFF or LIBSVM file, also with .gz, Arrow IPC or Parquet file, SQLite "
                 "database, or what another "
                 "source plugin reads")
      .Required();
  DeclareDataOptions(command, options);
}

void DeclareDataOptions(Command& command, DataFileOptions& options) {
  DeclareColumns(command, options);
  DeclareForm(command, options);
}

std::shared_ptr<const Dataset> ReadDataFile(const DataFileOptions& options,
                                            const PluginHost& plugins) {
  return ReadData(plugins, options.path, RequestOf(options, plugins));
}

std::string ReadOptionsText(const DataFileOptions& options, const PluginHost& plugins) {
  const ReadRequest request = RequestOf(options, plugins);
  LuaTable read;
  read.AddString("format", request.format);
  const Roles& roles = request.roles;
  read.AddString("target", roles.target);
  read.AddString("weights", roles.weights);
  read.AddString("groups", roles.groups);
  read.AddString("time", roles.time);
  read.AddString("folds", roles.folds);
  read.AddString("strata", roles.strata);
  read.AddString("positive", roles.positive);
  if (!roles.coordinates.empty()) read.Add("coordinates", LuaStrings(roles.coordinates));
  LuaTable types;
  for (const std::string& entry : options.types) {
    const std::size_t sign = entry.rfind('=');
    const std::string name = entry.substr(0, sign), type = entry.substr(sign + 1);
    const WantedType& wanted = request.types.find(name)->second;
    types.Add(name, wanted.ordered ? LuaStrings(wanted.levels) : LuaString(type));
  }
  if (!types.empty()) read.Add("types", types.text());
  if (!request.drop_missing.empty()) read.Add("drop_missing", LuaStrings(request.drop_missing));
  read.AddString("infinite", options.infinite);
  for (const auto& [name, value] : request.options) {
    // cf.read uses false for a parameter that is none.
    read.Add(name, std::holds_alternative<Null>(value) ? "false" : LuaValue(value));
  }
  return read.empty() ? "" : read.text();
}

std::string ReadCallText(const DataFileOptions& options, const PluginHost& plugins) {
  const std::string read = ReadOptionsText(options, plugins);
  return "cf.read(" + LuaString(options.path) + (read.empty() ? "" : ", " + read) + ")";
}

// ---- data describe and data convert ----

void DeclareData(Command& data, DataOptions& options) {
  Command& describe =
      data.AddCommand("describe", "Show types, missing entries, classes and likely mistakes");
  DeclareDataFile(describe, options.file);
  describe
      .AddOption("--folds", options.report.folds,
                 "Number of folds that you plan to use; smaller classes are reported; default 10")
      .Range(2, 1'000'000);
  describe
      .AddOption("--most-frequent", options.report.most_frequent,
                 "Number of values listed for a categorical column; default 3")
      .Range(1, 1'000'000);
  describe.AddFlag("--json", options.json, "As JSON");
  Command& convert =
      data.AddCommand("convert", "Convert data to another format, with roles and types");
  DeclareDataFile(convert, options.file);
  convert
      .AddOption("output", options.output,
                 "New file; its extension determines the format, as in iris.arrow")
      .Required();
  convert.AddOption("--to", options.output_format,
                    "Format of the new file, whatever its extension");
}

int DescribeDataFile(const DataOptions& options, const PluginHost& plugins) {
  const auto data = ReadDataFile(options.file, plugins);
  const DataReport report = DescribeData({data, nullptr}, options.report);
  Print(options.json ? ToJson(report) : ToText(report));
  return kOk;
}

int ConvertDataFile(const DataOptions& options, const PluginHost& plugins) {
  const auto data = ReadDataFile(options.file, plugins);
  WriteData(plugins, data, options.output, {.format = options.output_format});
  Print("wrote '" + options.output + "': " + std::to_string(data->num_rows()) + " rows, " +
        std::to_string(data->columns().size()) + " columns\n");
  return kOk;
}

}  // namespace crossfold::cli
