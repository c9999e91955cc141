#include <cmath>
#include <string>

#include "crossfold/error.h"
#include "crossfold/version.h"
#include "discovery/program_search.h"
#include "engine/plugin/foreign_text.h"
#include "isolate/failure_text.h"
#include "isolate/worker_pool.h"

namespace crossfold {
namespace {

constexpr std::chrono::seconds kStartTime(30);

// The version; "" = none was sent.
std::string VersionIn(const Frame& frame) {
  try {
    FieldReader fields(frame.body);
    return frame.type == MessageType::kReady ? CleanText(fields.Text().c_str()) : "";
  } catch (const plugin::Error&) {
    return "";
  }
}

// Whether nothing came from an idle process, which must not send anything.
bool IsQuiet(WorkerProcess& process) {
  try {
    return !process.Wait(WorkerProcess::Clock::now()) && !process.has_ended();
  } catch (const plugin::Error&) {
    return false;
  }
}

// Waits for the first message of a worker.
void RequireReady(WorkerProcess& process, const std::filesystem::path& program) {
  const std::string attempt = "cannot start worker process '" + program.string() + "': ";
  const auto frame = [&] {
    try {
      return process.Wait(WorkerProcess::Clock::now() + kStartTime);
    } catch (const plugin::Error&) {
      throw Error(ErrorKind::kIo, attempt + "it does not use the worker protocol");
    }
  }();
  if (!frame) {
    const bool ended = process.has_ended();
    const std::string written = DescribeWritten(process.written());
    const std::string what = ended ? DescribeEnding(process.Kill()) : "it does not answer";
    throw Error(ErrorKind::kIo, attempt + what + written);
  }
  const std::string version = VersionIn(*frame);
  if (version == Version()) return;
  throw Error(ErrorKind::kIo, attempt + "it has version '" + version + "', this is " +
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
    if (program_.empty()) program_ = FindProgram(WorkerProgram(), options.worker);
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
    if (IsQuiet(*process)) return process;  // else it ended meanwhile, or is out of order
  }
  return Start();
}

void WorkerProcesses::Impl::Release(std::unique_ptr<WorkerProcess> process) {
  if (process == nullptr || process->has_ended() || process->items_served() >= kMaxItems) return;
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
