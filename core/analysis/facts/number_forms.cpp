#include "analysis/facts/number_forms.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "engine/text/ascii.h"
#include "engine/text/format_number.h"
#include "engine/text/shown_text.h"

namespace crossfold {
namespace {

// Returns the bytes of the thousands sign that `text` begins with; 0 = none.
std::size_t SignSize(std::string_view text, char thousands) {
  if (text[0] == thousands) return 1;
  if (thousands == '\'') return text.starts_with("\u2019") ? 3 : 0;
  if (thousands != ' ') return 0;
  constexpr std::array<std::string_view, 3> kBlanks = {"\u00A0", "\u2009", "\u202F"};
  for (const std::string_view blank : kBlanks) {
    if (text.starts_with(blank)) return blank.size();
  }
  return 0;
}

// Removes the blanks of SignSize at both ends.
std::string_view WithoutBlanks(std::string_view text) {
  while (!text.empty() && SignSize(text, ' ') > 0) text.remove_prefix(SignSize(text, ' '));
  for (std::size_t n = 1; n <= 3 && n <= text.size(); ++n) {
    if (SignSize(text.substr(text.size() - n), ' ') != n) continue;
    text.remove_suffix(n);
    n = 0;
  }
  return text;
}

// Whether digits in groups of these sizes are thousands, or lakhs and crores.
bool AreThousands(const std::vector<std::size_t>& sizes) {
  if (sizes.size() < 2 || sizes.back() != 3) return false;
  const auto all = [&](std::size_t size) {
    return sizes[0] >= 1 && sizes[0] <= size &&
           std::all_of(sizes.begin() + 1, sizes.end() - 1,
                       [size](std::size_t other) { return other == size; });
  };
  return all(3) || all(2);
}

std::string WithoutThousands(std::string text, char thousands) {
  const std::string_view all = text;
  std::size_t at = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  if (at < text.size() && text[at] == '0') return text;
  std::string joined(all.substr(0, at));
  std::vector<std::size_t> sizes(1);
  while (at < text.size()) {
    if (IsDigit(text[at])) {
      joined += text[at++];
      ++sizes.back();
      continue;
    }
    const std::size_t size = SignSize(all.substr(at), thousands);
    if (size == 0) break;
    sizes.push_back(0);
    at += size;
  }
  return AreThousands(sizes) ? joined.append(all.substr(at)) : text;
}

bool IsNumber(std::string_view text, NumberSigns signs = {}) {
  const auto value = ParseDouble(WithPlainSigns(text, signs));
  return value && std::isfinite(*value);
}

// Whether it may be a number with some signs: most strings are decided without trying them.
bool MayBeNumber(std::string_view text) {
  bool has_digit = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool digit = IsDigit(c);
    has_digit = has_digit || digit;
    if (digit || static_cast<unsigned char>(c) >= 0x80) continue;
    const bool at_begin = i == 0 || text[i - 1] == 'e' || text[i - 1] == 'E';
    const std::string_view known = at_begin ? "+-.," : ".,'_ eE";
    if (known.find(c) == std::string_view::npos) return false;
  }
  return has_digit;
}

// The first ones are preferred if several read equally many entries.
constexpr std::array<NumberSigns, 9> kSigns = {{{'.', '\0'},
                                                {',', '\0'},
                                                {'.', ','},
                                                {',', '.'},
                                                {'.', ' '},
                                                {',', ' '},
                                                {'.', '\''},
                                                {',', '\''},
                                                {'.', '_'}}};

constexpr std::array<std::string_view, 8> kUnits = {"%",      "\u2030", "$",      "\u20AC",
                                                    "\u00A3", "\u00A5", "\u20B9", "\u00B0"};

// What is left of "$5", "-$5", "5 %"; the text itself if it has no such sign.
std::string WithoutUnit(std::string_view text, std::string_view unit) {
  const std::size_t at = text.find(unit);
  if (at == std::string_view::npos) return std::string(text);
  std::string_view before = text.substr(0, at), behind = text.substr(at + unit.size());
  while (before.ends_with(' ')) before.remove_suffix(1);
  if (before.ends_with("\u00A0")) before.remove_suffix(2);
  while (behind.starts_with(' ')) behind.remove_prefix(1);
  if (behind.starts_with("\u00A0")) behind.remove_prefix(2);
  const bool sign_only = before.empty() || before == "-" || before == "+";
  if (!sign_only && !behind.empty()) return std::string(text);
  return std::string(before) + std::string(behind);
}

bool MayHaveForm(std::string_view text) {
  return MayBeNumber(text) || std::any_of(kUnits.begin(), kUnits.end(), [&](std::string_view unit) {
           return text.find(unit) != std::string_view::npos;
         });
}

std::string Option(const char* name, char value) {
  return std::string(name) + " = \"" + value + "\"";
}

std::string Options(NumberSigns signs) {
  std::string options;
  if (signs.thousands != '\0') options = Option("thousands", signs.thousands);
  if (signs.decimal == '.') return options;
  return options + (options.empty() ? "" : ", ") + Option("decimal", signs.decimal);
}

class NumberForms {
 public:
  NumberForms(std::span<const std::string> levels, std::span<const std::int64_t> counts)
      : levels_(levels), counts_(counts) {
    for (const std::int64_t count : counts) n_ += count;
  }

  std::optional<NumberForm> Run(double least_share) const {
    const double least = least_share * static_cast<double>(n_);
    if (n_ == 0 || static_cast<double>(CountOf(MayHaveForm)) < least) return std::nullopt;
    NumberSigns best;
    std::int64_t most = -1;
    for (const NumberSigns signs : kSigns) {
      const std::int64_t n = CountOf([&](std::string_view text) { return IsNumber(text, signs); });
      if (n > most) best = signs;
      most = std::max(most, n);
      if (most == n_) break;
    }
    NumberForm form =
        Form([&](std::string_view text) { return IsNumber(text, best); }, SignAdvice(best));
    for (const std::string_view unit : kUnits) {
      NumberForm with_unit = FormWithUnit(unit);
      if (with_unit.share > form.share) form = std::move(with_unit);
    }
    if (form.share < least_share) return std::nullopt;
    return form;
  }

 private:
  template <class HasForm>
  std::int64_t CountOf(HasForm has_form) const {
    std::int64_t n = 0;
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      if (counts_[i] > 0 && has_form(levels_[i])) n += counts_[i];
    }
    return n;
  }

  template <class HasForm>
  NumberForm Form(HasForm has_form, std::string advice) const {
    NumberForm form{.share = static_cast<double>(CountOf(has_form)) / static_cast<double>(n_),
                    .advice = std::move(advice),
                    .others = {}};
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      if (counts_[i] > 0 && !has_form(levels_[i])) form.others.push_back(i);
    }
    std::stable_sort(form.others.begin(), form.others.end(),
                     [&](std::size_t a, std::size_t b) { return counts_[a] > counts_[b]; });
    return form;
  }

  NumberForm FormWithUnit(std::string_view unit) const {
    const auto has_unit = [&](const std::string& level) {
      return level.find(unit) != std::string::npos;
    };
    if (std::none_of(levels_.begin(), levels_.end(), has_unit)) return {};
    const auto is_number = [&](std::string_view text) {
      const std::string number = WithoutUnit(text, unit);
      return std::any_of(kSigns.begin(), kSigns.end(),
                         [&](NumberSigns signs) { return IsNumber(number, signs); });
    };
    return Form(is_number,
                "numbers with '" + std::string(unit) +
                    "', which no option reads; remove that sign from the file, or leave the "
                    "column out");
  }

  // The first level that only these signs read, as messages show it.
  std::string Example(NumberSigns signs) const {
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      if (counts_[i] == 0 || IsNumber(levels_[i]) || !IsNumber(levels_[i], signs)) continue;
      return Shown(levels_[i]);
    }
    return "";
  }

  std::string SignAdvice(NumberSigns signs) const {
    if (signs.plain()) return "";
    const std::string example = Example(signs);
    const std::string such = "numbers such as '" + example + "'; read the file with ";
    const NumberSigns other{'.', ','};  // 1,234 may be either
    const bool is_clear = signs.decimal != ',' || signs.thousands != '\0' ||
                          CountOf([&](std::string_view text) { return IsNumber(text, other); }) <
                              CountOf([&](std::string_view text) { return IsNumber(text, signs); });
    if (is_clear) return such + Options(signs);
    return such + Options(other) + " if that is " + WithPlainSigns(example, other) + ", with " +
           Options(signs) + " if it is " + WithPlainSigns(example, signs);
  }

  const std::span<const std::string> levels_;
  const std::span<const std::int64_t> counts_;
  std::int64_t n_ = 0;
};

}  // namespace

std::string WithPlainSigns(std::string_view text, NumberSigns signs) {
  std::string plain(signs.thousands == ' ' ? WithoutBlanks(text) : text);
  char thousands = signs.thousands;
  if (signs.decimal == ',') {
    // A point becomes a comma, so that 1.5 is not a number.
    for (char& c : plain) {
      if (c == ',' || c == '.') c = c == ',' ? '.' : ',';
    }
    if (thousands == '.') thousands = ',';
  }
  return thousands == '\0' ? plain : WithoutThousands(std::move(plain), thousands);
}

std::optional<NumberForm> FindNumberForm(std::span<const std::string> levels,
                                         std::span<const std::int64_t> counts, double least_share) {
  return NumberForms(levels, counts).Run(least_share);
}

}  // namespace crossfold
