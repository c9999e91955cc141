// Every check has a page, and every page is about a check.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "check/check_list.h"
#include "crossfold/error.h"
#include "crossfold/plugin_check.h"

namespace crossfold {
namespace {

TEST(CheckPagesTest, EveryCheckHasAPageAndEveryPageACheck) {
  std::set<std::string> checks, pages;
  for (const CheckDescription& check : KnownChecks()) checks.insert(check.name);
  for (const check::PageText& page : check::CheckPages()) pages.emplace(page.name);
  EXPECT_EQ(pages, checks);
}

TEST(CheckPagesTest, APageSaysWhatIsDoneWhyAndWhatTheCauseMayBe) {
  for (const check::PageText& page : check::CheckPages()) {
    const std::string text(page.text), name(page.name);
    EXPECT_EQ(text.substr(0, text.find('\n')), "# " + name);
    std::size_t place = 0;
    for (const std::string heading :
         {"\n## What it does\n", "\n## Why hosts need it\n", "\n## Usual cause\n"}) {
      place = text.find(heading, place);
      EXPECT_NE(place, std::string::npos) << name << ": no heading" << heading;
      if (place == std::string::npos) break;
    }
  }
}

TEST(CheckPagesTest, AnUnknownNameIsRefusedWithTheNearest) {
  EXPECT_THAT(CheckPage("fit-smoke"), testing::StartsWith("# fit-smoke\n"));
  try {
    CheckPage("fit-smok");
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                testing::StartsWith("cannot explain check 'fit-smok': there is no such check; did "
                                    "you mean 'fit-smoke'? known: "));
  }
}

}  // namespace
}  // namespace crossfold
