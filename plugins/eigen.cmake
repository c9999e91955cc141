# use_eigen(PLUGIN): Eigen's headers for a plugin, as a system library (no warnings), without its
# threads and without its parts under the LGPL.
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
function(use_eigen plugin)
  target_link_libraries(${plugin} PRIVATE Eigen3::Eigen)
  target_compile_definitions(${plugin} PRIVATE EIGEN_DONT_PARALLELIZE EIGEN_MPL2_ONLY)
endfunction()

# use_matrices(PLUGIN): use_eigen, and what matrices.h declares.
function(use_matrices plugin)
  use_eigen(${plugin})
  target_link_libraries(${plugin} PRIVATE bundled_matrices)
endfunction()
