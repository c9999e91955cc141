// Checks of how a component fails: with a status and a message, and without leaks.
#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/error_reply.h"
#include "check/subject.h"
#include "engine/plugin/foreign_text.h"

namespace crossfold::check {
namespace {

// The defaults, and whole numbers that are more than few rows allow. What happens at the bounds
// themselves is the subject of params-out-of-range.
std::vector<SpecPtr> SpecsInside(const std::shared_ptr<const Component>& component) {
  constexpr std::int64_t kAbove = 12;
  std::vector<SpecPtr> specs = {Spec::Make(component, {})};
  for (const ParamSpec& param : component->params) {
    if (param.type != CF_P_INT || param.ihi - param.ilo <= 1) continue;
    const std::int64_t least = std::max<std::int64_t>(param.ilo, 0);
    const ParamValues values = {{param.name, std::min(least + kAbove, param.ihi - 1)}};
    if (FindProblems(*component, values).empty()) specs.push_back(Spec::Make(component, values));
  }
  return specs;
}

// Makes errors and looks at each.
class Provoker {
 public:
  Provoker(CheckContext& context, const Subject& subject)
      : context_(context),
        subject_(subject),
        expected_(FitAsk(*subject.spec, subject.train, subject.all)) {
    // What is not the same twice anyway is the subject of fit-idempotent.
    compares_ = Difference(FitAsk(*subject.spec, subject.train, subject.all), expected_).empty();
  }

  // Fits with legal settings on few rows: too few neighbours, nothing to estimate from.
  void SmallData() {
    constexpr std::chrono::milliseconds kMaxTime{500};  // of a slow learner fewer are tried
    const auto until = std::chrono::steady_clock::now() + kMaxTime;
    ProbeOptions patient;
    patient.cancel_at = 20;  // a fit that gets so far has no error but that
    for (const SpecPtr& spec : SpecsInside(subject_.spec->shared_component())) {
      for (const std::int64_t rows : {1, 3}) {
        if (std::chrono::steady_clock::now() > until) return;
        const DataView few = RowsOf(subject_.data, RowRange(0, rows));
        Look("fit of " + spec->ToString() + " on " + std::to_string(rows) + " rows",
             Fit(*spec, few, patient));
      }
    }
  }

  void Cancelled() {
    ProbeOptions cancelled;
    cancelled.cancel_at = 1;
    const ModelPtr model = Fitted();
    if (model == nullptr) return;
    Look("fit, cancelled", Fit(*subject_.spec, subject_.train, cancelled));
    const Answer answer = Ask(*subject_.spec, model.get(), subject_.all, cancelled);
    Look(is_learner() ? "predict, cancelled" : "apply, cancelled", answer.reply);
  }

  // No host does this, but a component that counts the columns must report it properly.
  void OneColumnMore() {
    const ModelPtr model = Fitted();
    if (model == nullptr) return;
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
         is_learner() ? Predict(*subject_.spec, model.get(), more, n_classes).reply
                      : Apply(*subject_.spec, model.get(), more).reply);
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

  // Null after a failure, which is a finding.
  ModelPtr Fitted() {
    Made made = Fit(*subject_.spec, subject_.train);
    if (made.model == nullptr) {
      context_.Fail("a fit that worked before ended with " + made.reply.Describe());
    }
    return std::move(made.model);
  }

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
      context_.Fail(what + " called host->fail() ('" + CleanText(reply.message.c_str()) +
                    "') and returned ok");
      return;
    }
    has_provoked_ = true;
    const std::string problem = FindBadError(reply);
    if (!problem.empty()) context_.Fail(what + " " + problem);
    if (!compares_) return;
    const std::string difference =
        Difference(FitAsk(*subject_.spec, subject_.train, subject_.all), expected_);
    if (difference.empty()) return;
    context_.Fail("after " + what +
                  " had failed, a fit that worked before gave another result: " + difference);
  }

  CheckContext& context_;
  const Subject& subject_;
  Answer expected_;
  bool compares_ = false;
  bool has_provoked_ = false;
};

void ErrorContract(CheckContext& context) {
  bool has_provoked = false;
  const Component& c = context.component();
  // What a host may do after a failed fit.
  (c.learner != nullptr ? c.learner->destroy : c.transform->destroy)(c.info(), nullptr);
  for (const Subject& subject : UsableSubjects(context)) {
    Provoker provoker(context, subject);
    provoker.SmallData();
    provoker.Cancelled();
    provoker.OneColumnMore();
    provoker.ForeignBytes();
    has_provoked = has_provoked || provoker.has_provoked();
  }
  if (!has_provoked) context.Skip("nothing that was tried made it fail");
}

constexpr Check kErrorChecks[] = {
    {"error-contract", CheckScope::kLearner, 3, false, "cancel",
     "every failed call has a status and a message, leaves no handle, and the next call works",
     &ErrorContract},
    {"error-contract", CheckScope::kTransform, 3, false, "cancel",
     "every failed call has a status and a message, leaves no handle, and the next call works",
     &ErrorContract},
};

}  // namespace

std::span<const Check> ErrorChecks() { return kErrorChecks; }

}  // namespace crossfold::check
