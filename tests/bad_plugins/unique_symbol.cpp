// Defect: a static of a template is exported as a unique symbol, which keeps the library mapped.
// Hidden visibility alone does not make it local, a version script does.
#include "smoother.h"

template <typename T>
struct __attribute__((visibility("default"))) Counter {
  static volatile int count;
};
template <typename T>
volatile int Counter<T>::count = 0;

static void Break(cf_learner* learner) {
  (void)learner;
  Counter<cf_learner>::count = Counter<cf_learner>::count + 1;
}
