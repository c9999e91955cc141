# cmake -DOUTPUT=file.cpp "-DPAGES=a.md;b.md" -P embed_pages.cmake
# Writes the pages as string literals, each under its file's name.
list(LENGTH PAGES n_pages)
set(entries "")
foreach(page IN LISTS PAGES)
  file(READ "${page}" text)
  string(FIND "${text}" ")page\"" clash)
  if(NOT clash EQUAL -1)
    message(FATAL_ERROR "cannot embed '${page}': it contains the delimiter")
  endif()
  cmake_path(GET page STEM name)
  string(APPEND entries "    {\"${name}\", R\"page(${text})page\"sv},\n")
endforeach()
file(WRITE "${OUTPUT}" "// Made by embed_pages.cmake.
#include \"check/check_pages.h\"

#include <array>

namespace crossfold::check {
namespace {
using std::string_view_literals::operator\"\"sv;  // the compiler need not count the characters
constexpr std::array<PageText, ${n_pages}> kPages{{
${entries}}};
}  // namespace
std::span<const PageText> CheckPages() { return kPages; }
}  // namespace crossfold::check
")
