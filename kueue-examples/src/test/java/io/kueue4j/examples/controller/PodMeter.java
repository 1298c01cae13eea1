package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.annotations.VisibleForTesting;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures what the pods of a namespace request in sum that run, and for how long beyond a quota.
 *
 * <p>Pods with a deletion timestamp are left out, though they may run until their grace period is
 * over: the controller has stopped them, and can do no more.
 */
final class PodMeter implements AutoCloseable {
  /** Within this time, nothing runs beyond the quota any more. */
  private static final Duration BOUND = Duration.ofSeconds(5);

  /** For this time, what runs must stay within the quota. */
  private static final Duration QUIET = Duration.ofSeconds(3);

  private final long quota;
  private final LongSupplier nanos;
  private @Nullable Watch watch;

  @GuardedBy("this")
  private final Map<String, Long> cpusByUid = new HashMap<>();

  @GuardedBy("this")
  private final Set<String> seen = new HashSet<>();

  @GuardedBy("this")
  private long greatest;

  @GuardedBy("this")
  private long beyondNanos;

  @GuardedBy("this")
  private long sinceNanos;

  /** Creates one that {@link #see} tells of pods, with another clock. */
  @VisibleForTesting
  PodMeter(long quota, LongSupplier nanos) {
    this.quota = quota;
    this.nanos = nanos;
    sinceNanos = nanos.getAsLong();
  }

  static PodMeter start(KubernetesClient client, long quota) {
    PodMeter meter = new PodMeter(quota, System::nanoTime);
    meter.watch = client.pods().inNamespace("default").watch(new Watcher<>() {
      @Override
      public void eventReceived(Action action, Pod pod) {
        meter.see(action == Action.DELETED, pod);
      }

      @Override
      public void onClose(WatcherException cause) {}
    });
    return meter;
  }

  /** {@return whether a pod may run and is not being deleted} */
  static boolean runs(Pod pod) {
    String phase = pod.getStatus() == null ? "Pending" : pod.getStatus().getPhase();
    return pod.getMetadata().getDeletionTimestamp() == null
        && pod.getSpec().getSchedulingGates().isEmpty()
        && (phase.equals("Pending") || phase.equals("Running"));
  }

  /** Receives the present version of a pod. */
  @VisibleForTesting
  synchronized void see(boolean isGone, Pod pod) {
    long before = sum();
    String uid = pod.getMetadata().getUid();
    seen.add(uid);
    if (isGone || !runs(pod)) {
      cpusByUid.remove(uid);
    } else {
      Quantity cpu =
          pod.getSpec().getContainers().get(0).getResources().getRequests().get("cpu");
      cpusByUid.put(uid, Objects.requireNonNull(cpu).getNumericalAmount().longValue());
    }
    long now = nanos.getAsLong();
    if (before > quota) {
      beyondNanos += now - sinceNanos;
    }
    if (before > quota != sum() > quota || before > quota) {
      sinceNanos = now;
    }
    greatest = Math.max(greatest, sum());
  }

  @GuardedBy("this")
  private long sum() {
    return cpusByUid.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * Waits until what runs has been within the quota for {@link #QUIET}, prints the largest excess
   * and how long there was one, and checks that this was no longer than {@link #BOUND}.
   *
   * <p>The wait begins with this call, as what was before an attack says nothing about its effect.
   * Pods with a deletion timestamp are left out.
   */
  void assertBounded(String attack) {
    long start = nanos.getAsLong();
    Await.until("what runs is within the quota", () -> isQuietSince(start));
    System.out.printf(
        "%s: %d of %d CPUs at most, %d ms beyond%n",
        attack, greatestCpus(), quota, beyond().toMillis());
    assertThat(beyond()).as(attack).isLessThan(BOUND);
  }

  /** {@return whether what runs has been within the quota for some time after {@code start}} */
  @VisibleForTesting
  synchronized boolean isQuietSince(long start) {
    long now = nanos.getAsLong();
    return sum() <= quota && Math.min(now - start, now - sinceNanos) > QUIET.toNanos();
  }

  synchronized long greatestCpus() {
    return greatest;
  }

  synchronized Duration beyond() {
    return Duration.ofNanos(beyondNanos);
  }

  /** {@return the number of pods seen so far} */
  synchronized int created() {
    return seen.size();
  }

  @Override
  public void close() {
    Objects.requireNonNull(watch).close();
  }
}
