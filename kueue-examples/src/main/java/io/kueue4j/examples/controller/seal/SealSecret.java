package io.kueue4j.examples.controller.seal;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Keeps the keys of seals in a Secret that all controllers of a cluster share.
 *
 * <p>A missing key is created, and stored before it is used. A Secret that has lost its keys while
 * this object knows them gets them back. A Secret that contains anything other than keys is never
 * overwritten.
 *
 * <p>To rotate, an administrator moves {@code current} to {@code previous}: the next look creates a
 * new {@code current}. Thread-safe.
 */
public final class SealSecret {
  /** The entry of the key that seals. */
  public static final String CURRENT = "current";

  /** The entry of the key that only verifies. */
  public static final String PREVIOUS = "previous";

  /** The entry with the time when unsealed notes were accepted. */
  public static final String ACCEPTED = "unsealed-notes-accepted";

  private static final int ATTEMPTS = 10;

  private final SecretStore store;
  private final SecureRandom random;
  private final InstantSource clock;
  private Optional<SealKeys> known = Optional.empty();
  private boolean accepted;

  /** Creates an instance that has not read the Secret yet. */
  public SealSecret(SecretStore store, SecureRandom random, InstantSource clock) {
    this.store = store;
    this.random = random;
    this.clock = clock;
  }

  /**
   * Reads the Secret, and creates what is missing. If that fails, known keys stay valid.
   *
   * @throws SecretException if no keys are known and it is unclear whether there are any: the
   *     server does not answer, or the Secret is unusable
   */
  public synchronized SealState look() {
    try {
      read();
      return state(Optional.empty());
    } catch (SecretException e) {
      if (known.isPresent()) {
        return state(Optional.of(e.getMessage() + "; the controller goes on with the keys that it"
            + " has read before (" + known.get().ids() + ")"));
      }
      if (e.reason() == SecretException.Reason.FORBIDDEN) {
        return state(Optional.of(String.valueOf(e.getMessage())));
      }
      throw e;
    }
  }

  /**
   * {@return the sequence numbers of outdated notes in this Secret}
   *
   * @throws SecretException if they cannot be read
   */
  public SequenceLedger ledger() {
    return SequenceLedger.read(store);
  }

  private SealState state(Optional<String> problem) {
    return new SealState(known, problem, accepted);
  }

  private void read() {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        Optional<Secret> found = store.get();
        Secret secret = found.isEmpty() ? create() : completed(found.get());
        known = Optional.of(keys(secret));
        accepted = data(secret).containsKey(ACCEPTED);
        return;
      } catch (SecretException e) {
        if (e.reason() != SecretException.Reason.CONFLICT) {
          throw e;
        }
        // Another controller was faster; its result is used.
      }
    }
    throw new SecretException(
        SecretException.Reason.UNAVAILABLE,
        "Secret " + store + " could not be written in " + ATTEMPTS + " attempts: each time it had"
            + " changed, or its namespace does not exist");
  }

  private Secret create() {
    try {
      return store.create(
          new SecretBuilder().withType("Opaque").withData(entries(firstKeys())).build());
    } catch (SecretException e) {
      throw explained(
          e,
          "Secret " + store + " does not exist, and the controller may not create it."
              + " Create it empty (kubectl create secret generic), with the right to get and update it"
              + " as in rbac.yaml");
    }
  }

  /** {@return the Secret with a key that seals, as stored} */
  private Secret completed(Secret secret) {
    Map<String, String> data = data(secret);
    if (data.containsKey(CURRENT)) {
      return secret;
    }
    SealKeys wanted = data.containsKey(PREVIOUS)
        ? new SealKeys(SealKey.random(random), Optional.of(key(data, PREVIOUS)))
        : firstKeys();
    Map<String, String> now = new LinkedHashMap<>(data);
    now.putAll(entries(wanted));
    try {
      return store.replace(new SecretBuilder(secret).withData(now).build());
    } catch (SecretException e) {
      throw explained(
          e,
          "Secret " + store + " lacks a key, and the controller may not put one in."
              + " Grant it the right to update that Secret, as in rbac.yaml");
    }
  }

  private static SecretException explained(SecretException failure, String message) {
    return failure.reason() == SecretException.Reason.FORBIDDEN
        ? new SecretException(failure.reason(), message, failure)
        : failure;
  }

  /** {@return the keys for a Secret without any: its former ones, if they are known} */
  private SealKeys firstKeys() {
    return known.orElseGet(() -> SealKeys.of(SealKey.random(random)));
  }

  private static Map<String, String> entries(SealKeys keys) {
    Map<String, String> entries = new LinkedHashMap<>();
    entries.put(CURRENT, keys.current().toBase64());
    keys.previous().ifPresent(key -> entries.put(PREVIOUS, key.toBase64()));
    return entries;
  }

  private SealKeys keys(Secret secret) {
    Map<String, String> data = data(secret);
    return new SealKeys(
        key(data, CURRENT),
        data.containsKey(PREVIOUS) ? Optional.of(key(data, PREVIOUS)) : Optional.empty());
  }

  private SealKey key(Map<String, String> data, String entry) {
    try {
      return SealKey.ofBase64(Objects.requireNonNullElse(data.get(entry), ""));
    } catch (IllegalArgumentException e) {
      throw new SecretException(
          SecretException.Reason.UNUSABLE,
          "Secret " + store + ": data." + entry + " is no key: " + e.getMessage() + ". Put the key"
              + " back; if it is lost, remove the entry " + entry + ": then jobs whose notes were"
              + " sealed with it are stopped and queued again",
          e);
    }
  }

  private static Map<String, String> data(Secret secret) {
    return Objects.requireNonNullElse(secret.getData(), Map.of());
  }

  /**
   * Records in the Secret that unsealed notes were accepted, so that no later start accepts any.
   *
   * @return whether that is recorded now; if not, try again
   */
  @CanIgnoreReturnValue
  public synchronized boolean markAccepted() {
    if (accepted) {
      return true;
    }
    try {
      Optional<Secret> secret = store.get();
      if (secret.isPresent()) {
        Map<String, String> data = new LinkedHashMap<>(data(secret.get()));
        data.put(
            ACCEPTED,
            Base64.getEncoder().encodeToString(clock.instant().toString().getBytes(UTF_8)));
        store.replace(new SecretBuilder(secret.get()).withData(data).build());
        accepted = true;
      }
    } catch (SecretException e) {
      // Tried again at the next look.
    }
    return accepted;
  }
}
