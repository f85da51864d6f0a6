from Cython.Build import cythonize
from setuptools import setup

setup(
    name="counter",
    ext_modules=cythonize("counter.pyx", compiler_directives={"language_level": 3}),
)
