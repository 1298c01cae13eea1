package io.kueue4j.core.lint;

import static com.google.common.collect.ImmutableSet.toImmutableSet;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decision;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Eviction;
import io.kueue4j.core.decision.PreemptionVictim;
import io.kueue4j.core.internal.support.TimeMath;
import io.kueue4j.core.lint.LoopReport.Event;
import io.kueue4j.core.lint.LoopReport.Step;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A state of a small world in which the engine has nothing left to decide until something happens.
 * Never changes.
 *
 * @param allTypes the types of workloads that may arrive
 * @param view the queues of the engine, with what they hold
 * @param now the time
 * @param workloads the workloads, in the order of their arrivals
 * @param holding what holds quota, in the order of admissions
 * @param waiting what waits, in the order of arrivals
 * @param waitsForTime whether the engine does something when time passes
 */
record WorldState(
    List<JobType> allTypes,
    EngineView view,
    Instant now,
    List<Workload> workloads,
    List<WorldState.Job> holding,
    List<WorldState.Job> waiting,
    boolean waitsForTime) {
  /*
   * Workloads of one type are the same but for their names, so states and moves are described by
   * types and places: what holds quota in the order of admissions, which decides who is preempted,
   * and what waits in the order of arrivals. What an engine remembers beside that does not count;
   * therefore a loop counts only after it was played for some rounds.
   */
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
  private static final int MAX_CYCLES = 100;

  /**
   * A move of the cluster.
   *
   * @param event what happens
   * @param type the type of the workload that arrives, null if none does
   * @param place the place of the workload that has stopped among what holds quota
   */
  record Move(Event event, @Nullable JobType type, int place) {
    static Move arrival(JobType type) {
      return new Move(Event.ARRIVES, type, -1);
    }
  }

  /**
   * What a move leads to.
   *
   * @param state the next state
   * @param step what happened, and what the engine decided
   */
  record Next(WorldState state, Step step) {
    /** {@return which ClusterQueues preempt which, and by which policy} */
    Set<QueuePreemption> preemptions() {
      return step.victims().stream()
          .map(victim -> new QueuePreemption(
              JobType.clusterQueue(victim.preemptor()), victim.clusterQueue(), victim.reason()))
          .collect(toImmutableSet());
    }
  }

  /**
   * A preemption, whatever the workloads.
   *
   * @param preemptor the ClusterQueue of the workload that needs quota
   * @param victim the ClusterQueue of the workload that has to stop
   * @param reason the policy
   */
  record QueuePreemption(String preemptor, String victim, PreemptionReason reason) {
    /** {@return the same text for preemptions among queues with the same policies} */
    String describe(Function<String, Preemption> policies) {
      return policies.apply(preemptor) + " preempts " + policies.apply(victim) + ": " + reason;
    }
  }

  /** A workload of the world; it holds quota if it has an admission. */
  record Job(
      WorkloadId id,
      int type,
      @Nullable Admission admission,
      boolean isStopping,
      boolean isPreempting) {
    Job with(@Nullable Admission newAdmission, boolean stopping, boolean preempting) {
      return new Job(id, type, newAdmission, stopping, preempting);
    }

    void describe(StringBuilder text) {
      text.append(type);
      if (admission != null) {
        text.append(admission.podSetAssignments().get(0).flavors().values());
      }
      text.append(isStopping ? "!" : "").append(isPreempting ? ">" : "").append(' ');
    }
  }

  /** {@return the state without workloads} */
  static WorldState empty(EngineView view, List<JobType> types) {
    return new WorldState(types, view, START, List.of(), List.of(), List.of(), false);
  }

  /** {@return the types of the workloads, in the order of what holds quota, then what waits} */
  List<JobType> types() {
    return Stream.of(holding, waiting)
        .flatMap(List::stream)
        .map(job -> allTypes.get(job.type))
        .toList();
  }

  /** {@return whether no workload has to stop} */
  boolean isQuiet() {
    return holding.stream().noneMatch(Job::isStopping);
  }

  /** {@return the same text as of every state in which the same is decided} */
  String signature() {
    StringBuilder text = new StringBuilder();
    holding.forEach(job -> job.describe(text));
    text.append('|');
    waiting.forEach(job -> job.describe(text));
    return text.toString();
  }

  /** {@return what may happen next but arrivals} */
  List<Move> moves() {
    List<Move> moves = new ArrayList<>();
    for (int place = 0; place < holding.size(); place++) {
      if (holding.get(place).isStopping) {
        moves.add(new Move(Event.HAS_STOPPED, null, place));
      }
    }
    if (waitsForTime) {
      moves.add(new Move(Event.TIME_PASSES, null, -1));
    }
    return moves;
  }

  /** {@return whether a move is possible} */
  boolean allows(Move move) {
    return move.event != Event.HAS_STOPPED
        || (move.place < holding.size() && holding.get(move.place).isStopping);
  }

  /** {@return what a move leads to, when the engine has decided all that follows} */
  Next after(Move move) {
    return new Play().play(move);
  }

  /** A private engine that a move is made on. */
  private final class Play {
    private Instant time = TimeMath.saturatedAdd(now, Duration.ofSeconds(1));
    private final AdmissionEngine engine = view.whatIf(() -> time);
    private final List<Workload> all = new ArrayList<>(workloads);
    private final List<Job> holders = new ArrayList<>(holding);
    private final List<Job> queue = new ArrayList<>(waiting);

    Next play(Move move) {
      Workload subject;
      Decisions decisions;
      switch (move.event) {
        case ARRIVES -> {
          JobType type = Objects.requireNonNull(move.type);
          subject = type.workload(numberOfNext(type), time);
          all.add(subject);
          queue.add(new Job(subject.id(), allTypes.indexOf(type), null, false, false));
          decisions = engine.submit(subject);
        }
        case HAS_STOPPED -> {
          Job stopped = holders.remove(move.place);
          subject = all.get(arrival(stopped));
          wait(stopped);
          decisions = engine.podsStopped(stopped.id);
        }
        default -> {
          time = engine.nextTick().orElse(time);
          subject = all.get(all.size() - 1);
          decisions = engine.tick();
        }
      }
      decisions = decisions.and(engine.runUntilStable(MAX_CYCLES).decisions());
      decisions.all().forEach(this::note);
      WorldState next = new WorldState(
          allTypes,
          engine.view(),
          time,
          ImmutableList.copyOf(all),
          ImmutableList.copyOf(holders),
          ImmutableList.copyOf(queue),
          !queue.isEmpty() && engine.nextTick().isPresent());
      return new Next(next, new Step(move.event, subject, decisions.all()));
    }

    private int numberOfNext(JobType type) {
      return 1
          + (int) all.stream()
              .filter(other -> other.queueName().equals(type.queue().name())
                  && other.namespace().equals(type.queue().namespace()))
              .count();
    }

    /** Puts a workload back to its place among those that wait. */
    private void wait(Job job) {
      int place = 0;
      while (place < queue.size() && arrival(queue.get(place)) < arrival(job)) {
        place++;
      }
      queue.add(place, job.with(null, false, false));
    }

    private int arrival(Job job) {
      int index = 0;
      while (!all.get(index).id().equals(job.id)) {
        index++;
      }
      return index;
    }

    private void note(Decision decision) {
      if (decision instanceof AdmissionResult.Admitted admitted) {
        Job job = take(queue, admitted.workload());
        if (job != null) {
          holders.add(job.with(admitted.admission(), false, false));
        }
      } else if (decision instanceof PreemptionVictim || decision instanceof Eviction) {
        replace(holders, decision.workload(), job -> job.with(job.admission, true, false));
      } else if (decision instanceof AdmissionResult result) {
        boolean preempts = result instanceof AdmissionResult.Preempting;
        replace(queue, decision.workload(), job -> job.with(null, false, preempts));
      }
    }

    private static @Nullable Job take(List<Job> jobs, WorkloadId id) {
      for (int i = 0; i < jobs.size(); i++) {
        if (jobs.get(i).id.equals(id)) {
          return jobs.remove(i);
        }
      }
      return null;
    }

    private static void replace(List<Job> jobs, WorkloadId id, UnaryOperator<Job> change) {
      jobs.replaceAll(job -> job.id.equals(id) ? change.apply(job) : job);
    }
  }
}
