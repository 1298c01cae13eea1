package io.kueue4j.k8s.pod;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Streams;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.kueue4j.core.resource.ResourceNames;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The resources of a pod, read and adjusted step by step.
 *
 * <p>Rules.
 */
record EffectivePod(
    ImmutableList<ContainerResources> initContainers,
    ImmutableList<ContainerResources> containers,
    Optional<ContainerResources> podLevel,
    ResourceList overhead) {

  static EffectivePod read(PodSpec spec, String path, FieldErrors errors) {
    return new EffectivePod(
        containers(spec.getInitContainers(), path + ".initContainers", true, errors),
        containers(spec.getContainers(), path + ".containers", false, errors),
        Optional.ofNullable(spec.getResources())
            .map(resources ->
                ContainerResources.read("", path, path + ".resources", false, resources, errors)),
        errors.quantities(path + ".overhead", spec.getOverhead()));
  }

  /** Fills in the defaults of the LimitRanges, a part of rule R-1. */
  EffectivePod withDefaults(LimitRangeSummary limits) {
    return map(
        container -> container.withDefaults(limits.container()),
        pod -> pod.withDefaults(limits.pod()));
  }

  EffectivePod withLimitsAsRequests() {
    return map(ContainerResources::withLimitsAsRequests, ContainerResources::withLimitsAsRequests);
  }

  EffectivePod withOverhead(ResourceList newOverhead) {
    return new EffectivePod(initContainers, containers, podLevel, newOverhead);
  }

  /** Raises the requests to what the containers still have, according to their status. */
  EffectivePod withAllocated(@Nullable PodStatus status, FieldErrors errors) {
    if (status == null) {
      return this;
    }
    Map<String, ResourceList> allocated = new HashMap<>();
    addAllocated(
        "status.initContainerStatuses", status.getInitContainerStatuses(), allocated, errors);
    addAllocated("status.containerStatuses", status.getContainerStatuses(), allocated, errors);
    return map(
        container ->
            container.withAtLeast(allocated.getOrDefault(container.name(), ResourceList.EMPTY)),
        UnaryOperator.identity());
  }

  private static void addAllocated(
      String path,
      @Nullable List<ContainerStatus> statuses,
      Map<String, ResourceList> allocated,
      FieldErrors errors) {
    errors.forEach(path, statuses, (status, at) -> {
      ContainerResources running = ContainerResources.read(
          Strings.nullToEmpty(status.getName()),
          at,
          at + ".resources",
          false,
          status.getResources(),
          errors);
      ResourceList promised =
          errors.quantities(at + ".allocatedResources", status.getAllocatedResources());
      allocated.merge(running.name(), running.requests().max(promised), ResourceList::max);
    });
  }

  /** Everything that has requests and limits of its own, in the order of upstream's checks. */
  Stream<ContainerResources> parts() {
    return Streams.concat(initContainers.stream(), containers.stream(), podLevel.stream());
  }

  /**
   * Rule R-2: the maximum that the pod needs at any moment.
   *
   * @param coversContainers whether requests of the pod count at least as the requests of its
   *     containers
   */
  ResourceList total(boolean coversContainers) {
    ResourceList running = ResourceList.EMPTY;
    for (ContainerResources container : containers) {
      running = running.plus(container.requests());
    }
    ResourceList sidecars = ResourceList.EMPTY;
    ResourceList peak = ResourceList.EMPTY;
    for (ContainerResources init : initContainers) {
      ResourceList started = sidecars.plus(init.requests());
      peak = peak.max(started);
      if (init.sidecar()) {
        sidecars = started;
      }
    }
    ResourceList total = running.plus(sidecars).max(peak);
    ResourceList ofThePod = podLevel
        .map(pod -> pod.requests().filter(EffectivePod::mayBeSetForThePod))
        .orElse(ResourceList.EMPTY);
    return (coversContainers ? ofThePod.max(total) : ofThePod.orElse(total)).plus(overhead);
  }

  private EffectivePod map(
      UnaryOperator<ContainerResources> onContainers, UnaryOperator<ContainerResources> onPod) {
    return new EffectivePod(
        initContainers.stream().map(onContainers).collect(ImmutableList.toImmutableList()),
        containers.stream().map(onContainers).collect(ImmutableList.toImmutableList()),
        podLevel.map(onPod),
        overhead);
  }

  private static boolean mayBeSetForThePod(String resource) {
    return resource.equals(ResourceNames.CPU)
        || resource.equals(ResourceNames.MEMORY)
        || resource.startsWith("hugepages-");
  }

  private static ImmutableList<ContainerResources> containers(
      @Nullable List<Container> containers, String path, boolean init, FieldErrors errors) {
    ImmutableList.Builder<ContainerResources> read = ImmutableList.builder();
    errors.forEach(
        path,
        containers,
        (container, at) -> read.add(ContainerResources.read(
            Strings.nullToEmpty(container.getName()),
            at,
            at + ".resources",
            init && "Always".equals(container.getRestartPolicy()),
            container.getResources(),
            errors)));
    return read.build();
  }
}
