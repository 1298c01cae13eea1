package io.kueue4j.core.testkit;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.TopologyAssignment.Domain;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.TopologyRequest.SliceConstraint;
import io.kueue4j.core.model.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Checks of placement: all pods have places, in existing domains, as close together as required: 9.
 */
final class PlaceChecks {
  private PlaceChecks() {}

  /**
   * 9: exactly the pods that request a place and fill a slice have one (T-18, T-19); those that
   * fill none only with gate TASPartialSlices.
   */
  static List<String> areComplete(Moment moment) {
    List<String> wrong = new ArrayList<>();
    NodeBooks books = new NodeBooks(moment.before());
    for (Admission admission : moment.admitted()) {
      Workload workload = moment.after().workload(admission.workload()).orElseThrow();
      for (PodSetAssignment assignment : admission.podSetAssignments()) {
        PodSet podSet = NodeBooks.podSet(workload, assignment.name());
        boolean needsPlace = assignment.count() > 0
            && moment.before().placesPods()
            && (podSet.topologyRequest().isExplicit()
                || hasTopologiesOnly(moment.before(), admission.clusterQueue()));
        boolean mayBePartial = moment.before().isEnabled(FeatureGate.TAS_PARTIAL_SLICES);
        String problem = problem(books, workload, admission, assignment, needsPlace, mayBePartial);
        if (!problem.isEmpty()) {
          wrong.add(
              workload.id() + " pod set " + podSet.name() + " " + problem + ": " + assignment);
        }
      }
    }
    return wrong;
  }

  private static String problem(
      NodeBooks books,
      Workload workload,
      Admission admission,
      PodSetAssignment assignment,
      boolean needsPlace,
      boolean mayBePartial) {
    Optional<TopologyAssignment> place = assignment.topologyAssignment();
    if (place.isEmpty() || !needsPlace) {
      return place.isPresent() == needsPlace ? "" : needsPlace ? "has no place" : "has a place";
    }
    Optional<String> flavor = books.flavor(assignment);
    if (flavor.isEmpty()) {
      return "has a place without a flavor for it";
    }
    List<List<String>> domains =
        place.get().domains().stream().map(Domain::values).toList();
    if (!books.paths(flavor.get()).keySet().containsAll(domains)
        || Set.copyOf(domains).size() < domains.size()) {
      return "has places that are none";
    }
    PodSet podSet = NodeBooks.podSet(workload, assignment.name());
    boolean isPartial =
        mayBePartial && podSet.topologyRequest().sliceConstraints().size() < 2;
    int size = isPartial ? 1 : sliceSize(podSet.topologyRequest());
    int expected =
        leads(books, workload, admission, assignment) ? 1 : assignment.count() / size * size;
    return place.get().podCount() == expected ? "" : "has not the places of " + expected;
  }

  private static int sliceSize(TopologyRequest request) {
    return request.sliceConstraints().isEmpty()
        ? request.sliceSize().orElse(1)
        : request.sliceConstraints().get(0).size();
  }

  private static boolean hasTopologiesOnly(Ledger books, String queue) {
    List<String> flavors = books.queue(queue).map(ClusterQueue::resourceGroups).stream()
        .flatMap(List::stream)
        .flatMap(group -> group.flavors().stream())
        .map(quotas -> quotas.flavor())
        .toList();
    return !flavors.isEmpty()
        && flavors.stream().allMatch(flavor -> books.topologyOf(flavor).isPresent());
  }

  /** {@return the other member of a group that is placed together with a pod set (T-20, T-23)} */
  private static Optional<PodSetAssignment> partner(
      NodeBooks books, Workload workload, Admission admission, PodSetAssignment assignment) {
    Optional<String> group = NodeBooks.podSet(workload, assignment.name()).group();
    return admission.podSetAssignments().stream()
        .filter(other -> group.isPresent() && !other.name().equals(assignment.name()))
        .filter(other -> other.count() > 0 && books.flavor(other).equals(books.flavor(assignment)))
        .filter(other -> NodeBooks.podSet(workload, other.name()).group().equals(group))
        .findFirst();
  }

  private static boolean leads(
      NodeBooks books, Workload workload, Admission admission, PodSetAssignment assignment) {
    List<String> names = workload.podSets().stream().map(PodSet::name).toList();
    return partner(books, workload, admission, assignment)
        .map(other -> assignment.count() < other.count()
            || (assignment.count() == other.count()
                && names.indexOf(other.name()) < names.indexOf(assignment.name())))
        .orElse(false);
  }

  // ----- nearness

  /** Requirements are met: one domain for all pods, and complete slices in their domains. */
  static List<String> areAsRequired(Moment moment) {
    List<String> wrong = new ArrayList<>();
    NodeBooks books = new NodeBooks(moment.before());
    for (Admission admission : moment.admitted()) {
      Workload workload = moment.after().workload(admission.workload()).orElseThrow();
      for (PodSetAssignment assignment : admission.podSetAssignments()) {
        Optional<String> flavor = books.flavor(assignment);
        if (flavor.isPresent()
            && assignment.topologyAssignment().isPresent()
            && !leads(books, workload, admission, assignment)) {
          TopologyRequest request =
              NodeBooks.podSet(workload, assignment.name()).topologyRequest();
          List<Domain> all =
              new ArrayList<>(assignment.topologyAssignment().get().domains());
          wrong.addAll(slices(books, flavor.get(), request, all));
          partner(books, workload, admission, assignment)
              .flatMap(PodSetAssignment::topologyAssignment)
              .ifPresent(leader -> all.addAll(leader.domains()));
          request
              .required()
              .filter(level -> values(books, flavor.get(), level, all).size() > 1)
              .ifPresent(level -> wrong.add(workload.id() + " requires one " + level + ": " + all));
        }
      }
    }
    return wrong;
  }

  private static Set<List<String>> values(
      NodeBooks books, String flavor, String level, List<Domain> domains) {
    Set<List<String>> values = new LinkedHashSet<>();
    domains.forEach(domain -> values.add(ancestor(books, flavor, level, domain)));
    return values;
  }

  private static List<String> ancestor(
      NodeBooks books, String flavor, String level, Domain domain) {
    int depth = books.topology(flavor).levels().indexOf(level) + 1;
    List<String> path = books.paths(flavor).getOrDefault(domain.values(), domain.values());
    return path.subList(0, Math.min(depth, path.size()));
  }

  private static List<String> slices(
      NodeBooks books, String flavor, TopologyRequest request, List<Domain> domains) {
    List<String> wrong = new ArrayList<>();
    int pods = domains.stream().mapToInt(Domain::count).sum();
    for (SliceConstraint layer : request.sliceConstraints()) {
      List<List<String>> notWhole = new ArrayList<>();
      Map<List<String>, Integer> counts = new HashMap<>();
      domains.forEach(domain -> counts.merge(
          ancestor(books, flavor, layer.topology(), domain), domain.count(), Integer::sum));
      counts.forEach((domain, count) -> {
        if (Objects.requireNonNull(count) % layer.size() != 0) {
          notWhole.add(domain);
        }
      });
      if (notWhole.size() > (pods % layer.size() == 0 ? 0 : 1)) {
        wrong.add("the domains " + notWhole + " hold no whole slices of " + layer.size());
      }
    }
    return wrong;
  }
}
