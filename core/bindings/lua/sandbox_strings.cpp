// The string functions that could run for long or for ever, bounded.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "bindings/lua/arguments.h"
#include "bindings/lua/box.h"
#include "bindings/lua/protect.h"
#include "bindings/lua/sandbox_libraries.h"
#include "bindings/lua/sandbox_state.h"
#include "bindings/lua/text_pattern.h"

namespace crossfold::lua {
namespace {

bool IsStopped(const void* state) { return static_cast<const SandboxState*>(state)->stopped(); }

TextPattern MakePattern(lua_State* L, std::string_view subject, std::string_view pattern) {
  const SandboxState& state = SandboxState::Of(L);
  return {subject, pattern, state.limits().pattern_steps + 8 * subject.size(), &IsStopped, &state};
}

// A match at `s`; null = none. Raises what is wrong with the pattern.
const char* CheckedMatch(lua_State* L, TextPattern& match, const char* s) {
  const char* found = match.MatchAt(s);
  if (match.problem() == nullptr) return found;
  if (!match.out_of_steps()) luaL_error(L, match.problem(), match.problem_number());
  PollSandbox(L);
  Raise(L,
        "cannot match a pattern: it takes more steps than a sandbox allows; use fewer of * + - ? "
        "in it, or a shorter string (SandboxLimits.pattern_steps)");
}

// Pushes capture `i`, or the whole match [s, e) for the first if there are no captures.
void PushCapture(lua_State* L, const TextPattern& match, const char* begin, int i, const char* s,
                 const char* e) {
  if (i >= match.num_captures()) {
    if (i != 0) luaL_error(L, "invalid capture index %%%d", i + 1);
    lua_pushlstring(L, s, static_cast<std::size_t>(e - s));
    return;
  }
  const TextPattern::Capture& capture = match.capture(i);
  if (capture.length == TextPattern::kPosition) {
    lua_pushinteger(L, capture.start - begin + 1);
  } else if (capture.length == TextPattern::kUnclosed) {
    luaL_error(L, "unfinished capture");
  } else {
    lua_pushlstring(L, capture.start, static_cast<std::size_t>(capture.length));
  }
}

// Pushes all captures, or the whole match if there are none and `whole`.
int PushCaptures(lua_State* L, const TextPattern& match, const char* begin, const char* s,
                 const char* e, bool whole) {
  const int n = match.num_captures() == 0 && whole ? 1 : match.num_captures();
  luaL_checkstack(L, n, "too many captures");
  for (int i = 0; i < n; ++i) PushCapture(L, match, begin, i, s, e);
  return n;
}

// The 0-based start that argument `arg` asks for, which may be past the end.
std::size_t CheckStart(lua_State* L, int arg, std::size_t size) {
  const lua_Integer start = luaL_optinteger(L, arg, 1);
  if (start > 0) return static_cast<std::size_t>(start - 1);
  if (start == 0) return 0;
  const auto back = std::uint64_t{0} - static_cast<std::uint64_t>(start);
  return back > size ? 0 : size - back;
}

int FindPlain(lua_State* L, std::string_view subject, std::string_view wanted, std::size_t start) {
  // Takes time linear in both sizes, which std::string_view::find does not.
  const void* found =
      memmem(subject.data() + start, subject.size() - start, wanted.data(), wanted.size());
  if (found == nullptr) {
    lua_pushnil(L);
    return 1;
  }
  const auto at = static_cast<std::size_t>(static_cast<const char*>(found) - subject.data());
  lua_pushinteger(L, static_cast<lua_Integer>(at + 1));
  lua_pushinteger(L, static_cast<lua_Integer>(at + wanted.size()));
  return 2;
}

int FindOrMatch(lua_State* L, bool find) {
  PollSandbox(L);
  const std::string_view subject = CheckText(L, 1);
  std::string_view pattern = CheckText(L, 2);
  const std::size_t start = CheckStart(L, 3, subject.size());
  if (start > subject.size()) {
    lua_pushnil(L);
    return 1;
  }
  const bool plain = pattern.find_first_of("^$*+?.([%-") == std::string_view::npos;
  if (find && (plain || lua_toboolean(L, 4) != 0)) return FindPlain(L, subject, pattern, start);
  const bool anchored = !pattern.empty() && pattern.front() == '^';
  if (anchored) pattern.remove_prefix(1);
  TextPattern match = MakePattern(L, subject, pattern);
  const char* begin = subject.data();
  const char* last = anchored ? begin + start : begin + subject.size();
  for (const char* s = begin + start; s <= last; ++s) {
    const char* e = CheckedMatch(L, match, s);
    if (e == nullptr) continue;
    if (!find) return PushCaptures(L, match, begin, s, e, true);
    lua_pushinteger(L, s - begin + 1);
    lua_pushinteger(L, e - begin);
    return 2 + PushCaptures(L, match, begin, s, e, false);
  }
  lua_pushnil(L);
  return 1;
}

int Find(lua_State* L) { return FindOrMatch(L, true); }
int Match(lua_State* L) { return FindOrMatch(L, false); }

// One step of gmatch; upvalues: subject, pattern, where to continue, the end of the last match.
int NextMatch(lua_State* L) {
  PollSandbox(L);
  std::size_t size = 0, pattern_size = 0;
  const char* begin = lua_tolstring(L, lua_upvalueindex(1), &size);
  const char* pattern = lua_tolstring(L, lua_upvalueindex(2), &pattern_size);
  const lua_Integer from = lua_tointeger(L, lua_upvalueindex(3));
  const lua_Integer last_end = lua_tointeger(L, lua_upvalueindex(4));
  TextPattern match = MakePattern(L, {begin, size}, {pattern, pattern_size});
  for (lua_Integer at = from; at <= static_cast<lua_Integer>(size); ++at) {
    const char* e = CheckedMatch(L, match, begin + at);
    if (e == nullptr || e - begin == last_end) continue;
    for (const int place : {3, 4}) {
      lua_pushinteger(L, e - begin);
      lua_replace(L, lua_upvalueindex(place));
    }
    return PushCaptures(L, match, begin, begin + at, e, true);
  }
  return 0;
}

int Gmatch(lua_State* L) {
  const std::string_view subject = CheckText(L, 1);
  CheckText(L, 2);
  const std::size_t start = std::min(CheckStart(L, 3, subject.size()), subject.size() + 1);
  lua_settop(L, 2);
  lua_pushinteger(L, static_cast<lua_Integer>(start));
  lua_pushinteger(L, -1);
  lua_pushcclosure(L, &NextMatch, 4);
  return 1;
}

// What one call of gsub works with. Plain memory.
struct Substitution {
  std::string_view subject;
  TextPattern* match;
  luaL_Buffer* made;
};

// The replacement string, with its captures, goes to the buffer.
void AddReplacement(lua_State* L, const Substitution& work, const char* s, const char* e) {
  std::size_t size = 0;
  const char* text = lua_tolstring(L, 3, &size);
  const char* end = text + size;
  while (const void* found = std::memchr(text, '%', static_cast<std::size_t>(end - text))) {
    const char* mark = static_cast<const char*>(found);
    luaL_addlstring(work.made, text, static_cast<std::size_t>(mark - text));
    const char kind = mark[1];
    if (kind == '%') {
      luaL_addchar(work.made, '%');
    } else if (kind == '0') {
      luaL_addlstring(work.made, s, static_cast<std::size_t>(e - s));
    } else if (kind >= '1' && kind <= '9') {
      PushCapture(L, *work.match, work.subject.data(), kind - '1', s, e);
      luaL_tolstring(L, -1, nullptr);  // a position is a number
      lua_remove(L, -2);
      luaL_addvalue(work.made);
    } else {
      luaL_error(L, "invalid use of '%c' in replacement string", '%');
    }
    text = mark + 2;
  }
  luaL_addlstring(work.made, text, static_cast<std::size_t>(end - text));
}

// Adds the replacement of the match [s, e).
void AddSubstitute(lua_State* L, const Substitution& work, const char* s, const char* e) {
  const char* begin = work.subject.data();
  const int type = lua_type(L, 3);
  if (type == LUA_TFUNCTION) {
    lua_pushvalue(L, 3);
    const int n = PushCaptures(L, *work.match, begin, s, e, true);
    lua_call(L, n, 1);
  } else if (type == LUA_TTABLE) {
    PushCapture(L, *work.match, begin, 0, s, e);
    lua_gettable(L, 3);
  } else {
    AddReplacement(L, work, s, e);
    return;
  }
  if (lua_toboolean(L, -1) == 0) {
    lua_pop(L, 1);
    luaL_addlstring(work.made, s, static_cast<std::size_t>(e - s));
  } else if (lua_isstring(L, -1) == 0) {
    luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
  } else {
    luaL_addvalue(work.made);
  }
}

int Gsub(lua_State* L) {
  PollSandbox(L);
  const std::string_view subject = CheckText(L, 1);
  std::string_view pattern = CheckText(L, 2);
  const int type = lua_type(L, 3);
  if (type != LUA_TSTRING && type != LUA_TNUMBER && type != LUA_TTABLE && type != LUA_TFUNCTION) {
    luaL_typeerror(L, 3, "string/function/table");
  }
  const lua_Integer most = luaL_optinteger(L, 4, static_cast<lua_Integer>(subject.size()) + 1);
  const bool anchored = !pattern.empty() && pattern.front() == '^';
  if (anchored) pattern.remove_prefix(1);
  TextPattern match = MakePattern(L, subject, pattern);
  luaL_Buffer made;
  luaL_buffinit(L, &made);
  const Substitution work{subject, &match, &made};
  const char* s = subject.data();
  const char* end = s + subject.size();
  const char* last_end = nullptr;
  lua_Integer n = 0;
  while (n < most) {
    const char* e = CheckedMatch(L, match, s);
    if (e != nullptr && e != last_end) {
      ++n;
      AddSubstitute(L, work, s, e);
      s = last_end = e;
    } else if (s < end) {
      luaL_addchar(&made, *s);
      ++s;
    } else {
      break;
    }
    if (anchored) break;
  }
  luaL_addlstring(&made, s, static_cast<std::size_t>(end - s));
  luaL_pushresult(&made);
  lua_pushinteger(L, n);
  return 2;
}

// string.rep: the library's own copies "" any number of times.
int Rep(lua_State* L) {
  PollSandbox(L);
  const std::string_view text = CheckText(L, 1);
  const lua_Integer n = luaL_checkinteger(L, 2);
  std::size_t separator_size = 0;
  const char* separator = luaL_optlstring(L, 3, "", &separator_size);
  const std::size_t unit = text.size() + separator_size;
  if (n <= 0 || unit == 0) {
    lua_pushliteral(L, "");
    return 1;
  }
  const auto most = static_cast<std::size_t>(PTRDIFF_MAX) / static_cast<std::size_t>(n);
  if (unit > most) return luaL_error(L, "resulting string too large");
  const std::size_t total = static_cast<std::size_t>(n) * unit - separator_size;
  luaL_Buffer made;
  char* out = luaL_buffinitsize(L, &made, total);
  const std::size_t first = std::min(unit, total);
  std::copy_n(text.data(), text.size(), out);
  std::copy_n(separator, first - text.size(), out + text.size());
  for (std::size_t done = first; done < total;) {
    const std::size_t more = std::min(done, total - done);
    std::memcpy(out + done, out, more);
    done += more;
  }
  luaL_pushresultsize(&made, total);
  return 1;
}

}  // namespace

void BoundStrings(lua_State* L) {
  AddFunctions(
      L, {{"find", Find}, {"match", Match}, {"gmatch", Gmatch}, {"gsub", Gsub}, {"rep", Rep}});
}

}  // namespace crossfold::lua
