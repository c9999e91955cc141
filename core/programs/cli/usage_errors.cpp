#include "programs/cli/usage_errors.h"

#include <cstdio>
#include <vector>

#include "crossfold/nearest_name.h"
#include "programs/cli/command.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/interrupt.h"
#include "programs/cli/standard_output.h"

namespace crossfold::cli {
namespace {

// "crossfold plugin describe --help"
std::string HelpOf(const Command& app) {
  const std::string path = app.path();
  return "crossfold " + (path.empty() ? "" : path + " ") + "--help";
}

std::vector<std::string> NamesBelow(const Command& command) {
  std::vector<std::string> names;
  for (const Command* one : command.visible_commands()) names.push_back(one->name());
  return names;
}

std::string NearestOption(const Command& app, const std::string& wrong) {
  if (wrong.size() == 2) return "";  // every other letter is as near
  std::vector<std::string> known;
  for (const Option* one : app.visible_options()) {
    for (std::string& name : one->names()) known.push_back(std::move(name));
  }
  return NearestName(wrong, known);
}

// The commands below `app` that have the option.
std::string CommandsWith(const Command& app, const std::string& option) {
  std::string found;
  for (const Command* one : app.visible_commands()) {
    if (one->FindOption(option) == nullptr) continue;
    found += (found.empty() ? "" : ", ") + one->name();
  }
  return found;
}

// What an option is called in `word`, as in "--seed=3".
std::string OptionName(const std::string& word) { return word.substr(0, word.find('=')); }

std::string UnknownOption(const Command& app, const std::string& word) {
  const std::string name = OptionName(word), path = app.path();
  const std::string text =
      (path.empty() ? "there is no option '" : path + " has no option '") + name + "'";
  const std::string others = CommandsWith(app, name);
  if (!others.empty()) return text + " before a command; put it after " + others;
  const std::string nearest = NearestOption(app, name);
  if (nearest.empty()) return text + "; " + HelpOf(app) + " lists those that there are";
  return text + "; did you mean '" + nearest + "'? " + HelpOf(app) + " lists all";
}

// What was not read of the line: an unknown option if there is one, else a word too many.
std::string Leftover(const Command& app, const Command& command) {
  for (const Command* one = &command; one != nullptr; one = one->parent()) {
    for (const std::string& word : one->leftover()) {
      if (word.size() > 1 && word.front() == '-') return UnknownOption(*one, word);
    }
  }
  const std::vector<std::string> words = app.leftover(true);
  if (words.empty()) return "";
  if (!command.visible_commands().empty()) {
    return "there is no command '" + command.path() + " " + words.front() + "'; " +
           KnownNames(words.front(), NamesBelow(command));
  }
  return command.path() + " takes no further '" + words.front() + "'; " + HelpOf(command) +
         " shows what it takes";
}

// What is missing of the positionals and options, as "SCRIPT" or "OLD and NEW".
std::string MissingWords(const Command& command) {
  std::string missing;
  const auto add = [&](const Option& one, const std::string& name) {
    if (one.is_required() && !one.was_given()) missing += (missing.empty() ? "" : " and ") + name;
  };
  for (const Option* one : command.positionals()) {
    std::string name = one->positional_name();
    for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    add(*one, name);
  }
  for (const Option* one : command.visible_options()) add(*one, one->names().back());
  return missing;
}

std::string Explained(const Command& app, const Command& command, const ParseResult& result) {
  if (result.kind == ParseResult::Kind::kWrong) return result.text;
  if (std::string text = Leftover(app, command); !text.empty()) return text;
  const std::string missing = MissingWords(command);
  const bool several = missing.find(' ') != std::string::npos;
  return command.path() + ": " + missing + (several ? " are" : " is") + " missing; " +
         HelpOf(command) + " shows what it takes";
}

}  // namespace

std::string FindUnknownCommand(const Command& app, std::span<const std::string> words) {
  if (words.empty()) return "";
  const std::string& command = words.back();
  if (app.FindCommand(command) != nullptr) return "";
  for (const std::string& word : words.first(words.size() - 1)) {  // whose value it may be
    if (word.starts_with("-") && app.FindOption(OptionName(word)) == nullptr) {
      return UnknownOption(app, word);
    }
  }
  if (command.ends_with(".lua")) {
    const char* const run[] = {"crossfold", "run", command.c_str()};
    return "'" + command + "' is not a command; to run a script: " + ShellText(run);
  }
  return "there is no command '" + command + "'; " + KnownNames(command, NamesBelow(app));
}

int ExplainUsage(const Command& app, const ParseResult& result) {
  using Kind = ParseResult::Kind;
  if (result.kind == Kind::kText) {
    Print(result.text);
    return kOk;
  }
  const Command& command = app.given_command();
  if (result.kind == Kind::kMissing && app.leftover(true).empty() &&
      !command.visible_commands().empty()) {
    const Command* parent = command.parent();
    std::fputs(command.Help(parent == nullptr ? "" : app.name()).c_str(), stderr);
    return kUsage;
  }
  std::fprintf(stderr, "crossfold: %s\n", Explained(app, command, result).c_str());
  return kUsage;
}

}  // namespace crossfold::cli
