#include "crossfold/spec_text.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "engine/plugin/object_param.h"
#include "engine/plugin/param_check.h"
#include "engine/text/ascii.h"
#include "engine/text/format_number.h"

namespace crossfold {
namespace {

bool IsSpace(char c) { return c == ' ' || c == '\t'; }

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsSpace(text.back())) text.remove_suffix(1);
  return text;
}

// Whether the value of an entry is JSON and not a word, or a list as in "{1, 2}".
bool StartsJson(std::string_view text) {
  if (text.starts_with('"') || text.starts_with('[')) return true;
  if (!text.starts_with('{')) return false;
  const std::string_view inside = Trimmed(text.substr(1));
  return inside.starts_with('"') || inside.starts_with('}');
}

// Returns the length of the JSON string, list or object that the text begins with; npos = it does
// not end.
std::size_t JsonSize(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') {
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted) {
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') --depth;
    }
    if (!quoted && depth == 0) return i + 1;
  }
  return std::string_view::npos;
}

// Reads the text between the braces.
class ParamReader {
 public:
  ParamReader(std::string_view text, std::string attempt, const Component& component)
      : rest_(text), attempt_(std::move(attempt)), component_(component) {}

  ParamValues Read() {
    ParamValues values;
    while (!Trimmed(rest_).empty()) {
      const std::string name(ReadName());
      if (!values.emplace(name, ReadNamed(name)).second) {
        Fail("parameter '" + name + "' is given twice");
      }
      rest_ = Trimmed(rest_);
      if (rest_.empty()) break;
      if (rest_.front() != ',') Fail("expected ',' before '" + std::string(rest_) + "'");
      rest_.remove_prefix(1);
    }
    return values;
  }

 private:
  [[noreturn]] void Fail(const std::string& finding) const {
    throw Error(ErrorKind::kInvalidArgument,
                attempt_ + finding + "; write it as in ID{NAME=VALUE,NAME=VALUE}");
  }

  std::string_view ReadName() {
    const std::size_t sign = rest_.find('=');
    if (sign == std::string_view::npos) {
      Fail("'" + std::string(Trimmed(rest_)) + "' has no value");
    }
    const std::string_view name = Trimmed(rest_.substr(0, sign));
    rest_ = Trimmed(rest_.substr(sign + 1));
    return name;
  }

  Value ReadNamed(const std::string& name) {
    const ParamSpec* param = ParamNamed(component_, name);
    const bool is_object = param != nullptr && IsObject(*param) && rest_.starts_with('{');
    const bool is_entry = ObjectOfEntry(component_, name) != nullptr && StartsJson(rest_);
    return is_object || is_entry ? ReadNested() : ReadValue(param);
  }

  Value ReadNested() {
    const std::size_t size = JsonSize(rest_);
    if (size == std::string_view::npos) Fail("a JSON value does not end");
    Nested nested{std::string(rest_.substr(0, size))};
    rest_.remove_prefix(size);
    return nested;
  }

  Value ReadValue(const ParamSpec* param) {
    if (rest_.starts_with('\'')) return ReadQuoted();
    if (rest_.starts_with('{')) return HoldsQuoted() ? ReadStrings() : ReadList();
    if (param == nullptr && rest_.starts_with('[')) return ReadColumns();
    const std::size_t end = rest_.find(',');
    const std::string_view word = Trimmed(rest_.substr(0, end));
    rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end);
    const bool is_text =
        param != nullptr && (param->type == CF_P_STRING || param->type == CF_P_CHOICE);
    if (is_text) return std::string(word);
    if (word == "none") return Null{};
    if (word == "true" || word == "false") return word == "true";
    if (const auto integer = ParseInteger(word)) return *integer;
    if (const auto real = ParseDouble(word)) return *real;
    return std::string(word);
  }

  std::string ReadQuoted() {
    std::string text;
    for (std::size_t i = 1; i < rest_.size(); ++i) {
      if (rest_[i] == '\'') {
        rest_.remove_prefix(i + 1);
        return text;
      }
      if (rest_[i] == '\\' && i + 1 < rest_.size()) ++i;
      text += rest_[i];
    }
    Fail("a string begins with ' and does not end");
  }

  // Whether the list that begins here has a quoted string.
  bool HoldsQuoted() const { return Trimmed(rest_.substr(1)).starts_with('\''); }

  Value ReadStrings() {
    std::vector<std::string> texts;
    for (char next = ','; next == ',';) {
      rest_ = Trimmed(rest_.substr(1));
      if (!rest_.starts_with('\'')) Fail("a list of strings has one that is not quoted");
      texts.push_back(ReadQuoted());
      rest_ = Trimmed(rest_);
      next = rest_.empty() ? '\0' : rest_.front();
    }
    if (!rest_.starts_with('}')) Fail("a list begins with { and does not end");
    rest_.remove_prefix(1);
    return texts;
  }

  Value ReadList() {
    const std::size_t end = rest_.find('}');
    if (end == std::string_view::npos) Fail("a list begins with { and does not end");
    std::string_view inside = Trimmed(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    std::vector<double> reals;
    std::vector<std::int64_t> integers;
    while (!inside.empty()) {
      const std::size_t comma = inside.find(',');
      const std::string_view word = Trimmed(inside.substr(0, comma));
      const auto real = ParseDouble(word);
      if (!real) Fail("'" + std::string(word) + "' in a list is not a number");
      reals.push_back(*real);
      if (const auto integer = ParseInteger(word)) integers.push_back(*integer);
      inside = comma == std::string_view::npos ? std::string_view() : inside.substr(comma + 1);
    }
    if (integers.size() == reals.size()) return integers;
    return reals;
  }

  // Reads a list of columns, up to a bracket without a backslash before it.
  std::string ReadColumns() {
    for (std::size_t i = 1; i < rest_.size(); ++i) {
      if (rest_[i] == ']') {
        std::string text(rest_.substr(1, i - 1));
        rest_.remove_prefix(i + 1);
        return text;
      }
      if (rest_[i] == '\\') ++i;
    }
    Fail("a list begins with [ and does not end");
  }

  std::string_view rest_;
  const std::string attempt_;
  const Component& component_;
};

// A component, and the average that its name gives.
struct NamedComponent {
  std::shared_ptr<const Component> component;
  std::string average;  // "" = nothing
};

bool HasAverage(const Component& component, std::string_view average) {
  const ParamSpec* param = ParamNamed(component, "average");
  return param != nullptr && std::ranges::find(param->choices, average) != param->choices.end();
}

NamedComponent FindNamed(Kind kind, std::string_view id, const PluginHost& plugins) {
  try {
    return {plugins.Find(kind, id), ""};
  } catch (const Error& unknown) {
    const std::size_t sign = id.rfind('_');
    if (kind != Kind::kMetric || sign == std::string_view::npos ||
        unknown.kind() != ErrorKind::kInvalidArgument) {
      throw;
    }
    const std::string_view average = id.substr(sign + 1);
    if (average != "macro" && average != "micro" && average != "weighted") throw;
    std::shared_ptr<const Component> component;
    try {
      component = plugins.Find(kind, id.substr(0, sign));
    } catch (const Error&) {  // the error must have the name that was given
    }
    if (!component || !HasAverage(*component, average)) throw;
    return {std::move(component), std::string(average)};
  }
}

std::shared_ptr<const Spec> MakeSpec(NamedComponent named, ParamValues values,
                                     const std::string& attempt) {
  if (!named.average.empty() && !values.emplace("average", named.average).second) {
    throw Error(ErrorKind::kInvalidArgument,
                attempt + "its name already gives the average; leave out parameter 'average'");
  }
  return Spec::Make(std::move(named.component), values);
}

bool CanValidate(const Component& learner) {
  return learner.capability<cf_cap_validation>(CF_CAP_VALIDATION) != nullptr;
}

// Returns "adaboost, mlp": the bundled learners that can validate.
std::string BundledValidators(const PluginHost& plugins) {
  std::set<std::string> names;
  for (const PluginEntry& entry : plugins.entries()) {
    for (const std::string& id : entry.ids[Kind::kLearner]) {
      if (!entry.rejected.empty() || ShortId(id) == id) continue;
      try {
        if (CanValidate(*plugins.Find(Kind::kLearner, id))) names.emplace(ShortId(id));
      } catch (const Error&) {  // it cannot be loaded
      }
    }
  }
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

// Refuses validation rows for a learner that cannot use them.
void RequireValidator(const Component& component, const ParamValues& values,
                      const PluginHost& plugins, const std::string& attempt) {
  if (component.kind != Kind::kLearner || CanValidate(component) ||
      !values.contains(Spec::kEarlyStoppingShare) ||
      ParamNamed(component, Spec::kEarlyStoppingShare) != nullptr) {
    return;
  }
  throw Error(ErrorKind::kInvalidArgument,
              attempt +
                  "it does not use validation rows; leave out early_stopping_share or use one of "
                  "the learners that do: " +
                  BundledValidators(plugins));
}

std::string AttemptOf(Kind kind, std::string_view text) {
  return "cannot make " + std::string(KindName(kind)) + " '" + std::string(text) + "': ";
}

}  // namespace

std::shared_ptr<const Spec> MakeNamedSpec(Kind kind, std::string_view id, ParamValues values,
                                          const PluginHost& plugins) {
  NamedComponent named = FindNamed(kind, id, plugins);
  RequireValidator(*named.component, values, plugins, AttemptOf(kind, id));
  return MakeSpec(std::move(named), std::move(values), AttemptOf(kind, id));
}

std::shared_ptr<const Spec> ParseSpec(Kind kind, std::string_view text, const PluginHost& plugins) {
  const std::string_view trimmed = Trimmed(text);
  const std::size_t brace = trimmed.find('{');
  const std::string_view id = Trimmed(trimmed.substr(0, brace));
  const std::string attempt = AttemptOf(kind, text);
  NamedComponent named = FindNamed(kind, id, plugins);
  if (brace == std::string_view::npos) return MakeSpec(std::move(named), {}, attempt);
  if (trimmed.back() != '}') {
    throw Error(ErrorKind::kInvalidArgument,
                attempt + "the brace is not closed; write it as in ID{NAME=VALUE,NAME=VALUE}");
  }
  const std::string_view inside = trimmed.substr(brace + 1, trimmed.size() - brace - 2);
  ParamValues values = ParamReader(inside, attempt, *named.component).Read();
  RequireValidator(*named.component, values, plugins, attempt);
  return MakeSpec(std::move(named), std::move(values), attempt);
}

std::shared_ptr<const Spec> ParseSettings(const std::shared_ptr<const Component>& component,
                                          std::string_view settings) {
  const std::string attempt = AttemptOf(component->kind, component->id);
  return Spec::Make(component, ParamReader(settings, attempt, *component).Read());
}

}  // namespace crossfold
