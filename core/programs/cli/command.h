// The commands and options of the program: each is declared once, and parsing, messages, help
// texts, completion and the manual are generated from it. CLI11 does the work.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace crossfold::cli {

// An option, a flag or a positional; its command owns it.
class Option {
 public:
  struct Impl;
  explicit Option(std::unique_ptr<Impl> impl);  // for Command
  ~Option();
  Option(const Option&) = delete;
  Option& operator=(const Option&) = delete;

  // The values that it takes; each function returns the option itself. Checks are made in this
  // order; if one of them refuses a value, the command line is wrong.
  Option& Required();
  Option& Hide();                         // in no help text
  Option& ShowDefault();                  // the help text shows what the variable holds now
  Option& OneValueEach();                 // of a list: "-x a -x b", and not "-x a b"
  Option& SplitAt(char delimiter);        // of a list: "-x a,b"
  Option& Excludes(const Option& other);  // the command line has at most one of the two
  Option& OneOf(std::vector<std::string> choices);
  // A number from `least` to `most`. T is int, std::int64_t or double.
  template <class T>
  Option& Range(T least, T most);
  Option& NotNegative();  // for numbers without a sign, which may otherwise have one
  Option& Positive();
  Option& FilePath();  // a path, which is not empty
  // `find` returns what is wrong with a value, or a whole message that begins with "cannot ";
  // "" = nothing. `type` is for help texts, as in "FILE".
  Option& Check(std::function<std::string(const std::string& value)> find, const std::string& type);
  // These change the value, before all checks.
  Option& Replace(std::vector<std::pair<std::string, std::string>> words);  // first by second
  Option& Seconds();   // with or without a unit, as in 30s, 5m or 1h
  Option& ByteSize();  // with or without a unit; K, M, G, ... are powers of 1024

  std::vector<std::string> names() const;       // "-o", "--output"; none of a positional
  std::string positional_name() const;          // "" = it is an option or a flag
  bool HasName(const std::string& name) const;  // "--output" or "-o", or of a positional "file"
  const std::string& description() const;
  std::string value_text() const;  // in help texts: "FILE", "N from 0 to 9"; "" = a flag
  const std::vector<std::string>& choices() const;  // of OneOf(); else empty
  bool takes_number() const;
  bool takes_value() const;  // false: a flag
  bool takes_list() const;
  bool is_required() const;
  bool was_given() const;

 private:
  friend class Command;

  std::unique_ptr<Impl> impl_;
};

// The result of parsing a command line.
struct ParseResult {
  enum class Kind {
    kOk,        // all variables are set
    kText,      // the help text or the version was asked for
    kMissing,   // a command or a required option is missing
    kLeftover,  // words are left over; Command::leftover()
    kWrong      // a value was refused, or options do not go together
  };
  Kind kind = Kind::kOk;
  std::string text;  // the text asked for, with its line end, or what is wrong
};

// The program or a command below it. An invalid declaration, such as a name used twice, throws an
// exception: a mistake in the program.
class Command {
 public:
  // The program. It owns all commands below it and their options.
  Command(const std::string& name, const std::string& description);
  struct Impl;
  explicit Command(std::unique_ptr<Impl> impl);  // for AddCommand()
  ~Command();
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  // The command also has the option --help.
  Command& AddCommand(const std::string& name, const std::string& description);
  // An option "-o,--output", or a positional "file". Parse() sets `value`, which must live until
  // then and keeps what it holds if the option is not given. T is std::string, int, std::int64_t,
  // std::uint64_t, double, std::optional<std::uint64_t> or, for a list, std::vector<std::string>.
  template <class T>
  Option& AddOption(const std::string& names, T& value, const std::string& description = "");
  // "--json" sets a bool to true, "!--no-json" to false. "--locked{word}" sets a std::string to
  // "word" and, as "--locked=other", to "other".
  template <class T>
  Option& AddFlag(const std::string& names, T& value, const std::string& description);
  void AddVersion(const std::string& name, const std::string& text);  // of the program
  void RequireCommand();                                              // just one of those below it
  void Hide();                                                        // in no help text
  void SetFooter(const std::string& text);  // also of commands that are added below it later
  // Which program beside crossfold runs it, and the commands that are added below it later.
  void SetProgram(const std::string& program);

  // Reads the words after the program's name. For the program, once.
  ParseResult Parse(std::vector<std::string> words);
  bool was_given() const;
  const Command& given_command() const;  // the innermost one of the line; itself = none below it
  // The words that it did not take; with those of the commands below it if `all`.
  std::vector<std::string> leftover(bool all = false) const;

  const Command* parent() const;  // null = it is the program
  const std::string& name() const;
  std::string path() const;            // "plugin describe"; "" = it is the program
  const std::string& program() const;  // that runs it; "" = crossfold itself
  std::string description() const;
  std::string footer() const;
  // `before` is printed before its name in the line of usage.
  std::string Help(const std::string& before) const;
  std::vector<const Command*> visible_commands() const;  // those that the help shows, by name
  std::vector<const Option*> visible_options() const;    // the same, as declared; no positionals
  std::vector<const Option*> positionals() const;
  // Of this command, hidden or not; null = there is none.
  const Command* FindCommand(const std::string& name) const;
  const Option* FindOption(const std::string& name) const;  // as Option::HasName()
  // Whether a word of the line is an option, "-o" or "--output", whose value is the next word.
  bool TakesValue(const std::string& word) const;

 private:
  // Whether the line has the option of that name more than once.
  bool IsRepeated(const std::string& name) const;
  std::unique_ptr<Impl> impl_;
};

}  // namespace crossfold::cli
