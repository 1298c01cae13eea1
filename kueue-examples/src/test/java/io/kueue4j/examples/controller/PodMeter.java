package io.kueue4j.examples.controller;

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
import org.jspecify.annotations.Nullable;

/**
 * Measures what the pods of a namespace request in sum that run, and for how long beyond a quota.
 */
final class PodMeter implements AutoCloseable {
  private final long quota;
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
  private long sinceNanos = System.nanoTime();

  private PodMeter(long quota) {
    this.quota = quota;
  }

  static PodMeter start(KubernetesClient client, long quota) {
    PodMeter meter = new PodMeter(quota);
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

  private synchronized void see(boolean isGone, Pod pod) {
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
    long now = System.nanoTime();
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

  /** {@return whether what runs has been within the quota for a time} */
  synchronized boolean withinFor(Duration time) {
    return sum() <= quota && System.nanoTime() - sinceNanos > time.toNanos();
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
