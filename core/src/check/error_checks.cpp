// Checks of how a component fails: with a status, a text and nothing left behind.
#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/error_reply.h"
#include "check/random_settings.h"
#include "check/subject.h"
#include "plugin/foreign_text.h"

namespace crossfold::check {
namespace {

// Makes errors and looks at each.
class Provoker {
 public:
  Provoker(CheckContext& context, const Subject& subject)
      : context_(context),
        subject_(subject),
        expected_(FitAsk(*subject.spec, subject.train, subject.all)),
        repeats_(Difference(FitAsk(*subject.spec, subject.train, subject.all), expected_).empty()) {
  }

  // Fits with legal settings on few rows: too few neighbours, nothing to estimate from.
  void SmallData() {
    constexpr std::chrono::milliseconds kMostTime{500};  // of a slow learner fewer are tried
    const auto until = std::chrono::steady_clock::now() + kMostTime;
    ProbeOptions patient;
    patient.cancel_at = 20;  // a fit that gets so far has no error but that
    for (const SpecPtr& spec : SpecsAtBounds(subject_.spec->shared_component())) {
      for (const std::int64_t rows : {1, 3}) {
        if (std::chrono::steady_clock::now() > until) return;
        const DataView few = RowsOf(subject_.data, RowRange(0, rows));
        Look("fit of " + spec->ToString() + " on " + std::to_string(rows) + " rows",
             Fit(*spec, few, patient));
      }
    }
  }

  void Interruptions() {
    ProbeOptions cancelled, without_scratch;
    cancelled.cancel_at = 1;
    without_scratch.no_scratch_at = 1;
    const Made model = Fit(*subject_.spec, subject_.train);
    for (const auto& [name, options] : {std::pair{"cancelled", cancelled},
                                        std::pair{"without scratch memory", without_scratch}}) {
      Look(std::string("fit, ") + name, Fit(*subject_.spec, subject_.train, options));
      const Answer answer = Ask(*subject_.spec, model.model.get(), subject_.all, options);
      Look(std::string(is_learner() ? "predict, " : "apply, ") + name, answer.reply);
    }
  }

  // Which no host does: but who counts the columns must say so properly.
  void OneColumnMore() {
    const Made made = Fit(*subject_.spec, subject_.train);
    const RowTable rows = RowTable::ForPrediction(*subject_.data, nullptr);
    std::vector<cf_column> columns(rows.get().features,
                                   rows.get().features + rows.get().n_features);
    columns.push_back(columns.front());
    columns.back().name = "one_more";
    cf_table more = rows.get();
    more.features = columns.data();
    more.n_features = static_cast<std::int64_t>(columns.size());
    const std::int64_t n_classes = subject_.data->num_classes();
    Look(is_learner() ? "predict of rows with one column more" : "apply to rows with one more",
         is_learner() ? Predict(*subject_.spec, made.model.get(), more, n_classes).reply
                      : Apply(*subject_.spec, made.model.get(), more).reply);
  }

  void ForeignBytes() {
    if (component().capability<cf_cap_serialize>(CF_CAP_SERIALIZE) == nullptr) return;
    plugin::Random random = context_.RandomOf("bytes");
    Bytes bytes;
    for (int i = 0; i < 1000; ++i) bytes.push_back(static_cast<unsigned char>(random.Below(256)));
    Look("load of random bytes", Load(*subject_.spec, bytes));
    Look("load of no bytes", Load(*subject_.spec, {}));
  }

  bool has_provoked() const { return has_provoked_; }

 private:
  const Component& component() const { return subject_.spec->component(); }
  bool is_learner() const { return component().learner != nullptr; }

  void Look(const std::string& what, const Made& made) {
    if (made.left_handle) {
      context_.Fail(what + " ended with " + made.reply.Describe() +
                    ", and did not set its handle to null");
    }
    Look(what, made.reply);
  }

  void Look(const std::string& what, const Reply& reply) {
    if (reply.ok()) {
      if (!reply.said_why) return;
      context_.Fail(what + " told host->fail() why it fails ('" + CleanText(reply.message.c_str()) +
                    "') and returned ok");
      return;
    }
    has_provoked_ = true;
    const std::string problem = FindBadError(reply);
    if (!problem.empty()) context_.Fail(what + " " + problem);
    const std::string difference =
        Difference(FitAsk(*subject_.spec, subject_.train, subject_.all), expected_);
    if (!difference.empty() && repeats_ && IsDeterministic(component())) {
      context_.Fail("after " + what +
                    " had failed, a fit that worked before gave another result: " + difference);
    }
  }

  CheckContext& context_;
  const Subject& subject_;
  Answer expected_;
  bool repeats_;  // if not, that is the subject of fit-idempotent
  bool has_provoked_ = false;
};

void ErrorContract(CheckContext& context) {
  bool has_provoked = false;
  const Component& c = context.component();
  // What a host may do after a failed fit.
  (c.learner != nullptr ? c.learner->destroy : c.transform->destroy)(nullptr);
  for (const Subject& subject : UsableSubjects(context)) {
    Provoker provoker(context, subject);
    provoker.SmallData();
    provoker.Interruptions();
    provoker.OneColumnMore();
    provoker.ForeignBytes();
    has_provoked = has_provoked || provoker.has_provoked();
  }
  if (!has_provoked) context.Skip("nothing that was tried made it fail");
}

constexpr Check kChecks[] = {
    {"error-contract", CheckScope::kLearner, 3, false, "fit-smoke",
     "every failed call has a status and a text, leaves no handle, and the next call works",
     &ErrorContract},
    {"error-contract", CheckScope::kTransform, 3, false, "transform-smoke",
     "every failed call has a status and a text, leaves no handle, and the next call works",
     &ErrorContract},
};

}  // namespace

std::span<const Check> ErrorChecks() { return kChecks; }

}  // namespace crossfold::check
