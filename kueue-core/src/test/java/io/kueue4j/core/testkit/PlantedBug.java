package io.kueue4j.core.testkit;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Maps;
import io.kueue4j.core.decision.LocalQueueView.ConsumedUsage;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionMode;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.testkit.Observation.LocalQueueObservation;
import io.kueue4j.core.testkit.Observation.QueueObservation;
import io.kueue4j.core.testkit.ScenarioOptions.Feature;
import java.math.BigDecimal;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongBinaryOperator;

/** Engines that are wrong on purpose, each in one way, and the invariant that must notice. */
enum PlantedBug {
  LENDING_LIMIT_SKIPPED(
      Invariant.WITHIN_QUOTA_ONCE_VICTIMS_STOPPED,
      MisinformedEngine.ofQuotas(quota -> new ResourceQuota(
          quota.resource(), quota.nominalQuota(), quota.borrowingLimit(), OptionalLong.empty()))),

  BORROWING_LIMIT_SKIPPED(
      Invariant.WITHIN_QUOTA_ONCE_VICTIMS_STOPPED,
      MisinformedEngine.ofQuotas(quota -> new ResourceQuota(
          quota.resource(), quota.nominalQuota(), OptionalLong.empty(), quota.lendingLimit()))),

  USAGE_DOES_NOT_BUBBLE(
      Invariant.WITHIN_QUOTA_ONCE_VICTIMS_STOPPED,
      // Every queue sees a pool of its own, as if others of the cohort used nothing of it.
      MisinformedEngine.ofQuotas(quota -> new ResourceQuota(
          quota.resource(),
          Math.min(quota.nominalQuota(), Long.MAX_VALUE / 4) * 2,
          quota.borrowingLimit(),
          quota.lendingLimit()))),

  QUOTA_OF_DELETED_COHORT_KEPT(
      Invariant.LIKE_REBUILT, wrapping(right -> new ForwardingEngine(right) {
        private final Set<String> known = new TreeSet<>();

        @Override
        public void apply(List<ConfigObject> objects) {
          super.apply(objects);
          objects.forEach(object -> {
            if (object instanceof Cohort cohort) {
              known.add(cohort.name());
            }
          });
        }

        @Override
        public boolean remove(Class<? extends ConfigObject> kind, String name) {
          return kind == Cohort.class ? known.remove(name) : super.remove(kind, name);
        }
      })),

  RECLAIMABLE_PODS_KEEP_QUOTA(
      Invariant.USAGE_IS_WHAT_IS_HELD, wrapping(right -> new ForwardingEngine(right) {
        @Override
        public boolean setReclaimablePods(WorkloadId workload, SortedMap<String, Integer> pods) {
          return super.setReclaimablePods(
              workload, ImmutableSortedMap.copyOf(Maps.transformValues(pods, count -> 0)));
        }
      })),

  DOUBLE_RELEASE(
      Invariant.USAGE_IS_WHAT_IS_HELD,
      wrapping(right -> new CountingEngine(right, (amount, finished) -> amount - finished))),

  NEGATIVE_USAGE(
      Invariant.NO_CREDIT,
      wrapping(right -> new CountingEngine(right, (amount, finished) -> amount - 5 * finished))),

  LAST_POD_SET_IS_FREE(Invariant.NOTHING_IS_FREE, MisinformedEngine.ofWorkloads(workload -> {
    PodSet last = workload.podSets().get(workload.podSets().size() - 1);
    return Workload.builder()
        .namespace(workload.namespace())
        .name(workload.name())
        .queueName(workload.queueName())
        .addAllPodSets(workload.podSets().subList(0, workload.podSets().size() - 1))
        .addPodSets(PodSet.builder().name(last.name()).count(last.count()).build())
        .build();
  })),

  OVERFLOW_IS_FREE(
      Invariant.NOTHING_IS_FREE,
      MisinformedEngine.ofWorkloads(workload -> Workload.builder()
          .namespace(workload.namespace())
          .name(workload.name())
          .queueName(workload.queueName())
          .addAllPodSets(workload.podSets().stream().map(PlantedBug::wrapped).toList())
          .build())),

  NODES_LOOK_LARGER(Invariant.NODES_HOLD_WHAT_IS_PLACED, NodeBugs.ofNodes(NodeBugs::twiceAsLarge)),

  PLACES_GET_LOST(Invariant.PLACES_ARE_COMPLETE, wrapping(NodeBugs.Losing::new)),

  REQUIRED_IS_PREFERRED(
      Invariant.PLACES_ARE_AS_REQUIRED, MisinformedEngine.ofWorkloads(NodeBugs::preferringOnly)),

  NODES_COME_BACK_EMPTY(Invariant.NODES_COME_BACK_AS_THEY_WERE, wrapping(NodeBugs.Forgetting::new)),

  LONG_NAMES_ARE_OVERLOOKED(
      Invariant.RENAMED_NODES_DECIDE_ALIKE, NodeBugs.ofNodes(NodeBugs::unlessNameIsLong)),

  EVERY_NODE_COUNTS_AS_READY(
      Invariant.UNUSABLE_NODES_CHANGE_NOTHING, NodeBugs.ofNodes(NodeBugs::alwaysReady)),

  PREEMPTS_FOR_EVER(Invariant.COMES_TO_REST_BY_PRIORITY, wrapping(ThrashingEngine::new)),

  PREEMPT_EACH_OTHER(Invariant.NO_MUTUAL_PREEMPTION_BY_PRIORITY, wrapping(ThrashingEngine::new)),

  ORDER_BY_HASH(Invariant.SAME_HISTORY_SAME_DECISIONS, (settings, clock) -> {
    // Identity hashes differ from engine to engine; a count does so reliably.
    boolean isOdd = Engines.COUNT.incrementAndGet() % 2 == 1;
    return MisinformedEngine.ofWorkloads(workload -> isOdd
            ? Workload.builder().from(workload).priority(-workload.priority()).build()
            : workload)
        .create(settings, clock);
  }),

  RECLAIMS_FROM_ANYBODY(Invariant.NOMINAL_IS_SAFE, wrapping(right -> new ForwardingEngine(right) {
    @Override
    public WorkloadDecision tryAdmit(Workload workload, boolean evictVictims) {
      WorkloadDecision decision = super.tryAdmit(workload, evictVictims);
      return evictVictims || decision.outcome() != WorkloadDecision.Outcome.PENDING
          ? decision
          : WorkloadDecision.preempting(workload.id(), Engines.everybody(this, workload.id()));
    }
  })),

  NO_FILL_BACK(
      Invariant.NO_NEEDLESS_VICTIM_WITHOUT_BORROWING,
      wrapping(right -> new ForwardingEngine(right) {
        @Override
        public WorkloadDecision tryAdmit(Workload workload, boolean evictVictims) {
          WorkloadDecision decision = super.tryAdmit(workload, evictVictims);
          return evictVictims || decision.victims().isEmpty()
              ? decision
              : WorkloadDecision.preempting(workload.id(), Engines.everybody(this, workload.id()));
        }
      }),
      Feature.PREEMPTION,
      Feature.PRIORITIES),

  LOST_REQUEUE(Invariant.WORK_CONSERVING_WITHOUT_CHANGES, wrapping(ForgetfulEngine::new)),

  LOST_EVENT(Invariant.NO_EVENT_IS_MISSED_WITHOUT_CHANGES, wrapping(ForgetfulEngine::new)),

  SCAN_STAYS_AT_THE_FIRST_FLAVOR(
      Invariant.A_FITTING_FLAVOR_ADMITS,
      MisinformedEngine.ofQueues(queue -> MisinformedEngine.withGroups(
          queue,
          queue.resourceGroups().stream()
              .map(group -> ResourceGroup.of(group.flavors().get(0)))
              .collect(toImmutableList())))),

  LOOPS_ACCEPTED(Invariant.REFUSED_CHANGES_NOTHING, wrapping(right -> new ForwardingEngine(right) {
    @Override
    public void apply(List<ConfigObject> objects) {
      try {
        super.apply(objects);
      } catch (InvalidConfigurationException e) {
        // Taken for done.
      }
    }
  })),

  REFUSED_BY_HALF(Invariant.REFUSED_CHANGES_NOTHING, wrapping(right -> new ForwardingEngine(right) {
    @Override
    public boolean remove(Class<? extends ConfigObject> kind, String name) {
      if (kind == ClusterQueue.class) {
        observe()
            .clusterQueues()
            .getOrDefault(name, Engines.NOTHING)
            .pending()
            .forEach(this::delete);
      }
      return super.remove(kind, name);
    }
  })),

  EVICTION_NOT_TOLD(Invariant.EVICTIONS_ADD_UP, wrapping(right -> new ForwardingEngine(right) {
    @Override
    public CycleDecisions runCycle() {
      CycleDecisions decisions = super.runCycle();
      return new CycleDecisions(
          decisions.admitted(),
          decisions.evictions().stream().skip(1).collect(toImmutableList()),
          decisions.waiting());
    }
  })),

  ADMITS_FOR_EVER(Invariant.TERMINATES, wrapping(right -> new ForwardingEngine(right) {
    private final TreeMap<WorkloadId, Workload> workloads = new TreeMap<>();

    @Override
    public boolean submit(Workload workload) {
      workloads.put(workload.id(), workload);
      return super.submit(workload);
    }

    @Override
    public CycleDecisions runCycle() {
      CycleDecisions decisions = super.runCycle();
      decisions.admitted().forEach(admission -> {
        Workload workload = workloads.get(admission.workload());
        if (workload != null && super.release(workload.id())) {
          super.submit(workload);
        }
      });
      return decisions;
    }
  })),

  WEIGHT_ZERO_COUNTS_AS_ONE(
      Invariant.WEIGHT_ZERO_IS_LAST,
      MisinformedEngine.ofQueues(queue -> ClusterQueue.builder()
          .from(queue)
          .fairSharingWeight(queue.fairSharingWeight() == 0 ? 9 : 1.0)
          .build()),
      Feature.FAIR_SHARING,
      Feature.PREEMPTION,
      Feature.WEIGHTS),

  RECLAIMS_FROM_NONE(
      Invariant.BYPASS_IS_BOUNDED_BY_RECLAIM,
      MisinformedEngine.ofQueues(queue ->
          ClusterQueue.builder().from(queue).preemption(Preemption.never()).build())),

  HALF_LIFE_DOUBLED(Invariant.USAGE_DECAYS_IN_CLOSED_FORM, (settings, clock) -> {
    Settings.Builder wrong = Settings.builder();
    settings
        .admissionFairSharing()
        .ifPresent(right -> wrong.admissionFairSharing(new AdmissionFairSharing(
            right.usageHalfLifeTime().multipliedBy(2),
            right.usageSamplingInterval(),
            right.resourceWeights())));
    return AdmissionEngineUnderTest.create(wrong.build(), clock);
  }),

  PENALTY_LEFT_OUT(Invariant.USAGE_DECAYS_IN_CLOSED_FORM, Engines.GOES_BY_NO_USAGE),

  USAGE_ROUNDED_UP(Invariant.USAGE_RETURNS_TO_ZERO, wrapping(right -> new UsageEngine(right) {
    @Override
    SortedMap<String, BigDecimal> shown(SortedMap<String, BigDecimal> consumed) {
      return consumed.isEmpty() ? ImmutableSortedMap.of("gpu", BigDecimal.valueOf(1, 9)) : consumed;
    }
  })),

  LOCAL_QUEUE_WEIGHT_UPSIDE_DOWN(
      Invariant.USAGE_FALLS_WITH_WEIGHT,
      MisinformedEngine.ofConfiguration(object -> object instanceof LocalQueue queue
          ? LocalQueue.builder()
              .from(queue)
              .fairSharingWeight(Engines.inverse(queue.fairSharingWeight()))
              .build()
          : object)),

  LOCAL_QUEUE_WITHOUT_WEIGHT_FIRST(
      Invariant.USAGE_FALLS_WITH_WEIGHT, wrapping(right -> new UsageEngine(right) {
        @Override
        double shown(double usage) {
          return Double.isInfinite(usage) ? 0 : usage;
        }
      })),

  USAGE_WITHOUT_EFFECT(Invariant.LEAST_USAGE_IS_FIRST, Engines.GOES_BY_NO_USAGE),

  LENDING_MISCOUNTED(
      Invariant.ALL_AND_NOT_MORE_THAN_AVAILABLE,
      MisinformedEngine.ofQuotas(quota -> new ResourceQuota(
          quota.resource(),
          quota.nominalQuota(),
          quota.borrowingLimit(),
          quota.lendingLimit().isEmpty() ? quota.lendingLimit() : OptionalLong.of(0)))),

  DELETED_BUT_STILL_THERE(Invariant.IN_ONE_PLACE, wrapping(right -> new ForwardingEngine(right) {
    @Override
    public boolean delete(WorkloadId workload) {
      return observe().clusterQueues().values().stream()
          .anyMatch(queue -> queue.pending().contains(workload)
              || queue.inadmissible().contains(workload)
              || queue.holding().contains(workload));
    }
  })),

  STRICT_QUEUE_OVERTAKEN(
      Invariant.STRICT_QUEUE_IS_NOT_OVERTAKEN,
      MisinformedEngine.ofQueues(queue -> ClusterQueue.builder()
          .from(queue)
          .queueingStrategy(QueueingStrategy.BEST_EFFORT_FIFO)
          .build()));

  private final Invariant invariant;

  /** What scenarios are about that show the bug soon; nothing if any does. */
  private final ImmutableSet<Feature> features;

  @SuppressWarnings("ImmutableEnumChecker") // a function
  private final EngineUnderTest.Factory factory;

  PlantedBug(Invariant invariant, EngineUnderTest.Factory factory, Feature... features) {
    this.invariant = invariant;
    this.factory = factory;
    this.features = ImmutableSet.copyOf(features);
  }

  ScenarioOptions options() {
    return features.isEmpty()
        ? ScenarioOptions.defaults()
        : ScenarioOptions.builder().features(features).build();
  }

  Invariant invariant() {
    return invariant;
  }

  EngineUnderTest.Factory factory() {
    return factory;
  }

  private static EngineUnderTest.Factory wrapping(
      Function<EngineUnderTest, EngineUnderTest> wrapper) {
    return (settings, clock) -> wrapper.apply(AdmissionEngineUnderTest.create(settings, clock));
  }

  private static PodSet wrapped(PodSet podSet) {
    PodSet.Builder rest = PodSet.builder().name(podSet.name()).count(podSet.count());
    podSet.requests().forEach((resource, amount) -> {
      if (amount <= Long.MAX_VALUE / 4) {
        rest.requestAmount(resource, amount);
      }
    });
    return rest.build();
  }

  /** What enum constants cannot refer to in themselves. */
  private static final class Engines {
    static final AtomicInteger COUNT = new AtomicInteger();

    static final EngineUnderTest.Factory GOES_BY_NO_USAGE =
        MisinformedEngine.ofQueues(queue -> ClusterQueue.builder()
            .from(queue)
            .admissionMode(AdmissionMode.NO_ADMISSION_FAIR_SHARING)
            .build());

    static double inverse(double weight) {
      return weight == 0 ? 0 : 1 / weight;
    }

    static ImmutableList<ObservedPreemption> everybody(
        EngineUnderTest engine, WorkloadId preemptor) {
      return engine.observe().clusterQueues().values().stream()
          .flatMap(queue -> queue.holding().stream())
          .map(id -> new ObservedPreemption(id, preemptor, PreemptionReason.IN_COHORT_RECLAMATION))
          .collect(toImmutableList());
    }

    static final QueueObservation NOTHING = new QueueObservation(
        false,
        ImmutableSortedMap.of(),
        ImmutableSortedSet.of(),
        ImmutableSortedSet.of(),
        ImmutableList.of(),
        ImmutableList.of());
  }

  /** Shows what LocalQueues have used wrongly. */
  private static class UsageEngine extends ForwardingEngine {
    UsageEngine(EngineUnderTest right) {
      super(right);
    }

    SortedMap<String, BigDecimal> shown(SortedMap<String, BigDecimal> consumed) {
      return consumed;
    }

    double shown(double usage) {
      return usage;
    }

    @Override
    public Observation observe() {
      Observation right = super.observe();
      return new Observation(
          right.clusterQueues(),
          ImmutableSortedMap.copyOfSorted(Maps.transformValues(
              right.localQueues(),
              queue -> new LocalQueueObservation(
                  queue
                      .consumed()
                      .map(
                          usage -> new ConsumedUsage(shown(usage.resources()), usage.lastUpdate())),
                  shown(queue.fairSharingUsage())))));
    }
  }

  /** Shows usage as a wrong function of the usage and the number of workloads that finished. */
  private static final class CountingEngine extends ForwardingEngine {
    private final LongBinaryOperator shown;
    private long finished;

    CountingEngine(EngineUnderTest right, LongBinaryOperator shown) {
      super(right);
      this.shown = shown;
    }

    @Override
    public boolean finish(WorkloadId workload) {
      boolean known = super.finish(workload);
      finished += known ? 1 : 0;
      return known;
    }

    @Override
    public Observation observe() {
      Observation right = super.observe();
      return new Observation(
          ImmutableSortedMap.copyOfSorted(
              Maps.transformValues(right.clusterQueues(), this::counted)),
          right.localQueues());
    }

    private QueueObservation counted(QueueObservation queue) {
      return new QueueObservation(
          queue.active(),
          ImmutableSortedMap.copyOfSorted(
              Maps.transformValues(queue.usage(), amount -> shown.applyAsLong(amount, finished))),
          queue.holding(),
          queue.stopping(),
          queue.pending(),
          queue.inadmissible());
    }
  }
}
