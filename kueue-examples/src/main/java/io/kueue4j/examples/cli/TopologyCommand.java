package io.kueue4j.examples.cli;

import com.google.common.collect.ImmutableList;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.InputFile;
import io.kueue4j.examples.simulation.ManifestFiles;
import io.kueue4j.examples.simulation.ManifestPlayer;
import io.kueue4j.examples.simulation.Phase;
import io.kueue4j.examples.simulation.SimulatedJob;
import io.kueue4j.examples.topology.CapacityPicture;
import io.kueue4j.examples.topology.CapacityReport;
import io.kueue4j.examples.topology.FlavorCapacity;
import io.kueue4j.examples.topology.PlacementAnswer;
import io.kueue4j.examples.topology.PlacementQuestion;
import java.io.PrintWriter;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Prints what is free in each domain of the topologies of manifests, and where a job would be
 * placed.
 */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
@Command(
    name = "topology",
    description = {
      "Prints what is free in each domain of the topologies of manifests, who takes the rest, and"
          + " where a job would go.",
      "Applies all configuration, nodes and pods on them among it, and lets the jobs of the"
          + " manifests start as admit does."
    },
    exitCodeList = {"0:done", "2:the input cannot be used"},
    footerHeading = ExampleCommand.EXAMPLES,
    footer = {
      "  kueue4j topology cluster/",
      "  kueue4j topology cluster/ --request job.yaml --svg topology.svg"
    })
public final class TopologyCommand extends ExampleCommand {
  @Option(
      names = "--request",
      paramLabel = "FILE",
      description = "Say of each job of that file where it would go now or what stands against it,"
          + " and how large it could be. It is asked on a copy: nothing of it is kept.")
  private Optional<InputFile> request = Optional.empty();

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      description = "Draw the same into that file, with the first job of --request; into standard"
          + " output for -, and print nothing else.")
  private Optional<OutputFile> svg = Optional.empty();

  @Option(
      names = "--resource",
      paramLabel = "NAME",
      description = "Draw that resource; the first that a flavor has quota for unless set.")
  private Optional<String> resource = Optional.empty();

  @Mixin
  private SimulatedState state;

  @Mixin
  private StateInput input;

  /** Creates the command; the command line sets its arguments. */
  public TopologyCommand() {}

  @Override
  public Integer call() {
    ManifestPlayer simulation = state.read(input::read);
    Phase phase = simulation.phase("all jobs created");
    ImmutableList<FlavorCapacity> flavors = FlavorCapacity.of(simulation, phase);
    if (flavors.isEmpty()) {
      throw new InputException("no ResourceFlavor has a topology that exists; expected at least one"
          + " with spec.topologyName, and a Topology of that name");
    }
    ImmutableList<PlacementAnswer> answers =
        request.map(file -> answers(simulation, file)).orElse(ImmutableList.of());
    if (!svg.filter(OutputFile::isStandardOutput).isPresent()) {
      print(flavors, answers);
    }
    svg.ifPresent(
        file -> file.write(CapacityPicture.draw(flavors, answers.stream().findFirst(), resource)));
    return ExitCodes.OK;
  }

  private static ImmutableList<PlacementAnswer> answers(ManifestPlayer simulation, InputFile file) {
    ImmutableList<SimulatedJob> jobs =
        simulation.read(ManifestFiles.read(ImmutableList.of(file)).manifests());
    if (jobs.isEmpty()) {
      throw new InputException(file + ": no job; expected at least one to ask for");
    }
    return jobs.stream()
        .map(job -> PlacementQuestion.ask(simulation, job))
        .collect(ImmutableList.toImmutableList());
  }

  private void print(
      ImmutableList<FlavorCapacity> flavors, ImmutableList<PlacementAnswer> answers) {
    PrintWriter out = spec.commandLine().getOut();
    for (FlavorCapacity flavor : flavors) {
      out.println("TOPOLOGY " + flavor.topology().name() + ", flavor " + flavor.flavor() + ": "
          + String.join(" > ", flavor.topology().levels()));
      TextTable.of(CapacityReport.rows(flavor)).print(screen());
      flavor.unused().forEach((node, why) -> out.println("Not used: node " + node + ", " + why));
      out.println();
    }
    answers.forEach(answer -> CapacityReport.print(answer, out));
    out.flush();
  }
}
