#include "cli/usage_errors.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <regex>
#include <vector>

#include "cli/command_tree.h"
#include "cli/exit_code.h"
#include "cli/interrupt.h"
#include "crossfold/nearest_name.h"

namespace crossfold::cli {
namespace {

// "plugin describe"; "" for the program.
std::string PathOf(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  if (parent == nullptr) return "";
  const std::string before = PathOf(*parent);
  return (before.empty() ? "" : before + " ") + app.get_name();
}

// "crossfold plugin describe --help"
std::string HelpOf(const CLI::App& app) {
  const std::string path = PathOf(app);
  return "crossfold " + (path.empty() ? "" : path + " ") + "--help";
}

// The innermost command of the line.
const CLI::App& CommandOf(const CLI::App& app) {
  const std::vector<CLI::App*> parsed = app.get_subcommands();
  return parsed.empty() ? app : CommandOf(*parsed.back());
}

std::vector<std::string> WordsOf(const std::vector<const CLI::App*>& commands) {
  std::vector<std::string> names;
  for (const CLI::App* one : commands) names.push_back(one->get_name());
  return names;
}

std::string NearestOption(const CLI::App& app, const std::string& wrong) {
  if (wrong.size() == 2) return "";  // every other letter is as near
  std::vector<std::string> known;
  for (const CLI::Option* one : VisibleOptions(app)) {
    for (std::string& name : NamesOf(*one)) known.push_back(std::move(name));
  }
  return NearestName(wrong, known);
}

// The commands below `app` that have the option.
std::string CommandsWith(const CLI::App& app, const std::string& option) {
  std::string found;
  for (const CLI::App* one : VisibleCommands(app)) {
    if (one->get_option_no_throw(option) == nullptr) continue;
    found += (found.empty() ? "" : ", ") + one->get_name();
  }
  return found;
}

// What an option is called in `word`, as in "--seed=3".
std::string OptionName(const std::string& word) { return word.substr(0, word.find('=')); }

std::string UnknownOption(const CLI::App& app, const std::string& word) {
  const std::string name = OptionName(word), path = PathOf(app);
  const std::string text =
      (path.empty() ? "there is no option '" : path + " has no option '") + name + "'";
  const std::string others = CommandsWith(app, name);
  if (!others.empty()) return text + " in front of a command; put it behind " + others;
  const std::string nearest = NearestOption(app, name);
  if (nearest.empty()) return text + "; " + HelpOf(app) + " lists those that there are";
  return text + "; did you mean '" + nearest + "'? " + HelpOf(app) + " lists all";
}

// What was not read of the line: an unknown option if there is one, else a word too many.
std::string Leftover(const CLI::App& app, const CLI::App& command) {
  for (const CLI::App* one = &command; one != nullptr; one = one->get_parent()) {
    for (const std::string& word : one->remaining()) {
      if (word.size() > 1 && word.front() == '-') return UnknownOption(*one, word);
    }
    if (one == &app) break;
  }
  const std::vector<std::string> words = app.remaining(true);
  if (words.empty()) return "";
  if (!VisibleCommands(command).empty()) {
    return "there is no command '" + PathOf(command) + " " + words.front() + "'; " +
           KnownNames(words.front(), WordsOf(VisibleCommands(command)));
  }
  return PathOf(command) + " takes no further '" + words.front() + "'; " + HelpOf(command) +
         " shows what it takes";
}

// What is missing of the positionals, as "SCRIPT" or "OLD and NEW".
std::string MissingWords(const CLI::App& command) {
  std::string missing;
  for (const CLI::Option* one : Positionals(command)) {
    if (!one->get_required() || one->count() > 0) continue;
    std::string name = one->get_name(true);
    for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    missing += (missing.empty() ? "" : " and ") + name;
  }
  return missing;
}

// "0.001000 to 10.000000" as "0.001 to 10".
std::string WithoutZeros(const std::string& range) {
  static const std::regex kZeros("(\\.[0-9]*[1-9])0+|\\.0+(?![0-9])");
  return std::regex_replace(range, kZeros, "$1");
}

// What the finding of CLI11 about the value of an option says, behind "cannot use --workers".
std::string WrongValue(const CLI::Option& option, const std::string& finding) {
  if (finding.ends_with(" missing")) return ": the value behind it is missing";
  if (const std::size_t in = finding.find(" not in {"); in != std::string::npos) {
    const std::string value = finding.substr(0, in);
    return " '" + value + "': " + KnownNames(value, ChoicesOf(option));
  }
  const std::size_t in = finding.find(" not in range ");
  if (in == std::string::npos || !finding.starts_with("Value ")) return ": " + finding;
  const std::string range = finding.substr(in + 14);
  const bool is_open = range.size() > 300;  // up to the greatest double, in digits
  return " '" + finding.substr(6, in - 6) + "': it is no number " +
         (is_open ? "above 0" : "from " + WithoutZeros(range));
}

// The same for a whole message, as in "--workers: Value many not in range 0 to 4096".
std::string WrongOption(const CLI::App& command, const std::string& said) {
  const std::size_t colon = said.find(": ");
  if (colon == std::string::npos) return said;
  const std::string subject = said.substr(0, colon), finding = said.substr(colon + 2);
  if (const std::size_t is = finding.find(" = "); subject == "Could not convert") {
    return "cannot use " + finding.substr(0, is) + " '" + finding.substr(is + 3) +
           "': it is no number from 0 on";
  }
  if (finding.starts_with("cannot ")) return finding;
  const CLI::Option* option = command.get_option_no_throw(subject);
  if (option == nullptr) return "cannot use '" + subject + "': " + finding;
  return "cannot use " + subject + WrongValue(*option, finding);
}

bool IsMissing(const CLI::ParseError& problem) {
  return dynamic_cast<const CLI::RequiredError*>(&problem) != nullptr;
}

std::string Describe(const CLI::App& app, const CLI::App& command, const CLI::ParseError& problem) {
  const bool is_extra = dynamic_cast<const CLI::ExtrasError*>(&problem) != nullptr;
  if (!is_extra && !IsMissing(problem)) return WrongOption(command, problem.what());
  if (std::string text = Leftover(app, command); !text.empty()) return text;
  return PathOf(command) + ": " + MissingWords(command) + " is missing; " + HelpOf(command) +
         " shows what it takes";
}

}  // namespace

std::string FindUnknownCommand(const CLI::App& app, std::span<const std::string> words) {
  if (words.empty()) return "";
  const std::string& command = words.back();
  for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (one->get_name() == command) return "";
  }
  for (const std::string& word : words.first(words.size() - 1)) {  // whose value it may be
    if (word.starts_with("-") && app.get_option_no_throw(OptionName(word)) == nullptr) {
      return UnknownOption(app, word);
    }
  }
  if (command.ends_with(".lua")) {
    const char* const run[] = {"crossfold", "run", command.c_str()};
    return "'" + command + "' is no command; to run a script: " + ShellText(run);
  }
  return "there is no command '" + command + "'; " +
         KnownNames(command, WordsOf(VisibleCommands(app)));
}

int ExplainUsage(const CLI::App& app, const CLI::ParseError& problem) {
  if (problem.get_exit_code() == 0) return app.exit(problem) == 0 ? kOk : kUsage;
  const CLI::App& command = CommandOf(app);
  if (IsMissing(problem) && app.remaining(true).empty() && !VisibleCommands(command).empty()) {
    const CLI::App* parent = command.get_parent();
    std::fputs(command.help(parent == nullptr ? "" : app.get_name()).c_str(), stderr);
    return kUsage;
  }
  std::fprintf(stderr, "crossfold: %s\n", Describe(app, command, problem).c_str());
  return kUsage;
}

}  // namespace crossfold::cli
