// The crossfold program.
#include "cli/program.h"

int main(int argc, char** argv) { return crossfold::cli::RunProgram(argc, argv, {}); }
