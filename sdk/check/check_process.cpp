#include "check/check_process.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>

#include "crossfold/error.h"
#include "discovery/child_program.h"
#include "engine/data/worker_threads.h"
#include "engine/text/format_number.h"
#include "isolate/failure_text.h"

namespace crossfold::check {
namespace {

using Clock = std::chrono::steady_clock;

// Bytes of a verdict.
constexpr std::size_t kMaxReported = std::size_t{1} << 20;

// A running checker.
class Child {
 public:
  Child(const std::filesystem::path& program, const CheckTask& task)
      : result_(MakeChildPipe(program)), output_(MakeChildPipe(program)) {
    pid_ = SpawnChild(program, ToArguments(task), {}, result_.theirs.get(), output_.theirs.get());
    result_.theirs.Close();
    output_.theirs.Close();
    process_ = FileDescriptor(OpenProcess(pid_));
    if (process_.is_open()) return;
    const int error = errno;
    KillChild(pid_);
    throw Error(ErrorKind::kIo, "cannot watch a check: " + std::generic_category().message(error));
  }
  ~Child() {
    if (pid_ >= 0) KillChild(pid_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Whether it ended before that time.
  bool WaitUntil(Clock::time_point until) {
    constexpr std::int64_t kPatience = 50;  // ms between looks at the token of a cancellation
    std::array<pollfd, 3> watched = {pollfd{process_.get(), POLLIN, 0},
                                     pollfd{result_.ours.get(), POLLIN, 0},
                                     pollfd{output_.ours.get(), POLLIN, 0}};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    ::poll(watched.data(), watched.size(),
           static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, kPatience)));
    ReadWritten(result_.ours, reported_, kMaxReported);
    ReadWritten(output_.ours, written_);
    return watched[0].revents != 0;
  }
  // REQUIRES: called once.
  Ending Kill() {
    const Ending ending = KillChild(std::exchange(pid_, -1));
    ReadWritten(result_.ours, reported_, kMaxReported);
    ReadWritten(output_.ours, written_);
    return ending;
  }
  const std::string& reported() const { return reported_; }
  const std::string& written() const { return written_; }

 private:
  ChannelEnds result_, output_;
  pid_t pid_ = -1;
  FileDescriptor process_;
  std::string reported_, written_;
};

CheckResult ResultOf(const CheckTask& task, bool warns, const Child& child, const Ending& ending) {
  CheckResult result;
  const bool has_ended_well = ending.signal == 0 && ending.code == 0;
  if (child.reported().empty() || !has_ended_well) {
    result.outcome = CheckOutcome::kCrashed;
    result.text = DescribeEnding(ending) + (child.reported().empty() ? "" : " after the check") +
                  DescribeWritten(child.written());
    return result;
  }
  const Verdict verdict = ParseVerdict(child.reported());
  result.outcome = OutcomeOf(verdict, warns, task.strictness);
  result.text = verdict.text;
  return result;
}

}  // namespace

CheckOutcome OutcomeOf(const Verdict& verdict, bool warns, int strictness) {
  constexpr int kWarningsFail = 8;
  switch (verdict.kind) {
    case Verdict::Kind::kOk:
      return CheckOutcome::kOk;
    case Verdict::Kind::kSkipped:
      return CheckOutcome::kSkipped;
    case Verdict::Kind::kFailed:
      if (!warns) return CheckOutcome::kFailed;
      break;
    case Verdict::Kind::kWarning:
      break;
  }
  return strictness >= kWarningsFail ? CheckOutcome::kFailed : CheckOutcome::kWarning;
}

std::size_t NumberOfJobs(const CheckOptions& options) {
  if (options.jobs > 0) return static_cast<std::size_t>(options.jobs);
  return static_cast<std::size_t>(DefaultWorkers());
}

std::vector<std::jthread> StartJobs(std::size_t most, const std::function<void()>& work) {
  std::vector<std::jthread> threads;
  try {
    while (threads.size() < most) threads.emplace_back(work);
  } catch (const std::system_error&) {  // fewer threads suffice
    if (threads.empty()) {
      throw Error(ErrorKind::kIo,
                  "cannot run checks: the system gives no thread for them; raise its limits "
                  "(ulimit -u, ulimit -v)");
    }
  }
  return threads;
}

CheckResult RunInProcess(const std::filesystem::path& program, const CheckTask& task, bool warns,
                         double seconds, const CancelToken* cancel) {
  const auto start = Clock::now();
  const auto until =
      start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  Child child(program, task);
  bool has_ended = false;
  while (!has_ended && Clock::now() < until && !(cancel != nullptr && cancel->cancelled())) {
    has_ended = child.WaitUntil(until);
  }
  const bool is_late = !has_ended && Clock::now() >= until;
  const Ending ending = child.Kill();
  CheckResult result;
  if (has_ended) {
    result = ResultOf(task, warns, child, ending);
  } else {
    result.outcome = is_late ? CheckOutcome::kTimeout : CheckOutcome::kSkipped;
    result.text = is_late ? "it had not ended after " + FormatShortest(seconds) + " s" +
                                DescribeWritten(child.written())
                          : "cancelled";
  }
  result.check = task.check;
  result.component = task.component;
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return result;
}

}  // namespace crossfold::check
