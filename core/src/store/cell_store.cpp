#include "crossfold/cell_store.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "data/worker_threads.h"
#include "store/schema.h"
#include "store/store_file.h"
#include "store/store_impl.h"

namespace crossfold {
namespace {

constexpr std::size_t kBatch = 1000;  // cells that a power cut may take
constexpr auto kInterval = std::chrono::seconds(1);
constexpr std::size_t kMostWaiting = 20 * kBatch;  // then workers wait for the disk

}  // namespace

CellStore::Impl::Impl(const std::filesystem::path& path, const StoreOptions& options)
    : path_(path),
      options_(options),
      warn_([this](const std::string& message) { Warn(message); }),
      db_(OpenStoreFile(path)),
      claims_(path) {
  definitions_ = std::make_unique<Definitions>(*db_);
  commit_ = std::make_unique<CellCommit>(*db_, warn_);
  TakeOverLogs(path_, [this](const std::vector<FinishedCell>& cells) { commit_->Write(cells); });
  if (options_.prediction_bytes != ~std::uint64_t{0}) {
    prediction_bytes_ =
        static_cast<std::uint64_t>(db_->Number("SELECT sum(length(prediction)) FROM cells"));
  }
  log_ = std::make_unique<CellLog>(path_);
  writer_ = StartThread("open store '" + path_.string() + "'", [this] { WriteInBackground(); });
}

CellStore::Impl::~Impl() {
  {
    const std::lock_guard lock(queue_mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  writer_.join();
  try {
    Flush();
    log_->Remove();
  } catch (const std::exception& e) {
    // The log stays, and is taken over by whoever opens the store next.
    Warn(e.what());
  }
}

void CellStore::Impl::Warn(const std::string& message) const {
  if (options_.log) options_.log(CF_LOG_WARN, message);
}

CellStore::Impl::Locked CellStore::Impl::Lock() {
  return {std::unique_lock(db_mutex_), *db_, *definitions_};
}

void CellStore::Impl::BeginRun(const RunRecord& run) {
  const Locked locked = Lock();
  Transaction transaction(*db_);
  const std::int64_t id = definitions_->AddRun(run);
  transaction.Commit();
  run_id_ = id;
}

void CellStore::Impl::FinishRun() {
  const Locked locked = Lock();
  Transaction transaction(*db_);
  Statement finish(*db_, "UPDATE runs SET finished = 1 WHERE id = ?1");
  finish.Bind(1, run_id_).Run();
  transaction.Commit();
}

std::int64_t CellStore::Impl::CurrentRun() {
  return run_id_ != 0 ? run_id_ : definitions_->AddRun(RunRecord());
}

void CellStore::Impl::SetRun(std::int64_t id) { run_id_ = id; }

void CellStore::Impl::Keep(FinishedCell cell) {
  const std::string record = PackLogRecord(cell);
  std::unique_lock lock(queue_mutex_);
  drained_.wait(lock, [this] { return waiting_.size() < kMostWaiting || failing_; });
  // A cell that the log does not take still waits for the tables.
  if (!log_->Append(record)) failing_ = true;
  waiting_.push_back(std::move(cell));
  const bool is_batch = waiting_.size() >= kBatch;
  lock.unlock();
  if (is_batch) wake_.notify_one();
}

bool CellStore::Impl::TakeRoom(std::size_t bytes) {
  if (options_.prediction_bytes == ~std::uint64_t{0}) return true;
  std::uint64_t taken = prediction_bytes_;
  while (bytes <= options_.prediction_bytes && taken <= options_.prediction_bytes - bytes) {
    if (prediction_bytes_.compare_exchange_weak(taken, taken + bytes)) return true;
  }
  return false;
}

void CellStore::Impl::Flush() {
  const std::lock_guard db_lock(db_mutex_);
  std::vector<FinishedCell> cells;
  {
    const std::lock_guard lock(queue_mutex_);
    cells = std::move(waiting_);
    waiting_.clear();
    log_->Turn();
  }
  try {
    commit_->Write(cells);
    if (!cells.empty()) claims_.GiveSign();
  } catch (...) {
    for (FinishedCell& cell : cells) cell.claim = nullptr;  // others may have more luck
    const std::lock_guard lock(queue_mutex_);
    cells.insert(cells.end(), std::make_move_iterator(waiting_.begin()),
                 std::make_move_iterator(waiting_.end()));
    waiting_ = std::move(cells);
    failing_ = true;
    drained_.notify_all();
    throw;
  }
  log_->DropTurned();  // workers append to the other file meanwhile
  const std::lock_guard lock(queue_mutex_);
  failing_ = false;
  drained_.notify_all();
}

void CellStore::Impl::FlushIfWaiting(const std::unordered_set<std::int64_t>& series) {
  {
    const std::lock_guard lock(queue_mutex_);
    const bool any = std::ranges::any_of(
        waiting_, [&](const FinishedCell& cell) { return series.contains(cell.series.id); });
    if (!any) return;
  }
  Flush();
}

void CellStore::Impl::RequireWritten() {
  {
    const std::lock_guard lock(queue_mutex_);
    if (!failing_) return;
  }
  Flush();
}

void CellStore::Impl::WriteInBackground() {
  std::unique_lock lock(queue_mutex_);
  while (!stop_) {
    // The first cell of a batch does not wake this thread; it looks every second.
    wake_.wait_for(lock, kInterval, [this] { return stop_ || waiting_.size() >= kBatch; });
    if (stop_ || waiting_.empty()) continue;
    lock.unlock();
    bool failed = false;
    try {
      Flush();
    } catch (const std::exception&) {  // told at the end of the run
      failed = true;
    }
    lock.lock();
    if (failed) wake_.wait_for(lock, kInterval, [this] { return stop_; });
  }
}

std::shared_ptr<CellStore> CellStore::Open(const std::filesystem::path& path,
                                           const StoreOptions& options) {
  return std::shared_ptr<CellStore>(new CellStore(std::make_unique<Impl>(path, options)));
}

CellStore::CellStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
CellStore::~CellStore() = default;

const std::filesystem::path& CellStore::path() const { return impl_->path(); }
void CellStore::BeginRun(const RunRecord& run) { impl_->BeginRun(run); }
void CellStore::FinishRun() { impl_->FinishRun(); }
void CellStore::Flush() { impl_->Flush(); }
CellStore::Counts CellStore::counts() const { return impl_->counts(); }

}  // namespace crossfold
