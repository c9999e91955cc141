// Checks of the laws of memory and fit-memory: what learners say about the size of models and fits.
#include <malloc.h>

#include <string>

#include "check/check_context.h"
#include "check/check_list.h"
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

Declared AskFitMemory(const Subject& subject) {
  const Spec& spec = *subject.spec;
  const auto* table = spec.component().capability<cf_cap_fit_memory>(CF_CAP_FIT_MEMORY);
  const cf_shape shape =
      ShapeOf(subject.data->features(), subject.all.num_rows(), subject.data->num_classes());
  Declared declared;
  declared.reply = ProbeCall(spec, {}, [&](const cf_call* call) {
    return table->fit_bytes(call, spec.args().data(), spec.args().size(), &shape, &declared.bytes);
  });
  return declared;
}

// Fits with twice the declared memory. Returns how the fit ended; "" = it worked.
std::string FitWithin(const Subject& subject, std::uint64_t room) {
  constexpr int kMapped = 32 * 1024;  // larger blocks never come from what malloc has kept
  ::mallopt(M_MMAP_THRESHOLD, kMapped);
  Fit(*subject.spec, subject.train);  // what is made once is made before
  ::malloc_trim(0);
  Reply reply;
  {
    const MemoryLimit limit(room);
    reply = Fit(*subject.spec, subject.all).reply;
  }
  return reply.ok() ? "" : reply.Describe();
}

void CapFitMemory(CheckContext& context) {
  constexpr std::int64_t kManyRows = 10000;
  constexpr std::uint64_t kRounding = 128 * 1024;  // what the allocator takes at least
  constexpr double kSeconds = 10;
  const Component& component = context.component();
  if (component.capability<cf_cap_fit_memory>(CF_CAP_FIT_MEMORY) == nullptr) {
    context.Skip("it does not offer crossfold.fit-memory/1");
  }
  if ((component.process_flags & (CF_NOT_FORK_SAFE | CF_USES_OPENMP | CF_USES_THREADS)) != 0) {
    context.Skip("it cannot be fitted in a copy of the process");
  }
  if (!MemoryLimit::Works()) context.Skip("this process cannot limit its memory");
  const Subject subject = FirstUsable(context, kManyRows);
  const Declared declared = AskFitMemory(subject);
  if (!declared.reply.ok()) {
    context.Fail("fit_bytes " + subject.Where() + " ended with " + declared.reply.Describe());
    return;
  }
  const Forked forked = RunForked(
      [] { return std::string(); },
      [&](const std::string&) { return FitWithin(subject, 2 * declared.bytes + kRounding); },
      kSeconds);
  const std::string problem = forked.ended.empty() ? forked.text : forked.ended;
  if (problem.empty()) return;
  context.Warn("fit_bytes " + subject.Where() + " of " + std::to_string(kManyRows) + " rows says " +
               std::to_string(declared.bytes) + ", and a fit with twice that of " +
               "memory ended with " + problem);
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
