package io.kueue4j.core.decision;

import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the remedies for one workload on demand. Thread-safe.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface RemedySource {
  /** {@return the first of {@link #all}, without computing the others} */
  default Optional<Remedy> first() {
    return all().stream().findFirst();
  }

  /** {@return the smallest remedy of each kind, in the order of {@link RemedyKind}} */
  List<Remedy> all();

  /** {@return a source without remedies} */
  static RemedySource none() {
    return ImmutableList::of;
  }
}
