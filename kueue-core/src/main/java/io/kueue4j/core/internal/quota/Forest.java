package io.kueue4j.core.internal.quota;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.CompiledQueue;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.ResourceGroup;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

  private final Journal journal;
  private final Catalog catalog;
  private final TrialParticipant participant;
  private final boolean exact;
  private final Map<String, CohortNode> cohorts = new HashMap<>();
  private final Map<String, QueueQuota> queues = new HashMap<>();
  private final Set<CohortNode> dirtyCohorts = new LinkedHashSet<>();
  private final Set<QueueQuota> dirtyQueues = new LinkedHashSet<>();

  /** Creates an empty forest. */
  public Forest(Catalog catalog) {
    this(catalog, TrialParticipant.NONE, true, new Journal());
  }

  /**
   * Creates an empty forest.
   *
   * @param participant what takes part in the trials of its trees
   * @param exact whether an unlimited amount is the greatest amount, of which a part may be lent
   * @param journal records what the forest was
   */
  public Forest(Catalog catalog, TrialParticipant participant, boolean exact, Journal journal) {
    this.journal = journal;
    this.catalog = catalog;
    this.participant = participant;
    this.exact = exact;
  }

  /** {@return the queue with this name, empty if there is none} */
  public Optional<QueueQuota> queue(String name) {
    return Optional.ofNullable(queues.get(name));
  }

  /** {@return the Cohort applied under this name, empty if there is none} */
  public Optional<Cohort> cohort(String name) {
    return Optional.ofNullable(cohorts.get(name)).flatMap(CohortNode::spec);
  }

  /** {@return all queues of the tree of {@code queue}, including itself, in no particular order} */
  public ImmutableList<QueueQuota> treeOf(QueueQuota queue) {
    return queue.cohort == null ? ImmutableList.of(queue) : queuesBelow(queue.cohort.root());
  }

  /** {@return one queue of each tree that contains one of the cohorts} */
  public ImmutableList<QueueQuota> queueOfEachTree(Collection<String> someCohorts) {
    Set<CohortNode> roots = new LinkedHashSet<>();
    CohortRoots rootOf = new CohortRoots();
    for (String name : someCohorts) {
      CohortNode cohort = cohorts.get(name);
      if (cohort != null) {
        roots.add(rootOf.of(cohort));
      }
    }
    ImmutableList.Builder<QueueQuota> found = ImmutableList.builder();
    roots.forEach(root -> queuesBelow(root).stream().findFirst().ifPresent(found::add));
    return found.build();
  }

  /** {@return the name of the tree of {@code queue}; it depends only on the root} */
  public String treeName(QueueQuota queue) {
    return queue.cohort == null
        ? QUEUE_ALONE + queue.name()
        : BELOW_COHORT + queue.cohort.root().name;
  }

  /** {@return the name of the tree of the cohort, empty if there is no such cohort} */
  public Optional<String> treeNameOfCohort(String cohort) {
    return Optional.ofNullable(cohorts.get(cohort)).map(node -> BELOW_COHORT + node.root().name);
  }

  /** {@return the names of all trees} */
  public ImmutableSortedSet<String> treeNames() {
    ImmutableSortedSet.Builder<String> names = ImmutableSortedSet.naturalOrder();
    for (QueueQuota queue : queues.values()) {
      if (queue.cohort == null) {
        names.add(treeName(queue));
      }
    }
    for (CohortNode cohort : cohorts.values()) {
      if (cohort.parent == null) {
        names.add(BELOW_COHORT + cohort.name);
      }
    }
    return names.build();
  }

  /** {@return the tree with this name} */
  public CohortTree tree(String name) {
    if (name.startsWith(BELOW_COHORT)) {
      CohortNode root = cohorts.get(name.substring(BELOW_COHORT.length()));
      if (root != null) {
        return new CohortTree(cohortsBelow(root), queuesBelow(root));
      }
    } else {
      QueueQuota queue = queues.get(name.substring(QUEUE_ALONE.length()));
      if (queue != null) {
        return new CohortTree(ImmutableList.of(), ImmutableList.of(queue));
      }
    }
    throw new IllegalArgumentException("there is no tree " + name);
  }

  /** Adds a tree, none of whose cohorts and queues exist yet. */
  public void add(CohortTree tree) {
    tree.cohorts().forEach(cohort -> cohorts.put(cohort.name, cohort));
    tree.queues().forEach(queue -> {
      queues.put(queue.name(), queue);
      queue.tree().setParticipant(participant);
    });
  }

  /**
   * Adds or changes a ClusterQueue.
   *
   * @return the queue
   */
  public QueueQuota put(ClusterQueue spec) {
    CompiledQueue compiled = new CompiledQueue(spec, catalog);
    QueueQuota queue = queues.get(spec.name());
    if (queue == null) {
      journal.add(() -> queue(spec.name()).ifPresent(this::remove));
      queue = new QueueQuota(compiled, new NodeQuota(spec.resourceGroups(), catalog), journal);
      queues.put(spec.name(), queue);
    } else {
      ClusterQueue old = queue.compiled().source();
      journal.add(() -> put(old));
      queue.update(compiled);
      if (old.cohort().equals(spec.cohort())
          && sameQuotas(old.resourceGroups(), spec.resourceGroups())) {
        return queue;
      }
      queue.quota = new NodeQuota(spec.resourceGroups(), catalog);
    }
    dirtyQueues.add(queue);
    move(queue, spec.cohort().map(this::cohortNode).orElse(null));
    return queue;
  }

  /** Removes a ClusterQueue. */
  public void remove(QueueQuota queue) {
    journal.add(() -> putBack(queue));
    move(queue, null);
    dirtyQueues.remove(queue);
    queues.remove(queue.name());
  }

  private void putBack(QueueQuota queue) {
    queues.put(queue.name(), queue);
    dirtyQueues.add(queue);
    move(queue, queue.compiled().source().cohort().map(this::cohortNode).orElse(null));
  }

  /** Adds or changes a Cohort; its tree counts as changed even if the spec is equal. */
  public void put(Cohort spec) {
    Optional<Cohort> before = cohort(spec.name());
    journal.add(() -> before.ifPresentOrElse(this::put, () -> removeCohort(spec.name())));
    CohortNode node = cohortNode(spec.name());
    node.setSpec(spec, catalog);
    dirtyCohorts.add(node);
    move(node, spec.parent().map(this::cohortNode).orElse(null));
  }

  /** Removes a Cohort; it continues to exist by name as long as it has members. */
  public void removeCohort(String name) {
    CohortNode node = cohorts.get(name);
    if (node != null) {
      node.spec().ifPresent(before -> journal.add(() -> put(before)));
      node.setSpec(null, catalog);
      dirtyCohorts.add(node);
      move(node, null);
      dropIfUnneeded(node);
    }
  }

  /** Sets whether a queue takes part in scheduling, which affects the heights of its cohorts. */
  public void setActive(QueueQuota queue, boolean active) {
    if (queue.isActive() != active) {
      journal.add(() -> setActive(queue, !active));
      queue.setActive(active);
      computeHeights(treeOf(queue), queue.tree());
    }
  }

  private Set<CohortNode> changedRoots() {
    Set<CohortNode> roots = new LinkedHashSet<>();
    CohortRoots rootOf = new CohortRoots();
    dirtyCohorts.forEach(node -> roots.add(rootOf.of(node)));
    for (QueueQuota queue : dirtyQueues) {
      if (queue.cohort != null) {
        roots.add(rootOf.of(queue.cohort));
      }
    }
    return roots;
  }

  /** Rebuilds the trees changed since the last call. */
  public void rebuild() {
    changedTrees().forEach(TreeBuilder::build);
    changesApplied();
  }

  /** Rebuilds the trees after a rollback, which restores the generations of their queues. */
  public void rebuildAsBefore() {
    changedTrees().forEach(tree -> tree.keepingGenerations().build());
    changesApplied();
  }

  private List<TreeBuilder> changedTrees() {
    List<TreeBuilder> changed = new ArrayList<>();
    for (QueueQuota queue : dirtyQueues) {
      if (queue.cohort == null) {
        changed.add(new TreeBuilder(List.of(queue), List.of(), participant, exact));
      }
    }
    for (CohortNode root : changedRoots()) {
      changed.add(new TreeBuilder(queuesBelow(root), cohortsBelow(root), participant, exact));
    }
    return changed;
  }

  private void changesApplied() {
    dirtyCohorts.clear();
    dirtyQueues.clear();
  }

  /**
   * Ensures that the tree of {@code queue} has columns for {@code pairs}, even if no node declares
   * them.
   */
  public void ensureColumns(QueueQuota queue, FlavorResource[] pairs) {
    if (Arrays.stream(pairs).anyMatch(pair -> queue.tree().column(pair) < 0)) {
      List<CohortNode> above = queue.cohort == null ? List.of() : cohortsBelow(queue.cohort.root());
      new TreeBuilder(treeOf(queue), above, participant, exact)
          .withColumns(Arrays.asList(pairs))
          .keepingGenerations()
          .build();
    }
  }

  private void move(QueueQuota queue, @Nullable CohortNode target) {
    CohortNode old = queue.cohort;
    if (old == target) {
      return;
    }
    queue.cohort = target;
    if (target != null) {
      target.queues.put(queue.name(), queue);
    }
    if (old != null) {
      old.queues.remove(queue.name());
      dirtyCohorts.add(old);
      dropIfUnneeded(old);
    }
  }

  private void move(CohortNode node, @Nullable CohortNode target) {
    CohortNode old = node.parent;
    if (old == target) {
      return;
    }
    node.parent = target;
    if (target != null) {
      target.cohorts.put(node.name, node);
    }
    if (old != null) {
      old.cohorts.remove(node.name);
      dirtyCohorts.add(old);
      dropIfUnneeded(old);
    }
  }

  private void dropIfUnneeded(CohortNode node) {
    if (!node.isNeeded()) {
      cohorts.remove(node.name);
    }
  }

  private CohortNode cohortNode(String name) {
    return cohorts.computeIfAbsent(name, unused -> new CohortNode(name, catalog));
  }

  private static ImmutableList<QueueQuota> queuesBelow(CohortNode root) {
    ImmutableList.Builder<QueueQuota> found = ImmutableList.builder();
    cohortsBelow(root).forEach(cohort -> found.addAll(cohort.queues.values()));
    return found.build();
  }

  /**
   * {@return the cohorts of a tree, parents before children; iterative, because the tree may be
   * deep}
   */
  private static ImmutableList<CohortNode> cohortsBelow(CohortNode root) {
    ImmutableList.Builder<CohortNode> found = ImmutableList.builder();
    Deque<CohortNode> open = new ArrayDeque<>();
    open.push(root);
    while (!open.isEmpty()) {
      CohortNode node = open.pop();
      found.add(node);
      node.cohorts.descendingMap().values().forEach(open::push);
    }
    return found.build();
  }

  private static void computeHeights(List<QueueQuota> queues, QuotaTree tree) {
    boolean[] present = new boolean[tree.nodeCount()];
    queues.forEach(queue -> present[queue.node()] = queue.isActive());
    tree.computeHeights(present);
  }

  /**
   * {@return whether two lists of groups are equivalent}: the order of flavors matters, the order
   * of covered resources does not
   */
  private static boolean sameQuotas(List<ResourceGroup> some, List<ResourceGroup> others) {
    if (some.size() != others.size()) {
      return false;
    }
    for (int g = 0; g < some.size(); g++) {
      List<FlavorQuotas> flavors = some.get(g).flavors();
      List<FlavorQuotas> otherFlavors = others.get(g).flavors();
      if (flavors.size() != otherFlavors.size()) {
        return false;
      }
      for (int f = 0; f < flavors.size(); f++) {
        if (!flavors.get(f).flavor().equals(otherFlavors.get(f).flavor())
            || !Set.copyOf(flavors.get(f).resources())
                .equals(Set.copyOf(otherFlavors.get(f).resources()))) {
          return false;
        }
      }
    }
    return true;
  }
}
