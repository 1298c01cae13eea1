package io.kueue4j.k8s.job;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * The parts of a job that a start may change, before the change: {@link JobEditor#stop} restores
 * them. Store it for as long as the admission lasts, for example {@linkplain #toJson as JSON} in an
 * annotation.
 *
 * @param podSets the pod sets, in the order of the job
 * @param fields the fields whose notation the pod sets do not retain
 * @since 0.1.0
 */
public record JobSnapshot(List<PodTemplate> podSets, SavedFields fields) {
  /** Copies what it is given. */
  public JobSnapshot {
    podSets = ImmutableList.copyOf(podSets);
  }

  /** {@return the snapshot as a JSON object, in which empty values are omitted} */
  public String toJson() {
    return SnapshotJson.write(this);
  }

  /**
   * {@return the snapshot that {@link #toJson} has written}
   *
   * @throws IllegalArgumentException if {@code json} is none; says what is wrong
   */
  public static JobSnapshot ofJson(String json) {
    return SnapshotJson.read(json);
  }

  /**
   * The parts of one pod set that a start may change, before the change.
   *
   * @param name the pod set
   * @param hasMetadata whether the template had metadata
   * @param labels the labels of the template
   * @param annotations the annotations of the template
   * @param nodeSelector the node selector of its pods
   * @param tolerations the tolerations of its pods; not to be modified
   * @param schedulingGates the scheduling gates of its pods; not to be modified
   * @param affinity the affinity of its pods, empty if they have none; not to be modified
   * @param counts the count fields, empty if a start does not change them
   * @since 0.1.0
   */
  public record PodTemplate(
      String name,
      boolean hasMetadata,
      SortedMap<String, String> labels,
      SortedMap<String, String> annotations,
      SortedMap<String, String> nodeSelector,
      List<Toleration> tolerations,
      List<PodSchedulingGate> schedulingGates,
      Optional<Affinity> affinity,
      Optional<JobPodSet.Counts> counts) {
    /** Copies what it is given. */
    public PodTemplate {
      labels = ImmutableSortedMap.copyOf(labels);
      annotations = ImmutableSortedMap.copyOf(annotations);
      nodeSelector = ImmutableSortedMap.copyOf(nodeSelector);
      tolerations = ImmutableList.copyOf(tolerations);
      schedulingGates = ImmutableList.copyOf(schedulingGates);
    }
  }

  /**
   * The original values of fields that a start writes, because a typed template would lose their
   * notation.
   *
   * @param values the values, by path; fields that were absent are missing, fields that were null
   *     are null; not to be modified
   * @param present the mappings that existed around absent fields
   * @since 0.1.0
   */
  public record SavedFields(Map<String, Object> values, SortedSet<String> present) {
    private static final SavedFields NONE = new SavedFields(Map.of(), ImmutableSortedSet.of());

    /** Creates the fields; the values are copied. */
    public SavedFields {
      present = ImmutableSortedSet.copyOf(present);
      values = OtherFields.copy(values);
    }

    /** {@return no fields, for jobs whose templates contain everything that a start writes} */
    public static SavedFields none() {
      return NONE;
    }

    /** Saves the fields at {@code paths}, and whether those at {@code wholes} exist. */
    static SavedFields of(Object root, Collection<RawPath> wholes, Collection<RawPath> paths) {
      Map<String, Object> values = new LinkedHashMap<>();
      ImmutableSortedSet.Builder<String> present = ImmutableSortedSet.naturalOrder();
      for (RawPath whole : wholes) {
        if (RawTree.get(root, whole) == null) {
          saveParent(root, whole, values, present);
        } else {
          present.add(whole.text());
        }
      }
      for (RawPath path : paths) {
        if (RawTree.has(root, path)) {
          values.put(path.text(), RawTree.copy(RawTree.get(root, path)));
        } else {
          saveParent(root, path, values, present);
        }
      }
      return new SavedFields(values, present.build());
    }

    /** {@return {@code root} with the fields at these paths restored} */
    Object restore(Object root, Collection<RawPath> wholes, Collection<RawPath> paths) {
      Object restored = root;
      for (RawPath whole : wholes) {
        if (!present.contains(whole.text())) {
          restored = remove(restored, whole);
        }
      }
      for (RawPath path : paths) {
        restored = values.containsKey(path.text())
            ? RawTree.with(restored, path, RawTree.copy(values.get(path.text())))
            : remove(restored, path);
      }
      return restored;
    }

    /** Removes a field, and the mappings around it that were created for it and are empty now. */
    private Object remove(Object root, RawPath path) {
      Object result = root;
      RawPath current = path;
      while (!current.isRoot() && !present.contains(current.text())) {
        if (values.containsKey(current.text())) {
          return RawTree.with(result, current, RawTree.copy(values.get(current.text())));
        }
        result = RawTree.without(result, current);
        current = current.parent();
        if (!RawTree.isEmpty(RawTree.get(result, current))) {
          return result;
        }
      }
      return result;
    }

    private static void saveParent(
        Object root,
        RawPath path,
        Map<String, Object> values,
        ImmutableSortedSet.Builder<String> present) {
      RawPath current = path;
      while (!RawTree.has(root, current)) {
        current = current.parent();
      }
      if (RawTree.get(root, current) == null) {
        values.put(current.text(), null);
      } else {
        present.add(current.text());
      }
    }
  }
}
