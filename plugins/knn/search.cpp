#include "search.h"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "tiles.h"

namespace crossfold::knn {
namespace {

// Queries that run side by side while a tile of rows is in the cache.
constexpr std::size_t kTileQueries = 64;

// What differs between whole-number and real keys.
struct WholeKind {
  using Key = std::int32_t;
  static constexpr Key kAbove = std::numeric_limits<Key>::max();  // every key

  static std::size_t Collect(const Kernels& k, const Key* keys, std::size_t n, Key threshold,
                             std::uint32_t first_row, Found<Key>& found) {
    return k.collect_whole(keys, n, threshold, first_row, found);
  }
  static Key Shrink(const Kernels& k, Found<Key>& found, std::size_t n) {
    return k.shrink_whole(found, n);
  }
};
struct RealKind {
  using Key = double;
  static constexpr Key kAbove = std::numeric_limits<Key>::infinity();

  static std::size_t Collect(const Kernels& k, const Key* keys, std::size_t n, Key threshold,
                             std::uint32_t first_row, Found<Key>& found) {
    return k.collect_real(keys, n, threshold, first_row, found);
  }
  static Key Shrink(const Kernels& k, Found<Key>& found, std::size_t n) {
    return k.shrink_real(found, n);
  }
};

// The candidates of each query of a tile.
template <class Kind>
class Candidates {
  using Key = typename Kind::Key;

 public:
  // Of the queries first_query, first_query + 1 ...
  Candidates(const Search& search, std::size_t first_query, std::size_t k)
      : search_(&search),
        first_query_(first_query),
        k_(k),
        capacity_(Capacity(k, search.index->num_rows())),
        keys_(kTileQueries * capacity_),
        rows_(kTileQueries * capacity_) {
    for (std::size_t q = 0; q < kTileQueries; ++q) {
      found_[q] = {keys_.data() + q * capacity_, rows_.data() + q * capacity_, 0, capacity_};
    }
    thresholds_.fill(Kind::kAbove);
  }

  // Keys of the rows first_row, first_row + 1 ...; n is a multiple of kBlockRows.
  void Offer(std::size_t query, const Key* keys, std::size_t n, std::uint32_t first_row) {
    Found<Key>& found = found_[query];
    for (std::size_t at = 0; at < n;) {
      const std::size_t before = found.size;
      at += Kind::Collect(*search_->kernels, keys + at, n - at, thresholds_[query],
                          first_row + static_cast<std::uint32_t>(at), found);
      if (!search_->folds.of_row.empty()) DropSkipped(query, found, before);
      if (found.size + kBlockRows > capacity_) {
        thresholds_[query] = Kind::Shrink(*search_->kernels, found, k_);
      }
    }
  }

  // The k nearest, nearest first. The query begins again.
  void Take(std::size_t query, std::vector<Neighbour>& nearest) {
    Found<Key>& found = found_[query];
    if (found.size > k_) Kind::Shrink(*search_->kernels, found, k_);
    Sort(found, nearest);
    nearest.resize(k_, {std::numeric_limits<double>::infinity(), 0});
    found.size = 0;
    thresholds_[query] = Kind::kAbove;
  }

 private:
  // With few slots the threshold gets lower early; with many, shrinking is rare.
  static std::size_t Capacity(std::size_t k, std::size_t n_rows) {
    const std::size_t useful = std::min(std::max<std::size_t>(5 * k, 96), n_rows);
    return std::max(useful, k + ShrinkSlack(k)) + 2 * kBlockRows;
  }

  void DropSkipped(std::size_t query, Found<Key>& found, std::size_t first) const {
    const std::int32_t fold = search_->folds.of_query[first_query_ + query];
    std::size_t kept = first;
    for (std::size_t i = first; i < found.size; ++i) {
      found.keys[kept] = found.keys[i];
      found.rows[kept] = found.rows[i];
      kept += search_->folds.Counts(found.rows[i], fold) ? 1 : 0;
    }
    found.size = kept;
  }

  void Sort(const Found<std::int32_t>& found, std::vector<Neighbour>& sorted) {
    packed_.clear();
    for (std::size_t i = 0; i < found.size; ++i) {
      packed_.push_back(static_cast<std::uint64_t>(found.keys[i]) << 32 | found.rows[i]);
    }
    std::sort(packed_.begin(), packed_.end());
    sorted.clear();
    for (const std::uint64_t p : packed_) {
      sorted.push_back({static_cast<double>(p >> 32), static_cast<std::uint32_t>(p)});
    }
  }
  void Sort(const Found<double>& found, std::vector<Neighbour>& sorted) {
    sorted.clear();
    for (std::size_t i = 0; i < found.size; ++i) sorted.push_back({found.keys[i], found.rows[i]});
    std::sort(sorted.begin(), sorted.end());
  }

  const Search* search_;
  std::size_t first_query_, k_, capacity_;
  std::vector<Key> keys_;
  std::vector<std::uint32_t> rows_;
  std::array<Found<Key>, kTileQueries> found_;
  std::array<Key, kTileQueries> thresholds_;
  std::vector<std::uint64_t> packed_;
};

// Up to kTileQueries queries as the kernels take them: the last group is filled up with zeros.
class TileOfQueries {
 public:
  TileOfQueries(const Search& search, std::span<const double> queries, std::size_t n_queries)
      : search_(&search), real_(queries), n_queries_(n_queries) {
    is_whole_ = search.index->whole() != nullptr && ConvertAll(*search.index->whole());
    if (is_whole_ || n_queries % kQueryGroup == 0) return;
    filled_.assign(queries.begin(), queries.end());
    filled_.resize(num_groups() * kQueryGroup * search.index->num_features());
    real_ = filled_;
  }

  bool is_whole() const { return is_whole_; }
  std::size_t size() const { return n_queries_; }
  std::size_t num_groups() const { return (n_queries_ + kQueryGroup - 1) / kQueryGroup; }

  void Keys(std::size_t group, std::size_t first_block, std::size_t n_blocks,
            std::int32_t* keys) const {
    const WholeRows& rows = *search_->index->whole();
    const WholeTile tile{rows.block(first_block),
                         rows.starts(first_block),
                         whole_.data() + group * kQueryGroup * 2 * rows.num_pairs(),
                         starts_.data() + group * kQueryGroup,
                         n_blocks,
                         rows.num_pairs()};
    const bool squares = search_->metric.form() == Form::kSquares;
    (squares ? search_->kernels->whole_squares : search_->kernels->whole_absolute)(tile, keys);
  }
  void Keys(std::size_t group, std::size_t first_block, std::size_t n_blocks, double* keys) const {
    const std::size_t d = search_->index->num_features();
    const RealTile tile{search_->index->block(first_block), real_.data() + group * kQueryGroup * d,
                        n_blocks, d};
    search_->metric.Keys(*search_->kernels, tile, keys);
  }

 private:
  bool ConvertAll(const WholeRows& rows) {
    const std::size_t d = search_->index->num_features(), width = 2 * rows.num_pairs();
    whole_.resize(num_groups() * kQueryGroup * width);
    for (std::size_t q = 0; q < n_queries_; ++q) {
      const auto out = std::span(whole_).subspan(q * width, width);
      if (!rows.Convert(real_.subspan(q * d, d), out, starts_[q])) return false;
    }
    return true;
  }

  const Search* search_;
  std::span<const double> real_;
  std::vector<double> filled_;
  std::size_t n_queries_;
  bool is_whole_;
  std::vector<std::int16_t> whole_;
  std::array<std::int32_t, kTileQueries> starts_{};
};

// Compares all rows with the queries of a tile.
template <class Kind>
void Pass(const Search& search, const TileOfQueries& queries, Candidates<Kind>& candidates) {
  const Index& index = *search.index;
  std::array<typename Kind::Key, kQueryGroup * kTileRows> keys;
  for (std::size_t first = 0; first < index.num_blocks(); first += kTileBlocks) {
    const std::size_t n_blocks = std::min(kTileBlocks, index.num_blocks() - first);
    const std::size_t first_row = first * kBlockRows;
    const std::size_t n_rows = std::min(n_blocks * kBlockRows, index.num_rows() - first_row);
    for (std::size_t group = 0; group < queries.num_groups(); ++group) {
      queries.Keys(group, first, n_blocks, keys.data());
      for (std::size_t q = 0; q < kQueryGroup; ++q) {
        const std::size_t query = group * kQueryGroup + q;
        if (query >= queries.size()) break;
        auto* of_query = keys.data() + q * kTileRows;
        std::fill(of_query + n_rows, of_query + n_blocks * kBlockRows, Kind::kAbove);
        candidates.Offer(query, of_query, n_blocks * kBlockRows,
                         static_cast<std::uint32_t>(first_row));
      }
    }
  }
}

void MarkLost(const Search& search, std::span<const double> query,
              std::vector<Neighbour>& nearest) {
  for (Neighbour& neighbour : nearest) {
    if (!(neighbour.key < search.metric.least_key())) break;
    neighbour.is_lost = !search.index->IsEqual(neighbour.row, query);
  }
}

template <class Kind>
void SearchTile(const Search& search, const TileOfQueries& tile, std::span<const double> queries,
                std::size_t first_query, std::size_t k, const UseNeighbours& use) {
  const std::size_t d = search.index->num_features();
  Candidates<Kind> candidates(search, first_query, k);
  Pass(search, tile, candidates);
  std::vector<Neighbour> nearest;
  for (std::size_t q = 0; q < tile.size(); ++q) {
    candidates.Take(q, nearest);
    MarkLost(search, queries.subspan(q * d, d), nearest);
    use(first_query + q, nearest);
  }
}

}  // namespace

void FindNearest(const Search& search, std::span<const double> queries, std::size_t n_queries,
                 std::size_t k, const plugin::Context& context, const UseNeighbours& use) {
  const std::size_t d = search.index->num_features();
  const std::size_t n_tiles = (n_queries + kTileQueries - 1) / kTileQueries;
  ForEachTile(n_tiles, context, [&](std::size_t t) {
    const std::size_t first = t * kTileQueries;
    const std::size_t size = std::min(kTileQueries, n_queries - first);
    const auto of_tile = queries.subspan(first * d, size * d);
    const TileOfQueries tile(search, of_tile, size);
    if (tile.is_whole()) {
      SearchTile<WholeKind>(search, tile, of_tile, first, k, use);
    } else {
      SearchTile<RealKind>(search, tile, of_tile, first, k, use);
    }
  });
}

}  // namespace crossfold::knn
