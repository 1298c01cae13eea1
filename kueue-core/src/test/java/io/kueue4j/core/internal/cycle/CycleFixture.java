package io.kueue4j.core.internal.cycle;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.attempt.Assignment;
import io.kueue4j.core.internal.attempt.Attempt;
import io.kueue4j.core.internal.attempt.FlavorFit;
import io.kueue4j.core.internal.attempt.LastAttempt;
import io.kueue4j.core.internal.attempt.PodSetFlavors;
import io.kueue4j.core.internal.attempt.RequeueReason;
import io.kueue4j.core.internal.attempt.Victim;
import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.compiled.FlavorTable;
import io.kueue4j.core.internal.flavor.PreemptionOracle;
import io.kueue4j.core.internal.flavor.WorkloadPlacer;
import io.kueue4j.core.internal.fleet.Fleets;
import io.kueue4j.core.internal.preemption.VictimSource;
import io.kueue4j.core.internal.queue.PendingQueue;
import io.kueue4j.core.internal.queue.PendingWorkload;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.Head;
import io.kueue4j.core.internal.state.QueueState;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.internal.support.CompiledQueues;
import io.kueue4j.core.internal.topology.Inventories;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Queues with quota for GPUs, heads of them, and cycles over those. */
final class CycleFixture {
  private final CompiledQueues compiled = new CompiledQueues();
  private final Catalog catalog = compiled.catalog;
  private final FlavorTable flavors = new FlavorTable(new Journal());
  private final EngineState state = new EngineState(Settings.defaults());
  private final Set<Head> inadmissible = new HashSet<>();
  private Settings settings = Settings.defaults();
  private PreemptionOracle oracle = PreemptionOracle.NO_CANDIDATES;

  /** Turns a gate on or off. */
  void set(FeatureGate gate, boolean isOn) {
    settings = Settings.builder().putFeatureGates(gate, isOn).build();
  }

  /** Lets the oracle find no candidates, at a borrow level given. */
  void findNoCandidatesAt(int level) {
    oracle = (queue, pair, amount, fitsOtherwise) -> FlavorFit.of(FlavorFit.NO_CANDIDATES, level);
  }

  static FlavorQuotas flavor(String name, long nominal) {
    return FlavorQuotas.of(name, ResourceQuota.ofAmount("gpu", nominal));
  }

  static FlavorQuotas flavor(String name, long nominal, long borrowingLimit) {
    return FlavorQuotas.of(
        name,
        new ResourceQuota("gpu", nominal, OptionalLong.of(borrowingLimit), OptionalLong.empty()));
  }

  static ClusterQueue.Builder spec(String name, String cohort, FlavorQuotas... quotas) {
    return ClusterQueue.builder()
        .name(name)
        .cohort(cohort)
        .addResourceGroups(ResourceGroup.of(quotas));
  }

  QueueState queue(ClusterQueue.Builder builder) {
    ClusterQueue spec = builder.build();
    spec.resourceGroups().stream()
        .flatMap(group -> group.flavors().stream())
        .forEach(quotas -> flavors.put(ResourceFlavor.of(quotas.flavor())));
    return new QueueState(
        compiled.put(spec), new PendingQueue(Settings.defaults(), null, new Journal()));
  }

  QueueState queue(String name, String cohort, FlavorQuotas... quotas) {
    return queue(spec(name, cohort, quotas));
  }

  void cohort(String name, String parent) {
    compiled.put(Cohort.builder().name(name).parent(parent).build());
  }

  void use(QueueState queue, String flavor, long amount) {
    compiled.use(queue.quota(), pair(flavor), amount);
  }

  long usage(QueueState queue, String flavor) {
    return queue.quota().usage(pair(flavor));
  }

  long available(QueueState queue, String flavor) {
    return queue.quota().available(pair(flavor));
  }

  private FlavorResource pair(String flavor) {
    return compiled.pair(flavor, "gpu");
  }

  static PodSet gpus(String name, int count) {
    return PodSet.builder().name(name).count(count).requestAmount("gpu", 1).build();
  }

  Head head(QueueState queue, String name, int priority, long time, PodSet... podSets) {
    Workload workload = Workload.builder()
        .namespace("team")
        .name(name)
        .uid(name)
        .queueName("queue")
        .addPodSets(podSets)
        .build();
    WorkloadRecord record =
        state.workloads().newRecord(workload, ImmutableSortedMap.of(), Instant.EPOCH);
    return new Head(
        record,
        new PendingWorkload(compiled.compile(workload, priority), record, time, Instant.MIN),
        queue,
        LastAttempt.NONE);
  }

  /** A head that asks for {@code count} GPUs. */
  Head head(QueueState queue, String name, int count) {
    return head(queue, name, 0, 0, gpus("main", count));
  }

  void makeInadmissible(Head head) {
    inadmissible.add(head);
  }

  Map<Head, Attempt> run(long cycle, Head... heads) {
    Nominator nominator = new Nominator(
        flavors,
        new WorkloadPlacer(
            new Inventories(catalog, Settings.defaults(), new Journal()),
            new Fleets(new Journal()),
            catalog,
            false,
            (queue, flavor) -> false),
        (preemptor, bounds) -> new NoVictims(oracle),
        unused -> null,
        settings);
    Map<Head, Attempt> attempts = new LinkedHashMap<>();
    new SchedulingCycle(nominator, settings, this::inadmissibility, new NoGuard(), new NoPromises())
        .run(List.of(heads), cycle, Instant.EPOCH, null)
        .forEach(tried -> attempts.put(tried.head(), tried.attempt()));
    return attempts;
  }

  /** Holds no head back. */
  private static final class NoGuard implements PreemptionGuard {
    @Override
    public boolean mayPreempt(Head head) {
      return true;
    }

    @Override
    public boolean runsElsewhere(Head head) {
      return false;
    }
  }

  /** Neither promises nor windows. */
  private static final class NoPromises implements PromiseGuard {
    @Override
    public boolean isEmpty() {
      return true;
    }

    @Override
    public @Nullable Assignment promised(Head head, Instant now) {
      return null;
    }

    @Override
    public @Nullable Reason delay(Query query, Instant now) {
      return null;
    }

    @Override
    public @Nullable Assignment besideWindows(Head head, Instant now) {
      return null;
    }
  }

  /** Whatever the oracle says of single flavors, nothing is found in the end. */
  private record NoVictims(PreemptionOracle oracle) implements VictimSource {
    @Override
    public int simulate(
        QueueQuota queue,
        FlavorResource pair,
        long amount,
        @Nullable BooleanSupplier fitsOtherwise) {
      return oracle.simulate(queue, pair, amount, fitsOtherwise);
    }

    @Override
    public List<Victim> find(Assignment assignment, BooleanSupplier fitsOtherwise) {
      return List.of();
    }
  }

  private @Nullable Attempt inadmissibility(Head head) {
    return inadmissible.contains(head)
        ? Attempt.inadmissible(
            RequeueReason.GENERIC,
            PendingCause.SUSPENDED,
            Reason.of(ReasonCode.CLUSTER_QUEUE_INACTIVE, "it is stopped"))
        : null;
  }

  /** How a cycle ended, in order of processing, such as {@code a ADMITTED}. */
  static ImmutableList<String> outcomes(Map<Head, Attempt> attempts) {
    List<String> outcomes = new ArrayList<>();
    attempts.forEach((head, attempt) -> outcomes.add(head.compiled().source().name() + " "
        + (attempt.requeueReason() == null ? "ADMITTED" : attempt.requeueReason())));
    return ImmutableList.copyOf(outcomes);
  }

  /** What was nominated, such as {@code spot=3}; nothing if the head could not be looked at. */
  ImmutableList<String> nominated(Attempt attempt) {
    List<String> nominated = new ArrayList<>();
    Assignment assignment = attempt.assignment();
    if (assignment != null) {
      for (PodSetFlavors podSet : assignment.podSets()) {
        for (int i = 0; i < podSet.size(); i++) {
          nominated.add(podSet.pair(i).flavor() + "=" + podSet.amount(i));
        }
      }
    }
    return ImmutableList.copyOf(nominated);
  }

  /** Why a head failed, as codes. */
  ImmutableList<String> reasons(Head head, Attempt attempt) {
    return attempt.log() == null
        ? ImmutableList.of()
        : attempt.log().toReasons(head.compiled()).stream()
            .map(reason -> reason.code().toString())
            .collect(ImmutableList.toImmutableList());
  }

  /** Which pod sets of a head the reasons are about. */
  ImmutableList<String> podSetsShort(Head head, Attempt attempt) {
    return attempt.log() == null
        ? ImmutableList.of()
        : attempt.log().toReasons(head.compiled()).stream()
            .map(reason -> reason.podSet().orElse(""))
            .collect(ImmutableList.toImmutableList());
  }
}
