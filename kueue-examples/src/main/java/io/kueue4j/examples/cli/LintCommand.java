package io.kueue4j.examples.cli;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.lint.Finding.Severity;
import io.kueue4j.core.lint.LoopReport;
import io.kueue4j.core.lint.LoopSearch.Bounds;
import io.kueue4j.examples.simulation.InputFile;
import io.kueue4j.k8s.Manifests;
import java.io.PrintWriter;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the faults of a configuration. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
@Command(
    name = "lint",
    description = {
      "Finds faults in queues, quotas and jobs before they are in force: limits without effect, lent"
          + " quota that its owner cannot reclaim, flavors without nodes, queues and jobs that are"
          + " never served; with --loops, jobs that preempt each other for ever.",
      "What is said about jobs was played on an engine with this configuration."
    },
    exitCodeList = {
      "0:no finding is as serious as --fail-on says",
      "1:a finding is",
      "2:the input cannot be used"
    },
    footerHeading = ExampleCommand.EXAMPLES,
    footer = {
      "  kueue4j lint queues/ jobs/",
      "  kueue4j lint queues/ --fail-on warning --scenarios",
      "  kueue4j lint queues/ -o sarif --baseline lint-baseline.json",
      "  kueue4j lint queues/ --loops --loop-scenarios loops/"
    })
public final class LintCommand extends ExampleCommand {
  @Option(
      names = "--fail-on",
      paramLabel = "SEVERITY",
      defaultValue = "error",
      description = "Exit with 1 if there is a finding that is at least so serious: one of"
          + " ${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} unless set.")
  private FailOn failOn;

  @Option(
      names = "--scenarios",
      description = "Print for each finding which workloads were played, and what became of them.")
  private boolean scenarios;

  @Option(
      names = "--baseline",
      paramLabel = "FILE",
      description = "Leave out the findings that this file accepts, and note those that are gone.")
  private Optional<InputFile> baseline = Optional.empty();

  @Option(
      names = "--write-baseline",
      paramLabel = "FILE",
      description =
          "Accept all findings: write them into this file, for --baseline, and exit" + " with 0.")
  private Optional<OutputFile> writeBaseline = Optional.empty();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "One of ${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} unless set. Code hosts show"
          + " sarif on the lines of a pull request.")
  private Output output;

  @Mixin
  private LoopOptions loops;

  @Mixin
  private SettingsOptions settings;

  @Mixin
  private TpuSlicesOption tpuSlices;

  @Mixin
  private StrictOption strict;

  @Mixin
  private StateInput input;

  /** The formats of the result. */
  enum Output {
    TEXT,
    JSON,
    SARIF;

    /** {@return the name for users} */
    @Override
    public String toString() {
      return Ascii.toLowerCase(name());
    }
  }

  /** The least serious findings that make the command fail. */
  enum FailOn {
    ERROR(Optional.of(Severity.ERROR)),
    WARNING(Optional.of(Severity.WARNING)),
    NOTE(Optional.of(Severity.NOTE)),
    NEVER(Optional.empty());

    private final Optional<Severity> least;

    FailOn(Optional<Severity> least) {
      this.least = least;
    }

    boolean fails(PlacedFinding finding) {
      return least
          .filter(severity -> finding.finding().severity().compareTo(severity) >= 0)
          .isPresent();
    }

    /** {@return the name for users} */
    @Override
    public String toString() {
      return Ascii.toLowerCase(name());
    }
  }

  /** Creates the command; the command line sets its arguments. */
  public LintCommand() {}

  @Override
  public Integer call() {
    Notes notes = strict.notes();
    Manifests manifests = input.read(notes);
    LintBaseline accepted = baseline.map(LintBaseline::read).orElseGet(LintBaseline::none);
    LintedManifests linted =
        new LintedManifests(manifests, settings.of(manifests), tpuSlices.isSet());
    notes.finish();
    Optional<Bounds> bounds = loops.bounds();
    loops.createFolder();
    Optional<LoopReport> found = bounds.flatMap(each -> search(linted, each));
    found.ifPresent(report -> loops.write(report, manifests, spec.commandLine().getOut()));
    ImmutableList<PlacedFinding> all = linted.findings(found);
    if (writeBaseline.isPresent()) {
      writeBaseline.get().write(LintBaseline.write(all));
      return ExitCodes.OK;
    }
    ImmutableList<PlacedFinding> findings = accepted.without(all);
    ImmutableList<String> stale = accepted.stale(all, found.isPresent());
    stale.forEach(entry -> spec.commandLine()
        .getErr()
        .println("note: no longer found, so the baseline need not accept it: " + entry));
    print(findings, all.size() - findings.size(), stale, found);
    return findings.stream().anyMatch(failOn::fails) ? ExitCodes.FINDINGS : ExitCodes.OK;
  }

  private Optional<LoopReport> search(LintedManifests linted, Bounds bounds) {
    // How much there is to search shows in the end.
    Progress progress = progress(0);
    try {
      return linted.loops(bounds);
    } finally {
      progress.close();
    }
  }

  private void print(
      ImmutableList<PlacedFinding> findings,
      int accepted,
      ImmutableList<String> stale,
      Optional<LoopReport> loops) {
    PrintWriter out = spec.commandLine().getOut();
    switch (output) {
      case TEXT -> {
        LintReport.print(findings, accepted, scenarios, screen());
        loops.ifPresent(report -> out.println(LoopOptions.text(report)));
      }
      case JSON -> LintReport.printJson(findings, accepted, stale, loops, out);
      case SARIF -> SarifReport.print(findings, out);
    }
    out.flush();
  }
}
