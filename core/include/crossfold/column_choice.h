// The choice of features that a transform of a pipeline gets: its settings `columns` and `except`
// list names, patterns and types. The other features stay as they are.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/value.h"
#include "crossfold_plugin.h"

namespace crossfold {

// A list such as "age, lab_*, numeric", with commas between its entries. A * stands for any number
// of characters, including none. The types are categorical, bool, f64, f32, i32, i64, and numeric
// for all but categorical. A backslash removes the special meaning of what follows: "\*" is a star,
// "a\, b" one name and "\numeric" a feature of that name; at the end of an entry it stands for
// itself.
class ColumnList {
 public:
  // Brings the value of `columns` or `except` to ToString's form. Returns what is wrong with it; ""
  // = nothing.
  static std::string Normalize(std::string_view setting, Value& value);
  // Joins entries, which may have commas and blanks at their ends, to one list.
  static std::string TextOf(std::span<const std::string> entries);

  explicit ColumnList(std::string_view text);
  // Gives equal strings for lists that have the same entries.
  std::string ToString() const;

  bool Has(const cf_column& feature) const;
  const std::set<std::string, std::less<>>& names() const { return names_; }

 private:
  void AddEntry(std::string_view entry);

  bool has_empty_entry_ = false;
  std::set<std::string, std::less<>> names_, types_;
  std::set<std::vector<std::string>> patterns_;  // what stands between the stars
};

class ColumnChoice {
 public:
  static constexpr std::string_view kColumns = "columns", kExcept = "except";

  // Takes normalized values of `columns` (if not given: all features) and `except` (if not given:
  // none).
  explicit ColumnChoice(const ParamValues& lists);

  bool Has(const cf_column& feature) const;
  // Returns "'columns' names 'agee', which is not a feature here; did you mean 'age'? ..." for the
  // first name that no feature has; "" = all names are known. A pattern or a type may choose
  // nothing.
  std::string FindUnknown(std::span<const cf_column> features) const;

 private:
  std::optional<ColumnList> columns_, except_;
};

// Returns, for each column that a step made of the chosen features (by its name), the feature whose
// place it takes among the other features. A column with the name of a chosen feature takes its
// place. A new one takes the place of the first removed feature after the column made before it; if
// there is none, it comes right after that column. REQUIRES: a feature is chosen.
std::vector<std::size_t> PlacesOf(std::span<const std::string_view> made,
                                  std::span<const cf_column> features,
                                  const std::vector<bool>& chosen);

}  // namespace crossfold
