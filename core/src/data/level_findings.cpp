#include "data/level_findings.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "data/csv_records.h"
#include "text/format_number.h"

namespace crossfold {
namespace {

constexpr double kMostCells = 0.9;  // a form that so many cells have is meant

bool IsNumber(std::string_view text) {
  const auto value = ParseDouble(text);
  return value && std::isfinite(*value);
}

// Such as 1.234,5 or 3,5: a number if commas are decimal signs.
bool IsCommaNumber(std::string_view text) {
  std::string with_points;
  for (const char c : text) {
    if (c != '.') with_points += c == ',' ? '.' : c;
  }
  return text.find(',') != std::string_view::npos && IsNumber(with_points);
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Three numbers with one separator between them, of 4, 2, 2 or 2, 2, 4 digits (or 1 where 2 are
// meant), and perhaps a time behind them.
bool IsDate(std::string_view text) {
  std::size_t digits[3] = {0, 0, 0}, part = 0;
  char separator = '\0';
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    const char c = text[i];
    if (IsDigit(c)) {
      if (++digits[part] > 4) return false;
      continue;
    }
    const bool separates = c == '-' || c == '/' || c == '.';
    if (part == 2 || !separates || (part == 1 && c != separator)) break;
    separator = c;
    ++part;
  }
  const auto small = [](std::size_t n) { return n == 1 || n == 2; };
  const bool year_first = digits[0] == 4 && small(digits[1]) && small(digits[2]);
  const bool year_last = small(digits[0]) && small(digits[1]) && digits[2] == 4;
  if (part != 2 || (!year_first && !year_last)) return false;
  const std::string_view rest = text.substr(i);
  return rest.empty() || ((rest[0] == ' ' || rest[0] == 'T') && rest.size() >= 5 &&
                          IsDigit(rest[1]) && rest.find(':') != std::string_view::npos);
}

// Lower case (ASCII) with single blanks.
std::string Simplified(std::string_view text) {
  std::string simple;
  for (const char c : text) {
    if (c == ' ' || c == '\t') {
      if (!simple.empty() && simple.back() != ' ') simple += ' ';
    } else {
      simple += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
  }
  if (!simple.empty() && simple.back() == ' ') simple.pop_back();
  return simple;
}

std::string Quoted(std::string_view text) { return "'" + Shown(text) + "'"; }

class LevelFindings {
 public:
  explicit LevelFindings(const ColumnContent& content)
      : content_(content), levels_(content.column->levels) {}

  std::vector<DataFinding> Run() {
    AddForms();
    AddSimilar();
    AddMany();
    AddUnused();
    return std::move(findings_);
  }

 private:
  void Add(const char* kind, bool is_warning, const std::string& message) {
    findings_.push_back(
        {kind, is_warning, {content_.facts.name}, Quoted(content_.facts.name) + " " + message});
  }

  // Share of the cells whose level has a form; those without are collected, the frequent first.
  template <class HasForm>
  double ShareOf(HasForm has_form, std::vector<std::size_t>* others) const {
    std::int64_t n = 0;
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      if (content_.level_counts[i] == 0) continue;
      if (has_form(levels_[i])) {
        n += content_.level_counts[i];
      } else if (others != nullptr) {
        others->push_back(i);
      }
    }
    if (others != nullptr) {
      std::stable_sort(others->begin(), others->end(), [&](std::size_t a, std::size_t b) {
        return content_.level_counts[a] > content_.level_counts[b];
      });
    }
    return content_.n_present == 0
               ? 0
               : static_cast<double>(n) / static_cast<double>(content_.n_present);
  }

  std::string Names(const std::vector<std::size_t>& levels) const {
    constexpr std::size_t kMostShown = 3;
    std::string names;
    for (std::size_t i = 0; i < std::min(levels.size(), kMostShown); ++i) {
      names += (names.empty() ? "" : ", ") + Quoted(levels_[levels[i]]);
    }
    if (levels.size() > kMostShown) {
      names += " and " + std::to_string(levels.size() - kMostShown) + " more";
    }
    return names;
  }

  void AddForms() {
    if (content_.n_present == 0) return;
    const bool is_target = content_.facts.role == "target";
    std::vector<std::size_t> others;
    const double numbers = ShareOf(IsNumber, &others);
    if (numbers >= kMostCells && numbers < 1 && !is_target) {
      Add("numbers_as_text", true,
          "is read as categories, but " + Percent(numbers) + " of its entries are numbers; " +
              Names(others) +
              (others.size() == 1
                   ? " is none: if it means that there is no value, name it in "
                   : " are none: if they mean that there is no value, name them in ") +
              "'missing'");
    } else if (numbers == 1 && !is_target && content_.facts.n_distinct > 20) {
      Add("numbers_as_text", true,
          "holds numbers as categories; give it the type f64 or i64 if they are quantities");
    } else if (ShareOf([](std::string_view t) { return IsNumber(t) || IsCommaNumber(t); },
                       nullptr) >= kMostCells &&
               ShareOf(IsCommaNumber, nullptr) > 0) {
      Add("numbers_as_text", true,
          "is read as categories, but its entries look like numbers with decimal commas; read the "
          "file with decimal = \",\"");
    }
    const double dates = ShareOf(IsDate, nullptr);
    if (dates >= kMostCells && content_.facts.role != "time") {
      Add("dates_as_text", true,
          "holds dates, which are read as categories; make numbers of them (days since a date, "
          "month, weekday) or leave it out");
    }
  }

  void AddSimilar() {
    std::map<std::string, std::vector<std::size_t>> spellings;
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      if (content_.level_counts[i] > 0) spellings[Simplified(levels_[i])].push_back(i);
    }
    std::size_t n_groups = 0;
    const std::vector<std::size_t>* first = nullptr;
    for (const auto& [simple, levels] : spellings) {
      if (levels.size() < 2) continue;
      ++n_groups;
      if (first == nullptr) first = &levels;
    }
    if (first == nullptr) return;
    std::string message = "has levels that differ by upper case or blanks only: " + Names(*first);
    if (n_groups > 1) message += ", and " + std::to_string(n_groups - 1) + " more such groups";
    Add("similar_levels", true, message + "; write each in one way");
  }

  void AddMany() {
    if (content_.facts.role != "feature") return;
    const auto n_levels = content_.facts.n_distinct;
    const auto n_single = std::count(content_.level_counts.begin(), content_.level_counts.end(), 1);
    constexpr std::int64_t kMany = 50;
    const bool mostly_single = 2 * n_single > n_levels && n_levels > 10;
    const bool all_single = n_single == n_levels;  // told as an id
    if (all_single || (n_levels <= kMany && !mostly_single)) return;
    std::string message = "has " + std::to_string(n_levels) + " levels";
    if (n_single > 0) message += ", " + std::to_string(n_single) + " of them in one row only";
    Add("many_levels", mostly_single,
        message +
            "; join rare ones or leave it out: what is learned of a level comes from its rows");
  }

  void AddUnused() {
    if (content_.column->dtype != CF_CAT32) return;
    std::vector<std::size_t> unused;
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      if (content_.level_counts[i] == 0) unused.push_back(i);
    }
    if (unused.empty()) return;
    const bool one = unused.size() == 1;
    Add("unused_levels", false,
        std::string("declares ") + (one ? "a level" : std::to_string(unused.size()) + " levels") +
            " that no row has: " + Names(unused));
  }

  const ColumnContent& content_;
  const std::vector<std::string>& levels_;
  std::vector<DataFinding> findings_;
};

}  // namespace

std::vector<DataFinding> FindInLevels(const ColumnContent& content) {
  if (content.column->dtype != CF_CAT32) return {};
  return LevelFindings(content).Run();
}

std::string Percent(double share) {
  if (share > 0 && share < 0.001) return "<0.1%";
  if (share < 1 && share > 0.999) return ">99.9%";
  return FormatFixed(100 * share, 1) + "%";
}

}  // namespace crossfold
