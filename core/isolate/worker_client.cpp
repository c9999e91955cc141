#include "isolate/worker_client.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <span>
#include <utility>

#include "crossfold/error.h"
#include "encoding/outcome_fields.h"
#include "encoding/spec_fields.h"
#include "encoding/split_fields.h"
#include "engine/plugin/foreign_text.h"
#include "isolate/failure_text.h"
#include "isolate/process_limits.h"

namespace crossfold {
namespace {

using Clock = WorkerProcess::Clock;

// A cancellation is noticed at most after this time.
constexpr std::chrono::milliseconds kCancelPoll(50);
constexpr std::chrono::seconds kPreparationTime(60);

// The maximum that is sent ahead to a process.
constexpr double kMaxWaiting = 128;  // items
constexpr double kWaitingSeconds = 0.005;

// Whether it was marked already.
bool Mark(std::vector<bool>& marks, std::uint64_t number) {
  const auto place = static_cast<std::size_t>(number);
  const bool was = marks[place];
  marks[place] = true;
  return was;
}

}  // namespace

WorkerClient::~WorkerClient() {
  // A process with items that are not needed any more, as after an exception, is ended: its answers
  // would be taken for those of the next run.
  if (process_ == nullptr || !queue_.empty()) return;
  process_->Send(MessageType::kEndRun, "");
  run_.pool.Release(std::move(process_));
}

void WorkerClient::TakeProcess(const Job& job) {
  if (job.fresh && process_ != nullptr && process_->items_served() > 0) {
    process_->Send(MessageType::kEndRun, "");
    run_.pool.Release(std::move(process_));
  }
  if (process_ != nullptr && process_->items_served() >= kMaxItems) process_ = nullptr;
  if (process_ != nullptr) return;
  process_ = job.fresh ? run_.pool.Start() : run_.pool.Acquire();
  process_->Send(MessageType::kSettings, run_.settings);
  run_.pool.ForgetGone(*process_);
  has_splits_.assign(run_.splits.size() + 1, false);
  has_learner_.assign(run_.learners.size() + 1, false);
  has_metrics_.assign(run_.metrics.size() + 1, false);
}

void WorkerClient::Do(Job job) {
  const bool fresh = job.fresh;
  if (process_->items_served() > 0) process_->ForgetWritten();
  Give(std::move(job));
  std::optional<Loss> loss = Serve();
  if (loss || fresh) process_ = nullptr;
  if (!loss) return;
  std::vector<Job> left;
  if (!run_.cancelled()) left = WhatIsLeft(*loss);
  run_.jobs.Finish(std::move(left), queue_.size());
  queue_.clear();
}

std::vector<Job> WorkerClient::WhatIsLeft(const Loss& loss) {
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

void WorkerClient::Give(Job job) {
  std::vector<ItemBlock> blocks;
  for (const std::uint32_t b : job.blocks) {
    const CellBlock& block = run_.blocks[b];
    DefineFor(block);
    blocks.push_back({run_.learners.number(block.learner), run_.splits.number(block.splits),
                      run_.metrics.number(block.metrics), job.split, job.n_splits, block.seed,
                      static_cast<std::uint8_t>(block.keep)});
  }
  FieldWriter fields;
  WriteItem(blocks, fields);
  const bool used = process_->items_served()++ > 0;
  const std::size_t n = job.num_cells();
  queue_.push_back({std::move(job), used, std::vector<bool>(n, true), n});
  process_->Send(MessageType::kItem, fields.bytes());
}

void WorkerClient::FillQueue() {
  const Job& first = queue_.front().job;
  if (first.lone || limits().any()) return;
  const double most = std::min(kMaxWaiting, kWaitingSeconds / item_seconds_);
  if (2.0 * static_cast<double>(queue_.size()) > most) return;
  while (static_cast<double>(queue_.size()) < most && process_->items_served() < kMaxItems) {
    // Leaves work for the others: an item may take longer than those before it.
    std::optional<Job> job =
        run_.jobs.TryTake(static_cast<std::size_t>(run_.workers) * (queue_.size() + 1));
    if (!job) return;
    if (run_.Claim(*job)) {
      Give(std::move(*job));
    } else {
      run_.jobs.Finish({});
    }
  }
}

void WorkerClient::DefineFor(const CellBlock& block) {
  const std::uint64_t splits = run_.splits.number(block.splits);
  if (!Mark(has_splits_, splits)) {
    const SharedDataset data = run_.pool.Share(block.splits->view().data);
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
  const std::uint64_t learner = run_.learners.number(block.learner);
  if (!Mark(has_learner_, learner)) {
    SendSpecs(MessageType::kLearner, learner, block.learner->steps());
  }
  const std::uint64_t metrics = run_.metrics.number(block.metrics);
  if (metrics != 0 && !Mark(has_metrics_, metrics)) {
    SendSpecs(MessageType::kMetrics, metrics, *block.metrics);
  }
}

void WorkerClient::SendSpecs(MessageType type, std::uint64_t number,
                             std::span<const std::shared_ptr<const Spec>> specs) {
  FieldWriter fields;
  fields.Number(number);
  WriteSpecs(specs, fields);
  WriteLoadedFiles(specs, fields);
  process_->Send(type, fields.bytes());
}

std::optional<WorkerClient::Loss> WorkerClient::Serve() {
  try {
    // Before it begins, the process gets data and loads plugins, which is not the cell's time.
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
      return Loss{DescribeTimeLimit(limits().seconds), CodeOf(FailureCause::kTime), true};
    }
    return std::nullopt;
  } catch (const plugin::Error&) {
    return Nonsense("bytes that are not a message");
  }
}

Clock::time_point WorkerClient::NextLook() const {
  Clock::time_point until = Clock::now() + std::chrono::seconds(60);
  if (run_.options.cancel != nullptr) until = Clock::now() + kCancelPoll;
  if (limits().seconds > 0) until = std::min(until, OverTime());
  return until;
}

Clock::time_point WorkerClient::OverTime() const {
  // A year is as good as no limit, and would be too long for the clock's whole numbers beyond some
  // hundred.
  const double bounded = std::min(limits().seconds, 3e7);
  return last_ +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(bounded));
}

WorkerClient::Loss WorkerClient::EndOfProcess() {
  const std::string written = DescribeWritten(process_->written());
  const Ending ending = process_->Kill();
  if (ending.signal == kCpuLimitSignal && limits().cpu_seconds > 0) {
    return {DescribeCpuLimit(limits().cpu_seconds), CodeOf(FailureCause::kTime), true};
  }
  if (ending.signal == SIGKILL && run_.pool.oom_kills.Take()) {
    return {DescribeEnding(ending) + kMachineWithoutMemory, CodeOf(FailureCause::kMemory)};
  }
  return {DescribeEnding(ending) + written, CodeOf(CauseOfEnding(ending))};
}

WorkerClient::Loss WorkerClient::Nonsense(const std::string& what) {
  const std::string written = DescribeWritten(process_->written());
  process_->Kill();
  return {"the process sent " + what + written};
}

std::optional<WorkerClient::Loss> WorkerClient::TakeMessage(const Frame& frame) {
  FieldReader fields(frame.body);
  switch (frame.type) {
    case MessageType::kLog: {
      const auto level = fields.Number<std::int32_t>();
      const std::string line = CleanText(fields.Text().c_str());
      if (run_.options.log) run_.options.log(level, line);
      return std::nullopt;
    }
    case MessageType::kOutcome:
      return TakeOne(queue_.front(), fields);
    case MessageType::kItemDone:
      if (queue_.front().n_pending > 0) break;
      FinishOne(fields.Number<double>());
      return std::nullopt;
    case MessageType::kItemBegun:
      if (std::exchange(has_begun_, true)) return Nonsense("that it begins a second time");
      last_ = Clock::now();
      return std::nullopt;
    default:
      break;
  }
  return Nonsense("an unexpected message");
}

void WorkerClient::FinishOne(double seconds) {
  const double bounded = std::max(1e-6, seconds);  // also of what is not a number
  item_seconds_ = std::isinf(item_seconds_) ? bounded : (item_seconds_ + bounded) / 2;
  queue_.pop_front();
  run_.jobs.Finish({});
}

std::optional<WorkerClient::Loss> WorkerClient::TakeOne(Given& given, FieldReader& fields) {
  const Job& job = given.job;
  const auto place = static_cast<std::size_t>(fields.Number<std::uint64_t>());
  if (place >= given.pending.size() || !given.pending[place]) {
    return Nonsense("an outcome of a cell that it does not have");
  }
  Outcome outcome = ReadOutcome(fields);
  fields.End();
  const std::uint32_t b = job.block_of(place);
  const std::int64_t split = job.split_of(place);
  const std::string problem = run_.check.FindProblem(run_.blocks[b], split, outcome);
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

void WorkerClient::Fail(const Given& given, const Loss& loss) {
  const Job& job = given.job;
  const auto found = std::find(given.pending.begin(), given.pending.end(), true);
  const auto place = static_cast<std::size_t>(found - given.pending.begin());
  const std::uint32_t b = job.block_of(place);
  const std::int64_t split = job.split_of(place);
  const CellBlock& block = run_.blocks[b];
  Outcome outcome;
  outcome.status = OutcomeStatus::kFailed;
  outcome.failure = {"run", loss.code,
                     loss.message + std::string(kRepeatItWith) + DescribeCell(block, split), true};
  const SplitRows rows = block.splits->Rows(split);
  outcome.n_train = static_cast<std::int64_t>(rows.train.size());
  outcome.n_test = static_cast<std::int64_t>(rows.test.size());
  run_.Deliver(b, split, std::move(outcome));
}

}  // namespace crossfold
