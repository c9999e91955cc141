#include "analysis/facts/column_facts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "analysis/facts/content_keys.h"
#include "crossfold/column_types.h"
#include "engine/text/ascii.h"

namespace crossfold {
namespace {

using Keys = std::vector<std::uint64_t>;

constexpr std::uint64_t kSign = std::uint64_t{1} << 63;

// Keys in the order of the numbers. -0.0 and 0.0 have one key.
std::uint64_t OrderKey(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value);
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}
std::uint64_t OrderKey(std::int64_t value) { return static_cast<std::uint64_t>(value) ^ kSign; }

std::int64_t WholeOfKey(std::uint64_t key) { return static_cast<std::int64_t>(key ^ kSign); }

double NumberOfKey(std::uint64_t key, bool real) {
  if (!real) return static_cast<double>(WholeOfKey(key));
  return std::bit_cast<double>((key & kSign) != 0 ? key ^ kSign : ~key);
}

// Sorts by digits of 11 bits, the lowest first; digits that all keys share cost nothing.
void SortKeys(Keys& keys) {
  constexpr std::size_t kFew = 2048;
  if (keys.size() < kFew) return std::sort(keys.begin(), keys.end());
  constexpr int kBits = 11, kDigits = 6;
  constexpr std::size_t kValues = std::size_t{1} << kBits;
  const auto digit = [](std::uint64_t key, int i) {
    return static_cast<std::size_t>(key >> (i * kBits)) & (kValues - 1);
  };
  std::vector<std::array<std::size_t, kValues>> counts(kDigits);
  for (auto& count : counts) count.fill(0);
  for (const std::uint64_t key : keys) {
    for (int i = 0; i < kDigits; ++i) ++counts[static_cast<std::size_t>(i)][digit(key, i)];
  }
  Keys sorted(keys.size());
  for (int i = 0; i < kDigits; ++i) {
    auto& count = counts[static_cast<std::size_t>(i)];
    if (count[digit(keys[0], i)] == keys.size()) continue;
    std::exclusive_scan(count.begin(), count.end(), count.begin(), std::size_t{0});
    for (const std::uint64_t key : keys) sorted[count[digit(key, i)]++] = key;
    keys.swap(sorted);
  }
}

// Order keys of the numbers that are there, in the order of the rows.
Keys OrderKeysOf(const DataView& view, const Column& column) {
  Keys keys;
  keys.reserve(static_cast<std::size_t>(view.num_rows()));
  VisitEntries(column, [&](auto entries) {
    for (std::int64_t i = 0; i < view.num_rows(); ++i) {
      const auto row = static_cast<std::size_t>(view.row_id(i));
      const auto entry = entries[row];
      if (!IsValid(column, row) || MarksMissing(column.dtype, entry)) continue;
      if constexpr (std::is_floating_point_v<decltype(entry)>) {
        keys.push_back(OrderKey(static_cast<double>(entry)));
      } else {
        keys.push_back(OrderKey(static_cast<std::int64_t>(entry)));
      }
    }
  });
  return keys;
}

bool IsReal(const Column& column) { return column.dtype == CF_F64 || column.dtype == CF_F32; }

// Mean and deviation of the finite entries; sums in the order of the rows.
void AddMoments(const Keys& in_order, bool real, ColumnFacts& facts) {
  double sum = 0, n = 0;
  for (const std::uint64_t key : in_order) {
    const double value = NumberOfKey(key, real);
    if (!std::isfinite(value)) continue;
    sum += value;
    n += 1;
  }
  const double mean = sum / n;
  if (n == 0 || !std::isfinite(mean)) return;
  facts.mean = mean;
  double squares = 0;
  for (const std::uint64_t key : in_order) {
    const double value = NumberOfKey(key, real);
    if (std::isfinite(value)) squares += (value - mean) * (value - mean);
  }
  if (n > 1 && std::isfinite(squares)) facts.sd = std::sqrt(squares / (n - 1));
}

// The distinct values of sorted keys, and the count of the most frequent one.
Keys DistinctOf(const Keys& sorted, std::int64_t* most) {
  Keys distinct;
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t end = i + 1;
    while (end < sorted.size() && sorted[end] == sorted[i]) ++end;
    distinct.push_back(sorted[i]);
    *most = std::max(*most, static_cast<std::int64_t>(end - i));
    i = end;
  }
  return distinct;
}

// Order of the finite entries, which are `sorted`: extremes, the middle, and what is far outside.
void AddOrder(std::span<const std::uint64_t> sorted, bool real, ColumnContent& content) {
  if (sorted.empty()) return;
  const auto at = [&](std::size_t i) { return NumberOfKey(sorted[i], real); };
  const std::size_t n = sorted.size();
  content.all_whole = std::all_of(sorted.begin(), sorted.end(), [&](std::uint64_t key) {
    const double value = NumberOfKey(key, real);
    return value == std::floor(value);
  });
  content.first = at(0);
  content.last = at(n - 1);
  content.facts.min = content.first;
  content.facts.max = content.last;
  if (!real) {
    content.facts.whole_min = WholeOfKey(sorted.front());
    content.facts.whole_max = WholeOfKey(sorted.back());
  }
  content.facts.median = n % 2 == 1 ? at(n / 2) : at(n / 2 - 1) / 2 + at(n / 2) / 2;
  const auto count = [&](std::uint64_t key) {
    const auto [begin, end] = std::equal_range(sorted.begin(), sorted.end(), key);
    return static_cast<std::int64_t>(end - begin);
  };
  content.n_first = count(sorted.front());
  content.n_last = count(sorted.back());
  constexpr double kFar = 10;  // interquartile ranges
  const double low = at(n / 4), high = at(n - 1 - n / 4), range = high - low;
  if (range <= 0) return;
  const auto is_far = [&](std::uint64_t key) {
    const double value = NumberOfKey(key, real);
    return value < low - kFar * range || value > high + kFar * range;
  };
  const auto first_near = std::find_if_not(sorted.begin(), sorted.end(), is_far);
  const auto last_near = std::find_if_not(sorted.rbegin(), sorted.rend(), is_far);
  content.n_far = (first_near - sorted.begin()) + (last_near - sorted.rbegin());
}

void ExamineNumbers(const DataView& view, ColumnContent& content) {
  const bool real = IsReal(*content.column);
  Keys keys = OrderKeysOf(view, *content.column);
  content.n_present = static_cast<std::int64_t>(keys.size());
  AddMoments(keys, real, content.facts);
  SortKeys(keys);
  content.facts.n_distinct =
      static_cast<std::int64_t>(DistinctOf(keys, &content.most_frequent_count).size());
  std::size_t begin = 0, end = keys.size();
  while (begin < end && !std::isfinite(NumberOfKey(keys[begin], real))) ++begin;
  while (end > begin && !std::isfinite(NumberOfKey(keys[end - 1], real))) --end;
  content.n_infinite = static_cast<std::int64_t>(keys.size() - (end - begin));
  AddOrder({keys.data() + begin, end - begin}, real, content);
}

void ExamineLevels(const DataView& view, const DataReportOptions& options, ColumnContent& content) {
  const Column& column = *content.column;
  const bool is_bool = column.dtype == CF_BOOL8;
  const std::vector<std::string> levels =
      is_bool ? std::vector<std::string>{"false", "true"} : column.levels;
  content.level_counts.assign(levels.size(), 0);
  VisitEntries(column, [&](auto entries) {
    for (std::int64_t i = 0; i < view.num_rows(); ++i) {
      const auto row = static_cast<std::size_t>(view.row_id(i));
      const auto entry = entries[row];
      if (!IsValid(column, row) || MarksMissing(column.dtype, entry)) continue;
      ++content.level_counts[static_cast<std::size_t>(entry)];
      ++content.n_present;
    }
  });
  ColumnFacts& facts = content.facts;
  facts.n_levels = static_cast<std::int64_t>(levels.size());
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (content.level_counts[i] > 0) order.push_back(i);
  }
  facts.n_distinct = static_cast<std::int64_t>(order.size());
  const auto shown = std::min(order.size(), static_cast<std::size_t>(options.most_frequent));
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(),
                    [&](std::size_t a, std::size_t b) {
                      const auto count_a = content.level_counts[a],
                                 count_b = content.level_counts[b];
                      return count_a != count_b ? count_a > count_b : a < b;
                    });
  for (std::size_t i = 0; i < shown; ++i) {
    facts.most_frequent.push_back({levels[order[i]], content.level_counts[order[i]]});
  }
  if (shown > 0) content.most_frequent_count = facts.most_frequent[0].count;
}

// Distinct keys with codes 0, 1, ... in the order in which they come; gives up beyond a number.
class KeyCodes {
 public:
  explicit KeyCodes(std::size_t most) : most_(most) {
    std::size_t n_slots = 16;
    while (n_slots < 2 * most) n_slots *= 2;
    slots_.assign(n_slots, kFree);
  }
  static constexpr std::uint32_t kFree = 0xFFFFFFFFU;

  // kFree if there are more than `most` keys.
  std::uint32_t CodeOf(std::uint64_t key) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = static_cast<std::size_t>(Mix(key)) & mask;
    for (; slots_[i] != kFree; i = (i + 1) & mask) {
      if (keys_[slots_[i]] == key) return slots_[i];
    }
    if (keys_.size() == most_) return kFree;
    slots_[i] = static_cast<std::uint32_t>(keys_.size());
    keys_.push_back(key);
    return slots_[i];
  }
  std::size_t size() const { return keys_.size(); }

 private:
  std::size_t most_;
  Keys keys_;
  std::vector<std::uint32_t> slots_;
};

// Which rows are equal, and whether that reveals the target. Columns of mostly distinct values are
// left out: rows that are alone carry no information.
void CompareRows(const Keys& keys, std::span<const std::uint64_t> target, ColumnContent& content) {
  const auto n_distinct =
      static_cast<std::size_t>(content.facts.n_distinct) + (content.facts.n_missing > 0 ? 1U : 0U);
  constexpr std::size_t kMax = 1 << 16;
  if (n_distinct < 2 || n_distinct > kMax || 2 * n_distinct > keys.size()) return;
  KeyCodes codes(n_distinct);
  std::vector<std::uint64_t> target_of(n_distinct);
  bool tells = content.is_feature() && !target.empty() && 4 * n_distinct <= keys.size();
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::size_t known = codes.size();
    const std::uint32_t code = codes.CodeOf(keys[i]);
    if (code == KeyCodes::kFree) return;  // two numbers with one order key cannot be distinguished
    hash = Mix(hash ^ code);
    if (!tells) continue;
    if (code == known) target_of[code] = target[i];
    tells = target_of[code] == target[i];
  }
  content.partition_hash = hash;
  if (!tells) return;
  std::sort(target_of.begin(), target_of.end());
  const auto n_targets = std::unique(target_of.begin(), target_of.end()) - target_of.begin();
  if (n_targets < 2) return;
  const bool same = static_cast<std::size_t>(n_targets) == n_distinct;
  content.relation = same ? TargetRelation::kSame : TargetRelation::kDetermines;
}

const char* RoleOf(const Roles& roles, const std::string& name) {
  if (name == roles.target) return "target";
  if (name == roles.weights) return "weights";
  if (name == roles.groups) return "groups";
  if (name == roles.time) return "time";
  if (name == roles.folds) return "folds";
  if (name == roles.strata) return "strata";
  if (std::ranges::find(roles.coordinates, name) != roles.coordinates.end()) return "coordinates";
  for (const auto& [class_name, column] : roles.row_costs) {
    if (column == name) return "costs";
  }
  return "feature";
}

bool HaveSameContent(const DataView& view, const ColumnContent& a, const ColumnContent& b) {
  return a.content_hash == b.content_hash &&
         ContentKeys(view, *a.column).All() == ContentKeys(view, *b.column).All();
}

// Whether the same rows are equal, in both columns.
bool HaveSamePartition(const DataView& view, const ColumnContent& a, const ColumnContent& b) {
  if (!a.partition_hash || a.partition_hash != b.partition_hash) return false;
  const auto keys_a = ContentKeys(view, *a.column).All();
  const auto keys_b = ContentKeys(view, *b.column).All();
  std::unordered_map<std::uint64_t, std::uint64_t> b_of, a_of;
  for (std::size_t i = 0; i < keys_a.size(); ++i) {
    if (b_of.emplace(keys_a[i], keys_b[i]).first->second != keys_b[i]) return false;
    if (a_of.emplace(keys_b[i], keys_a[i]).first->second != keys_a[i]) return false;
  }
  return true;
}

// Whether one of the words of a name, in lower case, satisfies a condition: "PostalCode" and
// "postal_code" have the words "postal" and "code".
template <class Wanted>
bool AnyWord(std::string_view name, Wanted is_wanted) {
  std::string word;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool is_letter = IsUpper(name[i]) || IsLower(name[i]);
    const bool begins = i > 0 && IsUpper(name[i]) && IsLower(name[i - 1]);
    if ((!is_letter || begins) && is_wanted(word)) return true;
    if (!is_letter || begins) word.clear();
    if (is_letter) word += LowerCase(name[i]);
  }
  return is_wanted(word);
}

ColumnContent NamedContent(const DataView& view, const Column& column) {
  ColumnContent content;
  content.column = &column;
  content.facts.name = column.name;
  content.facts.type = ColumnTypeName(column.dtype, column.ordered);
  content.facts.role = RoleOf(view.data->roles(), column.name);
  return content;
}

}  // namespace

ColumnContent CountLevels(const DataView& view, const Column& column,
                          const DataReportOptions& options) {
  ColumnContent content = NamedContent(view, column);
  ExamineLevels(view, options, content);
  return content;
}

ColumnContent ExamineColumn(const DataView& view, const Column& column,
                            std::span<const std::uint64_t> target,
                            const DataReportOptions& options) {
  ColumnContent content = NamedContent(view, column);
  if (IsNumeric(column.dtype)) {
    ExamineNumbers(view, content);
  } else {
    ExamineLevels(view, options, content);
  }
  content.facts.n_missing = view.num_rows() - content.n_present;
  const Keys keys = ContentKeys(view, column).All();
  for (const std::uint64_t key : keys) content.content_hash = Mix(content.content_hash ^ key);
  CompareRows(keys, target, content);
  return content;
}

std::vector<EqualColumns> FindEqualColumns(const DataView& view,
                                           std::span<const ColumnContent> columns) {
  std::vector<const ColumnContent*> left;
  for (const ColumnContent& column : columns) {
    if (column.is_feature() && column.facts.n_distinct > 1) left.push_back(&column);
  }
  std::vector<EqualColumns> found;
  for (const bool same_content : {true, false}) {
    std::vector<bool> taken(left.size());
    std::vector<const ColumnContent*> next;
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (taken[i]) continue;
      next.push_back(left[i]);  // the first represents all that equal it
      EqualColumns group{{left[i]}, same_content};
      for (std::size_t j = i + 1; j < left.size(); ++j) {
        if (taken[j]) continue;
        taken[j] = same_content ? HaveSameContent(view, *left[i], *left[j])
                                : HaveSamePartition(view, *left[i], *left[j]);
        if (taken[j]) group.columns.push_back(left[j]);
      }
      if (group.columns.size() > 1) found.push_back(std::move(group));
    }
    left = std::move(next);
  }
  return found;
}

bool IsNamedId(std::string_view name) {
  const std::string lower = LowerCase(name);
  for (const std::string_view known : {"id", "key", "index", "uuid", "guid", "rowid", "row"}) {
    if (lower == known) return true;
  }
  for (const std::string_view ending : {"_id", "-id", ".id", " id", "_key", "_uuid"}) {
    if (lower.ends_with(ending)) return true;
  }
  return name.size() > 2 && name.ends_with("ID") && IsLower(name[name.size() - 3]);
}

bool IsNamedCode(std::string_view name) {
  constexpr std::array<std::string_view, 17> kWords = {
      "zip",          "zipcode", "plz",    "postcode",  "postal", "postalcode",
      "postleitzahl", "phone",   "phones", "telephone", "fips",   "ean",
      "upc",          "isbn",    "ssn",    "sku",       "code"};
  return AnyWord(name, [&](std::string_view word) {
    return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
  });
}

}  // namespace crossfold
