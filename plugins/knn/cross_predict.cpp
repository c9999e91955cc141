// crossfold.cross-predict/1 of knn: settings that differ only in k and weights share one search.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "model.h"
#include "vote.h"

namespace crossfold::knn {
namespace {

using plugin::Context;
using plugin::CrossSink;

// What all settings of a group share.
struct Problem {
  Rows rows;
  std::vector<bool> nominal;
  std::size_t n_classes = 0;
  std::span<const std::int32_t> fold_of_row;
};

struct Fold {
  std::int32_t number;
  std::vector<std::int64_t> test, train;  // positions
};

Fold MakeFold(std::int32_t number, std::span<const std::int32_t> fold_of_row) {
  Fold fold{number, {}, {}};
  for (std::size_t i = 0; i < fold_of_row.size(); ++i) {
    (fold_of_row[i] == number ? fold.test : fold.train).push_back(static_cast<std::int64_t>(i));
  }
  return fold;
}

// Settings whose neighbours are the same.
struct Group {
  Params params;                      // distance and p
  std::vector<std::size_t> settings;  // indices
  std::int64_t largest_k = 0;
};

std::vector<Group> GroupByDistance(std::span<const Params> settings) {
  std::vector<Group> groups;
  for (std::size_t s = 0; s < settings.size(); ++s) {
    const Params& params = settings[s];
    auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& g) {
      return g.params.distance == params.distance &&
             (params.distance != Distance::kMinkowski || g.params.p == params.p);
    });
    if (group == groups.end()) group = groups.insert(group, Group{params, {}, 0});
    group->settings.push_back(s);
    group->largest_k = std::max(group->largest_k, params.k);
  }
  return groups;
}

// The nearest training rows of each test row of a fold, nearest first: equal numbers of them.
struct NeighbourLists {
  std::size_t length = 0;
  std::vector<Neighbour> all;  // positions are those of Problem::rows

  std::span<const Neighbour> Of(std::size_t test, std::int64_t k) const {
    return std::span(all).subspan(test * length, static_cast<std::size_t>(k));
  }
};

// Predictions of one setting for one fold.
template <class Metric>
void EmitFold(const Problem& problem, const Fold& fold, const Metric& metric,
              const NeighbourLists& lists, const Params& params, std::size_t setting,
              const CrossSink& sink) {
  std::vector<std::int32_t> labels;
  std::vector<double> values, probabilities;
  std::vector<double> shares(problem.n_classes);
  std::vector<Vote> votes;
  for (std::size_t i = 0; i < fold.test.size(); ++i) {
    Weigh(metric, params.weights, lists.Of(i, params.k), votes);
    if (problem.n_classes == 0) {
      values.push_back(MeanOfVotes(votes, problem.rows.values));
      continue;
    }
    ShareVotes(votes, problem.rows.labels, shares);
    const auto most = std::max_element(shares.begin(), shares.end());
    labels.push_back(static_cast<std::int32_t>(most - shares.begin()));
    if (sink.wants_probabilities()) {
      probabilities.insert(probabilities.end(), shares.begin(), shares.end());
    }
  }
  if (!sink.wants_labels()) labels.clear();
  sink.Emit(setting, fold.test, {labels, values, probabilities});
}

// All rows, as the space of some training rows has mapped them.
struct Searched {
  Space space;
  std::vector<double> entries;
  Blocks blocks;

  static Searched Make(const Rows& rows, Space space) {
    std::vector<double> entries = rows.entries;
    space.Map(entries);
    Blocks blocks(entries, rows.size(), rows.n_features);
    return {std::move(space), std::move(entries), std::move(blocks)};
  }
};

// The fold's own rows are skipped.
template <class Metric>
NeighbourLists Search(const Problem& problem, const Fold& fold, const Metric& metric,
                      const Searched& searched, std::size_t length, const Context& context) {
  const std::size_t d = problem.rows.n_features;
  std::vector<double> queries;
  for (const std::int64_t position : fold.test) {
    const auto row = std::span(searched.entries).subspan(static_cast<std::size_t>(position) * d, d);
    queries.insert(queries.end(), row.begin(), row.end());
  }
  NeighbourLists lists{length, {}};
  lists.all.reserve(length * fold.test.size());
  FindNearest(
      metric, searched.blocks, problem.rows.ids, queries, fold.test.size(), length, context,
      [&](std::size_t, std::size_t position) {
        return problem.fold_of_row[position] == fold.number;
      },
      [&](std::size_t, std::span<const Neighbour> neighbours) {
        lists.all.insert(lists.all.end(), neighbours.begin(), neighbours.end());
      });
  return lists;
}

// What `body` throws, kept for every setting that needs what it was to make; null = nothing.
template <class Body>
std::exception_ptr Attempt(Body&& body) {
  try {
    body();
  } catch (const plugin::Error&) {
    return std::current_exception();
  }
  return nullptr;
}

// `shared` serves every fold; null = the space depends on the fold's training rows.
void PredictFold(const Problem& problem, const Group& group, std::span<const Params> settings,
                 const Fold& fold, const Searched* shared, const CrossSink& sink,
                 const Context& context) {
  const auto n_train = static_cast<std::int64_t>(fold.train.size());
  const std::int64_t length = std::min(group.largest_k, n_train);
  std::optional<Searched> own;
  std::exception_ptr problem_of_fold = Attempt([&] {
    if (shared != nullptr || length == 0) return;
    const Rows train = Select(problem.rows, fold.train);
    own = Searched::Make(problem.rows, Space::Fit(group.params.distance, train, problem.nominal));
    shared = &*own;
  });
  const Space none;
  WithMetric(group.params, (own ? own->space : none).gower(), [&](const auto& metric) {
    NeighbourLists lists;
    if (!problem_of_fold && length > 0) {
      problem_of_fold = Attempt([&] {
        lists = Search(problem, fold, metric, *shared, static_cast<std::size_t>(length), context);
      });
    }
    for (const std::size_t s : group.settings) {
      sink.Try(s, fold.number, [&] {
        RequireEnoughRows(settings[s].k, n_train);
        if (problem_of_fold) std::rethrow_exception(problem_of_fold);
        EmitFold(problem, fold, metric, lists, settings[s], s, sink);
      });
    }
  });
}

void PredictGroup(const Group& group, std::span<const Params> settings,
                  const plugin::TrainingView& rows, std::span<const std::int32_t> fold_of_row,
                  std::span<const Fold> folds, const CrossSink& sink, const Context& context) {
  Problem problem{
      {}, NominalFeatures(rows), static_cast<std::size_t>(rows.num_classes()), fold_of_row};
  const std::exception_ptr unreadable =
      Attempt([&] { problem.rows = ReadRows(rows, group.params.distance); });
  if (unreadable) {
    for (const std::size_t s : group.settings) {
      sink.Try(s, -1, [&] { std::rethrow_exception(unreadable); });
    }
    return;
  }
  std::optional<Searched> shared;
  if (!Space::IsLearned(group.params.distance)) shared = Searched::Make(problem.rows, Space());
  for (const Fold& fold : folds) {
    PredictFold(problem, group, settings, fold, shared ? &*shared : nullptr, sink, context);
  }
}

}  // namespace

void Knn::CrossPredict(std::span<const Params> settings, const plugin::TrainingView& rows,
                       std::span<const std::int32_t> fold_of_row, std::int32_t n_folds,
                       plugin::CrossSink& sink, const plugin::Context& context) {
  std::vector<Fold> folds;
  for (std::int32_t f = 0; f < n_folds; ++f) folds.push_back(MakeFold(f, fold_of_row));
  for (const Group& group : GroupByDistance(settings)) {
    PredictGroup(group, settings, rows, fold_of_row, folds, sink, context);
  }
}

}  // namespace crossfold::knn
