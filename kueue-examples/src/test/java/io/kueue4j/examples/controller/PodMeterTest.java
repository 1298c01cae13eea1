package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The meter neither misses a late excess nor counts pods that are being deleted. */
class PodMeterTest {
  private final AtomicLong nanos = new AtomicLong();
  private final PodMeter meter = new PodMeter(10, nanos::get);

  private void pass(int seconds) {
    nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
  }

  private static Pod pod(String uid, int cpus, String deletion) {
    return Serialization.unmarshal("""
        apiVersion: v1
        kind: Pod
        metadata: {name: %1$s, uid: %1$s, deletionTimestamp: %3$s}
        spec: {containers: [{name: main, resources: {requests: {cpu: "%2$d"}}}]}
        """.formatted(uid, cpus, deletion), Pod.class);
  }

  @Test
  void theTimeBeforeTheWaitDoesNotCount() {
    pass(60);
    long start = nanos.get();
    assertThat(meter.isQuietSince(start)).isFalse();
    pass(2);
    meter.see(false, pod("late", 50, "null"));
    pass(4);
    assertThat(meter.isQuietSince(start)).as("while it runs").isFalse();
    meter.see(true, pod("late", 50, "null"));
    pass(2);
    assertThat(meter.isQuietSince(start)).as("shortly after").isFalse();
    pass(2);
    assertThat(meter.isQuietSince(start)).isTrue();
    assertThat(meter.beyond()).hasSeconds(4);
    assertThat(meter.greatestCpus()).isEqualTo(50);
  }

  @Test
  void aPodThatIsBeingDeletedIsLeftOut() {
    long start = nanos.get();
    meter.see(false, pod("slow", 50, "null"));
    pass(1);
    meter.see(false, pod("slow", 50, "2026-01-01T00:00:00Z"));
    pass(4);
    assertThat(meter.isQuietSince(start)).isTrue();
    assertThat(meter.beyond()).hasSeconds(1);
  }
}
