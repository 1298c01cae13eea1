package io.kueue4j.examples.controller.shard;

import com.google.common.base.Joiner;
import com.google.common.base.Splitter;
import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Sets;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.kueue4j.examples.controller.lease.LeaseCandidate;
import io.kueue4j.examples.controller.lease.LeaseException;
import io.kueue4j.examples.controller.lease.LeaseStore;
import io.kueue4j.examples.controller.lease.LeaseTimes;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The part of one replica in sharing the work, by the protocol that the package describes.
 *
 * <p>{@link #round} is called by the thread that decides, between two steps. Not thread-safe,
 * except for {@link #candidate}, which another thread renews, and the methods without effect.
 */
public final class WorkSharing {
  /** The annotation of a replica's lease with the quota nodes that it claims. */
  public static final String CLAIMS = "kueue4j.io/claims";

  private final LeaseStore store;
  private final String prefix;
  private final String name;
  private final LeaseTimes times;
  private final LongSupplier nanoTime;
  private final LeaseCandidate candidate;
  private final Map<String, Observation> observations = new HashMap<>();
  private ImmutableSet<String> claimed = ImmutableSet.of();
  private volatile ImmutableSet<String> held = ImmutableSet.of();
  private volatile ImmutableSet<String> awaited = ImmutableSet.of();
  private volatile ImmutableMap<String, String> trees = ImmutableMap.of();
  private volatile int replicas;

  /** A lease of another replica, and since when it has been observed unchanged. */
  private record Observation(Lease lease, long sinceNanos) {}

  /**
   * Creates the part of a replica.
   *
   * @param group the name of the lease that the replicas share
   * @param replica the replica: one process, or one of its terms if it has lost its lease before;
   *     lower-case letters, digits and dashes
   * @param identity the replica for humans
   * @param nanoTime a monotonic clock
   */
  public WorkSharing(
      LeaseStore store,
      String group,
      String replica,
      String identity,
      LeaseTimes times,
      LongSupplier nanoTime,
      InstantSource clock) {
    this.store = store;
    this.times = times;
    this.nanoTime = nanoTime;
    prefix = group + "-replica-";
    name = prefix + replica;
    candidate = LeaseCandidate.of(store, name, identity, times, nanoTime, clock);
  }

  /**
   * The part of the work that a replica does, as far as it knows the cluster.
   *
   * @param trees the trees of cohorts, and one of the jobs that lead to no ClusterQueue
   * @param ownedTrees those trees that it decides on as a whole
   * @param ownedQueues the ClusterQueues that it decides on
   * @param replicas the live replicas that were seen last, with this one
   */
  public record Share(int trees, int ownedTrees, int ownedQueues, int replicas) {}

  /** What a replica works on. */
  public interface Work {
    /** {@return the tree of each quota node, as far as it is known} */
    ImmutableMap<String, String> trees();

    /** Stops to decide on all quota nodes but {@code kept}, before it returns. */
    void keep(ImmutableSet<String> kept);

    /**
     * Reads the current state of the cluster.
     *
     * @return the tree of each quota node
     * @throws LeaseException if that fails
     */
    ImmutableMap<String, String> refresh();

    /** Decides on {@code all} quota nodes from now on, from the state that was read last. */
    void take(ImmutableSet<String> all);
  }

  /** {@return the candidate for the lease of this replica, which must be renewed} */
  public LeaseCandidate candidate() {
    return candidate;
  }

  /** {@return the quota nodes that this replica decides on} */
  public ImmutableSet<String> held() {
    return held;
  }

  /** {@return the quota nodes that this replica should decide on, but that others claim} */
  public ImmutableSet<String> awaited() {
    return awaited;
  }

  /** {@return the number of live replicas that were seen last, with this one} */
  public int replicas() {
    return replicas;
  }

  /** {@return its part of the work now; without its lease it decides on nothing} */
  public Share share() {
    ImmutableMap<String, String> known = trees;
    ImmutableSet<String> owned = candidate.holds() ? held : ImmutableSet.of();
    Set<String> all = ImmutableSet.copyOf(known.values());
    Set<String> others = new HashSet<>();
    known.forEach((node, tree) -> {
      if (!owned.contains(node)) {
        others.add(tree);
      }
    });
    return new Share(
        all.size(),
        all.size() - others.size(),
        (int) owned.stream().filter(QueueTrees::isQueue).count(),
        replicas);
  }

  /**
   * Gives up and takes over work; has no effect while this replica does not hold its lease.
   *
   * @throws LeaseException if a request fails; the next round goes on
   */
  public void round(Work work) {
    if (!candidate.holds()) {
      return;
    }
    ImmutableMap<String, Lease> live = live();
    replicas = live.size();
    if (!live.containsKey(name)) {
      // Another replica has declared this one dead; the next renewal reports it.
      candidate.attempt();
      return;
    }
    ImmutableMap<String, String> known = work.trees();
    trees = known;
    ImmutableSet<String> wanted = wanted(known, live.keySet());
    ImmutableSet<String> kept = Sets.intersection(held, wanted).immutableCopy();
    if (!kept.equals(held)) {
      work.keep(kept);
      held = kept;
    }
    if (!wanted.equals(claimed)) {
      candidate.annotate(ImmutableMap.of(CLAIMS, Joiner.on(' ').join(wanted)));
      if (!candidate.attempt()) {
        return;
      }
      claimed = wanted;
      live = live();
    }
    ImmutableSet<String> others = claimsOfOthers(live);
    awaited = Sets.intersection(Sets.difference(claimed, held), others).immutableCopy();
    if (!takeable(known, others).isEmpty()) {
      trees = work.refresh();
      ImmutableSet<String> taken = takeable(trees, others);
      if (!taken.isEmpty() && candidate.holds()) {
        held = Sets.union(held, taken).immutableCopy();
        work.take(held);
      }
    }
  }

  /** Gives up all work, and leaves the other replicas; the lease must not be renewed any more. */
  public void leave(Work work) {
    work.keep(ImmutableSet.of());
    held = ImmutableSet.of();
    candidate.annotate(ImmutableMap.of(CLAIMS, ""));
    candidate.release();
  }

  private ImmutableSet<String> wanted(
      ImmutableMap<String, String> trees, ImmutableSet<String> live) {
    Map<String, String> owners = new HashMap<>();
    ImmutableSortedSet.Builder<String> wanted = ImmutableSortedSet.naturalOrder();
    trees.forEach((node, tree) -> {
      if (owners.computeIfAbsent(tree, unused -> Rendezvous.owner(tree, live)).equals(name)) {
        wanted.add(node);
      }
    });
    return wanted.build();
  }

  /**
   * {@return the nodes of trees that can be taken as a whole} With a part of a tree only, quota
   * that the others have borrowed would not be known.
   */
  private ImmutableSet<String> takeable(
      ImmutableMap<String, String> trees, ImmutableSet<String> others) {
    Map<String, Set<String>> nodes = new TreeMap<>();
    trees.forEach(
        (node, tree) -> nodes.computeIfAbsent(tree, unused -> new HashSet<>()).add(node));
    ImmutableSet.Builder<String> takeable = ImmutableSet.builder();
    for (Set<String> tree : nodes.values()) {
      Set<String> missing = Sets.difference(tree, held);
      if (claimed.containsAll(tree) && missing.stream().noneMatch(others::contains)) {
        takeable.addAll(missing);
      }
    }
    return takeable.build();
  }

  private ImmutableSet<String> claimsOfOthers(ImmutableMap<String, Lease> live) {
    ImmutableSet.Builder<String> claims = ImmutableSet.builder();
    live.forEach((replica, lease) -> {
      if (!replica.equals(name)) {
        claims.addAll(claims(lease));
      }
    });
    return claims.build();
  }

  private static ImmutableList<String> claims(Lease lease) {
    Map<String, String> annotations = lease.getMetadata().getAnnotations();
    String text = annotations == null ? "" : Strings.nullToEmpty(annotations.get(CLAIMS));
    return ImmutableList.copyOf(Splitter.on(' ').omitEmptyStrings().split(text));
  }

  /**
   * {@return the leases of live replicas} A replica whose lease was observed unchanged for its
   * duration has stopped to write; deleting its lease keeps it from going on.
   */
  private ImmutableMap<String, Lease> live() {
    Map<String, Lease> live = new TreeMap<>();
    long now = nanoTime.getAsLong();
    Set<String> present = new HashSet<>();
    for (Lease lease : store.list()) {
      String replica = lease.getMetadata().getName();
      if (replica.startsWith(prefix)) {
        present.add(replica);
        observe(replica, lease, now);
        boolean isGone = isExpired(replica, now) && !replica.equals(name) && isDeleted(lease);
        if (!isGone && !hasLeft(lease)) {
          live.put(replica, lease);
        }
      }
    }
    // If something else has deleted the lease of a replica, that one may not know yet.
    observations
        .keySet()
        .removeIf(replica -> !present.contains(replica) && isExpired(replica, now));
    observations.forEach((replica, last) -> {
      if (!present.contains(replica) && !replica.equals(name)) {
        live.put(replica, last.lease());
      }
    });
    return ImmutableMap.copyOf(live);
  }

  /**
   * {@return whether a replica has given up its work and its lease} The lease stays until it
   * expires, so that all others see that.
   */
  private static boolean hasLeft(Lease lease) {
    return lease.getSpec() != null && "".equals(lease.getSpec().getHolderIdentity());
  }

  private void observe(String replica, Lease lease, long now) {
    Observation last = observations.get(replica);
    if (last == null || !isSame(last.lease().getSpec(), lease.getSpec())) {
      observations.put(replica, new Observation(lease, now));
    }
  }

  private Observation observation(String replica) {
    return Objects.requireNonNull(observations.get(replica), replica);
  }

  private boolean isExpired(String replica, long now) {
    Observation last = observation(replica);
    return now - last.sinceNanos() >= duration(last.lease()).toNanos();
  }

  private static boolean isSame(@Nullable LeaseSpec one, @Nullable LeaseSpec other) {
    return one == null ? other == null : one.equals(other);
  }

  private Duration duration(Lease lease) {
    Integer seconds = lease.getSpec() == null ? null : lease.getSpec().getLeaseDurationSeconds();
    Duration given = seconds == null ? Duration.ZERO : Duration.ofSeconds(seconds);
    return given.compareTo(times.lease()) > 0 ? given : times.lease();
  }

  private boolean isDeleted(Lease lease) {
    try {
      store.delete(lease);
      observations.remove(lease.getMetadata().getName());
      return true;
    } catch (LeaseException e) {
      if (e.reason() == LeaseException.Reason.CONFLICT) {
        // It was renewed, or another replica has deleted it; the next round sees which.
        return false;
      }
      throw e;
    }
  }
}
