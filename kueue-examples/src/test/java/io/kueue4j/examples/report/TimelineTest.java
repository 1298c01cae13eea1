package io.kueue4j.examples.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.kueue4j.examples.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A report has the same jobs as {@code -o csv}. */
class TimelineTest {
  private static final Path LABORATORY =
      Path.of("src", "main", "resources", "simulation").toAbsolutePath();

  private static String run(String history, String output, Object... more) {
    List<Object> arguments = new ArrayList<>(List.of("simulate", "-", "-o", output));
    arguments.addAll(List.of(more));
    CommandLineRun run = CommandLineRun.reading(history, arguments.toArray());
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out();
  }

  /** {@return name, user, queue, submission, first start, last end and number of runs of jobs} */
  private static List<String> decoded(String page) throws IOException {
    JsonNode jobs = ReportData.of(page, "jobs");
    List<String> names = jobs.path("names").asText().lines().toList();
    JsonNode runs = jobs.path("runs").path(0);
    List<String> decoded = new ArrayList<>();
    String name = "";
    long submit = 0;
    int run = 0;
    int at = runs.path("job").path(0).asInt();
    for (int job = 0; job < names.size(); job++) {
      name = name.substring(0, Character.digit(names.get(job).charAt(0), 36))
          + names.get(job).substring(1);
      submit += jobs.path("submit").path(job).asLong();
      String text =
          name + " " + jobs.at("/users/" + jobs.path("user").path(job).asInt()).asText()
              + " " + jobs.at("/queues/" + jobs.path("queue").path(job).asInt()).asText() + " "
              + submit;
      long start = -1;
      long end = -1;
      int count = 0;
      while (at == job && run < runs.path("job").size()) {
        long since = submit + runs.path("start").path(run).asLong();
        if (runs.path("kind").asText().charAt(run) != '3') {
          start = start < 0 ? since : start;
          end = since + runs.path("length").path(run).asLong();
          count++;
        }
        run++;
        at += runs.path("job").path(run).asInt();
      }
      decoded.add(text + " " + start + " " + end + " " + count);
    }
    return decoded;
  }

  private static List<String> expected(String csv) {
    return csv.lines()
        .skip(1)
        .map(line -> line.split(",", -1))
        .map(cells -> cells[0] + " " + cells[1] + " " + cells[4] + " " + cells[7] + " "
            + (cells[8].isEmpty() ? "-1" : cells[8]) + " " + (cells[9].isEmpty() ? "-1" : cells[9])
            + " " + cells[12])
        .toList();
  }

  @Test
  void jobsHaveTheirRuns() throws IOException {
    String history = Files.readString(LABORATORY.resolve("lab.swf"));
    Object[] options = {"--resource=nvidia.com/gpu", "--config", LABORATORY.resolve("queues.yaml")};
    List<String> jobs = decoded(run(history, "html", options));
    assertThat(jobs).containsExactlyInAnyOrderElementsOf(expected(run(history, "csv", options)));
    assertThat(jobs).anyMatch(job -> job.endsWith(" 2"));
  }

  @Test
  void jobsThatNeverStartAreShownAsWaiting() throws IOException {
    JsonNode jobs = ReportData.of(
        run("; MaxProcs: 4\n1 0 -1 10 1\n2 0 -1 10 8\n3 40 -1 10 1\n", "html"), "jobs");
    assertThat(jobs.at("/unit").asInt()).isEqualTo(1000);
    assertThat(jobs.at("/runs/0/kind").asText()).isEqualTo("030");
    assertThat(jobs.at("/runs/0/length/1").asInt()).isEqualTo(50);
  }

  @Test
  void timesMayBePartsOfSeconds() throws IOException {
    JsonNode jobs = ReportData.of(
        run("{\"id\":\"a\",\"submit\":0,\"duration\":1.5,\"requests\":{\"cpu\":1}}\n", "html"),
        "jobs");
    assertThat(jobs.at("/unit").asInt()).isEqualTo(1);
    assertThat(jobs.at("/runs/0/length/0").asInt()).isEqualTo(1500);
    assertThat(jobs.at("/users/0").asText()).isEqualTo("–");
  }
}
