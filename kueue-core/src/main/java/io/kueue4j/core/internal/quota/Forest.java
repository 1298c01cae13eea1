package io.kueue4j.core.internal.quota;

import static com.google.common.collect.ImmutableList.toImmutableList;

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
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
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

  private final Journal journal;
  private final Catalog catalog;
  private final TrialParticipant participant;
  private final TreeBuilder builder;
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
    this.catalog = catalog;
    this.participant = participant;
    this.builder = new TreeBuilder(participant, exact, journal);
    this.journal = journal;
    this.onCopy = onCopy;
    this.cohorts = new VersionedMap<>(journal);
    this.queues = new VersionedMap<>(journal);
  }

  /** Takes the trees of another forest, which both share until one side changes them. */
  public void share(Forest origin) {
    cohorts.share(origin.cohorts);
    queues.share(origin.queues);
  }

  // ----- copies of what forks share

  /** Replaces the tree of a queue, which forks share, by a copy. */
  public void own(QueueQuota queue) {
    own(CohortTree.of(queue));
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
      own(CohortTree.below(cohort.root()));
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

  /** {@return one queue of each tree that contains one of the cohorts} */
  public ImmutableList<QueueQuota> queueOfEachTree(Collection<String> someCohorts) {
    return roots(someCohorts.stream().map(cohorts::get).filter(Objects::nonNull)).stream()
        .flatMap(root -> CohortTree.below(root).queues().stream().limit(1))
        .collect(toImmutableList());
  }

  /** {@return the roots of some cohorts; visits each cohort once} */
  private static Set<CohortNode> roots(Stream<CohortNode> someCohorts) {
    Set<CohortNode> visited = new HashSet<>();
    Set<CohortNode> roots = new LinkedHashSet<>();
    someCohorts.forEach(cohort -> {
      CohortNode node = cohort;
      while (visited.add(node) && node.parent != null) {
        node = node.parent;
      }
      if (node.parent == null) {
        roots.add(node);
      }
    });
    return roots;
  }

  /** {@return the name of the tree of {@code queue}; it depends only on the root} */
  public String treeName(QueueQuota queue) {
    return queue.cohort == null
        ? QUEUE_ALONE + queue.name()
        : BELOW_COHORT + queue.cohort.root().name;
  }

  /** {@return the tree of a queue} */
  public CohortTree tree(QueueQuota queue) {
    return CohortTree.of(queue);
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
        .collect(toImmutableList());
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
      queue = new QueueQuota(compiled, new DeclaredQuota(spec.resourceGroups(), catalog), journal);
      queues.set(spec.name(), queue);
    } else {
      ClusterQueue old = queue.compiled().source();
      if (old.cohort().equals(spec.cohort())
          && sameQuotas(old.resourceGroups(), spec.resourceGroups())) {
        queue.setSpec(compiled, queue.quota);
        return queue;
      }
      queue.setSpec(compiled, new DeclaredQuota(spec.resourceGroups(), catalog));
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
      tree(queue).computeHeights();
    }
  }

  /** Rebuilds the trees changed since the last call. */
  public void rebuild() {
    Set<CohortNode> changed = new LinkedHashSet<>(dirtyCohorts);
    for (QueueQuota queue : dirtyQueues) {
      if (queue.cohort == null) {
        builder.build(CohortTree.of(queue), List.of(), true);
      } else {
        changed.add(queue.cohort);
      }
    }
    for (CohortNode root : roots(changed.stream())) {
      builder.build(CohortTree.below(root), List.of(), true);
    }
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
      builder.build(tree(queue), Arrays.asList(pairs), false);
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
