package io.kueue4j.core.decision;

import com.google.common.collect.ImmutableList;
import java.util.Optional;

/**
 * Finds the remedies for one workload on demand. Thread-safe.
 *
 * @since 0.1.0
 */
public interface RemedySource {
  /** {@return the first of {@link #all}, without computing the others} */
  Optional<Remedy> first();

  /** {@return the smallest remedy of each kind, in the order of {@link RemedyKind}} */
  ImmutableList<Remedy> all();

  /** {@return a source without remedies} */
  static RemedySource none() {
    return new RemedySource() {
      @Override
      public Optional<Remedy> first() {
        return Optional.empty();
      }

      @Override
      public ImmutableList<Remedy> all() {
        return ImmutableList.of();
      }
    };
  }
}
