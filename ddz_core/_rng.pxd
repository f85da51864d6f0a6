# The core's random numbers: xoshiro256** (Blackman and Vigna, 2018), one state a chunk of work,
# filled from numpy.random.SeedSequence. The stream is part of the library's promise: same seed, same
# numbers, on every machine.

from ddz_core._types cimport uint32_t, uint64_t

cdef struct rng_t:
    uint64_t s[4]

cdef inline uint64_t rotl(uint64_t x, int k) noexcept nogil:
    return (x << k) | (x >> (64 - k))

cdef inline uint64_t next_word(rng_t* rng) noexcept nogil:
    cdef uint64_t result = rotl(rng.s[1] * 5, 7) * 9
    cdef uint64_t t = rng.s[1] << 17
    rng.s[2] ^= rng.s[0]
    rng.s[3] ^= rng.s[1]
    rng.s[1] ^= rng.s[2]
    rng.s[0] ^= rng.s[3]
    rng.s[2] ^= t
    rng.s[3] = rotl(rng.s[3], 45)
    return result

cdef inline uint32_t below(rng_t* rng, uint32_t n) noexcept nogil:
    """Uniform in 0 … n - 1, exactly (Lemire 2019: multiply, and redraw the few biased values)."""
    cdef uint64_t product = (next_word(rng) >> 32) * n
    cdef uint32_t threshold
    if <uint32_t>product < n:
        threshold = (0 - n) % n
        while <uint32_t>product < threshold:
            product = (next_word(rng) >> 32) * n
    return product >> 32
