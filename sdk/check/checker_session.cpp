#include "check/checker_session.h"

#include <charconv>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>

#include "check/check_list.h"
#include "check/check_process.h"
#include "check/fuzz_round.h"
#include "crossfold/error.h"
#include "crossfold/json_value.h"
#include "crossfold/plugin_host.h"
#include "engine/text/format_number.h"

namespace crossfold::check {
namespace {

constexpr std::string_view kVerdicts[] = {"ok", "failed", "warning", "skipped"};
constexpr CheckScope kScopes[] = {CheckScope::kFile,      CheckScope::kLearner,
                                  CheckScope::kTransform, CheckScope::kSplitter,
                                  CheckScope::kMetric,    CheckScope::kSource};

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

}  // namespace

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
  CheckTask task{arguments[0], arguments[1], CheckScope::kFile, arguments[3], 0, 5, arguments[6]};
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

}  // namespace crossfold::check
