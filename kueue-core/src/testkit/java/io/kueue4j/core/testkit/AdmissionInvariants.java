package io.kueue4j.core.testkit;

import static com.google.common.collect.ImmutableSortedSet.toImmutableSortedSet;

import com.google.common.collect.ImmutableSortedSet;
import java.util.Arrays;
import java.util.Comparator;
import java.util.SortedSet;

/** Sets of {@link Invariant}s. */
public final class AdmissionInvariants {
  private AdmissionInvariants() {}

  /** {@return all invariants} */
  public static SortedSet<Invariant> all() {
    return ImmutableSortedSet.copyOf(Invariant.values());
  }

  /** {@return the invariants that hold for Kueue and every engine with the same decisions} */
  public static SortedSet<Invariant> parity() {
    return where(false);
  }

  /** {@return the invariants that Kueue does not satisfy} */
  public static SortedSet<Invariant> strict() {
    return where(true);
  }

  private static ImmutableSortedSet<Invariant> where(boolean strict) {
    return Arrays.stream(Invariant.values())
        .filter(invariant -> invariant.isStrict() == strict)
        .collect(toImmutableSortedSet(Comparator.naturalOrder()));
  }
}
