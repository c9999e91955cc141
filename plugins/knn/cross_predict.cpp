// crossfold.cross-predict/1 of knn: settings that differ only in k and weights share one search, or
// the lists of a Prepared.
#include "cross_predict.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ballot.h"
#include "kernels.h"
#include "model.h"
#include "search.h"

namespace crossfold::knn {
namespace {

using plugin::Context;
using plugin::CrossSink;
using plugin::TrainingView;

struct Fold {
  std::int32_t number;
  std::int64_t n_train;
  std::vector<std::int64_t> test;  // positions
};

std::vector<Fold> MakeFolds(std::span<const std::int32_t> fold_of_position, std::int32_t n_folds) {
  std::vector<Fold> folds;
  for (std::int32_t f = 0; f < n_folds; ++f) folds.push_back({f, 0, {}});
  for (std::size_t i = 0; i < fold_of_position.size(); ++i) {
    if (fold_of_position[i] < 0) continue;
    folds[static_cast<std::size_t>(fold_of_position[i])].test.push_back(
        static_cast<std::int64_t>(i));
  }
  for (Fold& fold : folds) {
    fold.n_train = static_cast<std::int64_t>(fold_of_position.size() - fold.test.size());
  }
  return folds;
}

// Some tested rows of a fold.
struct Part {
  std::int32_t fold;
  std::int64_t n_train;
  std::span<const std::int64_t> test;  // positions
};

// Settings whose neighbours are the same.
struct Group {
  Params params;                      // distance and p
  std::vector<std::size_t> settings;  // indices; those of a kind of weights together, k ascending
  std::int64_t largest_k = 0;
};

std::vector<Group> GroupByDistance(std::span<const Params> settings) {
  std::vector<Group> groups;
  std::map<std::pair<Distance, double>, std::size_t> known;  // distance, p -> group
  for (std::size_t s = 0; s < settings.size(); ++s) {
    const Params& params = settings[s];
    const double p = params.distance == Distance::kMinkowski ? params.p : 0;
    const auto [place, is_new] = known.emplace(std::pair(params.distance, p), groups.size());
    if (is_new) groups.push_back({params, {}, 0});
    Group& group = groups[place->second];
    group.settings.push_back(s);
    group.largest_k = std::max(group.largest_k, params.k);
  }
  for (Group& group : groups) {
    std::stable_sort(group.settings.begin(), group.settings.end(),
                     [&](std::size_t a, std::size_t b) {
                       return std::pair(settings[a].weights, settings[a].k) <
                              std::pair(settings[b].weights, settings[b].k);
                     });
  }
  return groups;
}

// The targets of the rows of an index, one entry per row.
struct Labelled {
  std::size_t n_classes = 0;
  std::vector<std::uint32_t> row_of_position;
  std::vector<std::int32_t> folds;
  std::vector<std::int32_t> labels;  // classification
  std::vector<double> values;        // regression

  // Rows that no position of the view names are not used.
  static Labelled Of(const TrainingView& view, std::span<const std::int32_t> fold_of_position,
                     std::vector<std::uint32_t> row_of_position, std::size_t n_rows) {
    Labelled rows;
    rows.n_classes = static_cast<std::size_t>(view.num_classes());
    rows.folds.assign(n_rows, Folds::kAbsent);
    (rows.n_classes > 0 ? rows.labels.resize(n_rows) : rows.values.resize(n_rows));
    for (std::size_t i = 0; i < row_of_position.size(); ++i) {
      const std::size_t row = row_of_position[i];
      const auto position = static_cast<std::int64_t>(i);
      rows.folds[row] = fold_of_position[i];
      if (rows.n_classes > 0) {
        rows.labels[row] = view.label(position);
      } else {
        rows.values[row] = view.value(position);
      }
    }
    rows.row_of_position = std::move(row_of_position);
    return rows;
  }
  // Row i is position i.
  static Labelled InOrder(const TrainingView& view,
                          std::span<const std::int32_t> fold_of_position) {
    Labelled rows;
    rows.n_classes = static_cast<std::size_t>(view.num_classes());
    rows.folds.assign(fold_of_position.begin(), fold_of_position.end());
    (rows.n_classes > 0 ? rows.labels.reserve(rows.folds.size())
                        : rows.values.reserve(rows.folds.size()));
    for (std::int64_t i = 0; i < view.num_rows(); ++i) {
      if (rows.n_classes > 0) {
        rows.labels.push_back(view.label(i));
      } else {
        rows.values.push_back(view.value(i));
      }
    }
    return rows;
  }
  Targets targets() const { return {n_classes, labels, values}; }
};

// Where the neighbours of a fold come from.
struct Source {
  const Index* index;
  Metric metric;
  const Prepared* prepared;             // with lists of the same rows; null = search
  const BlockedRows* blocks = nullptr;  // null = the rows of the index
};

// Fills `to` with the first of `list` that count. Returns false if there are too few.
bool TakeThoseThatCount(std::span<const Neighbour> list, std::int32_t fold, const Folds& folds,
                        std::span<Neighbour> to) {
  std::size_t taken = 0;
  for (const Neighbour& neighbour : list) {
    if (taken == to.size() || !std::isfinite(neighbour.key)) break;
    to[taken] = neighbour;
    taken += folds.Counts(neighbour.row, fold) ? 1 : 0;
  }
  return taken == to.size();
}

// The nearest training rows of each tested row of some parts, nearest first: equal numbers of them.
class NeighbourLists {
 public:
  NeighbourLists(const Labelled& rows, const Source& source, std::span<const Part> parts,
                 std::size_t length, const Context& context)
      : length_(length) {
    if (source.blocks != nullptr) {
      SearchBlocks(rows, source, parts, context);
      return;
    }
    std::vector<std::size_t> searched;  // lists that no prepared one can fill
    std::vector<std::int32_t> fold_of_query;
    std::vector<double> queries;
    const Folds of_rows{rows.folds, {}};
    for (const Part& part : parts) {
      for (const std::int64_t position : part.test) {
        const std::uint32_t row = rows.row_of_position[static_cast<std::size_t>(position)];
        const std::span<Neighbour> list = Add();
        if (source.prepared != nullptr &&
            TakeThoseThatCount(source.prepared->NearestTo(row), part.fold, of_rows, list)) {
          continue;
        }
        searched.push_back(num_lists() - 1);
        fold_of_query.push_back(part.fold);
        source.index->AppendRow(row, queries);
      }
    }
    FindNearest({source.index, source.metric, &BestKernels(), {rows.folds, fold_of_query}}, queries,
                searched.size(), length, context,
                [&](std::size_t i, std::span<const Neighbour> nearest) {
                  std::copy(nearest.begin(), nearest.end(), List(searched[i]).begin());
                });
  }

  // Those of the i-th tested row, the parts one after the other; the k nearest.
  std::span<const Neighbour> Of(std::size_t i) const {
    return std::span(all_).subspan(i * length_, length_);
  }
  std::span<const Neighbour> Of(std::size_t i, std::int64_t k) const {
    return std::span(all_).subspan(i * length_, static_cast<std::size_t>(k));
  }
  // The number of nearest rows that can be used in all of these lists.
  std::int64_t NumUsable(std::size_t first, std::size_t n) const {
    std::size_t usable = length_;
    for (std::size_t i = first; i < first + n; ++i) {
      const auto list = Of(i).first(usable);
      usable = static_cast<std::size_t>(std::ranges::find_if_not(list, IsUsable) - list.begin());
    }
    return static_cast<std::int64_t>(usable);
  }

 private:
  // Every block has its own nearest rows; the nearest of all are among these.
  void SearchBlocks(const Labelled& rows, const Source& source, std::span<const Part> parts,
                    const Context& context) {
    std::vector<std::int64_t> tested;
    std::vector<std::int32_t> fold_of_query;
    for (const Part& part : parts) {
      tested.insert(tested.end(), part.test.begin(), part.test.end());
      fold_of_query.resize(tested.size(), part.fold);
    }
    all_.assign(tested.size() * length_, {std::numeric_limits<double>::infinity(), 0});
    const std::vector<double> queries = source.blocks->Entries(tested);
    const std::int64_t most = source.blocks->rows_of_block();
    for (std::int64_t first = 0; first < source.blocks->num_rows(); first += most) {
      const std::int64_t n = std::min(most, source.blocks->num_rows() - first);
      const Index index = source.blocks->BlockFrom(first, n, source.metric.form());
      const auto of_row =
          std::span(rows.folds)
              .subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(n));
      FindNearest({&index, source.metric, &BestKernels(), {of_row, fold_of_query}}, queries,
                  tested.size(), length_, context,
                  [&](std::size_t i, std::span<const Neighbour> nearest) {
                    Merge(nearest, static_cast<std::uint32_t>(first), List(i));
                  });
    }
  }

  // Keeps the nearest of both. `more` numbers the rows from `first_row` on.
  static void Merge(std::span<const Neighbour> more, std::uint32_t first_row,
                    std::span<Neighbour> list) {
    if (!(more.front().key < list.back().key)) return;  // on a tie the earlier row stays
    std::vector<Neighbour> both(list.begin(), list.end());
    for (Neighbour neighbour : more) {
      neighbour.row += first_row;
      both.push_back(neighbour);
    }
    std::inplace_merge(both.begin(), both.begin() + static_cast<std::ptrdiff_t>(list.size()),
                       both.end());
    std::copy_n(both.begin(), list.size(), list.begin());
  }

  std::size_t num_lists() const { return all_.size() / length_; }
  std::span<Neighbour> List(std::size_t i) { return std::span(all_).subspan(i * length_, length_); }
  std::span<Neighbour> Add() {
    all_.resize(all_.size() + length_);
    return List(num_lists() - 1);
  }

  std::size_t length_;
  std::vector<Neighbour> all_;
};

// Predictions of one setting for a part.
struct Answers {
  std::size_t setting;
  std::vector<std::int32_t> labels;
  std::vector<double> values, probabilities;

  static Answers For(std::size_t setting, std::size_t n_rows, std::size_t n_classes,
                     const CrossSink& sink) {
    Answers answers{setting, {}, {}, {}};
    if (n_classes == 0) {
      answers.values.resize(n_rows);
      return answers;
    }
    if (sink.wants_labels()) answers.labels.resize(n_rows);
    if (sink.wants_probabilities()) answers.probabilities.resize(n_rows * n_classes);
    return answers;
  }
  void Take(const Ballot& ballot, std::size_t i, std::size_t n_classes) {
    if (!values.empty()) values[i] = ballot.Mean();
    if (!labels.empty()) labels[i] = ballot.Label();
    if (probabilities.empty()) return;
    ballot.CopyShares(std::span(probabilities).subspan(i * n_classes, n_classes));
  }
};

// Predicts by each of `settings` (in the order of a Group) from the lists of `n_tested` rows from
// `first` on.
void CountVotes(const Labelled& rows, const Metric& metric, const NeighbourLists& lists,
                std::size_t first, std::size_t n_tested, std::span<const Params> params,
                std::vector<Answers>& settings) {
  Ballot ballot(metric, rows.targets());
  for (std::size_t i = 0; i < n_tested; ++i) {
    const Params* before = nullptr;
    for (Answers& answers : settings) {
      const Params& setting = params[answers.setting];
      if (before == nullptr || before->weights != setting.weights) {
        ballot.Begin(lists.Of(first + i), setting.weights);
      }
      ballot.CountTo(static_cast<std::size_t>(setting.k));
      answers.Take(ballot, i, rows.n_classes);
      before = &setting;
    }
  }
}

// All settings of a group.
class GroupRun {
 public:
  GroupRun(const Group& group, std::span<const Params> settings, const CrossSink& sink,
           const Context& context)
      : group_(&group), settings_(settings), sink_(&sink), context_(&context) {}

  Distance distance() const { return group_->params.distance; }
  const Params& params() const { return group_->params; }

  void Predict(const Labelled& rows, const Source& source, std::span<const Fold> folds) const {
    const std::size_t most = MostTogether(source);
    const std::size_t enough = std::min(most, kEnoughQueries);
    std::vector<Part> parts;
    std::size_t n_tested = 0;
    for (const Fold& fold : folds) {
      std::span<const std::int64_t> test = fold.test;
      do {
        parts.push_back(
            {fold.number, fold.n_train, test.first(std::min(test.size(), most - n_tested))});
        test = test.subspan(parts.back().test.size());
        n_tested += parts.back().test.size();
        if (n_tested < enough) continue;
        PredictTogether(rows, source, parts);
        parts.clear();
        n_tested = 0;
      } while (!test.empty());
    }
    if (!parts.empty()) PredictTogether(rows, source, parts);
  }

  // `why` throws the reason for which no setting has a prediction in the fold.
  template <class Why>
  void Fail(const Fold& fold, const Why& why) const {
    for (const std::size_t s : group_->settings) TrySetting(s, fold.number, fold.n_train, why);
  }

 private:
  // How many tested rows are searched together at most.
  std::size_t MostTogether(const Source& source) const {
    const auto length = static_cast<std::size_t>(std::max<std::int64_t>(group_->largest_k, 1));
    const std::size_t most = std::max(kEnoughQueries, kMostNeighbours / length);
    if (source.blocks == nullptr) return most;
    const auto width =
        static_cast<std::size_t>(std::max<std::int64_t>(source.blocks->num_features(), 1));
    return std::min(most, std::max<std::size_t>(kMostQueryNumbers / width, 1));
  }

  void PredictTogether(const Labelled& rows, const Source& source,
                       std::span<const Part> parts) const {
    std::int64_t length = 1;
    for (const Part& part : parts) {
      length = std::max(length, std::min(group_->largest_k, part.n_train));
    }
    const NeighbourLists lists(rows, source, parts, static_cast<std::size_t>(length), *context_);
    std::size_t first = 0;
    for (const Part& part : parts) {
      PredictPart(rows, source.metric, lists, first, part);
      first += part.test.size();
    }
  }

  void PredictPart(const Labelled& rows, const Metric& metric, const NeighbourLists& lists,
                   std::size_t first, const Part& part) const {
    const std::size_t n_tested = part.test.size();
    const std::int64_t n_usable = lists.NumUsable(first, n_tested);
    std::vector<Answers> answers;
    for (const std::size_t s : group_->settings) {
      TrySetting(s, part.fold, part.n_train, [&] {
        for (std::size_t i = 0; settings_[s].k > n_usable && i < n_tested; ++i) {
          RequireUsable(lists.Of(first + i, settings_[s].k));
        }
        answers.push_back(Answers::For(s, n_tested, rows.n_classes, *sink_));
      });
    }
    CountVotes(rows, metric, lists, first, n_tested, settings_, answers);
    for (const Answers& a : answers) {
      sink_->Try(a.setting, part.fold, [&] {
        sink_->Emit(a.setting, part.test, {a.labels, a.values, a.probabilities});
      });
    }
  }

  template <class Body>
  void TrySetting(std::size_t s, std::int32_t fold, std::int64_t n_train, const Body& body) const {
    sink_->Try(s, fold, [&] {
      RequireEnoughRows(settings_[s].k, n_train);
      body();
    });
  }

  const Group* group_;
  std::span<const Params> settings_;
  const CrossSink* sink_;
  const Context* context_;
};

// The rows of a view, in the order of their ids as an index has them.
struct OwnRows {
  Rows rows;
  Labelled labelled;

  static OwnRows Of(const TrainingView& view, std::vector<double> entries,
                    std::span<const std::int32_t> fold_of_position) {
    Rows rows = RowsWith(view, std::move(entries));
    const std::vector<std::int64_t> order = OrderById(rows.ids);
    std::vector<std::uint32_t> row_of_position(order.size());
    for (std::size_t row = 0; row < order.size(); ++row) {
      row_of_position[static_cast<std::size_t>(order[row])] = static_cast<std::uint32_t>(row);
    }
    Labelled labelled =
        Labelled::Of(view, fold_of_position, std::move(row_of_position), order.size());
    return {OrderedById(std::move(rows)), std::move(labelled)};
  }
  Rows TrainingRows(const Fold& fold) const {
    std::vector<std::int64_t> train;
    for (std::size_t row = 0; row < labelled.folds.size(); ++row) {
      if (labelled.folds[row] != fold.number) train.push_back(static_cast<std::int64_t>(row));
    }
    return Select(rows, train);
  }
};

// Some entry cannot be used, so every fold fails; its place decides the error that a fold reports
// first.
void FailUnreadable(const GroupRun& run, const TrainingView& view,
                    std::span<const std::int32_t> fold_of_position, std::span<const Fold> folds) {
  const std::vector<double> dense = view.DenseRows();
  const std::vector<bool> nominal = NominalFeatures(view);
  for (const Fold& fold : folds) {
    run.Fail(fold, [&] {
      std::vector<std::int64_t> train;
      for (std::size_t i = 0; i < fold_of_position.size(); ++i) {
        if (fold_of_position[i] != fold.number) train.push_back(static_cast<std::int64_t>(i));
      }
      RequireReadable(view, dense, train, run.distance());
      Space::Fit(run.distance(), OrderedById(Select(RowsWith(view, dense), train)), nominal);
      RequireReadable(view, dense, fold.test, run.distance());
    });
  }
}

// With a space for each fold.
void PredictLearned(const GroupRun& run, const OwnRows& own, const std::vector<bool>& nominal,
                    std::span<const Fold> folds) {
  for (std::size_t f = 0; f < folds.size(); ++f) {
    std::optional<Space> space;
    try {
      space = Space::Fit(run.distance(), own.TrainingRows(folds[f]), nominal);
    } catch (const plugin::Error&) {
      const std::exception_ptr failure = std::current_exception();
      run.Fail(folds[f], [&] { std::rethrow_exception(failure); });
      continue;
    }
    std::vector<double> entries = own.rows.entries;
    space->Map(entries);
    const Metric metric = Metric::Of(run.params(), space->gower());
    const Index index(entries, own.rows.size(), own.rows.n_features, metric.form());
    run.Predict(own.labelled, {&index, metric, nullptr}, folds.subspan(f, 1));
  }
}

// A block that has an entry that cannot be used fails every fold.
void PredictByBlocks(const GroupRun& run, const TrainingView& view,
                     std::span<const std::int32_t> fold_of_position, std::span<const Fold> folds,
                     std::int64_t rows_of_block) {
  const BlockedRows blocks(view, run.distance(), rows_of_block);
  try {
    run.Predict(Labelled::InOrder(view, fold_of_position),
                {nullptr, Metric::Of(run.params(), {}), nullptr, &blocks}, folds);
  } catch (const plugin::Error& error) {
    if (error.code() == CF_E_CANCELLED) throw;
    const std::exception_ptr failure = std::current_exception();
    for (const Fold& fold : folds) run.Fail(fold, [&] { std::rethrow_exception(failure); });
  }
}

void PredictBySearch(const GroupRun& run, const TrainingView& view,
                     std::span<const std::int32_t> fold_of_position, std::span<const Fold> folds,
                     const BlockLimits& limits) {
  if (!Space::IsLearned(run.distance()) && BlockedRows::Suits(view, limits)) {
    return PredictByBlocks(run, view, fold_of_position, folds, limits.rows);
  }
  std::vector<double> entries;
  try {
    entries = ReadEntries(view, run.distance());
  } catch (const plugin::Error&) {
    return FailUnreadable(run, view, fold_of_position, folds);
  }
  const OwnRows own = OwnRows::Of(view, std::move(entries), fold_of_position);
  if (Space::IsLearned(run.distance())) {
    return PredictLearned(run, own, NominalFeatures(view), folds);
  }
  const Metric metric = Metric::Of(run.params(), {});
  const Index index(own.rows.entries, own.rows.size(), own.rows.n_features, metric.form());
  run.Predict(own.labelled, {&index, metric, nullptr}, folds);
}

// Returns the prepared rows of the view's positions; nothing if one is missing or occurs twice.
std::optional<std::vector<std::uint32_t>> RowsOfView(const Prepared& prepared,
                                                     const TrainingView& view) {
  std::vector<bool> is_used(prepared.index().num_rows());
  std::vector<std::uint32_t> rows;
  for (std::int64_t i = 0; i < view.num_rows(); ++i) {
    const std::optional<std::uint32_t> row = prepared.RowOf(view.row_id(i));
    if (!row || is_used[*row]) return std::nullopt;
    is_used[*row] = true;
    rows.push_back(*row);
  }
  return rows;
}

// Returns false if these lists cannot be used for these rows.
bool PredictByLists(const GroupRun& run, const Prepared& prepared, const TrainingView& view,
                    std::span<const std::int32_t> fold_of_position, std::span<const Fold> folds) {
  if (!prepared.Serves(run.params(), view.num_features())) return false;
  std::optional<std::vector<std::uint32_t>> rows = RowsOfView(prepared, view);
  if (!rows) return false;
  const Labelled labelled =
      Labelled::Of(view, fold_of_position, std::move(*rows), prepared.index().num_rows());
  run.Predict(labelled, {&prepared.index(), prepared.metric(), &prepared}, folds);
  return true;
}

}  // namespace

void PredictFolds(std::span<const Params> settings, const Prepared* prepared,
                  const TrainingView& rows, std::span<const std::int32_t> fold_of_row,
                  std::int32_t n_folds, const CrossSink& sink, const Context& context,
                  const BlockLimits& limits) {
  const std::vector<Fold> folds = MakeFolds(fold_of_row, n_folds);
  for (const Group& group : GroupByDistance(settings)) {
    const GroupRun run(group, settings, sink, context);
    if (prepared != nullptr && PredictByLists(run, *prepared, rows, fold_of_row, folds)) {
      continue;
    }
    PredictBySearch(run, rows, fold_of_row, folds, limits);
  }
}

void Knn::CrossPredict(std::span<const Params> settings, const TrainingView& rows,
                       std::span<const std::int32_t> fold_of_row, std::int32_t n_folds,
                       plugin::CrossSink& sink, const Context& context) {
  PredictFolds(settings, nullptr, rows, fold_of_row, n_folds, sink, context);
}

void Knn::CrossPredictPrepared(std::span<const Params> settings, const Prepared& prepared,
                               const TrainingView& rows, std::span<const std::int32_t> fold_of_row,
                               std::int32_t n_folds, plugin::CrossSink& sink,
                               const Context& context) {
  PredictFolds(settings, &prepared, rows, fold_of_row, n_folds, sink, context);
}

}  // namespace crossfold::knn
