package io.kueue4j.k8s.job;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedMap;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A kind of job without a class in this library, declared by the paths of its fields.
 *
 * <p>Its objects are {@link GenericKubernetesResource}s. They are never modified; a start changes
 * the five fields of a pod template that an admission sets, a stop restores their exact values, and
 * every other field, known or not, is kept as it is. A field whose value has another form than
 * declared is a violation.
 *
 * <p>Immutable and thread-safe.
 *
 * <pre>{@code
 * JobKind<GenericKubernetesResource> sweeps = DeclaredJobKind.builder("example.com", "Sweep")
 *     .suspend("spec.paused")
 *     .podSet(DeclaredPodSet.of("trials", "spec.template").count("spec.trials", 1))
 *     .succeeded(StatusCheck.condition("Complete"))
 *     .failed(StatusCheck.condition("Failed"))
 *     .active(StatusCheck.positive("status.running"))
 *     .build();
 * }</pre>
 *
 * <p>Rules: J-1, J-2.
 *
 * @since 0.1.0
 */
public final class DeclaredJobKind extends GenericJobKind {
  private final ImmutableList<DeclaredPodSet> podSets;
  private final ImmutableListMultimap<RawPath, String> replicaMaps;
  private final ImmutableList<StatusCheck> succeeded;
  private final ImmutableList<StatusCheck> failed;
  private final ImmutableList<StatusCheck> active;
  private final ImmutableList<StatusCheck> ready;
  private final ImmutableMap<String, RawPath> reclaimable;
  private final Optional<RawPath> priorityClass;
  private final boolean groupsPodSets;
  private final boolean prebuiltWorkloads;

  private DeclaredJobKind(Builder builder) {
    super(builder.apiGroup, builder.kind, RawPath.of(builder.suspend));
    podSets = ImmutableList.copyOf(builder.podSets);
    replicaMaps = builder.replicaMaps.build();
    succeeded = builder.succeeded.build();
    failed = builder.failed.build();
    active = builder.active.build();
    ready = builder.ready.build();
    reclaimable = ImmutableMap.copyOf(builder.reclaimable);
    priorityClass = Optional.ofNullable(builder.priorityClass).map(RawPath::of);
    groupsPodSets = builder.groupsPodSets;
    prebuiltWorkloads = builder.prebuiltWorkloads;
  }

  /**
   * {@return a new builder of a kind; a pod set is required}
   *
   * @param apiGroup the API group without version, empty for the core group
   * @param kind the kind
   * @throws IllegalArgumentException if {@code kind} is empty
   */
  public static Builder builder(String apiGroup, String kind) {
    return new Builder(apiGroup, kind);
  }

  @Override
  List<PlacedPodSet> read(JobFields fields) {
    ImmutableList.Builder<PlacedPodSet> placed = ImmutableList.builder();
    podSets.forEach(podSet -> placed.addAll(podSet.read(fields)));
    return placed.build();
  }

  @Override
  void check(JobFields fields) {
    replicaMaps
        .asMap()
        .forEach((path, types) -> fields.mapping(path).forEach((type, spec) -> {
          if (spec != null && !types.contains(type)) {
            fields.problem(
                path.field(type),
                "not known, so that its pods would have no quota; expected " + types);
          }
        }));
  }

  @Override
  public Optional<JobKind.Outcome> outcome(GenericKubernetesResource job) {
    return find(succeeded, job)
        .map(message -> new JobKind.Outcome(true, message))
        .or(() -> find(failed, job).map(message -> new JobKind.Outcome(false, message)));
  }

  @Override
  public boolean isActive(GenericKubernetesResource job) {
    return active.stream().anyMatch(check -> check.holds(root(job)));
  }

  @Override
  public boolean podsReady(GenericKubernetesResource job) {
    return ready.stream().anyMatch(check -> check.holds(root(job)));
  }

  @Override
  public SortedMap<String, Integer> reclaimablePods(GenericKubernetesResource job) {
    Map<String, Integer> pods = new TreeMap<>();
    JobFields fields = new JobFields(job);
    reclaimable.forEach((podSet, path) -> {
      int count = fields.count(path).orElse(0);
      if (count > 0) {
        pods.put(podSet, count);
      }
    });
    return ImmutableSortedMap.copyOf(pods);
  }

  @Override
  public Optional<String> priorityClassName(GenericKubernetesResource job) {
    return priorityClass
        .flatMap(path -> new JobFields(job).text(path))
        .filter(name -> !name.isEmpty());
  }

  @Override
  public boolean groupsPodSets() {
    return groupsPodSets;
  }

  @Override
  public boolean supportsPrebuiltWorkloads() {
    return prebuiltWorkloads;
  }

  private static Optional<String> find(
      ImmutableList<StatusCheck> checks, GenericKubernetesResource job) {
    return checks.stream().flatMap(check -> check.find(root(job)).stream()).findFirst();
  }

  /** Builds {@link DeclaredJobKind}s; not thread-safe. */
  public static final class Builder {
    private final String apiGroup;
    private final String kind;
    private final List<DeclaredPodSet> podSets = new ArrayList<>();
    private final ImmutableListMultimap.Builder<RawPath, String> replicaMaps =
        ImmutableListMultimap.builder();
    private final ImmutableList.Builder<StatusCheck> succeeded = ImmutableList.builder();
    private final ImmutableList.Builder<StatusCheck> failed = ImmutableList.builder();
    private final ImmutableList.Builder<StatusCheck> active = ImmutableList.builder();
    private final ImmutableList.Builder<StatusCheck> ready = ImmutableList.builder();
    private final Map<String, RawPath> reclaimable = new LinkedHashMap<>();
    private String suspend = "spec.suspend";
    private @Nullable String priorityClass;
    private boolean groupsPodSets;
    private boolean prebuiltWorkloads;

    private Builder(String apiGroup, String kind) {
      checkArgument(!kind.isEmpty(), "the kind is empty, expected one such as Job");
      this.apiGroup = apiGroup;
      this.kind = kind;
    }

    /** Sets the path of the boolean that suspends a job; the default is {@code spec.suspend}. */
    @CanIgnoreReturnValue
    public Builder suspend(String path) {
      suspend = path;
      return this;
    }

    /** Adds a pod set, or the pod sets of a list, after the others. */
    @CanIgnoreReturnValue
    public Builder podSet(DeclaredPodSet podSet) {
      podSets.add(podSet);
      return this;
    }

    /**
     * Adds a pod set for each of {@code types} that a job has in a mapping of {@code {replicas,
     * template}} by type, in this order. Its name is the type in lower case, the default number of
     * pods 1. A type that is not among these is a violation.
     *
     * @param path the path of the mapping
     * @param indexLabel the label with the index of each pod within its type
     * @param types the types
     * @throws IllegalArgumentException if {@code path} is not a path of field names, or a type in
     *     lower case is not a DNS label
     */
    @CanIgnoreReturnValue
    public Builder replicas(String path, String indexLabel, String... types) {
      replicaMaps.putAll(RawPath.of(path), types);
      for (String type : types) {
        String entry = path + "." + type;
        podSet(DeclaredPodSet.of(Ascii.toLowerCase(type), entry + ".template")
            .count(entry + ".replicas", 1)
            .onlyIf(entry)
            .index(indexLabel));
      }
      return this;
    }

    /** Adds a check that holds if a job has succeeded. */
    @CanIgnoreReturnValue
    public Builder succeeded(StatusCheck check) {
      succeeded.add(check);
      return this;
    }

    /** Adds a check that holds if a job has failed for good. */
    @CanIgnoreReturnValue
    public Builder failed(StatusCheck check) {
      failed.add(check);
      return this;
    }

    /** Adds a check that holds if a pod exists and has not finished. */
    @CanIgnoreReturnValue
    public Builder active(StatusCheck check) {
      active.add(check);
      return this;
    }

    /** Adds a check that holds if all pods are ready or have succeeded. */
    @CanIgnoreReturnValue
    public Builder ready(StatusCheck check) {
      ready.add(check);
      return this;
    }

    /**
     * Sets the path of the number of reclaimable pods of a pod set, which will not run again.
     *
     * @throws IllegalArgumentException if {@code path} is not a path of field names
     */
    @CanIgnoreReturnValue
    public Builder reclaimable(String podSet, String path) {
      reclaimable.put(podSet, RawPath.of(path));
      return this;
    }

    /** Sets the path of a pod priority class that overrides the classes of the templates. */
    @CanIgnoreReturnValue
    public Builder priorityClass(String path) {
      priorityClass = path;
      return this;
    }

    /** Lets jobs name an existing Workload; by default they must not. */
    @CanIgnoreReturnValue
    public Builder prebuiltWorkloads() {
      prebuiltWorkloads = true;
      return this;
    }

    /** Lets pod sets be placed together, so that a group with one pod set is a violation. */
    @CanIgnoreReturnValue
    Builder groupsPodSets() {
      groupsPodSets = true;
      return this;
    }

    /**
     * {@return the kind}
     *
     * @throws IllegalArgumentException if there is no pod set, if two have the same name, if a path
     *     is invalid, or if a reclaimable pod set does not exist
     */
    public DeclaredJobKind build() {
      checkArgument(
          !podSets.isEmpty(), "%s of %s has no pod set; add at least one", kind, apiGroup);
      Set<String> names = new LinkedHashSet<>();
      for (DeclaredPodSet podSet : podSets) {
        checkArgument(
            podSet.isList() || names.add(podSet.name()),
            "%s of %s has two pod sets %s; expected different names",
            kind,
            apiGroup,
            podSet.name());
      }
      boolean lists = podSets.stream().anyMatch(DeclaredPodSet::isList);
      for (String podSet : reclaimable.keySet()) {
        checkArgument(
            lists || names.contains(podSet),
            "pods of %s are reclaimable, which is no pod set of %s; expected one of %s",
            podSet,
            kind,
            names);
      }
      return new DeclaredJobKind(this);
    }
  }

  /**
   * A check of the status of a job without a class of its own. Immutable.
   *
   * <p>A value that is absent or has an unexpected form does not satisfy a check.
   */
  public static final class StatusCheck {
    private static final String CONDITIONS = "status.conditions";

    private final RawPath path;
    private final Predicate<Object> test;
    private final Optional<RawPath> message;
    private final boolean condition;

    private StatusCheck(
        RawPath path, Predicate<Object> test, Optional<RawPath> message, boolean condition) {
      this.path = path;
      this.test = test;
      this.message = message;
      this.condition = condition;
    }

    /** {@return a check that the condition {@code type} in {@code status.conditions} is true} */
    public static StatusCheck condition(String type) {
      return new StatusCheck(
          RawPath.of(CONDITIONS + "." + RawPath.EACH),
          item -> item instanceof Map<?, ?> map
              && type.equals(map.get("type"))
              && "True".equals(map.get("status")),
          Optional.empty(),
          true);
    }

    /**
     * {@return a check that the text at {@code path} is one of {@code values}}
     *
     * @throws IllegalArgumentException if the path is invalid, or there is no value
     */
    public static StatusCheck value(String path, String... values) {
      checkArgument(values.length > 0, "no value for %s; expected at least one", path);
      ImmutableSet<String> wanted = ImmutableSet.copyOf(values);
      return new StatusCheck(
          RawPath.of(path),
          value -> value instanceof String text && wanted.contains(text),
          Optional.empty(),
          false);
    }

    /**
     * {@return a check that a number at {@code path} is above 0}
     *
     * @param path field names separated by dots; {@code *} matches every item of a list, or every
     *     value of a mapping
     * @throws IllegalArgumentException if the path is invalid
     */
    public static StatusCheck positive(String path) {
      return new StatusCheck(
          RawPath.of(path),
          value -> value instanceof Number number && number.doubleValue() > 0,
          Optional.empty(),
          false);
    }

    /**
     * {@return this check with a message from {@code path}; the default for a condition is its own
     * message}
     *
     * @throws IllegalArgumentException if the path is invalid
     */
    public StatusCheck message(String path) {
      return new StatusCheck(this.path, test, Optional.of(RawPath.of(path)), condition);
    }

    boolean holds(Object root) {
      return RawTree.all(root, path).stream().anyMatch(test);
    }

    /**
     * {@return the job's message if the check holds, may be an empty text; empty if it does not
     * hold}
     */
    Optional<String> find(Object root) {
      return RawTree.all(root, path).stream().filter(test).findFirst().map(found -> {
        Object words = message.isPresent()
            ? RawTree.get(root, message.get())
            : condition ? RawTree.get(found, RawPath.of("message")) : null;
        return words instanceof String text ? text : "";
      });
    }
  }
}
