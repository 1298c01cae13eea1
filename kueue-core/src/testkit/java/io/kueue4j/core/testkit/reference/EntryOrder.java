package io.kueue4j.core.testkit.reference;

import io.kueue4j.core.decision.FeatureGate;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Which entry of a cycle is processed next.
 *
 * <p>Rules: S-7, S-8, S-9, H-9, H-10, H-11, H-12, X-20.
 */
final class EntryOrder {
  private final Specs specs;

  EntryOrder(Specs specs) {
    this.specs = specs;
  }

  /** {@return the next of {@code left}, of which there is one at least} */
  Entry next(Collection<Entry> left, Snapshot snapshot) {
    if (specs.settings().fairSharing().isEmpty()) {
      return left.stream().min(order()).orElseThrow();
    }
    Entry first = left.stream().min(Comparator.comparing(entry -> entry.queue)).orElseThrow();
    Node queue = snapshot.queue(first.queue);
    if (queue.parent == null) {
      return first;
    }
    List<Entry> underRoot = left.stream()
        .filter(entry -> snapshot.queue(entry.queue).root() == queue.root())
        .toList();
    return new Tournament(underRoot, snapshot).winner(queue.root()).orElseThrow();
  }

  /** S-7; where upstream leaves the order open: UID, then namespace and name. */
  private Comparator<Entry> order() {
    return preemptorsFirst()
        .thenComparingInt(Entry::borrowLevel)
        .thenComparing(byPriority())
        .thenComparing(Entry::queueTime)
        .thenComparing(entry -> entry.job.uid())
        .thenComparing(entry -> entry.job.id());
  }

  private Comparator<Entry> preemptorsFirst() {
    boolean counts = specs.isEnabled(FeatureGate.PRIORITIZE_PREEMPTOR_WORKLOADS);
    return Comparator.comparing(entry -> !(counts && entry.isPreemptor));
  }

  private Comparator<Entry> byPriority() {
    boolean counts = specs.isEnabled(FeatureGate.PRIORITY_SORTING_WITHIN_COHORT);
    return Comparator.comparingLong(entry -> counts ? -entry.job.priority() : 0);
  }

  /** The entries below one root, each judged as if it were admitted. */
  private final class Tournament {
    /** The state of a node with the usage of its entry. */
    private record Standing(Share share, boolean borrowsWhatIsAskedFor) {}

    private final Map<String, Entry> entries = new LinkedHashMap<>();

    /** By queue of the entry, then by the name of the node; queues and cohorts apart. */
    private final Map<String, Map<String, Standing>> standings = new LinkedHashMap<>();

    /** H-10. */
    Tournament(List<Entry> underRoot, Snapshot snapshot) {
      for (Entry entry : underRoot) {
        entries.put(entry.queue, entry);
        Snapshot admitted = snapshot.copy();
        admitted.addUsage(entry.queue, entry.usage());
        Node queue = admitted.queue(entry.queue);
        Map<String, Standing> standing = new LinkedHashMap<>();
        Stream.concat(Stream.of(queue), queue.ancestors().stream())
            .forEach(node -> standing.put(key(node), standing(node, entry)));
        standings.put(entry.queue, standing);
      }
    }

    private static String key(Node node) {
      return (node.isQueue ? "queue " : "cohort ") + node.name;
    }

    private static Standing standing(Node node, Entry entry) {
      boolean borrows = entry.usage().entrySet().stream()
          .anyMatch(asked -> asked.getValue() > 0 && node.isBorrowingWith(asked.getKey(), 0));
      return new Standing(Share.of(node), borrows);
    }

    /** H-11; of equals, a cohort goes before a queue, then the first by name. */
    Optional<Entry> winner(Node cohort) {
      Optional<Candidate> best = Optional.empty();
      List<Node> children = cohort.children.stream()
          .sorted(Comparator.comparing((Node child) -> child.isQueue)
              .thenComparing(child -> child.name))
          .toList();
      for (Node child : children) {
        Optional<Candidate> candidate = (child.isQueue
                ? Optional.ofNullable(entries.get(child.name))
                : winner(child))
            .map(entry -> new Candidate(entry, standingOf(entry, child)));
        if (candidate.isPresent()
            && (best.isEmpty() || order().compare(candidate.get(), best.get()) < 0)) {
          best = candidate;
        }
      }
      return best.map(Candidate::entry);
    }

    private record Candidate(Entry entry, Standing standing) {}

    private Standing standingOf(Entry entry, Node child) {
      return Objects.requireNonNull(
          Objects.requireNonNull(standings.get(entry.queue)).get(key(child)));
    }

    private Comparator<Candidate> order() {
      boolean borrowingCounts = specs.isEnabled(FeatureGate.FAIR_SHARING_PRIORITIZE_NON_BORROWING);
      return Comparator.comparing(Candidate::entry, preemptorsFirst())
          .thenComparing(
              candidate -> borrowingCounts && candidate.standing().borrowsWhatIsAskedFor())
          .thenComparing(candidate -> candidate.standing().share(), (a, b) -> a.compareWith(b))
          .thenComparing(Candidate::entry, byPriority())
          .thenComparing(candidate -> candidate.entry().queueTime());
    }
  }
}
