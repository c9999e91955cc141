// The pages of docs/checks, which are part of the program.
#pragma once

#include <span>
#include <string_view>

namespace crossfold::check {

struct PageText {
  std::string_view name;  // "fit-smoke"
  std::string_view text;  // Markdown
};

// In the order of the names. Made by embed_pages.cmake.
std::span<const PageText> CheckPages();

}  // namespace crossfold::check
