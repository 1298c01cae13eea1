package io.kueue4j.examples.controller;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.kueue4j.examples.controller.configuration.ManifestObjects;
import io.kueue4j.examples.controller.lease.LeaseTimes;
import io.kueue4j.examples.controller.object.WatchedKind;
import io.kueue4j.examples.controller.server.ServerSecurity;
import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.metrics.KueueMetrics;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Builds {@link Controller}s; not thread-safe. */
public final class ControllerBuilder {
  private static final int CONCURRENT_WRITES = 16;

  final KubernetesClient client;
  ControllerOptions options = ControllerOptions.defaults();
  ImmutableList<String> namespaces = ImmutableList.of();
  Optional<ImmutableList<HasMetadata>> queues = Optional.empty();
  Optional<ImmutableList<WatchedKind>> kinds = Optional.empty();
  Optional<LeaseName> lease = Optional.empty();
  LeaseTimes leaseTimes = LeaseTimes.defaults();
  Optional<KueueMetrics> metrics = Optional.empty();
  int concurrentWrites = CONCURRENT_WRITES;
  Optional<Duration> statusInterval = Optional.empty();
  Optional<Duration> guardInterval = Optional.empty();
  Optional<Integer> port = Optional.empty();
  ServerSecurity security = ServerSecurity.none();
  Controller.Handlers handlers = controller -> ImmutableMap.of();

  ControllerBuilder(KubernetesClient client) {
    this.client = client;
  }

  /** Sets the options; the default are Kueue's settings. */
  @CanIgnoreReturnValue
  public ControllerBuilder options(ControllerOptions newOptions) {
    options = newOptions;
    return this;
  }

  /** Sets the namespaces of jobs to watch, empty for all. */
  @CanIgnoreReturnValue
  public ControllerBuilder namespaces(Iterable<String> names) {
    namespaces = ImmutableList.copyOf(names);
    return this;
  }

  /** Reads queues from manifests instead of the cluster. */
  @CanIgnoreReturnValue
  public ControllerBuilder queues(Manifests manifests) {
    queues = Optional.of(ManifestObjects.configuration(manifests));
    return this;
  }

  /** Sets the kinds that the cluster serves; by default the cluster is queried. */
  @CanIgnoreReturnValue
  public ControllerBuilder kinds(Iterable<WatchedKind> served) {
    kinds = Optional.of(ImmutableList.copyOf(served));
    return this;
  }

  /** Sets the lease to hold while working; without a lease there must be no other controller. */
  @CanIgnoreReturnValue
  public ControllerBuilder lease(LeaseName name) {
    lease = Optional.of(name);
    return this;
  }

  /** Sets the times of leases; by default the times of Kubernetes' own controllers. */
  @CanIgnoreReturnValue
  ControllerBuilder leaseTimes(LeaseTimes newTimes) {
    leaseTimes = newTimes;
    return this;
  }

  /** Sets the metrics of the decisions of this controller. */
  @CanIgnoreReturnValue
  public ControllerBuilder metrics(KueueMetrics counted) {
    metrics = Optional.of(counted);
    return this;
  }

  /**
   * Sets the maximum number of concurrent writes of jobs; 16 by default.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  @CanIgnoreReturnValue
  public ControllerBuilder concurrentWrites(int number) {
    if (number < 1) {
      throw new IllegalArgumentException(
          "concurrentWrites must be 1 or more, but was " + number + "; give 1 for one at a time");
    }
    concurrentWrites = number;
    return this;
  }

  /**
   * Writes the status of the cluster's ClusterQueues and LocalQueues; off by default. Do not use it
   * where Kueue's own controller runs: both would write the same objects.
   *
   * @param interval the minimum time between two writes of one object
   */
  @CanIgnoreReturnValue
  public ControllerBuilder queueStatus(Duration interval) {
    statusInterval = Optional.of(interval);
    return this;
  }

  /**
   * Reports at intervals whether the policies are in place by which the API server keeps tenants
   * from starting jobs; by default that is not looked at.
   */
  @CanIgnoreReturnValue
  public ControllerBuilder guard(Duration interval) {
    guardInterval = Optional.of(interval);
    return this;
  }

  /** Sets the port for HTTP, 0 for any free port; by default there is no HTTP server. */
  @CanIgnoreReturnValue
  public ControllerBuilder port(int number) {
    port = Optional.of(number);
    return this;
  }

  /** Sets how the HTTP server is protected; it is open by default. */
  @CanIgnoreReturnValue
  public ControllerBuilder security(ServerSecurity newSecurity) {
    security = newSecurity;
    return this;
  }

  /** Sets the HTTP handlers in addition to health. */
  @CanIgnoreReturnValue
  public ControllerBuilder handlers(Controller.Handlers served) {
    handlers = served;
    return this;
  }

  /**
   * {@return the controller}
   *
   * @throws IOException if the port is not available
   */
  public Controller build() throws IOException {
    return new Controller(this);
  }
}
