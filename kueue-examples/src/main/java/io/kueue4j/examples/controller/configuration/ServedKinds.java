package io.kueue4j.examples.controller.configuration;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.fabric8.kubernetes.api.model.APIGroup;
import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GroupVersionForDiscovery;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClass;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.object.WatchedKind;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.job.JobKind;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Determines which of the needed kinds a cluster serves. */
public final class ServedKinds {
  /** The kinds that every cluster serves. */
  public static final ImmutableList<WatchedKind> BUILT_IN = ImmutableList.of(
      WatchedKind.of(Namespace.class),
      WatchedKind.of(Node.class),
      WatchedKind.of(Pod.class),
      WatchedKind.of(LimitRange.class),
      WatchedKind.of(Job.class),
      WatchedKind.of(RuntimeClass.class),
      WatchedKind.of(PriorityClass.class));

  /** Workload, in the version in which admissions are recorded. */
  public static final WatchedKind WORKLOAD =
      WatchedKind.generic(KueueApiVersion.GROUP, "v1beta2", ObjectKey.WORKLOAD, "workloads", true);

  /** The kinds without which a controller cannot work. */
  public static final ImmutableList<WatchedKind> REQUIRED =
      ImmutableList.<WatchedKind>builder().addAll(BUILT_IN).add(WORKLOAD).build();

  private static final String DEFINITION = "https://raw.githubusercontent.com/kueue4j/kueue4j/main/"
      + "kueue-examples/src/main/deploy/definitions/workloads.yaml";

  private static final String DEVICE_GROUP = "resource.k8s.io";

  private static final ImmutableSet<String> DEVICES =
      ImmutableSet.of("DeviceClass", "ResourceClaimTemplate", "ResourceSlice");

  private static final ImmutableSet<String> BUILT_IN_GROUPS = ImmutableSet.of("", "batch");

  private ServedKinds() {}

  /**
   * {@return the kinds that the cluster serves, with Workload in the version that it prefers}
   *
   * @param client the cluster
   * @param kinds the needed kinds of jobs
   * @param queues whether the kinds that configure admission are needed
   */
  public static ImmutableList<WatchedKind> of(
      KubernetesClient client, JobKinds kinds, boolean queues) {
    ImmutableList.Builder<WatchedKind> served = ImmutableList.builder();
    served.addAll(BUILT_IN);
    find(client, KueueApiVersion.GROUP).stream()
        .filter(resource -> resource.getKind().equals(ObjectKey.WORKLOAD))
        .map(resource -> watched(KueueApiVersion.GROUP, resource, GenericKubernetesResource.class))
        .forEach(served::add);
    if (queues) {
      for (String group : ManifestReader.groups()) {
        find(client, group).stream()
            .filter(resource -> ManifestReader.configures(group, resource.getKind()))
            .map(resource -> watched(group, resource, GenericKubernetesResource.class))
            .forEach(served::add);
      }
    }
    Map<String, ImmutableList<APIResource>> groups = new TreeMap<>();
    for (JobKind<?> kind : kinds.asList()) {
      if (!BUILT_IN_GROUPS.contains(kind.apiGroup())) {
        groups.computeIfAbsent(kind.apiGroup(), group -> find(client, group)).stream()
            .filter(resource -> resource.getKind().equals(kind.kind()))
            .forEach(resource -> served.add(watched(kind.apiGroup(), resource, kind.type())));
      }
    }
    groups.getOrDefault(JobKinds.TrainingRuntimes.GROUP, ImmutableList.of()).stream()
        .filter(resource -> resource.getKind().endsWith("Runtime"))
        .forEach(resource -> served.add(
            watched(JobKinds.TrainingRuntimes.GROUP, resource, GenericKubernetesResource.class)));
    return served.build();
  }

  /** {@return the kinds that the cluster serves and that say which devices pods claim} */
  public static ImmutableList<WatchedKind> ofDevices(KubernetesClient client) {
    return find(client, DEVICE_GROUP).stream()
        .filter(resource -> DEVICES.contains(resource.getKind()))
        .map(resource -> watched(DEVICE_GROUP, resource, GenericKubernetesResource.class))
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return which needed definition is missing, and how to apply it; empty if none is} */
  public static Optional<String> missing(ImmutableList<WatchedKind> kinds) {
    return kinds.contains(WORKLOAD)
        ? Optional.empty()
        : Optional.of("the cluster does not serve Workload of " + WORKLOAD.group() + "/"
            + WORKLOAD.version()
            + ", in which admissions are recorded; apply its definition: kubectl"
            + " apply --server-side -f " + DEFINITION);
  }

  private static WatchedKind watched(
      String group, APIResource resource, Class<? extends HasMetadata> type) {
    return new WatchedKind(
        group,
        resource.getVersion(),
        resource.getKind(),
        resource.getName(),
        resource.getNamespaced(),
        type);
  }

  /**
   * {@return the resources of a group, each in the preferred version if that contains it, otherwise
   * in the first that does; none if the group is not served}
   */
  private static ImmutableList<APIResource> find(KubernetesClient client, String group) {
    APIGroup served = client.getApiGroup(group);
    if (served == null) {
      return ImmutableList.of();
    }
    Map<String, APIResource> found = new LinkedHashMap<>();
    Stream.concat(Stream.of(served.getPreferredVersion()), served.getVersions().stream())
        .map(GroupVersionForDiscovery::getVersion)
        .distinct()
        .forEach(version -> Optional.ofNullable(client.getApiResources(group + "/" + version))
            .ifPresent(resources -> named(resources, version)
                .forEach(resource -> found.putIfAbsent(resource.getName(), resource))));
    return ImmutableList.copyOf(found.values());
  }

  /** Names of sub-resources contain a slash; only the list has the version. */
  private static ImmutableList<APIResource> named(APIResourceList resources, String version) {
    return resources.getResources().stream()
        .filter(resource -> !resource.getName().contains("/"))
        .map(resource -> resource.toBuilder().withVersion(version).build())
        .collect(ImmutableList.toImmutableList());
  }
}
