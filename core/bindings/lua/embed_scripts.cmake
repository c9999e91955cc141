# cmake -DOUTPUT=file.cpp -DFOLDER=scripts/crossfold -DNAMES=a;b -DREFERENCE=docs/lua.md
#   -P embed_scripts.cmake
# Writes the scripts as string literals; init.lua becomes module "crossfold", x.lua "crossfold.x" and
# folder/x.lua "crossfold.folder.x". Module
# "crossfold.reference" is the text of REFERENCE.
set(entries "")
foreach(name IN LISTS NAMES)
  file(READ "${FOLDER}/${name}.lua" text)
  string(FIND "${text}" ")crossfold\"" clash)
  if(NOT clash EQUAL -1)
    message(FATAL_ERROR "cannot embed '${name}.lua': it contains the delimiter")
  endif()
  string(REPLACE "/" "." module "crossfold.${name}")
  if(name STREQUAL "init")
    set(module "crossfold")
  endif()
  string(APPEND entries
    "    {\"${module}\", \"@[crossfold]/${name}.lua\", R\"crossfold(${text})crossfold\"sv},\n")
endforeach()
# What the prompt's help() shows: one source for people and for it.
file(READ "${REFERENCE}" text)
foreach(delimiter ")crossfold\"" "]====]")
  string(FIND "${text}" "${delimiter}" clash)
  if(NOT clash EQUAL -1)
    message(FATAL_ERROR "cannot embed '${REFERENCE}': it contains the delimiter")
  endif()
endforeach()
string(APPEND entries "    {\"crossfold.reference\", \"@[crossfold]/reference.lua\", "
  "R\"crossfold(return [====[\n${text}]====])crossfold\"sv},\n")
file(WRITE "${OUTPUT}" "// Made by embed_scripts.cmake.
#include \"bindings/lua/scripts.h\"

namespace crossfold::lua {
namespace {
using std::string_view_literals::operator\"\"sv;  // the compiler need not count the characters
constexpr EmbeddedScript kScripts[] = {
${entries}};
}  // namespace
std::span<const EmbeddedScript> EmbeddedScripts() { return kScripts; }
}  // namespace crossfold::lua
")
