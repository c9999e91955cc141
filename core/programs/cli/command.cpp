#include "programs/cli/command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <deque>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <type_traits>

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

// CLI11 keeps choices in the name of the type: "TEXT:{none,worker,fresh}".
std::vector<std::string> ChoicesIn(const std::string& type) {
  const std::size_t open = type.rfind(":{"), close = type.rfind('}');
  if (open == std::string::npos || close == std::string::npos || close < open) return {};
  std::vector<std::string> choices;
  std::string choice;
  for (std::size_t i = open + 2; i <= close; ++i) {
    if (type[i] == ',' || i == close) {
      choices.push_back(std::move(choice));
      choice.clear();
    } else {
      choice += type[i];
    }
  }
  return choices;
}

// CLI11's name of a type as people read it: "INT:from 0 to 9" as "N from 0 to 9".
std::string ValueText(const std::string& type) {
  std::string choices;
  for (const std::string& one : ChoicesIn(type)) choices += (choices.empty() ? "" : "|") + one;
  if (!choices.empty()) return choices;
  if (type.find("SIZE") != std::string::npos) return "SIZE";
  const std::size_t colon = type.rfind(':');
  const std::string check = colon == std::string::npos ? "" : type.substr(colon + 1);
  if (type.starts_with("TEXT")) return check.empty() ? "TEXT" : check;
  if (check.starts_with("from ") || check.starts_with("above ")) return "N " + check;
  return check.empty() || check.ends_with("[UNIT]") ? "N" : check;
}

// The help with that in place of CLI11's names.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string text = Formatter::make_option_opts(option);
    const std::string type = option->get_type_name();
    const std::size_t place = type.empty() ? std::string::npos : text.find(type);
    return place == std::string::npos ? text : text.replace(place, type.size(), ValueText(type));
  }
};

}  // namespace

struct Option::Impl {
  CLI::Option* option;
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
  impl_->option->check(CLI::IsMember(std::move(choices)));
  return *this;
}

template <class T>
Option& Option::Range(T least, T most) {
  std::string name = "from " + NumberText(least);
  name += most == std::numeric_limits<T>::max() ? " on" : " to " + NumberText(most);
  impl_->option->check(CLI::Range(least, most, name));
  return *this;
}
template Option& Option::Range(int, int);
template Option& Option::Range(std::int64_t, std::int64_t);
template Option& Option::Range(double, double);

Option& Option::NotNegative() {
  impl_->option->check(CLI::Range(std::numeric_limits<double>::max(), "from 0 on"));
  return *this;
}

Option& Option::Positive() {
  impl_->option->check(CLI::Range(std::numeric_limits<double>::min(),
                                  std::numeric_limits<double>::max(), "above 0"));
  return *this;
}

Option& Option::FilePath() {
  return Check(
      [](const std::string& path) { return path.empty() ? "the path of a file is missing" : ""; },
      "FILE");
}

Option& Option::Check(std::function<std::string(const std::string& value)> find,
                      const std::string& type) {
  impl_->option->check(std::move(find), type);
  return *this;
}

Option& Option::Replace(std::vector<std::pair<std::string, std::string>> words) {
  impl_->option->transform(CLI::Transformer(std::move(words)));
  return *this;
}

Option& Option::Seconds() {
  impl_->option->transform(
      CLI::AsNumberWithUnit(std::map<std::string, double>{{"s", 1}, {"m", 60}, {"h", 3600}}));
  return *this;
}

Option& Option::ByteSize() {
  impl_->option->transform(CLI::AsSizeValue(false));
  impl_->option->transform(CLI::Validator(RefuseNoSize, "SIZE"));  // before the other
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

std::string Option::type() const { return impl_->option->get_type_name(); }

std::string Option::value_text() const { return takes_value() ? ValueText(type()) : ""; }

std::vector<std::string> Option::choices() const { return ChoicesIn(type()); }

bool Option::takes_value() const { return impl_->option->get_items_expected_min() > 0; }

bool Option::takes_list() const { return impl_->option->get_items_expected_max() > 1; }

bool Option::is_required() const { return impl_->option->get_required(); }

bool Option::was_given() const { return impl_->option->count() > 0; }

struct Command::Impl {
  std::unique_ptr<CLI::App> program;  // null = it is a command below another
  CLI::App* app = nullptr;
  const Command* parent = nullptr;
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
  impl_->app->formatter(std::make_shared<HelpFormatter>());  // also of the commands below
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
  return impl_->commands.emplace_back(std::move(below));
}

template <class T>
Option& Command::AddOption(const std::string& names, T& value, const std::string& description) {
  return impl_->Own(impl_->app->add_option(names, value, description));
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
  return impl_->Own(impl_->app->add_flag(names, value, description));
}
template Option& Command::AddFlag(const std::string&, bool&, const std::string&);
template Option& Command::AddFlag(const std::string&, std::string&, const std::string&);

void Command::AddVersion(const std::string& name, const std::string& text) {
  impl_->Own(impl_->app->set_version_flag(name, text));
}

void Command::RequireCommand() { impl_->app->require_subcommand(1); }

void Command::Hide() { impl_->app->group(""); }

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
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() != 0) return {Kind::kWrong, e.what()};
    std::ostringstream text;
    impl_->app->exit(e, text, text);
    return {Kind::kText, text.str()};
  }
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
