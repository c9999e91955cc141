// Explanations of the dynamic loader's messages.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace crossfold {

// Explains the dynamic loader's message about `path` to people: "needs libfoo.so.1, which is not
// found".
std::string ExplainLoadError(std::string_view complaint, const std::filesystem::path& path);

}  // namespace crossfold
