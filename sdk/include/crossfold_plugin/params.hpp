// The parameters of a C++ component: a plain struct whose member initialisers are the defaults, and
// a Schema that names the members.
//
//   struct Params { std::int64_t k = 5; Distance distance = Distance::kEuclidean; };
//   static constexpr auto kSchema = cf::Schema(
//       cf::Integer("k", &Params::k, {.low = 1}, "Number of neighbours."),
//       cf::Choice("distance", &Params::distance, kDistanceNames, "Distance between rows."));
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "crossfold_plugin/error.hpp"
#include "crossfold_plugin/param.h"

namespace crossfold::plugin {

struct IntegerRange {
  std::int64_t low = std::numeric_limits<std::int64_t>::min();
  std::int64_t high = std::numeric_limits<std::int64_t>::max();
};

struct RealRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

// How a parameter differs from the plain case.
struct ParamExtra {
  std::uint32_t flags = 0;          // CF_PF_...
  const char* active_if = nullptr;  // "distance=minkowski"
  const char* unit = nullptr;
};

// One parameter: `Owner` is the Params struct, `T` the member's type.
template <class Owner, class T>
struct ParamDecl {
  const char* name;
  T Owner::*member;
  std::int32_t type;
  const char* doc;
  IntegerRange integers;
  RealRange reals;
  const char* const* choices;
  std::size_t n_choices;
  ParamExtra extra;
};

template <class P>
constexpr auto Integer(const char* name, std::int64_t P::*member, IntegerRange range,
                       const char* doc, ParamExtra extra = {}) {
  return ParamDecl<P, std::int64_t>{name, member, CF_P_INT, doc, range, {}, nullptr, 0, extra};
}
template <class P>
constexpr auto Real(const char* name, double P::*member, RealRange range, const char* doc,
                    ParamExtra extra = {}) {
  return ParamDecl<P, double>{name, member, CF_P_REAL, doc, {}, range, nullptr, 0, extra};
}
// A number that may be "none" (CF_PF_NULLABLE): std::nullopt.
template <class P>
constexpr auto Integer(const char* name, std::optional<std::int64_t> P::*member, IntegerRange range,
                       const char* doc, ParamExtra extra = {}) {
  extra.flags |= CF_PF_NULLABLE;
  return ParamDecl<P, std::optional<std::int64_t>>{name, member,  CF_P_INT, doc,  range,
                                                   {},   nullptr, 0,        extra};
}
template <class P>
constexpr auto Real(const char* name, std::optional<double> P::*member, RealRange range,
                    const char* doc, ParamExtra extra = {}) {
  extra.flags |= CF_PF_NULLABLE;
  return ParamDecl<P, std::optional<double>>{name,  member,  CF_P_REAL, doc,  {},
                                             range, nullptr, 0,         extra};
}
template <class P>
constexpr auto Boolean(const char* name, bool P::*member, const char* doc, ParamExtra extra = {}) {
  return ParamDecl<P, bool>{name, member, CF_P_BOOL, doc, {}, {}, nullptr, 0, extra};
}
// `member` is an enum whose values are the indices of `names`. `names` must be static.
template <class P, class E, std::size_t N>
constexpr auto Choice(const char* name, E P::*member, const std::array<const char*, N>& names,
                      const char* doc, ParamExtra extra = {}) {
  static_assert(std::is_enum_v<E>, "a choice is stored in an enum");
  return ParamDecl<P, E>{name, member, CF_P_CHOICE, doc, {}, {}, names.data(), N, extra};
}
template <class P>
constexpr auto Text(const char* name, std::string P::*member, const char* doc,
                    ParamExtra extra = {}) {
  return ParamDecl<P, std::string>{name, member, CF_P_STRING, doc, {}, {}, nullptr, 0, extra};
}
// A string that is a JSON object, as in "{}". Users may give its entries one by one, under names
// such as "settings.max_depth". Hosts that do not know CF_PF_OBJECT pass any string.
template <class P>
constexpr auto Object(const char* name, std::string P::*member, const char* doc,
                      ParamExtra extra = {}) {
  extra.flags |= CF_PF_OBJECT;
  return Text(name, member, doc, extra);
}
template <class P>
constexpr auto IntegerList(const char* name, std::vector<std::int64_t> P::*member,
                           IntegerRange range, const char* doc, ParamExtra extra = {}) {
  return ParamDecl<P, std::vector<std::int64_t>>{name,    member, CF_P_INT_LIST, doc, range, {},
                                                 nullptr, 0,      extra};
}
template <class P>
constexpr auto RealList(const char* name, std::vector<double> P::*member, RealRange range,
                        const char* doc, ParamExtra extra = {}) {
  return ParamDecl<P, std::vector<double>>{name,    member, CF_P_REAL_LIST, doc, {}, range,
                                           nullptr, 0,      extra};
}

template <class P>
constexpr auto TextList(const char* name, std::vector<std::string> P::*member, const char* doc,
                        ParamExtra extra = {}) {
  return ParamDecl<P, std::vector<std::string>>{
      name, member, CF_P_STRING_LIST, doc, {}, {}, nullptr, 0, extra};
}
// A string that may be "none".
template <class P>
constexpr auto Text(const char* name, std::optional<std::string> P::*member, const char* doc,
                    ParamExtra extra = {}) {
  extra.flags |= CF_PF_NULLABLE;
  return ParamDecl<P, std::optional<std::string>>{name, member,  CF_P_STRING, doc,  {},
                                                  {},   nullptr, 0,           extra};
}

template <class... Decls>
constexpr auto Schema(Decls... decls) {
  return std::tuple<Decls...>(decls...);
}

// For components without parameters.
struct NoParams {};
inline constexpr auto kNoSchema = Schema();

namespace internal {

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

// The arrays of pointers to the strings of lists. Their memory does not move.
using StringLists = std::deque<std::vector<const char*>>;

template <class T>
void StoreDefault(const T& from, cf_value& to, StringLists& lists) {
  if constexpr (kIsOptional<T>) {
    to.is_null = from.has_value() ? 0 : 1;
    if (from.has_value()) StoreDefault(*from, to, lists);
  } else if constexpr (std::is_enum_v<T>) {
    to.u.i = static_cast<std::int64_t>(from);
  } else if constexpr (std::is_same_v<T, double>) {
    to.u.r = from;
  } else if constexpr (std::is_same_v<T, std::string>) {
    to.u.s.p = from.c_str();
    to.u.s.n = from.size();
  } else if constexpr (std::is_same_v<T, std::vector<std::int64_t>>) {
    to.u.il.p = from.data();
    to.u.il.n = from.size();
  } else if constexpr (std::is_same_v<T, std::vector<double>>) {
    to.u.rl.p = from.data();
    to.u.rl.n = from.size();
  } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
    std::vector<const char*>& list = lists.emplace_back();
    for (const std::string& one : from) list.push_back(one.c_str());
    to.u.sl.p = list.data();
    to.u.sl.n = list.size();
  } else {
    to.u.i = static_cast<std::int64_t>(from);
  }
}

template <class T>
void LoadArgument(const cf_value& from, T& to) {
  if constexpr (kIsOptional<T>) {
    to.reset();
    if (from.is_null == 0) LoadArgument(from, to.emplace());
  } else if constexpr (std::is_same_v<T, double>) {
    to = from.u.r;
  } else if constexpr (std::is_same_v<T, bool>) {
    to = from.u.i != 0;
  } else if constexpr (std::is_same_v<T, std::string>) {
    to.assign(from.u.s.p == nullptr ? "" : from.u.s.p, from.u.s.n);
  } else if constexpr (std::is_same_v<T, std::vector<std::int64_t>>) {
    to.assign(from.u.il.p, from.u.il.p + from.u.il.n);
  } else if constexpr (std::is_same_v<T, std::vector<double>>) {
    to.assign(from.u.rl.p, from.u.rl.p + from.u.rl.n);
  } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
    to.assign(from.u.sl.p, from.u.sl.p + from.u.sl.n);
  } else {
    to = static_cast<T>(from.u.i);
  }
}

// The static C tables of one component's parameters. `defaults` lives here because the tables
// point into it.
template <class P, class SchemaTuple>
class ParamTables {
 public:
  static constexpr std::size_t kSize = std::tuple_size_v<SchemaTuple>;

  [[gnu::cold]] explicit ParamTables(const SchemaTuple& schema) {
    std::size_t next = 0;
    std::apply([&](const auto&... decl) { (Add(decl, next++), ...); }, schema);
  }
  ParamTables(const ParamTables&) = delete;
  ParamTables& operator=(const ParamTables&) = delete;

  const cf_param* const* data() const { return kSize == 0 ? nullptr : pointers_.data(); }
  std::size_t size() const { return kSize; }

 private:
  template <class Decl>
  [[gnu::cold]] void Add(const Decl& decl, std::size_t index) {
    cf_param& p = params_[index];
    p = cf_param{};
    p.struct_size = sizeof(cf_param);
    p.flags = decl.extra.flags;
    p.name = decl.name;
    p.doc = decl.doc;
    p.type = decl.type;
    p.def.type = decl.type;
    StoreDefault(defaults_.*(decl.member), p.def, lists_);
    p.lo = decl.reals.low;
    p.hi = decl.reals.high;
    p.ilo = decl.integers.low;
    p.ihi = decl.integers.high;
    p.choices = decl.choices;
    p.n_choices = decl.n_choices;
    p.active_if = decl.extra.active_if;
    p.unit = decl.extra.unit;
    pointers_[index] = &p;
  }

  P defaults_{};
  StringLists lists_;
  std::array<cf_param, kSize == 0 ? 1 : kSize> params_{};
  std::array<const cf_param*, kSize == 0 ? 1 : kSize> pointers_{};
};

template <class P, class SchemaTuple>
P LoadParams(const SchemaTuple& schema, const cf_arg* args, std::size_t n_args) {
  constexpr std::size_t kSize = std::tuple_size_v<SchemaTuple>;
  if (n_args != kSize) {
    throw Error(CF_E_INVALID_ARGUMENT,
                "expected " + std::to_string(kSize) + " parameters, got " + std::to_string(n_args));
  }
  P params{};
  [[maybe_unused]] std::size_t next = 0;
  [[maybe_unused]] const auto load = [&](const auto& decl) {
    LoadArgument(args[next++].value, params.*(decl.member));
  };
  std::apply([&](const auto&... decl) { (load(decl), ...); }, schema);
  return params;
}

}  // namespace internal
}  // namespace crossfold::plugin
