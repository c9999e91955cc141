#include <boost/math/distributions/normal.hpp>
#include <boost/dll/shared_library.hpp>
#include <boost/any.hpp>
