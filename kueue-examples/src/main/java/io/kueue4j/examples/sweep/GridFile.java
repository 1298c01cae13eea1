package io.kueue4j.examples.sweep;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.PreemptionLimits;
import io.kueue4j.examples.history.HistoryFile;
import io.kueue4j.examples.history.HistoryFormat;
import io.kueue4j.examples.report.LargeJobs;
import io.kueue4j.examples.simulation.BackfillChoice;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.InputFile;
import io.kueue4j.examples.simulation.TextFiles;
import io.kueue4j.examples.simulation.TimeText;
import io.kueue4j.examples.simulation.YamlFile;
import io.kueue4j.examples.trace.PublishedTraces;
import io.kueue4j.k8s.internal.kueue.PreemptionLimitsText;
import io.kueue4j.k8s.internal.yaml.BackfillAnnotations;
import io.kueue4j.k8s.internal.yaml.Fields;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the file that describes a grid; files that it names are relative to its folder.
 *
 * <pre>{@code
 * SweepGrid grid = GridFile.read(file).grid();
 * }</pre>
 */
public final class GridFile {
  private static final Duration DAY = Duration.ofDays(1);

  private final String source;
  private final Path folder;
  private final GridInputs inputs;

  private GridFile(String source, Path folder, GridInputs inputs) {
    this.source = source;
    this.folder = folder;
    this.inputs = inputs;
  }

  /**
   * What was read.
   *
   * @param grid the grid
   * @param inputs the files that it consists of
   */
  public record Result(SweepGrid grid, GridInputs inputs) {}

  /**
   * Reads a grid.
   *
   * @throws InputException if it is unreadable or malformed; names every position
   */
  public static Result read(InputFile file) {
    String text = TextFiles.read(file);
    Path folder = file.path().map(Path::getParent).orElse(null);
    GridFile reader = new GridFile(
        file.toString(), folder == null ? Path.of("") : folder, new GridInputs(file, text));
    SweepGrid grid =
        YamlFile.read(reader.source, text, "histories", reader::grid).withoutNotes();
    reader.check(grid);
    return new Result(grid, reader.inputs);
  }

  private SweepGrid grid(Fields root) {
    StepReader steps = new StepReader(source);
    return SweepGrid.of(
        histories(root),
        configurations(root),
        policies(root),
        ImmutableList.<Step>builder()
            .addAll(steps.quotas(root))
            .addAll(steps.nodes(root))
            .build(),
        load(root.object("load"), root.object("resample")));
  }

  private void check(SweepGrid grid) {
    Set<String> names = new HashSet<>();
    for (Axis axis : grid.axes()) {
      if (!names.add(axis.name())) {
        throw new InputException(source + ": two axes have the name '" + axis.name()
            + "'; give each step a name of its own");
      }
      Set<String> values = new HashSet<>();
      for (String value : axis.values()) {
        if (!values.add(value)) {
          throw new InputException(source + ": the axis '" + axis.name() + "' has the value '"
              + value + "' twice; expected each once");
        }
      }
    }
    if (grid.size() > SweepGrid.MAX_POINTS) {
      throw new InputException(String.format(
          Locale.ROOT,
          "%s: the grid has %,d points; expected at most %,d, make ranges coarser",
          source,
          grid.size(),
          SweepGrid.MAX_POINTS));
    }
  }

  private ImmutableList<GridHistory> histories(Fields root) {
    ImmutableList.Builder<GridHistory> histories = ImmutableList.builder();
    List<Fields> given = root.objects("histories");
    for (Fields history : given) {
      InputFile file = historyFile(history.requiredText("file"));
      histories.add(new GridHistory(
          history.text("name").orElse(file.shortName()),
          file,
          new HistoryFile.Options(
                  history.choice("format", Arrays.asList(HistoryFormat.values())),
                  history.text("resource").orElse("cpu"),
                  history.text("nodes").map(this::file),
                  positive(history, "limit").orElse(Integer.MAX_VALUE))
              .withMinDuration(
                  duration(history, "minDuration", Duration.ofMillis(1)).orElse(Duration.ZERO))
              .withExactEstimates(history.flag("exactEstimates").orElse(false)),
          history.text("map").map(this::file),
          duration(history, "from", Duration.ZERO).orElse(Duration.ZERO),
          duration(history, "until", Duration.ofMillis(1)),
          positive(history, "large").orElse(LargeJobs.DEFAULT_PERCENT)));
    }
    if (given.isEmpty() && !root.has("histories")) {
      root.missing("histories", "a list with at least one history");
    } else if (given.isEmpty()) {
      root.problem("histories", "no history; expected at least one");
    }
    return histories.build();
  }

  /** {@return the file of that name, or the published configuration if there is no such file} */
  private InputFile historyFile(String name) {
    return PublishedTraces.named(name).isPresent() && !Files.exists(folder.resolve(name))
        ? InputFile.of(Path.of(name))
        : file(name);
  }

  private InputFile file(String name) {
    InputFile file = InputFile.of(folder.resolve(name));
    inputs.add(name, file);
    return file;
  }

  private ImmutableList<InputFile> files(Fields fields) {
    return fields.texts("files").stream().map(this::file).collect(ImmutableList.toImmutableList());
  }

  private ImmutableList<GridConfiguration> configurations(Fields root) {
    ImmutableList.Builder<GridConfiguration> configurations = ImmutableList.builder();
    List<Fields> given = root.objects("configurations");
    for (Fields configuration : given) {
      String name = configuration.requiredText("name");
      ImmutableList<InputFile> files = files(configuration);
      if (files.isEmpty()) {
        configuration.problem("files", "no files; expected at least one with manifests");
      }
      configurations.add(new GridConfiguration(name, files));
    }
    return given.isEmpty()
        ? ImmutableList.of(new GridConfiguration("of the history", ImmutableList.of()))
        : configurations.build();
  }

  private ImmutableList<Policy> policies(Fields root) {
    ImmutableList.Builder<Policy> policies = ImmutableList.builder();
    List<Fields> given = root.objects("policies");
    for (Fields policy : given) {
      Optional<Boolean> preemption = policy.flag("preemption");
      if (preemption.orElse(false)) {
        policy.problem(
            "preemption",
            "true; expected false, to turn it off in all ClusterQueues, or nothing; name manifests"
                + " in files for other rules");
      }
      policies.add(new Policy(
          policy.requiredText("name"),
          files(policy),
          policy.flag("fairSharing"),
          halfLife(policy),
          backfill(policy),
          limits(policy),
          gates(policy),
          preemption.orElse(true)));
    }
    return given.isEmpty() ? ImmutableList.of(Policy.asConfigured()) : policies.build();
  }

  private static Optional<Duration> halfLife(Fields policy) {
    Optional<Duration> halfLife = duration(policy, "usageHalfLife", Duration.ofMillis(1));
    try {
      if (halfLife.isPresent()) {
        AdmissionFairSharing unused = AdmissionFairSharing.of(halfLife.get());
      }
    } catch (IllegalArgumentException e) {
      policy.problem("usageHalfLife", String.valueOf(e.getMessage()));
    }
    return halfLife;
  }

  private static BackfillChoice backfill(Fields policy) {
    Scalars given = Scalars.of(policy, "backfill");
    ImmutableList<Integer> depths = given.all(BackfillChoice.DEPTHS, BackfillAnnotations::depth);
    if (given.items().size() > 1) {
      policy.problem("backfill", given.items().size() + " values; expected one, in each policy");
    }
    BackfillChoice choice = new BackfillChoice(
        depths.stream().findFirst(),
        policy.choice("fillerOrder", Arrays.asList(BackfillChoice.Order.values())),
        duration(policy, "promiseAfter", Duration.ofMillis(1)));
    if (given.items().isEmpty() && choice.lacksDepth(Optional.empty())) {
      policy.missing(
          "backfill", "the depth for 'fillerOrder' and 'promiseAfter': " + BackfillChoice.DEPTHS);
      return BackfillChoice.none();
    }
    return choice;
  }

  private static Optional<PreemptionLimits> limits(Fields policy) {
    return PreemptionLimitsText.read(
        "minRunTimes",
        "preemptionRates",
        "reclaimBackoff",
        "victimCost",
        policy::text,
        policy::problem);
  }

  private static ImmutableMap<FeatureGate, Boolean> gates(Fields policy) {
    Map<FeatureGate, Boolean> gates = new LinkedHashMap<>();
    Fields given = policy.object("featureGates");
    given
        .mapping()
        .ifPresent(mapping -> mapping.fields().keySet().forEach(name -> {
          Optional<Boolean> on = given.flag(name);
          Optional<FeatureGate> gate = FeatureGate.named(name);
          if (gate.isEmpty()) {
            given.problem(
                name,
                "there is no gate of that name that changes decisions; expected one of "
                    + Joiner.on(", ").join(FeatureGate.values()));
          } else if (on.isPresent()) {
            gates.put(gate.get(), on.get());
          }
        }));
    return ImmutableMap.copyOf(gates);
  }

  private static Load load(Fields load, Fields resample) {
    ImmutableList<Long> seeds = Scalars.of(resample, "seeds").longs();
    if (resample.isPresent() && seeds.isEmpty()) {
      resample.problem("seeds", "no seeds; expected a list of at least one number");
    }
    return new Load(
        factors(load, "submissions"),
        factors(load, "durations"),
        seeds,
        duration(resample, "block", Duration.ofMinutes(1)).orElse(DAY));
  }

  private static ImmutableList<BigDecimal> factors(Fields load, String name) {
    ImmutableList<BigDecimal> factors = Scalars.of(load, name).factors();
    return factors.isEmpty() ? ImmutableList.of(BigDecimal.ONE) : factors;
  }

  private static Optional<Integer> positive(Fields fields, String name) {
    Optional<Integer> number = fields.integer(name).isPresent()
        ? Optional.of(fields.integer(name).getAsInt())
        : Optional.empty();
    if (number.isPresent() && number.get() < 1) {
      fields.problem(name, number.get() + "; expected 1 or more");
    }
    return number;
  }

  private static Optional<Duration> duration(Fields fields, String name, Duration least) {
    Optional<String> text = fields.text(name);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Optional<Duration> duration = TimeText.duration(text.get());
    if (duration.isEmpty() || duration.get().compareTo(least) < 0) {
      fields.problem(
          name,
          "'" + text.get() + "'; expected a duration such as P7D or PT1H"
              + (least.isZero() ? "" : ", at least " + least) + ", at most P365000D");
      return Optional.empty();
    }
    return duration;
  }
}
