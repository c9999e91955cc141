#include "programs/cli/commands.h"

#include <cctype>
#include <string>
#include <vector>

#include "programs/cli/command.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/standard_output.h"

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

// ".TP", the names and the description.
std::string OptionText(const Option& option) {
  std::string names;
  for (const std::string& name : option.names()) {
    names += (names.empty() ? "\\fB" : ", \\fB") + Escaped(name) + "\\fR";
  }
  const std::string value = option.value_text();
  if (!value.empty()) names += " \\fI" + Escaped(value) + "\\fR";
  return ".TP\n" + names + "\n" + Escaped(option.description()) + "\n";
}

// The command's line, as in "crossfold predict [OPTIONS] MODEL DATA".
std::string SynopsisOf(const Command& command, const std::string& path) {
  std::string text = "\\fB" + Escaped(path) + "\\fR";
  if (!command.visible_options().empty()) text += " [\\fIOPTIONS\\fR]";
  for (const Option* one : command.positionals()) {
    std::string word = "\\fI" + Escaped(Upper(one->positional_name())) + "\\fR";
    if (one->takes_list()) word += "...";
    text += one->is_required() ? " " + word : " [" + word + "]";
  }
  return text;
}

void AddSections(const Command& command, const std::string& path, std::string& text) {
  const std::vector<const Command*> below = command.visible_commands();
  if (below.empty()) {
    text += ".SS " + SynopsisOf(command, path) + "\n" + Sentence(command.description()) + "\n";
    for (const Option* one : command.positionals()) {
      text += ".TP\n\\fI" + Escaped(Upper(one->positional_name())) + "\\fR\n" +
              Escaped(one->description()) + "\n";
    }
    for (const Option* one : command.visible_options()) {
      if (!one->HasName("--help")) text += OptionText(*one);  // every command has it
    }
    if (!command.footer().empty()) text += ".PP\n" + Escaped(command.footer()) + "\n";
  }
  for (const Command* one : below) AddSections(*one, path + " " + one->name(), text);
}

}  // namespace

void DeclareManual(Command& app) {
  app.AddCommand("manual", "Commands and options for the manual page").Hide();  // in no help text
}

int PrintManual(const Command& app) {
  std::string text = ".SH OPTIONS\nThey go before the command.\n";
  for (const Option* one : app.visible_options()) text += OptionText(*one);
  text += ".SH COMMANDS\n";
  for (const Command* one : app.visible_commands()) {
    AddSections(*one, "crossfold " + one->name(), text);
  }
  Print(text);
  return kOk;
}

}  // namespace crossfold::cli
