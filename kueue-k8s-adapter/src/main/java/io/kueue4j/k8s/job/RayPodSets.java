package io.kueue4j.k8s.job;

import com.google.common.base.Ascii;
import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.kueue4j.core.model.Violation;
import io.kueue4j.k8s.internal.yaml.Elements;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The pod sets of a Ray cluster: {@code head}, and one per group of workers.
 *
 * <p>Includes what KubeRay adds to the head: the container of the autoscaler, and the minimum
 * requests for the job that later cleans up Redis in place of the head. Rules: J-9.
 */
final class RayPodSets {
  static final String HEAD = "head";

  private static final String AUTOSCALING = "enableInTreeAutoscaling";
  private static final String GROUPS = "workerGroupSpecs";
  private static final String REPLICAS = "replicas";
  private static final String FAULT_TOLERANCE = "ray.io/ft-enabled";
  private static final Map<String, Quantity> AUTOSCALER =
      Map.of("cpu", new Quantity("500m"), "memory", new Quantity("512Mi"));
  private static final Map<String, Quantity> REDIS_CLEANUP =
      Map.of("cpu", new Quantity("200m"), "memory", new Quantity("256Mi"));

  private RayPodSets() {}

  /**
   * {@return the pod sets of the cluster at {@code spec}}
   *
   * @param sidecars the containers added to the head
   */
  static List<PlacedPodSet> read(
      JobFields fields, RawPath spec, ImmutableList<Container> sidecars) {
    ImmutableList.Builder<PlacedPodSet> placed = ImmutableList.builder();
    RawPath head = spec.fields("headGroupSpec.template");
    placed.add(new PlacedPodSet(
        JobPodSet.of(HEAD, head.text(), head(fields, spec, head, sidecars), 1),
        InjectionPlace.template(head)));
    RawPath groups = spec.field(GROUPS);
    int count = fields.items(groups).size();
    for (int i = 0; i < count; i++) {
      placed.add(workers(fields, groups.item(i)));
    }
    return placed.build();
  }

  /**
   * {@return the pod sets with the numbers of workers to which Ray has scaled the cluster of an
   * elastic job}
   *
   * @param spec the path of the cluster in the job
   * @param name the path of the name of the running cluster
   */
  static List<PlacedPodSet> scaled(
      JobFields fields,
      RawPath spec,
      RawPath name,
      JobKinds.RayClusters clusters,
      List<PlacedPodSet> placed) {
    String cluster = fields.text(name).orElse("");
    // Only elastic jobs may scale.
    if (cluster.isEmpty() || !fields.bool(spec.field(AUTOSCALING)).orElse(false)) {
      return placed;
    }
    String namespace = Strings.nullToEmpty(JobMetadata.metadata(fields.job()).getNamespace());
    Optional<GenericKubernetesResource> live = clusters.find(namespace, cluster);
    if (live.isEmpty()) {
      return placed;
    }
    Map<String, OptionalInt> counts = workers(fields, name, live.get());
    ImmutableList.Builder<PlacedPodSet> scaled = ImmutableList.builder();
    for (PlacedPodSet each : placed) {
      JobPodSet podSet = each.podSet();
      OptionalInt count =
          Objects.requireNonNullElse(counts.remove(podSet.name()), OptionalInt.empty());
      scaled.add(new PlacedPodSet(podSet.withCount(count.orElse(podSet.count())), each.place()));
    }
    counts
        .keySet()
        .forEach(group -> fields.problem(
            spec.field(GROUPS),
            "no group \"" + group + "\"; expected a group of the RayCluster " + cluster));
    return scaled.build();
  }

  /** {@return the numbers of workers in a cluster by group, empty where they are absent} */
  private static Map<String, OptionalInt> workers(
      JobFields fields, RawPath place, GenericKubernetesResource cluster) {
    JobFields live = new JobFields(cluster);
    RawPath groups = RawPath.of("spec").field(GROUPS);
    Map<String, OptionalInt> workers = new LinkedHashMap<>();
    for (int i = 0; i < live.items(groups).size(); i++) {
      RawPath group = groups.item(i);
      workers.put(
          Ascii.toLowerCase(live.text(group.field("groupName")).orElse("")),
          live.isWritten(group.field(REPLICAS))
              ? OptionalInt.of(count(live, group))
              : OptionalInt.empty());
    }
    for (Violation problem : live.problems()) {
      fields.problem(place, problem.object() + ": " + problem.field() + ": " + problem.problem());
    }
    return workers;
  }

  private static int count(JobFields fields, RawPath group) {
    int replicas = fields.count(group.field(REPLICAS)).orElse(0);
    int hosts = Math.max(fields.count(group.field("numOfHosts")).orElse(1), 1);
    return fields.product(group.field(REPLICAS), replicas, hosts);
  }

  static void check(JobFields fields, RawPath spec) {
    RawPath autoscaling = spec.field(AUTOSCALING);
    if (fields.bool(autoscaling).orElse(false) && !ElasticJobs.isElastic(fields.job())) {
      fields.problem(
          autoscaling,
          "true, which changes the number of pods after admission; expected false, or the"
              + " annotation " + MetadataKeys.ELASTIC_JOB + ": \"true\"");
    }
    RawPath groups = spec.field(GROUPS);
    int count = fields.items(groups).size();
    for (int i = 0; i < count; i++) {
      RawPath name = groups.item(i).field("groupName");
      if (HEAD.equals(Ascii.toLowerCase(fields.text(name).orElse("")))) {
        fields.problem(name, "\"" + HEAD + "\" is the pod set of the head; expected another name");
      }
    }
  }

  private static PlacedPodSet workers(JobFields fields, RawPath group) {
    RawPath name = group.field("groupName");
    if (!fields.isWritten(name)) {
      fields.problem(name, "missing; expected the name of the group");
    }
    RawPath template = group.field("template");
    return new PlacedPodSet(
        JobPodSet.of(
            Ascii.toLowerCase(fields.text(name).orElse("")),
            template.text(),
            fields.template(template),
            count(fields, group)),
        InjectionPlace.template(template));
  }

  private static PodTemplateSpec head(
      JobFields fields, RawPath spec, RawPath path, ImmutableList<Container> sidecars) {
    PodTemplateSpec template = fields.template(path);
    List<Container> containers = new ArrayList<>(
        template.getSpec() == null
            ? ImmutableList.of()
            : Elements.of(template.getSpec().getContainers()));
    if (containers.isEmpty()) {
      return template;
    }
    if (cleansUpRedis(fields, spec)) {
      containers.set(0, withRedisCleanup(containers.get(0)));
    }
    if (fields.bool(spec.field(AUTOSCALING)).orElse(false)) {
      ResourceRequirements resources = fields
          .object(spec.fields("autoscalerOptions.resources"), ResourceRequirements.class)
          .orElseGet(() -> new ResourceRequirements(null, AUTOSCALER, AUTOSCALER));
      containers.add(
          new ContainerBuilder().withName("autoscaler").withResources(resources).build());
    }
    containers.addAll(sidecars);
    return new PodTemplateSpecBuilder(template)
        .editSpec()
        .withContainers(containers)
        .endSpec()
        .build();
  }

  private static boolean cleansUpRedis(JobFields fields, RawPath spec) {
    String annotation =
        Strings.nullToEmpty(JobMetadata.annotations(fields.job()).get(FAULT_TOLERANCE));
    return Ascii.equalsIgnoreCase(annotation, "true")
        || fields.isWritten(spec.field("gcsFaultToleranceOptions"));
  }

  /**
   * {@return the head with at least the requests of the Redis cleanup} A limit without a request
   * counts as a request, which a smaller one must not override.
   */
  private static Container withRedisCleanup(Container head) {
    ResourceRequirements given =
        Objects.requireNonNullElseGet(head.getResources(), ResourceRequirements::new);
    Map<String, Quantity> requests =
        new LinkedHashMap<>(Objects.requireNonNullElse(given.getRequests(), Map.of()));
    Map<String, Quantity> limits = Objects.requireNonNullElse(given.getLimits(), Map.of());
    REDIS_CLEANUP.forEach((resource, needed) -> {
      Quantity present = requests.getOrDefault(resource, limits.get(resource));
      requests.put(resource, present == null || isLess(present, needed) ? needed : present);
    });
    return new ContainerBuilder(head)
        .editOrNewResources()
        .withRequests(requests)
        .endResources()
        .build();
  }

  /**
   * {@return whether a quantity is smaller} An invalid quantity is kept; it is reported as a
   * violation later.
   */
  private static boolean isLess(Quantity present, Quantity needed) {
    try {
      return io.kueue4j.core.resource.Quantity.parse(present.toString())
              .compareTo(io.kueue4j.core.resource.Quantity.parse(needed.toString()))
          < 0;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
