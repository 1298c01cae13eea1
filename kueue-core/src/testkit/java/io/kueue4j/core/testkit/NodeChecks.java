package io.kueue4j.core.testkit;

import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.testkit.NodeBooks.Share;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Checks that no node is assigned more pods than fit: 7 and 8. */
final class NodeChecks {
  private NodeChecks() {}

  /**
   * Each admission by itself fits beside the pods from before the step, with pods off failed nodes
   * in their new places (U-25). Beside earlier admissions of the step, each of its shares fits by
   * itself, as far as its flavor counts and except for the number of pods, once victims have
   * stopped (T-12, T-73).
   */
  static List<String> holdWhatIsPlaced(Moment moment) {
    NodeBooks books = new NodeBooks(moment.before().with(moment.played().replaced()));
    List<Share> there = books.shares(Set.of());
    List<Share> staying = books.shares(moment.after().stopping());
    List<Share> earlier = new ArrayList<>();
    List<String> wrong = new ArrayList<>();
    for (Admission admission : moment.admitted()) {
      List<Share> own = shares(books, moment, admission);
      for (Share share : own) {
        wrong.addAll(excess(books, share, there, own, resource -> true));
        List<Share> inCycle = new ArrayList<>(staying);
        earlier.stream()
            .filter(other -> other.flavor().equals(share.flavor()))
            .forEach(inCycle::add);
        wrong.addAll(excess(
            books,
            share,
            inCycle,
            List.of(share),
            resource -> !resource.equals(QuotaGenerator.PODS)));
      }
      earlier.addAll(own);
    }
    return wrong;
  }

  /** No domain in which a step places pods has less capacity than its remaining pods use. */
  static List<String> areNotOvercommitted(Moment moment) {
    NodeBooks books = new NodeBooks(moment.after());
    List<Share> all = books.shares(moment.after().stopping());
    List<String> wrong = new ArrayList<>();
    for (Admission admission : moment.admitted()) {
      for (Share share : shares(books, moment, admission)) {
        wrong.addAll(excess(books, share, all, List.of(), resource -> true));
      }
    }
    return wrong;
  }

  private static List<Share> shares(NodeBooks books, Moment moment, Admission admission) {
    Workload workload = moment.after().workload(admission.workload()).orElseThrow();
    return books.shares(workload, admission);
  }

  /** {@return what a domain lacks for its pods and {@code own} together} */
  private static List<String> excess(
      NodeBooks books,
      Share share,
      List<Share> there,
      List<Share> own,
      Predicate<String> resources) {
    List<String> wrong = new ArrayList<>();
    var capacity = books.capacity(share.flavor(), share.domain());
    List<String> requested = new ArrayList<>(share.podSet().requests().keySet());
    requested.add(QuotaGenerator.PODS);
    for (String resource : requested) {
      long wanted = sum(books, share, own, resource);
      long used = Amount.add(sum(books, share, there, resource), wanted);
      long has = capacity.getOrDefault(resource, 0L);
      if (resources.test(resource) && share.amount(resource) > 0 && used > has) {
        wrong.add("domain " + share.domain() + " of flavor " + share.flavor() + " has " + has
            + " of " + resource + ", and " + used + " is taken");
      }
    }
    return wrong;
  }

  private static long sum(NodeBooks books, Share seen, List<Share> shares, String resource) {
    return shares.stream()
        .filter(share -> share.domain().equals(seen.domain()))
        .filter(share -> books.seesPodsOf(seen.flavor(), share.flavor()))
        .mapToLong(share -> share.amount(resource))
        .reduce(0, Amount::add);
  }
}
