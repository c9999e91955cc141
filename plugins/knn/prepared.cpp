#include "prepared.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "kernels.h"
#include "rows.h"
#include "search.h"
#include "space.h"

namespace crossfold::knn {

Prepared Prepared::Make(const Params& params, const plugin::FeatureView& all,
                        const plugin::Context& context) {
  Prepared prepared;
  prepared.params_ = params;
  if (Space::IsLearned(params.distance)) return prepared;
  if (all.num_rows() >= std::numeric_limits<std::uint32_t>::max()) return prepared;
  Rows rows;
  rows.n_features = static_cast<std::size_t>(all.num_features());
  try {
    rows.entries = ReadEntries(all, params.distance);
  } catch (const plugin::Error&) {
    return prepared;
  }
  for (std::int64_t i = 0; i < all.num_rows(); ++i) rows.ids.push_back(all.row_id(i));
  rows = OrderedById(std::move(rows));
  if (std::adjacent_find(rows.ids.begin(), rows.ids.end()) != rows.ids.end()) return prepared;
  prepared.index_ = Index(rows.entries, rows.size(), rows.n_features, prepared.metric().form());
  prepared.ids_ = std::move(rows.ids);
  prepared.FindLists(context);
  prepared.serves_ = true;
  return prepared;
}

// A row is among its own nearest rows, unless many equal it.
void Prepared::FindLists(const plugin::Context& context) {
  const std::size_t n = index_.num_rows();
  if (n < 2) return;
  list_length_ = std::min(kListLength, n - 1);
  lists_.assign(n * list_length_, {std::numeric_limits<double>::infinity(), 0});
  std::vector<double> queries;
  queries.reserve(n * index_.num_features());
  for (std::size_t i = 0; i < n; ++i) index_.AppendRow(i, queries);
  const Search search{&index_, metric(), &BestKernels()};
  FindNearest(search, queries, n, list_length_ + 1, context,
              [&](std::size_t i, std::span<const Neighbour> nearest) {
                Neighbour* to = lists_.data() + i * list_length_;
                Neighbour* const end = to + list_length_;
                for (const Neighbour& neighbour : nearest) {
                  if (neighbour.row != i && to != end) *to++ = neighbour;
                }
              });
}

bool Prepared::Serves(const Params& params, std::int64_t n_features) const {
  return serves_ && params.distance == params_.distance &&
         (params.distance != Distance::kMinkowski || params.p == params_.p) &&
         static_cast<std::size_t>(n_features) == index_.num_features();
}

std::optional<std::uint32_t> Prepared::RowOf(std::int64_t id) const {
  const auto n = static_cast<std::int64_t>(ids_.size());
  if (id >= 0 && id < n && ids_[static_cast<std::size_t>(id)] == id) {
    return static_cast<std::uint32_t>(id);
  }
  const auto found = std::lower_bound(ids_.begin(), ids_.end(), id);
  if (found == ids_.end() || *found != id) return std::nullopt;
  return static_cast<std::uint32_t>(found - ids_.begin());
}

std::uint64_t Prepared::Bytes() const {
  return sizeof(*this) + ids_.size() * sizeof(std::int64_t) + index_.Bytes() +
         lists_.size() * sizeof(Neighbour);
}

}  // namespace crossfold::knn
