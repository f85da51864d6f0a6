# Only for `cimport`: see _classify.pxd.
