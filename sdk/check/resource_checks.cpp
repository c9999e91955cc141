// Checks of what calls leave in the process, and of threads.
#include <dlfcn.h>

#include <algorithm>
#include <barrier>
#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/forked.h"
#include "check/process_snapshot.h"
#include "check/sharing_calls.h"
#include "check/subject.h"
#include "check/thread_counts.h"
#include "check/trial.h"

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
    WatchProcess(context, "a fit that was cancelled",
                 [&] { Fit(spec, subject.train, {.cancel_at = 1}); });
  }
}

// Of a splitter, metric or source.
void PlainCallClean(CheckContext& context) {
  std::vector<PlainCall> calls;
  WatchProcess(context, "the first call", [&] { calls = PlainCalls(context); });
  for (const PlainCall& call : calls) {
    if (context.has_failed()) return;
    WatchProcess(context, call.name, [&] { call.run({}); });
    WatchProcess(context, "a cancelled " + call.name, [&] { call.run({.cancel_at = 1}); });
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
    if (Fit(spec, subject.train).reply.n_progress > 0) {
      LookForGrowth(context, "a cancelled fit " + subject.Where(),
                    [&] { Fit(spec, subject.train, {.cancel_at = 1}); });
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
    if (call.run({}).reply.n_progress == 0) continue;
    LookForGrowth(context, "a cancelled " + call.name, [&] { call.run({.cancel_at = 1}); });
  }
}

// ---- exit-clean ---------------------------------------------------------------------------------

// The process that started this one sees what happens afterwards.
void ExitClean(CheckContext& context) {
  for (const Subject& subject : UsableSubjects(context)) {
    for (const bool is_destroyed : {true, false}) {
      const ProbeOptions options{.n_threads = 2};  // a pool may be idle at the end
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
  for (const PlainCall& call : PlainCalls(context)) call.run({.n_threads = 2});
  context.EndNormally();
}

// Checks of the declarations of a component about threads: those of the host and those that it
// starts.

using Clock = std::chrono::steady_clock;

constexpr std::size_t kThreads = 4;

// ---- threads-declared ---------------------------------------------------------------------------

// One of the jobs that run at the same time, and its result when it runs alone.
template <class Result>
struct Job {
  std::string name;
  std::function<Result()> run;
  Result expected = {};
};

// Runs each job alone, and then repeats them `kThreads` at a time, each time with another job on
// each thread. Returns the first difference; "" = none. Races are found by chance: in every round
// the threads wait for each other, so that their calls overlap.
template <class Result>
std::string RunAtOnce(std::vector<Job<Result>> jobs) {
  for (Job<Result>& job : jobs) job.expected = job.run();
  constexpr std::chrono::milliseconds kTime{50};
  constexpr std::size_t kFewest = 4;
  std::string difference;
  std::mutex mutex;
  bool is_over = false;
  std::size_t round = 0;
  const auto start = Clock::now();
  const auto end_round = [&]() noexcept {
    ++round;
    is_over = !difference.empty() || (round >= kFewest && Clock::now() - start > kTime);
  };
  std::barrier together(kThreads, end_round);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      while (!is_over) {
        const Job<Result>& job = jobs[(t + round) % jobs.size()];
        const std::string found = Difference(job.run(), job.expected);
        if (!found.empty()) {
          const std::lock_guard lock(mutex);
          if (difference.empty()) difference = job.name + ": " + found;
        }
        together.arrive_and_wait();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return difference;
}

// Every thread has other rows, so that state shared between calls gives wrong results. `run` gets
// them; `rows` is "training rows" or "rows", and `finding` goes on after the threads.
void RunOnRowsAtOnce(CheckContext& context, const std::string& subject, const std::string& rows,
                     const std::string& finding, const DataPtr& data,
                     const std::function<Answer(const DataView&)>& run) {
  std::vector<Job<Answer>> jobs;
  for (std::size_t t = 0; t < kThreads; ++t) {
    const auto first = static_cast<std::int64_t>(5 * t);
    jobs.push_back(
        {rows + " " + std::to_string(first) + " to " + std::to_string(first + 29),
         [&run, some = RowsOf(data, RowRange(first, first + 30))] { return run(some); }});
  }
  context.FailIf(subject + " that " + std::to_string(kThreads) + " threads " + finding + ": ",
                 RunAtOnce(std::move(jobs)));
}

void FitAtOnce(CheckContext& context, const Subject& subject) {
  RunOnRowsAtOnce(context, "different models " + subject.Where(), "training rows",
                  "fitted at the same time are not those fitted one after the other", subject.data,
                  [&](const DataView& rows) { return FitAsk(*subject.spec, rows, subject.all); });
}

void AskAtOnce(CheckContext& context, const Subject& subject) {
  const Made made = Fit(*subject.spec, subject.train);
  if (made.model == nullptr) return;
  RunOnRowsAtOnce(context, "one model " + subject.Where(), "rows",
                  "asked at the same time does not answer as it answers one", subject.data,
                  [&](const DataView& rows) { return Ask(*subject.spec, made.model.get(), rows); });
}

void FitPreparedAtOnce(CheckContext& context, const Subject& subject) {
  const Prepared prepared(*subject.spec, subject.all);
  if (prepared.get() == nullptr) return;
  RunOnRowsAtOnce(context, "models " + subject.Where(), "training rows",
                  "fitted from one prepared structure at the same time are not those fitted one "
                  "after the other",
                  subject.data, [&](const DataView& rows) {
                    return AskFitted(*subject.spec, prepared.Fit(*subject.spec, rows), subject.all);
                  });
}

void NeedThreads(CheckContext& context) {
  if (context.component().threading == CF_MT_NONE) {
    context.Skip("it declares CF_MT_NONE: the host makes one call at a time");
  }
  if (!IsDeterministic(context.component())) {
    context.Skip("it does not declare that equal calls give equal results");
  }
}

// Of a splitter, metric or source.
void ThreadsDeclaredPlainly(CheckContext& context) {
  NeedThreads(context);
  std::vector<std::vector<PlainCall>> variants;
  for (std::size_t t = 0; t < kThreads; ++t) variants.push_back(PlainCalls(context, t));
  for (std::size_t i = 0; i < variants.front().size(); ++i) {
    std::vector<Job<TrialResult>> jobs;
    for (const std::vector<PlainCall>& calls : variants) {
      jobs.push_back({calls[i].name, [&call = calls[i]] { return call.run({}); }});
    }
    if (context.FailIf("calls that " + std::to_string(kThreads) +
                           " threads made at the same time do not give what they give one after "
                           "the other: ",
                       RunAtOnce(std::move(jobs)))) {
      return;
    }
  }
}

void ThreadsDeclared(CheckContext& context) {
  NeedThreads(context);
  const Component& component = context.component();
  for (const Subject& subject : UsableSubjects(context, 60, /*weights=*/true)) {
    FitAtOnce(context, subject);
    if (component.threading == CF_MT_PREDICT) AskAtOnce(context, subject);
    if (component.threading == CF_MT_PREDICT &&
        component.capability<cf_cap_prepare>(CF_CAP_PREPARE) != nullptr) {
      FitPreparedAtOnce(context, subject);
    }
    if (context.has_failed()) return;
  }
}

// ---- threads-budget -----------------------------------------------------------------------------

// The counts of this process, or null where threads are not counted. They live as long as the
// process.
ThreadCounts* FindThreadCounts() {
  using Find = ThreadCounts* (*)();
  const auto find = reinterpret_cast<Find>(::dlsym(RTLD_DEFAULT, "crossfold_checker_threads"));
  return find == nullptr ? nullptr : find();
}

std::string Threads(std::int64_t n) {
  return std::to_string(n) + (n == 1 ? " thread" : " threads");
}

// The flags of a component that may keep threads for later calls.
constexpr std::uint32_t kKeepsThreads = CF_USES_THREADS | CF_USES_OPENMP;

void WatchThreads(CheckContext& context, ThreadCounts& counts, const std::string& what,
                  std::uint32_t budget, const std::function<void()>& call) {
  counts.started = 0;
  const std::int64_t before = counts.alive;
  counts.most_alive = before;
  call();
  const bool keeps = (context.component().process_flags & kKeepsThreads) != 0;
  const std::int64_t extra =
      keeps || budget == 1 ? counts.started.load() : counts.most_alive - before;
  if (extra < static_cast<std::int64_t>(budget)) return;
  context.Fail(what + " with n_threads = " + std::to_string(budget) + " ran on " +
               Threads(extra + 1) + ", its own included");
}

// Waits for threads that are about to end; `before` of them were there before the calls.
void LookForLeftThreads(CheckContext& context, const ThreadCounts& counts, std::int64_t before,
                        const std::string& after) {
  constexpr std::chrono::milliseconds kPatience{200};
  if (context.has_failed() || (context.component().process_flags & kKeepsThreads) != 0) return;
  for (const auto until = Clock::now() + kPatience;
       counts.alive > before && Clock::now() < until;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (counts.alive <= before) return;
  context.Fail("after " + after + " " + Threads(counts.alive - before) +
               " still run, and it does not declare CF_USES_THREADS or CF_USES_OPENMP");
}

// Of a source.
void ThreadsBudgetPlainly(CheckContext& context) {
  ThreadCounts* counts = FindThreadCounts();
  if (counts == nullptr) context.Skip("threads are counted in the program crossfold-checker only");
  const std::int64_t before = counts->alive;
  for (const std::uint32_t budget : {1u, 2u, 3u}) {
    for (const PlainCall& call : PlainCalls(context)) {
      WatchThreads(context, *counts, call.name, budget, [&] { call.run({.n_threads = budget}); });
    }
  }
  LookForLeftThreads(context, *counts, before, "every stream was released");
}

void ThreadsBudget(CheckContext& context) {
  ThreadCounts* counts = FindThreadCounts();
  if (counts == nullptr) context.Skip("threads are counted in the program crossfold-checker only");
  const bool learns = context.component().learner != nullptr;
  const auto before =
      counts->alive.load();  // those that loading left are the subject of load-clean
  // There are many rows, as a component may start no threads for few.
  std::vector<Subject> subjects;
  WatchThreads(context, *counts, "the first fit", 1,
               [&] { subjects = UsableSubjects(context, 600); });
  // Ascending, for pools that are kept.
  for (const std::uint32_t budget : {1u, 2u, 3u}) {
    for (const Subject& subject : subjects) {
      const ProbeOptions options{.n_threads = budget};
      Made made;
      WatchThreads(context, *counts, "fit " + subject.Where(), budget,
                   [&] { made = Fit(*subject.spec, subject.train, options); });
      if (made.model == nullptr) continue;
      WatchThreads(context, *counts, (learns ? "predict " : "apply ") + subject.Where(), budget,
                   [&] { Ask(*subject.spec, made.model.get(), subject.all, options); });
    }
  }
  LookForLeftThreads(context, *counts, before, "every model was destroyed");
}

constexpr std::string_view kLeavesProcessAlone =
    "calls leave locale, floating point, signals, files, output and the rest of the process alone";
constexpr std::string_view kFreesMemory = "fit, predict and destroy give back all memory";
constexpr std::string_view kExitsCleanly =
    "the process exits cleanly, with models destroyed or not";
constexpr std::string_view kSameOnThreadsAllowed =
    "calls on several threads, as far as the component allows them, give the same as alone";
constexpr std::string_view kSameOnThreads =
    "calls on several threads, if the component allows them, give the same as alone";
constexpr std::string_view kKeepsBudget =
    "a call uses no more threads than allowed, and leaves none running";

constexpr Check kResourceChecks[] = {
    {"call-clean", kLearner, 3, false, "cancel", kLeavesProcessAlone, &CallClean},
    {"call-clean", kTransform, 3, false, "cancel", kLeavesProcessAlone, &CallClean},
    {"leak", kLearner, 5, false, "cancel", kFreesMemory, &Leak},
    {"leak", kTransform, 5, false, "cancel", kFreesMemory, &Leak},
    {"call-clean", kSplitter, 3, false, "cancel", kLeavesProcessAlone, &PlainCallClean},
    {"call-clean", kMetric, 3, false, "cancel", kLeavesProcessAlone, &PlainCallClean},
    {"leak", kSplitter, 5, false, "cancel", "split gives back all memory", &LeakPlainly},
    {"leak", kMetric, 5, false, "cancel", "score gives back all memory", &LeakPlainly},
    {"call-clean", kSource, 3, false, "cancel", kLeavesProcessAlone, &PlainCallClean},
    {"leak", kSource, 5, false, "cancel", "reading gives back all memory", &LeakPlainly},
    {"exit-clean", kLearner, 4, false, "fit-smoke", kExitsCleanly, &ExitClean},
    {"exit-clean", kTransform, 4, false, "transform-smoke", kExitsCleanly, &ExitClean},
    {"exit-clean", kSource, 4, false, "source-smoke", "the process exits cleanly after reading",
     &PlainExitClean},
    {"threads-declared", kLearner, 4, false, "fit-idempotent", kSameOnThreadsAllowed,
     &ThreadsDeclared},
    {"threads-declared", kTransform, 4, false, "fit-idempotent", kSameOnThreadsAllowed,
     &ThreadsDeclared},
    {"threads-declared", kSplitter, 4, false, "fit-idempotent", kSameOnThreads,
     &ThreadsDeclaredPlainly},
    {"threads-declared", kMetric, 4, false, "fit-idempotent", kSameOnThreads,
     &ThreadsDeclaredPlainly},
    {"threads-declared", kSource, 4, false, "source-smoke", kSameOnThreads,
     &ThreadsDeclaredPlainly},
    {"threads-budget", kLearner, 4, false, "fit-smoke", kKeepsBudget, &ThreadsBudget},
    {"threads-budget", kTransform, 4, false, "transform-smoke", kKeepsBudget, &ThreadsBudget},
    {"threads-budget", kSource, 4, false, "source-smoke", kKeepsBudget, &ThreadsBudgetPlainly},
};

}  // namespace

std::span<const Check> ResourceChecks() { return kResourceChecks; }

}  // namespace crossfold::check
