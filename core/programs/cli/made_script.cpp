#include "programs/cli/made_script.h"

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "crossfold/error.h"
#include "crossfold/spec_text.h"
#include "crossfold/whole_file.h"
#include "programs/cli/command.h"
#include "programs/cli/lua_text.h"
#include "programs/cli/script_command.h"

namespace crossfold::cli {
namespace {

// A script that was changed since is not lost to the same command line.
void WriteScript(const std::string& path, const std::string& text) {
  if (path == kStandardInput) {
    throw Error(ErrorKind::kIo,
                "cannot write '-': it is not a file; the script is shown without --script");
  }
  std::ifstream file;
  if (std::filesystem::is_regular_file(path)) file.open(path, std::ios::binary);
  const std::string old{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.is_open() && old == text) return;
  if (std::filesystem::exists(path)) {
    throw Error(ErrorKind::kIo, "cannot write '" + path +
                                    "': there is another file of that name; crossfold run runs it, "
                                    "or choose another name with --script");
  }
  WriteWholeFile(path, text);
}

// Whether a quote at the end of `text` begins a string: single quotes do, and in JSON double quotes
// where a value may begin.
bool BeginsString(const std::string& text) {
  if (text.back() == '\'') return true;
  const std::size_t before = text.find_last_not_of(" \t", text.size() - 2);
  return text.back() == '"' && std::string_view("={[:,").find(text[before]) != text.npos;
}

}  // namespace

void DeclareMadeScript(Command& command, std::string& report, std::string& script) {
  command.AddOption("--report", report, "Also write an HTML report to this file").FilePath();
  command.AddOption("--script", script, "Write the script to this file instead of showing it")
      .FilePath();
  command.SetFooter("It makes a Lua script, runs it as crossfold run does, and shows it.");
}

std::vector<std::string> SplitOutside(const std::string& text, char delimiter) {
  std::vector<std::string> parts(1);
  int depth = 0;
  char quote = '\0';  // that ends the string; none = outside of strings
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == delimiter && depth == 0) {
      parts.emplace_back();
      continue;
    }
    parts.back() += c;
    if (quote != '\0') {
      if (c == '\\' && i + 1 < text.size()) parts.back() += text[++i];
      if (c == quote) quote = '\0';
    } else if (depth > 0 && BeginsString(parts.back())) {
      quote = c;
    } else if (c == '{' || c == '}') {
      depth += c == '{' ? 1 : -1;
    }
  }
  return parts;
}

std::vector<std::string> SplitEach(const std::vector<std::string>& texts) {
  std::vector<std::string> all;
  for (const std::string& text : texts) {
    for (std::string& part : SplitOutside(text, ',')) all.push_back(std::move(part));
  }
  return all;
}

std::string SpecText(Kind kind, const std::string& text, const PluginHost& plugins) {
  const auto spec = ParseSpec(kind, text, plugins);
  const bool is_full = text.substr(0, text.find('{')).find('.') != std::string::npos;
  const std::string& full = spec->component().id;
  const std::string id = LuaString(is_full ? std::string_view(full) : ShortId(full));
  LuaTable params;
  for (const auto& [name, value] : spec->given()) {
    const auto* string = std::get_if<std::string>(&value);
    const bool is_object = string != nullptr && IsObject(*spec->FindParam(name));
    params.Add(name, is_object ? LuaObject(*string) : LuaValue(value));
  }
  if (params.empty()) return id;
  return "cf." + std::string(KindName(kind)) + "(" + id + ", " + params.text() + ")";
}

std::string ListText(const std::vector<std::string>& items) {
  constexpr std::size_t kMax = 80;  // characters
  if (const std::string line = LuaList(items); line.size() <= kMax) return line;
  std::string text = "{\n";
  for (const std::string& item : items) text += "    " + item + ",\n";
  return text + "  }";
}

void KeepScript(const std::string& text, const std::string& path, ScriptOptions& run) {
  if (path.empty()) {
    run.text = text;
    if (!run.quiet) std::fprintf(stderr, "%s\n", text.c_str());
    return;
  }
  WriteScript(path, text);
  run.script = path;
}

}  // namespace crossfold::cli
