// Splits rows that a check made with a splitter, directly through its C table.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "check/check_context.h"
#include "check/component_calls.h"
#include "check/probe_call.h"
#include "crossfold/dataset.h"
#include "crossfold/spec.h"
#include "crossfold/split.h"

namespace crossfold::check {

// The input of a splitter, row by row. Lists that do not apply stay empty.
struct SplitRoles {
  std::int64_t n_rows = 0;
  std::vector<std::string> class_names;  // of a classification
  std::vector<std::int32_t> labels;
  std::vector<double> values;  // of a regression
  std::vector<double> weights, time;
  std::vector<std::int64_t> groups, folds, strata;

  // The roles in which row i is the old row order[i].
  SplitRoles Reordered(const RowIds& order) const;
};

struct SplitShape {
  std::int64_t n_rows = 57;
  Task task = Task::kClassification;  // kNone = no target
  std::int64_t n_classes = 3;         // of unequal sizes; all occur if there are enough rows
  bool groups = false;                // about n_rows / 5 of unequal sizes, ids in no order
  bool time = false;                  // in no order; no two rows at the same time
  bool folds = false;                 // 0 to 3; rows of one group are in one fold
};
SplitRoles MakeRoles(const SplitShape& shape, std::uint64_t seed);
// "57 rows of a classification with groups"
std::string Describe(const SplitShape& shape);

// The output of a splitter. Partitions and lists are as they were emitted, valid or not.
struct Emitted {
  std::vector<Partition> partitions;
  std::vector<SplitRows> lists;
  std::string problem;  // why they are not valid splits of the rows; "" = they are
  Reply reply;

  bool ok() const { return reply.ok() && problem.empty(); }
  // Every split as positions, with ascending training and test rows. REQUIRES: problem is empty.
  std::vector<SplitRows> Splits() const;
};
Emitted Split(const Spec& spec, const SplitRoles& roles, const ProbeOptions& options = {});
// The same with roles that the caller owns.
Emitted Split(const Spec& spec, const cf_split_input& input, const ProbeOptions& options = {});

// Data that the splitter splits under some settings, and its splits with the seed 1.
struct SplitCase {
  SplitShape shape;
  SplitRoles roles;
  Emitted expected;

  std::string name() const { return Describe(shape); }
};
// The cases among all kinds of data that it splits: with a class, a number or no target, without
// and with groups, time and folds. Skips the check if there are none.
std::vector<SplitCase> MakeSplitCases(CheckContext& context, const Spec& spec,
                                      std::int64_t n_rows = 57);
// Every kind of data that meets the declared needs of the splitter.
std::vector<SplitShape> EverySplitShape(const Component& component, std::int64_t n_rows);

// `roles` as a C struct; fills `names`. REQUIRES: both outlive the result.
cf_split_input ToC(const SplitRoles& roles, std::vector<const char*>& names);

// The first difference, as in "split 3 trains on other rows"; "" = the same splits in the same
// order.
std::string Difference(const std::vector<SplitRows>& got, const std::vector<SplitRows>& expected);
// How a repeated call differs; "" = it does not. Also compares the order of the rows.
std::string Difference(const Emitted& got, const Emitted& expected);
// The splits with positions mapped by `order`: position i of `splits` is order[i] of the result.
std::vector<SplitRows> Renumbered(std::vector<SplitRows> splits, const RowIds& order);

// Why a split is not valid: a row is on both sides, or tested twice. "" = it is valid.
std::string FindOverlap(const Emitted& emitted);
// Folds without rows, splits without training or test rows. "" = there are none.
std::string FindEmptySide(const Emitted& emitted);
// What is wrong with the refusal or the splits, for data that the splitter may refuse.
std::string FindProblem(const Emitted& emitted);

}  // namespace crossfold::check
