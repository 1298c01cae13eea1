package io.kueue4j.examples.controller.seal;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableSet;
import com.google.common.hash.Hashing;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The smallest sequence number that a note on an object may have: a note with a smaller one is
 * outdated, although its seal is valid. Kept in the Secret of the seals, where tenants cannot
 * write.
 *
 * <p>An entry takes 16 bytes: a hash of the uid of the object, and the number. Not thread-safe.
 */
public final class SequenceLedger {
  /** The entry of the Secret with the numbers. */
  public static final String ENTRY = "outdated-notes";

  /** The greatest number of objects, so that the Secret stays below a megabyte. */
  private static final int MAX = 40_000;

  private static final int ATTEMPTS = 5;

  private final SecretStore store;
  private final Map<Long, Long> stored = new HashMap<>();
  private final Map<Long, Long> pending = new HashMap<>();

  private SequenceLedger(SecretStore store) {
    this.store = store;
  }

  /**
   * {@return the numbers in the Secret}
   *
   * @throws SecretException if the Secret cannot be read
   */
  static SequenceLedger read(SecretStore store) {
    SequenceLedger ledger = new SequenceLedger(store);
    store.get().ifPresent(ledger::merge);
    return ledger;
  }

  private void merge(Secret secret) {
    String text = Objects.requireNonNullElse(secret.getData(), Map.<String, String>of())
        .getOrDefault(ENTRY, "");
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw unusable(e);
    }
    if (bytes.length % (2 * Long.BYTES) != 0) {
      throw unusable(new IllegalArgumentException("it has " + bytes.length + " bytes"));
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      stored.merge(buffer.getLong(), buffer.getLong(), Math::max);
    }
  }

  private SecretException unusable(IllegalArgumentException cause) {
    return new SecretException(
        SecretException.Reason.UNUSABLE,
        "Secret " + store + ": data." + ENTRY + " is unusable: " + cause.getMessage()
            + ". Put it back; if it is lost, remove the entry: then a note that was put back"
            + " before is believed",
        cause);
  }

  private static long hash(String uid) {
    return Hashing.sha256().hashString(uid, UTF_8).asLong();
  }

  /** {@return the smallest number of a note on an object that is not outdated} */
  public long minimum(String uid) {
    long key = hash(uid);
    return Math.max(stored.getOrDefault(key, 0L), pending.getOrDefault(key, 0L));
  }

  /**
   * Outdates the notes on an object with smaller numbers.
   *
   * @return whether that is stored, so that another controller knows it
   */
  public boolean raise(String uid, long sequence) {
    long key = hash(uid);
    if (stored.getOrDefault(key, 0L) >= sequence) {
      return true;
    }
    pending.merge(key, sequence, Math::max);
    return false;
  }

  /** {@return whether {@link #flush} has something to store} */
  public boolean hasPending() {
    return !pending.isEmpty();
  }

  /**
   * Stores what is pending, and removes the numbers of objects that no longer exist.
   *
   * @param uids the uids of the existing objects
   * @throws SecretException if that failed; it is still pending
   */
  public void flush(Collection<String> uids) {
    ImmutableSet<Long> present =
        uids.stream().map(SequenceLedger::hash).collect(ImmutableSet.toImmutableSet());
    for (int attempt = 1; ; attempt++) {
      Secret secret = store
          .get()
          .orElseThrow(() -> new SecretException(
              SecretException.Reason.UNAVAILABLE,
              "Secret " + store + " does not exist; create it empty"));
      merge(secret);
      Map<Long, Long> wanted = new HashMap<>(stored);
      pending.forEach((key, sequence) -> wanted.merge(key, sequence, Math::max));
      wanted.keySet().retainAll(present);
      Map<String, String> data = new LinkedHashMap<>(
          Objects.requireNonNullElse(secret.getData(), Map.<String, String>of()));
      data.put(ENTRY, text(wanted));
      try {
        store.replace(new SecretBuilder(secret).withData(data).build());
        stored.clear();
        stored.putAll(wanted);
        pending.clear();
        return;
      } catch (SecretException e) {
        if (e.reason() != SecretException.Reason.CONFLICT || attempt == ATTEMPTS) {
          throw e;
        }
        // Another client, such as the one that rotates keys, was faster.
      }
    }
  }

  private static String text(Map<Long, Long> numbers) {
    ByteBuffer buffer = ByteBuffer.allocate(Math.min(numbers.size(), MAX) * (2 * Long.BYTES));
    numbers.entrySet().stream()
        .sorted(Map.Entry.<Long, Long>comparingByValue(Comparator.reverseOrder())
            .thenComparing(Map.Entry.comparingByKey()))
        .limit(MAX)
        .forEach(entry -> buffer.putLong(entry.getKey()).putLong(entry.getValue()));
    return Base64.getEncoder().encodeToString(buffer.array());
  }

  @Override
  public String toString() {
    return "SequenceLedger of " + stored.size() + " objects";
  }
}
