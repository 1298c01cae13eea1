package io.kueue4j.examples.controller.record;

import com.google.common.base.Strings;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.MultimapBuilder;
import com.google.common.collect.SetMultimap;
import com.google.common.collect.Sets;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.examples.controller.object.JobAnnotations;
import io.kueue4j.examples.controller.object.JobParts;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.object.PodGroups;
import io.kueue4j.examples.controller.state.JobReader;
import io.kueue4j.examples.controller.state.RecordedAdmission;
import io.kueue4j.k8s.kueue.ImportedWorkload;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import io.kueue4j.k8s.status.ObjectConditions;
import io.kueue4j.k8s.status.WorkloadStatusWriter;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The Workloads of a cluster, by their jobs. */
public final class KnownWorkloads {
  /** The number of hexadecimal digits at the end of the name of a Workload. */
  private static final int HASH_LENGTH = 5;

  private static final String REPLACEMENT_FOR = "kueue.x-k8s.io/workload-slice-replacement-for";

  private final JobReader reader;
  private final SetMultimap<String, ObjectKey> byOwner =
      MultimapBuilder.hashKeys().treeSetValues().build();
  private final Map<ObjectKey, GenericKubernetesResource> known = new HashMap<>();
  private final Cache<GenericKubernetesResource, Parsed> parsed =
      CacheBuilder.newBuilder().weakKeys().build();
  private final Set<ObjectKey> deleted = new LinkedHashSet<>();

  /** The content of a version of a Workload, or the problem with it. */
  record Parsed(long generation, Optional<ImportedWorkload> workload, String problem) {}

  KnownWorkloads(JobReader reader) {
    this.reader = reader;
  }

  /** {@return the Workload with a key, null if there is none} */
  @Nullable
  GenericKubernetesResource get(ObjectKey key) {
    return known.get(key);
  }

  /** {@return all Workloads, by name} */
  ImmutableList<GenericKubernetesResource> all() {
    return ImmutableList.copyOf(ImmutableSortedMap.copyOf(known).values());
  }

  /**
   * Receives a Workload, or that it is gone.
   *
   * @return the jobs that it names as owners, before and now
   */
  ImmutableSet<ObjectKey> see(ObjectKey key, Optional<HasMetadata> object) {
    ImmutableSet.Builder<ObjectKey> owners = ImmutableSet.builder();
    GenericKubernetesResource before = known.remove(key);
    if (before != null) {
      WorkloadObjects.ownerUids(before).forEach(uid -> byOwner.remove(uid, key));
      owners.addAll(jobs(before));
    }
    deleted.remove(key);
    if (object.isPresent() && object.get() instanceof GenericKubernetesResource now) {
      known.put(key, now);
      WorkloadObjects.ownerUids(now).forEach(uid -> byOwner.put(uid, key));
      owners.addAll(jobs(now));
      if (JobParts.isDeleted(now) && now.hasFinalizer(WorkloadObjects.FINALIZER)) {
        deleted.add(key);
      }
    }
    return owners.build();
  }

  /** {@return the jobs that a Workload names as owners} */
  static ImmutableList<ObjectKey> jobs(GenericKubernetesResource object) {
    ObjectKey key = ObjectKey.of(object);
    ImmutableList.Builder<ObjectKey> jobs = ImmutableList.builder();
    if (WorkloadObjects.isOfGroup(object)) {
      jobs.add(PodGroups.key(key.namespace(), key.name()));
    }
    // A single pod may own a Workload that only says that it is of a group.
    WorkloadObjects.owners(object).stream()
        .map(owner -> ObjectKey.of(key.namespace(), owner))
        .forEach(jobs::add);
    return jobs.build();
  }

  /** {@return the Workloads that are being deleted, and are kept by the controller} */
  ImmutableSet<ObjectKey> deleted() {
    return ImmutableSet.copyOf(deleted);
  }

  /** {@return the key of the object of a workload} */
  public static ObjectKey key(WorkloadId id) {
    return new ObjectKey(KueueApiVersion.GROUP, ObjectKey.WORKLOAD, id.namespace(), id.name());
  }

  private static ImmutableSet<String> uids(HasMetadata job) {
    return JobParts.of(job).stream()
        .map(JobParts::uid)
        .filter(uid -> !uid.isEmpty())
        .collect(ImmutableSet.toImmutableSet());
  }

  static boolean isOwned(GenericKubernetesResource object, HasMetadata job) {
    return !Sets.intersection(WorkloadObjects.ownerUids(object), uids(job)).isEmpty();
  }

  /** {@return the Workload of a job; of elastic slices the one that records its admission} */
  Optional<GenericKubernetesResource> find(HasMetadata job) {
    return all(job).stream().findFirst();
  }

  /**
   * {@return the Workloads of a job: the elastic slices of an elastic job, otherwise one at most}
   *
   * <p>The first one is the one to continue with: one that has not finished, with an admission, and
   * of several admitted ones the newest, which replaces the others.
   */
  ImmutableList<GenericKubernetesResource> all(HasMetadata job) {
    String namespace = ObjectKey.of(job).namespace();
    String name = reader.workloadName(job);
    if (JobParts.isGroup(job)) {
      return Stream.ofNullable(known.get(key(WorkloadId.of(namespace, name))))
          .filter(object -> WorkloadObjects.isOfGroup(object) && isOwned(object, job))
          .collect(ImmutableList.toImmutableList());
    }
    // The digits of elastic jobs differ from generation to generation.
    String prefix = name.substring(0, Math.max(0, name.length() - HASH_LENGTH));
    ImmutableList<GenericKubernetesResource> all = uids(job).stream()
        .flatMap(uid -> byOwner.get(uid).stream())
        .filter(key -> key.namespace().equals(namespace)
            && key.name().length() == name.length()
            && key.name().startsWith(prefix))
        .map(key -> Objects.requireNonNull(known.get(key)))
        .collect(ImmutableList.toImmutableList());
    return all.size() < 2 ? all : ImmutableList.sortedCopyOf(order(name, all).reversed(), all);
  }

  private static Comparator<GenericKubernetesResource> order(
      String name, ImmutableList<GenericKubernetesResource> all) {
    ImmutableSet<String> replaced = all.stream()
        .filter(KnownWorkloads::holdsQuota)
        .map(object -> JobAnnotations.of(object, REPLACEMENT_FOR))
        .collect(ImmutableSet.toImmutableSet());
    return Comparator.<GenericKubernetesResource, Boolean>comparing(object -> !hasFinished(object))
        // Users may be able to write annotations, but not the time of the creation.
        .thenComparing(object -> holdsQuota(object)
            ? Strings.nullToEmpty(object.getMetadata().getCreationTimestamp())
            : "")
        .thenComparing(object -> !replaced.contains(
            object.getMetadata().getNamespace() + "/" + object.getMetadata().getName()))
        .thenComparing(object -> object.getMetadata().getName().equals(name));
  }

  static boolean hasFinished(GenericKubernetesResource object) {
    return ObjectConditions.isTrue(object, WorkloadStatusWriter.FINISHED);
  }

  /** {@return whether a Workload records an admission that has not ended} */
  static boolean holdsQuota(GenericKubernetesResource object) {
    return WorkloadObjects.isAdmitted(object) && !hasFinished(object);
  }

  Parsed parse(GenericKubernetesResource object) {
    long generation = reader.generation();
    Parsed before = parsed.getIfPresent(object);
    if (before != null && before.generation() == generation) {
      return before;
    }
    Parsed now;
    try {
      now = new Parsed(generation, Optional.of(read(object)), "");
    } catch (IllegalArgumentException e) {
      now = new Parsed(generation, Optional.empty(), String.valueOf(e.getMessage()));
    }
    parsed.put(object, now);
    return now;
  }

  /**
   * {@return the content of an object}
   *
   * @throws IllegalArgumentException if it cannot be read; says why
   */
  ImportedWorkload read(GenericKubernetesResource object) {
    return WorkloadObjects.read(object, reader.workloads().podTemplates());
  }

  /** {@return whether an object requests the pods of {@code workload}} */
  boolean requests(GenericKubernetesResource object, Workload workload) {
    return parse(object)
        .workload()
        .map(imported -> RecordedAdmission.essence(imported.workload()).podSets())
        .equals(Optional.of(RecordedAdmission.essence(workload).podSets()));
  }
}
