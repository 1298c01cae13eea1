package io.kueue4j.k8s;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.HashBasedTable;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Table;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.k8s.job.JobKind;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.job.PodGroup;
import io.kueue4j.k8s.kueue.ConfigManifest;
import io.kueue4j.k8s.kueue.KueueReader;
import io.kueue4j.k8s.yaml.Issues;
import io.kueue4j.k8s.yaml.Manifest;
import io.kueue4j.k8s.yaml.ManifestException;
import io.kueue4j.k8s.yaml.ManifestIssue;
import io.kueue4j.k8s.yaml.ManifestParser;
import io.kueue4j.k8s.yaml.ObjectBinder;
import java.util.List;

/**
 * Reads Kubernetes manifests, YAML or JSON; immutable and safe for several threads.
 *
 * <p>Understood are several documents in a source, lists, Kueue's configuration in every version
 * from v1alpha1 on, and the kinds that jobs are made of. Fields and kinds that are unknown become
 * {@linkplain Manifests#notes() notes} and never fail; what the API server would refuse as
 * malformed fails.
 *
 * <pre>{@code
 * Manifests manifests = ManifestReader.create().read(ManifestSource.of(Path.of("queues.yaml")));
 * engine.apply(manifests.configObjects());
 * }</pre>
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
    Reading reading = new Reading();
    sources.forEach(reading::read);
    return reading.result();
  }

  /** The state of one call. */
  private final class Reading {
    private final ImmutableList.Builder<Manifest> items = ImmutableList.builder();
    private final ImmutableList.Builder<ConfigManifest> configuration = ImmutableList.builder();
    private final ImmutableList.Builder<ManifestIssue> notes = ImmutableList.builder();
    private final ImmutableList.Builder<ManifestIssue> problems = ImmutableList.builder();

    void read(ManifestSource source) {
      if (source.problem().isPresent()) {
        problems.add(source.problem().get());
        return;
      }
      ManifestParser parser = new ManifestParser(source.name(), kinds);
      parser.parse(source.text());
      problems.addAll(parser.problems());
      notes.addAll(parser.notes());
      parser.manifests().forEach(this::read);
    }

    Manifests result() {
      ImmutableList<ManifestIssue> found = problems.build();
      if (!found.isEmpty()) {
        throw new ManifestException(found);
      }
      return new Manifests(items.build(), configuration.build(), notes.build());
    }

    private void read(Manifest manifest) {
      items.add(manifest);
      Issues issues = manifest.newIssues();
      kinds.type(manifest).ifPresent(type -> check(manifest, type, issues));
      KueueReader.read(manifest, issues).ifPresent(configuration::add);
      problems.addAll(issues.problems());
      notes.addAll(issues.notes());
      noteKind(manifest);
      noteLegacyQueueName(manifest);
    }

    /** Of a kind without a class only the metadata is known; its fields are, when it is a job. */
    private static void check(Manifest manifest, Class<?> type, Issues issues) {
      if (type == GenericKubernetesResource.class) {
        ObjectBinder.bind(manifest.content(), type, "", issues);
      } else {
        ObjectBinder.check(manifest.content(), type, "", issues);
      }
    }

    private void noteKind(Manifest manifest) {
      if (!kinds.isKnown(manifest)) {
        String message = "passed over: " + kind(manifest) + " is not known";
        notes.add(manifest.issue("kind", message + kinds.suggestion(manifest)));
      } else if (noteUnusedKinds && kinds.isUnused(manifest)) {
        notes.add(manifest.issue("kind", "not taken into account yet: " + kind(manifest)));
      }
    }

    private static String kind(Manifest manifest) {
      return manifest.kind() + " of " + manifest.apiVersion();
    }

    private void noteLegacyQueueName(Manifest manifest) {
      if (manifest.annotations().containsKey(QUEUE_NAME)
          && !manifest.labels().containsKey(QUEUE_NAME)) {
        notes.add(manifest.issue(
            "metadata.annotations[" + QUEUE_NAME + "]",
            "the queue is named by an annotation; Kueue reads only the label since 0.15"));
      }
    }
  }

  /** Builds {@link ManifestReader}s; reusable, not safe for several threads. */
  public static final class Builder {
    private final Table<String, String, Class<?>> types = HashBasedTable.create(Kinds.BUILT_IN);
    private String defaultNamespace = "default";
    private boolean noteUnusedKinds;

    private Builder() {}

    /** Sets the namespace of objects that name none; {@code default} unless set. */
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
