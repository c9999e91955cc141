// A program that uses the library, starts itself by fork and exec, where it is used again, and goes
// on using it.
//   fork_exec PLUGIN_FOLDER FILE
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "experiment.h"

int main(int argc, char** argv) {
  if (argc == 4 && std::strcmp(argv[3], "child") == 0) {
    return Session(Linked(), argv[1]).Run(argv[2]).size() == 40 ? 0 : 1;
  }
  return Report([&] {
    Demand(argc == 3, "two arguments are needed");
    Session session(Linked(), argv[1]);
    const std::vector<double> first = session.Run(argv[2]);
    const pid_t child = fork();
    if (child == 0) {
      execl("/proc/self/exe", argv[0], argv[1], argv[2], "child", static_cast<char*>(nullptr));
      _exit(127);
    }
    Demand(child > 0, "fork failed");
    int status = -1;
    waitpid(child, &status, 0);
    Demand(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child failed");
    Demand(session.Run(argv[2]) == first, "the numbers differ after fork");
  });
}
