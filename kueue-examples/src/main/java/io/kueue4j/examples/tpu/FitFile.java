package io.kueue4j.examples.tpu;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.base.Joiner;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSetMultimap;
import io.kueue4j.core.tpu.HostHealth;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.core.tpu.TpuGeneration;
import io.kueue4j.core.tpu.TpuPool;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.InputFile;
import io.kueue4j.examples.simulation.TextFiles;
import io.kueue4j.k8s.internal.yaml.Fields;
import io.kueue4j.k8s.internal.yaml.Issues;
import io.kueue4j.k8s.internal.yaml.YamlDocument;
import io.kueue4j.k8s.internal.yaml.YamlMapping;
import io.kueue4j.k8s.internal.yaml.YamlReader;
import io.kueue4j.k8s.manifest.ManifestException;
import io.kueue4j.k8s.manifest.ManifestIssue;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads descriptions of pools, of the slices in them, and of requests. They may be distributed over
 * files and documents in any way; {@code generation} occurs once.
 */
public final class FitFile {
  private static final ImmutableMap<String, TpuGeneration> GENERATIONS = TpuGeneration.ALL.stream()
      .collect(ImmutableMap.toImmutableMap(TpuGeneration::name, generation -> generation));

  /** A document with its fields and issues. */
  private record Part(Fields fields, Issues issues) {}

  private final ImmutableList<Part> parts;

  private FitFile(ImmutableList<Part> parts) {
    this.parts = parts;
  }

  /**
   * Reads files.
   *
   * @throws InputException if one is unreadable or malformed, or describes no pool; names every
   *     position
   */
  public static FitInput read(List<InputFile> files) {
    ImmutableList<Part> parts =
        files.stream().flatMap(file -> parts(file).stream()).collect(toImmutableList());
    return new FitFile(parts).read(Joiner.on(", ").join(files));
  }

  /**
   * {@return hosts by pool}
   *
   * @param fleet the fleet
   * @param text a pool and hosts of it, such as {@code pod-0:3,8-11}
   * @throws IllegalArgumentException if there is no such pool or host; says what was expected
   */
  public static ImmutableSetMultimap<String, Integer> hosts(TpuFleet fleet, String text) {
    int colon = text.indexOf(':');
    if (colon < 0) {
      throw new IllegalArgumentException("no pool; expected for example pod-0:3,8-11");
    }
    String name = text.substring(0, colon);
    TpuPool pool = HostLists.pool(fleet, name)
        .orElseThrow(() -> new IllegalArgumentException(HostLists.unknown(fleet, name)));
    ImmutableSetMultimap.Builder<String, Integer> hosts = ImmutableSetMultimap.builder();
    for (String each : Splitter.on(',').trimResults().split(text.substring(colon + 1))) {
      hosts.putAll(name, HostRanges.parse(pool, each));
    }
    return hosts.build();
  }

  private static ImmutableList<Part> parts(InputFile file) {
    ImmutableList.Builder<Part> parts = ImmutableList.builder();
    try {
      for (YamlDocument document : YamlReader.read(file.toString(), TextFiles.read(file))) {
        Issues issues = new Issues(file.toString(), document.index());
        if (document.root() instanceof YamlMapping mapping) {
          parts.add(new Part(Fields.of(mapping, "", issues), issues));
        } else if (!document.root().isNull()) {
          issues.problem(
              document.root(),
              "",
              document.root().describe() + "; expected a mapping with pools, slices or requests");
          issues.throwProblems();
        }
      }
    } catch (ManifestException e) {
      throw new InputException(String.valueOf(e.getMessage()), e);
    }
    return parts.build();
  }

  private FitInput read(String names) {
    ImmutableList<TpuPool> pools = pools();
    throwProblems();
    if (pools.isEmpty()) {
      throw new InputException(names + ": no pools; expected at least one under 'pools'");
    }
    TpuFleet fleet = TpuFleet.of(pools);
    for (Part part : parts) {
      fleet = health(fleet, part, "degraded", HostHealth.DEGRADED);
      fleet = health(fleet, part, "down", HostHealth.DOWN);
    }
    Set<String> permanent = new LinkedHashSet<>();
    SliceFields slices = new SliceFields(permanent);
    for (Part part : parts) {
      for (Fields slice : part.fields().objects("slices")) {
        fleet = slices.allocate(fleet, slice);
      }
    }
    Set<String> taken = new LinkedHashSet<>();
    fleet.slices().forEach(slice -> taken.add(slice.id()));
    ImmutableList.Builder<NamedRequest> requests = ImmutableList.builder();
    for (Part part : parts) {
      RequestFields reader = new RequestFields(fleet, part.issues(), taken);
      part.fields().objects("requests").forEach(each -> requests.add(reader.read(each)));
      part.fields().noteUnknown();
    }
    throwProblems();
    return new FitInput(
        fleet,
        requests.build(),
        ImmutableSet.copyOf(permanent),
        parts.stream().flatMap(part -> part.issues().notes().stream()).collect(toImmutableList()));
  }

  private void throwProblems() {
    List<ManifestIssue> problems = parts.stream()
        .flatMap(part -> part.issues().problems().stream())
        .distinct()
        .collect(toImmutableList());
    if (!problems.isEmpty()) {
      throw new InputException(Joiner.on('\n').join(problems));
    }
  }

  private ImmutableList<TpuPool> pools() {
    Optional<TpuGeneration> generation = Optional.empty();
    for (Part part : parts) {
      Optional<TpuGeneration> given = part.fields().choice("generation", GENERATIONS);
      if (given.isPresent() && generation.isPresent() && !given.equals(generation)) {
        part.fields()
            .problem(
                "generation",
                "%s after %s; expected one for all pools"
                    .formatted(given.get().name(), generation.get().name()));
      }
      generation = generation.or(() -> given);
    }
    List<TpuPool> pools = new ArrayList<>();
    for (Part part : parts) {
      List<Fields> described = part.fields().objects("pools");
      if (generation.isEmpty() && !described.isEmpty() && !part.fields().has("generation")) {
        part.fields().missing("generation", "one of " + Joiner.on(", ").join(GENERATIONS.keySet()));
      }
      for (Fields fields : described) {
        generation.ifPresent(known -> PoolFields.add(pools, fields, known));
      }
    }
    return ImmutableList.copyOf(pools);
  }

  private static TpuFleet health(TpuFleet fleet, Part part, String field, HostHealth health) {
    TpuFleet marked = fleet;
    for (var entry : HostLists.read(fleet, part.fields(), field, part.issues()).entrySet()) {
      marked = marked.withHealth(
          entry.getKey(),
          health,
          entry.getValue().stream().mapToInt(Integer::intValue).toArray());
    }
    return marked;
  }
}
