package io.kueue4j.examples.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.examples.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A folder with the laboratory's log and queues, to which a test adds a grid. */
final class SweepScene {
  private static final Path LABORATORY =
      Path.of("src", "main", "resources", "simulation").toAbsolutePath();

  /** Twelve points: two policies, two quotas, three seeds. */
  static final String GRID = """
      histories:
      - file: lab.swf
        resource: nvidia.com/gpu
      configurations:
      - name: today
        files: [queues]
      policies:
      - name: as configured
      - name: fair
        fairSharing: true
        preemption: false
      quotas:
      - name: GPUs
        clusterQueue: training
        flavor: a100
        resource: nvidia.com/gpu
        values: [10, 18]
      resample:
        seeds: [1, 2, 3]
        block: PT6H
      """;

  private final Path folder;

  private SweepScene(Path folder) {
    this.folder = folder;
  }

  static SweepScene in(Path folder) throws IOException {
    Files.copy(LABORATORY.resolve("lab.swf"), folder.resolve("lab.swf"));
    Files.createDirectory(folder.resolve("queues"));
    Files.copy(LABORATORY.resolve("queues.yaml"), folder.resolve("queues/queues.yaml"));
    return new SweepScene(folder);
  }

  /** {@return the file of a grid} */
  Path grid(String text) throws IOException {
    return Files.writeString(folder.resolve("grid.yaml"), text);
  }

  /** {@return what the command prints} */
  String sweep(Object... arguments) {
    CommandLineRun run = run(arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out();
  }

  /** {@return the errors of the command} */
  String refused(Object... arguments) {
    CommandLineRun run = run(arguments);
    assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(2);
    return run.err();
  }

  static CommandLineRun run(Object... arguments) {
    Object[] all = new Object[arguments.length + 1];
    all[0] = "sweep";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    return CommandLineRun.of(all);
  }
}
