// Checks of what calls leave in the process, and of threads.
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
#include "check/memory_limit.h"
#include "check/process_snapshot.h"
#include "check/sharing_calls.h"
#include "check/subject.h"
#include "check/thread_counts.h"
#include "check/trial.h"

namespace crossfold::check {
namespace {

// Checks of what remains after calls: memory, changes of the process, work at its end.

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

// Repeats the jobs, `kThreads` at a time, each time with another job on each thread. Returns the
// first difference; "" = none. Races are found by chance: in every round the threads wait for each
// other, so that their calls overlap.
template <class Result>
std::string RunAtOnce(const std::vector<Job<Result>>& jobs) {
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

template <class Result>
void Expect(std::vector<Job<Result>>& jobs) {
  for (Job<Result>& job : jobs) job.expected = job.run();
}

// Every thread has other training rows, so that state shared between calls gives wrong results.
DataView RowsOfThread(const Subject& subject, std::size_t t) {
  const auto first = static_cast<std::int64_t>(t) * 5;
  return RowsOf(subject.data, RowRange(first, first + 30));
}

void FitAtOnce(CheckContext& context, const Subject& subject) {
  std::vector<Job<Answer>> jobs;
  for (std::size_t t = 0; t < kThreads; ++t) {
    jobs.push_back({"training rows " + std::to_string(5 * t) + " to " + std::to_string(5 * t + 29),
                    [&subject, rows = RowsOfThread(subject, t)] {
                      return FitAsk(*subject.spec, rows, subject.all);
                    }});
  }
  Expect(jobs);
  const std::string difference = RunAtOnce(jobs);
  if (difference.empty()) return;
  context.Fail(
      "different models " + subject.Where() + " that " + std::to_string(kThreads) +
      " threads fitted at the same time are not those fitted one after the other: " + difference);
}

void AskAtOnce(CheckContext& context, const Subject& subject) {
  const Made made = Fit(*subject.spec, subject.train);
  if (made.model == nullptr) return;
  std::vector<Job<Answer>> jobs;
  for (std::size_t t = 0; t < kThreads; ++t) {
    jobs.push_back({"rows " + std::to_string(5 * t) + " to " + std::to_string(5 * t + 29),
                    [&subject, &made, rows = RowsOfThread(subject, t)] {
                      return Ask(*subject.spec, made.model.get(), rows);
                    }});
  }
  Expect(jobs);
  const std::string difference = RunAtOnce(jobs);
  if (difference.empty()) return;
  context.Fail("one model " + subject.Where() + " that " + std::to_string(kThreads) +
               " threads asked at the same time does not answer as it answers one: " + difference);
}

void FitPreparedAtOnce(CheckContext& context, const Subject& subject) {
  const Prepared prepared(*subject.spec, subject.all);
  if (prepared.get() == nullptr) return;
  std::vector<Job<Answer>> jobs;
  for (std::size_t t = 0; t < kThreads; ++t) {
    jobs.push_back({"training rows " + std::to_string(5 * t) + " to " + std::to_string(5 * t + 29),
                    [&subject, &prepared, rows = RowsOfThread(subject, t)] {
                      return AskFitted(*subject.spec, prepared.Fit(*subject.spec, rows),
                                       subject.all);
                    }});
  }
  Expect(jobs);
  const std::string difference = RunAtOnce(jobs);
  if (difference.empty()) return;
  context.Fail("models " + subject.Where() + " that " + std::to_string(kThreads) +
               " threads fitted from one prepared structure at the same time are not those fitted "
               "one after the other: " +
               difference);
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
    Expect(jobs);
    const std::string difference = RunAtOnce(jobs);
    if (difference.empty()) continue;
    context.Fail("calls that " + std::to_string(kThreads) +
                 " threads made at the same time do not give what they give one after the other: " +
                 difference);
    return;
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
      ProbeOptions options;
      options.n_threads = budget;
      WatchThreads(context, *counts, call.name, budget, [&] { call.run(options); });
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
      ProbeOptions options;
      options.n_threads = budget;
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
    {"threads-declared", CheckScope::kLearner, 4, false, "fit-idempotent",
     "calls on several threads, as far as the component allows them, give the same as "
     "alone",
     &ThreadsDeclared},
    {"threads-declared", CheckScope::kTransform, 4, false, "fit-idempotent",
     "calls on several threads, as far as the component allows them, give the same as "
     "alone",
     &ThreadsDeclared},
    {"threads-declared", CheckScope::kSplitter, 4, false, "fit-idempotent",
     "calls on several threads, if the component allows them, give the same as alone",
     &ThreadsDeclaredPlainly},
    {"threads-declared", CheckScope::kMetric, 4, false, "fit-idempotent",
     "calls on several threads, if the component allows them, give the same as alone",
     &ThreadsDeclaredPlainly},
    {"threads-declared", CheckScope::kSource, 4, false, "source-smoke",
     "calls on several threads, if the component allows them, give the same as alone",
     &ThreadsDeclaredPlainly},
    {"threads-budget", CheckScope::kLearner, 4, false, "fit-smoke",
     "a call uses no more threads than allowed, and leaves none running", &ThreadsBudget},
    {"threads-budget", CheckScope::kTransform, 4, false, "transform-smoke",
     "a call uses no more threads than allowed, and leaves none running", &ThreadsBudget},
    {"threads-budget", CheckScope::kSource, 4, false, "source-smoke",
     "a call uses no more threads than allowed, and leaves none running", &ThreadsBudgetPlainly},
};

}  // namespace

std::span<const Check> ResourceChecks() { return kResourceChecks; }

}  // namespace crossfold::check
