/* How little a move promises, by the network of its situation. In C for the one attribute: the sums
   take half the time with AVX2, which no compiler may use unasked; whole numbers, so the same order. */
#include "order_net.h"

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__has_attribute)
#if __has_attribute(target_clones)
__attribute__((target_clones("avx2", "default")))
#endif
#endif
static int ddz_demerit(int network, const int16_t *facts) {
    const int16_t *weights = DDZ_DIRECT[network];
    int units[DDZ_N_HIDDEN];
    int total = 0, i, j, sum;
    for (i = 0; i < DDZ_N_FACTS; i++) total += weights[i] * facts[i];
    for (j = 0; j < DDZ_N_HIDDEN; j++) {
        weights = DDZ_HIDDEN[network][j];
        sum = 0;
        for (i = 0; i < DDZ_N_FACTS; i++) sum += weights[i] * facts[i];
        units[j] = sum;
    }
    /* Apart from the sums, so that no unit's sign is a branch to be guessed. */
    for (j = 0; j < DDZ_N_HIDDEN; j++) {
        sum = units[j] + DDZ_BIAS[network][j];
        sum = sum > 0 ? sum : 0;
        total += (sum >> DDZ_HIDDEN_SHIFT) * DDZ_OUT[network][j];
    }
    return total >> DDZ_OUT_SHIFT;
}
