// The binary layout of the plugin boundary, frozen in layout_v1.txt. A line that changes breaks
// every plugin in the field; a field appended at the end of a struct, and a new constant, are new
// lines at their place.
#include "layout_table.h"

#include <fstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace crossfold::plugin {
namespace {

using TableFunction = const layout_entry* (*)(std::size_t*);
using NamesFunction = const char* const* (*)(std::size_t*);

std::vector<std::string> Lines(TableFunction table, NamesFunction names) {
  std::size_t n = 0;
  std::vector<std::string> lines;
  const layout_entry* entries = table(&n);
  for (std::size_t i = 0; i < n; ++i) {
    const layout_entry& e = entries[i];
    std::string line = e.name + (" " + std::to_string(e.offset));
    if (e.size != 0) line += " " + std::to_string(e.size);
    lines.push_back(line);
  }
  const char* const* ids = names(&n);
  lines.insert(lines.end(), ids, ids + n);
  return lines;
}

std::vector<std::string> FrozenLines() {
  std::ifstream file(CROSSFOLD_LAYOUT_FILE);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

TEST(LayoutTest, C99SeesTheFrozenLayout) {
  EXPECT_THAT(Lines(layout_c99, layout_names_c99), testing::ElementsAreArray(FrozenLines()));
}

TEST(LayoutTest, C11SeesTheFrozenLayout) {
  EXPECT_THAT(Lines(layout_c11, layout_names_c11), testing::ElementsAreArray(FrozenLines()));
}

TEST(LayoutTest, Cxx11SeesTheFrozenLayout) {
  EXPECT_THAT(Lines(layout_cxx11, layout_names_cxx11), testing::ElementsAreArray(FrozenLines()));
}

TEST(LayoutTest, Cxx20SeesTheFrozenLayout) {
  EXPECT_THAT(Lines(layout_cxx20, layout_names_cxx20), testing::ElementsAreArray(FrozenLines()));
}

// A field that is missing in layout_table.c would leave a hole; padding is always named.
TEST(LayoutTest, EveryByteOfEveryStructBelongsToAListedField) {
  std::size_t n = 0;
  const layout_entry* entries = layout_c99(&n);
  std::string owner;
  unsigned long size = 0;
  unsigned long next = 0;
  for (std::size_t i = 0; i < n && entries[i].size != 0; ++i) {
    const std::string name = entries[i].name;
    if (name.find('.') == std::string::npos) {
      EXPECT_EQ(next, size) << "end of " << owner;
      owner = name;
      size = entries[i].size;
      next = 0;
    } else {
      EXPECT_EQ(entries[i].offset, next) << name;
      next = entries[i].offset + entries[i].size;
    }
  }
  EXPECT_EQ(owner, "cf_plugin");
  EXPECT_EQ(next, size);
}

}  // namespace
}  // namespace crossfold::plugin
