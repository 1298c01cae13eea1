package io.kueue4j.examples.cli;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.kueue4j.examples.controller.LiveCluster;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.InputFile;
import io.kueue4j.examples.simulation.ManifestFiles;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.job.JobKinds;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What to decide on: the objects of a cluster, of files, or of both. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class StateInput {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

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
  private KubeconfigOptions kubeconfig;

  @Option(
      names = "--kueue-namespace",
      paramLabel = "NAME",
      defaultValue = "kueue-system",
      description = "The namespace of the ConfigMap kueue-manager-config of a cluster;"
          + " ${DEFAULT-VALUE} unless set.")
  private String kueueNamespace;

  @Option(
      names = "--partial",
      description = "Go on without what the cluster does not let this user list.")
  private boolean partial;

  StateInput() {}

  /**
   * {@return the objects: those of the cluster, if --context or --kubeconfig is given, then those
   * of the files, which replace others of their names}
   *
   * @param notes receives what there is to note
   * @throws InputException if something cannot be read
   */
  Manifests read(Notes notes) {
    if (!kubeconfig.isGiven() && paths().isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "Missing required parameter: 'PATH' (or a cluster: --context NAME)");
    }
    ImmutableList<HasMetadata> live = kubeconfig.isGiven() ? live() : ImmutableList.of();
    return notes.add(ManifestFiles.read(live, paths()));
  }

  /** {@return whether objects come from a cluster} */
  boolean isLive() {
    return kubeconfig.isGiven();
  }

  private List<InputFile> paths() {
    return Objects.requireNonNullElse(paths, ImmutableList.of());
  }

  private ImmutableList<HasMetadata> live() {
    Config config = kubeconfig.config();
    config.setRequestRetryBackoffLimit(1);
    LiveCluster.Listing listing;
    try (KubernetesClient client =
        new KubernetesClientBuilder().withConfig(config).build()) {
      listing = LiveCluster.list(client, JobKinds.all(), kueueNamespace);
    } catch (KubernetesClientException e) {
      throw KubeconfigOptions.unusable(config, e);
    }
    if (!listing.refused().isEmpty()) {
      String refused = "the cluster at " + config.getMasterUrl() + " refuses to "
          + Joiner.on(", ").join(listing.refused());
      if (!partial) {
        throw new InputException(
            refused + "; give the user the rights, or go on without by --partial");
      }
      spec.commandLine().getErr().println("warning: " + refused);
    }
    return listing.objects();
  }

  /** {@return the files and the cluster in words} */
  String title() {
    Optional<String> cluster = kubeconfig.isGiven()
        ? Optional.of(
            "the cluster" + kubeconfig.contextName().map(name -> " " + name).orElse(""))
        : Optional.empty();
    return Joiner.on(", ")
        .join(Iterables.concat(
            cluster.stream().toList(), Iterables.transform(paths(), InputFile::shortName)));
  }
}
