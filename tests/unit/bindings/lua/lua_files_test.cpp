// Runs *_test.lua below tests/scripts (LuaUnit): all of them in the C build of Lua, and what hosts
// have in common in the C++ build.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "lua_state.h"
#include "sanitized.h"

namespace crossfold {
namespace {

std::string NameOf(const std::string& file) { return std::filesystem::path(file).stem().string(); }

bool IsForThisBuild(const std::string& name) {
  return LUA_BUILD == std::string_view("c") || name == "hosts_test" || name == "run_test";
}

// Sorted by their names, which are unique over all folders.
std::vector<std::string> TestFiles() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(CROSSFOLD_LUA_TESTS)) {
    const std::string file = entry.path().string();
    if (file.ends_with("_test.lua") && IsForThisBuild(NameOf(file))) files.push_back(file);
  }
  std::ranges::sort(files, {}, NameOf);
  return files;
}

class LuaFileTest : public testing::TestWithParam<std::string> {};

TEST_P(LuaFileTest, HasNoFailures) {
  const LuaState state = NewLuaState(TestOptions());
  lua_State* L = state.get();
  const std::string folder = CROSSFOLD_LUA_TESTS;
  lua_newtable(L);
  lua_pushstring(L, GetParam().c_str());
  lua_rawseti(L, -2, 1);
  lua_pushstring(L, CROSSFOLD_TEST_DATA);
  lua_rawseti(L, -2, 2);
  lua_setglobal(L, "arg");
  lua_pushboolean(L, kSanitized);
  lua_setglobal(L, "sanitized");
  const bool passed = luaL_dofile(L, (folder + "/run_one.lua").c_str()) == LUA_OK;
  EXPECT_TRUE(passed) << lua_tostring(L, -1);
}

INSTANTIATE_TEST_SUITE_P(Scripts, LuaFileTest, testing::ValuesIn(TestFiles()),
                         [](const auto& file) { return NameOf(file.param); });

}  // namespace
}  // namespace crossfold
