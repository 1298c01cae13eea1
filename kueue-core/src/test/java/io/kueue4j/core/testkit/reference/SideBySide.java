package io.kueue4j.core.testkit.reference;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.testkit.AdmissionEngineUnderTest;
import io.kueue4j.core.testkit.EngineUnderTest;
import io.kueue4j.core.testkit.jqwik.Choices;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;

/** The engine and the reference model, led through the same random steps. */
final class SideBySide {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final Choices choices;
  private final RandomSpecs specs;
  private final RandomWorkloads workloads;
  private final Settings settings;
  private final Map<WorkloadId, Workload> known = new TreeMap<>();

  /** The evicted workloads, some of which have stopped. */
  private final Set<WorkloadId> stopping = new TreeSet<>();

  private Instant now = START;

  /** What is done to both at some time, in words and in deed. */
  private record Step(
      Instant time, Supplier<String> text, Function<EngineUnderTest, Object> action) {}

  private SideBySide(Choices choices) {
    this.choices = choices;
    settings = RandomSpecs.settings(choices);
    specs = new RandomSpecs(choices);
    workloads = new RandomWorkloads(choices, specs, START);
  }

  /** Takes random steps, after each of which the engine and the model must agree. */
  static void play(Choices choices, int count) {
    SideBySide sideBySide = new SideBySide(choices);
    choices.note("%s", sideBySide.settings);
    Pair pair = new Pair(sideBySide.settings);
    boolean isOver = sideBySide.take(sideBySide.start(), pair);
    boolean hasLostCount = choices.fold(
        count, isOver, (ended, each) -> ended || sideBySide.take(sideBySide.next(), pair));
    if (hasLostCount) {
      choices.note("usage has left the 64-bit range");
    }
  }

  /**
   * Takes a step.
   *
   * @return whether usage has left the 64-bit range
   */
  private boolean take(Step step, Pair pair) {
    choices.note("%s %s", step.time(), step.text().get());
    Optional<String> difference = pair.difference(step);
    boolean hasLostCount = pair.hasLostCount();
    if (!hasLostCount) {
      assertThat(difference).isEmpty();
    }
    return hasLostCount;
  }

  /** The engine and the model at the same time. */
  private static final class Pair {
    private final EngineUnderTest engine;
    private final EngineUnderTest model;
    private Instant now = START;

    Pair(Settings settings) {
      engine = AdmissionEngineUnderTest.create(settings, () -> now);
      model = new ReferenceEngine(settings, () -> now);
    }

    Optional<String> difference(Step step) {
      now = step.time();
      Optional<String> inAnswers =
          difference(answer(step.action(), engine), answer(step.action(), model));
      return inAnswers.isPresent() ? inAnswers : difference(engine.observe(), model.observe());
    }

    /**
     * {@return whether usage has left the 64-bit range; what it is then depends on the order in
     * which it was added up, which a model that counts anew does not know}
     */
    boolean hasLostCount() {
      Map<String, BigInteger> sums = new TreeMap<>();
      for (EngineUnderTest each : List.of(engine, model)) {
        sums.clear();
        each.observe()
            .clusterQueues()
            .values()
            .forEach(queue -> queue
                .usage()
                .forEach(
                    (pair, used) -> sums.merge(pair, BigInteger.valueOf(used), BigInteger::add)));
        if (sums.values().stream().anyMatch(sum -> sum.bitLength() > 62)) {
          return true;
        }
      }
      return false;
    }

    private static Object answer(Function<EngineUnderTest, Object> action, EngineUnderTest each) {
      try {
        return action.apply(each);
      } catch (IllegalArgumentException | IllegalStateException e) {
        return e.getClass();
      }
    }

    private static Optional<String> difference(Object ofEngine, Object ofModel) {
      return ofEngine.equals(ofModel)
          ? Optional.empty()
          : Optional.of("engine  " + ofEngine + "\nmodel   " + ofModel);
    }
  }

  // ----- steps

  private Step start() {
    ImmutableList.Builder<ConfigObject> objects = ImmutableList.builder();
    for (int i = 0; i < RandomSpecs.FLAVORS; i++) {
      objects.add(specs.flavor(i));
    }
    for (int i = 0; i < RandomSpecs.COHORTS; i++) {
      Cohort.Builder cohort = Cohort.builder().name("c" + i);
      if (i > 0 && choices.oneIn(2)) {
        cohort.parent("c" + (i - 1));
      }
      objects.add(cohort.build());
    }
    RandomSpecs.NAMESPACES.forEach(name -> objects.add(Namespace.of(name)));
    for (int i = 0; i < RandomSpecs.QUEUES; i++) {
      objects.add(specs.queue(i));
      for (String namespace : RandomSpecs.NAMESPACES) {
        objects.add(LocalQueue.of(namespace, "l" + i, "q" + i));
      }
    }
    return apply(objects.build());
  }

  private Step apply(ImmutableList<ConfigObject> objects) {
    return step(() -> "apply " + objects, each -> {
      each.apply(objects);
      return "applied";
    });
  }

  private Step step(Supplier<String> text, Function<EngineUnderTest, Object> action) {
    return new Step(now, text, action);
  }

  private Step next() {
    if (choices.oneIn(3)) {
      now = now.plusMillis(500L * choices.nextInt(5));
    }
    int choice = choices.nextInt(100);
    if (choice < 30) {
      return cycle();
    } else if (choice < (specs.contended ? 66 : 52)) {
      Workload workload = workloads.workload(unknownIfPossible());
      if (choices.oneIn(20)) {
        Instant end = START.plusSeconds(choices.nextInt(60));
        return step(() -> "until " + end + " " + workload, each -> wait(each, workload, end));
      }
      return step(() -> "submit " + workload, each -> submit(each, workload));
    } else if (choice < (specs.contended ? 74 : 62)) {
      return tryAdmit();
    } else if (choice < (specs.contended ? 78 : 72)) {
      return apply(changes());
    } else {
      return known.isEmpty() ? cycle() : ofWorkload();
    }
  }

  /** What is known already with other content is refused, which is soon seen. */
  private WorkloadId unknownIfPossible() {
    WorkloadId id = workloads.id();
    for (int i = 0; i < 5 && known.containsKey(id); i++) {
      id = workloads.id();
    }
    return id;
  }

  private Step cycle() {
    return step(() -> "cycle", each -> {
      var decisions = each.runCycle();
      decisions.evictions().forEach(eviction -> stopping.add(eviction.victim()));
      return decisions;
    });
  }

  private Object submit(EngineUnderTest each, Workload workload) {
    boolean taken = each.submit(workload);
    if (taken) {
      known.put(workload.id(), workload);
    }
    return taken;
  }

  private Object wait(EngineUnderTest each, Workload workload, Instant end) {
    each.restoreWaiting(workload, end);
    known.put(workload.id(), workload);
    return "restored";
  }

  private Step tryAdmit() {
    Workload workload =
        known.isEmpty() || choices.oneIn(2) ? workloads.workload(workloads.id()) : anyKnown();
    boolean evict = choices.oneIn(2);
    return step(() -> "try " + evict + " " + workload, each -> {
      var decision = each.tryAdmit(workload, evict);
      decision.admission().ifPresent(unused -> known.put(workload.id(), workload));
      return decision;
    });
  }

  private Workload anyKnown() {
    return choices.of(List.copyOf(known.values()));
  }

  private ImmutableList<ConfigObject> changes() {
    ImmutableList.Builder<ConfigObject> changes = ImmutableList.builder();
    for (int i = choices.oneIn(4) ? 3 : 1; i > 0; i--) {
      changes.add(
          switch (choices.nextInt(9)) {
            case 0 -> specs.flavor(choices.nextInt(RandomSpecs.FLAVORS));
            case 1, 2 -> specs.cohort(choices.nextInt(RandomSpecs.COHORTS));
            case 3, 4, 5 -> specs.queue(choices.nextInt(RandomSpecs.QUEUES));
            case 6 -> specs.localQueue(choices.nextInt(RandomSpecs.QUEUES));
            case 7 -> specs.namespace();
            default -> specs.priorityClass();
          });
    }
    return changes.build();
  }

  private Step ofWorkload() {
    if (!stopping.isEmpty() && choices.oneIn(2)) {
      WorkloadId stopped = choices.of(List.copyOf(stopping));
      stopping.remove(stopped);
      return step(() -> "stopped " + stopped, each -> each.podsStopped(stopped));
    }
    WorkloadId id = anyKnown().id();
    int choice = choices.nextInt(33);
    if (choice >= 30) {
      SortedMap<String, Integer> pods = workloads.reclaimable();
      return step(() -> "reclaim " + id + " " + pods, each -> each.setReclaimablePods(id, pods));
    } else if (choice < 6) {
      Workload changed = workloads.changed(Objects.requireNonNull(known.get(id)));
      return step(() -> "update " + changed, each -> update(each, changed));
    } else if (choice < 11) {
      return step(() -> "finish " + id, each -> gone(id, each.finish(id)));
    } else if (choice < 13) {
      return step(() -> "delete " + id, each -> gone(id, each.delete(id)));
    } else if (choice < 15) {
      return step(() -> "release " + id, each -> gone(id, each.release(id)));
    } else if (choice < 22) {
      return step(() -> "stopped " + id, each -> each.podsStopped(id));
    } else if (choice < 24) {
      return step(() -> "recorded " + id, each -> each.admissionRecorded(id));
    } else if (choice < 27) {
      Workload workload = workloads.workload(workloads.id());
      var admission = workloads.admission(workload);
      return step(() -> "restore " + workload + " " + admission, each -> {
        each.restore(workload, admission);
        known.put(workload.id(), workload);
        return "restored";
      });
    }
    return remove();
  }

  private boolean gone(WorkloadId id, boolean gone) {
    if (gone) {
      known.remove(id);
    }
    return gone;
  }

  private Object update(EngineUnderTest each, Workload changed) {
    boolean taken = each.update(changed);
    if (taken) {
      known.put(changed.id(), changed);
    }
    return taken;
  }

  private Step remove() {
    int number = choices.nextInt(RandomSpecs.QUEUES);
    String namespace = choices.of(RandomSpecs.NAMESPACES);
    return switch (choices.nextInt(3)) {
      case 0 ->
        step(() -> "remove q" + number, each -> each.remove(ClusterQueue.class, "q" + number));
      case 1 -> step(() -> "remove c" + number, each -> each.remove(Cohort.class, "c" + number));
      default ->
        step(
            () -> "remove " + namespace + "/l" + number,
            each -> each.remove(LocalQueue.class, namespace + "/l" + number));
    };
  }
}
