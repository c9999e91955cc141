#include <vector>

namespace crossfold::score {
struct Moments {
  std::vector<double> sums;
};
double Mean(const Moments& moments);
constexpr int kMoments = 4;
enum class Order { kFirst };
#define CROSSFOLD_ORDERS 2
}  // namespace crossfold::score
