#include "crossfold/cell_store.h"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "engine/data/worker_threads.h"
#include "store/cells/store_file.h"
#include "store/cells/store_impl.h"
#include "store/cells/stored_table.h"

namespace crossfold {
namespace {

constexpr std::size_t kBatch = 1000;  // cells that a power cut may take
constexpr auto kInterval = std::chrono::seconds(1);
constexpr std::size_t kMaxWaiting = 20 * kBatch;  // then workers wait for the disk

std::string Counted(std::uint64_t n, const std::string& noun) {
  return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

// Makes a new folder, which stays; "" = it cannot be made.
std::filesystem::path MakeRescueFolder() {
  std::error_code failure;
  std::string pattern = std::filesystem::temp_directory_path(failure) / "crossfold-rescued-XXXXXX";
  return ::mkdtemp(pattern.data()) == nullptr ? "" : pattern;
}

// Null = it cannot be made there.
std::unique_ptr<Database> TryCopy(Database& from, const std::filesystem::path& to) {
  std::error_code ignored;
  if (std::filesystem::exists(to, ignored)) return nullptr;
  try {
    from.CopyTo(to);
    return OpenStoreFile(to);
  } catch (const Error&) {
    std::filesystem::remove(to, ignored);
    return nullptr;
  }
}

// The size of the file according to SQLite; the maximum if that cannot be read.
std::int64_t NeededBytes(Database& db) {
  try {
    return db.num_bytes();
  } catch (const SqliteError&) {
    return std::numeric_limits<std::int64_t>::max();
  }
}

}  // namespace

CellStore::Impl::Impl(const std::filesystem::path& path, const StoreOptions& options)
    : path_(path), options_(options), warn_([this](const std::string& message) { Warn(message); }) {
  WriteTo(OpenStoreFile(path, options.for_runs));
  claims_ = std::make_unique<ClaimsFile>(path_);
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
    const std::lock_guard lock(db_mutex_);
    const bool is_discarded = IsDiscarded();
    if (!is_discarded && run_id_ != 0 && !run_is_closed_) CloseRun(false);
    log_->Remove();
    if (!is_discarded) return;
    file_->RemoveCompanions();
    Warn("store '" + path_.string() + "' was removed after its last cell");
  } catch (const std::exception&) {
    // It was reported. The log stays, and the next process that opens the store adds its cells.
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
  if (run_id_ != 0 && !run_is_closed_) CloseRun(false);
  Transaction transaction(*db_);
  const std::int64_t id = definitions_->AddRun(run);
  transaction.Commit();
  SetRun(id);
}

void CellStore::Impl::FinishRun() {
  const Locked locked = Lock();
  CloseRun(true);
}

void CellStore::Impl::CloseRun(bool finished) {
  Transaction transaction(*db_);
  if (finished) {
    Statement(*db_, "UPDATE runs SET finished = 1 WHERE id = ?1 AND " + IsWhole(kRunTable), run_id_)
        .Run();
    if (db_->changes() == 1) Reseal(*db_, kRunTable, run_id_);
  }
  Statement(*db_, "UPDATE runs SET total = " + RunTotal() + " WHERE id = ?1", run_id_).Run();
  transaction.Commit();
  run_is_closed_ = true;
}

bool CellStore::Impl::Change(const TableChange& change) {
  const std::lock_guard lock(db_mutex_);
  try {
    CheckFile();
    Transaction transaction(*db_);
    const std::int64_t run = CurrentRun();
    change(*db_, *definitions_, run);
    transaction.Commit();
    SetRun(run);
    return true;
  } catch (const SqliteError& e) {
    definitions_->Forget();
    const bool any_kept = found_ + computed_ > 0;
    if (any_kept) NoteFailure(e.what());
    if (!any_kept || stops()) throw;
    return false;
  } catch (...) {
    definitions_->Forget();
    throw;
  }
}

std::int64_t CellStore::Impl::CurrentRun() {
  if (run_id_ == 0) return definitions_->AddRun(RunRecord());
  if (run_is_closed_) {
    Statement(*db_, "UPDATE runs SET total = NULL WHERE id = ?1", run_id_).Run();
  }
  return run_id_;
}

void CellStore::Impl::SetRun(std::int64_t id) {
  run_id_ = id;
  run_is_closed_ = false;
}

void CellStore::Impl::Keep(FinishedCell cell) {
  const std::string record = PackLogRecord(cell);
  std::unique_lock lock(queue_mutex_);
  drained_.wait(lock, [this] { return waiting_.size() < kMaxWaiting || failing_; });
  // A cell that the log does not take still waits for the tables.
  const bool is_logged = log_->Append(record);
  const std::string reason = is_logged ? "" : std::generic_category().message(errno);
  if (!is_logged) ++unlogged_;
  waiting_.push_back(std::move(cell));
  clock_gettime(CLOCK_REALTIME_COARSE, &last_kept_);
  const bool is_batch = waiting_.size() >= kBatch;
  lock.unlock();
  if (!is_logged) {
    NoteFailure("cannot write to the log of store '" + path_.string() + "': " + reason +
                "; make room on the disk");
  }
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
  // Only another cell shows that it was not on purpose.
  if (IsDiscarded()) return;
  std::vector<FinishedCell> cells;
  std::size_t unlogged = 0;
  try {
    CheckFile();
    {
      const std::lock_guard lock(queue_mutex_);
      cells = std::exchange(waiting_, {});
      unlogged = std::exchange(unlogged_, 0);
      log_->Turn();
    }
    commit_->Write(cells);
    if (!cells.empty()) claims_->GiveSign();
  } catch (const std::exception& e) {
    for (FinishedCell& cell : cells) cell.claim = nullptr;  // others may be able to store them
    {
      const std::lock_guard lock(queue_mutex_);
      cells.insert(cells.end(), std::make_move_iterator(waiting_.begin()),
                   std::make_move_iterator(waiting_.end()));
      waiting_ = std::move(cells);
      unlogged_ += unlogged;
    }
    NoteFailure(e.what());
    throw;
  }
  log_->DropTurned();  // workers append to the other file meanwhile
  if (left_log_) left_log_->Remove();
  left_log_.reset();
  if (!cells.empty()) NoteSuccess();
}

void CellStore::Impl::TryFlush() {
  try {
    Flush();
  } catch (const std::exception&) {  // noted
  }
}

void CellStore::Impl::FlushIfWaiting(const std::unordered_set<std::int64_t>& series) {
  {
    const std::lock_guard lock(queue_mutex_);
    const bool any = std::ranges::any_of(
        waiting_, [&](const FinishedCell& cell) { return series.contains(cell.series.id); });
    if (!any) return;
  }
  TryFlush();
}

void CellStore::Impl::Settle(bool doubtful) {
  {
    const std::lock_guard lock(queue_mutex_);
    doubtful = doubtful || failing_;
  }
  if (doubtful) TryFlush();
  if (!stops()) return;
  const std::lock_guard lock(queue_mutex_);
  throw Error(ErrorKind::kIo, "stopped, because the store accepts no cells: " +
                                  (failure_.empty() ? rescue_ : failure_));
}

void CellStore::Impl::WriteInBackground() {
  std::unique_lock lock(queue_mutex_);
  while (!stop_) {
    // The first cell of a batch does not wake this thread; it looks every second.
    wake_.wait_for(lock, kInterval, [this] { return stop_ || waiting_.size() >= kBatch; });
    if (stop_ || waiting_.empty()) continue;
    lock.unlock();
    TryFlush();
    lock.lock();
    if (failing_) wake_.wait_for(lock, kInterval, [this] { return stop_; });
  }
}

void CellStore::Impl::WriteTo(std::unique_ptr<Database> db) {
  definitions_ = std::make_unique<Definitions>(*db);
  commit_ = std::make_unique<CellCommit>(*db, warn_);
  file_ = std::make_unique<WatchedFile>(RealPath(db->path()));
  db_ = std::move(db);
}

// From here on: what a store does if its file accepts no more cells or is gone.
void CellStore::Impl::CheckFile() {
  if (is_gone_) throw SqliteError(ErrorKind::kIo, 0, loss_);
  const std::string loss = file_->FindLoss([this] { return NeededBytes(*db_); });
  if (!loss.empty()) Rescue(loss);
}

bool CellStore::Impl::IsDiscarded() {
  const std::lock_guard lock(queue_mutex_);
  return options_.may_be_removed && !is_gone_ && file_->WasRemovedAfter(last_kept_);
}

// The connection still has the rows of the file that was opened.
void CellStore::Impl::Rescue(const std::string& loss) {
  const std::string finding = "store '" + path_.string() + "' " + loss + " while it was used";
  std::unique_ptr<Database> copy = CopyElsewhere();
  if (copy == nullptr) {
    loss_ = finding + ", and its content cannot be copied; run the script again";
    is_gone_ = true;
    throw SqliteError(ErrorKind::kIo, 0, loss_);
  }
  db_->LeaveWriteAheadLog();
  file_->RemoveCompanions();
  commit_.reset();
  definitions_.reset();
  left_.push_back(std::move(db_));
  WriteTo(std::move(copy));
  const std::string place = std::filesystem::absolute(db_->path()).string();
  {
    const std::lock_guard lock(queue_mutex_);
    // Waiting cells are only in the old log, which stays until they are in the tables.
    left_log_ = std::exchange(log_, std::make_unique<CellLog>(db_->path()));
    rescue_ = finding + "; its content and all later cells are in '" + place +
              "'; move that file to where it belongs";
    has_failed_ = true;
  }
  if (options_.log) options_.log(CF_LOG_ERROR, rescue_);
}

std::unique_ptr<Database> CellStore::Impl::CopyElsewhere() const {
  std::filesystem::path beside = file_->path();
  beside += "-rescued-" + std::to_string(::getpid());
  std::unique_ptr<Database> copy = TryCopy(*db_, beside);
  if (copy != nullptr) return copy;
  const std::filesystem::path folder = MakeRescueFolder();
  return folder.empty() ? nullptr : TryCopy(*db_, folder / file_->path().filename());
}

void CellStore::Impl::NoteFailure(const std::string& reason) {
  bool is_first = false;
  {
    const std::lock_guard lock(queue_mutex_);
    is_first = !std::exchange(failing_, true);
    failure_ = reason;
    has_failed_ = true;
  }
  drained_.notify_all();
  if (!is_first || !options_.log) return;
  const char* then = options_.on_error == OnStoreError::kStop
                         ? " (the run stops)"
                         : " (cells still run and are delivered)";
  options_.log(CF_LOG_ERROR, reason + then);
}

void CellStore::Impl::NoteSuccess() {
  bool was_failing = false;
  {
    const std::lock_guard lock(queue_mutex_);
    was_failing = std::exchange(failing_, false);
  }
  drained_.notify_all();
  if (was_failing && options_.log) {
    options_.log(CF_LOG_WARN, "store '" + path_.string() + "' accepts cells again");
  }
}

std::string CellStore::Impl::problem() {
  const std::lock_guard lock(queue_mutex_);
  const std::uint64_t waiting = failing_ ? waiting_.size() : 0, lost = lost_cells_;
  const std::uint64_t cells = is_gone_ ? computed_.load() : waiting + lost, notes = lost_notes_;
  if (cells + notes == 0) return failing_ ? failure_ : rescue_;
  std::string text = rescue_.empty() ? "" : rescue_ + "; ";
  text += "store '" + path_.string() + "' lacks ";
  if (cells > 0) text += Counted(cells, "computed cell");
  if (notes > 0) text += (cells > 0 ? " and " : "") + Counted(notes, "note") + " of experiments";
  const std::uint64_t logged = waiting - (failing_ ? unlogged_ : 0);
  if (logged > 0 && !is_gone_) {
    text += " (the log next to it has " + std::to_string(logged) + " for the next run)";
  }
  return text + ": " + failure_;
}

std::optional<OnStoreError> OnStoreErrorNamed(std::string_view name) {
  if (name == "continue") return OnStoreError::kContinue;
  if (name == "stop") return OnStoreError::kStop;
  return std::nullopt;
}

std::shared_ptr<CellStore> CellStore::Open(const std::filesystem::path& path,
                                           const StoreOptions& options) {
  return std::shared_ptr<CellStore>(new CellStore(std::make_unique<Impl>(path, options)));
}

CellStore::CellStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
CellStore::~CellStore() = default;

void CellStore::BeginRun(const RunRecord& run) { impl_->BeginRun(run); }
void CellStore::FinishRun() {
  Flush();
  impl_->FinishRun();
}
void CellStore::Flush() {
  impl_->TryFlush();
  std::string problem = impl_->problem();
  if (!problem.empty()) throw Error(ErrorKind::kIo, problem);
}
std::string CellStore::problem() const { return impl_->problem(); }
CellStore::Counts CellStore::counts() const { return impl_->counts(); }

}  // namespace crossfold
