# cmake -DOUTPUT=file.cpp -DFOLDER=scripts/crossfold -DNAMES=a;b -P embed_scripts.cmake
# Writes the scripts as string literals; init.lua becomes module "crossfold", x.lua "crossfold.x".
set(entries "")
foreach(name IN LISTS NAMES)
  file(READ "${FOLDER}/${name}.lua" text)
  string(FIND "${text}" ")crossfold\"" clash)
  if(NOT clash EQUAL -1)
    message(FATAL_ERROR "cannot embed '${name}.lua': it contains the delimiter")
  endif()
  set(module "crossfold.${name}")
  if(name STREQUAL "init")
    set(module "crossfold")
  endif()
  string(APPEND entries
    "    {\"${module}\", \"@[crossfold]/${name}.lua\", R\"crossfold(${text})crossfold\"sv},\n")
endforeach()
file(WRITE "${OUTPUT}" "// Made by embed_scripts.cmake.
#include \"lua/scripts.h\"

namespace crossfold::lua {
namespace {
using std::string_view_literals::operator\"\"sv;  // the compiler need not count the characters
constexpr EmbeddedScript kScripts[] = {
${entries}};
}  // namespace
std::span<const EmbeddedScript> EmbeddedScripts() { return kScripts; }
}  // namespace crossfold::lua
")
