// What a shared library asks of the system and offers to it, read from the file: nothing is loaded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "discovery/elf_file.h"

namespace crossfold {

struct LibraryFacts {
  struct Symbol {
    std::string name;
    bool is_unique = false;  // STB_GNU_UNIQUE: one for the whole process
  };
  std::vector<Symbol> exported;        // without those that the linker makes
  std::vector<std::string> needed;     // "libm.so.6"
  std::vector<std::string> run_paths;  // the folders of RPATH and RUNPATH, as they stand
  std::vector<std::string> versions;   // of symbols of needed libraries: "GLIBC_2.34"
  bool has_executable_stack = false;
  bool has_text_relocations = false;

  // The highest of the versions "PREFIX_1.2.3"; "" = there is none.
  std::string HighestVersion(std::string_view prefix) const;
};

struct LibraryReading {
  LibraryFacts facts;   // only if there is no problem
  std::string problem;  // as Defect; empty = read
};

LibraryReading ReadLibraryFacts(std::uint64_t size, const ByteReader& read);
LibraryReading ReadLibraryFacts(std::string_view file);
// Only `needed` and `run_paths`.
LibraryReading ReadLibraryNeeds(std::uint64_t size, const ByteReader& read);

}  // namespace crossfold
