// Libraries of C++ whose file or entry is wrong. CMakeLists.txt gives the name as DEFECT and
// defines it in capitals.
#include <stdexcept>

#include "smoother.h"

CF_MANIFEST(WORKING_MANIFEST("bad." DEFECT));

// Is exported as a unique symbol, which keeps the library mapped. Hidden visibility would make it
// local.
template <typename T>
struct __attribute__((visibility("default"))) Counter {
  static int& Get() {
    static int count = 0;
    return count;
  }
};

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t, const cf_host*) {
#if defined(THROWS_ON_ENTRY)
  throw std::runtime_error("no licence file");
#else
  ++Counter<int>::Get();
  return EnterSmoother("bad." DEFECT, nullptr);
#endif
}
