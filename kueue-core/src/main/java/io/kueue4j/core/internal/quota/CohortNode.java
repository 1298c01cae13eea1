package io.kueue4j.core.internal.quota;

import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.internal.versioned.Part;
import io.kueue4j.core.model.Cohort;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A cohort in the forest: applied, or only named by its members. Its members are ordered by name.
 *
 * <p>Rules: M-15.
 */
final class CohortNode extends Part {
  final String name;
  final TreeMap<String, CohortNode> cohorts = new TreeMap<>();
  final TreeMap<String, QueueQuota> queues = new TreeMap<>();

  @Nullable
  CohortNode parent;

  DeclaredQuota quota;
  private @Nullable Cohort spec;

  CohortNode(String name, Catalog catalog, Journal journal) {
    super(journal);
    this.name = name;
    this.quota = new DeclaredQuota(List.of(), catalog);
  }

  /** Creates a copy of a cohort, still without members and parent. */
  CohortNode(CohortNode other, Journal journal) {
    super(journal);
    this.name = other.name;
    this.quota = other.quota;
    this.spec = other.spec;
  }

  void setSpec(@Nullable Cohort newSpec, Catalog catalog) {
    changing().add(CohortNode::restoreSpec, this, spec, quota);
    spec = newSpec;
    quota = new DeclaredQuota(newSpec == null ? List.of() : newSpec.resourceGroups(), catalog);
  }

  private void restoreSpec(@Nullable Cohort specBefore, DeclaredQuota quotaBefore) {
    spec = specBefore;
    quota = quotaBefore;
  }

  /** Moves it to another parent, null for none. */
  void setParent(@Nullable CohortNode newParent) {
    changing().add(CohortNode::link, this, parent);
    link(newParent);
  }

  private void link(@Nullable CohortNode newParent) {
    if (parent != null) {
      parent.cohorts.remove(name);
    }
    if (newParent != null) {
      newParent.cohorts.put(name, this);
    }
    parent = newParent;
  }

  Optional<Cohort> spec() {
    return Optional.ofNullable(spec);
  }

  boolean isNeeded() {
    return spec != null || !cohorts.isEmpty() || !queues.isEmpty();
  }

  CohortNode root() {
    CohortNode node = this;
    while (node.parent != null) {
      node = node.parent;
    }
    return node;
  }
}
