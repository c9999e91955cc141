// The prompt's session in Lua (scripts/crossfold/prompt/session.lua), seen from C++.
#pragma once

#include <functional>
#include <lua.hpp>
#include <string>

#include "programs/cli/line_editor.h"

namespace crossfold::cli {

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

}  // namespace crossfold::cli
