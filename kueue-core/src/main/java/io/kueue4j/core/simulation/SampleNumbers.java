package io.kueue4j.core.simulation;

/**
 * Uniformly distributed numbers for Monte Carlo samples that depend on nothing but a seed and on
 * what they are for: a number does not depend on how many others were taken before it, so that runs
 * which differ in one respect have all other numbers in common. Immutable.
 *
 * <p>Counter-based: each number is the finalizer of SplitMix64 (Steele, Lea and Flood, "Fast
 * splittable pseudorandom number generators", OOPSLA 2014; constants of variant 13 by Stafford)
 * applied to a key and an index. Equal on every JVM.
 *
 * @param key chooses the numbers
 */
record SampleNumbers(long key) {
  private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;
  private static final double UNIT = 0x1p-53;

  /** {@return the numbers of a seed} */
  static SampleNumbers of(long seed) {
    return new SampleNumbers(mix(seed + GOLDEN_GAMMA));
  }

  /** {@return other numbers, for the part with that index} */
  SampleNumbers part(long index) {
    return new SampleNumbers(mix(key ^ mix(index + GOLDEN_GAMMA)));
  }

  /** {@return the number with that index, more than 0 and less than 1} */
  double uniform(long index) {
    return ((mix(key + (index + 1) * GOLDEN_GAMMA) >>> 11) + 0.5) * UNIT;
  }

  /** {@return the number with that index, exponentially distributed with mean 1} */
  double exponential(long index) {
    return -StrictMath.log(uniform(index));
  }

  /**
   * {@return the number with that index, with the standard normal distribution} It comes from the
   * uniformly distributed ones of twice the index and of the next one (Box and Muller, 1958).
   */
  double normal(long index) {
    double radius = Math.sqrt(2 * exponential(2 * index));
    return radius * StrictMath.cos(2 * Math.PI * uniform(2 * index + 1));
  }

  private static long mix(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
