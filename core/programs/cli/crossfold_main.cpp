// The crossfold program.
#include "programs/cli/program.h"

int main(int argc, char** argv) { return crossfold::cli::RunProgram(argc, argv, {}); }
