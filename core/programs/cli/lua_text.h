// Values as Lua source.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "crossfold/value.h"

namespace crossfold::cli {

// A string in double quotes, on one line, with escapes.
std::string LuaString(std::string_view text);
// The key of a field: k, or ["two words"].
std::string LuaKey(std::string_view key);
// A number, true, false, a string, a list; `cf.null` for Null.
std::string LuaValue(const Value& value);
// The table of a JSON object; the string of JSON if a table would be read as another object.
std::string LuaObject(const std::string& json);
// A list of Lua texts, and of strings: { "a", "b" }
std::string LuaList(const std::vector<std::string>& items);
std::string LuaStrings(const std::vector<std::string>& texts);

// The fields of a table, in the order in which they are added.
class LuaTable {
 public:
  void Add(std::string_view key, const std::string& value);       // Lua text
  void AddString(std::string_view key, const std::string& text);  // unless it is empty
  bool empty() const { return fields_.empty(); }
  std::string text() const { return "{ " + fields_ + " }"; }

 private:
  std::string fields_;
};

}  // namespace crossfold::cli
