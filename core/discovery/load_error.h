// What the dynamic loader complains about, in words.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace crossfold {

// The dynamic loader's complaint about `path`, for people: "needs libfoo.so.1, which is not found".
std::string ExplainLoadError(std::string_view complaint, const std::filesystem::path& path);

}  // namespace crossfold
