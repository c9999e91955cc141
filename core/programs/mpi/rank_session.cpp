#include "programs/mpi/rank_session.h"

#include <fenv.h>

#include <algorithm>
#include <clocale>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "crossfold/cancel_token.h"
#include "crossfold/error.h"
#include "crossfold/isolation.h"
#include "crossfold/run_engine.h"
#include "crossfold/signal_stack.h"
#include "crossfold/version.h"
#include "encoding/dataset_image.h"
#include "encoding/outcome_fields.h"
#include "isolate/cell_definitions.h"

namespace crossfold::mpi {
namespace {

constexpr std::chrono::microseconds kLongestSessionWait(1000);
// The time for running cells to end when the program is over.
constexpr std::chrono::seconds kEnding(1);

std::string HostName() {
  char name[MPI_MAX_PROCESSOR_NAME + 1] = {};
  int length = 0;
  MPI_Get_processor_name(name, &length);
  return std::string(name, static_cast<std::size_t>(length));
}

// What the items of one run have in common.
struct RunOfItems {
  WorkerSettings settings;
  CancelToken cancel;
  std::shared_ptr<SharedWork> shared;
  std::shared_ptr<WorkerProcesses> processes;
};

struct Item {
  std::uint64_t number = 0;
  std::shared_ptr<RunOfItems> run;
  std::vector<CellBlock> blocks;
};

class RankSession {
 public:
  RankSession(RankChannel& channel, int cores) : channel_(channel), cores_(cores) {}
  ~RankSession() {
    for (std::thread& thread : threads_) thread.join();
  }
  RankSession(const RankSession&) = delete;
  RankSession& operator=(const RankSession&) = delete;

  void Serve() {
    FieldWriter ready;
    ready.Text(Version());
    ready.Text(HostName());
    ready.Number(std::int32_t{cores_});
    Say(MessageType::kReady, ready.bytes());
    Patience patience(kLongestSessionWait);
    for (;;) {
      const bool said = SendWhatWasSaid();
      const auto received = channel_.Receive();
      if (received && received->frame.type == MessageType::kQuit) return;
      if (received) {
        FieldReader fields(received->frame.body);
        Handle(received->frame.type, fields);
      }
      if (said || received) {
        patience.Reset();
      } else {
        patience.Wait();
      }
    }
  }

  // Whether the threads have ended, or are about to. False = a cell runs and does not ask whether
  // to stop, so this object must never be destroyed.
  bool EndThreads() {
    std::unique_lock lock(mutex_);
    over_ = true;
    if (run_ != nullptr) run_->cancel.Cancel();
    changed_.notify_all();
    resized_.notify_all();
    return idle_.wait_for(lock, kEnding, [this] { return n_busy_ == 0; });
  }

 private:
  void Handle(MessageType type, FieldReader& fields) {
    switch (type) {
      case MessageType::kSettings:
        return Begin(fields);
      case MessageType::kDataset:
        return TakeDataset(fields);
      case MessageType::kBroadcast:
        return TakeBroadcast(fields);
      case MessageType::kItem:
        return TakeItem(fields);
      case MessageType::kCancelRun:
        if (run_ != nullptr) run_->cancel.Cancel();
        return;
      case MessageType::kEndRun:
        return definitions_.Forget();
      default:
        definitions_.Define(type, fields);
    }
  }

  void Begin(FieldReader& fields) {
    const auto workers = fields.Number<std::int32_t>();
    auto run = std::make_shared<RunOfItems>();
    run->settings = ReadSettings(fields);
    definitions_.set_locked(run->settings.locked);
    const std::uint64_t asked = run->settings.shared_memory;
    const std::uint64_t memory = asked == 0 ? DefaultSharedMemory() : asked;
    run->shared = run_ != nullptr && run_->shared->memory() == memory
                      ? run_->shared
                      : std::make_shared<SharedWork>(memory);
    IsolationOptions isolation;
    isolation.limits = run->settings.limits;
    const bool goes_on = run_ != nullptr && run_->settings.limits == isolation.limits;
    run->processes = goes_on ? run_->processes : std::make_shared<WorkerProcesses>(isolation);
    std::setlocale(LC_ALL, run->settings.locale.c_str());
    run_ = std::move(run);
    const std::lock_guard lock(mutex_);
    workers_ = workers;
    changed_.notify_all();
    resized_.notify_all();
    try {
      while (static_cast<int>(threads_.size()) < workers) {
        threads_.emplace_back([this, i = static_cast<int>(threads_.size())] { WorkOn(i); });
      }
    } catch (const std::system_error&) {
      if (threads_.empty()) throw;  // fewer threads suffice
    }
  }

  void TakeDataset(FieldReader& fields) {
    const auto number = fields.Number<std::uint64_t>();
    const auto size = static_cast<std::size_t>(fields.Number<std::uint64_t>());
    const std::shared_ptr<char[]> bytes(new char[size]);
    channel_.Broadcast(bytes.get(), size);
    definitions_.SetDataset(number, ReadDatasetImage({bytes.get(), size}, bytes));
  }

  void TakeBroadcast(FieldReader& fields) {
    const auto type = static_cast<MessageType>(fields.Number<std::uint8_t>());
    std::string body(static_cast<std::size_t>(fields.Number<std::uint64_t>()), '\0');
    channel_.Broadcast(body.data(), body.size());
    FieldReader of_body(body);
    Handle(type, of_body);
  }

  // A definition that cannot be made here, such as a plugin with another file, is reported at once.
  void TakeItem(FieldReader& fields) {
    Item item;
    item.number = fields.Number<std::uint64_t>();
    const auto isolation = static_cast<Isolation>(fields.Number<std::uint8_t>());
    for (const ItemBlock& block : ReadItem(fields)) {
      const std::string problem = definitions_.AddBlock(block, item.blocks);
      if (!problem.empty()) {
        Refuse(item.number, problem);
        return FinishItem(item.number, 0);
      }
      item.blocks.back().isolation = isolation;
    }
    item.run = run_;
    {
      const std::lock_guard lock(mutex_);
      items_.push_back(std::move(item));
    }
    changed_.notify_one();
  }

  // Thread `place`; those beyond the number of workers of this run wait.
  void WorkOn(int place) {
    const SignalStack stack;
    for (;;) {
      std::unique_lock lock(mutex_);
      while (!over_ && (place >= workers_ || items_.empty())) {
        (place < workers_ ? changed_ : resized_).wait(lock);
      }
      if (over_) return;
      const Item item = std::move(items_.front());
      items_.pop_front();
      ++n_busy_;
      lock.unlock();
      const auto start = std::chrono::steady_clock::now();
      try {
        if (!item.run->cancel.cancelled()) Run(item);
      } catch (const std::bad_alloc&) {
        Refuse(item.number, "out of memory");
      } catch (const std::exception& e) {
        Refuse(item.number, e.what());
      }
      const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
      FinishItem(item.number, taken.count());
      lock.lock();
      if (--n_busy_ == 0) idle_.notify_all();
    }
  }

  void Run(const Item& item) {
    const WorkerSettings& settings = item.run->settings;
    fesetenv(&settings.floating_point);
    RunOptions options;
    options.workers = 1;
    options.cancel = &item.run->cancel;
    options.share = settings.share;
    options.verify = settings.verify;
    options.shared = item.run->shared;
    options.log = [this](std::int32_t level, const std::string& line) {
      FieldWriter fields;
      fields.Number(level);
      fields.Text(line);
      Say(MessageType::kLog, fields.bytes());
    };
    const auto take = [&](std::size_t i, Outcome&& outcome) {
      if (outcome.status == OutcomeStatus::kCancelled) return;
      FieldWriter fields;
      fields.Number(item.number);
      fields.Number(static_cast<std::uint64_t>(i));
      WriteOutcome(outcome, fields);
      Say(MessageType::kOutcome, fields.bytes());
    };
    const bool is_isolated = item.blocks.front().isolation != Isolation::kNone;
    // Rank 0 tries cells again.
    MakeEngine({.workers = is_isolated ? item.run->processes : nullptr, .retry = {.retries = 0}})(
        item.blocks, options, take);
  }

  void Refuse(std::uint64_t number, const std::string& problem) {
    FieldWriter fields;
    fields.Number(number);
    fields.Text(problem);
    Say(MessageType::kRefusal, fields.bytes());
  }

  void FinishItem(std::uint64_t number, double seconds) {
    FieldWriter fields;
    fields.Number(number);
    fields.Number(seconds);
    Say(MessageType::kItemDone, fields.bytes());
  }

  // May be called on any thread.
  void Say(MessageType type, std::string_view body) {
    const std::lock_guard lock(saying_);
    AppendFrame(type, body, said_);
  }

  bool SendWhatWasSaid() {
    std::string frames;
    {
      const std::lock_guard lock(saying_);
      frames.swap(said_);
    }
    if (frames.empty()) return false;
    channel_.Send(0, std::move(frames));
    return true;
  }

  RankChannel& channel_;
  const int cores_;
  CellDefinitions definitions_;
  std::shared_ptr<RunOfItems> run_;
  std::mutex mutex_;
  std::condition_variable changed_, resized_;  // for the threads of this run, and for the others
  std::condition_variable idle_;
  std::deque<Item> items_;
  int workers_ = 0, n_busy_ = 0;
  bool over_ = false;
  std::vector<std::thread> threads_;
  std::mutex saying_;
  std::string said_;  // frames for rank 0
};

}  // namespace

bool ServeRank(RankChannel& channel, int cores) {
  auto session = std::make_unique<RankSession>(channel, cores);
  try {
    session->Serve();
  } catch (...) {
    static_cast<void>(session.release());  // its threads use it, perhaps for ever
    throw;
  }
  const bool has_ended = session->EndThreads();
  channel.Leave();
  if (!has_ended) static_cast<void>(session.release());
  return has_ended;
}

}  // namespace crossfold::mpi
