package io.kueue4j.examples.controller.seal;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.hash.Hashing;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The largest number counts, in whatever order numbers come. */
class SequenceLedgerTest {
  private final FakeStore store = new FakeStore();

  private static final class FakeStore implements SecretStore {
    private Secret secret = new SecretBuilder().build();

    void set(String uid, long... numbers) {
      ByteBuffer bytes = ByteBuffer.allocate(numbers.length * 16);
      for (long number : numbers) {
        bytes
            .putLong(Hashing.sha256().hashString(uid, StandardCharsets.UTF_8).asLong())
            .putLong(number);
      }
      secret = new SecretBuilder()
          .addToData(SequenceLedger.ENTRY, Base64.getEncoder().encodeToString(bytes.array()))
          .build();
    }

    @Override
    public Optional<Secret> get() {
      return Optional.of(secret);
    }

    @Override
    public Secret create(Secret created) {
      return replace(created);
    }

    @Override
    public Secret replace(Secret replacement) {
      secret = replacement;
      return replacement;
    }

    @Override
    public String toString() {
      return "system/seals";
    }
  }

  @Test
  void ofSeveralStoredNumbersTheLargestCounts() {
    store.set("a", 3, 7, 5);
    assertThat(SequenceLedger.read(store).minimum("a")).isEqualTo(7);
    assertThat(SequenceLedger.read(store).minimum("b")).isZero();
  }

  @Test
  void ofSeveralPendingNumbersTheLargestCounts() {
    SequenceLedger ledger = SequenceLedger.read(store);
    assertThat(ledger.raise("a", 7)).isFalse();
    assertThat(ledger.raise("a", 5)).isFalse();
    assertThat(ledger.minimum("a")).isEqualTo(7);

    ledger.flush(List.of("a"));

    assertThat(SequenceLedger.read(store).minimum("a")).isEqualTo(7);
  }

  @Test
  void aSmallerPendingNumberDoesNotReplaceAStoredOne() {
    SequenceLedger ledger = SequenceLedger.read(store);
    assertThat(ledger.raise("a", 5)).isFalse();
    store.set("a", 9);

    ledger.flush(List.of("a"));

    assertThat(ledger.minimum("a")).isEqualTo(9);
    assertThat(SequenceLedger.read(store).minimum("a")).isEqualTo(9);
  }

  @Test
  void aStoredNumberThatBecameSmallerDoesNotReplaceTheKnownOne() {
    store.set("a", 9);
    SequenceLedger ledger = SequenceLedger.read(store);
    store.set("a", 4);

    ledger.flush(List.of("a"));

    assertThat(ledger.minimum("a")).isEqualTo(9);
    assertThat(SequenceLedger.read(store).minimum("a")).isEqualTo(9);
  }
}
