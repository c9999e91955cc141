#include "programs/cli/commands.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <lua.hpp>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "crossfold/cancel_token.h"
#include "crossfold/error.h"
#include "crossfold/lua.h"
#include "crossfold/terminal_width.h"
#include "crossfold/version.h"
#include "programs/cli/command.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/interrupt.h"
#include "programs/cli/line_editor.h"
#include "programs/cli/lua_state.h"
#include "programs/cli/opened_stores.h"
#include "programs/cli/running_states.h"
#include "programs/cli/script_command.h"
#include "programs/cli/script_errors.h"

namespace crossfold::cli {
namespace {

// ---- the prompt's session in Lua (scripts/crossfold/prompt/session.lua), seen from C++ ----

// Files whose path begins with `prefix`, sorted; folders end with '/'. Hidden ones if it asks for
// them.
std::vector<std::string> FilesBeginning(const std::string& prefix) {
  namespace fs = std::filesystem;
  const std::size_t slash = prefix.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : prefix.substr(0, slash + 1);
  const std::string start = prefix.substr(folder.size());
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator it(folder.empty() ? "." : folder, error), end; !error && it != end;
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (!name.starts_with(start) || (name.front() == '.' && start.empty())) continue;
    std::error_code ignored;
    found.push_back(folder + name + (it->is_directory(ignored) ? "/" : ""));
  }
  std::sort(found.begin(), found.end());
  return found;
}

// list_files(prefix): a list of paths. Only this program's Lua calls it, which is built as C++.
int ListFiles(lua_State* L) {
  std::size_t size = 0;
  const char* prefix = luaL_checklstring(L, 1, &size);
  const std::vector<std::string> found = FilesBeginning(std::string(prefix, size));
  lua_createtable(L, static_cast<int>(found.size()), 0);
  for (std::size_t i = 0; i < found.size(); ++i) {
    lua_pushlstring(L, found[i].data(), found[i].size());
    lua_seti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
  return 1;
}

// columns(): how many the terminal has that values are shown on; nil if they are not.
int Columns(lua_State* L) {
  const int known = isatty(STDIN_FILENO) != 0 ? TerminalWidth(STDOUT_FILENO) : 0;
  if (known <= 0) return 0;
  lua_pushinteger(L, known);
  return 1;
}

// session.new{ globals =, traceback =, list_files =, columns = }; upvalue: whether tracebacks are
// on.
int MakeSession(lua_State* L) {
  lua_getglobal(L, "require");
  lua_pushliteral(L, "crossfold.prompt.session");
  lua_call(L, 1, 1);
  lua_getfield(L, -1, "new");
  lua_createtable(L, 0, 4);
  lua_pushglobaltable(L);
  lua_setfield(L, -2, "globals");
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_setfield(L, -2, "traceback");
  lua_pushcfunction(L, &ListFiles);
  lua_setfield(L, -2, "list_files");
  lua_pushcfunction(L, &Columns);
  lua_setfield(L, -2, "columns");
  lua_call(L, 1, 1);
  return 1;
}

class PromptSession {
 public:
  enum class Step { kMore, kRun, kLeave };

  // `L` has the libraries and Crossfold; it must outlive this. Throws Error if the session cannot
  // be made.
  PromptSession(lua_State* L, bool traceback);

  // Takes a line. After kRun a function is at the top of the Lua stack: it runs the chunk and
  // returns the text to print, or nil.
  Step Feed(const std::string& line);
  // Pushes the function that runs a file.
  void PushFile(const std::string& path);
  // Pushes the function that closes what is to be closed when the session ends.
  void PushFinish();
  // What a history keeps of a chunk: one line that means the same, or its lines if there is none.
  std::string HistoryOf(const std::string& chunk);
  // Forgets a chunk that is not finished; whether there was one.
  bool Clear();
  // The text of an error of the chunk that ran last.
  std::string Problem(const std::string& text);
  Completion Complete(const std::string& before);
  bool traceback();

 private:
  // Calls a method with a text; its results are at the top of the stack. False: it failed, with the
  // message there.
  bool Call(const char* method, const std::string& text, int n_results);

  lua_State* const L_;
  int session_;  // index on the stack
};

PromptSession::PromptSession(lua_State* L, bool traceback) : L_(L) {
  lua_pushboolean(L, traceback ? 1 : 0);
  lua_pushcclosure(L, &MakeSession, 1);
  if (lua_pcall(L, 0, 1, 0) != LUA_OK) {
    throw Error(ErrorKind::kFailed, "cannot make a prompt: " + TextAt(L, -1));
  }
  session_ = lua_gettop(L);
}

bool PromptSession::Call(const char* method, const std::string& text, int n_results) {
  lua_getfield(L_, session_, method);
  lua_pushvalue(L_, session_);
  lua_pushlstring(L_, text.data(), text.size());
  return lua_pcall(L_, 2, n_results, 0) == LUA_OK;
}

PromptSession::Step PromptSession::Feed(const std::string& line) {
  if (!Call("feed", line, 2)) throw Error(ErrorKind::kFailed, TextAt(L_, -1));
  const std::string step = TextAt(L_, -2);
  lua_remove(L_, -2);
  if (step == "run") return Step::kRun;
  lua_pop(L_, 1);
  return step == "more" ? Step::kMore : Step::kLeave;
}

void PromptSession::PushFile(const std::string& path) {
  if (!Call("file", path, 1)) throw Error(ErrorKind::kFailed, TextAt(L_, -1));
}

void PromptSession::PushFinish() {
  if (!Call("finish", "", 1)) throw Error(ErrorKind::kFailed, TextAt(L_, -1));
}

std::string PromptSession::HistoryOf(const std::string& chunk) {
  const bool done = Call("history", chunk, 1);
  std::string kept = done ? TextAt(L_, -1) : chunk;
  lua_pop(L_, 1);
  return kept;
}

bool PromptSession::Clear() {
  const bool was = Call("clear", "", 1) && lua_toboolean(L_, -1) != 0;
  lua_pop(L_, 1);
  return was;
}

std::string PromptSession::Problem(const std::string& text) {
  const bool done = Call("problem", text, 1);
  std::string problem = done ? TextAt(L_, -1) : text;
  lua_pop(L_, 1);
  return problem;
}

Completion PromptSession::Complete(const std::string& before) {
  const int top = lua_gettop(L_);
  Completion found;
  found.from = before.size();
  if (Call("complete", before, 3)) {
    found.from = static_cast<std::size_t>(std::max<lua_Integer>(lua_tointeger(L_, -3), 1)) - 1;
    found.suffix = TextAt(L_, -2);
    const lua_Integer n = static_cast<lua_Integer>(lua_rawlen(L_, -1));
    for (lua_Integer i = 1; i <= n; ++i) {
      lua_rawgeti(L_, -1, i);
      found.candidates.push_back(TextAt(L_, -1));
      lua_pop(L_, 1);
    }
  }
  lua_settop(L_, top);
  return found;
}

bool PromptSession::traceback() {
  lua_getfield(L_, session_, "traceback");
  const bool on = lua_toboolean(L_, -1) != 0;
  lua_pop(L_, 1);
  return on;
}

// ---- the prompt ----

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
  const auto save = [stores = stores_, display = script_.progress] {
    const bool saved = stores->Save();
    if (display) display->Hide();  // it may wait for a terminal that takes nothing
    return saved;
  };
  const char* kept = script_.defaults.store.empty()
                         ? "interrupted"
                         : "interrupted; the cells that were finished are kept in the store";
  Interrupt interrupt({.cancel = cancel_,
                       .stop = &StopRunningStates,
                       .save = save,
                       .message = kept,
                       .stays = true});
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
  const State state = MakeState();
  OpenLua(state.get(), lua_options);
  OpenScriptLibraries(state.get());
  const int code = Repl(state.get(), script, lua_options.cancel, stores).Run(options);
  const bool is_stored = stores->End(true);
  if (!script.quiet) {
    std::fflush(stdout);
    PrintStores(state.get(), "");
  }
  return is_stored ? code : kError;
}

}  // namespace crossfold::cli
