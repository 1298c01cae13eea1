package io.kueue4j.examples.controller.state;

import com.google.common.base.Strings;
import com.google.common.collect.HashMultimap;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.MultimapBuilder;
import com.google.common.collect.SetMultimap;
import com.google.common.collect.Sets;
import com.google.common.graph.Traverser;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.examples.controller.object.JobAnnotations;
import io.kueue4j.examples.controller.object.JobParts;
import io.kueue4j.examples.controller.object.LivePod;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.k8s.pod.PodTemplates;
import io.kueue4j.k8s.topology.PodPlacer;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The pods that have not ended, by the jobs and workloads that they belong to.
 *
 * <p>A pod belongs to itself, to its owners, to the owners of these, and to the group that it was
 * started in or whose Workload it owns; a pod or part without owners belongs to the job that its
 * labels name by uid. What a pod has belonged to once it belongs to until it ends, and what an
 * object has belonged to once its later pods belong to as well, so that nobody can hide a pod by an
 * edit of metadata. Owners are in the namespace of the pod.
 *
 * <p>An owner is named by namespace and uid, a group by its key.
 */
public final class WorkloadPods {
  /** The labels with the uid of a job, which stay when the owner references are removed. */
  private static final ImmutableList<String> UID_LABELS = ImmutableList.of(
      "batch.kubernetes.io/controller-uid", "controller-uid", "jobset.sigs.k8s.io/jobset-uid");

  private final PodTemplates templates;
  private final Map<ObjectKey, LivePod> pods = new TreeMap<>();
  private final SetMultimap<WorkloadId, ObjectKey> byWorkload =
      MultimapBuilder.hashKeys().treeSetValues().build();
  private final SetMultimap<String, ObjectKey> byOwner =
      MultimapBuilder.hashKeys().treeSetValues().build();

  /** The present owners of objects that may own pods. */
  private final SetMultimap<String, String> parents = HashMultimap.create();

  /** What objects that may own pods have belonged to since they are known. */
  private final SetMultimap<String, String> parentsOnce = HashMultimap.create();

  /** The groups whose Workloads name pods as owners; tenants may make them name other objects. */
  private final SetMultimap<String, String> groups = HashMultimap.create();

  /**
   * Creates one without pods.
   *
   * @param version the version of Kueue that counts their requests
   */
  public WorkloadPods(KueueVersion version) {
    templates = PodTemplates.builder().kueueVersion(version).build();
  }

  /** {@return the name of the object with that uid} */
  public static String owner(String namespace, String uid) {
    return namespace + "/" + uid;
  }

  /** {@return what the pods of a job belong to} */
  public static String owner(JobRecord record) {
    return JobParts.isGroup(record.job())
        ? record.key().toString()
        : owner(record.key().namespace(), record.uid());
  }

  // ----- changes

  /** Receives a pod, or that it is gone. */
  public void see(ObjectKey key, Pod pod, boolean isThere) {
    LivePod before = lose(key);
    if (isThere && !JobParts.hasEnded(pod)) {
      Set<String> owners = new LinkedHashSet<>(direct(pod));
      owners.add(owner(key.namespace(), JobParts.uid(pod)));
      if (before != null && JobParts.uid(before.pod()).equals(JobParts.uid(pod))) {
        owners.addAll(before.owners());
      }
      put(key, LivePod.of(pod, withParents(owners), templates));
    }
  }

  private void put(ObjectKey key, LivePod live) {
    pods.put(key, live);
    workloads(live.pod()).forEach(id -> byWorkload.put(id, key));
    live.owners().forEach(owner -> byOwner.put(owner, key));
  }

  /** {@return the last version of a pod, null if it was not known} */
  private @Nullable LivePod lose(ObjectKey key) {
    LivePod known = pods.remove(key);
    if (known != null) {
      workloads(known.pod()).forEach(id -> byWorkload.remove(id, key));
      known.owners().forEach(owner -> byOwner.remove(owner, key));
    }
    return known;
  }

  /**
   * Receives an object that may own pods, or that it is gone.
   *
   * @return what its pods belong to from now on, and did not before
   */
  public ImmutableSet<String> seeOwner(HasMetadata object, boolean isThere) {
    String name =
        owner(Strings.nullToEmpty(object.getMetadata().getNamespace()), JobParts.uid(object));
    parents.replaceValues(name, isThere ? owners(object) : ImmutableSet.of());
    if (!isThere) {
      parentsOnce.removeAll(name);
      return ImmutableSet.of();
    }
    // What names a queue itself is no part by a label alone.
    ImmutableSet<String> owners =
        JobParts.label(object, JobReader.QUEUE_NAME).isEmpty() ? direct(object) : owners(object);
    boolean isNews = parentsOnce.putAll(name, owners);
    return isNews && joinParents(name) ? withParents(owners) : ImmutableSet.of();
  }

  /** Receives which pods own the Workload of a group, by uid, before and now. */
  public void seeGroup(ObjectKey group, Set<String> before, Set<String> now) {
    Sets.difference(before, now)
        .forEach(uid -> groups.remove(owner(group.namespace(), uid), group.toString()));
    now.stream()
        .map(uid -> owner(group.namespace(), uid))
        .filter(name -> groups.put(name, group.toString()))
        .forEach(this::joinParents);
  }

  /** {@return whether there are pods of an object, which belong to its parents from now on} */
  @CanIgnoreReturnValue
  private boolean joinParents(String name) {
    ImmutableList<ObjectKey> all = ImmutableList.copyOf(byOwner.get(name));
    all.forEach(key -> join(key, name));
    return !all.isEmpty();
  }

  /** A pod belongs to {@code owner} from now on. */
  public void join(ObjectKey key, String owner) {
    find(key).ifPresent(live -> {
      Set<String> owners = Sets.union(live.owners(), ImmutableSet.of(owner));
      put(key, live.withOwners(withParents(owners)));
    });
  }

  private ImmutableSet<String> withParents(Set<String> owners) {
    return withParents(owners, parentsOnce);
  }

  private ImmutableSet<String> withParents(Set<String> owners, SetMultimap<String, String> of) {
    Traverser<String> traverser =
        Traverser.forGraph(name -> Sets.union(of.get(name), groups.get(name)));
    return ImmutableSet.copyOf(traverser.breadthFirst(owners));
  }

  // ----- look-ups

  /**
   * {@return whether a pod other than {@code job} itself belongs to the job or its workload; of a
   * group, a pod that was started}
   */
  public boolean isActive(JobRecord job, WorkloadId workload) {
    boolean isGroup = JobParts.isGroup(job.job());
    return of(job).stream()
            .anyMatch(live -> isGroup ? !live.isGated() : !live.key().equals(job.key()))
        || byWorkload.get(workload).stream().anyMatch(key -> !key.equals(job.key()));
  }

  /** {@return the pods that belong to a job, by name} */
  public ImmutableList<LivePod> of(JobRecord job) {
    return of(ImmutableSet.of(owner(job)));
  }

  /** {@return the pods that belong to any of {@code owners}, by name} */
  public ImmutableList<LivePod> of(Set<String> owners) {
    return owners.stream()
        .flatMap(owner -> byOwner.get(owner).stream())
        .distinct()
        .sorted()
        .map(key -> Objects.requireNonNull(pods.get(key)))
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return the pods of a workload, by name} */
  public ImmutableList<Pod> of(WorkloadId workload) {
    return byWorkload.get(workload).stream()
        .map(key -> Objects.requireNonNull(pods.get(key)).pod())
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return a pod with its requests, empty if it has ended or is not known} */
  public Optional<LivePod> find(ObjectKey key) {
    return Optional.ofNullable(pods.get(key));
  }

  /** {@return what a pod belongs to; nothing if it has ended or is not known} */
  public ImmutableSet<String> owners(ObjectKey key) {
    return find(key).map(LivePod::owners).orElse(ImmutableSet.of());
  }

  /**
   * {@return the pods that have belonged to a job and do not any more, so that its controller does
   * not delete them, and nobody else has}
   */
  public ImmutableList<LivePod> strays(JobRecord job) {
    Set<ObjectKey> parts =
        JobParts.of(job.job()).stream().map(ObjectKey::of).collect(ImmutableSet.toImmutableSet());
    return of(job).stream()
        .filter(live -> !JobParts.isDeleted(live.pod())
            && !parts.contains(live.key())
            && !withParents(owners(live.pod()), parents).contains(owner(job)))
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return the workload named by a pod, if any} */
  public static Collection<WorkloadId> workloads(Pod pod) {
    String name = JobAnnotations.of(pod, PodPlacer.WORKLOAD);
    return name.isEmpty()
        ? ImmutableList.of()
        : ImmutableList.of(
            WorkloadId.of(Strings.nullToEmpty(pod.getMetadata().getNamespace()), name));
  }

  private static ImmutableSet<String> direct(HasMetadata object) {
    ImmutableSet<String> owners = owners(object);
    return owners.isEmpty()
        ? owners(object, UID_LABELS.stream().map(label -> JobParts.label(object, label)))
        : owners;
  }

  private static ImmutableSet<String> owners(HasMetadata object) {
    Collection<OwnerReference> owners =
        Objects.requireNonNullElse(object.getMetadata().getOwnerReferences(), ImmutableList.of());
    return owners(object, owners.stream().map(owner -> Strings.nullToEmpty(owner.getUid())));
  }

  private static ImmutableSet<String> owners(HasMetadata object, Stream<String> uids) {
    String namespace = Strings.nullToEmpty(object.getMetadata().getNamespace());
    return uids.filter(uid -> !uid.isEmpty())
        .map(uid -> owner(namespace, uid))
        .collect(ImmutableSet.toImmutableSet());
  }
}
