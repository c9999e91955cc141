# cmake -DOUTPUT=file.cpp -DFOLDER=sdk/templates -DNAMES=any/c/README.md;... -P embed_templates.cmake
# Writes the files, KINDS/LANGUAGES/PATH or KINDS/LANGUAGES/PATH=FILE each, as string literals.
set(entries "")
foreach(name IN LISTS NAMES)
  string(REGEX REPLACE "^.*=" "" file "${name}")
  string(REGEX REPLACE "=.*$" "" name "${name}")
  file(READ "${FOLDER}/${file}" text)
  string(FIND "${text}" ")template\"" clash)
  if(NOT clash EQUAL -1)
    message(FATAL_ERROR "cannot embed '${name}': it contains the delimiter")
  endif()
  string(REGEX MATCH "^([^/]+)/([^/]+)/(.+)$" parts "${name}")
  string(APPEND entries "    {\"${CMAKE_MATCH_1}\", \"${CMAKE_MATCH_2}\", \"${CMAKE_MATCH_3}\", "
    "R\"template(${text})template\"sv},\n")
endforeach()
file(WRITE "${OUTPUT}" "// Made by embed_templates.cmake.
#include \"programs/plugin/new_project.h\"

namespace crossfold::cli {
namespace {
using std::string_view_literals::operator\"\"sv;  // the compiler need not count the characters
constexpr ProjectTemplate kTemplates[] = {
${entries}};
}  // namespace
std::span<const ProjectTemplate> ProjectTemplates() { return kTemplates; }
}  // namespace crossfold::cli
")
