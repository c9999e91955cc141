// Functions for Lua made of C++ functions: the three phases of protect.h in one place.
//
//   double Shrunk(const SplitsHandle& splits, double share, std::uint64_t seed);
//   AddFunctions(L, {{"shrunk", Native<Shrunk>}});
//
// The type of a parameter says how its argument is read and what is refused. The function may throw
// what Protect takes, and BadArgument. The type of its result says what is pushed.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <lua.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "bindings/lua/arguments.h"
#include "bindings/lua/box.h"
#include "bindings/lua/handles.h"
#include "bindings/lua/protect.h"
#include "bindings/lua/session.h"

namespace crossfold::lua {

// An argument that is read into an object of Lua's.
template <class T>
struct OwnedArgument {
  T* object;

  T& operator*() const { return *object; }
  T* operator->() const { return object; }
};

// A list; `kWhat` names it in messages.
template <std::size_t n>
struct Words {
  constexpr Words(const char (&words)[n]) { std::copy_n(words, n, text); }
  char text[n];
};
template <Words kWhat, class T>
struct ListArgument : OwnedArgument<std::vector<T>> {};
template <Words kWhat>
using Numbers = ListArgument<kWhat, double>;
template <Words kWhat>
using Integers = ListArgument<kWhat, std::int64_t>;
template <Words kWhat>
using Strings = ListArgument<kWhat, std::string>;

// A list of handles.
template <class T>
struct Handles : OwnedArgument<std::vector<T>> {};
// Values by name; none and nil give no values.
struct Params : OwnedArgument<ParamValues> {};
// How a call runs its cells (run_settings.h).
struct Settings : OwnedArgument<RunSettings> {};

// Argument `at`, from 1 on, or what else a parameter of type T stands for; `at` moves on.
template <class T>
struct Argument {  // a handle
  static T& Read(lua_State* L, int& at) { return CheckOwned<T>(L, at++); }
};
template <class T>
struct Argument<T*> {  // the same by its address, such as for std::optional
  static T* Read(lua_State* L, int& at) { return &Argument<T>::Read(L, at); }
};
template <>
struct Argument<Session> {
  static Session& Read(lua_State* L, int& /*at*/) { return GetSession(L); }
};
template <>
struct Argument<DataView> {  // its target is not hidden
  static const DataView& Read(lua_State* L, int& at) { return CheckTrainingData(L, at++); }
};
template <>
struct Argument<PredictionHandle> {
  static PredictionHandle& Read(lua_State* L, int& at) { return CheckPrediction(L, at++); }
};
template <>
struct Argument<ModelHandle> {
  static ModelHandle& Read(lua_State* L, int& at) { return CheckModel(L, at++); }
};
template <>
struct Argument<bool> {
  static bool Read(lua_State* L, int& at) { return lua_toboolean(L, at++) != 0; }
};
template <std::integral T>
struct Argument<T> {
  static T Read(lua_State* L, int& at) { return static_cast<T>(luaL_checkinteger(L, at++)); }
};
template <>
struct Argument<double> {
  static double Read(lua_State* L, int& at) { return luaL_checknumber(L, at++); }
};
template <>
struct Argument<std::string_view> {
  static std::string_view Read(lua_State* L, int& at) { return CheckText(L, at++); }
};
template <>
struct Argument<const char*> {  // up to its first NUL
  static const char* Read(lua_State* L, int& at) { return luaL_checkstring(L, at++); }
};
template <class T>
struct Argument<std::optional<T>> {  // none or nil = nullopt
  static std::optional<T> Read(lua_State* L, int& at) {
    if (!lua_isnoneornil(L, at)) return Argument<T>::Read(L, at);
    ++at;
    return std::nullopt;
  }
};
template <Words kWhat, class T>
struct Argument<ListArgument<kWhat, T>> {
  static ListArgument<kWhat, T> Read(lua_State* L, int& at) {
    auto* list = NewOwned<std::vector<T>>(L);
    const int table = at++;
    if constexpr (std::same_as<T, double>) {
      ReadNumbers(L, table, kWhat.text, *list);
    } else if constexpr (std::same_as<T, std::int64_t>) {
      ReadIntegers(L, table, kWhat.text, *list);
    } else {
      luaL_checktype(L, table, LUA_TTABLE);
      ReadStrings(L, table, kWhat.text, *list);
    }
    return {{list}};
  }
};
template <>
struct Argument<Params> {
  static Params Read(lua_State* L, int& at) {
    auto* values = NewOwned<ParamValues>(L);
    ReadParams(L, at++, *values);
    return {{values}};
  }
};
template <>
struct Argument<Settings> {
  static Settings Read(lua_State* L, int& at) {
    auto* settings = NewOwned<RunSettings>(L);
    ReadRunSettings(L, at++, GetSession(L), *settings);
    return {{settings}};
  }
};
template <class T>
struct Argument<Handles<T>> {
  static Handles<T> Read(lua_State* L, int& at) {
    const int table = at++;
    luaL_checktype(L, table, LUA_TTABLE);
    auto* list = NewOwned<std::vector<T>>(L);
    const lua_Integer n = luaL_len(L, table);
    for (lua_Integer i = 1; i <= n; ++i) {
      lua_geti(L, table, i);
      int top = lua_gettop(L);
      const T& handle = Argument<T>::Read(L, top);
      Try(L, [&] { list->push_back(handle); });
      lua_pop(L, 1);
    }
    return {{list}};
  }
};

template <class T>
inline constexpr bool kIsHandle = requires {
  T::kName;
};
template <class T>
inline constexpr bool kIsTuple = false;
template <class... T>
inline constexpr bool kIsTuple<std::tuple<T...>> = true;
template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

// Pushes a result and returns the number of values: none for an empty optional.
template <class T>
int PushResult(lua_State* L, const T& result) {
  if constexpr (kIsOptional<T>) {
    return result ? PushResult(L, *result) : 0;
  } else if constexpr (kIsTuple<T>) {
    int n = 0;
    std::apply([&](const auto&... each) { ((n += PushResult(L, each)), ...); }, result);
    return n;
  } else if constexpr (kIsHandle<T>) {
    Try(L, [&, made = NewOwned<T>(L)] { *made = result; });
  } else if constexpr (std::same_as<T, bool>) {
    lua_pushboolean(L, result);
  } else if constexpr (std::integral<T>) {
    lua_pushinteger(L, static_cast<lua_Integer>(result));
  } else if constexpr (std::same_as<T, double>) {
    lua_pushnumber(L, result);
  } else if constexpr (std::convertible_to<T, std::string_view>) {
    PushText(L, result);
  } else if constexpr (std::convertible_to<const T&, std::span<const std::string>>) {
    PushTexts(L, result);
  } else if constexpr (std::convertible_to<const T&, std::span<const std::int64_t>>) {
    PushIntegers(L, result);
  } else {
    PushNumbers(L, result);
  }
  return 1;
}

// A number, or why there is none.
struct NumberOrReason {
  std::optional<double> number;
  std::optional<std::string> reason;
};

// Pushes the number, or nil and the reason.
inline int PushResult(lua_State* L, const NumberOrReason& found) {
  if (found.number) return PushResult(L, *found.number);
  lua_pushnil(L);
  return 1 + PushResult(L, found.reason);
}

// Runs `work` as phase 2 and pushes what it returns with `push`, which returns the number of
// values. Handles are on top of the stack before.
template <class Work, class Push>
int RunAndPush(lua_State* L, Work work, Push push) {
  using Result = decltype(work());
  if constexpr (std::is_void_v<Result>) {
    Try(L, work);
    return 0;
  } else if constexpr (std::is_trivially_destructible_v<Result>) {
    std::optional<Result> result;
    Try(L, [&] { result.emplace(work()); });
    return push(L, *result);
  } else {
    auto* result = NewOwned<Result>(L);
    Try(L, [&] { *result = work(); });
    return push(L, *result);
  }
}

// The same with PushResult.
template <class Work>
int RunAndPush(lua_State* L, Work work) {
  return RunAndPush(L, work, [](lua_State* state, const auto& result) {
    if constexpr (kIsHandle<std::remove_cvref_t<decltype(result)>>) {
      return 1;
    } else {
      return PushResult(state, result);
    }
  });
}

template <class T>
inline constexpr bool kReadsOwned = requires(T argument) {
  argument.object;
};
template <class T>
inline constexpr bool kReadsOwned<std::optional<T>> = kReadsOwned<T>;

// Calls `function` with its arguments from Lua, as the phase 2 of `run`.
template <class Run, class Result, class... Parameters>
int CallNative(lua_State* L, Result (*function)(Parameters...), Run run) {
  // What is read into owned memory goes on the stack, after all arguments.
  constexpr int kArguments =
      ((std::is_same_v<std::remove_cvref_t<Parameters>, Session> ? 0 : 1) + ... + 0);
  if constexpr ((kReadsOwned<std::remove_cvref_t<Parameters>> || ...)) {
    if (lua_gettop(L) < kArguments) lua_settop(L, kArguments);
  }
  [[maybe_unused]] int at = 1;
  // In braces, so the arguments are read from left to right.
  const std::tuple<decltype(Argument<std::remove_cvref_t<Parameters>>::Read(L, at))...> arguments{
      Argument<std::remove_cvref_t<Parameters>>::Read(L, at)...};
  return run([&]() -> Result { return std::apply(function, arguments); });
}

// The function as Lua calls it.
template <auto kFunction>
int Native(lua_State* L) {
  return CallNative(L, kFunction, [L](auto work) { return RunAndPush(L, work); });
}

// The same; `kPush` pushes the result: one value, or the number of values that it returns.
template <auto kFunction, auto kPush>
int Native(lua_State* L) {
  const auto push = [](lua_State* state, auto& result) {
    if constexpr (std::is_void_v<decltype(kPush(state, result))>) {
      kPush(state, result);
      return 1;
    } else {
      return kPush(state, result);
    }
  };
  return CallNative(L, kFunction, [&](auto work) { return RunAndPush(L, work, push); });
}

}  // namespace crossfold::lua
