// The owner of precompiled.h needs a source.
