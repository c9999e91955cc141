// The complaints are those of glibc 2.36 (Debian 12), as dlerror() gave them.
#include <gtest/gtest.h>

#include "discovery/load_error.h"

namespace crossfold {
namespace {

constexpr const char* kPath = "/p/x.crossfold.so";

TEST(LoadErrorTest, AMissingLibraryIsNamed) {
  EXPECT_EQ(ExplainLoadError("libfoo.so.1: cannot open shared object file: No such file or "
                             "directory",
                             kPath),
            "needs libfoo.so.1, which is not found");
}

TEST(LoadErrorTest, AMissingSymbolIsNamed) {
  EXPECT_EQ(ExplainLoadError("/p/x.crossfold.so: undefined symbol: frobnicate", kPath),
            "needs the function or variable frobnicate, which none of its libraries has");
}

TEST(LoadErrorTest, ANewerSystemIsNamed) {
  EXPECT_EQ(ExplainLoadError("/lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found "
                             "(required by /p/x.crossfold.so)",
                             kPath),
            "needs GLIBC_2.38, which /lib/x86_64-linux-gnu/libc.so.6 lacks; was it built on a "
            "newer system?");
}

TEST(LoadErrorTest, AnythingElseLosesOnlyThePath) {
  EXPECT_EQ(
      ExplainLoadError("/p/x.crossfold.so: ELF load command alignment not page-aligned", kPath),
      "ELF load command alignment not page-aligned");
}

}  // namespace
}  // namespace crossfold
