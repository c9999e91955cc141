#include "analysis/facts/equal_columns.h"

#include <unordered_map>

#include "analysis/facts/content_keys.h"

namespace crossfold {
namespace {

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

}  // namespace

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

}  // namespace crossfold
