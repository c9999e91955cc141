#include "programs/cli/standard_input.h"

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "crossfold/error.h"

namespace crossfold::cli {

std::string ReadStandardInput() {
  std::string text;
  char block[1 << 16];
  for (;;) {
    const std::size_t size = std::fread(block, 1, sizeof block, stdin);
    text.append(block, size);
    if (size > 0) continue;
    if (std::ferror(stdin) == 0) return text;
    throw Error(ErrorKind::kIo,
                "cannot read standard input: " + std::generic_category().message(errno));
  }
}

std::string WithoutShellLine(std::string text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  if (text.starts_with('#')) text.insert(0, "--");
  return text;
}

}  // namespace crossfold::cli
