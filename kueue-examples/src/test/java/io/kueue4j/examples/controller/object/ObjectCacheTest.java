package io.kueue4j.examples.controller.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
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

  private void assertKnown(String uid, int version) {
    assertThat(cache.get(KEY)).contains(pod(uid, version));
  }

  @Test
  void onlyWhatIsNewerIsNews() {
    assertThat(cache.see(pod("a", 5))).isTrue();
    assertThat(cache.see(pod("a", 5))).isFalse();
    assertThat(cache.see(pod("a", 4))).isFalse();
    assertKnown("a", 5);
    assertThat(cache.see(pod("a", 10))).isTrue();
    assertKnown("a", 10);
  }

  @Test
  void whatIsGoneDoesNotComeBack() {
    cache.see(pod("a", 5));
    assertThat(cache.lose(pod("a", 7))).isTrue();
    assertThat(cache.see(pod("a", 6))).isFalse();
    assertThat(cache.see(pod("a", 8))).isFalse();
    assertThat(cache.lose(pod("a", 7))).isFalse();
    assertThat(cache.get(KEY)).isEmpty();
  }

  @Test
  void whatIsGoneBeforeItWasKnownIsNothing() {
    assertThat(cache.lose(pod("a", 7))).isFalse();
    assertThat(cache.see(pod("a", 5))).isFalse();
  }

  @Test
  void anotherOfTheSameNameIsAnotherObject() {
    cache.see(pod("a", 5));
    assertThat(cache.see(pod("b", 9))).isTrue();
    assertKnown("b", 9);
    assertThat(cache.lose(pod("a", 7))).isFalse();
    assertThat(cache.see(pod("a", 6))).isFalse();
    assertKnown("b", 9);
  }

  @Test
  void aLateDeletionDoesNotMakeAnOlderObjectNew() {
    cache.see(pod("a", 9));
    assertThat(cache.lose(pod("a", 7))).isTrue();
    assertThat(cache.see(pod("b", 8))).isFalse();
    assertThat(cache.see(pod("b", 10))).isTrue();
  }

  @Test
  void aDeletionBeforeTheNewsOfItsObjectTakesTheOlderAway() {
    cache.see(pod("a", 5));
    assertThat(cache.lose(pod("b", 9))).isTrue();
    assertThat(cache.see(pod("b", 8))).isFalse();
    assertThat(cache.see(pod("c", 12))).isTrue();
    assertKnown("c", 12);
  }

  @Test
  void aDeletionThatIsKnownOnlyByTheLastStateIsADeletion() {
    cache.see(pod("a", 5));
    assertThat(cache.lose(pod("a", 3))).isTrue();
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
    assertThat(cache.see(without)).isTrue();
    assertThat(cache.see(without)).isTrue();
  }

  @Test
  void objectsOfAKindAreListedByName() {
    cache.see(pod("a", 5));
    cache.see(new PodBuilder((Pod) pod("b", 6))
        .editMetadata()
        .withName("a-first")
        .endMetadata()
        .build());

    assertThat(cache.all("", "Pod", Pod.class))
        .extracting(pod -> pod.getMetadata().getName())
        .containsExactly("a-first", "one");
    assertThat(cache.all("", "Node", Pod.class)).isEmpty();
  }
}
