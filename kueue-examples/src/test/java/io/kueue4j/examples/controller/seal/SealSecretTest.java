package io.kueue4j.examples.controller.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.kueue4j.examples.controller.seal.SecretException.Reason;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Base64;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The keys in a Secret: made, shared, rotated, lost and spoilt. */
class SealSecretTest {
  private final FakeStore store = new FakeStore();

  private enum Verb {
    GET,
    CREATE,
    UPDATE
  }

  /** A Secret that may be forbidden, and written by others between two calls. */
  private static final class FakeStore implements SecretStore {
    private Optional<Map<String, String>> data = Optional.empty();
    private final Set<Verb> forbidden = EnumSet.noneOf(Verb.class);
    private boolean isDown;
    private long version;
    private int writes;
    private Runnable beforeWrite = () -> {};

    void edit(Consumer<Map<String, String>> change) {
      Map<String, String> now = new LinkedHashMap<>(data.orElse(Map.of()));
      change.accept(now);
      data = Optional.of(now);
      version++;
    }

    private void check(Verb verb) {
      if (isDown) {
        throw new SecretException(Reason.UNAVAILABLE, "no connection");
      }
      if (forbidden.contains(verb)) {
        throw new SecretException(Reason.FORBIDDEN, "may not " + verb);
      }
    }

    @Override
    public Optional<Secret> get() {
      check(Verb.GET);
      return data.map(entries -> new SecretBuilder()
          .withNewMetadata()
          .withResourceVersion(Long.toString(version))
          .endMetadata()
          .withData(entries)
          .build());
    }

    @Override
    public Secret create(Secret secret) {
      check(Verb.CREATE);
      beforeWrite.run();
      if (data.isPresent()) {
        throw new SecretException(Reason.CONFLICT, "exists");
      }
      return store(secret);
    }

    @Override
    public Secret replace(Secret secret) {
      check(Verb.UPDATE);
      beforeWrite.run();
      if (!secret.getMetadata().getResourceVersion().equals(Long.toString(version))) {
        throw new SecretException(Reason.CONFLICT, "changed");
      }
      return store(secret);
    }

    private Secret store(Secret secret) {
      writes++;
      edit(now -> {
        now.clear();
        now.putAll(secret.getData());
      });
      return get().orElseThrow();
    }

    @Override
    public String toString() {
      return "system/seals";
    }
  }

  private SealSecret secret() {
    return new SealSecret(store, new SecureRandom(), InstantSource.system());
  }

  private static SealKeys keys(SealState state) {
    return state.keys().orElseThrow();
  }

  @Test
  void aMissingSecretIsMadeOnce() {
    SealState first = secret().look();
    assertThat(first.problem()).isEmpty();
    assertThat(Base64.getDecoder().decode(store.data.orElseThrow().get(SealSecret.CURRENT)))
        .hasSize(32);
    assertThat(secret().look().keys()).isEqualTo(first.keys());
    assertThat(store.writes).isEqualTo(1);
  }

  @Test
  void anEmptySecretIsFilled() {
    store.forbidden.add(Verb.CREATE);
    store.edit(now -> {});
    assertThat(secret().look().keys()).isPresent().isEqualTo(secret().look().keys());
  }

  @Test
  void ofTwoControllersThatBeginAtOnceBothHaveTheKeyOfTheFaster() {
    SealSecret other = secret();
    store.beforeWrite = () -> {
      store.beforeWrite = () -> {};
      other.look();
    };
    assertThat(secret().look().keys()).isPresent().isEqualTo(other.look().keys());
    assertThat(store.writes).isEqualTo(1);
  }

  @Test
  void aControllerStoppedAfterItMadeTheSecretFindsItAgain() {
    store.beforeWrite = () -> {
      store.beforeWrite = () -> {};
      store.edit(
          now -> now.put(SealSecret.CURRENT, SealKey.random(new SecureRandom()).toBase64()));
      throw new SecretException(Reason.UNAVAILABLE, "the answer was lost");
    };
    assertThatThrownBy(secret()::look).isInstanceOf(SecretException.class);
    String stored = store.data.orElseThrow().get(SealSecret.CURRENT);
    assertThat(keys(secret().look()).current().toBase64()).isEqualTo(stored);
    assertThat(store.writes).isZero();
  }

  @Test
  void theKeyIsRotatedByMovingIt() {
    SealSecret secret = secret();
    SealKey old = keys(secret.look()).current();
    store.edit(now -> now.put(SealSecret.PREVIOUS, String.valueOf(now.remove(SealSecret.CURRENT))));
    SealKeys rotated = keys(secret.look());
    assertThat(rotated.previous()).contains(old);
    assertThat(rotated.current()).isNotEqualTo(old);
    store.edit(now -> now.remove(SealSecret.PREVIOUS));
    assertThat(secret.look().keys()).contains(SealKeys.of(rotated.current()));
  }

  @Test
  void withoutTheRightThereAreNoKeysAndItIsSaidWhatToDo() {
    store.forbidden.add(Verb.CREATE);
    SealState state = secret().look();
    assertThat(state.keys()).isEmpty();
    assertThat(state.problem().orElseThrow())
        .contains("system/seals", "kubectl create secret generic", "rbac.yaml");
    store.edit(now -> {});
    store.forbidden.add(Verb.UPDATE);
    assertThat(secret().look().problem().orElseThrow()).contains("right to update");
    store.forbidden.add(Verb.GET);
    assertThat(secret().look()).satisfies(none -> {
      assertThat(none.keys()).isEmpty();
      assertThat(none.problem()).isPresent();
    });
  }

  @Test
  void aServerThatIsDownIsNoReasonToGoOnWithoutSeals() {
    store.isDown = true;
    assertThatThrownBy(secret()::look).isInstanceOf(SecretException.class);
  }

  @Test
  void knownKeysStayWhateverHappensToTheSecret() {
    SealSecret secret = secret();
    SealKeys keys = keys(secret.look());
    store.isDown = true;
    assertKept(secret, keys, "no connection");
    store.isDown = false;
    store.forbidden.addAll(EnumSet.allOf(Verb.class));
    assertKept(secret, keys, "GET");
    store.forbidden.clear();
    store.edit(now -> now.put(SealSecret.CURRENT, "broken!"));
    assertKept(secret, keys, "data.current is no key");
    assertThat(store.data.orElseThrow()).containsEntry(SealSecret.CURRENT, "broken!");
  }

  private static void assertKept(SealSecret secret, SealKeys keys, String problem) {
    SealState state = secret.look();
    assertThat(state.keys()).contains(keys);
    assertThat(state.problem().orElseThrow()).contains(problem, keys.ids());
  }

  @Test
  void aSecretThatHasLostItsKeysGetsThemBack() {
    SealSecret secret = secret();
    SealKeys keys = keys(secret.look());
    store.edit(Map::clear);
    assertThat(secret.look()).isEqualTo(new SealState(Optional.of(keys), Optional.empty(), false));
    store.data = Optional.empty();
    assertThat(secret.look().keys()).contains(keys);
    assertThat(secret().look().keys()).as("for another controller").contains(keys);
  }

  @Test
  void keysThatWereReplacedAreTakenUp() {
    SealSecret secret = secret();
    secret.look();
    SealKey other = SealKey.random(new SecureRandom());
    store.edit(now -> now.put(SealSecret.CURRENT, other.toBase64()));
    assertThat(secret.look().keys()).contains(SealKeys.of(other));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "broken!", "c2hvcnQ="})
  void whatIsNoKeyIsNotUsedNorOverwritten(String text) {
    store.edit(now -> now.put(SealSecret.CURRENT, text));
    assertThatThrownBy(secret()::look)
        .isInstanceOf(SecretException.class)
        .hasMessageContainingAll("system/seals", "data.current", "remove the entry current");
    assertThat(store.writes).isZero();
  }

  @Test
  void itIsRememberedThatUnsealedNotesWereAccepted() {
    SealSecret secret = secret();
    assertThat(secret.look().unsealedAccepted()).isFalse();
    assertThat(secret.markAccepted()).isTrue();
    assertThat(secret().look().unsealedAccepted()).isTrue();
    assertThat(secret().look().keys()).isEqualTo(secret.look().keys());
  }

  @Test
  void noMessageContainsAKey() {
    SealKeys keys = keys(secret().look());
    assertThat(keys.toString() + keys.current() + keys.ids())
        .doesNotContain(keys.current().toBase64());
  }
}
