#include "known_names.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "ascii.h"

namespace crossfold::reading {
namespace {

// Whether comparing a name with these takes well below a second; a longer one is not a typing
// error.
bool AreComparable(std::string_view wrong, std::span<const std::string> known) {
  constexpr std::size_t kMostPairs = 50'000'000;  // of letters
  std::size_t letters = 0;
  for (const std::string& name : known) letters += name.size() + 1;
  return wrong.size() <= kMostPairs / std::max<std::size_t>(letters, 1);
}

// Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours, no part
// edited twice.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const char x = LowerCase(a[i - 1]), y = LowerCase(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (x == y ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && x == LowerCase(b[j - 2]) && LowerCase(a[i - 2]) == y;
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

bool Contains(std::string_view text, std::string_view part) {
  const auto same = [](char a, char b) { return LowerCase(a) == LowerCase(b); };
  return part.size() >= 3 &&
         std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

// Of sorted names those that have `wrong` as a part, as "roc_auc" has "auc", or are a part of it,
// if that is one word. They have at least three letters; none if there are more than three such
// names, which would not help.
std::vector<std::string> LongerOrShorter(std::string_view wrong,
                                         std::span<const std::string> sorted) {
  if (!AreComparable(wrong, sorted)) return {};
  const bool is_word = wrong.find(' ') == std::string_view::npos;
  std::vector<std::string> names;
  for (const std::string& name : sorted) {
    if (Contains(name, wrong) || (is_word && Contains(wrong, name))) names.push_back(name);
  }
  if (names.size() > 3) names.clear();
  return names;
}

// Names may come from files, and a message is one line.
std::string OnOneLine(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return name;
}

// The known name that is closest to `wrong` (edit distance with transpositions of neighbours; the
// case of ASCII letters does not count), or "" if none is close enough to be meant: at most one
// edit for every three letters, one in a short name, and never all of its letters. Of equally near
// ones the first in the order of bytes.
std::string NearestName(std::string_view wrong, std::span<const std::string> known) {
  if (!AreComparable(wrong, known)) return "";
  const std::size_t limit = std::max<std::size_t>(1, wrong.size() / 3);
  std::string nearest;
  std::size_t nearest_distance = limit + 1;
  for (const std::string& name : known) {
    const std::size_t longer = std::max(wrong.size(), name.size());
    if (longer - std::min(wrong.size(), name.size()) > limit) continue;
    const std::size_t distance = EditDistance(wrong, name);
    if (distance > limit || distance >= longer) continue;
    if (distance < nearest_distance || (distance == nearest_distance && name < nearest)) {
      nearest = name;
      nearest_distance = distance;
    }
  }
  return nearest;
}

// Of many sorted names those that are nearest to `wrong`, in the same order: nobody reads
// thousands.
std::vector<std::string> Shortened(std::string_view wrong, std::vector<std::string> sorted) {
  constexpr std::size_t kAll = 40, kShown = 10;
  if (sorted.size() <= kAll) return sorted;
  std::vector<std::pair<std::size_t, std::size_t>> by_distance;
  const bool comparable = AreComparable(wrong, sorted);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    by_distance.emplace_back(comparable ? EditDistance(wrong, sorted[i]) : 0, i);
  }
  std::partial_sort(by_distance.begin(), by_distance.begin() + kShown, by_distance.end());
  std::vector<std::string> shown;
  for (std::size_t k = 0; k < kShown; ++k) shown.push_back(sorted[by_distance[k].second]);
  std::sort(shown.begin(), shown.end());
  return shown;
}

}  // namespace

std::string KnownNames(std::string_view wrong, std::span<const std::string> known) {
  if (known.empty()) return "none are known";
  std::vector<std::string> sorted(known.begin(), known.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::string> meant = {NearestName(wrong, known)};
  if (meant.front().empty()) meant = LongerOrShorter(wrong, sorted);
  std::string text;
  for (std::size_t i = 0; i < meant.size(); ++i) {
    text += (i == 0 ? "did you mean '" : " or '") + OnOneLine(meant[i]) + "'";
  }
  text += meant.empty() ? "known: " : "? known: ";
  const std::vector<std::string> shown = Shortened(wrong, sorted);
  for (std::size_t i = 0; i < shown.size(); ++i) text += (i > 0 ? ", " : "") + OnOneLine(shown[i]);
  if (shown.size() == sorted.size()) return text;
  return text + " and " + std::to_string(sorted.size() - shown.size()) + " more";
}

}  // namespace crossfold::reading
