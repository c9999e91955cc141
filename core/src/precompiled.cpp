// Owners of precompiled headers need a source.
