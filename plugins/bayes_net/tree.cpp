#include "tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace crossfold::bundled {

double ConditionalMutualInformation(const LevelTable& table, std::size_t i, std::size_t j) {
  const std::size_t n_i = table.n_levels[i], n_j = table.n_levels[j], n_c = table.n_classes;
  std::vector<double> both(n_c * n_i * n_j), of_i(n_c * n_i), of_j(n_c * n_j), of_class(n_c);
  double total = 0;
  for (std::size_t row = 0; row < table.classes.size(); ++row) {
    if (table.codes[i][row] == kNoLevel || table.codes[j][row] == kNoLevel) continue;
    const auto a = static_cast<std::size_t>(table.codes[i][row]);
    const auto b = static_cast<std::size_t>(table.codes[j][row]);
    const std::size_t c = table.classes[row];
    const double weight = table.weights[row];
    both[(c * n_i + a) * n_j + b] += weight;
    of_i[c * n_i + a] += weight;
    of_j[c * n_j + b] += weight;
    of_class[c] += weight;
    total += weight;
  }
  double sum = 0;
  for (std::size_t c = 0; c < n_c; ++c) {
    for (std::size_t a = 0; a < n_i; ++a) {
      for (std::size_t b = 0; b < n_j; ++b) {
        const double n = both[(c * n_i + a) * n_j + b];
        if (n == 0) continue;
        sum += n * std::log(n * of_class[c] / (of_i[c * n_i + a] * of_j[c * n_j + b]));
      }
    }
  }
  return total > 0 ? sum / total : 0;
}

namespace {

using Edge = std::pair<std::size_t, std::size_t>;

// From the heaviest down; equal edges in the order of their features.
std::vector<Edge> EdgesByWeight(std::span<const double> weights, std::size_t d) {
  const auto weight = [&](const Edge& edge) { return weights[edge.first * d + edge.second]; };
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = i + 1; j < d; ++j) edges.emplace_back(i, j);
  }
  std::sort(edges.begin(), edges.end(),
            [&](const Edge& a, const Edge& b) { return weight(a) > weight(b); });
  for (auto first = edges.begin(); first != edges.end();) {
    const double least = weight(*first) - kEqualInformation;
    const auto end = std::partition_point(first, edges.end(),
                                          [&](const Edge& edge) { return weight(edge) >= least; });
    std::sort(first, end);
    first = end;
  }
  return edges;
}

}  // namespace

std::vector<std::int32_t> MaximumSpanningTree(std::span<const double> weights, std::size_t d) {
  std::vector<std::size_t> part(d);
  std::iota(part.begin(), part.end(), std::size_t{0});
  std::vector<std::vector<std::size_t>> neighbours(d);
  // Kruskal: an edge is taken unless both ends are joined already.
  for (const auto& [i, j] : EdgesByWeight(weights, d)) {
    if (part[i] == part[j]) continue;
    std::replace(part.begin(), part.end(), std::size_t{part[j]}, std::size_t{part[i]});
    neighbours[i].push_back(j);
    neighbours[j].push_back(i);
  }
  std::vector<std::int32_t> parents(d, kNoParent);
  std::vector<std::size_t> open;
  if (d > 0) open.push_back(0);
  while (!open.empty()) {
    const std::size_t from = open.back();
    open.pop_back();
    for (const std::size_t to : neighbours[from]) {
      if (parents[from] == static_cast<std::int32_t>(to)) continue;
      parents[to] = static_cast<std::int32_t>(from);
      open.push_back(to);
    }
  }
  return parents;
}

}  // namespace crossfold::bundled
