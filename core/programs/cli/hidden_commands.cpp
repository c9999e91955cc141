#include "programs/cli/commands.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/json_value.h"
#include "crossfold/plugin_host.h"
#include "crossfold/read_data.h"
#include "discovery/child_program.h"
#include "discovery/program_search.h"
#include "programs/cli/command.h"
#include "programs/cli/common_options.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/standard_output.h"

namespace crossfold::cli {
namespace {

// ---- complete ----

using Words = std::vector<std::string>;

// The words before the last one, followed through the commands.
struct Place {
  const Command* command = nullptr;
  const Option* option = nullptr;   // whose value the last word is; null = none
  std::size_t positionals = 0;      // words of the command that are not options
  bool only_positionals = false;    // after "--"
  bool is_script_argument = false;  // after the script of "run": not one of our arguments
};

// The meanings of special words.
enum class Meant { kComponents, kLearners, kSplitters, kMetrics, kFormats, kPlugins, kChecks };

struct Meaning {
  std::string_view command, option;  // names; "" = of any command; a positional without dashes
  Meant words;
};
constexpr std::array kMeanings = {
    Meaning{"describe", "id", Meant::kComponents},
    Meaning{"check", "--component", Meant::kComponents},
    Meaning{"check", "--explain", Meant::kChecks},
    Meaning{"check", "--include", Meant::kChecks},
    Meaning{"check", "--exclude", Meant::kChecks},
    Meaning{"", "--learner", Meant::kLearners},
    Meaning{"", "--splitter", Meant::kSplitters},
    Meaning{"", "--metric", Meant::kMetrics},
    Meaning{"", "--format", Meant::kFormats},
    Meaning{"", "--plugins-only", Meant::kPlugins},
};

// The word that means "names of files", which the shell completes itself.
constexpr char kFileNames[] = ":files";

// Names from the installed plugins; what is wrong with a plugin is reported elsewhere.
Words PluginWords(Meant wanted) {
  const PluginHost plugins(MakeHostOptions({}, true));
  if (wanted == Meant::kFormats) return FormatNames(plugins);
  std::set<std::string> names;
  const auto add = [&](Meant meant, const std::vector<std::string>& ids) {
    if (wanted != meant && wanted != Meant::kComponents) return;
    for (const std::string& id : ids) names.emplace(ShortId(id));
  };
  for (const PluginEntry& entry : plugins.entries()) {
    if (!entry.rejected.empty()) continue;
    if (wanted == Meant::kPlugins) names.insert(entry.id);
    add(Meant::kLearners, entry.ids[Kind::kLearner]);
    add(Meant::kComponents, entry.ids[Kind::kTransform]);
    add(Meant::kSplitters, entry.ids[Kind::kSplitter]);
    add(Meant::kMetrics, entry.ids[Kind::kMetric]);
    add(Meant::kComponents, entry.ids[Kind::kSource]);
  }
  return {names.begin(), names.end()};
}

// Names of checks, which the program that runs them knows; none without it.
Words CheckWords() {
  Words names;
  try {
    const JsonValue checks = ReadJson(OutputOf(FindProgram(PluginProgram("complete a name"), ""),
                                               {"plugin", "check", "--list", "--json"}));
    const auto* list = checks.As<JsonList>();
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
      if (const auto* name = (*list)[i].FindAs<std::string>("check")) names.push_back(*name);
    }
  } catch (const Error&) {
    return {};
  }
  return names;
}

Words WordsOf(Meant wanted) {
  return wanted == Meant::kChecks ? CheckWords() : PluginWords(wanted);
}

Words ValuesOf(const Command& command, const Option& option) {
  if (!option.choices().empty()) return option.choices();
  for (const Meaning& meaning : kMeanings) {
    const bool here = meaning.command.empty() || meaning.command == command.name();
    if (here && option.HasName(std::string(meaning.option))) return WordsOf(meaning.words);
  }
  if (option.takes_number()) return {};  // too many to offer
  return {kFileNames};
}

void Enter(Place& place, const std::string& word) {
  if (place.option != nullptr) {
    place.option = nullptr;
  } else if (word == "--") {
    place.only_positionals = true;
  } else if (!place.only_positionals && word.size() > 1 && word.front() == '-') {
    const Option* option = place.command->FindOption(word);
    if (option != nullptr && option->takes_value()) place.option = option;
  } else if (const Command* next = nullptr; place.positionals == 0) {
    for (const Command* one : place.command->visible_commands()) {
      if (one->name() == word) next = one;
    }
    if (next != nullptr) {
      place.command = next;
    } else {
      ++place.positionals;
    }
  } else {
    ++place.positionals;
  }
  if (place.command->name() == "run" && place.positionals > 0) place.is_script_argument = true;
}

Words OptionsOf(const Command& command) {
  Words names;
  for (const Option* option : command.visible_options()) {
    for (std::string& name : option->names()) names.push_back(std::move(name));
  }
  return names;
}

// The commands below, or what the next positional may be.
Words NextWords(const Place& place) {
  Words names;
  for (const Command* one : place.command->visible_commands()) names.push_back(one->name());
  if (!names.empty()) return names;
  const std::vector<const Option*> positionals = place.command->positionals();
  if (positionals.empty()) return {};
  const Option* last = positionals.back();
  if (place.positionals < positionals.size()) {
    return ValuesOf(*place.command, *positionals[place.positionals]);
  }
  return last->takes_list() ? ValuesOf(*place.command, *last) : Words{};
}

// The candidates for the last of `words`, sorted; or kFileNames alone.
Words CompleteWords(const Command& app, const Words& words) {
  Place place;
  place.command = &app;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) Enter(place, words[i]);
  std::string last = words.empty() ? "" : words.back();
  if (place.is_script_argument) return {kFileNames};
  Words all;
  std::string front;  // before what is completed
  if (place.option != nullptr) {
    all = ValuesOf(*place.command, *place.option);
  } else if (last.starts_with('-') && !place.only_positionals) {
    const std::size_t equal = last.find('=');
    const Option* option = place.command->FindOption(last.substr(0, equal));
    if (equal != std::string::npos && option != nullptr) {
      front = last.substr(0, equal + 1);
      last.erase(0, equal + 1);
      all = ValuesOf(*place.command, *option);
    } else {
      all = OptionsOf(*place.command);
    }
  } else {
    all = NextWords(place);
  }
  if (all.size() == 1 && all.front() == kFileNames) return all;
  Words found;
  for (const std::string& one : all) {
    if (one.starts_with(last)) found.push_back(front + one);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());  // checks of several kinds
  return found;
}

// ---- manual ----

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

void DeclareComplete(Command& app, Words& words) {
  Command& complete =
      app.AddCommand("complete", "Print completions of the last word of a command line");
  complete.Hide();  // in no help text
  complete.AddOption("word", words, "Words after 'crossfold'");
}

int PrintCompletions(const Command& app, const Words& words) {
  for (const std::string& word : CompleteWords(app, words)) std::printf("%s\n", word.c_str());
  return kOk;
}

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
