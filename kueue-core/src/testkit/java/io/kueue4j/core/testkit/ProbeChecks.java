package io.kueue4j.core.testkit;

import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.testkit.Observation.QueueObservation;
import io.kueue4j.core.testkit.WorkloadDecision.Outcome;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Checks that request exactly the available amounts. */
final class ProbeChecks {
  private ProbeChecks() {}

  static List<String> exactlyAvailable(Trial trial) {
    Session session = trial.replay();
    List<String> wrong = new ArrayList<>();
    for (LocalQueue local : session.ledger().localQueues()) {
      Optional<ClusterQueue> queue = session.ledger().queue(local.clusterQueue());
      if (queue.isPresent() && isOpen(session, local, queue.get())) {
        for (ResourceGroup group : queue.get().resourceGroups()) {
          for (String resource : group.coveredResources()) {
            wrong.addAll(probe(session, local, queue.get(), group, resource));
          }
        }
      }
    }
    return wrong;
  }

  /** {@return whether only quota can prevent the admission of plain workloads} */
  static boolean isOpen(Session session, LocalQueue local, ClusterQueue queue) {
    QueueObservation seen = session.seen().clusterQueues().get(queue.name());
    return seen != null
        && seen.active()
        && session.ledger().hasNamespace(local.namespace())
        && local.stopPolicy() == StopPolicy.NONE
        && queue.namespaceSelector().equals(Optional.of(LabelSelector.everything()))
        && queue.resourceGroups().stream()
            .noneMatch(group -> group.coveredResources().contains(QuotaGenerator.PODS));
  }

  private static List<String> probe(
      Session session, LocalQueue local, ClusterQueue queue, ResourceGroup group, String resource) {
    QuotaBooks books = new QuotaBooks(session.ledger(), Set.of());
    if (group.flavors().stream()
        .noneMatch(flavor -> FlavorChecks.isOpen(session.ledger(), flavor))) {
      return List.of();
    }
    BigInteger available = group.flavors().stream()
        .filter(flavor -> FlavorChecks.isOpen(session.ledger(), flavor))
        .map(flavor -> books.available(queue.name(), new Pair(flavor.flavor(), resource)))
        .reduce(BigInteger.ZERO, BigInteger::max);
    if (session.ledger().hasGreatUsage() || available.compareTo(Ledger.GREAT) >= 0) {
      return List.of();
    }
    List<String> wrong = new ArrayList<>();
    long amount = available.longValueExact();
    if (FlavorChecks.searchesOn(session.ledger(), queue)
        && session.ask(probe(local, resource, amount)).outcome() != Outcome.ADMITTED) {
      wrong.add("ClusterQueue " + queue.name() + " has " + amount + " of " + resource
          + " and does not give it");
    }
    if (session.ask(probe(local, resource, amount + 1)).outcome() == Outcome.ADMITTED) {
      wrong.add("ClusterQueue " + queue.name() + " has " + amount + " of " + resource
          + " and gives one more");
    }
    return wrong;
  }

  private static Workload probe(LocalQueue local, String resource, long amount) {
    return Workload.of(
        local.namespace(),
        "probe",
        local.name(),
        PodSet.builder().requestAmount(resource, amount).build());
  }
}
