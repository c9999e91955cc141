#include "analysis/facts/level_findings.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "analysis/facts/number_forms.h"
#include "engine/text/ascii.h"
#include "engine/text/format_number.h"
#include "engine/text/shown_text.h"

namespace crossfold {
namespace {

constexpr double kMaxCells = 0.9;  // a form that this share of the cells has is intended
constexpr std::int64_t kFew = 20;  // numbers that are classes or codes

// The month of a three-letter or full English name.
bool IsMonth(std::string_view text) {
  constexpr std::array<std::string_view, 12> kMonths = {
      "january", "february", "march",     "april",   "may",      "june",
      "july",    "august",   "september", "october", "november", "december"};
  const std::string lower = LowerCase(text);
  return std::any_of(kMonths.begin(), kMonths.end(), [&](std::string_view month) {
    return lower == month || lower == month.substr(0, 3);
  });
}

bool IsTime(std::string_view text) {
  return text.size() >= 4 && IsDigit(text[0]) && (text[1] == ':' || text[2] == ':') &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return IsDigit(c) || std::string_view(":.+- ZAPMapm").find(c) != std::string_view::npos;
         });
}

// Such as 2024-01-31, 31.1.2024, 1/31/24, 31-Jan-2024, 31 January 2024, Jan 31, 2024; perhaps with
// a time after it, or a time alone.
bool IsDate(std::string_view text) {
  if (IsTime(text)) return true;
  std::array<std::string_view, 3> parts;
  std::array<char, 3> ends = {};  // what follows each
  std::size_t at = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t begin = at;
    const auto is_letter = [](char c) { return IsLower(c) || IsUpper(c); };
    const bool word = at < text.size() && is_letter(text[at]);
    while (at < text.size() && (word ? is_letter(text[at]) : IsDigit(text[at]))) ++at;
    parts[i] = text.substr(begin, at - begin);
    if (i == 2 || at == text.size()) continue;
    ends[i] = text[at++];
    if (ends[i] == ',' && at < text.size() && text[at] == ' ') ++at;
  }
  const auto is_number = [&](std::size_t part, std::size_t least, std::size_t most) {
    const std::size_t size = parts[part].size();
    return size >= least && size <= most && IsDigit(parts[part][0]);
  };
  const bool one_sign =
      ends[0] == ends[1] && std::string_view("-/.").find(ends[0]) != std::string_view::npos;
  const bool year_first =
      one_sign && is_number(0, 4, 4) && is_number(1, 1, 2) && is_number(2, 1, 2);
  const bool year_last =
      one_sign && is_number(0, 1, 2) && is_number(1, 1, 2) &&
      (is_number(2, 4, 4) || (ends[0] == '/' && is_number(2, 2, 2)) ||
       (ends[0] == '.' && is_number(0, 2, 2) && is_number(1, 2, 2) && is_number(2, 2, 2)));
  const bool has_year = is_number(2, 4, 4) || is_number(2, 2, 2);
  const bool named = has_year && ((is_number(0, 1, 2) && IsMonth(parts[1])) ||
                                  (IsMonth(parts[0]) && is_number(1, 1, 2)));
  if (!year_first && !year_last && !named) return false;
  const std::string_view rest = text.substr(at);
  return rest.empty() || ((rest[0] == ' ' || rest[0] == 'T') && IsTime(rest.substr(1)));
}

// Lower case (ASCII) with single blanks.
std::string Simplified(std::string_view text) {
  std::string simple;
  for (const char c : text) {
    if (IsBlank(c)) {
      if (!simple.empty() && simple.back() != ' ') simple += ' ';
    } else {
      simple += LowerCase(c);
    }
  }
  if (!simple.empty() && simple.back() == ' ') simple.pop_back();
  return simple;
}

// Whether a string is a usual code of a missing value.
bool MeansMissing(std::string_view text) {
  constexpr std::array<std::string_view, 15> kWords = {
      ".",    "?",    "n/a",     "#n/a", "na",      "<na>",  "nan",    "nil",
      "none", "null", "missing", "#na",  "#value!", "#ref!", "#div/0!"};
  const bool dashes = text.find_first_not_of('-') == std::string_view::npos;  // or nothing
  return dashes || std::find(kWords.begin(), kWords.end(), Simplified(text)) != kWords.end();
}

// Whether a string is a usual label of totals.
bool NamesTotals(std::string_view text) {
  constexpr std::array<std::string_view, 9> kWords = {
      "total", "totals", "grand total", "sum", "summe", "gesamt", "mean", "average", "\u2211"};
  std::string simple = Simplified(text);
  if (simple.ends_with(':')) simple.pop_back();
  return std::find(kWords.begin(), kWords.end(), simple) != kWords.end();
}

class LevelFindings {
 public:
  explicit LevelFindings(const ColumnContent& content)
      : content_(content), levels_(content.column->levels) {}

  // "numbers_as_text" alone.
  std::vector<DataFinding> RunNumbers() {
    if (content_.n_present > 0) AddNumbers();
    return std::move(findings_);
  }

  std::vector<DataFinding> Run() {
    const bool are_numbers = AddForms();
    if (!are_numbers) {
      AddTotals();
      AddMissingWords();
      AddSimilar();
      AddMany();
    }
    AddUnused();
    return std::move(findings_);
  }

 private:
  void Add(const char* kind, bool is_warning, const std::string& message) {
    findings_.push_back(
        {kind, is_warning, {content_.facts.name}, Quoted(content_.facts.name) + " " + message});
  }

  // Share of the cells whose level has a form.
  template <class HasForm>
  double ShareOf(HasForm has_form) const {
    std::int64_t n = 0;
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      if (content_.level_counts[i] > 0 && has_form(levels_[i])) n += content_.level_counts[i];
    }
    return content_.n_present == 0
               ? 0
               : static_cast<double>(n) / static_cast<double>(content_.n_present);
  }

  std::string Names(const std::vector<std::size_t>& levels) const {
    constexpr std::size_t kMaxShown = 3;
    std::string names;
    for (std::size_t i = 0; i < std::min(levels.size(), kMaxShown); ++i) {
      names += (names.empty() ? "" : ", ") + Quoted(levels_[levels[i]]);
    }
    if (levels.size() > kMaxShown) {
      names += " and " + std::to_string(levels.size() - kMaxShown) + " more";
    }
    return names;
  }

  // Whether the entries are reported as numbers or dates.
  bool AddForms() {
    if (content_.n_present == 0) return false;
    if (AddNumbers()) return true;
    const double dates = ShareOf(IsDate);
    if (dates >= kMaxCells && content_.facts.role != "time") {
      Add("dates_as_text", true,
          "holds dates or times, which are read as categories; make numbers of them (days since a "
          "date, month, weekday, hours) or leave it out");
    }
    return dates >= kMaxCells;
  }

  // Whether the entries are reported as numbers.
  bool AddNumbers() {
    auto form = FindNumberForm(levels_, content_.level_counts, kMaxCells);
    if (!form) form = FormWithMissingWords();
    // A target of few numbers is taken for classes.
    const bool is_target = content_.facts.role == "target" && content_.facts.n_distinct <= kFew;
    if (!form || (is_target && form->advice.empty())) return false;
    if (!form->advice.empty() || !form->others.empty()) {
      const std::string how = form->advice.empty() ? "numbers" : form->advice;
      Add("numbers_as_text", true,
          "is read as categories, but " +
              (form->others.empty() ? "its" : Percent(form->share) + " of its") + " entries are " +
              how + OtherEntries(form->others));
      return true;
    }
    if (content_.facts.role != "target" && content_.facts.n_distinct > kFew) {
      Add("numbers_as_text", true,
          "holds numbers as categories; give it the type f64 or i64 if they are quantities");
    }
    return false;
  }

  // For entries that are numbers or mean "missing": there may be many words for that.
  std::optional<NumberForm> FormWithMissingWords() const {
    std::vector<std::int64_t> counts = content_.level_counts;
    std::vector<std::size_t> words;
    std::int64_t n_words = 0;
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      if (counts[i] == 0 || !MeansMissing(levels_[i])) continue;
      n_words += counts[i];
      counts[i] = 0;
      words.push_back(i);
    }
    const std::int64_t n_rest = content_.n_present - n_words;
    if (n_words == 0 || 2 * n_rest < content_.n_present) return std::nullopt;
    auto form = FindNumberForm(levels_, counts, kMaxCells);
    if (!form) return std::nullopt;
    form->share *= static_cast<double>(n_rest) / static_cast<double>(content_.n_present);
    form->others.insert(form->others.begin(), words.begin(), words.end());
    return form;
  }

  void AddMissingWords() {
    std::vector<std::size_t> words;
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      if (content_.level_counts[i] > 0 && MeansMissing(levels_[i])) words.push_back(i);
    }
    if (words.empty()) return;
    const bool one = words.size() == 1;
    Add("missing_words", false,
        "has " + Names(words) + " among its levels; if " + (one ? "it means" : "they mean") +
            " that there is no value, name " + (one ? "it" : "them") + " in 'missing'");
  }

  void AddTotals() {
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      if (content_.level_counts[i] != 1 || !NamesTotals(levels_[i])) continue;
      Add("totals", true,
          "is " + Quoted(levels_[i]) + " in one row; if that row sums up others, take it out");
    }
  }

  // Advice for the entries that are not numbers.
  std::string OtherEntries(const std::vector<std::size_t>& others) const {
    if (others.empty()) return "";
    if (others.size() == 1 && content_.level_counts[others[0]] == 1 &&
        NamesTotals(levels_[others[0]])) {
      return "; " + Names(others) + " seems to name a line of totals: take that line out";
    }
    return "; " + Names(others) +
           (others.size() == 1
                ? " is not a number: if it means that there is no value, name it in "
                : " are not numbers: if they mean that there is no value, name them in ") +
           "'missing'";
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
    const bool all_single = n_single == n_levels;  // reported as an id
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

std::vector<DataFinding> FindNumbersAsText(const ColumnContent& content) {
  return LevelFindings(content).RunNumbers();
}

std::string Quoted(std::string_view text) { return "'" + Shown(text) + "'"; }

std::string Percent(double share) {
  if (share > 0 && share < 0.001) return "<0.1%";
  if (share < 1 && share > 0.999) return ">99.9%";
  return FormatFixed(100 * share, 1) + "%";
}

}  // namespace crossfold
