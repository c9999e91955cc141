// A program that loads libcrossfold.so, uses it on a thread, unloads it while that thread and an
// object are still there, goes on, loads it again, and ends.
//   late_unload LIBRARY PLUGIN_FOLDER FILE
#include <atomic>
#include <memory>
#include <thread>

#include "experiment.h"

int main(int argc, char** argv) {
  return Report([&] {
    Demand(argc == 4, "three arguments are needed");
    const std::string plugins = argv[2], file = argv[3];
    void* handle = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    Demand(handle != nullptr, handle == nullptr ? dlerror() : "");
    auto session = std::make_unique<Session>(LibraryIn(handle), plugins);
    std::vector<double> first;
    std::atomic<bool> used{false}, unloaded{false};
    // Its thread-local things are destroyed after dlclose.
    std::thread user([&] {
      first = session->Run(file);
      used = true;
      while (!unloaded) std::this_thread::yield();
    });
    while (!used) std::this_thread::yield();
    Demand(dlclose(handle) == 0, "dlclose failed");
    unloaded = true;
    user.join();
    Demand(session->Run(file) == first, "an object of an unloaded library is of no use");
    session.reset();

    handle = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    Demand(handle != nullptr, "it cannot be loaded again");
    Demand(Session(LibraryIn(handle), plugins).Run(file) == first, "the numbers differ");
    Demand(dlclose(handle) == 0, "dlclose failed");
  });
}
