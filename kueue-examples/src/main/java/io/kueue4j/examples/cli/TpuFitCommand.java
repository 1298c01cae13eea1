package io.kueue4j.examples.cli;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.tpu.HostHealth;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.examples.simulation.InputFile;
import io.kueue4j.examples.tpu.FailedSlice;
import io.kueue4j.examples.tpu.FitAnswer;
import io.kueue4j.examples.tpu.FitFile;
import io.kueue4j.examples.tpu.FitInput;
import io.kueue4j.examples.tpu.FitReport;
import io.kueue4j.examples.tpu.FitSession;
import io.kueue4j.examples.tpu.FleetPicture;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/**
 * Places slices into pools, prints where they are placed or why they do not fit, and draws a
 * picture.
 */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
@Command(
    name = "fit",
    description = {
      "Places the requests of files into their pools, one after the other, and prints where each slice"
          + " goes; of one that does not fit why, the largest slice that does, and what would make"
          + " room: moves, or owners who would have to stop.",
      "Files have generation, pools, slices that run, hosts that are down or degraded, and requests."
    },
    exitCodeList = {"0:done, whether or not all fits", "2:the input cannot be used"},
    footerHeading = ExampleCommand.EXAMPLES,
    footer = {"  kueue4j tpu fit fleet.yaml"})
public final class TpuFitCommand extends ExampleCommand {
  @Option(
      names = "--svg",
      paramLabel = "FILE",
      description = "Draw the pools as they are in the end into that file; into standard output"
          + " for -, and print nothing else.")
  private Optional<OutputFile> svg = Optional.empty();

  @Option(
      names = "--moves",
      paramLabel = "N",
      defaultValue = "2",
      description = "Look for plans with so many moves at most; ${DEFAULT-VALUE} unless set.")
  private int moves;

  @Option(
      names = "--defragment",
      description = "Carry the moves out that make room for a request, and place it.")
  private boolean defragment;

  @Option(
      names = "--down",
      paramLabel = "POOL:HOSTS",
      description = "What if these hosts were down, for example pod-0:3,8-11; may be repeated.")
  private List<String> down = List.of();

  @Option(
      names = "--failover",
      description = "First move slices off hosts that are down, each to where it can go.")
  private boolean failover;

  @Mixin
  private StrictOption strict;

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description =
          "Files with descriptions, in YAML, which are taken together; - for standard" + " input.")
  private List<InputFile> files;

  /** Creates the command; the command line sets its arguments. */
  public TpuFitCommand() {}

  @Override
  public Integer call() {
    if (moves < 0) {
      throw new ParameterException(
          spec.commandLine(), "--moves is " + moves + ", expected 0 or more");
    }
    Notes notes = strict.notes();
    FitInput input = FitFile.read(files);
    input.notes().forEach(notes::addWarning);
    notes.finish();
    FitSession session = new FitSession(markDown(input.fleet()), input.permanent(), moves);
    ImmutableList<FailedSlice> failed = session.failed(failover);
    ImmutableList<FitAnswer> answers = input.requests().stream()
        .map(request -> session.place(request, defragment))
        .collect(toImmutableList());
    if (!svg.filter(OutputFile::isStandardOutput).isPresent()) {
      print(session.fleet(), failed, answers);
    }
    svg.ifPresent(file -> file.write(FleetPicture.draw(session.fleet(), fresh(input, session))));
    return ExitCodes.OK;
  }

  private TpuFleet markDown(TpuFleet fleet) {
    TpuFleet marked = fleet;
    for (String option : down) {
      try {
        for (var hosts : FitFile.hosts(fleet, option).asMap().entrySet()) {
          marked = marked.withHealth(
              hosts.getKey(),
              HostHealth.DOWN,
              hosts.getValue().stream().mapToInt(Integer::intValue).toArray());
        }
      } catch (IllegalArgumentException e) {
        throw new ParameterException(
            spec.commandLine(), "--down " + option + ": " + e.getMessage(), e, null, option);
      }
    }
    return marked;
  }

  private static ImmutableSet<String> fresh(FitInput input, FitSession session) {
    return session.fleet().slices().stream()
        .map(slice -> slice.id())
        .filter(id -> input.fleet().slice(id).isEmpty())
        .collect(ImmutableSet.toImmutableSet());
  }

  private void print(
      TpuFleet fleet, ImmutableList<FailedSlice> failed, ImmutableList<FitAnswer> answers) {
    Screen out = screen();
    failed.forEach(slice -> FitReport.print(slice, failover, out::printWrapped));
    if (!failed.isEmpty()) {
      out.println();
    }
    ImmutableList<ImmutableList<String>> placed = FitReport.placed(answers);
    if (placed.size() > 1) {
      TextTable.of(placed).print(out);
      out.println();
    }
    answers.forEach(answer -> FitReport.print(answer, moves, out::printWrapped));
    TextTable.of(FitReport.pools(fleet)).print(out);
    spec.commandLine().getOut().flush();
  }
}
