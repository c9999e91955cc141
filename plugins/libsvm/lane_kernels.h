// The inner loops over dense rows, for several kinds of processors. One body (lane_kernels.inl) is
// compiled for each; the best that the processor has is chosen when it runs. All give the same
// bytes: those that LIBSVM gets from sparse rows, where it adds the products of the entries one by
// one, in the order of the features. Here each lane of a vector does so for a row of its own.
#pragma once

#include <cstddef>
#include <span>

namespace crossfold::bundled {

// Rows that lie side by side, so that one vector takes the same feature of several: feature j of
// row k of a panel is at panel[j * kPanelRows + k].
constexpr std::size_t kPanelRows = 8;
constexpr std::size_t kRowGroup = 4;  // rows that meet a panel together

struct PanelTask {
  const double* panel;
  const double* rows[kRowGroup];
  std::size_t n_features;
  double* to;  // of row r and panel row k: to[r * stride + k]
  std::size_t stride;
};

struct LaneKernels {
  const char* name;
  // The sums of row[j] * panel[j], in the order of j.
  void (*dots)(const PanelTask&);
  // The sums of (row[j] - panel[j])^2, in the order of j.
  void (*squared_distances)(const PanelTask&);
  // values[i] = exp(-gamma * (square + squares[i] - 2 * values[i])), rounded to a float. n is a
  // multiple of kPanelRows.
  void (*rounded_rbf)(double* values, const double* squares, std::size_t n, double square,
                      double gamma);
};

// The kernels that this processor can run, the best first; the last one runs everywhere.
std::span<const LaneKernels* const> SupportedLaneKernels();
inline const LaneKernels& BestLaneKernels() { return *SupportedLaneKernels().front(); }

namespace plain {
extern const LaneKernels kLaneKernels;
}
#if defined(__x86_64__)
namespace avx2 {
extern const LaneKernels kLaneKernels;
}
namespace avx512 {
extern const LaneKernels kLaneKernels;
}
#endif

}  // namespace crossfold::bundled
