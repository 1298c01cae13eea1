package io.kueue4j.examples.cli;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.InputFile;
import io.kueue4j.examples.simulation.ManifestFiles;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.job.JobKinds;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that name a cluster whose objects are read. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class ClusterInput {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

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

  ClusterInput() {}

  /** {@return whether a cluster is named} */
  boolean isGiven() {
    return kubeconfig.isGiven();
  }

  /**
   * {@return the objects: the objects of the cluster, if one is named, then the objects of files,
   * which replace others of their names}
   *
   * @param files the files and folders
   * @param notes receives what there is to note
   * @throws InputException if something cannot be read
   */
  Manifests read(List<InputFile> files, Notes notes) {
    if (!isGiven() && files.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "Missing required parameter: 'PATH' (or a cluster: --context NAME)");
    }
    ImmutableList<HasMetadata> live = isGiven() ? live() : ImmutableList.of();
    return notes.add(ManifestFiles.read(live, files));
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

  /** {@return the cluster and files in words} */
  String title(List<InputFile> files) {
    Optional<String> cluster = isGiven()
        ? Optional.of(
            "the cluster" + kubeconfig.contextName().map(name -> " " + name).orElse(""))
        : Optional.empty();
    return Joiner.on(", ")
        .join(Iterables.concat(
            cluster.stream().toList(), Iterables.transform(files, InputFile::shortName)));
  }
}
