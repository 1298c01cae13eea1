package io.kueue4j.examples.cli;

import com.google.common.collect.ImmutableList;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.InputFile;
import io.kueue4j.k8s.Manifests;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What to decide on: the objects of a cluster, of files, or of both. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class StateInput {
  @Parameters(
      paramLabel = "PATH",
      arity = "1..*",
      defaultValue =
          Option.NULL_VALUE, // So it may be missing, and what is wrong is still reported.
      description = "Files and folders with manifests, - for standard input. A path that is given"
          + " twice is read twice: a job with generateName is then created twice. Files of folders"
          + " that hold no Kubernetes objects are passed over.")
  private @Nullable List<InputFile> paths;

  @Mixin
  private ClusterInput cluster;

  StateInput() {}

  /**
   * {@return the objects of the cluster, if --context or --kubeconfig is given, and of the files,
   * which replace others of their names}
   *
   * @param notes receives what there is to note
   * @throws InputException if something cannot be read
   */
  Manifests read(Notes notes) {
    return cluster.read(paths(), notes);
  }

  /** {@return whether objects come from a cluster} */
  boolean isLive() {
    return cluster.isGiven();
  }

  private List<InputFile> paths() {
    return Objects.requireNonNullElse(paths, ImmutableList.of());
  }

  /** {@return the files and the cluster in words} */
  String title() {
    return cluster.title(paths());
  }
}
