package io.kueue4j.core.simulation;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import io.kueue4j.core.model.Workload;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What similar jobs have in common; null for what does not matter. */
record DurationKey(
    @Nullable String user,
    @Nullable String queue,
    @Nullable String name,
    @Nullable List<PodShape> pods,
    @Nullable Period period) {
  /** Submissions that began in the same second, day or week form a group; the first are one. */
  static final ImmutableList<Duration> PERIODS =
      ImmutableList.of(Duration.ofSeconds(1), Duration.ofDays(1), Duration.ofDays(7));

  /** The number of groups of a workload: the groups of the periods, and eight others. */
  static final int LEVELS = PERIODS.size() + 8;

  private DurationKey(
      @Nullable String user,
      @Nullable String queue,
      @Nullable String name,
      @Nullable List<PodShape> pods) {
    this(user, queue, name, pods, null);
  }

  /** The period of some length with a number. */
  record Period(Duration length, long number) {
    private static Period of(Duration length, Instant time) {
      return new Period(length, Math.floorDiv(time.getEpochSecond(), length.toSeconds()));
    }
  }

  /** What the pods of a pod set request. */
  record PodShape(int count, SortedMap<String, Long> requests) {
    private String text() {
      return count + " " + requests;
    }
  }

  /** {@return the groups of a workload, the narrowest first} */
  static ImmutableList<DurationKey> of(Workload workload, String user) {
    String queue = Trace.localQueue(workload);
    String name = JobNames.stem(workload.name());
    List<PodShape> pods = workload.podSets().stream()
        .map(podSet -> new PodShape(podSet.count(), podSet.requests()))
        .collect(toImmutableList());
    return ImmutableList.of(
        new DurationKey(user, queue, name, pods),
        new DurationKey(user, queue, name, null),
        new DurationKey(user, null, name, null),
        new DurationKey(null, queue, name, null),
        new DurationKey(user, queue, null, null),
        new DurationKey(user, null, null, null),
        new DurationKey(null, queue, null, null),
        new DurationKey(null, null, null, null));
  }

  /** {@return the groups of a workload and of its submission, the narrowest first} */
  static ImmutableList<DurationKey> of(ImmutableList<DurationKey> groups, Instant begin) {
    DurationKey narrowest = groups.get(0);
    ImmutableList.Builder<DurationKey> keys = ImmutableList.builder();
    for (Duration length : PERIODS) {
      keys.add(new DurationKey(
          narrowest.user,
          narrowest.queue,
          narrowest.name,
          narrowest.pods,
          Period.of(length, begin)));
    }
    return keys.addAll(groups).build();
  }

  /** {@return a number of this group that is the same on every JVM} */
  long fingerprint() {
    Hasher hasher = Hashing.farmHashFingerprint64().newHasher();
    Stream.of(
            user,
            queue,
            name,
            pods == null ? null : Joiner.on(",").join(Lists.transform(pods, PodShape::text)),
            period == null ? null : period.length + " " + period.number)
        .forEach(part -> hasher.putString(part + "\n", StandardCharsets.UTF_8));
    return hasher.hash().asLong();
  }
}
