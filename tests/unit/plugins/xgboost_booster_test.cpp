// The wrapping of XGBoost's C interface inside the plugin xgboost.
#include <gtest/gtest.h>

#include <string>

#include "plugins/xgboost/booster.h"

namespace crossfold::bundled::xgb {
namespace {

TEST(XgboostBoosterTest, AComplaintIsTheFirstLineWithoutItsPlace) {
  EXPECT_EQ(Complaint("[12:00:00] ./src/a.cc:1: Check failed: x > 0 \nStack trace:\n  [bt] (0)"),
            "Check failed: x > 0");
  EXPECT_EQ(Complaint("[12:00:00] ./include/json.h:81: Invalid cast"), "Invalid cast");
  EXPECT_EQ(Complaint("std::bad_alloc"), "std::bad_alloc");
  EXPECT_EQ(Complaint("["), "[");
}

// What the checksum of a saved model keeps away from the library is an error there too.
TEST(XgboostBoosterTest, ForeignBytesBecomeAnError) {
  for (const std::string& bytes :
       {std::string("garbage"), std::string(R"({"a":1})"), std::string(100, '\0'), std::string()}) {
    try {
      Booster::FromBytes(bytes);
      FAIL() << bytes;
    } catch (const plugin::Error& e) {
      EXPECT_EQ(e.code(), CF_E_BAD_BLOB);
      EXPECT_TRUE(std::string(e.what()).starts_with("xgboost: ")) << e.what();
    }
  }
}

TEST(XgboostBoosterTest, AParameterThatTheLibraryRefusesBecomesAnErrorInItsWords) {
  const float row[] = {1, 2};
  Rows rows(row, 2, 1);
  rows.Set("label", row);
  Booster booster(rows);
  booster.Set("max_depth", "-3");  // looked at when training starts
  try {
    booster.AddRound(0, rows);
    FAIL();
  } catch (const plugin::Error& e) {
    EXPECT_EQ(std::string(e.what()),
              "xgboost: value -3 for Parameter max_depth should be greater equal to 0");
  }
}

}  // namespace
}  // namespace crossfold::bundled::xgb
