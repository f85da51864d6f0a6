# Only for `cimport`: see _generate.pxd.
