// Defect: a static of a template is exported as a unique symbol, which keeps the library mapped.
#include "smoother.h"

// Hidden visibility would make it local.
template <typename T>
struct __attribute__((visibility("default"))) Counter {
  static int& Get() {
    static int count = 0;
    return count;
  }
};

static void Break(cf_learner* learner) {
  (void)learner;
  ++Counter<int>::Get();
}
