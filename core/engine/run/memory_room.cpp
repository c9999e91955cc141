#include "engine/run/memory_room.h"

#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "crossfold/error.h"
#include "engine/plan/kept_predictions.h"
#include "engine/plan/sharing.h"
#include "engine/plugin/fit_memory.h"
#include "engine/text/format_number.h"

namespace crossfold {
namespace {

constexpr std::uint64_t kSmallCell = std::uint64_t{64} << 20;  // bytes

std::uint64_t MachineRoom() {
  rlimit limit{};
  const std::uint64_t machine = 2 * DefaultSharedMemory();
  const bool is_limited = ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return is_limited ? std::min<std::uint64_t>(machine, limit.rlim_cur) : machine;
}

// Returns the anonymous memory that this process holds now, in bytes; 0 = not known.
std::uint64_t HeldBytes() {
  ::malloc_trim(0);  // what is free again does not count
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::uint64_t kilobytes = 0;
    if (word == "RssAnon:" && status >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}

// "9.1 GB".
std::string SizeText(std::uint64_t bytes) {
  const auto size = static_cast<double>(bytes);
  return size < 1e9 ? FormatFixed(size / 1e6, 0) + " MB" : FormatFixed(size / 1e9, 1) + " GB";
}

void RequireKept(std::span<const CellBlock> blocks, std::uint64_t kept, std::uint64_t room) {
  if (kept <= room) return;
  std::int64_t classes = 0;
  for (const CellBlock& block : blocks) {
    if (block.keep != Keep::kProbabilities) continue;
    classes = std::max(classes, block.splits->view().data->num_classes());
  }
  throw Error(ErrorKind::kOutOfMemory,
              "cannot run the cells: the predictions that they keep" +
                  (classes > 0 ? ", of " + std::to_string(classes) + " classes," : "") + " take " +
                  std::to_string(kept) + " bytes and the limit is " + std::to_string(room) +
                  "; use keep = \"labels\" or \"none\", or fewer learners, repeats or classes");
}

// The largest training and test set of a block.
struct Sizes {
  std::uint64_t train = 0, test = 0;
};

// What one cell needs at its peak: `fit` is what its pipeline holds while it is fitted.
struct Need {
  std::uint64_t fit = 0, all = 0;
};

Need NeedOf(const CellBlock& block, const Sizes& sizes, bool is_isolated) {
  constexpr std::uint64_t kEntry = sizeof(double);
  const Dataset& data = *block.splits->view().data;
  const auto k = static_cast<std::uint64_t>(data.num_classes());
  const std::uint64_t copy =
      sizes.train * static_cast<std::uint64_t>(std::max<std::int64_t>(data.num_features(), 1)) *
      kEntry;
  Need need;
  constexpr std::uint64_t kMost = std::uint64_t{1} << 62;  // sums of it do not overflow
  // A plugin of a worker process is not called in this one.
  std::optional<std::uint64_t> said;
  if (!is_isolated) {
    said = FitMemory(block.learner->learner(), data, static_cast<std::int64_t>(sizes.train));
  }
  need.fit = std::min(said.value_or(copy), kMost);
  // A transform makes all columns again, from those that the one before it made.
  if (!block.learner->transforms().empty()) need.fit += 2 * copy;
  const std::uint64_t ids = (sizes.train + sizes.test) * sizeof(std::int64_t);
  const std::uint64_t target = k > 0 ? sizeof(std::int32_t) : sizeof(double);
  const std::uint64_t shares = WantsProbabilities(block) ? k * kEntry : 0;
  // Row ids, predictions and the true target of the test rows.
  const std::uint64_t predicted = sizes.test * (sizeof(std::int64_t) + 2 * target + shares);
  const std::uint64_t gathered = (data.weights().empty() ? 0 : sizeof(double)) +
                                 (data.groups().empty() ? 0 : sizeof(std::int64_t));
  need.all = std::max(ids + need.fit + sizes.train * gathered, predicted + sizes.test * gathered);
  return need;
}

// Returns the sizes for the splits of the block; `tested` has those of all splits.
Sizes LargestOf(const CellBlock& block, const std::vector<std::int64_t>& tested) {
  const SplitPlan& plan = *block.splits;
  Sizes most;
  for (std::int64_t s = block.first; s < block.first + block.count; ++s) {
    const auto i = static_cast<std::size_t>(s);
    const auto test = static_cast<std::uint64_t>(tested[i]);
    const std::uint64_t train = plan.partitions().empty()
                                    ? plan.lists()[i].num_train()
                                    : static_cast<std::uint64_t>(plan.view().num_rows()) - test;
    most = {std::max(most.train, train), std::max(most.test, test)};
  }
  return most;
}

[[noreturn]] void RefuseFit(const CellBlock& block, const Sizes& sizes, const Need& need,
                            std::uint64_t held, std::uint64_t room) {
  const Dataset& data = *block.splits->view().data;
  const CellPurpose* purpose = block.purpose.get();
  const std::string name =
      purpose != nullptr ? purpose->learner : ShortSpecText(block.learner->ToString());
  std::string finding = "it needs about " + SizeText(need.fit) + " to fit " +
                        std::to_string(sizes.train) + " rows of " +
                        std::to_string(data.num_features()) +
                        (data.num_features() == 1 ? " column" : " columns");
  const char* in_place = data.num_classes() > 0
                             ? "naive_bayes, one_r or decision_tree{growth=sliq}"
                             : "ridge or decision_tree{growth=sliq}";
  if (need.fit + held <= room) {
    finding += ", in addition to " + SizeText(need.all - std::min(need.all, need.fit)) +
               " of row ids and predictions and " + SizeText(held) +
               " that the process and the predictions that are kept take";
  }
  throw Error(ErrorKind::kOutOfMemory,
              "cannot evaluate '" + name + "' on '" + data.name() + "': " + finding +
                  ", and the memory of the run is " + SizeText(room) +
                  "; raise it (--memory), use fewer rows, or a learner that reads its rows in "
                  "place, such as " +
                  in_place);
}

}  // namespace

MemoryRoom::MemoryRoom(std::span<const CellBlock> blocks, const SharedWork& shared,
                       std::uint64_t kept, std::span<const Isolation> modes) {
  const std::uint64_t limit = shared.run_memory();
  RequireKept(blocks, kept, limit == 0 ? MachineRoom() : std::max(limit, kSmallCell));
  if (limit == 0) return;
  const std::uint64_t held = HeldBytes() + kept;
  left_ = limit - std::min(limit, held);
  std::map<const SplitPlan*, std::vector<std::int64_t>> tested;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const CellBlock& block = blocks[b];
    std::vector<std::int64_t>& sizes = tested[block.splits.get()];
    if (sizes.empty()) sizes = TestSizes(*block.splits);
    const Sizes most = LargestOf(block, sizes);
    const Need need = NeedOf(block, most, !modes.empty() && modes[b] != Isolation::kNone);
    if (need.all <= kSmallCell) continue;
    if (need.all > left_) RefuseFit(block, most, need, held, limit);
    cell_ = std::max(cell_, need.all);
  }
}

int MemoryRoom::Bound(int workers) const {
  if (cell_ == 0) return workers;
  const auto fitting = static_cast<int>(
      std::min<std::uint64_t>(left_ / cell_, static_cast<std::uint64_t>(std::max(workers, 1))));
  return std::max(fitting, 1);
}

}  // namespace crossfold
