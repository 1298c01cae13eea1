package io.kueue4j.core.internal.flavor;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.attempt.Assignment;
import io.kueue4j.core.internal.attempt.FlavorFit;
import io.kueue4j.core.internal.attempt.ScanProgress;
import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.compiled.FlavorTable;
import io.kueue4j.core.internal.compiled.WorkloadCompiler;
import io.kueue4j.core.internal.fleet.Fleets;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.support.CompiledQueues;
import io.kueue4j.core.internal.topology.Inventories;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Queues, flavors and an oracle with preset answers. */
final class FlavorFixture {
  private final CompiledQueues compiled = new CompiledQueues();
  final Catalog catalog = compiled.catalog;
  final FlavorTable flavors = new FlavorTable(new Journal());
  final List<String> asked = new ArrayList<>();
  private final Map<FlavorResource, Integer> answers = new HashMap<>();
  private Settings settings = Settings.defaults();

  static ResourceQuota gpu(long nominal) {
    return ResourceQuota.ofAmount("gpu", nominal);
  }

  static ResourceQuota disk(long nominal) {
    return ResourceQuota.ofAmount("disk", nominal);
  }

  static FlavorQuotas spot(ResourceQuota... quotas) {
    return FlavorQuotas.of("spot", quotas);
  }

  static FlavorQuotas reserved(ResourceQuota... quotas) {
    return FlavorQuotas.of("reserved", quotas);
  }

  static FlavorQuotas ssd(long nominal) {
    return FlavorQuotas.of("ssd", disk(nominal));
  }

  static PodSet.Builder pods(String name, int count) {
    return PodSet.builder().name(name).count(count);
  }

  /** Pods of one GPU each. */
  static PodSet gpus(String name, int count) {
    return pods(name, count).requestAmount("gpu", 1).build();
  }

  void use(Settings.Builder newSettings) {
    settings = newSettings.build();
  }

  /** Applies a queue, and every flavor that it names and that is not known yet. */
  QueueQuota queue(ClusterQueue.Builder builder) {
    ClusterQueue spec = builder.build();
    spec.resourceGroups().stream()
        .flatMap(group -> group.flavors().stream())
        .map(FlavorQuotas::flavor)
        .filter(name -> flavors.flavor(name).isEmpty())
        .forEach(name -> flavors.put(ResourceFlavor.of(name)));
    return compiled.put(spec);
  }

  /** Applies a queue with the group, in cohort {@code c}. */
  QueueQuota queue(String name, FlavorQuotas... flavorQuotas) {
    return queue(spec(name, flavorQuotas));
  }

  static ClusterQueue.Builder spec(String name, FlavorQuotas... flavorQuotas) {
    return ClusterQueue.builder()
        .name(name)
        .cohort("c")
        .addResourceGroups(ResourceGroup.of(flavorQuotas));
  }

  void cohort(String name, String parent, FlavorQuotas... flavorQuotas) {
    compiled.put(Cohort.builder()
        .name(name)
        .parent(parent)
        .addResourceGroups(ResourceGroup.of(flavorQuotas))
        .build());
  }

  /** Makes a flavor ineligible for pods without tolerations. */
  void taint(String flavor) {
    flavors.put(ResourceFlavor.builder()
        .name(flavor)
        .addNodeTaints(new Taint("reserved", "", Taint.Effect.NO_SCHEDULE))
        .build());
  }

  void use(QueueQuota queue, String flavor, String resource, long amount) {
    compiled.use(queue, pair(flavor, resource), amount);
  }

  FlavorResource pair(String flavor, String resource) {
    return compiled.pair(flavor, resource);
  }

  /** Sets the answer of the oracle; by default there are no candidates. */
  void answer(String flavor, String resource, int mode, int level) {
    answers.put(pair(flavor, resource), FlavorFit.of(mode, level));
  }

  private int simulate(
      QueueQuota queue, FlavorResource pair, long amount, @Nullable BooleanSupplier fitsOtherwise) {
    asked.add(pair + "=" + amount);
    Integer answer = answers.get(pair);
    return answer != null
        ? answer
        : PreemptionOracle.NO_CANDIDATES.simulate(queue, pair, amount, fitsOtherwise);
  }

  CompiledWorkload workload(PodSet... podSets) {
    return compile(builder(podSets));
  }

  static Workload.Builder builder(PodSet... podSets) {
    return Workload.builder().namespace("team").name("job").queueName("queue").addPodSets(podSets);
  }

  CompiledWorkload compile(Workload.Builder workload) {
    return compiled.compile(workload.build(), 0);
  }

  CompiledWorkload compile(PodSet podSet, int reclaimable) {
    return new WorkloadCompiler(compiled.catalog, Settings.defaults())
        .compile(builder(podSet).build(), ImmutableSortedMap.of(podSet.name(), reclaimable), 0);
  }

  Assignment assign(QueueQuota queue, PodSet... podSets) {
    return assign(queue, workload(podSets), null);
  }

  Assignment assign(QueueQuota queue, CompiledWorkload workload, @Nullable ScanProgress progress) {
    WorkloadPlacer placer = new WorkloadPlacer(
        new Inventories(catalog, Settings.defaults(), new Journal()),
        new Fleets(new Journal()),
        catalog,
        false,
        (unused, flavor) -> false);
    FlavorSearch search =
        new FlavorSearch(flavors, placer, settings, this::simulate, workload, queue, null, null);
    return new AssignmentWalk(search, workload.fullCounts(), progress).walk();
  }

  /** Assigns, going on where {@code last} ended. */
  Assignment resume(QueueQuota queue, Assignment last, PodSet... podSets) {
    return assign(queue, workload(podSets), progress(queue, last, podSets));
  }

  ScanProgress progress(QueueQuota queue, Assignment last, PodSet... podSets) {
    return new ScanProgress(
        last.podSets(), 1, queue.generation(), workload(podSets).shape());
  }

  /** What was decided, such as {@code main: 3 spot/gpu}. */
  ImmutableList<String> chosen(Assignment assignment, CompiledWorkload workload) {
    return assignment.podSets().stream()
        .map(podSet -> {
          StringBuilder text =
              new StringBuilder(workload.podSet(podSet.podSet()).source().name());
          for (int i = 0; i < podSet.size(); i++) {
            text.append(i == 0 ? ": " : ", ")
                .append(podSet.amount(i))
                .append(' ')
                .append(podSet.pair(i));
          }
          return text.toString();
        })
        .collect(ImmutableList.toImmutableList());
  }

  ImmutableList<String> chosen(Assignment assignment, PodSet... podSets) {
    return chosen(assignment, workload(podSets));
  }

  /** What the workload would use, such as {@code spot/gpu=3}. */
  ImmutableList<String> usage(Assignment assignment) {
    List<String> usage = new ArrayList<>();
    for (int i = 0; i < assignment.usage().size(); i++) {
      usage.add(assignment.usage().pair(i) + "=" + assignment.usage().amount(i));
    }
    return ImmutableList.copyOf(usage);
  }

  /** The reasons, such as {@code EXCEEDS_MAXIMUM spot}. */
  ImmutableList<String> reasons(Assignment assignment, PodSet... podSets) {
    ImmutableList<Reason> reasons = assignment.reasons().toReasons(workload(podSets));
    return reasons.stream()
        .map(reason -> reason
            .flavor()
            .map(flavor -> reason.code() + " " + flavor)
            .orElse(reason.code().toString()))
        .collect(ImmutableList.toImmutableList());
  }
}
