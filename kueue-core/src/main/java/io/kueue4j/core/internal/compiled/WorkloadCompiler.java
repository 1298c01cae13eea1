package io.kueue4j.core.internal.compiled;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Interner;
import com.google.common.collect.Interners;
import com.google.common.collect.Lists;
import com.google.common.primitives.Ints;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Workload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Compiles workloads, once for each submission or change.
 *
 * <p>Rules: R-6.
 */
public final class WorkloadCompiler {
  /** The groups of workloads with one pod set, the most frequent case. */
  private static final int[][] ONE_GROUP = {{0}};

  private final Catalog catalog;

  /** Whether reclaimed pods need no quota. */
  private final boolean reclaimsPods;

  /** Whether the allowed flavors of workloads are respected (F-9). */
  private final boolean restrictsFlavors;

  /** Whether the topology requests of pod sets are respected. */
  private final boolean placesPods;

  /** Whether workloads that differ in the names of pod sets have the same shape. */
  private final boolean ignoresNames;

  /** The shapes in use; many workloads share few shapes. */
  private final Interner<Shape> shapes = Interners.newWeakInterner();

  /** The LocalQueues of compiled workloads; many workloads share few LocalQueues. */
  private final Interner<String> localQueues = Interners.newWeakInterner();

  private final Function<List<PodSet>, CompiledPodSets> compiler = this::compile;

  /** Creates a compiler that interns names in {@code catalog}. */
  public WorkloadCompiler(Catalog catalog, Settings settings) {
    this.catalog = catalog;
    this.reclaimsPods = settings.isEnabled(FeatureGate.RECLAIMABLE_PODS);
    this.restrictsFlavors = settings.isEnabled(FeatureGate.CONCURRENT_ADMISSION);
    this.placesPods = settings.isEnabled(FeatureGate.TOPOLOGY_AWARE_SCHEDULING);
    this.ignoresNames =
        settings.isEnabled(FeatureGate.SCHEDULING_EQUIVALENCE_HASHING_IGNORE_POD_SET_NAME);
  }

  /**
   * {@return {@code workload} compiled, with {@code priority} as its effective priority}
   *
   * @param reclaimable the number of pods that need no quota any more, by pod set
   */
  public CompiledWorkload compile(
      Workload workload, SortedMap<String, Integer> reclaimable, long priority) {
    SortedSet<String> allowed =
        restrictsFlavors ? workload.allowedFlavors() : ImmutableSortedSet.of();
    List<PodSet> podSets = workload.podSets();
    boolean isWhole = !reclaimsPods || reclaimable.isEmpty();
    // The pod sets as they were before reclaim are not part of the shape, but decide how far the
    // workload can shrink.
    List<PodSet> inUse = isWhole ? podSets : inUse(podSets, reclaimable);
    Shape shape = shapes.intern(new Shape(priority, inUse, allowed));
    if (ignoresNames) {
      shape.ignoreNames(shapes::intern);
    }
    return new CompiledWorkload(
        workload,
        reclaimable,
        priority,
        isWhole ? shape.compiled(compiler) : compile(podSets, inUse),
        shape,
        localQueues.intern(workload.namespace() + "/" + workload.queueName()),
        allowed);
  }

  /** {@return the pod sets without their reclaimed pods} */
  private static List<PodSet> inUse(List<PodSet> podSets, SortedMap<String, Integer> reclaimable) {
    return ImmutableList.copyOf(Lists.transform(podSets, podSet -> {
      int ended = reclaimable.getOrDefault(podSet.name(), 0);
      int count = podSet.count() - Math.min(ended, podSet.count());
      return count == podSet.count()
          ? podSet
          : PodSet.builder().from(podSet).count(count).build();
    }));
  }

  private CompiledPodSets compile(List<PodSet> podSets) {
    return compile(podSets, podSets);
  }

  private CompiledPodSets compile(List<PodSet> podSets, List<PodSet> inUse) {
    return new CompiledPodSets(
        IntStream.range(0, podSets.size())
            .mapToObj(i -> compile(podSets.get(i), inUse.get(i).count()))
            .toArray(CompiledPodSet[]::new),
        groups(podSets));
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
