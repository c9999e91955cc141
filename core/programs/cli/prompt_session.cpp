#include "programs/cli/prompt_session.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/terminal_width.h"

namespace crossfold::cli {
namespace {

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

std::string TextAt(lua_State* L, int index) {
  std::size_t size = 0;
  const char* text = lua_tolstring(L, index, &size);
  return text == nullptr ? std::string() : std::string(text, size);
}

}  // namespace

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

}  // namespace crossfold::cli
