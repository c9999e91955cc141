#include "programs/cli/usage_errors.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "crossfold/nearest_name.h"
#include "programs/cli/command.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/interrupt.h"
#include "programs/cli/standard_output.h"

namespace crossfold::cli {
namespace {

// "plugin describe"; "" for the program.
std::string PathOf(const Command& app) {
  const Command* parent = app.parent();
  if (parent == nullptr) return "";
  const std::string before = PathOf(*parent);
  return (before.empty() ? "" : before + " ") + app.name();
}

// "crossfold plugin describe --help"
std::string HelpOf(const Command& app) {
  const std::string path = PathOf(app);
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
std::string Leftover(const Command& app, const Command& command) {
  for (const Command* one = &command; one != nullptr; one = one->parent()) {
    for (const std::string& word : one->leftover()) {
      if (word.size() > 1 && word.front() == '-') return UnknownOption(*one, word);
    }
  }
  const std::vector<std::string> words = app.leftover(true);
  if (words.empty()) return "";
  if (!command.visible_commands().empty()) {
    return "there is no command '" + PathOf(command) + " " + words.front() + "'; " +
           KnownNames(words.front(), NamesBelow(command));
  }
  return PathOf(command) + " takes no further '" + words.front() + "'; " + HelpOf(command) +
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

// "0.001000 to 10.000000" as "0.001 to 10".
std::string WithoutZeros(std::string range) {
  for (std::size_t dot = range.find('.'); dot < range.size(); dot = range.find('.', dot + 1)) {
    const std::size_t end = std::min(range.find_first_not_of("0123456789", dot + 1), range.size());
    const std::size_t last = range.find_last_not_of('0', end - 1);
    const std::size_t keep = last == dot ? dot : last + 1;
    range.erase(keep, end - keep);
  }
  return range;
}

// What the finding of CLI11 about the value of an option says, behind "cannot use --workers".
std::string WrongValue(const Option& option, const std::string& finding) {
  if (finding.ends_with(" missing")) return ": the value behind it is missing";
  if (const std::size_t in = finding.find(" not in {"); in != std::string::npos) {
    const std::string value = finding.substr(0, in);
    return " '" + value + "': " + KnownNames(value, option.choices());
  }
  const std::size_t in = finding.find(" not in range ");
  if (in == std::string::npos || !finding.starts_with("Value ")) return ": " + finding;
  const std::string range = finding.substr(in + 14);
  const bool is_open = range.size() > 300;  // up to the greatest double, in digits
  return " '" + finding.substr(6, in - 6) + "': it is no number " +
         (is_open ? "above 0" : "from " + WithoutZeros(range));
}

// The same for a whole message, as in "--workers: Value many not in range 0 to 4096".
std::string WrongOption(const Command& command, const std::string& said) {
  const std::size_t colon = said.find(": ");
  if (colon == std::string::npos) return said;
  const std::string subject = said.substr(0, colon), finding = said.substr(colon + 2);
  if (const std::size_t is = finding.find(" = "); subject == "Could not convert") {
    return "cannot use " + finding.substr(0, is) + " '" + finding.substr(is + 3) +
           "': it is no number from 0 on";
  }
  if (finding.starts_with("cannot ")) return finding;
  const Option* option = command.FindOption(subject);
  if (option == nullptr) return "cannot use '" + subject + "': " + finding;
  return "cannot use " + subject + WrongValue(*option, finding);
}

std::string Explained(const Command& app, const Command& command, const ParseResult& result) {
  if (result.kind == ParseResult::Kind::kWrong) return WrongOption(command, result.text);
  if (std::string text = Leftover(app, command); !text.empty()) return text;
  const std::string missing = MissingWords(command);
  const bool several = missing.find(' ') != std::string::npos;
  return PathOf(command) + ": " + missing + (several ? " are" : " is") + " missing; " +
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
    return "'" + command + "' is no command; to run a script: " + ShellText(run);
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
