# Reads a file of numbers with data.table. usage: Rscript fread.R DATA.csv THREADS
suppressMessages(library(data.table))
arguments <- commandArgs(trailingOnly = TRUE)
setDTthreads(as.integer(arguments[2]))
began <- Sys.time()
data <- fread(arguments[1])
cat(sprintf("seconds %.9f\n", as.numeric(difftime(Sys.time(), began, units = "secs"))))
cat(sprintf("score rows all %d\n", nrow(data)))
for (name in names(data)) cat(sprintf("score mean %s %.17g\n", name, mean(data[[name]])))
