package io.kueue4j.examples.controller;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.kueue4j.examples.controller.configuration.ManifestObjects;
import io.kueue4j.examples.controller.lease.LeaseName;
import io.kueue4j.examples.controller.lease.LeaseTimes;
import io.kueue4j.examples.controller.object.WatchedKind;
import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.examples.server.ServerSecurity;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.metrics.KueueMetrics;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.immutables.value.Value;

/** What a {@link Controller} needs to know; immutable. */
@Value.Immutable
@Value.Style(
    jdkOnly = false,
    build = "setup",
    visibility = Value.Style.ImplementationVisibility.PACKAGE,
    builderVisibility = Value.Style.BuilderVisibility.PACKAGE,
    overshadowImplementation = true,
    defaults = @Value.Immutable(copy = false))
public abstract class ControllerSetup {
  private static final int CONCURRENT_WRITES = 16;

  ControllerSetup() {}

  abstract KubernetesClient client();

  /** The options; by default Kueue's settings. */
  @Value.Default
  ControllerOptions options() {
    return ControllerOptions.defaults();
  }

  /** The namespaces of jobs to watch, empty for all. */
  abstract ImmutableList<String> namespaces();

  /** The queues, if they are not read from the cluster. */
  abstract Optional<ImmutableList<HasMetadata>> queueObjects();

  /** The kinds that the cluster serves; by default the cluster is queried. */
  abstract Optional<ImmutableList<WatchedKind>> kinds();

  /** The lease to hold while working; without a lease there must be no other controller. */
  abstract Optional<LeaseName> lease();

  /** The times of leases; by default the times of Kubernetes' own controllers. */
  @Value.Default
  LeaseTimes leaseTimes() {
    return LeaseTimes.defaults();
  }

  /** The metrics of the decisions of this controller. */
  abstract Optional<KueueMetrics> metrics();

  /** The maximum number of concurrent writes of jobs; 16 by default. */
  @Value.Default
  int concurrentWrites() {
    return CONCURRENT_WRITES;
  }

  /**
   * The minimum time between two writes of the status of one ClusterQueue or LocalQueue; off by
   * default. Do not use it where Kueue's own controller runs: both would write the same objects.
   */
  abstract Optional<Duration> queueStatus();

  /**
   * The time between two looks whether the policies are in place by which the API server keeps
   * tenants from starting jobs; by default that is not looked at.
   */
  abstract Optional<Duration> guard();

  /** What works beside the controller; by default nothing. */
  @Value.Default
  Controller.Companion companion() {
    return (client, mayWrite) -> () -> {};
  }

  /** The port for HTTP, 0 for any free port; by default there is no HTTP server. */
  abstract Optional<Integer> port();

  /** How the HTTP server is protected; it is open by default. */
  @Value.Default
  ServerSecurity security() {
    return ServerSecurity.none();
  }

  /** The HTTP handlers in addition to health. */
  @Value.Default
  Controller.Handlers handlers() {
    return controller -> ImmutableMap.of();
  }

  @Value.Check
  void check() {
    checkArgument(
        concurrentWrites() > 0,
        "concurrentWrites must be 1 or more, but was %s; give 1 for one at a time",
        concurrentWrites());
  }

  /** Builds {@link Controller}s; only the client is required. Not thread-safe. */
  public static final class Builder extends ImmutableControllerSetup.Builder {
    Builder() {}

    /** Reads queues from manifests instead of the cluster. */
    public Builder queues(Manifests manifests) {
      return queueObjects(ManifestObjects.configuration(manifests));
    }

    /**
     * {@return the controller}
     *
     * @throws IOException if the port is not available
     */
    public Controller build() throws IOException {
      return new Controller(setup());
    }
  }
}
