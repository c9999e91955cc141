#include "index.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace crossfold::knn {
namespace {

// Differences of whole numbers up to this are exact.
constexpr double kExact = 9007199254740992;  // 2^53

bool IsWhole(double entry) { return std::abs(entry) <= kExact && std::trunc(entry) == entry; }

// What a feature with this difference adds to a key.
double Term(Form form, double difference) {
  return form == Form::kSquares ? difference * difference : difference;
}

}  // namespace

std::optional<WholeRows> WholeRows::Make(std::span<const double> entries, std::size_t n_rows,
                                         std::size_t n_features, Form form) {
  if (form != Form::kSquares && form != Form::kAbsolute) return std::nullopt;
  if (n_rows == 0 || !std::all_of(entries.begin(), entries.end(), IsWhole)) return std::nullopt;
  WholeRows rows(form, n_features);
  rows.lows_.assign(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(n_features));
  std::vector<double> highs = rows.lows_;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::size_t j = i % n_features;
    rows.lows_[j] = std::min(rows.lows_[j], entries[i]);
    highs[j] = std::max(highs[j], entries[i]);
  }
  double largest_key = 0;
  for (std::size_t j = 0; j < n_features; ++j) {
    rows.spans_.push_back(highs[j] - rows.lows_[j]);
    largest_key += Term(form, rows.spans_[j]);
    if (!(rows.spans_[j] <= kLargestSpan && largest_key <= kLargestKey)) return std::nullopt;
  }
  const std::size_t n_blocks = (n_rows + kBlockRows - 1) / kBlockRows;
  rows.blocks_.resize(n_blocks * rows.n_pairs_ * 2 * kBlockRows);
  rows.starts_.resize(n_blocks * kBlockRows);
  for (std::size_t i = 0; i < n_rows; ++i) {
    std::int16_t* block = rows.blocks_.data() + i / kBlockRows * rows.n_pairs_ * 2 * kBlockRows;
    for (std::size_t j = 0; j < n_features; ++j) {
      const double entry = entries[i * n_features + j] - rows.lows_[j];
      block[(j / 2 * kBlockRows + i % kBlockRows) * 2 + j % 2] = static_cast<std::int16_t>(entry);
      if (form == Form::kSquares) rows.starts_[i] += static_cast<std::int32_t>(entry * entry);
    }
  }
  return rows;
}

bool WholeRows::Convert(std::span<const double> query, std::span<std::int16_t> out,
                        std::int32_t& start) const {
  double largest_key = 0, squares = 0;
  for (std::size_t j = 0; j < query.size(); ++j) {
    const double entry = query[j] - lows_[j];
    largest_key += Term(form_, std::max(std::abs(entry), std::abs(entry - spans_[j])));
    if (!IsWhole(query[j]) || !(std::abs(entry) <= kLargestSpan)) return false;
    squares += entry * entry;
    out[j] = static_cast<std::int16_t>(form_ == Form::kSquares ? -2 * entry : entry);
  }
  if (!(largest_key <= kLargestKey)) return false;
  start = form_ == Form::kSquares ? static_cast<std::int32_t>(squares) : 0;
  return true;
}

Index::Index(std::span<const double> entries, std::size_t n_rows, std::size_t n_features, Form form)
    : n_rows_(n_rows),
      n_features_(n_features),
      whole_(WholeRows::Make(entries, n_rows, n_features, form)) {
  blocks_.resize(num_blocks() * kBlockRows * n_features);
  for (std::size_t i = 0; i < n_rows; ++i) {
    double* block = blocks_.data() + (i / kBlockRows) * kBlockRows * n_features;
    for (std::size_t j = 0; j < n_features; ++j) {
      block[j * kBlockRows + i % kBlockRows] = entries[i * n_features + j];
    }
  }
}

}  // namespace crossfold::knn
