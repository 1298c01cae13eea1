package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ObjectArrays;
import io.kueue4j.examples.CommandLineRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Runs {@code admit} on the tutorials' manifests and parses its JSON. */
final class Admit {
  static final Path MANIFESTS = Path.of("src/main/resources/manifests");

  private final JsonNode root;

  private Admit(JsonNode root) {
    this.root = root;
  }

  /** {@return the output of {@code admit -o json}, which must succeed} */
  static Admit json(Object... arguments) {
    CommandLineRun run = CommandLineRun.of(
        ObjectArrays.concat(new Object[] {"admit", "-o", "json"}, arguments, Object.class));
    assertThat(run.exitCode()).as(run.err()).isZero();
    return new Admit(parse(run.out()));
  }

  /** {@return the paths of files of a tutorial} */
  static Object[] files(String folder, String... files) {
    return Arrays.stream(files)
        .map(file -> MANIFESTS.resolve(folder).resolve(file))
        .toArray();
  }

  static Object[] with(Object[] files, Object... more) {
    return ObjectArrays.concat(files, more, Object.class);
  }

  static JsonNode parse(String text) {
    try {
      return new ObjectMapper().readTree(text);
    } catch (JsonProcessingException e) {
      throw new AssertionError("not JSON: " + text, e);
    }
  }

  int phases() {
    return root.get("phases").size();
  }

  /** {@return the names of the jobs with this status, in the order of their creation} */
  List<String> names(int phase, String status) {
    List<String> names = new ArrayList<>();
    for (JsonNode workload : root.get("phases").get(phase).get("workloads")) {
      if (workload.get("status").asText().equals(status)) {
        names.add(workload.get("name").asText());
      }
    }
    return names;
  }

  JsonNode job(int phase, String name) {
    for (JsonNode workload : root.get("phases").get(phase).get("workloads")) {
      if (workload.get("name").asText().equals(name)) {
        return workload;
      }
    }
    throw new AssertionError("no job " + name + " in " + root);
  }

  String reasons(int phase, String name) {
    return job(phase, name).get("reasons").toString();
  }

  JsonNode queue(int phase) {
    JsonNode queues = root.get("phases").get(phase).get("clusterQueues");
    assertThat(queues).hasSize(1);
    return queues.get(0);
  }

  /** {@return the differences, a missing node if they were not requested} */
  JsonNode whatIf() {
    return root.path("whatIf");
  }

  JsonNode events(int phase) {
    return root.get("phases").get(phase).get("events");
  }
}
