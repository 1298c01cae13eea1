package io.kueue4j.examples.controller;

import io.kueue4j.examples.controller.seal.SealKeys;
import io.kueue4j.examples.controller.seal.SealSecret;
import io.kueue4j.examples.controller.seal.SealState;
import io.kueue4j.examples.controller.seal.Sealing;
import io.kueue4j.examples.controller.seal.SecretException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The seals of a controller process: reads the Secret with the keys when the process starts, when
 * it becomes the leader, and periodically while it leads. It polls, because a watch would need more
 * permissions.
 *
 * <p>Thread-safe.
 */
final class ControllerSeals {
  private static final Logger LOG = LoggerFactory.getLogger(ControllerSeals.class);
  private static final String RISK =
      "Everyone who may edit a job can forge its note, and so run it without quota";

  private final Optional<SealSecret> secret;
  private final Duration interval;
  private boolean acceptsUnsealed;
  private boolean isMarking;
  private Optional<SealState> state = Optional.empty();
  private @Nullable SealKeys news;

  /**
   * Creates the seals of a process.
   *
   * @param secret the Secret with the keys, empty for no seals
   * @param acceptsUnsealed whether unsealed notes are accepted once
   * @param interval the polling interval
   */
  ControllerSeals(Optional<SealSecret> secret, boolean acceptsUnsealed, Duration interval) {
    this.secret = secret;
    this.acceptsUnsealed = acceptsUnsealed;
    this.interval = interval;
  }

  /**
   * Reads the Secret for the first time, so that a controller that is not the leader reports
   * problems, too.
   */
  void announce() {
    try {
      secret.ifPresent(present -> take(present.look()));
    } catch (SecretException e) {
      // Nothing depends on it before the controller leads; then it is read again.
      LOG.warn(String.valueOf(e.getMessage()));
    }
    if (secret.isEmpty()) {
      warning().ifPresent(text -> LOG.warn(text));
    }
  }

  /**
   * {@return how a new leader treats notes}
   *
   * @throws SecretException if that cannot be determined
   */
  Sealing begin() {
    if (secret.isEmpty()) {
      return Sealing.none();
    }
    SealState found = secret.get().look();
    take(found);
    Sealing sealing = begun(found);
    return found.keys().isPresent() ? sealing.withLedger(secret.get().ledger()) : sealing;
  }

  private synchronized Sealing begun(SealState found) {
    news = null;
    if (acceptsUnsealed && found.unsealedAccepted()) {
      acceptsUnsealed = false;
      LOG.warn(
          "unsealed notes were accepted once, and are not accepted again; to do so nevertheless,"
              + " remove the entry " + SealSecret.ACCEPTED + " from the Secret");
    }
    return new Sealing(found.keys(), acceptsUnsealed && found.keys().isPresent(), Optional.empty());
  }

  /** Polls until the result is closed. Without keys it does nothing. */
  Following follow() {
    return new Following();
  }

  /** Polls until it is closed. */
  final class Following implements AutoCloseable {
    private final ScheduledExecutorService executor =
        Executors.newSingleThreadScheduledExecutor(task -> {
          Thread thread = new Thread(task, "seal-keys");
          thread.setDaemon(true);
          return thread;
        });

    private Following() {
      if (secret.isPresent() && hasKeys()) {
        Future<?> unused = executor.scheduleWithFixedDelay(
            () -> lookAgain(secret.get()),
            interval.toMillis(),
            interval.toMillis(),
            TimeUnit.MILLISECONDS);
      }
    }

    /** {@return the keys if they have changed since the last call, or since the start} */
    Optional<SealKeys> takeKeys() {
      return takeNews();
    }

    @Override
    public void close() {
      executor.shutdownNow();
    }
  }

  private void lookAgain(SealSecret present) {
    try {
      take(present.look());
      if (isMarking()) {
        present.markAccepted();
      }
    } catch (RuntimeException e) {
      // Polling must never end: the next attempt may succeed.
      LOG.warn("the Secret of the seals cannot be looked at", e);
    }
  }

  private synchronized boolean hasKeys() {
    return state.flatMap(SealState::keys).isPresent();
  }

  private synchronized boolean isMarking() {
    return isMarking;
  }

  private synchronized void take(SealState found) {
    Optional<String> before = warning();
    if (state.isPresent() && !found.keys().equals(state.get().keys())) {
      news = found.keys().orElse(null);
      found
          .keys()
          .ifPresent(
              keys -> LOG.info("notes are sealed with key " + keys.current().id()));
    }
    state = Optional.of(found);
    Optional<String> after = warning();
    if (!after.equals(before)) {
      after.ifPresentOrElse(
          LOG::warn,
          () -> LOG.info("notes are sealed, and the Secret with the keys is as it should be"));
    }
  }

  private synchronized Optional<SealKeys> takeNews() {
    Optional<SealKeys> taken = Optional.ofNullable(news);
    news = null;
    return taken;
  }

  /** Records that all notes are sealed with the current key. */
  synchronized void sealed() {
    LOG.info("all notes on jobs are sealed with key "
        + state.flatMap(SealState::keys).map(keys -> keys.current().id()).orElse("")
        + "; no other key is needed any more");
    isMarking |= acceptsUnsealed;
    acceptsUnsealed = false;
  }

  /** {@return a warning for the operator, empty if notes are sealed} */
  synchronized Optional<String> warning() {
    if (secret.isEmpty()) {
      return Optional.of("notes on jobs are not sealed, as no Secret is set. " + RISK);
    }
    Optional<String> problem = state.flatMap(SealState::problem);
    return state.isPresent() && state.get().keys().isEmpty()
        ? Optional.of("notes on jobs are not sealed: " + problem.orElse("") + ". " + RISK)
        : problem;
  }
}
