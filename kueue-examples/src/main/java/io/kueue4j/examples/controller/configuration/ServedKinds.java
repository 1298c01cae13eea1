package io.kueue4j.examples.controller.configuration;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import io.fabric8.kubernetes.api.model.APIGroup;
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
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
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

  private static final String DEFINITION = "https://raw.githubusercontent.com/kueue4j/kueue4j/main/"
      + "kueue-examples/src/main/deploy/definitions/workloads.yaml";

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
    Set<String> groups = new LinkedHashSet<>(ManifestReader.groups());
    kinds.asList().forEach(kind -> groups.add(kind.apiGroup()));
    ImmutableList.Builder<WatchedKind> served = ImmutableList.builder();
    served.addAll(BUILT_IN);
    for (String group : Sets.difference(groups, BUILT_IN_GROUPS)) {
      served.addAll(find(
          client,
          group,
          kind -> !queues && ManifestReader.configures(group, kind)
              ? Optional.empty()
              : type(group, kind, kinds)));
    }
    return served.build();
  }

  /** {@return the class of the objects of a kind, empty if the controller needs none of them} */
  static Optional<Class<? extends HasMetadata>> type(String group, String kind, JobKinds kinds) {
    return ManifestReader.configures(group, kind)
            || (group.equals(KueueApiVersion.GROUP) && kind.equals(ObjectKey.WORKLOAD))
            || (group.equals(JobKinds.TrainingRuntimes.GROUP) && kind.endsWith("Runtime"))
        ? Optional.of(GenericKubernetesResource.class)
        : BUILT_IN.stream()
            .filter(known -> known.group().equals(group) && known.kind().equals(kind))
            .<Class<? extends HasMetadata>>map(WatchedKind::type)
            .findFirst()
            .or(() -> kinds.type(group, kind));
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

  /**
   * {@return the kinds of a group that the cluster serves, each in the preferred version if that
   * contains it, otherwise in the first that does; none if the group is not served}
   *
   * @param type the class of the objects of a kind, empty if the kind is not needed
   */
  public static ImmutableList<WatchedKind> find(
      KubernetesClient client,
      String group,
      Function<String, Optional<Class<? extends HasMetadata>>> type) {
    APIGroup served = client.getApiGroup(group);
    if (served == null) {
      return ImmutableList.of();
    }
    Map<String, WatchedKind> found = new LinkedHashMap<>();
    Stream.concat(Stream.of(served.getPreferredVersion()), served.getVersions().stream())
        .map(GroupVersionForDiscovery::getVersion)
        .distinct()
        .flatMap(version -> Stream.ofNullable(client.getApiResources(group + "/" + version))
            .flatMap(resources -> resources.getResources().stream())
            // Names of sub-resources contain a slash.
            .filter(resource -> !resource.getName().contains("/"))
            .flatMap(resource -> type.apply(resource.getKind()).stream()
                .map(objects -> new WatchedKind(
                    group,
                    version,
                    resource.getKind(),
                    resource.getName(),
                    resource.getNamespaced(),
                    objects))))
        .forEach(kind -> found.putIfAbsent(kind.plural(), kind));
    return ImmutableList.copyOf(found.values());
  }
}
