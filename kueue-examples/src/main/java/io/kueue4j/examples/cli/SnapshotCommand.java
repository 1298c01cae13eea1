package io.kueue4j.examples.cli;

import com.google.common.base.Ascii;
import com.google.common.io.BaseEncoding;
import io.kueue4j.examples.simulation.ClusterObjects;
import io.kueue4j.examples.snapshot.ClusterSnapshot;
import io.kueue4j.k8s.Manifests;
import java.security.SecureRandom;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Writes the state of a cluster into one file. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
@Command(
    name = "snapshot",
    description = {
      "Writes the state of a cluster into one file that admit and topology decide on as on the"
          + " cluster.",
      "It has what decides on admission and nothing else: Kueue's configuration, queues, nodes, what"
          + " pods take of these, and a Workload with its status for each job; no images, commands,"
          + " environments, and no labels and annotations of others. The same state gives the same"
          + " file."
    },
    exitCodeList = {"0:done", "2:the input cannot be used"},
    footerHeading = ExampleCommand.EXAMPLES,
    footer = {"  kueue4j snapshot --context prod --hash-names --file state.yaml"})
public final class SnapshotCommand extends ExampleCommand {
  private static final int SALT_BYTES = 16;

  /** The formats of the file. */
  enum Format {
    YAML,
    JSON;

    /** {@return the name for users} */
    @Override
    public String toString() {
      return Ascii.toLowerCase(name());
    }
  }

  @Option(
      names = "--hash-names",
      description = "Replace the names of objects, namespaces, nodes, queues and pod sets by ranks"
          + " and hashes, and leave out messages. Decisions stay the same.")
  private boolean hashNames;

  @Option(
      names = "--salt",
      paramLabel = "TEXT",
      description = "The key of the hashes: the same name gets the same hash in every snapshot with"
          + " this key; a random one unless set.")
  private Optional<String> salt = Optional.empty();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "yaml",
      description = "One of ${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} unless set.")
  private Format format;

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "Write into that file; into standard output unless set.")
  private Optional<OutputFile> file = Optional.empty();

  @Mixin
  private StrictOption strict;

  @Mixin
  private StateInput input;

  /** Creates the command; the command line sets its arguments. */
  public SnapshotCommand() {}

  @Override
  public Integer call() {
    if (salt.filter(String::isEmpty).isPresent()) {
      throw new ParameterException(
          spec.commandLine(), "--salt is empty; expected a text, or leave the option out");
    }
    Notes notes = strict.notes();
    Manifests manifests = input.read(notes);
    ClusterObjects objects =
        ClusterObjects.of(manifests, SettingsOptions.configured(manifests.items()));
    objects.warnings().forEach(notes::addWarning);
    notes.finish();
    ClusterSnapshot all = ClusterSnapshot.of(objects);
    ClusterSnapshot snapshot =
        hashNames ? all.withHashedNames(salt.orElseGet(SnapshotCommand::randomSalt)) : all;
    String text = format == Format.JSON ? snapshot.toJson() : snapshot.toYaml();
    file.orElseGet(() -> OutputFile.named("-", spec.commandLine().getOut())).write(text);
    return ExitCodes.OK;
  }

  private static String randomSalt() {
    byte[] bytes = new byte[SALT_BYTES];
    new SecureRandom().nextBytes(bytes);
    return BaseEncoding.base16().encode(bytes);
  }
}
