#include "crossfold/column_choice.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "crossfold/column_types.h"
#include "crossfold/nearest_name.h"

namespace crossfold {
namespace {

constexpr std::string_view kNumeric = "numeric";
constexpr std::array<std::string_view, 7> kTypes = {"bool", "categorical", "f32",   "f64",
                                                    "i32",  "i64",         kNumeric};

bool IsType(std::string_view word) { return std::ranges::find(kTypes, word) != kTypes.end(); }

// Returns the length of the first entry of a list, up to a comma without a backslash before it.
std::size_t EntryLength(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ',') return i;
    if (text[i] == '\\') ++i;
  }
  return text.size();
}

// Removes the blanks at the ends of an entry, except for those after a backslash.
std::string_view TrimmedEntry(std::string_view entry) {
  while (entry.starts_with(' ')) entry.remove_prefix(1);
  std::size_t end = 0;
  for (std::size_t i = 0; i < entry.size(); ++i) {
    if (entry[i] == '\\' && i + 1 < entry.size()) {
      end = ++i + 1;
    } else if (entry[i] != ' ') {
      end = i + 1;
    }
  }
  return entry.substr(0, end);
}

// Returns the parts between the stars of an entry, as they are in names.
std::vector<std::string> PartsOf(std::string_view entry) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < entry.size(); ++i) {
    if (entry[i] == '*') {
      parts.emplace_back();
      continue;
    }
    if (entry[i] == '\\' && i + 1 < entry.size()) ++i;
    parts.back() += entry[i];
  }
  return parts;
}

// Returns the entry of such parts.
std::string EntryOf(std::span<const std::string> parts) {
  std::string entry = parts.size() == 1 && IsType(parts.front()) ? "\\" : "";
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (p > 0) entry += '*';
    for (std::size_t i = 0; i < parts[p].size(); ++i) {
      const char c = parts[p][i];
      const bool at_end = (p == 0 && i == 0) || (p + 1 == parts.size() && i + 1 == parts[p].size());
      if (c == '\\' || c == '*' || c == ',' || c == ']' || (c == ' ' && at_end)) entry += '\\';
      entry += c;
    }
  }
  return entry;
}

// Whether the name has the parts in their order, the first one at its beginning and the last one at
// its end.
bool Matches(std::span<const std::string> parts, std::string_view name) {
  const std::string& first = parts.front();
  const std::string& last = parts.back();
  if (name.size() < first.size() + last.size() || !name.starts_with(first) ||
      !name.ends_with(last)) {
    return false;
  }
  name = name.substr(first.size(), name.size() - first.size() - last.size());
  for (const std::string& part : parts.subspan(1, parts.size() - 2)) {
    const std::size_t at = name.find(part);
    if (at == std::string_view::npos) return false;
    name.remove_prefix(at + part.size());
  }
  return true;
}

std::vector<std::string> NamesOf(std::span<const cf_column> features) {
  std::vector<std::string> names;
  for (const cf_column& feature : features) names.emplace_back(feature.name);
  return names;
}

}  // namespace

std::string ColumnList::Normalize(std::string_view setting, Value& value) {
  const std::string given = std::string(setting) + " = " + ToText(value);
  if (const auto* entries = std::get_if<std::vector<std::string>>(&value)) {
    value = ColumnList::TextOf(*entries);
  }
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) {
    return given + " is of the wrong type; it must be a name, a pattern, a type or a list of these";
  }
  const ColumnList list(*text);
  if (list.has_empty_entry_) {
    return given + " has an empty entry; write names, patterns and types, as in 'age, lab_*'";
  }
  value = list.ToString();
  return "";
}

ColumnList::ColumnList(std::string_view text) {
  for (;;) {
    const std::size_t length = EntryLength(text);
    AddEntry(TrimmedEntry(text.substr(0, length)));
    if (length == text.size()) return;
    text.remove_prefix(length + 1);
  }
}

void ColumnList::AddEntry(std::string_view entry) {
  std::vector<std::string> parts = PartsOf(entry);
  if (entry.empty()) {
    has_empty_entry_ = true;
  } else if (IsType(entry)) {
    types_.emplace(entry);
  } else if (parts.size() == 1) {
    names_.insert(std::move(parts.front()));
  } else {
    patterns_.insert(std::move(parts));
  }
}

std::string ColumnList::TextOf(std::span<const std::string> entries) {
  std::string text;
  for (const std::string& entry : entries) {
    if (&entry != &entries.front()) text += ", ";
    for (std::size_t i = 0; i < entry.size(); ++i) {
      const bool at_end = i == 0 || i + 1 == entry.size();
      const bool is_last_backslash = entry[i] == '\\' && i + 1 == entry.size();
      if (entry[i] == ',' || (entry[i] == ' ' && at_end) || is_last_backslash) text += '\\';
      text += entry[i];
      if (entry[i] == '\\' && i + 1 < entry.size()) text += entry[++i];
    }
  }
  return text;
}

std::string ColumnList::ToString() const {
  std::vector<std::string> entries(types_.begin(), types_.end());
  for (const std::string& name : names_) entries.push_back(EntryOf({&name, 1}));
  for (const std::vector<std::string>& parts : patterns_) entries.push_back(EntryOf(parts));
  std::ranges::sort(entries);
  std::string text;
  for (const std::string& entry : entries) text += (text.empty() ? "" : ", ") + entry;
  return text;
}

bool ColumnList::Has(const cf_column& feature) const {
  const std::string_view name = feature.name;
  if (names_.contains(name) || types_.contains(ColumnTypeName(feature.dtype))) return true;
  if (feature.dtype != CF_CAT32 && types_.contains(kNumeric)) return true;
  return std::ranges::any_of(patterns_, [&](const auto& parts) { return Matches(parts, name); });
}

ColumnChoice::ColumnChoice(const ParamValues& lists) {
  const auto read = [&](std::string_view setting, std::optional<ColumnList>& list) {
    const auto given = lists.find(setting);
    if (given != lists.end()) list.emplace(std::get<std::string>(given->second));
  };
  read(kColumns, columns_);
  read(kExcept, except_);
}

bool ColumnChoice::Has(const cf_column& feature) const {
  return (!columns_ || columns_->Has(feature)) && !(except_ && except_->Has(feature));
}

std::string ColumnChoice::FindUnknown(std::span<const cf_column> features) const {
  const std::vector<std::string> known = NamesOf(features);
  const std::set<std::string_view> names(known.begin(), known.end());
  for (const std::optional<ColumnList>* list : {&columns_, &except_}) {
    if (!*list) continue;
    for (const std::string& name : (*list)->names()) {
      if (names.contains(name)) continue;
      return "'" + std::string(list == &columns_ ? kColumns : kExcept) + "' names '" + name +
             "', which is not a feature here; " + KnownNames(name, known);
    }
  }
  return "";
}

std::vector<std::size_t> PlacesOf(std::span<const std::string_view> made,
                                  std::span<const cf_column> features,
                                  const std::vector<bool>& chosen) {
  const std::set<std::string_view> made_names(made.begin(), made.end());
  std::map<std::string_view, std::size_t> kept;  // chosen features whose names the step makes again
  std::vector<std::size_t> removed;
  for (std::size_t j = 0; j < features.size(); ++j) {
    if (!chosen[j]) continue;
    if (made_names.contains(features[j].name)) {
      kept.emplace(features[j].name, j);
    } else {
      removed.push_back(j);
    }
  }
  const auto first = static_cast<std::size_t>(std::ranges::find(chosen, true) - chosen.begin());
  std::vector<std::size_t> places;
  for (const std::string_view name : made) {
    const auto own = kept.find(name);
    if (own != kept.end()) {
      places.push_back(own->second);
      continue;
    }
    const std::size_t last = places.empty() ? first : places.back();
    const auto next = std::ranges::lower_bound(removed, last);
    places.push_back(next != removed.end() ? *next : last);
  }
  return places;
}

}  // namespace crossfold
