// Checks of what remains after calls: memory, changes of the process, work at its end.
#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/memory_limit.h"
#include "check/plain_calls.h"
#include "check/process_snapshot.h"
#include "check/subject.h"

namespace crossfold::check {
namespace {

bool Serializes(const Component& component) {
  return component.capability<cf_cap_serialize>(CF_CAP_SERIALIZE) != nullptr;
}

// ---- call-clean ---------------------------------------------------------------------------------

// Threads are counted by threads-budget, which knows the budget. The processes of a folder, and
// what this process shares with them, stay for later calls.
void WatchProcess(CheckContext& context, const std::string& what,
                  const std::function<void()>& call) {
  ProcessWatch watch;
  call();
  for (const ProcessChange& change : watch.Finish()) {
    const bool may_stay = change.subject == ProcessSubject::kThreads ||
                          (change.subject == ProcessSubject::kDescriptors && context.is_folder());
    if (!may_stay) context.Fail(what + " " + change.text);
  }
}

void CallClean(CheckContext& context) {
  std::vector<Subject> subjects;
  // An action that is done once, such as a change of the locale, is seen only here.
  WatchProcess(context, "the first fit", [&] { subjects = UsableSubjects(context); });
  if (context.has_failed()) return;
  for (const Subject& subject : subjects) {
    const Spec& spec = *subject.spec;
    const std::string name = spec.component().learner != nullptr ? "predict" : "apply";
    const std::string where = " " + subject.Where();
    Made made;
    WatchProcess(context, "fit" + where, [&] { made = Fit(spec, subject.train); });
    if (made.model == nullptr || context.has_failed()) return;
    WatchProcess(context, name + where, [&] { Ask(spec, made.model.get(), subject.all); });
    if (Serializes(spec.component())) {
      Saved saved;
      WatchProcess(context, "save", [&] { saved = Save(spec, made.model.get()); });
      WatchProcess(context, "load", [&] { Load(spec, saved.bytes); });
      WatchProcess(context, "load of no bytes", [&] { Load(spec, {}); });
    }
    WatchProcess(context, "destroy", [&] { made.model.reset(); });
    ProbeOptions stopped;
    stopped.cancel_at = 1;
    WatchProcess(context, "a fit that was cancelled", [&] { Fit(spec, subject.train, stopped); });
  }
}

// Of a splitter, metric or source.
void PlainCallClean(CheckContext& context) {
  std::vector<PlainCall> calls;
  WatchProcess(context, "the first call", [&] { calls = PlainCalls(context); });
  for (const PlainCall& call : calls) {
    if (context.has_failed()) return;
    ProbeOptions stopped;
    stopped.cancel_at = 1;
    WatchProcess(context, call.name, [&] { call.run({}); });
    WatchProcess(context, "a cancelled " + call.name, [&] { call.run(stopped); });
  }
}

// ---- leak ---------------------------------------------------------------------------------------

struct Held {
  std::uint64_t allocated = AllocatedBytes(), resident = ResidentBytes();
};

double GrowthPerRound(std::uint64_t before, std::uint64_t after, int rounds) {
  return (static_cast<double>(after) - static_cast<double>(before)) / rounds;
}

// Repeats an action. What is allocated once (tables, pools) is there after the first rounds; a leak
// grows in every part of the others.
void LookForGrowth(CheckContext& context, const std::string& what,
                   const std::function<void()>& round) {
  using Clock = std::chrono::steady_clock;
  constexpr int kParts = 3, kRounds = 60;  // of a part
  // The limit per round. The minimum chunk of glibc's malloc is 32 bytes; its caches move a few per
  // round.
  constexpr double kMaxBytes = 24, kMaxResident = 4096;
  constexpr std::chrono::milliseconds kMaxTime{150};
  // A slow learner does fewer rounds, which also show a leak.
  const auto start = Clock::now();
  round();
  const Clock::duration time = std::max(Clock::now() - start, Clock::duration(1));
  const auto possible = kMaxTime / (kParts + 1) / time;
  const int rounds = static_cast<int>(std::clamp<std::int64_t>(possible, 4, kRounds));
  for (int i = 0; i < std::min(rounds, 20); ++i) round();
  double least_allocated = 1e300, least_resident = 1e300;
  Held before;
  for (int part = 0; part < kParts; ++part) {
    for (int i = 0; i < rounds; ++i) round();
    const Held after;
    least_allocated =
        std::min(least_allocated, GrowthPerRound(before.allocated, after.allocated, rounds));
    least_resident =
        std::min(least_resident, GrowthPerRound(before.resident, after.resident, rounds));
    before = after;
  }
  const double most = std::max(least_allocated > kMaxBytes ? least_allocated : 0,
                               least_resident > kMaxResident ? least_resident : 0);
  if (most == 0) return;
  std::string finding = what + " " + std::to_string(kParts * rounds) + " times: every time " +
                        std::to_string(static_cast<std::int64_t>(most)) + " bytes more are held";
  // In the few rounds of a slow learner, what malloc's caches keep looks like a leak.
  constexpr int kFewRounds = 20;
  constexpr double kLittle = 256;  // bytes a round
  const bool may_be_malloc = rounds < kFewRounds && most <= kLittle;
  may_be_malloc ? context.Warn(std::move(finding)) : context.Fail(std::move(finding));
}

void Leak(CheckContext& context) {
  for (const Subject& subject : UsableSubjects(context)) {
    const Spec& spec = *subject.spec;
    const bool learns = spec.component().learner != nullptr;
    LookForGrowth(
        context,
        std::string(learns ? "fit, predict" : "fit, apply") + " and destroy " + subject.Where(),
        [&] { FitAsk(spec, subject.train, subject.all); });
    if (context.has_failed()) return;
    ProbeOptions stopped;
    stopped.cancel_at = 1;
    if (Fit(spec, subject.train).reply.n_progress > 0) {
      LookForGrowth(context, "a cancelled fit " + subject.Where(),
                    [&] { Fit(spec, subject.train, stopped); });
    }
    if (!Serializes(spec.component())) continue;
    const Made made = Fit(spec, subject.train);
    const Saved saved = Save(spec, made.model.get());
    LookForGrowth(context, "save, load and destroy " + subject.Where(), [&] {
      Save(spec, made.model.get());
      Load(spec, saved.bytes);
    });
  }
}

// Of a splitter, metric or source.
void LeakPlainly(CheckContext& context) {
  for (const PlainCall& call : PlainCalls(context)) {
    if (context.has_failed()) return;
    LookForGrowth(context, call.name, [&] { call.run({}); });
    ProbeOptions stopped;
    stopped.cancel_at = 1;
    if (call.run({}).reply.n_progress == 0) continue;
    LookForGrowth(context, "a cancelled " + call.name, [&] { call.run(stopped); });
  }
}

// ---- exit-clean ---------------------------------------------------------------------------------

// The process that started this one sees what happens afterwards.
void ExitClean(CheckContext& context) {
  for (const Subject& subject : UsableSubjects(context)) {
    for (const bool is_destroyed : {true, false}) {
      ProbeOptions options;
      options.n_threads = 2;  // a pool may be idle at the end
      Made made = Fit(*subject.spec, subject.train, options);
      if (made.model == nullptr) continue;
      Ask(*subject.spec, made.model.get(), subject.all, options);
      if (!is_destroyed) made.model.release();
    }
  }
  context.EndNormally();
}

// Of a source.
void PlainExitClean(CheckContext& context) {
  for (const PlainCall& call : PlainCalls(context)) {
    ProbeOptions options;
    options.n_threads = 2;
    call.run(options);
  }
  context.EndNormally();
}

constexpr Check kResourceChecks[] = {
    {"call-clean", CheckScope::kLearner, 3, false, "cancel",
     "calls leave locale, floating point, signals, files, output and the rest of the process alone",
     &CallClean},
    {"call-clean", CheckScope::kTransform, 3, false, "cancel",
     "calls leave locale, floating point, signals, files, output and the rest of the process alone",
     &CallClean},
    {"leak", CheckScope::kLearner, 5, false, "cancel",
     "fit, predict and destroy give back all memory", &Leak},
    {"leak", CheckScope::kTransform, 5, false, "cancel",
     "fit, predict and destroy give back all memory", &Leak},
    {"call-clean", CheckScope::kSplitter, 3, false, "cancel",
     "calls leave locale, floating point, signals, files, output and the rest of the process alone",
     &PlainCallClean},
    {"call-clean", CheckScope::kMetric, 3, false, "cancel",
     "calls leave locale, floating point, signals, files, output and the rest of the process alone",
     &PlainCallClean},
    {"leak", CheckScope::kSplitter, 5, false, "cancel", "split gives back all memory",
     &LeakPlainly},
    {"leak", CheckScope::kMetric, 5, false, "cancel", "score gives back all memory", &LeakPlainly},
    {"call-clean", CheckScope::kSource, 3, false, "cancel",
     "calls leave locale, floating point, signals, files, output and the rest of the process alone",
     &PlainCallClean},
    {"leak", CheckScope::kSource, 5, false, "cancel", "reading gives back all memory",
     &LeakPlainly},
    {"exit-clean", CheckScope::kLearner, 4, false, "fit-smoke",
     "the process exits cleanly, with models destroyed or not", &ExitClean},
    {"exit-clean", CheckScope::kTransform, 4, false, "transform-smoke",
     "the process exits cleanly, with models destroyed or not", &ExitClean},
    {"exit-clean", CheckScope::kSource, 4, false, "source-smoke",
     "the process exits cleanly after reading", &PlainExitClean},
};

}  // namespace

std::span<const Check> ResourceChecks() { return kResourceChecks; }

}  // namespace crossfold::check
