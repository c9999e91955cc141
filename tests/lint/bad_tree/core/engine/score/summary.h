#include "crossfold/stats/mean.h"
#include "engine/score/moments.h"

struct Summary {
  std::size_t Order() const;  // a member, and size_t comes with std::vector
  Moments moments;
};
