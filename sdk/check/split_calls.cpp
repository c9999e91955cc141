#include "check/split_calls.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "check/probe_call.h"
#include "crossfold_plugin/random.hpp"

namespace crossfold::check {
namespace {

template <class T>
std::vector<T> Permuted(const std::vector<T>& entries, const RowIds& order) {
  std::vector<T> permuted;
  if (entries.empty()) return permuted;
  permuted.reserve(order.size());
  for (const std::int64_t row : order) permuted.push_back(entries[static_cast<std::size_t>(row)]);
  return permuted;
}

// Copies what is emitted. Nothing may throw through the plugin, so the first problem is kept.
class Sink {
 public:
  Sink(std::int64_t n_rows, Emitted& emitted)
      : n_rows_(n_rows), emitted_(emitted), sink_{sizeof(cf_split_sink), 0, this, &Folds, &Lists} {}
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  const cf_split_sink* get() const { return &sink_; }

 private:
  static cf_status CF_CALL Folds(const cf_split_sink* sink, const std::int32_t* folds,
                                 std::int64_t n_rows, std::int32_t n_folds) {
    Sink& self = *static_cast<Sink*>(sink->sink_data);
    return self.Keep(self.TakeFolds(folds, n_rows, n_folds));
  }
  static cf_status CF_CALL Lists(const cf_split_sink* sink, const std::int64_t* train,
                                 std::int64_t n_train, const std::int64_t* test,
                                 std::int64_t n_test) {
    Sink& self = *static_cast<Sink*>(sink->sink_data);
    return self.Keep(self.TakeLists({train, n_train}, {test, n_test}));
  }

  cf_status Keep(const std::string& problem) {
    if (problem.empty()) return CF_OK;
    if (emitted_.problem.empty()) emitted_.problem = problem;
    return CF_E_INVALID_ARGUMENT;
  }

  std::string TakeFolds(const std::int32_t* folds, std::int64_t n_rows, std::int32_t n_folds) {
    if (!emitted_.lists.empty()) return "it emits both partitions and lists of rows";
    if (n_rows != n_rows_) {
      return "it emits the folds of " + std::to_string(n_rows) + " rows, there are " +
             std::to_string(n_rows_);
    }
    if (folds == nullptr && n_rows > 0) return "it emits a partition without fold numbers";
    if (n_folds < 1) return "it emits a partition of " + std::to_string(n_folds) + " folds";
    for (std::int64_t i = 0; i < n_rows; ++i) {
      if (folds[i] >= -1 && folds[i] < n_folds) continue;
      return "it emits fold " + std::to_string(folds[i]) + " for row " + std::to_string(i) +
             " of a partition of " + std::to_string(n_folds) + " folds";
    }
    emitted_.partitions.push_back({{folds, folds + n_rows}, n_folds});
    return "";
  }

  struct Positions {
    const std::int64_t* first;
    std::int64_t n;
  };

  std::string TakeLists(const Positions& train, const Positions& test) {
    if (!emitted_.partitions.empty()) return "it emits both partitions and lists of rows";
    for (const auto& [positions, side] : {std::pair{train, "training"}, std::pair{test, "test"}}) {
      if (positions.n < 0 || (positions.n > 0 && positions.first == nullptr)) {
        return "it emits " + std::to_string(positions.n) + " " + side + " rows at no address";
      }
      for (std::int64_t i = 0; i < positions.n; ++i) {
        if (positions.first[i] >= 0 && positions.first[i] < n_rows_) continue;
        return "it emits " + std::string(side) + " row " + std::to_string(positions.first[i]) +
               ", there are " + std::to_string(n_rows_);
      }
    }
    emitted_.lists.push_back(
        {{train.first, train.first + train.n}, {test.first, test.first + test.n}});
    return "";
  }

  std::int64_t n_rows_;
  Emitted& emitted_;
  cf_split_sink sink_;
};

// Unequal: about half of the rows are of class 0, half of the others of class 1 ..., and every
// class has three neighbouring rows somewhere.
std::vector<std::int32_t> DrawLabels(const SplitShape& shape, plugin::Random& random) {
  std::vector<std::int32_t> labels;
  for (std::int64_t i = 0; i < shape.n_rows; ++i) {
    std::int64_t label = i / 3 % shape.n_classes;
    if (i >= 4 * shape.n_classes) {
      for (label = 0; label + 1 < shape.n_classes && random.Below(2) == 0;) ++label;
    }
    labels.push_back(static_cast<std::int32_t>(label));
  }
  return labels;
}

SplitRows Complementary(const Partition& partition, std::int32_t fold) {
  SplitRows split;
  for (std::size_t i = 0; i < partition.fold_of_row.size(); ++i) {
    auto& side = partition.fold_of_row[i] == fold ? split.test : split.train;
    side.push_back(static_cast<std::int64_t>(i));
  }
  return split;
}

void SortSides(SplitRows& split) {
  std::sort(split.train.begin(), split.train.end());
  std::sort(split.test.begin(), split.test.end());
}

}  // namespace

SplitRoles SplitRoles::Reordered(const RowIds& order) const {
  SplitRoles roles = *this;
  roles.labels = Permuted(labels, order);
  roles.values = Permuted(values, order);
  roles.weights = Permuted(weights, order);
  roles.time = Permuted(time, order);
  roles.groups = Permuted(groups, order);
  roles.folds = Permuted(folds, order);
  roles.strata = Permuted(strata, order);
  return roles;
}

SplitRoles MakeRoles(const SplitShape& shape, std::uint64_t seed) {
  plugin::Random random(seed);
  SplitRoles roles;
  roles.n_rows = shape.n_rows;
  if (shape.task == Task::kClassification) {
    for (std::int64_t c = 0; c < shape.n_classes; ++c) {
      roles.class_names.push_back("k" + std::to_string(c));
    }
    roles.labels = DrawLabels(shape, random);
  }
  std::vector<std::int64_t> group_of_row;
  const std::int64_t n_groups = std::max<std::int64_t>(1, shape.n_rows / 5);
  for (std::int64_t i = 0; i < shape.n_rows; ++i) {
    if (shape.task == Task::kRegression) roles.values.push_back(random.Normal());
    const auto drawn =
        static_cast<std::int64_t>(random.Below(static_cast<std::uint64_t>(n_groups)));
    group_of_row.push_back(i < n_groups ? i : drawn);
    if (shape.groups) roles.groups.push_back(1000 - 7 * group_of_row.back());
    if (shape.folds) roles.folds.push_back(group_of_row.back() % 4);
  }
  if (shape.time) {
    for (const std::int64_t place : ShuffledRows(shape.n_rows, random)) {
      roles.time.push_back(100 + static_cast<double>(place));
    }
  }
  return roles;
}

std::string Describe(const SplitShape& shape) {
  std::string text = std::to_string(shape.n_rows) + (shape.n_rows == 1 ? " row" : " rows");
  if (shape.task == Task::kClassification) text += " of a classification";
  if (shape.task == Task::kRegression) text += " of a regression";
  std::string roles;
  for (const auto& [has, name] : {std::pair{shape.groups, "groups"}, std::pair{shape.time, "time"},
                                  std::pair{shape.folds, "folds"}}) {
    if (has) roles += std::string(roles.empty() ? " with " : " and ") + name;
  }
  return text + roles;
}

cf_split_input ToC(const SplitRoles& roles, std::vector<const char*>& names) {
  names.clear();
  for (const std::string& name : roles.class_names) names.push_back(name.c_str());
  cf_split_input input{};
  input.struct_size = sizeof input;
  input.n_rows = roles.n_rows;
  input.labels = PointerTo(roles.labels);
  input.n_classes = static_cast<std::int64_t>(names.size());
  input.class_names = PointerTo(names);
  input.values = PointerTo(roles.values);
  input.weights = PointerTo(roles.weights);
  input.groups = PointerTo(roles.groups);
  input.time = PointerTo(roles.time);
  input.folds = PointerTo(roles.folds);
  input.strata = PointerTo(roles.strata);
  return input;
}

Emitted Split(const Spec& spec, const cf_split_input& input, const ProbeOptions& options) {
  Emitted emitted;
  Sink sink(input.n_rows, emitted);
  emitted.reply = ProbeCall(spec, options, [&](const cf_call* call) {
    return spec.component().splitter->split(call, spec.args().data(), spec.args().size(), &input,
                                            sink.get());
  });
  if (emitted.reply.ok() && emitted.problem.empty() && emitted.partitions.empty() &&
      emitted.lists.empty()) {
    emitted.problem = "it reports success but emits nothing";
  }
  return emitted;
}

Emitted Split(const Spec& spec, const SplitRoles& roles, const ProbeOptions& options) {
  std::vector<const char*> names;
  return Split(spec, ToC(roles, names), options);
}

std::vector<SplitRows> Emitted::Splits() const {
  std::vector<SplitRows> splits = lists;
  for (const Partition& partition : partitions) {
    for (std::int32_t fold = 0; fold < partition.n_folds; ++fold) {
      splits.push_back(Complementary(partition, fold));
    }
  }
  for (SplitRows& split : splits) SortSides(split);
  return splits;
}

std::vector<SplitShape> EverySplitShape(const Component& component, std::int64_t n_rows) {
  const std::uint32_t uses = component.splitter->uses;
  std::vector<SplitShape> shapes;
  for (const Task task : {Task::kClassification, Task::kRegression, Task::kNone}) {
    for (unsigned roles = 0; roles < 8; ++roles) {
      SplitShape shape;
      shape.n_rows = n_rows;
      shape.task = task;
      shape.groups = (roles & 1u) != 0;
      shape.time = (roles & 2u) != 0;
      shape.folds = (roles & 4u) != 0;
      if (((uses & CF_SPLIT_USES_TARGET) == 0 || shape.task != Task::kNone) &&
          ((uses & CF_SPLIT_USES_GROUPS) == 0 || shape.groups) &&
          ((uses & CF_SPLIT_USES_TIME) == 0 || shape.time) &&
          ((uses & CF_SPLIT_USES_FOLDS) == 0 || shape.folds)) {
        shapes.push_back(shape);
      }
    }
  }
  return shapes;
}

std::vector<SplitCase> MakeSplitCases(CheckContext& context, const Spec& spec,
                                      std::int64_t n_rows) {
  std::vector<SplitCase> cases;
  for (const SplitShape& shape : EverySplitShape(spec.component(), n_rows)) {
    SplitCase made{shape, MakeRoles(shape, context.SeedOf("data")), {}};
    made.expected = Split(spec, made.roles);
    if (made.expected.ok()) cases.push_back(std::move(made));
  }
  if (cases.empty()) context.Skip("it splits none of the data of this check");
  return cases;
}

std::string FindOverlap(const Emitted& emitted) {
  enum : char { kNowhere, kTrained, kTested };
  for (std::size_t i = 0; i < emitted.lists.size(); ++i) {
    const SplitRows& split = emitted.lists[i];
    std::int64_t last = -1;
    for (const std::int64_t row : split.train) last = std::max(last, row);
    for (const std::int64_t row : split.test) last = std::max(last, row);
    std::vector<char> places(static_cast<std::size_t>(last + 1), kNowhere);
    for (const std::int64_t row : split.train) places[static_cast<std::size_t>(row)] = kTrained;
    for (const std::int64_t row : split.test) {
      char& place = places[static_cast<std::size_t>(row)];
      const std::string text =
          place == kNowhere ? ""
                            : "split " + std::to_string(i) + " tests row " + std::to_string(row);
      if (place == kTrained) return text + ", which it trains on";
      if (place == kTested) return text + " twice";
      place = kTested;
    }
  }
  return "";
}

std::string FindEmptySide(const Emitted& emitted) {
  for (const Partition& partition : emitted.partitions) {
    const std::set<std::int32_t> folds(partition.fold_of_row.begin(), partition.fold_of_row.end());
    for (std::int32_t fold = 0; fold < partition.n_folds; ++fold) {
      if (!folds.contains(fold)) return "fold " + std::to_string(fold) + " has no row";
    }
    if (folds.size() == 1) return "every row is in fold 0, so that none trains";
  }
  for (std::size_t i = 0; i < emitted.lists.size(); ++i) {
    const std::string text = "split " + std::to_string(i) + " has no ";
    if (emitted.lists[i].train.empty()) return text + "training rows";
    if (emitted.lists[i].test.empty()) return text + "test rows";
  }
  return "";
}

std::string FindProblem(const Emitted& emitted) {
  if (!emitted.problem.empty()) return emitted.problem;
  if (!emitted.reply.ok()) return FindImproper(emitted.reply);
  const std::string overlap = FindOverlap(emitted);
  return overlap.empty() ? FindEmptySide(emitted) : overlap;
}

std::string Difference(const std::vector<SplitRows>& got, const std::vector<SplitRows>& expected) {
  if (got.size() != expected.size()) {
    return "there are " + std::to_string(got.size()) + " splits instead of " +
           std::to_string(expected.size());
  }
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i].test != expected[i].test) return "split " + std::to_string(i) + " tests other rows";
    if (got[i].train != expected[i].train) {
      return "split " + std::to_string(i) + " trains on other rows";
    }
  }
  return "";
}

std::string Difference(const Emitted& got, const Emitted& expected) {
  if (!got.ok()) return "it ended with " + got.reply.Describe();
  if (got.partitions.size() != expected.partitions.size()) return "there are other partitions";
  for (std::size_t i = 0; i < got.partitions.size(); ++i) {
    if (got.partitions[i].n_folds == expected.partitions[i].n_folds &&
        got.partitions[i].fold_of_row == expected.partitions[i].fold_of_row) {
      continue;
    }
    return "partition " + std::to_string(i) + " has other folds";
  }
  return Difference(got.lists, expected.lists);
}

std::vector<SplitRows> Renumbered(std::vector<SplitRows> splits, const RowIds& order) {
  for (SplitRows& split : splits) {
    for (std::vector<std::int64_t>* side : {&split.train, &split.test}) {
      for (std::int64_t& row : *side) row = order[static_cast<std::size_t>(row)];
    }
    SortSides(split);
  }
  return splits;
}

}  // namespace crossfold::check
