// Checks of the declarations of a component about threads: those of the host and those that it
// starts.
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
#include "check/plain_calls.h"
#include "check/prepared.h"
#include "check/subject.h"
#include "check/thread_counts.h"

namespace crossfold::check {
namespace {

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

constexpr Check kThreadChecks[] = {
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

std::span<const Check> ThreadChecks() { return kThreadChecks; }

}  // namespace crossfold::check
