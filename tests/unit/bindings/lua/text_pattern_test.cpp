// The bounded string functions of a sandbox beside Lua's own, on random patterns.
#include "bindings/lua/text_pattern.h"

#include <gtest/gtest.h>

#include "crossfold/sandbox.h"
#include "lua_state.h"

namespace crossfold {
namespace {

// Puts Lua's own `string` into the environment of scripts as `stock`.
void AddStockStrings(lua_State* L) {
  lua_pushcfunction(L, &luaopen_string);
  lua_call(L, 0, 1);
  lua_setglobal(L, "stock");
}

// Compares all results of both, errors included, and says which call differs.
constexpr char kCompare[] = R"lua(
local pieces = { "a", "b", ".", "%a", "%A", "%s", "%w", "%d", "%x", "%p", "%%", "[ab]", "[^a]",
  "[a-c%d]", "[]]", "[^]]", "[%]a]", "(", ")", "()", "(a)", "(.-)", "%1", "%2", "%0", "*", "+", "-",
  "?", "^", "$", "%b()", "%bab", "%f[%w]", "%f[^a]", "%", "[", "]", "x", " ", "\0", "%b", "%f", "[a-",
  "[%" }
local letters = { "a", "b", "c", "x", "(", ")", " ", "1", "A", "%", "]", "\0", "\200" }
local function text(list, most)
  local parts = {}
  for i = 1, math.random(0, most) do parts[i] = list[math.random(#list)] end
  return table.concat(parts)
end
local replacements = { "<%0>", "%1", "%2%1", "%%", "%", "", "z", { a = "A", b = false, ab = 7 }, 5,
  function(a, b) return b or a end, function() return nil end, function() return {} end }
local function all(f, ...)
  local results = table.pack(pcall(f, ...))
  for i = 1, results.n do results[i] = tostring(results[i]) end
  return table.concat(results, "|")
end
local function matches(s)
  return function(subject, pattern, start)
    local found = {}
    for a, b in s.gmatch(subject, pattern, start) do
      found[#found + 1] = tostring(a) .. "," .. tostring(b)
    end
    return table.concat(found, ";")
  end
end
for trial = 1, 30000 do
  local subject, pattern = text(letters, 12), text(pieces, 6)
  local start = math.random(3) == 1 and math.random(-14, 14) or nil
  local most = math.random(4) == 1 and math.random(-1, 3) or nil
  local plain = math.random(5) == 1
  local by = replacements[math.random(#replacements)]
  local function check(name, mine, theirs, ...)
    local a, b = all(mine, ...), all(theirs, ...)
    if a ~= b then
      error(("%s(%q, %q, %s): %s, but Lua: %s"):format(name, subject, pattern,
        tostring((select(3, ...))), a, b), 0)
    end
  end
  check("find", string.find, stock.find, subject, pattern, start, plain)
  check("match", string.match, stock.match, subject, pattern, start)
  check("gmatch", matches(string), matches(stock), subject, pattern, start)
  check("gsub", string.gsub, stock.gsub, subject, pattern, by, most)
  local separator = math.random(2) == 1 and pattern or nil
  check("rep", string.rep, stock.rep, subject, math.random(-1, 5), separator)
end
return "equal"
)lua";

TEST(TextPatternTest, GivesWhatLuaGives) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    LuaOptions options = TestOptions();
    options.seed = seed;
    SandboxLimits limits;
    limits.seconds = 0;
    Sandbox sandbox(options, limits);
    AddStockStrings(sandbox.state());
    const ScriptResult result = sandbox.Run({.text = kCompare});
    EXPECT_EQ(result.ok() ? result.text : result.error, "equal") << "seed " << seed;
  }
}

bool Never(const void*) { return false; }
bool Always(const void*) { return true; }

TEST(TextPatternTest, StepsAreCounted) {
  const std::string subject(28, 'a');
  std::string pattern;
  for (int i = 0; i < 28; ++i) pattern += "a?";
  pattern += subject;
  lua::TextPattern match(subject, pattern, 1'000'000, &Never, nullptr);
  EXPECT_EQ(match.MatchAt(subject.data()), nullptr);
  EXPECT_TRUE(match.out_of_steps());
}

TEST(TextPatternTest, AskedToStopItStops) {
  const std::string subject(100000, 'a');
  lua::TextPattern match(subject, ".-b", 1'000'000'000, &Always, nullptr);
  EXPECT_EQ(match.MatchAt(subject.data()), nullptr);
  EXPECT_TRUE(match.out_of_steps());
}

TEST(TextPatternTest, LongTextsTakeTheStepsOfTheirLength) {
  const std::string subject(1000000, 'a');
  lua::TextPattern match(subject, "a*$", 3'000'000, &Never, nullptr);
  EXPECT_EQ(match.MatchAt(subject.data()), subject.data() + subject.size());
}

}  // namespace
}  // namespace crossfold
