package io.kueue4j.core.internal.quota;

import com.google.common.annotations.VisibleForTesting;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.CompiledQueue;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.internal.versioned.VersionedMap;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.ResourceGroup;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
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
  private final Consumer<QueueQuota> onCopy;
  private final VersionedMap<String, CohortNode> cohorts;
  private final VersionedMap<String, QueueQuota> queues;
  private final Set<CohortNode> dirtyCohorts = new LinkedHashSet<>();
  private final Set<QueueQuota> dirtyQueues = new LinkedHashSet<>();

  /** Creates an empty forest. */
  public Forest(Catalog catalog) {
    this(catalog, TrialParticipant.NONE, true, new Journal(), copy -> {});
  }

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
    this(
        catalog,
        participant,
        exact,
        journal,
        onCopy,
        new VersionedMap<>(journal),
        new VersionedMap<>(journal));
  }

  private Forest(
      Catalog catalog,
      TrialParticipant participant,
      boolean exact,
      Journal journal,
      Consumer<QueueQuota> onCopy,
      VersionedMap<String, CohortNode> cohorts,
      VersionedMap<String, QueueQuota> queues) {
    this.catalog = catalog;
    this.participant = participant;
    this.exact = exact;
    this.journal = journal;
    this.onCopy = onCopy;
    this.cohorts = cohorts;
    this.queues = queues;
  }

  /** {@return a forest with the same trees, which both share until one side changes them} */
  public Forest fork(
      TrialParticipant newParticipant, Journal newJournal, Consumer<QueueQuota> newOnCopy) {
    return new Forest(
        catalog,
        newParticipant,
        exact,
        newJournal,
        newOnCopy,
        cohorts.copy(newJournal),
        queues.copy(newJournal));
  }

  // ----- copies of what forks share

  /** Replaces the tree of a queue, which forks share, by a copy. */
  public void own(QueueQuota queue) {
    own(tree(queue));
  }

  private void own(CohortTree shared) {
    CohortTree copy = shared.copy(journal);
    // Recorded, so that a call that fails here does not leave half of the tree copied.
    copy.cohorts().forEach(cohort -> cohorts.set(cohort.name, cohort));
    for (QueueQuota queue : copy.queues()) {
      queue.tree().setParticipant(participant);
      queues.set(queue.name(), queue);
      onCopy.accept(queue);
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

  /** {@return the cohort with this name, for changes; null if there is none} */
  private @Nullable CohortNode ownCohort(String name) {
    CohortNode cohort = cohorts.get(name);
    if (cohort != null && cohort.isShared()) {
      own(treeBelow(cohort.root()));
      cohort = cohorts.get(name);
    }
    return cohort;
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

  /** {@return the tree of a queue} */
  public CohortTree tree(QueueQuota queue) {
    return queue.cohort == null
        ? new CohortTree(ImmutableList.of(), ImmutableList.of(queue))
        : treeBelow(queue.cohort.root());
  }

  private static CohortTree treeBelow(CohortNode root) {
    return new CohortTree(cohortsBelow(root), queuesBelow(root));
  }

  /** {@return whether a cohort was applied or is named by a member} */
  @VisibleForTesting
  boolean hasCohort(String name) {
    return cohorts.get(name) != null;
  }

  /** {@return the Cohorts that were applied, in no particular order} */
  public ImmutableList<Cohort> cohorts() {
    return cohorts.values().stream()
        .flatMap(cohort -> cohort.spec().stream())
        .collect(ImmutableList.toImmutableList());
  }

  /**
   * Adds or changes a ClusterQueue.
   *
   * @return the queue
   */
  public QueueQuota put(ClusterQueue spec) {
    CompiledQueue compiled = new CompiledQueue(spec, catalog);
    QueueQuota queue = ownQueue(spec.name());
    if (queue == null) {
      queue = new QueueQuota(compiled, new NodeQuota(spec.resourceGroups(), catalog), journal);
      queues.set(spec.name(), queue);
    } else {
      ClusterQueue old = queue.compiled().source();
      if (old.cohort().equals(spec.cohort())
          && sameQuotas(old.resourceGroups(), spec.resourceGroups())) {
        queue.setSpec(compiled, queue.quota);
        return queue;
      }
      queue.setSpec(compiled, new NodeQuota(spec.resourceGroups(), catalog));
    }
    dirtyQueues.add(queue);
    move(queue, spec.cohort().map(this::cohortNode).orElse(null));
    return queue;
  }

  /** Removes a ClusterQueue. */
  public void remove(QueueQuota removed) {
    QueueQuota queue = ownQueue(removed.name());
    if (queue != null) {
      move(queue, null);
      dirtyQueues.remove(queue);
      queues.set(queue.name(), null);
    }
  }

  /** Adds or changes a Cohort; its tree counts as changed even if the spec is equal. */
  public void put(Cohort spec) {
    CohortNode node = cohortNode(spec.name());
    node.setSpec(spec, catalog);
    dirtyCohorts.add(node);
    move(node, spec.parent().map(this::cohortNode).orElse(null));
  }

  /** Removes a Cohort; it continues to exist by name as long as it has members. */
  public void removeCohort(String name) {
    CohortNode node = ownCohort(name);
    if (node != null) {
      node.setSpec(null, catalog);
      dirtyCohorts.add(node);
      move(node, null);
      dropIfUnneeded(node);
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
    forgetChanges();
  }

  /** Forgets which trees have changed, after a rollback has restored them. */
  public void forgetChanges() {
    dirtyCohorts.clear();
    dirtyQueues.clear();
  }

  private List<TreeBuilder> changedTrees() {
    List<TreeBuilder> changed = new ArrayList<>();
    for (QueueQuota queue : dirtyQueues) {
      if (queue.cohort == null) {
        changed.add(new TreeBuilder(List.of(queue), List.of(), participant, exact, journal));
      }
    }
    for (CohortNode root : changedRoots()) {
      changed.add(
          new TreeBuilder(queuesBelow(root), cohortsBelow(root), participant, exact, journal));
    }
    return changed;
  }

  /**
   * Ensures that the tree of {@code queue} has columns for {@code pairs}, even if no node declares
   * them.
   */
  public void ensureColumns(QueueQuota queue, FlavorResource[] pairs) {
    if (Arrays.stream(pairs).anyMatch(pair -> queue.tree().column(pair) < 0)) {
      List<CohortNode> above = queue.cohort == null ? List.of() : cohortsBelow(queue.cohort.root());
      new TreeBuilder(treeOf(queue), above, participant, exact, journal)
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
    queue.setCohort(target);
    if (old != null) {
      dirtyCohorts.add(old);
      dropIfUnneeded(old);
    }
  }

  private void move(CohortNode node, @Nullable CohortNode target) {
    CohortNode old = node.parent;
    if (old == target) {
      return;
    }
    node.setParent(target);
    if (old != null) {
      dirtyCohorts.add(old);
      dropIfUnneeded(old);
    }
  }

  private void dropIfUnneeded(CohortNode node) {
    if (!node.isNeeded()) {
      cohorts.set(node.name, null);
    }
  }

  private CohortNode cohortNode(String name) {
    CohortNode known = ownCohort(name);
    if (known != null) {
      return known;
    }
    CohortNode created = new CohortNode(name, catalog, journal);
    cohorts.set(name, created);
    return created;
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
