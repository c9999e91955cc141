#include "cli/manual_command.h"

#include <CLI/CLI.hpp>
#include <cctype>
#include <cstdio>
#include <string>
#include <vector>

#include "cli/command_tree.h"
#include "cli/exit_code.h"

namespace crossfold::cli {
namespace {

// Text that roff prints as it stands.
std::string Escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else if (c == '\n') {
      escaped += ' ';
    } else {
      escaped += c;
    }
  }
  // At the beginning of a line these are requests.
  if (!escaped.empty() && (escaped.front() == '.' || escaped.front() == '\'')) {
    escaped.insert(0, "\\&");
  }
  return escaped;
}

std::string Sentence(const std::string& text) {
  return Escaped(text) + (text.ends_with('.') ? "" : ".");
}

std::string Upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

// What stands behind the option: its choices, or a word for them.
std::string ValueOf(const CLI::Option& option) {
  if (!TakesValue(option)) return "";
  std::string choices;
  for (const std::string& one : ChoicesOf(option)) choices += (choices.empty() ? "" : "|") + one;
  if (!choices.empty()) return choices;
  const std::string type = option.get_type_name();
  if (type.find("SIZE") != std::string::npos) return "SIZE";
  return type.starts_with("TEXT") ? "VALUE" : "N";
}

// ".TP", the names and the description.
std::string OptionText(const CLI::Option& option) {
  std::string names;
  for (const std::string& name : NamesOf(option)) {
    names += (names.empty() ? "\\fB" : ", \\fB") + Escaped(name) + "\\fR";
  }
  const std::string value = ValueOf(option);
  if (!value.empty()) names += " \\fI" + Escaped(value) + "\\fR";
  return ".TP\n" + names + "\n" + Escaped(option.get_description()) + "\n";
}

// The command's line, as in "crossfold predict [OPTIONS] MODEL DATA".
std::string SynopsisOf(const CLI::App& command, const std::string& path) {
  std::string text = "\\fB" + Escaped(path) + "\\fR";
  if (!VisibleOptions(command).empty()) text += " [\\fIOPTIONS\\fR]";
  for (const CLI::Option* one : Positionals(command)) {
    std::string word = "\\fI" + Escaped(Upper(one->get_name(true))) + "\\fR";
    if (one->get_items_expected_max() > 1) word += "...";
    text += one->get_required() ? " " + word : " [" + word + "]";
  }
  return text;
}

void AddCommand(const CLI::App& command, const std::string& path, std::string& text) {
  const std::vector<const CLI::App*> below = VisibleCommands(command);
  if (below.empty()) {
    text += ".SS " + SynopsisOf(command, path) + "\n" + Sentence(command.get_description()) + "\n";
    for (const CLI::Option* one : Positionals(command)) {
      text += ".TP\n\\fI" + Escaped(Upper(one->get_name(true))) + "\\fR\n" +
              Escaped(one->get_description()) + "\n";
    }
    for (const CLI::Option* one : VisibleOptions(command)) {
      if (!one->check_lname("help")) text += OptionText(*one);  // every command has it
    }
    if (!command.get_footer().empty()) text += ".PP\n" + Escaped(command.get_footer()) + "\n";
  }
  for (const CLI::App* one : below) AddCommand(*one, path + " " + one->get_name(), text);
}

}  // namespace

CLI::App* DeclareManual(CLI::App& app) {
  CLI::App* manual = app.add_subcommand("manual", "Commands and options for the manual page");
  manual->group("");  // in no help text
  return manual;
}

std::string ManualText(const CLI::App& app) {
  std::string text = ".SH OPTIONS\nThey stand in front of a command.\n";
  for (const CLI::Option* one : VisibleOptions(app)) text += OptionText(*one);
  text += ".SH COMMANDS\n";
  for (const CLI::App* one : VisibleCommands(app)) {
    AddCommand(*one, "crossfold " + one->get_name(), text);
  }
  return text;
}

int PrintManual(const CLI::App& app) {
  const std::string text = ManualText(app);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return kOk;
}

}  // namespace crossfold::cli
