# cmake -DOUTPUT=file.cpp -DPAGES=docs/checks.md -P embed_pages.cmake
# Writes each section as a string literal with its name: a page with the headings that stand in the
# file as a quotation and what comes after it.
file(READ "${PAGES}" text)
if(text MATCHES "\\)page\"")
  message(FATAL_ERROR "cannot embed '${PAGES}': it contains the delimiter")
endif()
string(REGEX MATCHALL "\n## " sections "${text}")
list(LENGTH sections n_pages)
string(FIND "${text}" "\n\n## " begin)
string(SUBSTRING "${text}" ${begin} -1 text)
# Links, to other sections and to pages of docs/.
string(REGEX REPLACE "\\]\\(([a-z][a-z_-]*[.]md)\\)" "](../\\1)" text "${text}")
string(REGEX REPLACE "\\]\\(#([a-z-]+)\\)" "](\\1.md)" text "${text}")
string(REGEX REPLACE "((\n> [^\n]*)+)\n+" "\n\n## Why hosts need it\n\\1\n\n## Usual cause\n\n" text "${text}")
string(REPLACE "\n> " "\n" text "${text}")
string(REGEX REPLACE "\n\n## ([a-z0-9-]+)\n"
  "\n)page\"sv},\n    {\"\\1\", R\"page(# \\1\n\n## What it does\n\n" text "${text}")
string(REGEX REPLACE "^\n\\)page\"sv},\n" "" text "${text}")
file(WRITE "${OUTPUT}" "// Made by embed_pages.cmake.
#include \"check/check_list.h\"

#include <array>

namespace crossfold::check {
namespace {
using std::string_view_literals::operator\"\"sv;  // the compiler need not count the characters
constexpr std::array<PageText, ${n_pages}> kPages{{
${text})page\"sv},
}};
}  // namespace
std::span<const PageText> CheckPages() { return kPages; }
}  // namespace crossfold::check
")
