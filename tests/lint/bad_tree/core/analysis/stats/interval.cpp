#include <tbb/task_arena.h>
#include "bindings/lua/bind.h"
#include "analysis/stats/own.h"

#include <cstdio>
#include <random>

// A comment may speak of std::shuffle and rand().
void Interval(double x) {
  std::mt19937 generator;
  std::printf("%d rows, mean %.3f\n", 3, x);
  std::strtod("1.5", nullptr);  // TODO
  operand(x);
}
