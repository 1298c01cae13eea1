package io.kueue4j.examples.controller.seal;

import java.util.Optional;

/**
 * How a controller treats the notes on jobs.
 *
 * @param keys the keys of seals; empty if notes are neither sealed nor verified, so that everyone
 *     who may edit a job can forge them
 * @param acceptsUnsealed whether notes without a seal of a known key are accepted on jobs that
 *     exist when the controller starts, if they are otherwise correct
 * @param ledger the sequence numbers of outdated notes; if empty, an older note that is put back
 *     while no controller runs is trusted
 */
public record Sealing(
    Optional<SealKeys> keys, boolean acceptsUnsealed, Optional<SequenceLedger> ledger) {
  private static final Sealing NONE = new Sealing(Optional.empty(), false, Optional.empty());

  /** {@return no seals} */
  public static Sealing none() {
    return NONE;
  }

  /** {@return seals with these keys, where unsealed notes are not accepted} */
  public static Sealing with(SealKeys keys) {
    return new Sealing(Optional.of(keys), false, Optional.empty());
  }

  /** {@return this, with notes outdated by their sequence numbers} */
  public Sealing withLedger(SequenceLedger numbers) {
    return new Sealing(keys, acceptsUnsealed, Optional.of(numbers));
  }

  /** {@return this, with unsealed notes accepted at the start} */
  public Sealing acceptingUnsealed() {
    return new Sealing(keys, true, ledger);
  }
}
