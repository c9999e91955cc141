#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "crossfold/dataset.h"
#include "engine/data/sha256.h"

namespace crossfold {
namespace {

std::string HashOf(std::vector<Column> columns, const Roles& roles = {}) {
  return Dataset::Create("data", std::move(columns), roles)->content_hash();
}

// Computed with Python 3.11, hashlib and struct, from the encoding in engine/data/content_hash.h.
TEST(ContentHashTest, IsTheDocumentedOne) {
  EXPECT_EQ(HashOf({Column::Doubles("x", {0.5, NAN, -2}),
                    Column::Integers("n", {-7, std::int64_t{1} << 40, 99}, {true, true, false}),
                    Column::Booleans("flag", {true, false, true}),
                    Column::Categories("class", {1, 0, 1}, {"no", "yes"})},
                   {.target = "class"}),
            "90782f27ea90c3b46f0da6fb76bbb8a733eb5ad5126dfbaa7f73081a42cc798d");
}

// Computed in the same way: entries are hashed in blocks of fewer rows.
TEST(ContentHashTest, IsTheDocumentedOneOfManyRows) {
  std::vector<double> x;
  std::vector<std::int32_t> codes;
  for (int row = 0; row < 20000; ++row) {
    x.push_back(row % 1000 == 7 ? NAN : row / 4.0);
    codes.push_back(row % 3 % 2);
  }
  EXPECT_EQ(HashOf({Column::Doubles("x", x), Column::Categories("c", codes, {"no", "yes"})},
                   {.target = "c"}),
            "0bea16629c4670175b74e4fba876b00939ff4a90f0e783a4af84963fa359f4e4");
}

TEST(ContentHashTest, TheNameOfTheDatasetDoesNotMatter) {
  const auto a = Dataset::Create("a", {Column::Doubles("x", {1})}, {});
  const auto b = Dataset::Create("b", {Column::Doubles("x", {1})}, {});
  EXPECT_EQ(a->content_hash(), b->content_hash());
}

TEST(ContentHashTest, EveryFormOfMissingIsTheSame) {
  const double values[] = {1, 7};
  const std::uint8_t bitmap = 0b01;
  Column lent;
  lent.name = "x";
  lent.n_rows = 2;
  lent.data = values;
  lent.validity = &bitmap;
  const std::string hash = HashOf({Column::Doubles("x", {1, NAN})});
  EXPECT_EQ(HashOf({lent}), hash);
  EXPECT_EQ(HashOf({Column::Doubles("x", {1, std::copysign(NAN, -1.0)})}), hash);

  EXPECT_EQ(HashOf({Column::Integers("n", {5}, {false})}),
            HashOf({Column::Integers("n", {6}, {false})}));
}

TEST(ContentHashTest, ABitmapWithoutGapsIsLikeNone) {
  const double value = 1;
  const std::uint8_t bitmap = 0b1000;
  Column lent;
  lent.name = "x";
  lent.n_rows = 1;
  lent.data = &value;
  lent.validity = &bitmap;
  lent.validity_offset = 3;
  EXPECT_EQ(HashOf({lent}), HashOf({Column::Doubles("x", {1})}));
}

TEST(ContentHashTest, MissingIsNotZero) {
  EXPECT_NE(HashOf({Column::Doubles("x", {NAN})}), HashOf({Column::Doubles("x", {0})}));
}

TEST(ContentHashTest, BothZerosAreTheSame) {
  EXPECT_EQ(HashOf({Column::Doubles("x", {-0.0})}), HashOf({Column::Doubles("x", {0.0})}));
  EXPECT_EQ(HashOf({Column::Floats("x", {-0.0F})}), HashOf({Column::Floats("x", {0.0F})}));
}

TEST(ContentHashTest, OneCellChangesIt) {
  EXPECT_NE(HashOf({Column::Doubles("x", {1, 2})}),
            HashOf({Column::Doubles("x", {1, std::nextafter(2.0, 3.0)})}));
  EXPECT_NE(HashOf({Column::Categories("c", {0, 1}, {"a", "b"})}),
            HashOf({Column::Categories("c", {0, 0}, {"a", "b"})}));
}

TEST(ContentHashTest, TheOrderOfRowsChangesIt) {
  EXPECT_NE(HashOf({Column::Doubles("x", {1, 2})}), HashOf({Column::Doubles("x", {2, 1})}));
}

TEST(ContentHashTest, NamesAndTheirOrderChangeIt) {
  const Column x = Column::Doubles("x", {1}), y = Column::Doubles("y", {1});
  EXPECT_NE(HashOf({x}), HashOf({y}));
  EXPECT_NE(HashOf({x, y}), HashOf({y, x}));
}

TEST(ContentHashTest, LevelsAndTheirOrderChangeIt) {
  const std::string hash = HashOf({Column::Categories("c", {0, 0}, {"a", "b"})});
  EXPECT_NE(HashOf({Column::Categories("c", {0, 0}, {"a", "B"})}), hash);
  EXPECT_NE(HashOf({Column::Categories("c", {0, 0}, {"b", "a"})}), hash);
  EXPECT_NE(HashOf({Column::Categories("c", {0, 0}, {"a"})}), hash);
  Column ordered = Column::Categories("c", {0, 0}, {"a", "b"});
  ordered.ordered = true;
  EXPECT_NE(HashOf({ordered}), hash);
}

TEST(ContentHashTest, TheTypeChangesIt) {
  EXPECT_NE(HashOf({Column::Doubles("x", {1})}), HashOf({Column::Floats("x", {1})}));
  EXPECT_NE(HashOf({Column::Integers("x", {1})}), HashOf({Column::Integers32("x", {1})}));
}

TEST(ContentHashTest, RolesChangeIt) {
  const Column x = Column::Integers("x", {1, 2}), y = Column::Integers("y", {1, 2});
  const std::string hash = HashOf({x, y});
  EXPECT_NE(HashOf({x, y}, {.target = "x"}), hash);
  EXPECT_NE(HashOf({x, y}, {.target = "x"}), HashOf({x, y}, {.target = "y"}));
  EXPECT_NE(HashOf({x, y}, {.groups = "x"}), HashOf({x, y}, {.folds = "x"}));
}

// FIPS 180-4, example computations of NIST.
constexpr const char* kAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr const char* kEmpty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

TEST(Sha256Test, MeetsTheVectorsOfTheStandard) {
  EXPECT_EQ(ToHex(Sha256Of("abc")), kAbc);
  EXPECT_EQ(ToHex(Sha256Of("")), kEmpty);
  EXPECT_EQ(ToHex(Sha256Of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(Sha256Test, PortionsDoNotMatter) {
  Sha256 hash;
  hash.Add("a", 1);
  hash.Add("", 0);
  hash.Add("bc", 2);
  EXPECT_EQ(ToHex(hash.Finish()), kAbc);
}

TEST(Sha256Test, IntegersAreEightBytesFromTheLowest) {
  Sha256 hash;
  hash.AddInteger(0x0102030405060708U);
  EXPECT_EQ(hash.Finish(), Sha256Of("\x08\x07\x06\x05\x04\x03\x02\x01"));
}

TEST(Sha256Test, TextsCarryTheirLength) {
  Sha256 hash;
  hash.AddText("abc");
  EXPECT_EQ(hash.Finish(), Sha256Of(std::string("\x03\0\0\0\0\0\0\0abc", 11)));
}

}  // namespace
}  // namespace crossfold
