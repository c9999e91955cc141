#include "engine/run/memory_room.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "crossfold/error.h"
#include "crossfold/shared_work.h"
#include "engine/plan/kept_predictions.h"

namespace crossfold {
namespace {

std::uint64_t Room() {
  rlimit limit{};
  const std::uint64_t machine = 2 * DefaultSharedMemory();
  const bool is_limited = ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return is_limited ? std::min<std::uint64_t>(machine, limit.rlim_cur) : machine;
}

}  // namespace

void RequireRoom(std::span<const CellBlock> blocks) {
  const std::uint64_t bytes = PredictionBytes(blocks), room = Room();
  if (bytes <= room) return;
  std::int64_t classes = 0;
  for (const CellBlock& block : blocks) {
    if (block.keep != Keep::kProbabilities) continue;
    classes = std::max(classes, block.splits->view().data->num_classes());
  }
  throw Error(ErrorKind::kOutOfMemory,
              "cannot run the cells: the predictions that they keep" +
                  (classes > 0 ? ", of " + std::to_string(classes) + " classes," : "") + " take " +
                  std::to_string(bytes) + " bytes and the limit is " + std::to_string(room) +
                  "; use keep = \"labels\" or \"none\", or fewer learners, repeats or classes");
}

}  // namespace crossfold
