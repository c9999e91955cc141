#include "programs/cli/command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <deque>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <type_traits>

#include "crossfold/nearest_name.h"

namespace crossfold::cli {
namespace {

// A number and perhaps a unit, as in 512M, 4GiB or "64 kb". CLI11 would wrap negative ones around.
std::string RefuseNoSize(const std::string& size) {
  constexpr char kDigits[] = "0123456789";
  const std::size_t unit = size.find_first_not_of(kDigits);
  const bool has_number = size.find_first_of(kDigits) == 0;
  const std::string rest = unit == std::string::npos ? "" : size.substr(unit);
  const std::size_t letter = rest.find_first_not_of(' ');
  const bool is_known =
      rest.empty() ||
      (letter != std::string::npos && rest.find_first_of("bkmgtpeBKMGTPE") == letter &&
       rest.find_first_not_of("ibIB", letter + 1) == std::string::npos);
  if (has_number && is_known) return "";
  return "'" + size + "' is not a size; use bytes, or a unit as in 512M or 4G";
}

template <class T>
std::string NumberText(T number) {
  char text[400];  // enough for every double with all its digits
  if constexpr (std::is_floating_point_v<T>) {
    return {text, std::to_chars(text, std::end(text), number, std::chars_format::fixed).ptr};
  } else {
    return {text, std::to_chars(text, std::end(text), number).ptr};
  }
}

// A value that a check refuses. CLI11 would put its own words around the message of its exceptions.
struct Refusal {
  std::string text;
};

}  // namespace

struct Option::Impl {
  CLI::Option* option;
  bool takes_number = false;
  std::vector<std::string> choices = {};

  // `find` returns what follows "cannot use --workers"; "" = nothing is wrong.
  void Check(std::function<std::string(const std::string& value)> find) {
    option->check([option = option, find = std::move(find)](const std::string& value) {
      const std::string finding = find(value);
      if (!finding.empty()) throw Refusal{"cannot use " + option->get_name() + finding};
      return finding;
    });
  }

  template <class T>
  void CheckNumber(T least, T most, const std::string& range) {
    option->type_name("N " + range);
    Check([=](const std::string& value) {
      T number{};
      const bool fits =
          CLI::detail::lexical_cast(value, number) && least <= number && number <= most;
      return fits ? "" : " '" + value + "': it is not a number " + range;
    });
  }

  // Hexadecimal numbers are accepted, and unless `is_natural` negative ones, as Lua prints those of
  // 2^63 and more. CLI11 would take a number that is too long for the largest one.
  void CheckUnsigned(bool is_natural) {
    Check([=](const std::string& value) {
      std::uint64_t number = 0;
      errno = 0;
      const bool fits = CLI::detail::lexical_cast(value, number) && errno != ERANGE &&
                        !(is_natural && value.starts_with('-'));
      return fits ? "" : " '" + value + "': it is not a number from 0 to 18446744073709551615";
    });
  }
};

Option::Option(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Option::~Option() = default;

Option& Option::Required() {
  impl_->option->required();
  return *this;
}

Option& Option::Hide() {
  impl_->option->group("");
  return *this;
}

Option& Option::ShowDefault() {
  impl_->option->capture_default_str();
  return *this;
}

Option& Option::OneValueEach() {
  impl_->option->allow_extra_args(false);
  return *this;
}

Option& Option::SplitAt(char delimiter) {
  impl_->option->delimiter(delimiter);
  return *this;
}

Option& Option::Excludes(const Option& other) {
  impl_->option->excludes(other.impl_->option);
  return *this;
}

Option& Option::OneOf(std::vector<std::string> choices) {
  std::string type;
  for (const std::string& one : choices) type += (type.empty() ? "" : "|") + one;
  impl_->option->type_name(type);
  impl_->choices = choices;
  impl_->Check([choices = std::move(choices)](const std::string& value) {
    const bool is_known = std::find(choices.begin(), choices.end(), value) != choices.end();
    return is_known ? "" : " '" + value + "': " + KnownNames(value, choices);
  });
  return *this;
}

template <class T>
Option& Option::Range(T least, T most) {
  const bool is_open = most == std::numeric_limits<T>::max();
  impl_->CheckNumber(least, most,
                     "from " + NumberText(least) + (is_open ? " on" : " to " + NumberText(most)));
  return *this;
}
template Option& Option::Range(int, int);
template Option& Option::Range(std::int64_t, std::int64_t);
template Option& Option::Range(double, double);

Option& Option::NotNegative() {
  impl_->CheckUnsigned(/*is_natural=*/true);
  return *this;
}

Option& Option::Positive() {
  impl_->CheckNumber(std::numeric_limits<double>::min(), std::numeric_limits<double>::max(),
                     "above 0");
  return *this;
}

Option& Option::FilePath() {
  return Check(
      [](const std::string& path) { return path.empty() ? "the path of a file is missing" : ""; },
      "FILE");
}

Option& Option::Check(std::function<std::string(const std::string& value)> find,
                      const std::string& type) {
  impl_->option->type_name(type);
  impl_->Check([find = std::move(find)](const std::string& value) {
    const std::string finding = find(value);
    if (finding.starts_with("cannot ")) throw Refusal{finding};
    return finding.empty() ? "" : ": " + finding;
  });
  return *this;
}

Option& Option::Replace(std::vector<std::pair<std::string, std::string>> words) {
  impl_->option->transform(CLI::Transformer(std::move(words)).description(""));
  return *this;
}

Option& Option::Seconds() {
  const std::map<std::string, double> units = {{"s", 1}, {"m", 60}, {"h", 3600}};
  impl_->option->transform(CLI::AsNumberWithUnit(units).description(""));
  return *this;
}

Option& Option::ByteSize() {
  impl_->option->type_name("SIZE");
  // The table of units is made only for a value that is given.
  impl_->option->transform(
      CLI::Validator([](std::string& value) { return CLI::AsSizeValue(false)(value); }, ""));
  impl_->option->transform(CLI::Validator(RefuseNoSize, ""));  // before the other
  return *this;
}

std::vector<std::string> Option::names() const {
  std::vector<std::string> names;
  for (const std::string& name : impl_->option->get_snames()) names.push_back("-" + name);
  for (const std::string& name : impl_->option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::string Option::positional_name() const {
  return impl_->option->get_positional() ? impl_->option->get_name(true) : "";
}

bool Option::HasName(const std::string& name) const { return impl_->option->check_name(name); }

const std::string& Option::description() const { return impl_->option->get_description(); }

std::string Option::value_text() const {
  return takes_value() ? impl_->option->get_type_name() : "";
}

const std::vector<std::string>& Option::choices() const { return impl_->choices; }

bool Option::takes_number() const { return impl_->takes_number; }

bool Option::takes_value() const { return impl_->option->get_items_expected_min() > 0; }

bool Option::takes_list() const { return impl_->option->get_items_expected_max() > 1; }

bool Option::is_required() const { return impl_->option->get_required(); }

bool Option::was_given() const { return impl_->option->count() > 0; }

struct Command::Impl {
  std::unique_ptr<CLI::App> program;  // null = it is a command below another
  CLI::App* app = nullptr;
  const Command* parent = nullptr;
  std::string runner;            // program
  std::deque<Command> commands;  // these stay where they are
  std::deque<Option> options;

  Option& Own(CLI::Option* option) {
    return options.emplace_back(std::make_unique<Option::Impl>(Option::Impl{option}));
  }
};

Command::Command(const std::string& name, const std::string& description)
    : impl_(std::make_unique<Impl>()) {
  impl_->program = std::make_unique<CLI::App>(description, name);
  impl_->app = impl_->program.get();
  impl_->Own(impl_->app->get_help_ptr());
}

Command::Command(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {
  impl_->Own(impl_->app->get_help_ptr());
}

Command::~Command() = default;

Command& Command::AddCommand(const std::string& name, const std::string& description) {
  auto below = std::make_unique<Impl>();
  below->app = impl_->app->add_subcommand(name, description);
  below->parent = this;
  below->runner = impl_->runner;
  return impl_->commands.emplace_back(std::move(below));
}

template <class T>
Option& Command::AddOption(const std::string& names, T& value, const std::string& description) {
  constexpr bool is_unsigned =
      std::is_same_v<T, std::uint64_t> || std::is_same_v<T, std::optional<std::uint64_t>>;
  Option& made = impl_->Own(impl_->app->add_option(names, value, description));
  made.impl_->takes_number = is_unsigned || std::is_arithmetic_v<T>;
  if (made.impl_->takes_number) made.impl_->option->type_name("N");
  if (is_unsigned) made.impl_->CheckUnsigned(/*is_natural=*/false);
  return made;
}
template Option& Command::AddOption(const std::string&, std::string&, const std::string&);
template Option& Command::AddOption(const std::string&, int&, const std::string&);
template Option& Command::AddOption(const std::string&, std::int64_t&, const std::string&);
template Option& Command::AddOption(const std::string&, std::uint64_t&, const std::string&);
template Option& Command::AddOption(const std::string&, double&, const std::string&);
template Option& Command::AddOption(const std::string&, std::optional<std::uint64_t>&,
                                    const std::string&);
template Option& Command::AddOption(const std::string&, std::vector<std::string>&,
                                    const std::string&);

template <class T>
Option& Command::AddFlag(const std::string& names, T& value, const std::string& description) {
  Option& made = impl_->Own(impl_->app->add_flag(names, value, description));
  if (std::is_same_v<T, bool>) {
    made.impl_->Check([](const std::string& given) {
      try {
        CLI::detail::to_flag_value(given);  // "1", "off" and the like
        return std::string();
      } catch (const std::invalid_argument&) {
        return " '" + given + "': it is neither true nor false; leave the value out";
      }
    });
  }
  return made;
}
template Option& Command::AddFlag(const std::string&, bool&, const std::string&);
template Option& Command::AddFlag(const std::string&, std::string&, const std::string&);

void Command::AddVersion(const std::string& name, const std::string& text) {
  impl_->Own(impl_->app->set_version_flag(name, text));
}

void Command::RequireCommand() { impl_->app->require_subcommand(1); }

void Command::Hide() { impl_->app->group(""); }

void Command::SetProgram(const std::string& program) { impl_->runner = program; }

void Command::SetFooter(const std::string& text) { impl_->app->footer(text); }

ParseResult Command::Parse(std::vector<std::string> words) {
  std::reverse(words.begin(), words.end());  // as CLI11 expects a vector
  using Kind = ParseResult::Kind;
  try {
    impl_->app->parse(words);
    return {};
  } catch (const CLI::RequiredError& e) {
    return {Kind::kMissing, e.what()};
  } catch (const CLI::ExtrasError& e) {
    return {Kind::kLeftover, e.what()};
  } catch (const Refusal& refusal) {
    return {Kind::kWrong, refusal.text};
  } catch (const CLI::ValidationError& e) {  // of a unit
    return {Kind::kWrong, std::string("cannot use ") + e.what()};
  } catch (const CLI::ArgumentMismatch& e) {
    const std::string text = e.what();  // "--workers: 1 required N missing"
    const std::string option = text.substr(0, text.find(':'));
    return {Kind::kWrong,
            "cannot use " + option +
                (given_command().IsRepeated(option) ? ": it is given more than once"
                                                    : ": the value after it is missing")};
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() != 0) return {Kind::kWrong, e.what()};
    std::ostringstream text;
    impl_->app->exit(e, text, text);
    return {Kind::kText, text.str()};
  }
}

bool Command::IsRepeated(const std::string& name) const {
  const CLI::Option* option = impl_->app->get_option_no_throw(name);
  return option != nullptr && option->count() > 1;
}

bool Command::was_given() const { return impl_->app->parsed(); }

const Command& Command::given_command() const {
  const std::vector<CLI::App*> given = std::as_const(*impl_->app).get_subcommands();
  for (const Command& one : impl_->commands) {
    if (!given.empty() && one.impl_->app == given.back()) return one.given_command();
  }
  return *this;
}

std::vector<std::string> Command::leftover(bool all) const { return impl_->app->remaining(all); }

const Command* Command::parent() const { return impl_->parent; }

const std::string& Command::name() const { return impl_->app->get_name(); }

std::string Command::path() const {
  if (parent() == nullptr) return "";
  const std::string before = parent()->path();
  return (before.empty() ? "" : before + " ") + name();
}

const std::string& Command::program() const { return impl_->runner; }

std::string Command::description() const { return impl_->app->get_description(); }

std::string Command::footer() const { return impl_->app->get_footer(); }

std::string Command::Help(const std::string& before) const { return impl_->app->help(before); }

std::vector<const Command*> Command::visible_commands() const {
  std::vector<const Command*> visible;
  for (const Command& one : impl_->commands) {
    if (!one.impl_->app->get_group().empty()) visible.push_back(&one);
  }
  std::sort(visible.begin(), visible.end(),
            [](const Command* a, const Command* b) { return a->name() < b->name(); });
  return visible;
}

std::vector<const Option*> Command::visible_options() const {
  std::vector<const Option*> visible;
  for (const Option& one : impl_->options) {
    const CLI::Option& option = *one.impl_->option;
    if (option.nonpositional() && !option.get_group().empty()) visible.push_back(&one);
  }
  return visible;
}

std::vector<const Option*> Command::positionals() const {
  std::vector<const Option*> positionals;
  for (const Option& one : impl_->options) {
    if (!one.positional_name().empty()) positionals.push_back(&one);
  }
  return positionals;
}

const Command* Command::FindCommand(const std::string& name) const {
  for (const Command& one : impl_->commands) {
    if (one.name() == name) return &one;
  }
  return nullptr;
}

const Option* Command::FindOption(const std::string& name) const {
  for (const Option& one : impl_->options) {
    if (one.HasName(name)) return &one;
  }
  return nullptr;
}

bool Command::TakesValue(const std::string& word) const {
  if (!word.starts_with('-')) return false;  // a positional of that name is meant for its place
  const Option* option = FindOption(word);
  return option != nullptr && option->takes_value();
}

}  // namespace crossfold::cli
