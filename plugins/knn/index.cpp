#include "index.h"

namespace crossfold::knn {

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
