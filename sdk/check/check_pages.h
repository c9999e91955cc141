// The sections of docs/checks.md, which are part of the program.
#pragma once

#include <span>
#include <string_view>

namespace crossfold::check {

struct PageText {
  std::string_view name;  // "fit-smoke"
  std::string_view text;  // Markdown
};

// The pages in the order of the file. embed_pages.cmake makes them.
std::span<const PageText> CheckPages();

}  // namespace crossfold::check
