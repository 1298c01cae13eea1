package io.kueue4j.core.internal.quota;

import io.kueue4j.core.internal.compiled.Catalog;
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
final class CohortNode {
  final String name;
  final TreeMap<String, CohortNode> cohorts = new TreeMap<>();
  final TreeMap<String, QueueQuota> queues = new TreeMap<>();

  @Nullable
  CohortNode parent;

  NodeQuota quota;
  private @Nullable Cohort spec;

  CohortNode(String name, Catalog catalog) {
    this.name = name;
    this.quota = new NodeQuota(List.of(), catalog);
  }

  /** Creates a copy of a cohort, still without members and parent. */
  CohortNode(CohortNode other) {
    this.name = other.name;
    this.quota = other.quota;
    this.spec = other.spec;
  }

  void setSpec(@Nullable Cohort newSpec, Catalog catalog) {
    spec = newSpec;
    quota = new NodeQuota(newSpec == null ? List.of() : newSpec.resourceGroups(), catalog);
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
