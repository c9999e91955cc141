// Checks of transforms that choose training rows, or make new ones.
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/component_calls.h"
#include "check/learner_cases.h"
#include "check/library_random.h"
#include "check/table_copy.h"
#include "check/transform_cases.h"
#include "crossfold_plugin/view.hpp"
#include "engine/run/owned_table.h"
#include "engine/text/format_number.h"

namespace crossfold::check {
namespace {

// The output of a call. The first problem is kept as text, as nothing may throw through the plugin.
struct Resampled {
  RowIds positions;
  std::vector<double> weights;
  int n_emissions = 0;
  std::int64_t n_rows = 0;  // of the training rows
  std::string problem;
  Reply reply;

  bool ok() const { return reply.ok() && problem.empty(); }
  cf_status Take(const std::int64_t* first, std::int64_t n, const double* weigh) {
    if (++n_emissions > 1) problem = "it emits rows twice";
    if (n < 1 || first == nullptr) problem = "it emits " + std::to_string(n) + " rows";
    for (std::int64_t i = 0; i < n && problem.empty(); ++i) {
      if (first[i] < 0 || first[i] >= n_rows) {
        problem = "it emits position " + std::to_string(first[i]) + " of " +
                  std::to_string(n_rows) + " training rows";
      } else if (weigh != nullptr && !(std::isfinite(weigh[i]) && weigh[i] >= 0)) {
        problem = "it emits the weight " + FormatShortest(weigh[i]);
      }
    }
    if (!problem.empty()) return CF_E_INVALID_ARGUMENT;
    positions.assign(first, first + n);
    if (weigh != nullptr) weights.assign(weigh, weigh + n);
    return CF_OK;
  }
};

cf_status CF_CALL EmitRows(const cf_row_sink* sink, const std::int64_t* positions, std::int64_t n,
                           const double* weights) {
  return static_cast<Resampled*>(sink->sink_data)->Take(positions, n, weights);
}

Resampled Resample(const Spec& spec, const cf_table& train, std::uint64_t seed = 1) {
  const auto* table = spec.component().capability<cf_cap_resample>(CF_CAP_RESAMPLE);
  Resampled resampled;
  resampled.n_rows = train.n_rows;
  const cf_row_sink sink{sizeof(cf_row_sink), 0, &resampled, &EmitRows};
  ProbeOptions options;
  options.seed = seed;
  resampled.reply = ProbeCall(spec, options, [&](const cf_call* call) {
    return table->resample(call, spec.args().data(), spec.args().size(), &train, &sink);
  });
  if (resampled.reply.ok() && resampled.n_emissions == 0) {
    resampled.problem = "it reports success but emits no rows";
  }
  return resampled;
}

std::string ResamplingDifference(const Resampled& got, const Resampled& expected) {
  if (!got.reply.ok()) return "it ended with " + got.reply.Describe();
  if (got.positions != expected.positions) return "it emits other rows";
  return got.weights == expected.weights ? "" : "it emits other weights";
}

// Where classes are of unequal size: most rows of class 0, none in order, ids above their number.
RowIds UnequalRows(const TransformCase& c) {
  RowIds rows;
  for (std::int64_t i = c.n_rows() - 1; i >= 10; --i) {
    const bool is_kept = c.data->num_classes() == 0 ||
                         c.data->labels()[static_cast<std::size_t>(i)] == 0 || i % 4 != 0;
    if (is_kept) rows.push_back(i);
  }
  return rows;
}

// ---- cap-resample -------------------------------------------------------------------------------

void LookAtSeeds(CheckContext& context, const TransformCase& c, const cf_table& train,
                 const Resampled& first) {
  const bool is_unseeded = (context.component().determinism & CF_DET_UNSEEDED) != 0;
  bool differs = false;
  for (std::uint64_t seed = 2; seed <= 5; ++seed) {
    differs = differs || !ResamplingDifference(Resample(*c.spec, train, seed), first).empty();
  }
  if (differs && is_unseeded) {
    context.Fail("on a " + c.name() + " it declares CF_DET_UNSEEDED, but the seed matters");
  }
  if (!differs && first.reply.n_random > 0) {
    context.Warn("on a " + c.name() + " it draws numbers, but five seeds give the same rows");
  }
}

void LookAtResampling(CheckContext& context, const TransformCase& c) {
  const RowIds rows = UnequalRows(c);
  const RowTable view = RowTable::ForTraining(*c.data, &rows);
  const Resampled first = Resample(*c.spec, view.get());
  if (!first.problem.empty()) return context.Fail("on a " + c.name() + " " + first.problem);
  if (!first.reply.ok()) {
    const std::string improper = FindImproperRefusal(first.reply);
    if (!improper.empty()) context.Fail("on a " + c.name() + " " + improper);
    return;
  }
  ReseedLibrary(77);  // whoever draws from the C library gets other numbers now
  const std::string again = ResamplingDifference(Resample(*c.spec, view.get()), first);
  if (!again.empty()) context.Fail("on a " + c.name() + ", again with the same seed, " + again);
  const RowIds positions = RowRange(0, view.get().n_rows);
  TableCopy copy(view.get(), {.positions = &positions});
  copy.MakeReadOnly();
  const std::string of_copy = ResamplingDifference(Resample(*c.spec, copy.get()), first);
  if (!of_copy.empty()) {
    context.Fail("on a " + c.name() + ", of copied rows instead of a view, " + of_copy);
  }
  LookAtSeeds(context, c, view.get(), first);
}

void LookAtFewRows(CheckContext& context, const TransformCase& c) {
  for (const auto& [what, rows] : {std::pair{"one row", RowIds{3}}, {"equal rows", RowIds(5, 3)}}) {
    const Resampled resampled = Resample(*c.spec, RowTable::ForTraining(*c.data, &rows).get());
    std::string problem = resampled.problem;
    if (problem.empty() && !resampled.reply.ok()) problem = FindImproperRefusal(resampled.reply);
    if (!problem.empty()) context.Fail("on a " + c.name() + ", of " + what + ", " + problem);
  }
}

void CapResample(CheckContext& context) {
  if (!context.component().changes_rows()) {
    context.Skip("it does not offer " CF_CAP_RESAMPLE);
  }
  for (const TransformCase& c : MakeTransformCases(context)) {
    LookAtResampling(context, c);
    LookAtFewRows(context, c);
  }
}

// ---- cap-synthesize -----------------------------------------------------------------------------

// Made features, by the law of crossfold.synthesize/1.
Applied Synthesize(const Spec& spec, const cf_table& train, const RowIds& positions) {
  const auto* table = spec.component().capability<cf_cap_synthesize>(CF_CAP_SYNTHESIZE);
  RowIds rows;
  for (const std::int64_t i : positions) rows.push_back(train.rows == nullptr ? i : train.rows[i]);
  cf_table resampled = train;
  resampled.rows = rows.data();
  resampled.n_rows = static_cast<std::int64_t>(rows.size());
  OwnedTable made(resampled);
  Applied applied;
  applied.reply = ProbeCall(spec, {}, [&](const cf_call* call) {
    return table->synthesize(call, spec.args().data(), spec.args().size(), &train, positions.data(),
                             static_cast<std::int64_t>(positions.size()), made.sink());
  });
  made.Finish();
  applied.problem = made.problem();
  CopyColumns(made.columns(), made.num_rows(), applied);
  return applied;
}

void LookAtSynthesis(CheckContext& context, const TransformCase& c) {
  const RowIds rows = UnequalRows(c);
  const RowTable view = RowTable::ForTraining(*c.data, &rows);
  const Resampled resampled = Resample(*c.spec, view.get());
  if (!resampled.ok()) return;  // the subject of cap-resample
  const Applied made = Synthesize(*c.spec, view.get(), resampled.positions);
  const std::string problem = FindUnusable(made, c.shape.missing > 0);
  if (!made.reply.ok() || !problem.empty()) {
    return context.Fail("on a " + c.name() + " synthesize " +
                        (made.reply.ok() ? "made what is unusable: " + problem
                                         : "ended with " + made.reply.Describe()));
  }
  Applied given;
  CopyColumns({view.get().features, static_cast<std::size_t>(view.get().n_features)}, 0, given);
  const std::string other = Difference(Declarations(made), given);
  if (!other.empty()) {
    return context.Fail("on a " + c.name() + ", of the columns that it made and not of those of " +
                        "the training rows, " + other);
  }
  const std::string again = Difference(Synthesize(*c.spec, view.get(), resampled.positions), made);
  if (!again.empty()) context.Fail("on a " + c.name() + ", again with the same seed, " + again);
}

void CapSynthesize(CheckContext& context) {
  if (context.component().capability<cf_cap_synthesize>(CF_CAP_SYNTHESIZE) == nullptr) {
    context.Skip("it does not offer " CF_CAP_SYNTHESIZE);
  }
  if (!context.component().changes_rows()) {
    return context.Fail("it offers " CF_CAP_SYNTHESIZE " without " CF_CAP_RESAMPLE);
  }
  for (const TransformCase& c : MakeTransformCases(context)) LookAtSynthesis(context, c);
}

constexpr Check kResampleChecks[] = {
    {"cap-resample", CheckScope::kTransform, 3, false, "transform-smoke",
     "crossfold.resample/1 emits training rows once, by the seed alone", &CapResample},
    {"cap-synthesize", CheckScope::kTransform, 3, false, "transform-smoke",
     "crossfold.synthesize/1 makes the columns of the training rows, by the seed alone",
     &CapSynthesize},
};

}  // namespace

std::span<const Check> ResampleChecks() { return kResampleChecks; }

}  // namespace crossfold::check
