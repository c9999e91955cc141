#include "engine/plugin/fit_memory.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "unit/engine/plugin/declared_components.h"

namespace crossfold {
namespace {

// A learner that copies its numeric features, and fails for more than 100 rows.
cf_status CF_CALL BytesOfCopies(const cf_call* call, const cf_arg*, std::size_t,
                                const cf_shape* shape, std::uint64_t* bytes) {
  *bytes = static_cast<std::uint64_t>(shape->n_rows * shape->n_numeric * 8 + shape->n_classes) +
           call->n_threads * 1000;
  return shape->n_rows <= 100 ? CF_OK : CF_E_UNSUPPORTED;
}
const cf_cap_fit_memory kTable{sizeof(cf_cap_fit_memory), 0, &BytesOfCopies, nullptr};
const cf_cap_fit_memory kBothTable{sizeof(cf_cap_fit_memory), 0, &BytesOfCopies, &BytesOfCopies};

// `table` may be null.
std::shared_ptr<const Spec> Learner(const cf_cap_fit_memory* table) {
  auto component = std::make_shared<Component>();
  component->id = "test.copies";
  if (table != nullptr) component->capabilities.push_back({CF_CAP_FIT_MEMORY, table});
  return Spec::Make(std::move(component), {});
}

std::shared_ptr<const Dataset> Data() {
  std::vector<Column> columns;
  columns.push_back(Column::Doubles("x", {1, 2}));
  columns.push_back(Column::Integers("i", {1, 2}));
  columns.push_back(Column::Categories("colour", {0, 1}, {"red", "blue"}));
  columns.push_back(Column::Categories("class", {0, 1}, {"a", "b", "c"}));
  return Dataset::Create("d", std::move(columns), {.target = "class"});
}

TEST(FitMemoryTest, ItIsAskedForTheTrainingRowsWithTheFeaturesAndClassesOfTheData) {
  EXPECT_EQ(FitMemory(*Learner(&kTable), *Data(), 50), 50u * 2 * 8 + 3 + 1000);
  EXPECT_EQ(FitMemory(*Learner(&kTable), *Data(), 50, 2), 50u * 2 * 8 + 3 + 2000);
}

TEST(FitMemoryTest, ALearnerThatDoesNotSayOrFailsHasNone) {
  EXPECT_EQ(FitMemory(*Learner(nullptr), *Data(), 50), std::nullopt);
  EXPECT_EQ(FitMemory(*Learner(&kTable), *Data(), 101), std::nullopt);
}

TEST(FitMemoryTest, CrossPredictionHasItsOwn) {
  EXPECT_EQ(CrossMemory(*Learner(&kBothTable), *Data(), 50), 50u * 2 * 8 + 3 + 1000);
  EXPECT_EQ(CrossMemory(*Learner(&kTable), *Data(), 50), std::nullopt);
}

}  // namespace
}  // namespace crossfold
