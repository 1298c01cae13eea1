package io.kueue4j.core.testkit;

import static com.google.common.collect.ImmutableSortedSet.toImmutableSortedSet;

import com.google.common.collect.ImmutableSortedSet;
import java.util.Arrays;
import java.util.Comparator;

/** The {@link Invariant}s in sets. */
public final class AdmissionInvariants {
  private AdmissionInvariants() {}

  /** {@return all} */
  public static ImmutableSortedSet<Invariant> all() {
    return ImmutableSortedSet.copyOf(Invariant.values());
  }

  /** {@return those that hold of Kueue and of every engine that decides as it does} */
  public static ImmutableSortedSet<Invariant> parity() {
    return where(false);
  }

  /** {@return those that are more than Kueue keeps} */
  public static ImmutableSortedSet<Invariant> strict() {
    return where(true);
  }

  private static ImmutableSortedSet<Invariant> where(boolean strict) {
    return Arrays.stream(Invariant.values())
        .filter(invariant -> invariant.isStrict() == strict)
        .collect(toImmutableSortedSet(Comparator.naturalOrder()));
  }
}
