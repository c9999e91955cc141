// Components as a plugin would declare them, for tests that call none of their functions.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/component.h"

namespace crossfold::test {

inline ParamSpec Integer(std::string name, std::int64_t low, std::int64_t high,
                         std::int64_t value) {
  ParamSpec param;
  param.name = std::move(name);
  param.type = CF_P_INT;
  param.ilo = low;
  param.ihi = high;
  param.default_value = value;
  return param;
}

inline ParamSpec Real(std::string name, double low, double high, double value,
                      std::uint32_t flags = 0) {
  ParamSpec param;
  param.name = std::move(name);
  param.type = CF_P_REAL;
  param.flags = flags;
  param.lo = low;
  param.hi = high;
  param.default_value = value;
  return param;
}

inline ParamSpec Choice(std::string name, std::vector<std::string> choices, std::string value) {
  ParamSpec param;
  param.name = std::move(name);
  param.type = CF_P_CHOICE;
  param.choices = std::move(choices);
  param.default_value = std::move(value);
  return param;
}

inline ParamSpec OfType(std::string name, std::int32_t type, Value value) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  ParamSpec param = Real(std::move(name), -kInfinity, kInfinity, 0);
  param.type = type;
  param.ilo = std::numeric_limits<std::int64_t>::min();
  param.ihi = std::numeric_limits<std::int64_t>::max();
  param.default_value = std::move(value);
  return param;
}

inline std::shared_ptr<const Component> Declare(Kind kind, std::string id,
                                                std::vector<ParamSpec> params) {
  Component component;
  component.kind = kind;
  component.id = std::move(id);
  component.params = std::move(params);
  return std::make_shared<const Component>(std::move(component));
}

// k in [1, 1000000]; distance; p only for minkowski; weights.
inline std::shared_ptr<const Component> DeclareKnn() {
  ParamSpec p = Real("p", 1, std::numeric_limits<double>::infinity(), 2);
  p.active_if = "distance=minkowski";
  return Declare(
      Kind::kLearner, "crossfold.knn",
      {Integer("k", 1, 1000000, 5),
       Choice("distance", {"manhattan", "euclidean", "chebyshev", "minkowski"}, "euclidean"), p,
       Choice("weights", {"uniform", "distance"}, "uniform")});
}

}  // namespace crossfold::test
