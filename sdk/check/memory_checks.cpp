// Checks of the laws of memory and fit-memory: what learners say about the size of models and fits.
#include <malloc.h>

#include <functional>
#include <string>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/cross_prediction.h"
#include "check/forked.h"
#include "check/memory_limit.h"
#include "check/subject.h"
#include "engine/plugin/fit_memory.h"

namespace crossfold::check {
namespace {

// ---- memory -------------------------------------------------------------------------------------

void CapMemory(CheckContext& context) {
  constexpr std::uint64_t kFewest = 16 * 1024;  // less drowns in what the allocator rounds up
  const auto* table = context.component().capability<cf_cap_memory>(CF_CAP_MEMORY);
  if (table == nullptr) context.Skip("it does not offer crossfold.memory/1");
  bool has_compared = false;
  for (const Subject& subject : UsableSubjects(context, 3000)) {
    Fit(*subject.spec, subject.train);  // what is made once is made before
    const std::uint64_t before = AllocatedBytes();
    const Made made = Fit(*subject.spec, subject.train);
    const std::uint64_t held = AllocatedBytes() - before;
    if (made.model == nullptr || AllocatedBytes() < before || held < kFewest) continue;
    has_compared = true;
    const std::uint64_t reported = table->model_bytes(context.component().info(), made.model.get());
    if (reported >= held / 2 && reported <= held * 2) continue;
    context.Warn("model_bytes " + subject.Where() + " says " + std::to_string(reported) +
                 ", the allocator gave " + std::to_string(held));
  }
  if (!has_compared) context.Skip("its models are too small to be measured");
}

// ---- fit-memory ---------------------------------------------------------------------------------

struct Declared {
  std::uint64_t bytes = 0;
  Reply reply;
};

Declared AskBytes(const Subject& subject, std::int64_t n_rows,
                  decltype(&cf_cap_fit_memory::fit_bytes) function) {
  const Spec& spec = *subject.spec;
  const auto* table = spec.component().capability<cf_cap_fit_memory>(CF_CAP_FIT_MEMORY);
  const cf_shape shape = ShapeOf(subject.data->features(), n_rows, subject.data->num_classes());
  Declared declared;
  declared.reply = ProbeCall(spec, {}, [&](const cf_call* call) {
    return (table->*function)(call, spec.args().data(), spec.args().size(), &shape,
                              &declared.bytes);
  });
  return declared;
}

// Cross-predicts the first rows as the two halves of a partition.
Reply CrossPredictHalves(const Subject& subject, std::int64_t n_rows) {
  CrossProblem problem{RowsOf(subject.data, RowRange(0, n_rows)), {}, 2};
  for (std::int64_t i = 0; i < n_rows; ++i) {
    problem.fold_of_row.push_back(static_cast<std::int32_t>(i % 2));
  }
  return CrossPrediction({subject.spec}, problem, nullptr).reply();
}

// Makes a call in a copy of the process that may take `room` more memory. Returns how it ended; ""
// = it worked. `before` is what is done before the limit holds.
std::string EndWithin(std::uint64_t room, const std::function<void()>& before,
                      const std::function<Reply()>& call) {
  constexpr double kSeconds = 25;
  constexpr int kMapped = 32 * 1024;  // larger blocks never come from what malloc has kept
  const Forked forked = RunForked([] { return std::string(); },
                                  [&](const std::string&) -> std::string {
                                    ::mallopt(M_MMAP_THRESHOLD, kMapped);
                                    before();
                                    ::malloc_trim(0);
                                    Reply reply;
                                    {
                                      const MemoryLimit limit(room);
                                      reply = call();
                                    }
                                    return reply.ok() ? "" : reply.Describe();
                                  },
                                  kSeconds);
  return forked.ended.empty() ? forked.text : forked.ended;
}

void CompareBytes(CheckContext& context, const Subject& subject, std::int64_t n_rows,
                  const std::string& name, decltype(&cf_cap_fit_memory::fit_bytes) function,
                  std::uint64_t kept_per_row, const std::function<void()>& before,
                  const std::function<Reply()>& call) {
  constexpr std::uint64_t kRounding = 256 * 1024;  // of the allocator
  const std::string of = name + " " + subject.Where() + " of " + std::to_string(n_rows) + " rows ";
  const Declared declared = AskBytes(subject, n_rows, function);
  if (!declared.reply.ok()) {
    context.Fail(of + "ended with " + declared.reply.Describe());
    return;
  }
  const std::string problem =
      EndWithin(2 * declared.bytes + static_cast<std::uint64_t>(n_rows) * kept_per_row + kRounding,
                before, call);
  if (problem.empty()) return;
  context.Warn(of + "says " + std::to_string(declared.bytes) +
               ", and a call with twice that memory ended with " + problem);
}

void CapFitMemory(CheckContext& context) {
  constexpr std::int64_t kManyRows = 20000, kCrossRows = 4000, kFewRows = 60;
  constexpr std::uint64_t kKept = 64;  // bytes per row that this program holds of predictions
  const Component& component = context.component();
  const auto* table = component.capability<cf_cap_fit_memory>(CF_CAP_FIT_MEMORY);
  if (table == nullptr) context.Skip("it does not offer crossfold.fit-memory/1");
  if ((component.process_flags & (CF_NOT_FORK_SAFE | CF_USES_OPENMP | CF_USES_THREADS)) != 0) {
    context.Skip("it cannot be fitted in a copy of the process");
  }
  if (!MemoryLimit::Works()) context.Skip("this process cannot limit its memory");
  const Subject subject = FirstUsable(context, kManyRows);
  // What is made once is made before.
  CompareBytes(
      context, subject, kManyRows, "fit_bytes", &cf_cap_fit_memory::fit_bytes, 0,
      [&] { Fit(*subject.spec, RowsOf(subject.data, RowRange(0, kFewRows))); },
      [&] { return Fit(*subject.spec, subject.all).reply; });
  if (table->cross_bytes == nullptr ||
      component.capability<cf_cap_cross_predict>(CF_CAP_CROSS_PREDICT) == nullptr) {
    return;
  }
  CompareBytes(
      context, subject, kCrossRows, "cross_bytes", &cf_cap_fit_memory::cross_bytes, kKept,
      [&] { CrossPredictHalves(subject, kFewRows); },
      [&] { return CrossPredictHalves(subject, kCrossRows); });
}

constexpr Check kMemoryChecks[] = {
    {"cap-memory", CheckScope::kLearner, 4, true, "fit-smoke",
     "the size that a model reports is between half and twice of what the allocator gave",
     &CapMemory},
    {"cap-fit-memory", CheckScope::kLearner, 4, true, "oom",
     "a fit needs at most twice the memory that the learner declares before it starts",
     &CapFitMemory},
};

}  // namespace

std::span<const Check> MemoryChecks() { return kMemoryChecks; }

}  // namespace crossfold::check
