package io.kueue4j.examples.controller.seal;

import java.util.Optional;

/**
 * How a controller treats the notes on jobs.
 *
 * @param keys what notes are sealed with; absent if they are neither sealed nor verified, so that
 *     whoever may edit a job can forge them
 * @param acceptsUnsealed whether notes without a seal, or with that of an unknown key, are accepted
 *     of jobs that are there when the controller begins, if all else is right with them
 */
public record Sealing(Optional<SealKeys> keys, boolean acceptsUnsealed) {
  private static final Sealing NONE = new Sealing(Optional.empty(), false);

  /** {@return no seals} */
  public static Sealing none() {
    return NONE;
  }

  /** {@return seals by these keys, and nothing accepted without} */
  public static Sealing with(SealKeys keys) {
    return new Sealing(Optional.of(keys), false);
  }

  /** {@return the same, accepting unsealed notes in the beginning} */
  public Sealing acceptingUnsealed() {
    return new Sealing(keys, true);
  }
}
