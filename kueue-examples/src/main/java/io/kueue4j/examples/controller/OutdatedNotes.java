package io.kueue4j.examples.controller;

import com.google.common.collect.ImmutableSet;
import io.kueue4j.examples.controller.seal.SecretException;
import io.kueue4j.examples.controller.seal.SequenceLedger;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The notes that are outdated: the notes of a job below a minimum of their sequence number, which
 * the controller stores where tenants cannot write, so that a note that was put back is detected.
 */
final class OutdatedNotes {
  private static final Logger LOG = LoggerFactory.getLogger(OutdatedNotes.class);

  /** The maximum difference of the clocks of controllers. */
  private static final Duration MAX_CLOCK_SKEW = Duration.ofHours(1);

  /** More notes than a controller writes of one job. */
  private static final long MAX_NOTES = 1_000_000;

  private final Optional<SequenceLedger> ledger;
  private final InstantSource clock;

  /** The jobs whose notes are removed when it is stored that they are outdated. */
  private final Set<ObjectKey> toRemove = new LinkedHashSet<>();

  private String problem = "";

  /** Creates one that stores in a ledger; without one no note is outdated. */
  OutdatedNotes(Optional<SequenceLedger> ledger, InstantSource clock) {
    this.ledger = ledger;
    this.clock = clock;
  }

  /** {@return the number below which the notes of a job are outdated, 0 if none are} */
  long minimum(String uid) {
    return uid.isEmpty() ? 0 : ledger.map(numbers -> numbers.minimum(uid)).orElse(0L);
  }

  /** {@return whether it is stored which notes are outdated} */
  boolean isTracked() {
    return ledger.isPresent();
  }

  /**
   * Outdates the notes of a job up to a number.
   *
   * @return whether that is stored already, or is not to be stored; otherwise {@link #takeStored}
   *     returns the job when it is
   */
  boolean outdate(ObjectKey job, String uid, long sequence) {
    boolean isStored = ledger.isEmpty() || uid.isEmpty() || ledger.get().raise(uid, sequence);
    if (!isStored) {
      toRemove.add(job);
    }
    return isStored;
  }

  /** Outdates all notes of a job that a former controller may have written. */
  void outdateAll(String uid) {
    if (ledger.isPresent() && !uid.isEmpty()) {
      // A former controller may have had a clock that was ahead, or may have counted on from the
      // present minimum.
      long sequence = clock.instant().plus(MAX_CLOCK_SKEW).toEpochMilli();
      boolean unused = ledger.get().raise(uid, Math.max(minimum(uid) + MAX_NOTES, sequence));
    }
  }

  /** {@return whether something remains to be stored} */
  boolean isPending() {
    return ledger.filter(SequenceLedger::hasPending).isPresent();
  }

  /** {@return the jobs that waited until it was stored that their notes are outdated} */
  ImmutableSet<ObjectKey> takeStored() {
    ImmutableSet<ObjectKey> waiting = ImmutableSet.copyOf(toRemove);
    toRemove.clear();
    return waiting;
  }

  /**
   * Stores which notes are outdated.
   *
   * @param uids the uids of all jobs that exist
   * @return whether nothing remains to be stored
   */
  boolean flush(Supplier<? extends Collection<String>> uids) {
    if (ledger.isEmpty() || !ledger.get().hasPending()) {
      return true;
    }
    try {
      ledger.get().flush(uids.get());
      problem = "";
      return true;
    } catch (SecretException e) {
      if (!problem.equals(e.getMessage())) {
        problem = String.valueOf(e.getMessage());
        LOG.warn("nothing is decided until it is stored which notes are outdated: " + problem);
      }
      return false;
    }
  }
}
