package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ConcurrentHashMultiset;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Multiset;
import com.google.common.util.concurrent.Uninterruptibles;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.examples.controller.write.ClusterWrites;
import io.kueue4j.examples.controller.write.Workers;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several workers write concurrently, but never two for the same job. */
@Timeout(60)
class ConcurrentWritesTest {
  private final PodScene pods = PodScene.create();
  private final Scene scene = pods.scene;

  /**
   * Writes: the one of the Job takes until the second pod of the group is about to be written, the
   * one of the pod as long as the writer of the Job may need to start the next one.
   */
  private static final class SlowWrites implements ClusterWrites {
    private final ClusterWrites writes;
    final Multiset<String> replaced = ConcurrentHashMultiset.create();
    private final CountDownLatch secondPod = new CountDownLatch(1);

    SlowWrites(ClusterWrites writes) {
      this.writes = writes;
    }

    @Override
    public <T extends HasMetadata> T replace(T object) {
      String name = object.getMetadata().getName();
      replaced.add(name);
      if (name.equals("job")) {
        assertThat(Uninterruptibles.awaitUninterruptibly(secondPod, Duration.ofSeconds(50)))
            .isTrue();
      } else if (name.equals("b")) {
        secondPod.countDown();
        Uninterruptibles.sleepUninterruptibly(Duration.ofMillis(200));
      }
      synchronized (this) {
        return writes.replace(object);
      }
    }

    @Override
    public <T extends HasMetadata> T replaceStatus(T object) {
      synchronized (this) {
        return writes.replaceStatus(object);
      }
    }

    @Override
    public <T extends HasMetadata> T create(T object) {
      synchronized (this) {
        return writes.create(object);
      }
    }

    @Override
    public void delete(HasMetadata object) {
      synchronized (this) {
        writes.delete(object);
      }
    }

    @Override
    public void record(Event event) {
      synchronized (this) {
        writes.record(event);
      }
    }
  }

  @Test
  void theTurnOfAGroupComesAgainOnlyWhenAllItsPodsAreWritten() {
    SlowWrites writes = new SlowWrites(scene.connection());
    try (Workers workers = Workers.of(4)) {
      scene.restart(writes, workers);
      pods.createMember("group", "a", 1, 3);
      pods.createMember("group", "b", 1, 3);
      scene.createJob("job", 1);
      pods.createMember("group", "c", 1, 3);

      assertThat(scene.runs("job")).isTrue();
      assertThat(ImmutableSet.of("a", "b", "c")).allMatch(pods::runs);
      assertThat(writes.replaced.entrySet())
          .allMatch(written -> written.getCount() == 1)
          .hasSize(4);
    }
  }
}
