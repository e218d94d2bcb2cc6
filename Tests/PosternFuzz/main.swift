// PosternFuzz TARGET [LIBFUZZER OPTION OR FOLDER]...; run.sh gives the options.
fuzz()
