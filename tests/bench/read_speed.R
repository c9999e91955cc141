# usage: Rscript read_speed.R FILE THREADS: one line, the seconds of one reading by data.table::fread.
suppressPackageStartupMessages(library(data.table))
arguments <- commandArgs(TRUE)
setDTthreads(as.integer(arguments[2]))
began <- proc.time()[["elapsed"]]
table <- fread(arguments[1], showProgress = FALSE)
elapsed <- proc.time()[["elapsed"]] - began
stopifnot(nrow(table) > 0)
cat(sprintf("%.4f\n", elapsed))
