package io.kueue4j.k8s;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.HashBasedTable;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Table;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.k8s.internal.kueue.ConfigManifest;
import io.kueue4j.k8s.internal.kueue.KueueReader;
import io.kueue4j.k8s.internal.yaml.Issues;
import io.kueue4j.k8s.internal.yaml.ManifestParser;
import io.kueue4j.k8s.internal.yaml.ObjectBinder;
import io.kueue4j.k8s.internal.yaml.ParsedManifest;
import io.kueue4j.k8s.job.JobKind;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.job.PodGroup;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestException;
import io.kueue4j.k8s.manifest.ManifestIssue;
import java.util.List;
import java.util.Optional;

/**
 * Reads Kubernetes objects: manifests in YAML or JSON, and live objects, by the same rules.
 * Immutable and thread-safe.
 *
 * <p>Understood are several documents in a text, lists, Kueue's configuration in every version from
 * v1alpha1 on, and the kinds that jobs are made of. Fields and kinds that are unknown become
 * {@linkplain Manifests#notes() notes} and never fail; what the API server would refuse as
 * malformed fails.
 *
 * <pre>{@code
 * ManifestReader reader = ManifestReader.create();
 * Manifests manifests = reader.read(ManifestSource.of(Path.of("queues.yaml")));
 * engine.apply(manifests.configObjects());
 * engine.apply(reader.read(ManifestSource.of(liveQueue)).configObjects());
 * }</pre>
 *
 * <p>{@link KubernetesAdmission} reads jobs and all that they refer to as well.
 *
 * @since 0.1.0
 */
public final class ManifestReader {
  private static final String QUEUE_NAME = "kueue.x-k8s.io/queue-name";

  private final Kinds kinds;
  private final boolean noteUnusedKinds;

  private ManifestReader(Builder builder) {
    kinds = new Kinds(builder.types, builder.defaultNamespace);
    noteUnusedKinds = builder.noteUnusedKinds;
  }

  /** {@return the reader with the defaults of {@link Builder}} */
  public static ManifestReader create() {
    return builder().build();
  }

  /** {@return a new builder} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return the API groups of the kinds that {@linkplain #configures configure} admission} */
  public static List<String> groups() {
    return KueueReader.GROUPS;
  }

  /**
   * {@return whether objects of a kind of Kueue, or CapacityWindows, become
   * {@linkplain Manifests#configObjects() configuration}}
   */
  public static boolean configures(String group, String kind) {
    return KueueReader.isKnown(group, kind)
        && !KueueReader.isUnused(group, kind)
        && !kind.equals(KueueReader.WORKLOAD);
  }

  /**
   * Reads sources, which may refer to each other.
   *
   * @throws ManifestException with the problems of all sources, if there are any
   */
  public Manifests read(ManifestSource... sources) {
    return read(ImmutableList.copyOf(sources));
  }

  /**
   * Reads sources, which may refer to each other.
   *
   * @throws ManifestException with the problems of all sources, if there are any
   */
  public Manifests read(List<ManifestSource> sources) {
    ImmutableList<ReadObject> objects = readEach(sources);
    List<ManifestIssue> problems =
        objects.stream().flatMap(object -> object.problems().stream()).collect(toImmutableList());
    if (!problems.isEmpty()) {
      throw new ManifestException(problems);
    }
    return Manifests.of(objects);
  }

  /** {@return everything that stands in the sources, in their order, good or bad} */
  ImmutableList<ReadObject> readEach(List<ManifestSource> sources) {
    ImmutableList.Builder<ReadObject> objects = ImmutableList.builder();
    for (ManifestSource source : sources) {
      source.problem().ifPresent(problem -> objects.add(withoutObject(problem)));
      source.text().ifPresent(text -> {
        ManifestParser parser = new ManifestParser(source.name(), kinds);
        parser.parse(text);
        read(parser, objects);
      });
      for (HasMetadata live : source.objects()) {
        ManifestParser parser = new ManifestParser(ManifestParser.describe(live), kinds);
        parser.parse(live);
        read(parser, objects);
      }
    }
    return objects.build();
  }

  private static ReadObject withoutObject(ManifestIssue problem) {
    return new ReadObject(
        Optional.empty(), Optional.empty(), ImmutableList.of(problem), ImmutableList.of());
  }

  private void read(ManifestParser parser, ImmutableList.Builder<ReadObject> objects) {
    if (!parser.problems().isEmpty() || !parser.notes().isEmpty()) {
      objects.add(
          new ReadObject(Optional.empty(), Optional.empty(), parser.problems(), parser.notes()));
    }
    for (Manifest manifest : parser.manifests()) {
      Optional<ManifestSource> wrapped = ManagerConfigMap.configuration(manifest);
      if (wrapped.isPresent()) {
        ManifestParser inner = new ManifestParser(wrapped.get().name(), kinds);
        wrapped.get().text().ifPresent(inner::parse);
        read(inner, objects);
      } else {
        objects.add(read(manifest));
      }
    }
  }

  private ReadObject read(Manifest manifest) {
    Issues issues = Issues.of(manifest);
    kinds.type(manifest).ifPresent(type -> check(manifest, type, issues));
    Optional<ConfigManifest> configuration = KueueReader.read(manifest, issues);
    ImmutableList.Builder<ManifestIssue> notes = ImmutableList.builder();
    notes.addAll(issues.notes());
    noteKind(manifest).ifPresent(notes::add);
    noteLegacyQueueName(manifest).ifPresent(notes::add);
    return new ReadObject(Optional.of(manifest), configuration, issues.problems(), notes.build());
  }

  /** Of a kind without a class only the metadata is known; its fields are, when it is a job. */
  private static void check(Manifest manifest, Class<?> type, Issues issues) {
    if (type == GenericKubernetesResource.class) {
      var unused = ObjectBinder.bind(ParsedManifest.of(manifest).content(), type, "", issues);
    } else {
      ObjectBinder.check(ParsedManifest.of(manifest).content(), type, "", issues);
    }
  }

  private Optional<ManifestIssue> noteKind(Manifest manifest) {
    if (!kinds.isKnown(manifest)) {
      String message = "passed over: " + kind(manifest) + " is not known";
      return Optional.of(manifest.issue("kind", message + kinds.suggestion(manifest)));
    }
    return noteUnusedKinds && kinds.isUnused(manifest)
        ? Optional.of(manifest.issue("kind", "not taken into account yet: " + kind(manifest)))
        : Optional.empty();
  }

  private static String kind(Manifest manifest) {
    return manifest.kind() + " of " + manifest.apiVersion();
  }

  private static Optional<ManifestIssue> noteLegacyQueueName(Manifest manifest) {
    return manifest.annotations().containsKey(QUEUE_NAME)
            && !manifest.labels().containsKey(QUEUE_NAME)
        ? Optional.of(manifest.issue(
            "metadata.annotations[" + QUEUE_NAME + "]",
            "the queue is named by an annotation; Kueue reads only the label since 0.15"))
        : Optional.empty();
  }

  /** Builds {@link ManifestReader}s; reusable, not thread-safe. */
  public static final class Builder {
    private final Table<String, String, Class<?>> types = HashBasedTable.create(Kinds.BUILT_IN);
    private String defaultNamespace = "default";
    private boolean noteUnusedKinds;

    private Builder() {}

    /**
     * Sets the namespace of objects that name none; {@code default} unless set.
     *
     * @throws IllegalArgumentException if it is empty
     */
    @CanIgnoreReturnValue
    public Builder defaultNamespace(String namespace) {
      checkArgument(!namespace.isEmpty(), "the default namespace is empty, expected a name");
      defaultNamespace = namespace;
      return this;
    }

    /**
     * Makes a kind known whose objects are read as a class of the caller.
     *
     * <p>Its fields are then checked on reading. The objects live in namespaces if the class is
     * {@link io.fabric8.kubernetes.api.model.Namespaced}.
     *
     * @param group the API group, empty for the core group
     * @param kind the kind
     * @param type a class with Jackson annotations
     */
    @CanIgnoreReturnValue
    public Builder kind(String group, String kind, Class<?> type) {
      types.put(group, kind, type);
      return this;
    }

    /**
     * Makes kinds of jobs known. What is wrong with the fields of those without a class is found
     * when they are converted.
     */
    @CanIgnoreReturnValue
    public Builder jobKinds(JobKinds kinds) {
      for (JobKind<?> kind : kinds.asList()) {
        if (kind.type() != PodGroup.class) {
          types.put(kind.apiGroup(), kind.kind(), kind.type());
        }
      }
      return this;
    }

    /**
     * Sets whether there is a note on each object of a kind that is known but decides nothing yet,
     * such as ResourceQuota; {@code false} unless set.
     */
    @CanIgnoreReturnValue
    public Builder noteUnusedKinds(boolean noteUnusedKinds) {
      this.noteUnusedKinds = noteUnusedKinds;
      return this;
    }

    /** {@return the reader} */
    public ManifestReader build() {
      return new ManifestReader(this);
    }
  }
}
