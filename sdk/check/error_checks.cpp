// Checks of failing, cancelled and starved calls.
#include <time.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/forked.h"
#include "check/probe_call.h"
#include "check/subject.h"
#include "check/trial.h"
#include "engine/plugin/foreign_text.h"
#include "engine/text/format_number.h"

namespace crossfold::check {
namespace {

using Clock = std::chrono::steady_clock;

// The call of a component under some options, and what it is called in findings.
struct Interruptible {
  std::string name;
  std::function<Reply(const ProbeOptions&)> call;
};

// `model` is one of the subject's; both must outlive the result.
std::vector<Interruptible> CallsOf(const Subject& subject, const cf_model* model) {
  const bool learns = subject.spec->component().learner != nullptr;
  return {{"fit " + subject.Where(),
           [&subject](const ProbeOptions& options) {
             return Fit(*subject.spec, subject.train, options).reply;
           }},
          {(learns ? "predict " : "apply ") + subject.Where(),
           [&subject, model](const ProbeOptions& options) {
             return Ask(*subject.spec, model, subject.all, options).reply;
           }}};
}

// ---- cancel -------------------------------------------------------------------------------------

void CancelAt(CheckContext& context, const Interruptible& call, std::int64_t k) {
  constexpr double kMaxSeconds = 1;
  ProbeOptions options;
  options.cancel_at = k;
  std::int64_t n_called = 0;
  Clock::time_point asked{};
  options.on_progress = [&] {
    if (++n_called == k) asked = Clock::now();
  };
  const Reply reply = call.call(options);
  if (n_called < k) return;  // it called less often this time
  const std::string when =
      call.name + " was asked to stop on call " + std::to_string(k) + " of progress()";
  if (reply.status != CF_E_CANCELLED) {
    context.Fail(when + ", and ended with " + reply.Describe() + " instead of cancelled");
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - asked).count();
  if (seconds > kMaxSeconds) {
    context.Fail(when + ", and ended " + FormatShortest(seconds) + " s later");
  }
}

// Whether the call asks if it should stop at all.
bool CancelsIfAsked(CheckContext& context, const Interruptible& call) {
  const std::int64_t n = call.call({}).n_progress;
  for (const std::int64_t k : {1, 2, 5}) {
    if (k <= n) CancelAt(context, call, k);
  }
  return n > 0;
}

void Cancel(CheckContext& context) {
  bool has_asked = false;
  for (const Subject& subject : UsableSubjects(context)) {
    const Made made = Fit(*subject.spec, subject.train);
    for (const Interruptible& call : CallsOf(subject, made.model.get())) {
      has_asked |= CancelsIfAsked(context, call);
    }
  }
  if (!has_asked) context.Note("neither fit nor what follows calls progress() on 40 rows");
}

// Of a splitter, metric or source.
void CancelPlainly(CheckContext& context) {
  bool has_asked = false;
  for (const PlainCall& plain : PlainCalls(context)) {
    const auto call = [&](const ProbeOptions& options) { return plain.run(options).reply; };
    has_asked |= CancelsIfAsked(context, {plain.name, call});
  }
  if (!has_asked) context.Note("it does not call progress() on so few rows");
}

// ---- progress -----------------------------------------------------------------------------------

double ThreadSeconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Doubles the rows until a fit asks or takes a second.
void Progress(CheckContext& context) {
  constexpr std::int64_t kMostRows = 200000;
  constexpr double kLong = 1;
  for (std::int64_t n = 60; n <= kMostRows; n *= 2) {
    const Subject subject = UsableSubjects(context, n).front();
    const double before = ThreadSeconds();
    const Reply reply = Fit(*subject.spec, subject.train).reply;
    const double seconds = ThreadSeconds() - before;
    if (!reply.ok() || reply.n_progress > 0) return;
    if (seconds < kLong) continue;
    context.Warn("a fit of " + std::to_string(subject.train.num_rows()) + " rows took " +
                 FormatShortest(seconds) +
                 " s of processor time and never called progress(): it cannot be cancelled");
    return;
  }
}

// ---- oom ----------------------------------------------------------------------------------------

bool IsProper(const Reply& reply) { return reply.ok() || reply.status == CF_E_OUT_OF_MEMORY; }

void WithoutScratch(CheckContext& context, const Interruptible& call) {
  constexpr std::int64_t kMax = 5;
  const std::int64_t n = call.call({}).n_scratch;
  for (std::int64_t k = 1; k <= std::min(n, kMax); ++k) {
    const Reply reply = call.call({.no_scratch_at = k});
    const std::string when =
        call.name + " got no memory on call " + std::to_string(k) + " of scratch(), and ";
    if (!reply.ok()) context.FailIf(when, FindBadError(reply));
    if (IsProper(reply)) continue;
    context.Fail(when + "ended with " + reply.Describe() + " instead of out of memory");
  }
}

// In a copy of the process, as what is not prepared for it may crash.
void WithLittleMemory(CheckContext& context, const Subject& subject, std::uint64_t room) {
  const Forked forked = RunWithin(room, [&] {
    const Reply reply = Fit(*subject.spec, subject.train).reply;
    return IsProper(reply) ? Reply() : reply;
  });
  const std::string with = "with " + std::to_string(room / 1024) + " KiB of memory left, fit ";
  if (!forked.ended.empty()) {
    context.Fail(with + "did not return: " + forked.ended);
  } else if (!forked.text.empty()) {
    context.Fail(with + "ended with " + forked.text + " instead of out of memory");
  }
}

void OutOfMemory(CheckContext& context) {
  constexpr std::int64_t kManyRows = 3000;
  const Component& component = context.component();
  // Before anything has started a thread.
  if ((component.process_flags & (CF_NOT_FORK_SAFE | CF_USES_OPENMP | CF_USES_THREADS)) == 0 &&
      MemoryLimit::Works()) {
    Subject subject = FirstUsable(context, kManyRows);
    subject.train = subject.all;
    for (const std::uint64_t kib : {16, 128, 512}) {
      WithLittleMemory(context, subject, kib * 1024);
    }
  }
  for (const Subject& subject : UsableSubjects(context)) {
    const Made made = Fit(*subject.spec, subject.train);
    for (const Interruptible& call : CallsOf(subject, made.model.get())) {
      WithoutScratch(context, call);
    }
  }
}

// Checks of how a component fails: with a status and a message, and without leaks.

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
    const ProbeOptions cancelled{.cancel_at = 1};
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
    context_.FailIf(what + " ", FindBadError(reply));
    if (!compares_) return;
    context_.FailIf("after " + what + " had failed, a fit that worked before gave another result: ",
                    Difference(FitAsk(*subject_.spec, subject_.train, subject_.all), expected_));
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

constexpr std::string_view kCancelsFit =
    "a call that is asked to stop ends within a second, with cancelled and without a model";
constexpr std::string_view kCancelsCall =
    "a call that is asked to stop ends within a second, with cancelled";
constexpr std::string_view kAsksToStop = "a fit that takes a second asks whether it should stop";
constexpr std::string_view kSurvivesStarving =
    "without memory a call ends with out of memory and not with the process";
constexpr std::string_view kFailsProperly =
    "every failed call has a status and a message, leaves no handle, and the next call works";

constexpr Check kErrorChecks[] = {
    {"cancel", kLearner, 4, false, "fit-smoke", kCancelsFit, &Cancel},
    {"cancel", kTransform, 4, false, "transform-smoke", kCancelsFit, &Cancel},
    {"cancel", kSplitter, 4, false, "split-smoke", kCancelsCall, &CancelPlainly},
    {"cancel", kMetric, 4, false, "metric-smoke", kCancelsCall, &CancelPlainly},
    {"cancel", kSource, 4, false, "source-smoke", kCancelsCall, &CancelPlainly},
    {"progress", kLearner, 6, true, "fit-smoke", kAsksToStop, &Progress},
    {"progress", kTransform, 6, true, "transform-smoke", kAsksToStop, &Progress},
    {"oom", kLearner, 5, true, "fit-smoke", kSurvivesStarving, &OutOfMemory},
    {"oom", kTransform, 5, true, "transform-smoke", kSurvivesStarving, &OutOfMemory},
    {"error-contract", kLearner, 3, false, "cancel", kFailsProperly, &ErrorContract},
    {"error-contract", kTransform, 3, false, "cancel", kFailsProperly, &ErrorContract},
};

}  // namespace

std::span<const Check> ErrorChecks() { return kErrorChecks; }

}  // namespace crossfold::check
