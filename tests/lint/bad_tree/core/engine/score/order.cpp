#include "../score/../../analysis/stats/own.h"

template <class Moments>
int Other(const Moments& moments) {
  return moments.Mean() + moments->kMoments;
}

int Orders(score::Order order, Eigen::Order other) {
  return Mean({}) + score::kMoments + CROSSFOLD_ORDERS + ::close(3);
}
