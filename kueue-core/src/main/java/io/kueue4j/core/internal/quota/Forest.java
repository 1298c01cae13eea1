package io.kueue4j.core.internal.quota;

import com.google.common.collect.Streams;
import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.CompiledQueue;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.internal.versioned.VersionedMap;
import io.kueue4j.core.internal.versioned.VersionedSet;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ResourceGroup;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All cohorts and ClusterQueues of an engine, and the {@link QuotaTree} of each root.
 *
 * <p>Changes are collected and take effect together in {@link #rebuild()}, which rebuilds the
 * affected trees; usage stays with its queue. The caller ensures that there is no cycle.
 *
 * <p>Rules: M-14, M-15, M-16, Q-1, Q-4, Q-19, Q-20, U-24.
 */
public final class Forest {
  /**
   * The prefix of tree names of cohorts, because a cohort and a ClusterQueue may have the same
   * name.
   */
  private static final String BELOW_COHORT = "cohort ";

  private static final String QUEUE_ALONE = "queue ";

  private final Catalog catalog;
  private final TrialParticipant participant;
  private final boolean exact;
  private final Journal journal;
  private final Consumer<QueueQuota> onCopy;

  /** A cohort or ClusterQueue in a cohort; in the order of both names. */
  private record Member(String cohort, String name) implements Comparable<Member> {
    private static final Comparator<Member> ORDER =
        Comparator.comparing(Member::cohort).thenComparing(Member::name);

    @Override
    public int compareTo(Member other) {
      return ORDER.compare(this, other);
    }
  }

  /** The cohorts that were applied; others exist by name as long as they have members. */
  private final VersionedMap<String, Cohort> cohorts;

  private final VersionedMap<String, QueueQuota> queues;
  private final VersionedSet<Member> childCohorts;
  private final VersionedSet<Member> childQueues;
  private final Set<String> dirtyCohorts = new LinkedHashSet<>();
  private final Set<String> dirtyQueues = new LinkedHashSet<>();

  /**
   * Creates an empty forest.
   *
   * @param participant what takes part in the trials of its trees
   * @param exact whether an unlimited amount is the greatest amount, of which a part may be lent
   * @param journal records what the forest was
   * @param onCopy receives each queue that replaces one that forks share
   */
  public Forest(
      Catalog catalog,
      TrialParticipant participant,
      boolean exact,
      Journal journal,
      Consumer<QueueQuota> onCopy) {
    this.catalog = catalog;
    this.participant = participant;
    this.exact = exact;
    this.journal = journal;
    this.onCopy = onCopy;
    this.cohorts = new VersionedMap<>(journal);
    this.queues = new VersionedMap<>(journal);
    this.childCohorts = VersionedSet.inNaturalOrder(journal);
    this.childQueues = VersionedSet.inNaturalOrder(journal);
  }

  /** Takes the trees of another forest, which both share until one side changes them. */
  public void share(Forest origin) {
    cohorts.share(origin.cohorts);
    queues.share(origin.queues);
    childCohorts.share(origin.childCohorts);
    childQueues.share(origin.childQueues);
  }

  // ----- copies of what forks share

  /** Replaces the tree of a queue, which forks share, by a copy. */
  public void own(QueueQuota shared) {
    for (QueueQuota copy : shared.tree().copyQueues(journal, participant)) {
      // Recorded, so that a call that fails here does not leave half of the tree copied.
      queues.set(copy.name(), copy);
      onCopy.accept(copy);
    }
  }

  /** {@return the queue with this name, for changes; null if there is none} */
  private @Nullable QueueQuota ownQueue(String name) {
    QueueQuota queue = queues.get(name);
    if (queue != null && queue.isShared()) {
      own(queue);
      queue = queues.get(name);
    }
    return queue;
  }

  // ----- look-ups

  /** {@return the queue with this name, empty if there is none} */
  public Optional<QueueQuota> queue(String name) {
    return Optional.ofNullable(queues.get(name));
  }

  /** {@return the Cohort applied under this name, empty if there is none} */
  public Optional<Cohort> cohort(String name) {
    return Optional.ofNullable(cohorts.get(name));
  }

  /** {@return the Cohorts that were applied, in no particular order} */
  public List<Cohort> cohorts() {
    return cohorts.values();
  }

  /** {@return one queue of each tree that contains one of the cohorts} */
  public List<QueueQuota> queueOfEachTree(Collection<String> someCohorts) {
    return roots(someCohorts).stream()
        .flatMap(root -> cohortsBelow(root).stream()
            .flatMap(cohort -> names(childQueues, cohort))
            .limit(1))
        .flatMap(name -> Stream.ofNullable(queues.get(name)))
        .toList();
  }

  /** {@return the name of the tree of {@code queue}; it depends only on the root} */
  public String treeName(QueueQuota queue) {
    Optional<String> cohort = queue.spec().cohort();
    return cohort.isPresent() ? BELOW_COHORT + root(cohort.get()) : QUEUE_ALONE + queue.name();
  }

  /** {@return the names of the members of a cohort, in order} */
  private static Stream<String> names(VersionedSet<Member> members, String cohort) {
    return Streams.stream(members.from(new Member(cohort, "")))
        .takeWhile(member -> member.cohort.equals(cohort))
        .map(Member::name);
  }

  private Optional<String> parent(String cohort) {
    return cohort(cohort).flatMap(Cohort::parent);
  }

  private String root(String cohort) {
    String root = cohort;
    for (Optional<String> above = parent(root); above.isPresent(); above = parent(root)) {
      root = above.get();
    }
    return root;
  }

  /** {@return the roots of some cohorts; visits each cohort once} */
  private Set<String> roots(Iterable<String> someCohorts) {
    Set<String> visited = new HashSet<>();
    Set<String> roots = new LinkedHashSet<>();
    for (String some : someCohorts) {
      String cohort = some;
      Optional<String> parent = parent(cohort);
      while (visited.add(cohort) && parent.isPresent()) {
        cohort = parent.get();
        parent = parent(cohort);
      }
      if (parent.isEmpty()) {
        roots.add(cohort);
      }
    }
    return roots;
  }

  /**
   * {@return a root and the cohorts below it, parents before children, children by name; iterative,
   * because the tree may be deep}
   */
  private List<String> cohortsBelow(String root) {
    List<String> inOrder = new ArrayList<>();
    Deque<String> open = new ArrayDeque<>();
    open.push(root);
    while (!open.isEmpty()) {
      String cohort = open.pop();
      inOrder.add(cohort);
      names(childCohorts, cohort).sorted(Comparator.reverseOrder()).forEach(open::push);
    }
    return inOrder;
  }

  /** {@return the nodes of the tree of a queue, for changes} */
  private List<TreeNode> nodes(QueueQuota queue) {
    return queue
        .spec()
        .cohort()
        .map(cohort -> nodesBelow(root(cohort)))
        .orElseGet(() -> List.of(TreeNode.of(queue, TreeNode.NO_PARENT, catalog)));
  }

  /** {@return the nodes of the tree of a root, for changes: its cohorts, then its queues} */
  private List<TreeNode> nodesBelow(String root) {
    List<TreeNode> nodes = new ArrayList<>();
    Map<String, Integer> numbers = new LinkedHashMap<>();
    for (String name : cohortsBelow(root)) {
      int parent = parent(name).map(numbers::get).orElse(TreeNode.NO_PARENT);
      numbers.put(name, nodes.size());
      nodes.add(TreeNode.ofCohort(name, cohorts.get(name), parent, catalog));
    }
    numbers.forEach((cohort, parent) -> names(childQueues, cohort)
        .flatMap(name -> Stream.ofNullable(ownQueue(name)))
        .forEach(queue -> nodes.add(TreeNode.of(queue, parent, catalog))));
    return nodes;
  }

  // ----- changes

  /**
   * Adds or changes a ClusterQueue.
   *
   * @return the queue
   */
  public QueueQuota put(ClusterQueue spec) {
    CompiledQueue compiled = new CompiledQueue(spec, catalog);
    Optional<String> cohortBefore = Optional.empty();
    QueueQuota queue = ownQueue(spec.name());
    if (queue == null) {
      queue = new QueueQuota(compiled, journal);
      queues.set(spec.name(), queue);
    } else {
      ClusterQueue old = queue.spec();
      queue.setSpec(compiled);
      cohortBefore = old.cohort();
      if (cohortBefore.equals(spec.cohort())
          && withResourcesInAnyOrder(old.resourceGroups())
              .equals(withResourcesInAnyOrder(spec.resourceGroups()))) {
        return queue;
      }
    }
    dirtyQueues.add(spec.name());
    move(childQueues, spec.name(), cohortBefore, spec.cohort());
    return queue;
  }

  /** Removes a ClusterQueue. */
  public void remove(QueueQuota queue) {
    if (queue.isShared()) {
      // Now, because a later copy of its tree would bring it back.
      own(queue);
    }
    move(childQueues, queue.name(), queue.spec().cohort(), Optional.empty());
    queues.set(queue.name(), null);
  }

  /** Adds or changes a Cohort; its tree counts as changed even if the spec is equal. */
  public void put(Cohort spec) {
    move(childCohorts, spec.name(), parent(spec.name()), spec.parent());
    cohorts.set(spec.name(), spec);
    dirtyCohorts.add(spec.name());
  }

  /** Removes a Cohort; it continues to exist by name as long as it has members. */
  public void removeCohort(String name) {
    move(childCohorts, name, parent(name), Optional.empty());
    cohorts.set(name, null);
    dirtyCohorts.add(name);
  }

  private void move(
      VersionedSet<Member> children, String name, Optional<String> from, Optional<String> to) {
    if (!from.equals(to)) {
      from.ifPresent(cohort -> children.remove(new Member(cohort, name)));
      from.ifPresent(dirtyCohorts::add);
      to.ifPresent(cohort -> children.add(new Member(cohort, name)));
    }
  }

  /**
   * Sets whether a queue takes part in scheduling, which affects the heights of its cohorts; no
   * fork may share its tree.
   */
  public void setActive(QueueQuota queue, boolean active) {
    if (queue.isActive() != active) {
      journal.add(() -> setActive(queue, !active));
      queue.setActive(active);
      queue.tree().computeHeights();
    }
  }

  /** Rebuilds the trees changed since the last call. */
  public void rebuild() {
    Set<String> changed = new LinkedHashSet<>(dirtyCohorts);
    for (String name : dirtyQueues) {
      QueueQuota queue = queues.get(name);
      Optional<String> cohort = queue == null ? Optional.empty() : queue.spec().cohort();
      if (cohort.isPresent()) {
        changed.add(cohort.get());
      } else if (queue != null) {
        build(nodes(queue), List.of(), true);
      }
    }
    roots(changed).forEach(root -> build(nodesBelow(root), List.of(), true));
    forgetChanges();
  }

  /** Forgets which trees have changed, after a rollback has restored them. */
  public void forgetChanges() {
    dirtyCohorts.clear();
    dirtyQueues.clear();
  }

  /**
   * Ensures that the tree of {@code queue} has columns for {@code pairs}, even if no node declares
   * them.
   */
  public void ensureColumns(QueueQuota queue, FlavorResource[] pairs) {
    if (Arrays.stream(pairs).anyMatch(pair -> queue.tree().column(pair) < 0)) {
      build(nodes(queue), Arrays.asList(pairs), false);
    }
  }

  /**
   * Builds a tree, and moves its queues with their usage into it.
   *
   * @param nodes its cohorts and queues
   * @param more pairs that get a column even if no node declares them and no workload holds them
   * @param advancesGenerations whether quota may have become available
   */
  private void build(List<TreeNode> nodes, List<FlavorResource> more, boolean advancesGenerations) {
    if (nodes.get(nodes.size() - 1).queue() == null) {
      // Cohorts without queues need no tree.
      return;
    }
    // In the order of declaration in the tree.
    Set<FlavorResource> pairs = new LinkedHashSet<>();
    nodes.forEach(node -> node.quotas().forEach(quota -> pairs.add(quota.pair())));
    // Also pairs with amount 0, or of a flavor that is not declared any more.
    for (TreeNode node : nodes) {
      if (node.queue() != null) {
        node.queue().holders().forEach(holder -> pairs.addAll(Arrays.asList(holder.pairs())));
      }
    }
    pairs.addAll(more);
    QuotaTree tree = new QuotaTree(nodes, pairs.toArray(new FlavorResource[0]), exact, journal);
    tree.setParticipant(participant);
    tree.resetUsage(queue -> queue.usageIn(tree));
    for (int node = 0; node < nodes.size(); node++) {
      QueueQuota queue = nodes.get(node).queue();
      if (queue != null) {
        queue.place(tree, node);
        if (advancesGenerations) {
          queue.advanceGeneration();
        }
      }
    }
    tree.computeHeights();
  }

  /**
   * {@return something that two lists of groups share if they are equivalent}: the order of flavors
   * matters, the order of covered resources does not
   */
  private static List<?> withResourcesInAnyOrder(List<ResourceGroup> groups) {
    return groups.stream()
        .map(group -> group.flavors().stream()
            .map(flavor -> Map.entry(flavor.flavor(), Set.copyOf(flavor.resources())))
            .toList())
        .toList();
  }
}
