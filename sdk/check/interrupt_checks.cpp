// Checks of calls that the host stops, and of calls that get no memory.
#include <malloc.h>
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/error_reply.h"
#include "check/forked.h"
#include "check/memory_limit.h"
#include "check/plain_calls.h"
#include "check/subject.h"
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
  return {{"fit",
           [&subject](const ProbeOptions& options) {
             return Fit(*subject.spec, subject.train, options).reply;
           }},
          {learns ? "predict" : "apply", [&subject, model](const ProbeOptions& options) {
             return Ask(*subject.spec, model, subject.all, options).reply;
           }}};
}

// ---- cancel -------------------------------------------------------------------------------------

void CancelAt(CheckContext& context, const std::string& what, const Interruptible& call,
              std::int64_t k) {
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
      what + " was asked to stop on call " + std::to_string(k) + " of progress()";
  if (reply.status != CF_E_CANCELLED) {
    context.Fail(when + ", and ended with " + reply.Describe() + " instead of cancelled");
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - asked).count();
  if (seconds > kMaxSeconds) {
    context.Fail(when + ", and ended " + FormatShortest(seconds) + " s later");
  }
}

void Cancel(CheckContext& context) {
  bool has_asked = false;
  for (const Subject& subject : UsableSubjects(context)) {
    const Made made = Fit(*subject.spec, subject.train);
    for (const Interruptible& call : CallsOf(subject, made.model.get())) {
      const std::int64_t n = call.call({}).n_progress;
      for (const std::int64_t k : {1, 2, 5}) {
        if (k <= n) CancelAt(context, call.name + " " + subject.Where(), call, k);
      }
      has_asked = has_asked || n > 0;
    }
  }
  if (!has_asked) context.Note("neither fit nor what follows calls progress() on 40 rows");
}

// Of a splitter, metric or source.
void CancelPlainly(CheckContext& context) {
  bool has_asked = false;
  for (const PlainCall& plain : PlainCalls(context)) {
    const Interruptible call{plain.name,
                             [&](const ProbeOptions& options) { return plain.run(options).reply; }};
    const std::int64_t n = call.call({}).n_progress;
    for (const std::int64_t k : {1, 2, 5}) {
      if (k <= n) CancelAt(context, call.name, call, k);
    }
    has_asked = has_asked || n > 0;
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

void WithoutScratch(CheckContext& context, const std::string& what, const Interruptible& call) {
  constexpr std::int64_t kMax = 5;
  const std::int64_t n = call.call({}).n_scratch;
  for (std::int64_t k = 1; k <= std::min(n, kMax); ++k) {
    ProbeOptions options;
    options.no_scratch_at = k;
    const Reply reply = call.call(options);
    const std::string problem = reply.ok() ? "" : FindBadError(reply);
    if (!problem.empty()) {
      context.Fail(what + " got no memory on call " + std::to_string(k) + " of scratch(), and " +
                   problem);
    }
    if (IsProper(reply)) continue;
    context.Fail(what + " got no memory on call " + std::to_string(k) +
                 " of scratch(), and ended with " + reply.Describe() + " instead of out of memory");
  }
}

// In a copy of the process, as what is not prepared for it may crash.
void WithLittleMemory(CheckContext& context, const Subject& subject, std::uint64_t room) {
  const Forked forked = RunForked([] { return std::string(); },
                                  [&](const std::string&) -> std::string {
                                    Reply reply;
                                    ::malloc_trim(0);
                                    {
                                      const MemoryLimit limit(room);
                                      reply = Fit(*subject.spec, subject.train).reply;
                                    }
                                    return IsProper(reply) ? "" : reply.Describe();
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
      WithoutScratch(context, call.name + " " + subject.Where(), call);
    }
  }
}

constexpr Check kInterruptChecks[] = {
    {"cancel", CheckScope::kLearner, 4, false, "fit-smoke",
     "a call that is asked to stop ends within a second, with cancelled and without a model",
     &Cancel},
    {"cancel", CheckScope::kTransform, 4, false, "transform-smoke",
     "a call that is asked to stop ends within a second, with cancelled and without a model",
     &Cancel},
    {"cancel", CheckScope::kSplitter, 4, false, "split-smoke",
     "a call that is asked to stop ends within a second, with cancelled", &CancelPlainly},
    {"cancel", CheckScope::kMetric, 4, false, "metric-smoke",
     "a call that is asked to stop ends within a second, with cancelled", &CancelPlainly},
    {"cancel", CheckScope::kSource, 4, false, "source-smoke",
     "a call that is asked to stop ends within a second, with cancelled", &CancelPlainly},
    {"progress", CheckScope::kLearner, 6, true, "fit-smoke",
     "a fit that takes a second asks whether it should stop", &Progress},
    {"progress", CheckScope::kTransform, 6, true, "transform-smoke",
     "a fit that takes a second asks whether it should stop", &Progress},
    {"oom", CheckScope::kLearner, 5, true, "fit-smoke",
     "without memory a call ends with out of memory and not with the process", &OutOfMemory},
    {"oom", CheckScope::kTransform, 5, true, "transform-smoke",
     "without memory a call ends with out of memory and not with the process", &OutOfMemory},
};

}  // namespace

std::span<const Check> InterruptChecks() { return kInterruptChecks; }

}  // namespace crossfold::check
