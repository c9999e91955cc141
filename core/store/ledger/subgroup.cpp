#include "crossfold/subgroup.h"

#include <compare>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "crossfold/nearest_name.h"
#include "engine/data/column_entries.h"
#include "engine/plugin/problems.h"
#include "engine/text/format_number.h"

namespace crossfold {
namespace {

struct Condition {
  std::string column;
  std::string_view sign;
  std::string value;
};

// Longer signs first.
constexpr std::string_view kSigns[] = {"!=", "<=", ">=", "=", "<", ">"};

bool Holds(std::string_view sign, std::partial_ordering order) {
  if (sign == "!=") return order != 0;
  return (order < 0 && sign.front() == '<') || (order > 0 && sign.front() == '>') ||
         (order == 0 && sign.back() == '=');
}

bool IsSpace(char c) { return c == ' ' || c == '\t'; }

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsSpace(text.back())) text.remove_suffix(1);
  return text;
}

// Takes an expression apart, up to the first place where it is none.
class ConditionReader {
 public:
  explicit ConditionReader(std::string_view expression) : rest_(Trimmed(expression)) {}

  // Conditions, or one problem.
  std::vector<Condition> Read(std::vector<std::string>& problems) {
    std::vector<Condition> conditions;
    while (problem_.empty()) {
      Condition condition;
      condition.column = ReadUntil(&AtSign, "a column");
      condition.sign = ReadSign();
      condition.value = ReadUntil(&AtAnd, "a value");
      conditions.push_back(std::move(condition));
      rest_ = Trimmed(rest_);
      if (rest_.empty()) break;
      if (!AtAnd(rest_)) Fail("expected 'and' before '" + std::string(rest_) + "'");
      rest_ = Trimmed(rest_.substr(3));
    }
    if (!problem_.empty()) problems.push_back(problem_);
    return conditions;
  }

 private:
  static bool AtSign(std::string_view text) {
    return text.front() == '=' || text.front() == '!' || text.front() == '<' || text.front() == '>';
  }
  // REQUIRES: what stands before is a space or nothing.
  static bool AtAnd(std::string_view text) {
    return text.starts_with("and") && (text.size() == 3 || IsSpace(text[3]));
  }

  void Fail(const std::string& problem) {
    if (problem_.empty()) problem_ = problem + "; write it as in age > 60 and sex = female";
  }

  // A quoted text, or everything before the place where `ends` holds at the begin of a word or
  // sign.
  std::string ReadUntil(bool (*ends)(std::string_view), const std::string& what) {
    rest_ = Trimmed(rest_);
    if (rest_.starts_with('\'') || rest_.starts_with('"')) {
      const std::size_t end = rest_.find(rest_.front(), 1);
      if (end == std::string_view::npos) {
        Fail("a quote is not closed: " + std::string(rest_));
        return "";
      }
      std::string text(rest_.substr(1, end - 1));
      rest_ = Trimmed(rest_.substr(end + 1));
      return text;
    }
    std::size_t end = 0;
    while (end < rest_.size()) {
      const bool word_begins = end > 0 && IsSpace(rest_[end - 1]);
      if ((ends == &AtSign || word_begins) && ends(rest_.substr(end))) break;
      ++end;
    }
    const std::string text(Trimmed(rest_.substr(0, end)));
    if (text.empty()) Fail("there is no name of " + what + " before '" + std::string(rest_) + "'");
    rest_ = rest_.substr(end);
    return text;
  }

  std::string_view ReadSign() {
    for (const std::string_view sign : kSigns) {
      if (!rest_.starts_with(sign)) continue;
      rest_ = rest_.substr(sign.size());
      return sign;
    }
    Fail("there is none of = != < <= > >= before '" + std::string(rest_) + "'");
    return "";
  }

  std::string_view rest_;
  std::string problem_;
};

std::string UnknownColumn(const Dataset& data, const std::string& name) {
  std::vector<std::string> known;
  for (const Column& column : data.columns()) known.push_back(column.name);
  return "dataset '" + data.name() + "' has no column '" + name + "'; " + KnownNames(name, known);
}

// Takes the rows for which the condition does not hold out of `rows`.
class Filter {
 public:
  Filter(const Column& column, const Condition& condition, std::vector<std::uint8_t>& rows)
      : column_(column), condition_(condition), rows_(rows) {}

  // What is wrong with the condition; "" = nothing.
  std::string Apply() {
    if (column_.dtype == CF_CAT32) return ApplyLevel();
    if (column_.dtype == CF_BOOL8) return ApplyTruth();
    return ApplyNumber();
  }

 private:
  bool NeedsOrder() const { return condition_.sign != "=" && condition_.sign != "!="; }
  std::string NoOrder(const std::string& kind) const {
    return "column '" + column_.name + "' is " + kind + " and has no order; use = or !=";
  }

  template <class T>
  void Keep(const T& wanted) {
    VisitEntries(column_, [&](auto entries) {
      for (std::size_t row = 0; row < entries.size(); ++row) {
        const auto entry = entries[row];
        const bool missing = !IsValid(column_, row) || MarksMissing(column_.dtype, entry);
        if (missing || !Holds(condition_.sign, static_cast<T>(entry) <=> wanted)) rows_[row] = 0;
      }
    });
  }

  std::string ApplyLevel() {
    if (NeedsOrder() && !column_.ordered) return NoOrder("categorical");
    for (std::size_t i = 0; i < column_.levels.size(); ++i) {
      if (column_.levels[i] != condition_.value) continue;
      Keep(static_cast<std::int32_t>(i));
      return "";
    }
    return "column '" + column_.name + "' has no level '" + condition_.value + "'; " +
           KnownNames(condition_.value, column_.levels);
  }

  std::string ApplyTruth() {
    if (NeedsOrder()) return NoOrder("true or false");
    if (condition_.value != "true" && condition_.value != "false") {
      return "column '" + column_.name + "' is true or false, not '" + condition_.value + "'";
    }
    Keep(static_cast<std::uint8_t>(condition_.value == "true"));
    return "";
  }

  std::string ApplyNumber() {
    const bool is_integer = column_.dtype == CF_I32 || column_.dtype == CF_I64;
    const auto integer = ParseInteger(condition_.value);
    if (is_integer && integer) {
      Keep(*integer);
      return "";
    }
    const auto real = ParseDouble(condition_.value);
    if (!real || *real != *real) {
      return "column '" + column_.name + "' has numbers, and '" + condition_.value + "' is none";
    }
    Keep(*real);
    return "";
  }

  const Column& column_;
  const Condition& condition_;
  std::vector<std::uint8_t>& rows_;
};

}  // namespace

std::vector<std::uint8_t> SubgroupRows(const std::string& expression, const Dataset& data) {
  std::vector<std::uint8_t> rows(static_cast<std::size_t>(data.num_rows()), 1);
  std::vector<std::string> problems;
  const std::vector<Condition> conditions = ConditionReader(expression).Read(problems);
  if (problems.empty()) {
    for (const Condition& condition : conditions) {
      const Column* column = data.FindColumn(condition.column);
      std::string problem = column == nullptr ? UnknownColumn(data, condition.column)
                                              : Filter(*column, condition, rows).Apply();
      if (!problem.empty()) problems.push_back(std::move(problem));
    }
  }
  ThrowIfAny("cannot use subgroup '" + expression + "'", problems);
  return rows;
}

std::vector<std::string> SubgroupColumns(const std::string& expression) {
  std::vector<std::string> problems, columns;
  for (Condition& condition : ConditionReader(expression).Read(problems)) {
    columns.push_back(std::move(condition.column));
  }
  ThrowIfAny("cannot use subgroup '" + expression + "'", problems);
  return columns;
}

}  // namespace crossfold
