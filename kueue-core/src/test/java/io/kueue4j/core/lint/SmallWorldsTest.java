package io.kueue4j.core.lint;

import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.decision.AdmissionResult.Admitted;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.ClusterQueueView.HoldingWorkload;
import io.kueue4j.core.decision.ClusterQueueView.WaitingWorkload;
import io.kueue4j.core.decision.Decision;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.PreemptionVictim;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.lint.LoopSearch.Bounds;
import io.kueue4j.core.lint.WorldState.Move;
import io.kueue4j.core.lint.WorldState.Next;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.Preemption.Policy;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.testkit.jqwik.Choices;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Small configurations with all orders of arrivals and stops, and what must hold in each of their
 * states. Exceptions are what Kueue decides, and are listed.
 */
class SmallWorldsTest {
  private static final int MAX_MOVES = 6;

  /** The number of random configurations. */
  private static final int WORLDS = 2 * Integer.getInteger("kueue4j.tries", 1);

  private static final List<Policy> WITHIN =
      List.of(Policy.NEVER, Policy.LOWER_PRIORITY, Policy.LOWER_OR_NEWER_EQUAL_PRIORITY);
  private static final List<Policy> RECLAIM =
      List.of(Policy.NEVER, Policy.LOWER_PRIORITY, Policy.ANY);
  private static final Settings CLASSICAL = Settings.defaults();
  private static final Settings FAIR = Settings.builder().fairSharing().build();

  /** P-12: without fair sharing, a victim more may make borrowing unnecessary. */
  private static final String NOT_NEEDED = "classical: a victim that is not needed";

  /** kueue#14543: shares were compared before victims of the own queue were put back. */
  private static final String UNFAIR = "fair sharing: an unfair victim";

  /**
   * A preemptor whose victim starts again before it goes on with its next flavor, where it never
   * fits, and is parked until something else happens (F-24).
   */
  private static final String WAITS = "fair sharing: waits within nominal quota";

  private int worlds;
  private long states;
  private int worldsWithLoops;
  private final Map<String, Integer> exceptions = new TreeMap<>();

  private static Settings lasting(Settings settings) {
    return Settings.builder()
        .from(settings)
        .strictFairSharing(true)
        .strictBorrowing(true)
        .featureGates(Map.of(FeatureGate.PRIORITIZE_PREEMPTOR_WORKLOADS, true))
        .build();
  }

  private static ClusterQueue queue(
      String name, String cohort, Preemption preemption, ResourceQuota... quotas) {
    FlavorQuotas[] flavors = new FlavorQuotas[quotas.length];
    for (int i = 0; i < quotas.length; i++) {
      flavors[i] = FlavorQuotas.of("f" + i, quotas[i]);
    }
    return ClusterQueue.builder()
        .name(name)
        .cohort(cohort)
        .preemption(preemption)
        .addResourceGroups(ResourceGroup.of(flavors))
        .build();
  }

  private static Preemption preemption(Policy within, Policy reclaim, Policy borrow) {
    return Preemption.builder()
        .withinClusterQueue(within)
        .reclaimWithinCohort(reclaim)
        .borrowWithinCohort(borrow)
        .build();
  }

  /** Two queues with the same policies, and quotas of 1 each; workloads of 1 and 2. */
  @Test
  void twoQueuesWithAllPolicies() {
    checkAllPolicies(1, 1);
    assertThat(exceptions.keySet()).isSubsetOf(NOT_NEEDED, UNFAIR);
    assertThat(List.of(worlds, (int) states, worldsWithLoops)).containsExactly(24, 12_577, 4);
  }

  @Test
  @Tag("slow")
  void twoQueuesWithAllPoliciesAndQuotas() {
    for (int a = 0; a <= 2; a++) {
      for (int b = a; b <= 2; b++) {
        checkAllPolicies(a, b);
      }
    }
    assertThat(exceptions.keySet()).containsExactlyInAnyOrder(NOT_NEEDED, UNFAIR);
    assertThat(List.of(worlds, (int) states, worldsWithLoops)).containsExactly(144, 75_164, 17);
  }

  private void checkAllPolicies(int a, int b) {
    for (Policy within : WITHIN) {
      for (Policy reclaim : RECLAIM) {
        check(two(a, b, preemption(within, reclaim, Policy.NEVER)), CLASSICAL, 3);
        check(two(a, b, preemption(within, reclaim, Policy.NEVER)), FAIR, 3);
        if (reclaim != Policy.NEVER) {
          check(two(a, b, preemption(within, reclaim, Policy.LOWER_PRIORITY)), CLASSICAL, 3);
        }
      }
    }
  }

  private static List<ConfigObject> two(int a, int b, Preemption preemption) {
    return List.of(
        ResourceFlavor.of("f0"),
        queue("a", "all", preemption, ResourceQuota.ofAmount("gpu", a)),
        queue("b", "all", preemption, ResourceQuota.ofAmount("gpu", b)));
  }

  /**
   * Three queues, two levels, two flavors, limits, and policies of their own; with
   * {@code -Dkueue4j.tries=N} there are N times as many.
   */
  @Test
  void threeQueuesOnTwoLevels() {
    for (int i = 0; i < WORLDS; i++) {
      check(random(Choices.ofSeed(i)), i % 2 == 0 ? CLASSICAL : FAIR, 3);
    }
    assertThat(exceptions.keySet()).isSubsetOf(NOT_NEEDED, UNFAIR, WAITS);
    System.out.println(worlds + " configurations, " + states + " states, " + worldsWithLoops
        + " with loops, " + exceptions);
  }

  private static List<ConfigObject> random(Choices choices) {
    List<ConfigObject> objects = new ArrayList<>(List.of(
        ResourceFlavor.of("f0"),
        ResourceFlavor.of("f1"),
        Cohort.builder().name("left").parent("all").build(),
        Cohort.builder().name("right").parent("all").build()));
    for (String name : List.of("a", "b", "c")) {
      Policy reclaim = choices.of(RECLAIM);
      Policy borrow =
          reclaim != Policy.NEVER && choices.oneIn(3) ? Policy.LOWER_PRIORITY : Policy.NEVER;
      ResourceQuota[] quotas = new ResourceQuota[1 + choices.nextInt(2)];
      for (int flavor = 0; flavor < quotas.length; flavor++) {
        quotas[flavor] = randomQuota(choices);
      }
      objects.add(queue(
          name,
          choices.of(List.of("all", "left", "right")),
          preemption(choices.of(WITHIN), reclaim, borrow),
          quotas));
    }
    return objects;
  }

  private static ResourceQuota randomQuota(Choices choices) {
    int nominal = choices.nextInt(3);
    return new ResourceQuota(
        "gpu",
        nominal,
        choices.oneIn(3) ? OptionalLong.of(choices.nextInt(3)) : OptionalLong.empty(),
        choices.oneIn(3) ? OptionalLong.of(choices.nextInt(nominal + 1)) : OptionalLong.empty());
  }

  // ----- one world

  private void check(List<ConfigObject> configuration, Settings settings, int workloads) {
    worlds++;
    WorldModel model = new WorldModel(configuration, settings);
    List<JobType> types = new ArrayList<>();
    for (ClusterQueueView queue : model.queues()) {
      for (long size = 1; size <= 2; size++) {
        for (int priority = 0; priority <= 1; priority++) {
          types.add(
              new JobType(model.localQueue(queue), ImmutableSortedMap.of("gpu", size), priority));
        }
      }
    }
    new Walk(settings, types, workloads).visit(model.empty(types), 0);
    Bounds bounds = new Bounds(workloads, 20_000, true);
    LoopSearch search = LoopSearch.of(configuration).withBounds(bounds);
    worldsWithLoops += search.withSettings(settings).run().loops().isEmpty() ? 0 : 1;
    assertThat(search.withSettings(lasting(settings)).run().loops())
        .as("%s", configuration)
        .isEmpty();
  }

  /** All orders of moves. */
  private final class Walk {
    private final Settings settings;
    private final List<JobType> types;
    private final int workloads;

    /** The fewest moves after which each state was reached. */
    private final Map<String, Integer> seen = new HashMap<>();

    Walk(Settings settings, List<JobType> types, int workloads) {
      this.settings = settings;
      this.types = types;
      this.workloads = workloads;
    }

    void visit(WorldState state, int moves) {
      List<Move> next = new ArrayList<>(state.moves());
      checkQuota(state);
      if (next.isEmpty()) {
        checkReclaim(state);
      }
      if (state.workloads().size() < workloads) {
        types.forEach(type -> next.add(Move.arrival(type)));
      }
      for (Move move : moves < MAX_MOVES ? next : List.<Move>of()) {
        Next after = state.after(move);
        Integer before = seen.get(after.state().signature());
        if (before == null || before > moves + 1) {
          states += before == null ? 1 : 0;
          seen.put(after.state().signature(), moves + 1);
          checkVictims(state, after);
          visit(after.state(), moves + 1);
        }
      }
    }

    // ----- what must hold

    /** What runs fits the quotas and limits; what has to stop does not count. */
    private void checkQuota(WorldState state) {
      Books books = new Books(state);
      books.jobs.values().removeIf(job -> job.isStopping);
      assertThat(books.fits()).as("%s", books.jobs).isTrue();
    }

    /** Nothing waits for its own nominal quota if its queue may reclaim that from everybody. */
    private void checkReclaim(WorldState state) {
      Books books = new Books(state);
      for (ClusterQueueView queue : books.queues.values()) {
        if (queue.spec().preemption().reclaimWithinCohort() != Policy.ANY) {
          continue;
        }
        for (WaitingWorkload waiting : queue.waiting()) {
          books.flavors(queue.name()).forEach((flavor, quota) -> {
            long used = books.used(queue.name(), flavor) + amount(waiting.workload());
            if (used <= quota.nominalQuota()) {
              note("waits within nominal quota");
            }
          });
        }
      }
    }

    private void note(String exception) {
      String kind = settings.fairSharing().isPresent() ? "fair sharing" : "classical";
      exceptions.merge(kind + ": " + exception, 1, Integer::sum);
    }

    private void checkVictims(WorldState state, Next after) {
      Books books = new Books(state);
      if (after.step().event() == LoopReport.Event.HAS_STOPPED) {
        books.jobs.remove(after.step().workload().id());
      }
      Map<WorkloadId, List<PreemptionVictim>> victims =
          after.step().victims().stream().collect(groupingBy(PreemptionVictim::preemptor));
      for (Decision decision : after.step().decisions()) {
        if (decision instanceof Admitted admitted) {
          books.add(admitted, after.state());
        } else if (decision instanceof PreemptionVictim victim
            && victims.containsKey(victim.preemptor())) {
          List<PreemptionVictim> all = victims.remove(victim.preemptor());
          checkVictims(books, workload(after.state(), victim.preemptor()), all);
          all.forEach(each -> books.stop(each.workload()));
        }
      }
    }

    private void checkVictims(Books before, Workload preemptor, List<PreemptionVictim> victims) {
      String own = before.queueOf(preemptor);
      String flavor = victims.get(0).frees().get(0).flavor();
      Books after = new Books(before);
      after.jobs.values().removeIf(job -> job.isStopping);
      victims.forEach(victim -> after.jobs.remove(victim.workload()));
      Job started = new Job(own, flavor, amount(preemptor), preemptor.priority(), false);
      after.jobs.put(preemptor.id(), started);
      if (!after.fits()) {
        note("victims that do not suffice");
      }
      for (PreemptionVictim victim : victims) {
        Books with = new Books(after);
        with.jobs.put(
            victim.workload(), Objects.requireNonNull(before.jobs.get(victim.workload())));
        if (with.fits()) {
          note("a victim that is not needed");
        }
        if (victim.reason() == PreemptionReason.IN_COHORT_RECLAMATION
            && with.borrowed(victim.clusterQueue()) == 0) {
          note("a victim of a queue that does not borrow");
        }
        if (victim.reason() == PreemptionReason.IN_COHORT_FAIR_SHARING
            && after.areSiblings(own, victim.clusterQueue())
            && after.borrowed(own) > after.borrowed(victim.clusterQueue())
            && after.borrowed(own) >= with.borrowed(victim.clusterQueue())) {
          note("an unfair victim");
        }
      }
    }
  }

  private static long amount(Workload workload) {
    return workload.podSets().get(0).requests().getOrDefault("gpu", 0L);
  }

  private static Workload workload(WorldState state, WorkloadId id) {
    return state.workloads().stream()
        .filter(workload -> workload.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  /** What runs where. */
  private record Job(String queue, String flavor, long amount, int priority, boolean isStopping) {}

  /** Who uses how much, counted anew. */
  private static final class Books {
    final Map<String, ClusterQueueView> queues;
    final Map<WorkloadId, Job> jobs;

    Books(Books other) {
      queues = other.queues;
      jobs = new HashMap<>(other.jobs);
    }

    Books(WorldState state) {
      queues = new TreeMap<>();
      jobs = new HashMap<>();
      for (ClusterQueueView queue : state.view().clusterQueues()) {
        queues.put(queue.name(), queue);
        for (HoldingWorkload holder : queue.holders()) {
          jobs.put(
              holder.workload().id(),
              new Job(
                  queue.name(),
                  holder.held().get(0).flavor(),
                  amount(holder.workload()),
                  holder.workload().priority(),
                  holder.isStopping()));
        }
      }
    }

    void add(Admitted admitted, WorldState state) {
      Workload workload = workload(state, admitted.workload());
      String flavor =
          admitted.admission().podSetAssignments().get(0).flavors().getOrDefault("gpu", "");
      jobs.put(
          workload.id(),
          new Job(queueOf(workload), flavor, amount(workload), workload.priority(), false));
    }

    void stop(WorkloadId id) {
      jobs.computeIfPresent(
          id, (unused, job) -> new Job(job.queue, job.flavor, job.amount, job.priority, true));
    }

    private ClusterQueue spec(String queue) {
      return Objects.requireNonNull(queues.get(queue)).spec();
    }

    boolean areSiblings(String a, String b) {
      return spec(a).cohort().equals(spec(b).cohort());
    }

    String queueOf(Workload workload) {
      return workload.queueName();
    }

    Map<String, ResourceQuota> flavors(String queue) {
      Map<String, ResourceQuota> flavors = new TreeMap<>();
      spec(queue)
          .resourceGroups()
          .forEach(group -> group
              .flavors()
              .forEach(flavor -> flavors.put(flavor.flavor(), flavor.resources().get(0))));
      return flavors;
    }

    long used(String queue, String flavor) {
      return jobs.values().stream()
          .filter(job -> job.queue.equals(queue) && job.flavor.equals(flavor))
          .mapToLong(Job::amount)
          .sum();
    }

    long borrowed(String queue) {
      return flavors(queue).entrySet().stream()
          .mapToLong(flavor ->
              Math.max(0, used(queue, flavor.getKey()) - flavor.getValue().nominalQuota()))
          .sum();
    }

    /** {@return whether what runs keeps to the quotas of a tree whose cohorts have none} */
    boolean fits() {
      Map<String, Long> free = new TreeMap<>();
      for (String queue : queues.keySet()) {
        for (Map.Entry<String, ResourceQuota> flavor : flavors(queue).entrySet()) {
          ResourceQuota quota = flavor.getValue();
          long nominal = quota.nominalQuota();
          long used = used(queue, flavor.getKey());
          if (used - nominal > quota.borrowingLimit().orElse(Long.MAX_VALUE)) {
            return false;
          }
          long local = Math.max(0, nominal - quota.lendingLimit().orElse(nominal));
          free.merge(flavor.getKey(), nominal - local - Math.max(0, used - local), Long::sum);
        }
      }
      return free.values().stream().allMatch(amount -> amount >= 0);
    }
  }
}
