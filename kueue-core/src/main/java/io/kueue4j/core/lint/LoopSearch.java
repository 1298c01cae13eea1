package io.kueue4j.core.lint;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableSet.toImmutableSet;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Ints;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.lint.LoopReport.Coverage;
import io.kueue4j.core.lint.LoopReport.Loop;
import io.kueue4j.core.lint.LoopReport.Step;
import io.kueue4j.core.lint.QueueGroups.Group;
import io.kueue4j.core.lint.StateGraph.Round;
import io.kueue4j.core.lint.WorldState.Move;
import io.kueue4j.core.lint.WorldState.Next;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.WorkloadId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Searches a configuration for loops of preemptions: a few workloads that preempt each other for
 * ever, although none arrives or finishes. Immutable.
 *
 * <p>The engine plays small worlds: in each group of up to three ClusterQueues that may preempt
 * each other's workloads, a few workloads of chosen sizes and priorities arrive one after another,
 * and evicted workloads stop in every possible order. A loop is reported when it was played.
 *
 * <pre>{@code
 * LoopReport report = LoopSearch.of(objects).withSettings(settings).run();
 * report.loops().forEach(loop -> log(loop.preemptions().toString()));
 * }</pre>
 *
 * <p>The worlds have the quotas, cohorts and policies of the configuration. They have no nodes,
 * taints, admission checks and stopped queues, and a workload has one pod that requests one
 * resource.
 *
 * @since 0.1.0
 */
public final class LoopSearch {
  /** How often a loop is played before it is reported. */
  private static final int ROUNDS = 5;

  /** With fewer states a group shows nothing. */
  private static final long STATES_PER_GROUP = 100;

  private final ImmutableList<ConfigObject> configuration;
  private final Settings settings;
  private final Bounds bounds;

  /**
   * How much is searched.
   *
   * @param workloads the largest number of workloads in a world, 1 to 10
   * @param states the number of states after which no more are added, in all groups together, more
   *     than 0
   * @param arrivalsAnyTime whether workloads also arrive while evicted ones have not stopped yet
   * @since 0.1.0
   */
  public record Bounds(int workloads, long states, boolean arrivalsAnyTime) {
    /** Five workloads, 500,000 states, arrivals while nothing has to stop. */
    public static final Bounds DEFAULT = new Bounds(5, 500_000, false);

    /**
     * Creates the bounds.
     *
     * @throws IllegalArgumentException if a number is out of range
     */
    public Bounds {
      checkArgument(
          workloads >= 1 && workloads <= 10,
          "worlds have %s workloads; expected 1 to 10",
          workloads);
      checkArgument(states > 0, "the bound of states is %s; expected more than 0", states);
    }
  }

  private LoopSearch(ImmutableList<ConfigObject> configuration, Settings settings, Bounds bounds) {
    this.configuration = configuration;
    this.settings = settings;
    this.bounds = bounds;
  }

  /**
   * {@return a search with Kueue's default settings and {@link Bounds#DEFAULT}}
   *
   * @param configuration the objects, each kind and name at most once
   */
  public static LoopSearch of(Iterable<? extends ConfigObject> configuration) {
    return new LoopSearch(ImmutableList.copyOf(configuration), Settings.defaults(), Bounds.DEFAULT);
  }

  /** {@return this search for an engine with other settings} */
  public LoopSearch withSettings(Settings other) {
    return new LoopSearch(configuration, other, bounds);
  }

  /** {@return this search with other bounds} */
  public LoopSearch withBounds(Bounds other) {
    return new LoopSearch(configuration, settings, other);
  }

  /**
   * {@return the loops, and what was searched}
   *
   * @throws io.kueue4j.core.model.InvalidConfigurationException if the configuration is invalid
   */
  public LoopReport run() {
    return new Run().run();
  }

  private final class Run {
    private final WorldModel model = new WorldModel(configuration, settings);
    private final QueueGroups groups =
        new QueueGroups(model, Ints.saturatedCast(1 + bounds.states / STATES_PER_GROUP));
    private final LoopEndings endings =
        new LoopEndings(configuration, settings, bounds.arrivalsAnyTime);
    private final List<Loop> loops = new ArrayList<>();

    /** Who preempts whom in each loop. */
    private final List<Set<String>> known = new ArrayList<>();

    private long states;
    private int workloads = bounds.workloads;
    private int cutShort;

    LoopReport run() {
      int left = groups.all().size();
      for (Group group : groups.all()) {
        search(group, Math.max(1, (bounds.states - states) / left--));
      }
      loops.sort(Comparator.<Loop>comparingInt(loop -> loop.workloads().size())
          .thenComparing(loop -> loop.beginning().size() + loop.round().size()));
      return new LoopReport(
          loops,
          model.configuration(),
          new Coverage(groups.all().size(), states, workloads, cutShort, !groups.isCut()));
    }

    private void search(Group group, long limit) {
      StateGraph graph =
          new StateGraph(model.empty(group.types()), group.types(), bounds.arrivalsAnyTime);
      for (int size = 1; size <= bounds.workloads; size++) {
        boolean isWhole = graph.grow(limit);
        graph.rounds().forEach(round -> add(group, round));
        if (!isWhole) {
          workloads = Math.min(workloads, size - 1);
          cutShort++;
          break;
        }
      }
      states += graph.states();
    }

    /** Adds a loop, unless it contains the preemptions of one with fewer workloads. */
    private void add(Group group, Round round) {
      Set<String> preemptions = round.preemptions().stream()
          .map(preemption -> preemption.describe(model::policies))
          .collect(toImmutableSet());
      if (known.stream().noneMatch(preemptions::containsAll)) {
        play(group, round).ifPresent(loop -> {
          known.add(preemptions);
          loops.add(loop);
        });
      }
    }

    /** Plays a loop for some rounds; empty if it does not go on. */
    private Optional<Loop> play(Group group, Round round) {
      WorldState state = model.empty(group.types());
      List<Step> beginning = new ArrayList<>();
      for (Move move : round.beginning()) {
        Next next = state.after(move);
        beginning.add(next.step());
        state = next.state();
      }
      String signature = state.signature();
      List<Step> steps = new ArrayList<>();
      for (int i = 0; i < ROUNDS; i++) {
        steps.clear();
        for (Move move : round.round()) {
          if (!state.allows(move)) {
            return Optional.empty();
          }
          Next next = state.after(move);
          steps.add(next.step());
          state = next.state();
        }
        boolean preempts = steps.stream().anyMatch(step -> !step.victims().isEmpty());
        if (!preempts || !state.signature().equals(signature)) {
          return Optional.empty();
        }
      }
      WorkloadId preemptor = steps.stream()
          .flatMap(step -> step.victims().stream())
          .findFirst()
          .orElseThrow()
          .preemptor();
      return Optional.of(new Loop(
          JobType.clusterQueue(preemptor),
          state.workloads(),
          beginning,
          steps,
          round.isCertain(),
          endings.of(state.types())));
    }
  }
}
