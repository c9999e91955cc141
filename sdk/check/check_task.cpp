#include "check/check_task.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "crossfold/error.h"
#include "crossfold/json_value.h"
#include "crossfold/plugin_host.h"
#include "discovery/child_program.h"
#include "engine/data/worker_threads.h"
#include "engine/text/format_number.h"
#include "isolate/failure_text.h"

namespace crossfold::check {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view kVerdicts[] = {"ok", "failed", "warning", "skipped"};
constexpr CheckScope kScopes[] = {kFile, kLearner, kTransform, kSplitter, kMetric, kSource};

PluginHostOptions Only(const std::filesystem::path& file) {
  PluginHostOptions options;
  options.paths = {file};
  options.use_environment = options.use_user_folder = options.use_installation = false;
  return options;
}

// Runs a part of the task's check, within the time that a check gets at most by default.
std::string AnswerOfOtherProcess(const std::filesystem::path& program, CheckTask task, bool warns,
                                 std::string_view part) {
  constexpr double kSeconds = 30;
  task.part = part;
  CheckResult result = RunInProcess(program, task, warns, kSeconds, nullptr);
  if (result.outcome == CheckOutcome::kOk) return std::move(result.text);
  throw Error(ErrorKind::kIo, "a second process of it ended with " +
                                  std::string(CheckOutcomeName(result.outcome)) + ": " +
                                  result.text);
}

[[noreturn]] void Refuse(const std::string& finding) {
  throw Error(ErrorKind::kInvalidArgument, "cannot run a check: " + finding);
}

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

// The outcome of a check with these findings. From strictness 8 on warnings are failures.
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

CheckResult ResultOf(const CheckTask& task, bool warns, const Verdict& verdict) {
  return {task.check, task.component, OutcomeOf(verdict, warns, task.strictness), verdict.text};
}

CheckResult ResultOf(const CheckTask& task, bool warns, const Child& child, const Ending& ending) {
  const bool has_ended_well = ending.signal == 0 && ending.code == 0;
  if (has_ended_well && !child.reported().empty()) {
    return ResultOf(task, warns, ParseVerdict(child.reported()));
  }
  return {task.check, task.component, CheckOutcome::kCrashed,
          DescribeEnding(ending) + (child.reported().empty() ? "" : " after the check") +
              DescribeWritten(child.written())};
}

}  // namespace

SampleText SampleText::Parse(std::string_view text) {
  std::error_code error;
  if (!text.ends_with('}') || std::filesystem::exists(text, error))
    return {std::filesystem::path(text), ""};
  const std::size_t folder = text.rfind('/', text.find('='));
  const std::size_t brace = text.find('{', folder == std::string_view::npos ? 0 : folder);
  if (brace == std::string_view::npos) return {std::filesystem::path(text), ""};
  return {std::filesystem::path(text.substr(0, brace)),
          std::string(text.substr(brace + 1, text.size() - brace - 2))};
}

std::string SampleText::ToString() const {
  const std::string file = std::filesystem::absolute(path).string();
  return settings.empty() ? file : file + "{" + settings + "}";
}

std::vector<std::string> WholeTexts(std::span<const std::string> data) {
  std::vector<std::string> whole;
  for (const std::string& text : data) whole.push_back(SampleText::Parse(text).ToString());
  return whole;
}

std::vector<std::string> ToArguments(const CheckTask& task) {
  std::vector<std::string> arguments = {task.file.string(),
                                        task.check,
                                        std::string(CheckScopeName(task.scope)),
                                        task.component,
                                        std::to_string(task.seed),
                                        std::to_string(task.strictness),
                                        task.part};
  arguments.insert(arguments.end(), task.data.begin(), task.data.end());
  return arguments;
}

CheckTask ParseArguments(const std::vector<std::string>& arguments) {
  constexpr std::size_t kFixed = 7;
  if (arguments.size() < kFixed) Refuse("crossfold starts this program");
  CheckTask task{arguments[0], arguments[1], kFile, arguments[3], 0, 5, arguments[6]};
  task.data.assign(arguments.begin() + kFixed, arguments.end());
  bool is_known = false;
  for (const CheckScope scope : kScopes) {
    if (CheckScopeName(scope) != arguments[2]) continue;
    task.scope = scope;
    is_known = true;
  }
  if (!is_known) Refuse("'" + arguments[2] + "' is not a scope");
  const std::string& seed = arguments[4];
  const auto strictness = ParseInteger(arguments[5]);
  if (std::from_chars(seed.data(), seed.data() + seed.size(), task.seed).ec != std::errc() ||
      !strictness) {
    Refuse("seed or strictness is not a number");
  }
  task.strictness = static_cast<int>(*strictness);
  return task;
}

Verdict RunTask(const CheckTask& task, const std::filesystem::path& program) {
  const std::vector<Check> checks = AllChecks();
  const Check* check =
      FindCheck(task.check == kFuzzRound ? FuzzRounds() : checks, task.check, task.scope);
  if (check == nullptr) Refuse("there is no check '" + task.check + "' of that scope");
  std::unique_ptr<PluginHost> host;  // must outlive the component's use; plugins are never unloaded
  std::shared_ptr<const Component> component;
  if (const auto kind = KindOf(task.scope)) {
    try {
      host = std::make_unique<PluginHost>(Only(task.file));
      component = host->Find(*kind, task.component);
    } catch (const Error& error) {
      return {Verdict::Kind::kFailed, error.what()};
    }
  }
  CheckContext context(task.file, component, task.seed, task.strictness);
  context.SetPart(task.part);
  context.SetData(task.data);
  if (!program.empty()) {
    context.SetOtherProcess([&](std::string_view part) {
      return AnswerOfOtherProcess(program, task, check->warns, part);
    });
  }
  return context.Run(check->run);
}

std::string ToText(const Verdict& verdict) {
  return JsonText(
      JsonObject{{"text", verdict.text}, {"verdict", kVerdicts[static_cast<int>(verdict.kind)]}});
}

Verdict ParseVerdict(const std::string& text) {
  const JsonValue json = ParseJson(text).value_or(JsonValue());
  const auto *kind = json.FindAs<std::string>("verdict"), *words = json.FindAs<std::string>("text");
  for (int i = 0; kind != nullptr && words != nullptr && i < 4; ++i) {
    if (*kind == kVerdicts[i]) return {static_cast<Verdict::Kind>(i), *words};
  }
  throw Error(ErrorKind::kBadData, "cannot read what a checker wrote: '" + text + "'");
}

CheckResult RunInThisProcess(const CheckTask& task, bool warns) {
  return ResultOf(task, warns, RunTask(task));
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
  CheckResult result{task.check, task.component, CheckOutcome::kSkipped, "cancelled"};
  if (has_ended) {
    result = ResultOf(task, warns, child, ending);
  } else if (is_late) {
    result.outcome = CheckOutcome::kTimeout;
    result.text = "it had not ended after " + FormatShortest(seconds) + " s" +
                  DescribeWritten(child.written());
  }
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return result;
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

}  // namespace crossfold::check
