#include "programs/cli/repl_command.h"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <iostream>
#include <lua.hpp>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "crossfold/cancel_token.h"
#include "crossfold/lua.h"
#include "crossfold/version.h"
#include "programs/cli/command.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/history_file.h"
#include "programs/cli/interrupt.h"
#include "programs/cli/line_editor.h"
#include "programs/cli/lua_state.h"
#include "programs/cli/opened_stores.h"
#include "programs/cli/prompt_session.h"
#include "programs/cli/running_states.h"
#include "programs/cli/script_errors.h"
#include "programs/cli/script_exit.h"

namespace crossfold::cli {
namespace {

constexpr char kPrompt[] = "cf> ";
constexpr char kMorePrompt[] = "..> ";

// Lines from a pipe or a file.
LineEditor::End ReadPlain(std::string& line) {
  return std::getline(std::cin, line) ? LineEditor::End::kLine : LineEditor::End::kClosed;
}

class Repl {
 public:
  Repl(lua_State* L, const ScriptOptions& script, std::shared_ptr<CancelToken> cancel,
       std::shared_ptr<OpenedStores> stores)
      : L_(L),
        script_(script),
        cancel_(std::move(cancel)),
        stores_(std::move(stores)),
        session_(L, script.traceback) {}

  // Returns an ExitCode.
  int Run(const ReplOptions& options);

 private:
  // Calls the function at the top of the stack and pops it. False: a signal says that the program
  // is to end.
  bool RunChunk();
  void Print();
  bool IsInteractive() const { return isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0; }
  // False = the session is over.
  bool Take(const std::string& line);
  void ReadLines();
  void EditLines(bool keeps_history);
  // Puts the typed part of a chunk into the history and forgets it.
  void Remember(std::string& typed, LineEditor& editor, const HistoryFile& history);

  lua_State* const L_;
  const ScriptOptions& script_;
  const std::shared_ptr<CancelToken> cancel_;
  const std::shared_ptr<OpenedStores> stores_;
  PromptSession session_;
  bool is_more_ = false;  // the chunk goes on
  int code_ = kOk;
};

// The text of a finished chunk, at the top of the stack.
void Repl::Print() {
  std::size_t size = 0;
  const char* text = lua_tolstring(L_, -1, &size);
  if (text == nullptr) return;
  std::fwrite(text, 1, size, stdout);
  std::fputc('\n', stdout);
}

bool Repl::RunChunk() {
  cancel_->Reset();
  AllowRunningStates();
  InterruptOptions options;
  options.cancel = cancel_;
  options.stop = &StopRunningStates;
  options.stays = true;
  options.save = [stores = stores_, display = script_.progress] {
    const bool saved = stores->Save();
    if (display) display->Hide();  // it may wait for a terminal that takes nothing
    return saved;
  };
  options.message = script_.defaults.store.empty()
                        ? "interrupted"
                        : "interrupted; the cells that were finished are kept in the store";
  Interrupt interrupt(std::move(options));
  int status = LUA_OK;
  {
    const RunningState running(L_);
    status = CallScript(L_, 0, 1, session_.traceback());
  }
  std::fflush(stdout);
  if (script_.progress) script_.progress->Hide();
  if (status == LUA_OK) {
    Print();
  } else if (!IsCancelled(L_, -1)) {
    const char* text = lua_tostring(L_, -1);
    std::fprintf(stderr, "%s\n", session_.Problem(text == nullptr ? "" : text).c_str());
  }
  std::fflush(stdout);
  lua_pop(L_, 1);
  if (!interrupt.Finish() || interrupt.signal() == SIGINT) return true;
  code_ = kInterrupted;
  return false;
}

bool Repl::Take(const std::string& line) {
  const PromptSession::Step step = session_.Feed(line);
  is_more_ = step == PromptSession::Step::kMore;
  return step == PromptSession::Step::kMore || (step == PromptSession::Step::kRun && RunChunk());
}

void Repl::ReadLines() {
  for (std::string line; ReadPlain(line) == LineEditor::End::kLine;) {
    if (!Take(line)) return;
  }
  if (is_more_) std::fputs("the last lines were not run: they are incomplete\n", stderr);
}

void Repl::EditLines(bool keeps_history) {
  const HistoryFile history(keeps_history ? HistoryPath() : std::filesystem::path());
  LineEditor editor(
      {[this](const std::string& before) { return session_.Complete(before); }, history.Load()});
  std::signal(SIGINT, SIG_IGN);  // between two lines; while one is edited, Ctrl-C is a key
  std::string typed;             // the lines of the chunk so far
  for (;;) {
    std::string line;
    const LineEditor::End end = editor.Read(is_more_ ? kMorePrompt : kPrompt, line);
    if (end == LineEditor::End::kClosed) std::fputc('\n', stdout);
    if (end != LineEditor::End::kLine) {  // Ctrl-D leaves what is not finished first
      if (!is_more_ && end == LineEditor::End::kClosed) return;
      Remember(typed, editor, history);
      session_.Clear();
      is_more_ = false;
      continue;
    }
    typed += (typed.empty() ? "" : "\n") + line;
    const PromptSession::Step step = session_.Feed(line);
    is_more_ = step == PromptSession::Step::kMore;
    if (!is_more_) Remember(typed, editor, history);
    if (step == PromptSession::Step::kLeave) return;
    if (step == PromptSession::Step::kRun && !RunChunk()) return;
  }
}

void Repl::Remember(std::string& typed, LineEditor& editor, const HistoryFile& history) {
  std::istringstream lines(session_.HistoryOf(typed));
  typed.clear();
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_not_of(" \t") == std::string::npos) continue;
    editor.Remember(line);
    history.Append(line);
  }
}

int Repl::Run(const ReplOptions& options) {
  for (const std::string& file : options.files) {
    session_.PushFile(file);
    if (!RunChunk()) return code_;
  }
  if (IsInteractive()) {
    if (!script_.quiet) {
      std::printf("Crossfold %s: help() shows help, Tab completes, Ctrl-D exits\n",
                  std::string(Version()).c_str());
    }
    EditLines(!options.no_history);
  } else {
    ReadLines();
  }
  if (code_ == kInterrupted) return code_;
  session_.PushFinish();
  RunChunk();
  return code_;
}

}  // namespace

void DeclareRepl(Command& repl, ReplOptions& options) {
  repl.AddOption("file", options.files, "Lua files that are run before the first prompt");
  repl.AddFlag("--no-history", options.no_history, "Do not read or write the history");
}

int RunRepl(const ReplOptions& options, const ScriptOptions& script,
            std::shared_ptr<PluginHost> plugins) {
  LuaOptions lua_options = MakeLuaOptions(script, std::move(plugins));
  lua_options.record = {"repl", "", {}, script.seed};
  const auto stores = std::make_shared<OpenedStores>();
  lua_options.on_store = [stores](const std::shared_ptr<CellStore>& store) { stores->Add(store); };
  const State state(luaL_newstate());
  if (state == nullptr) {
    std::fputs("crossfold: out of memory\n", stderr);
    return kError;
  }
  OpenLua(state.get(), lua_options);
  luaL_openlibs(state.get());
  LetScriptExit(state.get());
  NameScriptsWhole(state.get());
  TrackCoroutines(state.get());
  const int code = Repl(state.get(), script, lua_options.cancel, stores).Run(options);
  const bool is_stored = stores->End(true);
  if (!script.quiet) {
    std::fflush(stdout);
    PrintStores(state.get(), "");
  }
  return is_stored ? code : kError;
}

}  // namespace crossfold::cli
