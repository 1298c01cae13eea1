package io.kueue4j.examples.cli;

import io.kueue4j.core.resource.DnsNames;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.examples.sweep.IndexedJob;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of the Indexed Job that simulates a grid. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class SweepJobOptions {
  /** The longest name of a Job: its pods add an index and a suffix. */
  private static final int MAX_NAME = 52;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--manifest",
      description = "Simulate nothing, but print the manifests of an Indexed Job of Kubernetes that"
          + " does: with --of N it has N pods, each of which prints the result of its part.")
  private boolean manifest;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      defaultValue = "sweep",
      description = "With --manifest: the name of the Job and its ConfigMap; ${DEFAULT-VALUE}"
          + " unless set.")
  private String name;

  @Option(
      names = "--namespace",
      paramLabel = "NAME",
      description = "With --manifest: its namespace; the namespace of kubectl unless set.")
  private Optional<String> namespace = Optional.empty();

  @Option(
      names = "--image",
      paramLabel = "IMAGE",
      defaultValue = "ghcr.io/kueue4j/kueue-examples",
      description = "With --manifest: the image of this program; ${DEFAULT-VALUE} unless set.")
  private String image;

  @Option(
      names = "--queue-name",
      paramLabel = "QUEUE",
      description = "With --manifest: the LocalQueue of Kueue that admits the Job.")
  private Optional<String> queue = Optional.empty();

  @Option(
      names = "--inputs-claim",
      paramLabel = "CLAIM",
      description =
          "With --manifest: a PersistentVolumeClaim with the folder of the grid, for input"
              + " that does not fit into a ConfigMap (1 MiB).")
  private Optional<String> inputsClaim = Optional.empty();

  @Option(
      names = "--cpu",
      paramLabel = "QUANTITY",
      defaultValue = "2",
      description = "With --manifest: the processors of a pod, and so its simulations at the same"
          + " time; ${DEFAULT-VALUE} unless set.")
  private String cpu;

  @Option(
      names = "--memory",
      paramLabel = "QUANTITY",
      defaultValue = "2Gi",
      description = "With --manifest: the memory of a pod; ${DEFAULT-VALUE} unless set.")
  private String memory;

  SweepJobOptions() {}

  /** {@return whether manifests are asked for} */
  boolean isManifest() {
    return manifest;
  }

  /** {@return the options of the Job with so many parts} */
  IndexedJob.Options job(int parts) {
    if (!DnsNames.isSubdomain(name) || name.length() > MAX_NAME) {
      throw new ParameterException(
          spec.commandLine(),
          "--name is '" + name + "'; expected a name of Kubernetes of at most " + MAX_NAME
              + " characters");
    }
    check("--cpu", cpu);
    check("--memory", memory);
    return new IndexedJob.Options(name, namespace, image, parts, queue, inputsClaim, cpu, memory);
  }

  private void check(String option, String quantity) {
    try {
      if (Quantity.parse(quantity).signum() > 0) {
        return;
      }
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), option + ": " + e.getMessage(), e);
    }
    throw new ParameterException(
        spec.commandLine(), option + " is " + quantity + "; expected more than 0");
  }
}
