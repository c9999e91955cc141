// Checks of the capabilities that share work between fits: prepare and fit-path. Their law is that
// they change no number.
#include <string>
#include <utility>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/prepared.h"
#include "check/random_settings.h"
#include "check/subject.h"

namespace crossfold::check {
namespace {

// ---- fit-path -----------------------------------------------------------------------------------

// predict_at(i) of `path` against a separate fit with value i. `made_by` is in findings.
void ComparePath(CheckContext& context, const Subject& subject, const PathValues& values,
                 const Made& path, const std::string& made_by) {
  if (!path.reply.ok()) {
    context.Fail(made_by + " " + subject.Where() + " ended with " + path.reply.Describe() +
                 ", though separate fits with these values work");
    return;
  }
  for (std::size_t i = 0; i < values.specs.size(); ++i) {
    const Spec& separate = *values.specs[i];
    const Predicted expected = FitPredict(separate, subject.train, subject.all);
    const Predicted at = PredictAt(*subject.spec, path.model.get(), i, subject.all);
    const std::string difference = Difference(at, expected);
    if (difference.empty()) continue;
    context.Fail("predict_at(" + std::to_string(i) + ") after " + made_by + " " + subject.Where() +
                 " differs from a separate fit of " + separate.ToString() + ": " + difference);
  }
}

// The values with which a fit works at all.
PathValues WorkingValues(const Subject& subject) {
  PathValues all = PathValues::Of(*subject.spec), working;
  working.param = all.param;
  for (std::size_t i = 0; i < all.specs.size(); ++i) {
    if (!Fit(*all.specs[i], subject.train).reply.ok()) continue;
    working.specs.push_back(all.specs[i]);
    working.c_values.push_back(all.c_values[i]);
  }
  return working;
}

void CapFitPath(CheckContext& context) {
  if (context.component().capability<cf_cap_fit_path>(CF_CAP_FIT_PATH) == nullptr) {
    context.Skip("it does not offer crossfold.fit-path/1");
  }
  bool has_compared = false;
  for (const Subject& subject : UsableSubjects(context)) {
    const PathValues values = WorkingValues(subject);
    if (values.param.empty()) {
      context.Fail(
          "it offers crossfold.fit-path/1, and none of its parameters is flagged "
          "CF_PF_SUBMODEL");
      return;
    }
    if (values.specs.empty()) continue;
    has_compared = true;
    ComparePath(context, subject, values, FitPath(*subject.spec, values, subject.train),
                "fit_path");
    if (context.has_failed()) return;
    if (context.component().capability<cf_cap_prepare>(CF_CAP_PREPARE) == nullptr) continue;
    const Prepared prepared(*subject.spec, subject.all);
    if (prepared.get() == nullptr || !prepared.fits_paths()) continue;
    ComparePath(context, subject, values, prepared.FitPath(*subject.spec, values, subject.train),
                "fit_path_prepared");
  }
  if (!has_compared) context.Skip("no value of the parameter that was tried can be fitted");
}

// ---- prepare ------------------------------------------------------------------------------------

void ComparePrepared(CheckContext& context, const Subject& subject, const Prepared& prepared,
                     const Spec& spec, const ProbeOptions& options) {
  const Answer expected = FitAsk(spec, subject.train, subject.all);
  const Answer got = AskFitted(spec, prepared.Fit(spec, subject.train, options), subject.all);
  const std::string difference = Difference(got, expected);
  if (difference.empty()) return;
  context.Fail("fit_prepared of " + spec.ToString() + " " + subject.Where() +
               (options.n_threads > 1 ? " with 2 threads" : "") +
               " differs from fit: " + difference);
}

void CapPrepare(CheckContext& context) {
  constexpr int kSettings = 6;
  if (context.component().capability<cf_cap_prepare>(CF_CAP_PREPARE) == nullptr) {
    context.Skip("it does not offer crossfold.prepare/1");
  }
  for (const Subject& subject : UsableSubjects(context)) {
    const Prepared prepared(*subject.spec, subject.all);
    if (prepared.get() == nullptr) {
      context.Fail("prepare " + subject.Where() + " ended with " +
                   (prepared.reply().ok() ? "ok and no structure" : prepared.reply().Describe()));
      continue;
    }
    if (prepared.Bytes() == 0) context.Fail("bytes() of a prepared structure is 0");
    ComparePrepared(context, subject, prepared, *subject.spec, {});
    plugin::Random random = context.RandomOf("settings");
    for (int i = 0; i < kSettings; ++i) {
      ComparePrepared(context, subject, prepared, *DrawSharing(*subject.spec, random), {});
    }
    if (IgnoresThreads(context.component())) {
      ProbeOptions two;
      two.n_threads = 2;
      ComparePrepared(context, subject, prepared, *subject.spec, two);
    }
    if (context.has_failed()) return;
  }
}

constexpr Check kSharingChecks[] = {
    {"cap-fit-path", CheckScope::kLearner, 3, false, "fit-smoke",
     "one fit for many values predicts what separate fits predict, byte for byte", &CapFitPath},
    {"cap-prepare", CheckScope::kLearner, 3, false, "fit-smoke",
     "a fit from a prepared structure predicts what a fit predicts, byte for byte", &CapPrepare},
};

}  // namespace

std::span<const Check> SharingChecks() { return kSharingChecks; }

}  // namespace crossfold::check
