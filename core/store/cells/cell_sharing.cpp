#include "store/cells/cell_sharing.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <unordered_set>
#include <utility>

namespace crossfold {
namespace {

// Pauses get longer.
class Backoff {
 public:
  void Wait() {
    std::this_thread::sleep_for(pause_);
    waited_ += pause_;
    pause_ = std::min(2 * pause_, std::chrono::milliseconds(50));
  }
  bool IsLong() const { return waited_ > std::chrono::seconds(10); }

 private:
  std::chrono::milliseconds pause_{1}, waited_{0};
};

void AddTo(std::vector<CellRange>& ranges, std::int64_t series, std::int64_t fold) {
  const bool continues = !ranges.empty() && ranges.back().series == series &&
                         ranges.back().first + ranges.back().count == fold;
  if (!continues) ranges.push_back({series, fold, 0});
  ++ranges.back().count;
}

}  // namespace

void CellSharing::BeginRound(std::size_t n) {
  claims_.assign(n, nullptr);
  postponed_.assign(n, 0);
}

bool CellSharing::Claim(std::span<const std::size_t> cells, const CellAt& at) {
  std::vector<CellRange> wanted, unseen;
  for (const std::size_t i : cells) {
    if (claims_[i] != nullptr) continue;
    const LackingCell cell = at(i);
    AddTo(wanted, cell.series, cell.fold);
    if (!cell.is_replaced) AddTo(unseen, cell.series, cell.fold);
  }
  const std::shared_ptr<const CellClaim> claim = claimer_.TryTake(std::move(wanted));
  const bool is_mine = claim != nullptr && !IsAnyStored(unseen);
  for (const std::size_t i : cells) {
    if (is_mine && claims_[i] == nullptr) claims_[i] = claim;
    if (!is_mine) postponed_[i] = 1;
  }
  return is_mine;
}

std::shared_ptr<const CellClaim> CellSharing::TakeClaim(std::size_t i) {
  return std::exchange(claims_[i], nullptr);
}

void CellSharing::EndRound() {
  if (store_.claims().signs_of_others() > signs_) store_.TryFlush();  // others wait for it
  claims_.clear();
}

std::vector<std::size_t> CellSharing::Postponed() const {
  std::vector<std::size_t> cells;
  for (std::size_t i = 0; i < postponed_.size(); ++i) {
    if (postponed_[i] != 0) cells.push_back(i);
  }
  return cells;
}

void CellSharing::WaitFor(std::span<const LackingCell> cells, const CancelToken& stop) {
  store_.claims().GiveSign();
  std::unordered_set<std::int64_t> series;
  for (const LackingCell& cell : cells) series.insert(cell.series);
  const auto is_free = [this](const LackingCell& cell) {
    return claimer_.TryTake({{cell.series, cell.fold, 1}}) != nullptr;
  };
  Backoff backoff;
  while (!stop.cancelled() && store_.claims().signs_of_others() == signs_ &&
         std::ranges::none_of(cells, is_free)) {
    backoff.Wait();
    if (backoff.IsLong()) NoteWaiting(cells.size());
    store_.FlushIfWaiting(series);  // of another run of this process
  }
}

// Whether others have stored one of these since they were looked for. If that cannot be read, it is
// computed twice, which changes no result.
bool CellSharing::IsAnyStored(std::span<const CellRange> ranges) {
  return store_.claims().signs_of_others() != signs_ && stored_.HasAny(ranges);
}

void CellSharing::NoteWaiting(std::size_t n_cells) {
  if (std::exchange(noted_waiting_, true)) return;
  store_.Warn("this run waits for " + std::to_string(n_cells) + " cells of store '" +
              store_.path().string() + "' that another process computes");
}

}  // namespace crossfold
