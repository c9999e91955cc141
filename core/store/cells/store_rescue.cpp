// What a store does if its file accepts no more cells or is gone.
#include <stdlib.h>
#include <unistd.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "store/cells/schema.h"
#include "store/cells/store_file.h"
#include "store/cells/store_impl.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;

std::string Counted(std::uint64_t n, const std::string& noun) {
  return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

// Makes a new folder, which stays; "" = it cannot be made.
fs::path MakeRescueFolder() {
  std::error_code failure;
  std::string pattern = fs::temp_directory_path(failure) / "crossfold-rescued-XXXXXX";
  return ::mkdtemp(pattern.data()) == nullptr ? "" : pattern;
}

// Null = it cannot be made there.
std::unique_ptr<Database> TryCopy(Database& from, const fs::path& to) {
  std::error_code ignored;
  if (fs::exists(to, ignored)) return nullptr;
  try {
    from.CopyTo(to);
    return OpenStoreFile(to);
  } catch (const Error&) {
    fs::remove(to, ignored);
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

void CellStore::Impl::WriteTo(std::unique_ptr<Database> db) {
  definitions_ = std::make_unique<Definitions>(*db);
  commit_ = std::make_unique<CellCommit>(*db, warn_);
  file_ = std::make_unique<WatchedFile>(RealPath(db->path()));
  db_ = std::move(db);
}

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
  const std::string place = fs::absolute(db_->path()).string();
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
  fs::path beside = file_->path();
  beside += "-rescued-" + std::to_string(::getpid());
  std::unique_ptr<Database> copy = TryCopy(*db_, beside);
  if (copy != nullptr) return copy;
  const fs::path folder = MakeRescueFolder();
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

}  // namespace crossfold
