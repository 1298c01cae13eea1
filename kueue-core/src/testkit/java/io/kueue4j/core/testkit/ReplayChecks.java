package io.kueue4j.core.testkit;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import com.google.common.collect.Lists;
import com.google.common.collect.Streams;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.testkit.Observation.QueueObservation;
import java.util.ArrayList;
import java.util.List;

/** Checks that compare two engines of the same kind: 2 and 14. */
final class ReplayChecks {
  private ReplayChecks() {}

  /**
   * {@return an engine with only the configuration, the admissions and the usage histories
   * restored}
   */
  static Session rebuilt(Trial trial, Session original) {
    Ledger books = original.ledger();
    Session session = trial.start();
    session.play(new Step.PassTime(trial.elapsed()));
    session.play(new Step.Apply(ImmutableList.copyOf(books.configuration())));
    books
        .removedNamespaces()
        .forEach(name -> session.play(new Step.Remove(Step.Kind.NAMESPACE, "", name)));
    books
        .admissions()
        .forEach((id, admission) -> books.workload(id).ifPresent(workload -> {
          session.play(new Step.Restore(workload, admission));
          reclaim(session, books, id);
        }));
    original
        .seen()
        .localQueues()
        .forEach((key, queue) -> queue
            .consumed()
            .ifPresent(usage -> session.play(new Step.RestoreUsage(
                key.substring(0, key.indexOf('/')), key.substring(key.indexOf('/') + 1), usage))));
    return session;
  }

  /** Reports the pods of a workload that have ended, if there are any. */
  static void reclaim(Session session, Ledger books, WorkloadId id) {
    if (!books.reclaimablePods(id).isEmpty()) {
      session.play(new Step.SetReclaimablePods(id, books.reclaimablePods(id)));
    }
  }

  static List<String> likeRebuilt(Trial trial) {
    Session original = trial.replay();
    // Sums beyond the 64-bit range depend on the history (Q-4 versus Q-5).
    return original.ledger().hasGreatUsage()
        ? List.of()
        : differences(original, rebuilt(trial, original));
  }

  private static List<String> differences(Session original, Session rebuilt) {
    List<String> wrong = new ArrayList<>();
    original.seen().clusterQueues().forEach((name, queue) -> {
      QueueObservation other = rebuilt.seen().clusterQueues().get(name);
      if (other == null
          || !other.usage().equals(queue.usage())
          || !other.holding().equals(queue.holding())
          || other.active() != queue.active()) {
        wrong.add("ClusterQueue " + name + " is " + queue + ", rebuilt it is " + other);
      }
    });
    if (!rebuilt.seen().localQueues().equals(original.seen().localQueues())) {
      wrong.add("LocalQueues are " + original.seen().localQueues() + ", rebuilt they are "
          + rebuilt.seen().localQueues());
    }
    // Evicted workloads are preferred as victims, which a rebuilt engine does not know.
    if (wrong.isEmpty() && original.ledger().stopping().isEmpty()) {
      for (Workload workload : waiting(original)) {
        if (!workload.preemptionGates().isEmpty()
            || !original.ledger().reclaimablePods(workload.id()).isEmpty()) {
          // An engine that does not know the workload knows neither open gates nor ended pods.
          continue;
        }
        WorkloadDecision decision = original.ask(workload);
        WorkloadDecision other = rebuilt.ask(workload);
        if (!decision.equals(other)) {
          wrong.add("decided is " + decision + ", rebuilt it is " + other);
        }
      }
    }
    return wrong;
  }

  /** {@return the pending workloads of all queues} */
  static ImmutableList<Workload> waiting(Session session) {
    return session.seen().clusterQueues().values().stream()
        .flatMap(queue -> Streams.stream(Iterables.concat(queue.pending(), queue.inadmissible())))
        .flatMap(id -> session.ledger().workload(id).stream())
        .collect(toImmutableList());
  }

  // ----- 14

  static List<String> sameHistory(Trial trial) {
    List<String> wrong = new ArrayList<>(
        differences(trial.played(), trial.scenario().play(trial.factory()), "played again"));
    Scenario reversed = new Scenario(
        trial.settings(),
        trial.scenario().steps().stream().map(ReplayChecks::reversed).collect(toImmutableList()));
    wrong.addAll(differences(
        trial.played(), reversed.play(trial.factory()), "with configuration in reverse order"));
    return wrong;
  }

  private static Step reversed(Step step) {
    return step instanceof Step.Apply apply ? new Step.Apply(Lists.reverse(apply.objects())) : step;
  }

  private static List<String> differences(
      List<PlayedStep> first, List<PlayedStep> second, String how) {
    for (int i = 0; i < Math.min(first.size(), second.size()); i++) {
      PlayedStep one = first.get(i);
      PlayedStep other = second.get(i);
      if (!one.outcome().equals(other.outcome()) || !one.after().equals(other.after())) {
        return List.of(how + ", step " + i + " gives "
            + Differences.between(/* one= */ other, /* other= */ one));
      }
    }
    return List.of();
  }
}
