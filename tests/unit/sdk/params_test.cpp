#include "crossfold_plugin/params.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace crossfold::plugin {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

enum class Distance { kManhattan, kEuclidean };
constexpr std::array<const char*, 2> kDistanceNames = {"manhattan", "euclidean"};

struct AllKinds {
  std::int64_t k = 5;
  double power = 0.5;
  bool scale = true;
  Distance distance = Distance::kEuclidean;
  std::string label = "a label too long for any small-string buffer";
  std::vector<std::int64_t> sizes = {10, 20};
  std::vector<double> shares = {0.25};
  std::optional<std::int64_t> depth;
  std::optional<double> floor = 1.25;
};

constexpr auto kSchema =
    Schema(Integer("k", &AllKinds::k, {.low = 1, .high = 99}, "Neighbours.",
                   {.flags = CF_PF_SUBMODEL, .unit = "rows"}),
           Real("power", &AllKinds::power, {.low = 0, .high = 8}, "Exponent.",
                {.flags = CF_PF_LO_OPEN, .active_if = "distance=manhattan"}),
           Boolean("scale", &AllKinds::scale, "Scaled."),
           Choice("distance", &AllKinds::distance, kDistanceNames, "Distance."),
           Text("label", &AllKinds::label, "Label."),
           IntegerList("sizes", &AllKinds::sizes, {.low = 0}, "Sizes."),
           RealList("shares", &AllKinds::shares, {.low = 0, .high = 1}, "Shares."),
           Integer("depth", &AllKinds::depth, {.low = 0}, "Depth."),
           Real("floor", &AllKinds::floor, {}, "Floor."));

const auto& Tables() {
  static const internal::ParamTables<AllKinds, std::remove_cv_t<decltype(kSchema)>> tables(kSchema);
  return tables;
}

const cf_param& Param(std::size_t index) { return *Tables().data()[index]; }

// The arguments a host would pass if nothing was given.
std::vector<cf_arg> DeclaredDefaults() {
  std::vector<cf_arg> args;
  for (std::size_t i = 0; i < Tables().size(); ++i) args.push_back({Param(i).name, Param(i).def});
  return args;
}

TEST(ParamsTest, EveryMemberIsDeclaredInOrderWithItsType) {
  std::vector<std::string> names;
  std::vector<std::int32_t> types;
  for (std::size_t i = 0; i < Tables().size(); ++i) {
    names.emplace_back(Param(i).name);
    types.push_back(Param(i).type);
    EXPECT_EQ(Param(i).struct_size, sizeof(cf_param));
    EXPECT_EQ(Param(i).def.type, Param(i).type);
  }
  EXPECT_THAT(names, ElementsAre("k", "power", "scale", "distance", "label", "sizes", "shares",
                                 "depth", "floor"));
  EXPECT_THAT(types, ElementsAre(CF_P_INT, CF_P_REAL, CF_P_BOOL, CF_P_CHOICE, CF_P_STRING,
                                 CF_P_INT_LIST, CF_P_REAL_LIST, CF_P_INT, CF_P_REAL));
}

TEST(ParamsTest, DefaultsAreTheMemberInitialisers) {
  EXPECT_EQ(Param(0).def.u.i, 5);
  EXPECT_EQ(Param(1).def.u.r, 0.5);
  EXPECT_EQ(Param(2).def.u.i, 1);
  EXPECT_EQ(Param(3).def.u.i, 1);
  EXPECT_STREQ(Param(4).def.u.s.p, "a label too long for any small-string buffer");
  EXPECT_EQ(Param(4).def.u.s.n, 44u);
  EXPECT_EQ(Param(5).def.u.il.n, 2u);
  EXPECT_EQ(Param(5).def.u.il.p[1], 20);
  EXPECT_EQ(Param(6).def.u.rl.n, 1u);
  EXPECT_EQ(Param(6).def.u.rl.p[0], 0.25);
}

TEST(ParamsTest, AnOptionalMemberIsNullableAndItsDefaultMayBeNone) {
  EXPECT_EQ(Param(7).flags, CF_PF_NULLABLE);
  EXPECT_EQ(Param(7).def.is_null, 1);
  EXPECT_EQ(Param(8).flags, CF_PF_NULLABLE);
  EXPECT_EQ(Param(8).def.is_null, 0);
  EXPECT_EQ(Param(8).def.u.r, 1.25);
}

TEST(ParamsTest, RangesFlagsUnitsAndConditionsAreCopied) {
  EXPECT_EQ(Param(0).ilo, 1);
  EXPECT_EQ(Param(0).ihi, 99);
  EXPECT_EQ(Param(0).flags, CF_PF_SUBMODEL);
  EXPECT_STREQ(Param(0).unit, "rows");
  EXPECT_EQ(Param(0).active_if, nullptr);
  EXPECT_EQ(Param(1).lo, 0.0);
  EXPECT_EQ(Param(1).hi, 8.0);
  EXPECT_EQ(Param(1).flags, CF_PF_LO_OPEN);
  EXPECT_STREQ(Param(1).active_if, "distance=manhattan");
  EXPECT_EQ(Param(1).unit, nullptr);
  EXPECT_EQ(Param(3).n_choices, 2u);
  EXPECT_STREQ(Param(3).choices[0], "manhattan");
  EXPECT_TRUE(std::isinf(Param(8).hi));
}

TEST(ParamsTest, TheDefaultArgumentsLoadTheDefaultStruct) {
  const auto args = DeclaredDefaults();
  const auto p = internal::LoadParams<AllKinds>(kSchema, args.data(), args.size());
  EXPECT_EQ(p.k, 5);
  EXPECT_EQ(p.power, 0.5);
  EXPECT_TRUE(p.scale);
  EXPECT_EQ(p.distance, Distance::kEuclidean);
  EXPECT_EQ(p.label, "a label too long for any small-string buffer");
  EXPECT_THAT(p.sizes, ElementsAre(10, 20));
  EXPECT_THAT(p.shares, ElementsAre(0.25));
  EXPECT_EQ(p.depth, std::nullopt);
  EXPECT_EQ(p.floor, 1.25);
}

TEST(ParamsTest, GivenArgumentsReplaceEveryDefault) {
  auto args = DeclaredDefaults();
  args[0].value.u.i = 7;
  args[1].value.u.r = 2;
  args[2].value.u.i = 0;
  args[3].value.u.i = 0;
  args[4].value.u.s = {"b", 1};
  args[5].value.u.il = {nullptr, 0};
  const std::array<double, 2> shares = {0.5, 1.0};
  args[6].value.u.rl = {shares.data(), shares.size()};
  args[7].value.is_null = 0;
  args[7].value.u.i = 3;
  args[8].value = cf_value{};
  args[8].value.type = CF_P_REAL;
  args[8].value.is_null = 1;
  const auto p = internal::LoadParams<AllKinds>(kSchema, args.data(), args.size());
  EXPECT_EQ(p.k, 7);
  EXPECT_EQ(p.power, 2.0);
  EXPECT_FALSE(p.scale);
  EXPECT_EQ(p.distance, Distance::kManhattan);
  EXPECT_EQ(p.label, "b");
  EXPECT_THAT(p.sizes, IsEmpty());
  EXPECT_THAT(p.shares, ElementsAre(0.5, 1.0));
  EXPECT_EQ(p.depth, 3);
  EXPECT_EQ(p.floor, std::nullopt);
}

TEST(ParamsTest, AWrongNumberOfArgumentsIsRefused) {
  const auto args = DeclaredDefaults();
  try {
    internal::LoadParams<AllKinds>(kSchema, args.data(), 2);
    FAIL() << "loaded two of nine parameters";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), CF_E_INVALID_ARGUMENT);
    EXPECT_STREQ(e.what(), "expected 9 parameters, got 2");
  }
}

TEST(ParamsTest, NoParametersMakeANullTable) {
  const internal::ParamTables<NoParams, std::remove_cv_t<decltype(kNoSchema)>> tables(kNoSchema);
  EXPECT_EQ(tables.data(), nullptr);
  EXPECT_EQ(tables.size(), 0u);
  internal::LoadParams<NoParams>(kNoSchema, nullptr, 0);
}

struct WithObject {
  std::string settings = "{}";
};

TEST(ParamsTest, AnObjectIsAStringWithABitThatHostsMayIgnore) {
  constexpr auto kObject =
      Schema(Object("settings", &WithObject::settings, "Settings.", {.flags = CF_PF_PREPARE}));
  const internal::ParamTables<WithObject, std::remove_cv_t<decltype(kObject)>> tables(kObject);
  const cf_param& param = *tables.data()[0];
  EXPECT_EQ(param.type, CF_P_STRING);
  EXPECT_EQ(param.flags, CF_PF_OBJECT | CF_PF_PREPARE);
  EXPECT_EQ(CF_PF_OBJECT & ~CF_MAY_BE_IGNORED, 0u);
  EXPECT_STREQ(param.def.u.s.p, "{}");
}

}  // namespace
}  // namespace crossfold::plugin
