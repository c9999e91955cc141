#include <algorithm>
#include <clocale>
#include <cmath>
#include <csignal>
#include <deque>
#include <exception>
#include <limits>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/score.h"
#include "data/worker_threads.h"
#include "isolate/failure_text.h"
#include "isolate/job_list.h"
#include "isolate/numbered.h"
#include "isolate/outcome_check.h"
#include "isolate/worker_pool.h"
#include "plan/sharing.h"
#include "plan/split_fields.h"
#include "plugin/foreign_text.h"
#include "plugin/spec_fields.h"
#include "run/memory_room.h"
#include "run/missing_workers.h"
#include "run/outcome_fields.h"

namespace crossfold {
namespace {

using Clock = WorkerProcess::Clock;

// So long does a cancellation go unseen.
constexpr std::chrono::milliseconds kCancelPoll(50);
constexpr std::chrono::seconds kPreparationTime(60);
// Threads that have nothing more to do are gone then.
constexpr std::chrono::milliseconds kRest(50);

// So many items, and so much work, wait in a process at most.
constexpr double kMostWaiting = 128;
constexpr double kWaitingSeconds = 0.005;

bool HasLimits(const CellLimits& limits) {
  return limits.seconds > 0 || limits.cpu_seconds > 0 || limits.memory > 0;
}

bool WantsProcess(const std::shared_ptr<const Spec>& spec) {
  const Component& component = spec->component();
  return !component.plugin->bundled.load() ||
         (component.process_flags & CF_WANTS_CHILD_PROCESS) != 0;
}

// What all threads of a run share.
class IsolatedRun {
 public:
  IsolatedRun(WorkerProcesses::Impl& pool, std::span<const CellBlock> blocks,
              const RunOptions& options, const TakeOutcome& take)
      : pool_(pool), blocks_(blocks), options_(options), take_(take) {
    RequireRoom(blocks);
    workers_ = options.workers > 0 ? options.workers : DefaultWorkers();
    std::size_t cells = 0;
    modes_ = ChooseModes();
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const CellBlock& block = blocks[b];
      first_cell_.push_back(cells);
      cells += static_cast<std::size_t>(block.count);
      if (modes_[b] == Isolation::kNone) continue;
      splits_.Add(block.splits);
      learners_.Add(block.learner);
      metrics_.Add(block.metrics);
      is_locked_ = is_locked_ || IsLocked(block.learner->steps()) ||
                   (block.metrics != nullptr && IsLocked(*block.metrics));
    }
  }

  void Run() {
    RunHere();
    AddFreshJobs();
    AddWorkerJobs();
    if (jobs_.size() == 0) return;
    MakeSettings();
    const std::size_t n = std::min(static_cast<std::size_t>(workers_), jobs_.size());
    const int seats = CallOnThreads(static_cast<int>(n), [this] { WorkOn(); });
    if (IsShort()) {  // what the other seats took is given back by now
      std::this_thread::sleep_for(kRest);
      WorkOn();
    }
    if (failure_) std::rethrow_exception(failure_);
    if (IsShort()) std::rethrow_exception(shortage_);
    if (options_.shared == nullptr) return;
    LogMissingWorkers(*options_.shared, options_.log, n, std::max(seats - n_without_, 1),
                      "threads or processes");
  }

 private:
  friend class Seat;

  // Where the cells of each block run. Those that need no process do without if there can be none.
  std::vector<Isolation> ChooseModes() {
    const CellLimits& limits = pool_.options.limits;
    std::vector<Isolation> modes;
    std::optional<bool> has_processes;
    for (const CellBlock& block : blocks_) {
      Isolation mode = IsolationOf(block, limits);
      if (block.isolation == Isolation::kAuto && mode != Isolation::kNone && !HasLimits(limits)) {
        if (!has_processes) has_processes = HasProcesses(block);
        if (!*has_processes) mode = Isolation::kNone;
      }
      modes.push_back(mode);
    }
    return modes;
  }

  // The log tells once why there are none.
  bool HasProcesses(const CellBlock& block) {
    try {
      pool_.Release(pool_.Acquire());
      return true;
    } catch (const Error& e) {
      if (!pool_.told.exchange(true) && options_.log) {
        options_.log(CF_LOG_WARN, "cells of '" + block.learner->ToString() +
                                      "' run in this process, which ends if a plugin crashes: " +
                                      e.what() + ", or set isolate = \"none\"");
      }
      return false;
    }
  }

  // Whether the program uses one of the plugins under a lock.
  static bool IsLocked(std::span<const std::shared_ptr<const Spec>> specs) {
    return std::any_of(specs.begin(), specs.end(), [](const std::shared_ptr<const Spec>& spec) {
      return spec->component().plugin->locked.load();
    });
  }

  std::vector<std::uint32_t> BlocksWith(Isolation isolation) const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
      if (modes_[b] == isolation) found.push_back(b);
    }
    return found;
  }

  // Also by index over all blocks, of cell i of some of them.
  std::vector<CellBlock> Select(const std::vector<std::uint32_t>& chosen) const {
    std::vector<CellBlock> selected;
    for (const std::uint32_t b : chosen) selected.push_back(blocks_[b]);
    return selected;
  }

  // The blocks that ask for no process of their own.
  void RunHere() {
    const std::vector<std::uint32_t> chosen = BlocksWith(Isolation::kNone);
    if (chosen.empty()) return;
    const std::vector<CellBlock> here = Select(chosen);
    std::vector<std::size_t> first;  // cell of each chosen block, and the end
    first.push_back(0);
    for (const CellBlock& block : here) {
      first.push_back(first.back() + static_cast<std::size_t>(block.count));
    }
    const auto index_of = [&](std::size_t i) {
      const auto after = std::upper_bound(first.begin(), first.end(), i);
      const auto place = static_cast<std::size_t>(after - first.begin()) - 1;
      return first_cell_[chosen[place]] + (i - first[place]);
    };
    RunOptions options = options_;
    if (options.on_finished) {
      options.on_finished = [&](std::size_t i, Outcome& outcome) {
        options_.on_finished(index_of(i), outcome);
      };
    }
    if (options.claim) {
      options.claim = [&](std::span<const std::size_t> cells) {
        std::vector<std::size_t> indexes;
        for (const std::size_t i : cells) indexes.push_back(index_of(i));
        return options_.claim(indexes);
      };
    }
    RunAndScore(here, options,
                [&](std::size_t i, Outcome&& outcome) { take_(index_of(i), std::move(outcome)); });
  }

  void AddFreshJobs() {
    for (const std::uint32_t b : BlocksWith(Isolation::kFresh)) {
      for (std::int64_t i = 0; i < blocks_[b].count; ++i) {
        jobs_.Add({{b}, blocks_[b].first + i, 1, true, true});
      }
    }
  }

  // The items that RunAndScore would work on, in its order.
  void AddWorkerJobs() {
    const std::vector<std::uint32_t> chosen = BlocksWith(Isolation::kWorker);
    const std::vector<CellBlock> blocks = Select(chosen);
    WorkList list = PlanWork(blocks, {options_.share, workers_});
    std::stable_sort(list.items.begin(), list.items.end(),
                     [](const WorkItem& a, const WorkItem& b) { return a.cost > b.cost; });
    for (const WorkItem& item : list.items) {
      Job job{{}, item.split, item.n_splits, false};
      for (const std::uint32_t b : list.BlocksOf(item)) job.blocks.push_back(chosen[b]);
      jobs_.Add(std::move(job));
    }
  }

  void MakeSettings() {
    WorkerSettings settings;
    settings.share = options_.share;
    settings.verify = options_.verify;
    settings.locked = is_locked_;
    const std::uint64_t memory =
        options_.shared ? options_.shared->memory() : DefaultSharedMemory();
    settings.shared_memory =
        std::max<std::uint64_t>(memory / static_cast<std::uint64_t>(workers_), 1);
    settings.limits = pool_.options.limits;
    settings.locale = std::setlocale(LC_ALL, nullptr);
    fegetenv(&settings.floating_point);
    FieldWriter fields;
    WriteSettings(settings, fields);
    settings_ = fields.Take();
  }

  bool cancelled() const { return options_.cancel != nullptr && options_.cancel->cancelled(); }

  void WorkOn() noexcept;

  bool Claim(const Job& job) const {
    if (!options_.claim) return true;
    std::vector<std::size_t> cells;
    for (std::size_t place = 0; place < job.num_cells(); ++place) {
      cells.push_back(IndexOf(job.block_of(place), job.split_of(place)));
    }
    return options_.claim(cells);
  }

  std::size_t IndexOf(std::uint32_t b, std::int64_t split) const {
    return first_cell_[b] + static_cast<std::size_t>(split - blocks_[b].first);
  }

  // Whether all seats were left because none got a process. REQUIRES: no thread is in WorkOn.
  bool IsShort() const { return shortage_ && jobs_.size() > 0 && !failure_ && !cancelled(); }

  // One seat fewer: the others do the job, if there are any. REQUIRES: an exception is handled.
  void GiveBack(Job job) {
    {
      const std::lock_guard lock(failing_);
      shortage_ = std::current_exception();
      ++n_without_;
    }
    jobs_.Finish({std::move(job)});
  }

  void Deliver(std::uint32_t b, std::int64_t split, Outcome&& outcome) {
    const std::size_t index = IndexOf(b, split);
    if (options_.on_finished) {
      try {
        options_.on_finished(index, outcome);
      } catch (const std::bad_alloc&) {
        FailFinished(outcome, CF_E_OUT_OF_MEMORY, "out of memory");
      } catch (const std::exception& e) {
        FailFinished(outcome, CF_E_INTERNAL, e.what());
      } catch (...) {
        FailFinished(outcome, CF_E_INTERNAL, "unknown C++ exception");
      }
    }
    take_(index, std::move(outcome));
  }

  static void FailFinished(Outcome& outcome, cf_status code, const char* message) {
    outcome.status = OutcomeStatus::kFailed;
    outcome.failure = {"on_finished", code, message};
    outcome.prediction = Prediction();
    outcome.scores.clear();
  }

  WorkerProcesses::Impl& pool_;
  std::span<const CellBlock> blocks_;
  const RunOptions& options_;
  const TakeOutcome& take_;
  int workers_ = 1;
  bool is_locked_ = false;
  std::vector<Isolation> modes_;         // of each block, not kAuto
  std::vector<std::size_t> first_cell_;  // of each block
  Numbered<SplitPlan> splits_;
  Numbered<Pipeline> learners_;
  Numbered<MetricList> metrics_;
  std::string settings_;  // packed
  JobList jobs_;
  OutcomeCheck check_;
  std::mutex failing_;
  std::exception_ptr failure_;
  std::exception_ptr shortage_;  // why seats have no process
  int n_without_ = 0;
};

// One thread of the program and the process that works for it.
class Seat {
 public:
  explicit Seat(IsolatedRun& run) : run_(run) {}
  ~Seat() {
    // A process with items that nobody waits for any more, as after an exception, is ended: its
    // answers would be taken for those of the next run.
    if (process_ == nullptr || !queue_.empty()) return;
    process_->Send(MessageType::kEndRun, "");
    run_.pool_.Release(std::move(process_));
  }
  Seat(const Seat&) = delete;
  Seat& operator=(const Seat&) = delete;

  // For the job. Throws Error if no process can be started.
  void TakeProcess(const Job& job) {
    if (job.fresh && process_ != nullptr && process_->items_served() > 0) {
      process_->Send(MessageType::kEndRun, "");
      run_.pool_.Release(std::move(process_));
    }
    if (process_ != nullptr && process_->items_served() >= kMostItems) process_ = nullptr;
    if (process_ != nullptr) return;
    process_ = job.fresh ? run_.pool_.Start() : run_.pool_.Acquire();
    process_->Send(MessageType::kSettings, run_.settings_);
    run_.pool_.ForgetGone(*process_);
    has_splits_.assign(run_.splits_.size() + 1, false);
    has_learner_.assign(run_.learners_.size() + 1, false);
    has_metrics_.assign(run_.metrics_.size() + 1, false);
  }

  // Does a job, and those that come to wait behind it. REQUIRES: TakeProcess was called for the
  // job.
  void Do(Job job) {
    const bool fresh = job.fresh;
    if (process_->items_served() > 0) process_->ForgetWritten();
    Give(std::move(job));
    std::optional<Loss> loss = Serve();
    if (loss || fresh) process_ = nullptr;
    if (!loss) return;
    std::vector<Job> left;
    if (!run_.cancelled()) left = WhatIsLeft(*loss);
    run_.jobs_.Finish(std::move(left), queue_.size());
    queue_.clear();
  }

 private:
  // Why a process cannot be used any more.
  struct Loss {
    std::string message;
    cf_status code = CF_E_INTERNAL;
    bool is_final = false;  // a second try in another process would tell nothing new
  };

  // A job that the process has.
  struct Given {
    Job job;
    bool used = false;          // others ran in the process before
    std::vector<bool> pending;  // cells without outcome
    std::size_t n_pending = 0;
  };

  // Jobs that are done one by one where several were given, and cells by themselves where a job has
  // several. A cell that ends a process in which others ran before has another try in a process of
  // its own, so that a cell fails by its own doing only.
  std::vector<Job> WhatIsLeft(const Loss& loss) {
    std::vector<Job> left;
    const bool is_only = queue_.size() == 1;
    for (Given& given : queue_) {
      Job& job = given.job;
      if (is_only && given.n_pending == 1 && (job.fresh || !given.used || loss.is_final)) {
        Fail(given, loss);
      } else if (!is_only && given.n_pending == given.pending.size()) {
        job.lone = true;
        left.push_back(std::move(job));
      } else {
        const bool fresh = is_only && given.n_pending == 1;
        for (std::size_t place = 0; place < given.pending.size(); ++place) {
          if (!given.pending[place]) continue;
          left.push_back({{job.block_of(place)}, job.split_of(place), 1, fresh, true});
        }
      }
    }
    return left;
  }

  const CellLimits& limits() const { return run_.pool_.options.limits; }

  // Puts the job into the queue of the process.
  void Give(Job job) {
    std::vector<ItemBlock> blocks;
    for (const std::uint32_t b : job.blocks) {
      const CellBlock& block = run_.blocks_[b];
      DefineFor(block);
      blocks.push_back({run_.learners_.number(block.learner), run_.splits_.number(block.splits),
                        run_.metrics_.number(block.metrics), job.split, job.n_splits, block.seed,
                        static_cast<std::uint8_t>(block.keep)});
    }
    FieldWriter fields;
    WriteItem(blocks, fields);
    const bool used = process_->items_served()++ > 0;
    const std::size_t n = job.num_cells();
    queue_.push_back({std::move(job), used, std::vector<bool>(n, true), n});
    process_->Send(MessageType::kItem, fields.bytes());
  }

  // While items are short, some wait in the process: it need not sleep between them. Limits are of
  // one cell, so that with them nothing waits.
  void FillQueue() {
    const Job& first = queue_.front().job;
    if (first.lone || HasLimits(limits())) return;
    const double most = std::min(kMostWaiting, kWaitingSeconds / item_seconds_);
    if (2.0 * static_cast<double>(queue_.size()) > most) return;
    while (static_cast<double>(queue_.size()) < most && process_->items_served() < kMostItems) {
      // No more than the others find, too: an item may take longer than those before it.
      std::optional<Job> job =
          run_.jobs_.TryTake(static_cast<std::size_t>(run_.workers_) * (queue_.size() + 1));
      if (!job) return;
      if (run_.Claim(*job)) {
        Give(std::move(*job));
      } else {
        run_.jobs_.Finish({});
      }
    }
  }

  // Sends what the process does not have yet.
  void DefineFor(const CellBlock& block) {
    const std::uint64_t splits = run_.splits_.number(block.splits);
    if (!Mark(has_splits_, splits)) {
      const SharedDataset data = run_.pool_.Share(block.splits->view().data);
      if (process_->datasets().insert(data.number).second) {
        FieldWriter fields;
        fields.Number(data.number);
        fields.Number(static_cast<std::uint64_t>(data.memory->size()));
        process_->Send(MessageType::kDataset, fields.bytes(), data.memory);
      }
      FieldWriter fields;
      fields.Number(splits);
      fields.Number(data.number);
      WriteSplits(*block.splits, fields);
      process_->Send(MessageType::kSplits, fields.bytes());
    }
    const std::uint64_t learner = run_.learners_.number(block.learner);
    if (!Mark(has_learner_, learner)) {
      SendSpecs(MessageType::kLearner, learner, block.learner->steps());
    }
    const std::uint64_t metrics = run_.metrics_.number(block.metrics);
    if (metrics != 0 && !Mark(has_metrics_, metrics)) {
      SendSpecs(MessageType::kMetrics, metrics, *block.metrics);
    }
  }

  // Whether it was marked already.
  static bool Mark(std::vector<bool>& marks, std::uint64_t number) {
    const auto place = static_cast<std::size_t>(number);
    const bool was = marks[place];
    marks[place] = true;
    return was;
  }

  void SendSpecs(MessageType type, std::uint64_t number,
                 std::span<const std::shared_ptr<const Spec>> specs) {
    FieldWriter fields;
    fields.Number(number);
    WriteSpecs(specs, fields);
    WriteLibraries(specs, fields);
    process_->Send(type, fields.bytes());
  }

  // Gets the outcomes of the queue. Returns why the process cannot be used any more, if so.
  std::optional<Loss> Serve() {
    try {
      // Until it has begun, the process gets data and loads plugins, which is not the cell's time.
      last_ = Clock::now() + kPreparationTime;
      has_begun_ = false;
      while (!queue_.empty()) {
        FillQueue();
        const auto frame = process_->Wait(NextLook());
        if (run_.cancelled()) return Loss{"cancelled"};
        if (!frame && process_->has_ended()) return EndOfProcess();
        if (frame) {
          if (auto loss = TakeMessage(*frame)) return loss;
        }
        if (!IsOverTime()) continue;
        process_->Kill();
        return Loss{DescribeTimeLimit(limits().seconds), CF_E_INTERNAL, true};
      }
      return std::nullopt;
    } catch (const plugin::Error&) {
      return Nonsense("bytes that are no message");
    }
  }

  Clock::time_point NextLook() const {
    Clock::time_point until = Clock::now() + std::chrono::seconds(60);
    if (run_.options_.cancel != nullptr) until = Clock::now() + kCancelPoll;
    if (limits().seconds > 0) until = std::min(until, OverTime());
    return until;
  }
  Clock::time_point OverTime() const {
    // A year is no limit, and would be too long for the clock's whole numbers beyond some hundred.
    const double bounded = std::min(limits().seconds, 3e7);
    return last_ +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(bounded));
  }
  bool IsOverTime() const { return limits().seconds > 0 && Clock::now() >= OverTime(); }

  Loss EndOfProcess() {
    const std::string written = DescribeWritten(process_->written());
    const Ending ending = process_->Kill();
    if (ending.signal == SIGXCPU && limits().cpu_seconds > 0) {
      return {DescribeCpuLimit(limits().cpu_seconds), CF_E_INTERNAL, true};
    }
    return {DescribeEnding(ending) + written};
  }

  Loss Nonsense(const std::string& what) {
    const std::string written = DescribeWritten(process_->written());
    process_->Kill();
    return {"the process sent " + what + written};
  }

  std::optional<Loss> TakeMessage(const Frame& frame) {
    FieldReader fields(frame.body);
    switch (frame.type) {
      case MessageType::kLog: {
        const auto level = fields.Number<std::int32_t>();
        const std::string line = CleanText(fields.Text().c_str());
        if (run_.options_.log) run_.options_.log(level, line);
        return std::nullopt;
      }
      case MessageType::kOutcome:
        return TakeOne(queue_.front(), fields);
      case MessageType::kItemDone:
        if (queue_.front().n_pending > 0) break;
        FinishOne(fields.Number<double>());
        return std::nullopt;
      case MessageType::kItemBegun:
        if (std::exchange(has_begun_, true)) return Nonsense("that it begins for a second time");
        last_ = Clock::now();
        return std::nullopt;
      default:
        break;
    }
    return Nonsense("a message that makes no sense here");
  }

  void FinishOne(double seconds) {
    const double bounded = std::max(1e-6, seconds);  // also of what is not a number
    item_seconds_ = std::isinf(item_seconds_) ? bounded : (item_seconds_ + bounded) / 2;
    queue_.pop_front();
    run_.jobs_.Finish({});
  }

  std::optional<Loss> TakeOne(Given& given, FieldReader& fields) {
    const Job& job = given.job;
    const auto place = static_cast<std::size_t>(fields.Number<std::uint64_t>());
    if (place >= given.pending.size() || !given.pending[place]) {
      return Nonsense("an outcome of a cell that it does not have");
    }
    Outcome outcome = ReadOutcome(fields);
    fields.End();
    const std::uint32_t b = job.block_of(place);
    const std::int64_t split = job.split_of(place);
    const std::string problem = run_.check_.FindProblem(run_.blocks_[b], split, outcome);
    if (!problem.empty()) return Nonsense("an outcome with " + problem);
    const bool is_short = limits().memory > 0 && outcome.status == OutcomeStatus::kFailed &&
                          outcome.failure.code == CF_E_OUT_OF_MEMORY;
    if (is_short) {
      process_->Kill();
      return Loss{DescribeMemoryLimit(limits().memory), CF_E_OUT_OF_MEMORY};
    }
    given.pending[place] = false;
    --given.n_pending;
    run_.Deliver(b, split, std::move(outcome));
    last_ = Clock::now();
    return std::nullopt;
  }

  // The only cell that is left.
  void Fail(const Given& given, const Loss& loss) {
    const Job& job = given.job;
    const auto found = std::find(given.pending.begin(), given.pending.end(), true);
    const auto place = static_cast<std::size_t>(found - given.pending.begin());
    const std::uint32_t b = job.block_of(place);
    const std::int64_t split = job.split_of(place);
    const CellBlock& block = run_.blocks_[b];
    Outcome outcome;
    outcome.status = OutcomeStatus::kFailed;
    outcome.failure = {"run", loss.code,
                       loss.message + "; repeat it with " + DescribeCell(block, split), true};
    const SplitRows rows = block.splits->Rows(split);
    outcome.n_train = static_cast<std::int64_t>(rows.train.size());
    outcome.n_test = static_cast<std::int64_t>(rows.test.size());
    run_.Deliver(b, split, std::move(outcome));
  }

  IsolatedRun& run_;
  std::unique_ptr<WorkerProcess> process_;
  std::vector<bool> has_splits_, has_learner_, has_metrics_;       // the process, by number
  std::deque<Given> queue_;                                        // what the process has, in order
  double item_seconds_ = std::numeric_limits<double>::infinity();  // lately; not known yet
  bool has_begun_ = false;
  Clock::time_point last_;  // when the job began or the last outcome came
};

void IsolatedRun::WorkOn() noexcept {
  try {
    Seat seat(*this);
    while (!cancelled()) {
      std::optional<Job> job = jobs_.Take();
      if (!job) break;
      if (!Claim(*job)) {
        jobs_.Finish({});
        continue;
      }
      try {
        seat.TakeProcess(*job);
      } catch (const Error&) {
        return GiveBack(std::move(*job));
      }
      seat.Do(std::move(*job));
    }
  } catch (...) {
    const std::lock_guard lock(failing_);
    if (!failure_) failure_ = std::current_exception();
    jobs_.Stop();
  }
  if (cancelled()) jobs_.Stop();
}

}  // namespace

Isolation IsolationOf(const CellBlock& block, const CellLimits& limits) {
  if (block.isolation != Isolation::kAuto) return block.isolation;
  const auto wants = [](std::span<const std::shared_ptr<const Spec>> specs) {
    return std::any_of(specs.begin(), specs.end(), &WantsProcess);
  };
  const bool in_worker = HasLimits(limits) || wants(block.learner->steps()) ||
                         (block.metrics != nullptr && wants(*block.metrics));
  return in_worker ? Isolation::kWorker : Isolation::kNone;
}

void RunIsolated(WorkerProcesses& workers, std::span<const CellBlock> blocks,
                 const RunOptions& options, const TakeOutcome& take) {
  IsolatedRun(workers.impl(), blocks, options, take).Run();
}

}  // namespace crossfold
