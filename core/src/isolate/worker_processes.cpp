#include <cmath>
#include <string>

#include "crossfold/error.h"
#include "crossfold/version.h"
#include "isolate/failure_text.h"
#include "isolate/worker_pool.h"
#include "isolate/worker_search.h"

namespace crossfold {
namespace {

// A process is replaced then, so that what plugins leak does not pile up.
constexpr std::int64_t kMostItems = 10'000;
constexpr std::chrono::seconds kStartTime(30);

// The first message of a worker.
void RequireReady(WorkerProcess& process, const std::filesystem::path& program) {
  const std::string attempt = "cannot start worker process '" + program.string() + "': ";
  const auto frame = process.Wait(WorkerProcess::Clock::now() + kStartTime);
  if (!frame) {
    const bool ended = process.has_ended();
    const std::string written = DescribeWritten(process.written());
    const std::string what = ended ? DescribeEnding(process.Kill()) : "it does not answer";
    throw Error(ErrorKind::kIo, attempt + what + written);
  }
  FieldReader fields(frame->body);
  const std::string version = frame->type == MessageType::kReady ? fields.Text() : "";
  if (version == Version()) return;
  throw Error(ErrorKind::kIo, attempt + "it is of version '" + version + "', this is " +
                                  std::string(Version()) + "; set CROSSFOLD_WORKER to its own");
}

void RequireLimits(const CellLimits& limits) {
  for (const double seconds : {limits.seconds, limits.cpu_seconds}) {
    if (std::isfinite(seconds) && seconds >= 0) continue;
    throw Error(ErrorKind::kInvalidArgument,
                "cannot limit cells: a time is negative or not finite; 0 = no limit");
  }
}

}  // namespace

std::unique_ptr<WorkerProcess> WorkerProcesses::Impl::Start() {
  std::filesystem::path program;
  {
    const std::lock_guard lock(mutex_);
    if (program_.empty()) program_ = FindWorkerProgram(options.worker);
    program = program_;
  }
  auto process = std::make_unique<WorkerProcess>(program);
  RequireReady(*process, program);
  return process;
}

std::unique_ptr<WorkerProcess> WorkerProcesses::Impl::Acquire() {
  for (;;) {
    std::unique_ptr<WorkerProcess> process;
    {
      const std::lock_guard lock(mutex_);
      if (idle_.empty()) break;
      process = std::move(idle_.back());
      idle_.pop_back();
    }
    // One that ended meanwhile is left out here; nothing else can have come from it.
    if (!process->Wait(WorkerProcess::Clock::now()) && !process->has_ended()) return process;
  }
  return Start();
}

void WorkerProcesses::Impl::Release(std::unique_ptr<WorkerProcess> process) {
  if (process == nullptr || process->has_ended() || process->items_served() >= kMostItems) return;
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(process));
}

SharedDataset WorkerProcesses::Impl::Share(const std::shared_ptr<const Dataset>& data) {
  const std::lock_guard lock(mutex_);
  std::erase_if(datasets_, [](const auto& kept) { return kept.second.data.expired(); });
  for (const auto& [number, kept] : datasets_) {
    if (kept.data.lock() == data) return {number, kept.memory};
  }
  auto memory = std::make_shared<const SealedMemory>(*data);
  datasets_[++last_number_] = {data, memory};
  return {last_number_, std::move(memory)};
}

void WorkerProcesses::Impl::ForgetGone(WorkerProcess& process) {
  const std::lock_guard lock(mutex_);
  std::erase_if(process.datasets(), [&](std::uint64_t number) {
    const auto found = datasets_.find(number);
    if (found != datasets_.end() && !found->second.data.expired()) return false;
    FieldWriter fields;
    fields.Number(number);
    process.Send(MessageType::kForgetDataset, fields.bytes());
    return true;
  });
}

WorkerProcesses::WorkerProcesses(IsolationOptions options) {
  RequireLimits(options.limits);
  impl_ = std::make_unique<Impl>(std::move(options));
}

WorkerProcesses::~WorkerProcesses() = default;

const IsolationOptions& WorkerProcesses::options() const { return impl_->options; }

}  // namespace crossfold
