package io.kueue4j.k8s.status;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The columns that {@code kubectl get} shows for objects of Kueue.
 *
 * <pre>{@code
 * PrinterColumns columns = PrinterColumns.ofKind("ClusterQueue", true).orElseThrow();
 * show(columns.header());                       // NAME, COHORT, STRATEGY, PENDING WORKLOADS, …
 * objects.forEach(each -> show(columns.row(each, now)));
 * }</pre>
 *
 * <p>Immutable.
 *
 * @since 0.1.0
 */
public final class PrinterColumns {
  private record Column(String title, boolean isWide, Function<Cells, String> cell) {
    static Column of(String title, Function<Cells, String> cell) {
      return new Column(title, false, cell);
    }
  }

  private static final Column PENDING =
      Column.of("Pending Workloads", cells -> cells.text("status", "pendingWorkloads"));

  private final ImmutableList<Column> columns;

  private PrinterColumns(ImmutableList<Column> columns) {
    this.columns = columns;
  }

  /**
   * {@return the columns of a kind of Kueue, empty if the kind has no columns of its own}
   *
   * @param kind for example {@code ClusterQueue}
   * @param isWide whether to include the columns that are shown only with {@code -o wide}
   */
  public static Optional<PrinterColumns> ofKind(String kind, boolean isWide) {
    ImmutableList<Column> own = switch (kind) {
      case "ClusterQueue" -> ofClusterQueue();
      case "LocalQueue" -> ofLocalQueue();
      case "Workload" -> ofWorkload();
      case "WorkloadPriorityClass" ->
        ImmutableList.of(Column.of("Value", cells -> cells.text("value")));
      default -> ImmutableList.of();
    };
    Stream<Column> shown = own.stream().filter(column -> isWide || !column.isWide);
    return own.isEmpty()
        ? Optional.empty()
        : Optional.of(new PrinterColumns(
            Stream.concat(Stream.of(Column.of("Name", Cells::name)), shown)
                .collect(toImmutableList())));
  }

  private static ImmutableList<Column> ofClusterQueue() {
    return ImmutableList.of(
        Column.of(
            "Cohort",
            cells -> cells.first(cells.text("spec", "cohortName"), cells.text("spec", "cohort"))),
        new Column("Strategy", true, cells -> cells.text("spec", "queueingStrategy")),
        PENDING,
        new Column("Admitted Workloads", true, cells -> cells.text("status", "admittedWorkloads")));
  }

  private static ImmutableList<Column> ofLocalQueue() {
    return ImmutableList.of(
        Column.of("ClusterQueue", cells -> cells.text("spec", "clusterQueue")),
        PENDING,
        Column.of("Admitted Workloads", cells -> cells.text("status", "admittedWorkloads")));
  }

  private static ImmutableList<Column> ofWorkload() {
    return ImmutableList.of(
        Column.of("Queue", cells -> cells.text("spec", "queueName")),
        Column.of("Reserved in", cells -> cells.text("status", "admission", "clusterQueue")),
        Column.of("Admitted", cells -> cells.condition("Admitted")),
        Column.of("Finished", cells -> cells.condition("Finished")),
        Column.of("Age", Cells::age));
  }

  /** {@return the titles, in upper case} */
  public List<String> header() {
    return columns.stream()
        .map(column -> Ascii.toUpperCase(column.title))
        .collect(toImmutableList());
  }

  /**
   * {@return the cells of an object; empty texts for absent values}
   *
   * @param now the time used to compute ages
   */
  public List<String> row(GenericKubernetesResource object, Instant now) {
    Cells cells = new Cells(object, now);
    return columns.stream().map(column -> column.cell.apply(cells)).collect(toImmutableList());
  }

  /** Reads the cells of an object. */
  private record Cells(GenericKubernetesResource object, Instant now) {
    String name() {
      return Objects.toString(ObjectStatus.metadata(object).getName(), "");
    }

    String text(String... path) {
      @Nullable Object node = object.getAdditionalProperties();
      for (String field : path) {
        node = node instanceof Map<?, ?> map ? map.get(field) : null;
      }
      return Objects.toString(node, "");
    }

    String first(String one, String other) {
      return one.isEmpty() ? other : one;
    }

    String condition(String type) {
      return Objects.toString(ConditionList.of(object).field(type, "status"), "");
    }

    String age() {
      String created = ObjectStatus.metadata(object).getCreationTimestamp();
      try {
        return created == null
            ? ""
            : age(Duration.between(OffsetDateTime.parse(created).toInstant(), now));
      } catch (DateTimeException e) {
        return "<invalid>";
      }
    }

    /**
     * {@return the age in kubectl's format: at most two units, the second only if the first is
     * small}
     */
    private static String age(Duration age) {
      long seconds = Math.max(0, age.toSeconds());
      if (seconds < 120) {
        return seconds + "s";
      }
      if (age.toMinutes() < 10) {
        return two(age.toMinutes(), "m", seconds % 60, "s");
      }
      if (age.toHours() < 3) {
        return age.toMinutes() + "m";
      }
      if (age.toHours() < 8) {
        return two(age.toHours(), "h", age.toMinutes() % 60, "m");
      }
      if (age.toHours() < 48) {
        return age.toHours() + "h";
      }
      if (age.toDays() < 8) {
        return two(age.toDays(), "d", age.toHours() % 24, "h");
      }
      if (age.toDays() < 365 * 2) {
        return age.toDays() + "d";
      }
      return age.toDays() < 365 * 8
          ? two(age.toDays() / 365, "y", age.toDays() % 365, "d")
          : age.toDays() / 365 + "y";
    }

    private static String two(long first, String unit, long second, String secondUnit) {
      return first + unit + (second == 0 ? "" : second + secondUnit);
    }
  }
}
