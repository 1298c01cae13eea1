package io.kueue4j.core.internal.compiled;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Interner;
import com.google.common.collect.Interners;
import com.google.common.primitives.Ints;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Workload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.Function;

/**
 * Compiles workloads, once for each submission or change.
 *
 * <p>Rules: R-6.
 */
public final class WorkloadCompiler {
  /** The groups of workloads with one pod set, the most frequent case. */
  private static final int[][] ONE_GROUP = {{0}};

  private final Catalog catalog;
  private final boolean reclaimsPods;
  private final boolean restrictsFlavors;
  private final boolean placesPods;
  private final boolean ignoresNames;

  /** The shapes in use; many workloads share few shapes. */
  private final Interner<Shape> shapes = Interners.newWeakInterner();

  /** The LocalQueues of compiled workloads; many workloads share few LocalQueues. */
  private final Interner<String> localQueues = Interners.newWeakInterner();

  private final Function<List<PodSet>, CompiledPodSets> compiler = this::compile;

  /**
   * Creates a compiler.
   *
   * @param catalog interns the names
   * @param reclaimsPods whether reclaimed pods need no quota
   * @param restrictsFlavors whether the allowed flavors of workloads are respected (F-9)
   * @param placesPods whether the topology requests of pod sets are respected
   * @param ignoresNames whether workloads that differ in the names of pod sets have the same shape
   */
  public WorkloadCompiler(
      Catalog catalog,
      boolean reclaimsPods,
      boolean restrictsFlavors,
      boolean placesPods,
      boolean ignoresNames) {
    this.catalog = catalog;
    this.reclaimsPods = reclaimsPods;
    this.restrictsFlavors = restrictsFlavors;
    this.placesPods = placesPods;
    this.ignoresNames = ignoresNames;
  }

  /** {@return {@code workload} compiled, with {@code priority} as its effective priority} */
  public CompiledWorkload compile(Workload workload, long priority) {
    SortedSet<String> allowed =
        restrictsFlavors ? workload.allowedFlavors() : ImmutableSortedSet.of();
    if (!reclaimsPods || workload.reclaimablePods().isEmpty()) {
      Shape shape = shapes.intern(new Shape(priority, workload.podSets(), allowed));
      return new CompiledWorkload(
          workload,
          priority,
          shape.compiled(compiler),
          withSettings(shape),
          localQueue(workload),
          allowed);
    }
    // The pod sets as they were before reclaim are not part of the shape, but decide how far the
    // workload can shrink.
    List<PodSet> sources = workload.podSets();
    ImmutableList.Builder<PodSet> shaped = ImmutableList.builderWithExpectedSize(sources.size());
    CompiledPodSet[] podSets = new CompiledPodSet[sources.size()];
    for (int i = 0; i < podSets.length; i++) {
      PodSet source = sources.get(i);
      int count = count(workload, source);
      podSets[i] = compile(source, count);
      shaped.add(
          count == source.count()
              ? source
              : PodSet.builder().from(source).count(count).build());
    }
    Shape shape = new Shape(priority, shaped.build(), allowed);
    return new CompiledWorkload(
        workload,
        priority,
        new CompiledPodSets(podSets, groups(sources)),
        withSettings(shape),
        localQueue(workload),
        allowed);
  }

  private Shape withSettings(Shape shape) {
    if (ignoresNames) {
      shape.ignoreNames(shapes::intern);
    }
    return shape;
  }

  /** {@return the namespace and name of its LocalQueue, a slash between} */
  private String localQueue(Workload workload) {
    return localQueues.intern(workload.namespace() + "/" + workload.queueName());
  }

  private CompiledPodSets compile(List<PodSet> podSets) {
    return new CompiledPodSets(
        podSets.stream()
            .map(podSet -> compile(podSet, podSet.count()))
            .toArray(CompiledPodSet[]::new),
        groups(podSets));
  }

  private int count(Workload workload, PodSet podSet) {
    int reclaimable = workload.reclaimablePods().getOrDefault(podSet.name(), 0);
    return podSet.count() - Math.min(reclaimable, podSet.count());
  }

  private CompiledPodSet compile(PodSet source, int count) {
    SortedMap<String, Long> requests = source.requests();
    ResourceName[] resources = requests.keySet().stream()
        .map(catalog::resource)
        .sorted(ResourceName::compareVisits)
        .toArray(ResourceName[]::new);
    long[] perPod = new long[resources.length];
    for (int i = 0; i < resources.length; i++) {
      perPod[i] = requests.getOrDefault(resources[i].name(), 0L);
    }
    PodRequest podRequest = PodRequest.of(source.podRequests().orElse(requests), catalog);
    return new CompiledPodSet(source, count, resources, perPod, podRequest, placesPods);
  }

  private static int[][] groups(List<PodSet> podSets) {
    if (podSets.size() == 1) {
      return ONE_GROUP;
    }
    Map<Object, List<Integer>> groups = new LinkedHashMap<>();
    for (int i = 0; i < podSets.size(); i++) {
      Object key = podSets.get(i).group().isPresent() ? podSets.get(i).group() : i;
      groups.computeIfAbsent(key, unused -> new ArrayList<>()).add(i);
    }
    return groups.values().stream().map(Ints::toArray).toArray(int[][]::new);
  }
}
