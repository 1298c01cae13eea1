package io.kueue4j.examples.controller.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Late, repeated and reordered events. */
final class ObjectCacheTest {
  private static final ObjectKey KEY = new ObjectKey("", "Pod", "default", "one");

  private final ObjectCache cache = new ObjectCache();

  private static HasMetadata pod(String uid, int version) {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withName("one")
        .withUid(uid)
        .withResourceVersion(Integer.toString(version))
        .endMetadata()
        .build();
  }

  private boolean see(HasMetadata object) {
    return cache.follow(ClusterEvent.changed(object)).filter(object::equals).isPresent();
  }

  private boolean lose(HasMetadata object) {
    Optional<HasMetadata> known = cache.get(KEY);
    Optional<HasMetadata> lost = cache.follow(ClusterEvent.deleted(object));
    assertThat(lost.or(() -> known)).as("its last known version").isEqualTo(known);
    return lost.isPresent();
  }

  private void assertKnown(String uid, int version) {
    assertThat(cache.get(KEY)).contains(pod(uid, version));
  }

  @Test
  void onlyWhatIsNewerIsNews() {
    assertThat(see(pod("a", 5))).isTrue();
    assertThat(see(pod("a", 5))).isFalse();
    assertThat(see(pod("a", 4))).isFalse();
    assertKnown("a", 5);
    assertThat(see(pod("a", 10))).isTrue();
    assertKnown("a", 10);
  }

  @Test
  void whatIsGoneDoesNotComeBack() {
    assertThat(see(pod("a", 5))).isTrue();
    assertThat(lose(pod("a", 7))).isTrue();
    assertThat(see(pod("a", 6))).isFalse();
    assertThat(see(pod("a", 8))).isFalse();
    assertThat(lose(pod("a", 7))).isFalse();
    assertThat(cache.get(KEY)).isEmpty();
  }

  @Test
  void whatIsGoneBeforeItWasKnownIsNothing() {
    assertThat(lose(pod("a", 7))).isFalse();
    assertThat(see(pod("a", 5))).isFalse();
  }

  @Test
  void anotherOfTheSameNameIsAnotherObject() {
    assertThat(see(pod("a", 5))).isTrue();
    assertThat(see(pod("b", 9))).isTrue();
    assertKnown("b", 9);
    assertThat(lose(pod("a", 7))).isFalse();
    assertThat(see(pod("a", 6))).isFalse();
    assertKnown("b", 9);
  }

  @Test
  void aLateDeletionDoesNotMakeAnOlderObjectNew() {
    assertThat(see(pod("a", 9))).isTrue();
    assertThat(lose(pod("a", 7))).isTrue();
    assertThat(see(pod("b", 8))).isFalse();
    assertThat(see(pod("b", 10))).isTrue();
  }

  @Test
  void aDeletionBeforeTheNewsOfItsObjectTakesTheOlderAway() {
    assertThat(see(pod("a", 5))).isTrue();
    assertThat(lose(pod("b", 9))).isTrue();
    assertThat(see(pod("b", 8))).isFalse();
    assertThat(see(pod("c", 12))).isTrue();
    assertKnown("c", 12);
  }

  @Test
  void aDeletionThatIsKnownOnlyByTheLastStateIsADeletion() {
    assertThat(see(pod("a", 5))).isTrue();
    assertThat(lose(pod("a", 3))).isTrue();
    assertThat(cache.get(KEY)).isEmpty();
  }

  @Test
  void whatHasNoVersionIsAlwaysNews() {
    Pod without = new PodBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withName("one")
        .endMetadata()
        .build();
    assertThat(see(without)).isTrue();
    assertThat(see(without)).isTrue();
  }

  @Test
  void objectsOfAKindAreListedByName() {
    assertThat(see(pod("a", 5))).isTrue();
    assertThat(see(new PodBuilder((Pod) pod("b", 6))
            .editMetadata()
            .withName("a-first")
            .endMetadata()
            .build()))
        .isTrue();

    assertThat(cache.all("", "Pod", Pod.class))
        .extracting(pod -> pod.getMetadata().getName())
        .containsExactly("a-first", "one");
    assertThat(cache.all("", "Node", Pod.class)).isEmpty();
  }
}
