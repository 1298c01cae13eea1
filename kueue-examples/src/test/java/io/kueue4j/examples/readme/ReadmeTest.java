package io.kueue4j.examples.readme;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.AdmissionResult;
import io.kueue4j.core.CycleResult;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.examples.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README says is what the project does. */
class ReadmeTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern SNIPPET =
      Pattern.compile("^ *// snippet\\n(.*?)^ *// end$", Pattern.DOTALL | Pattern.MULTILINE);

  private static String readme() throws IOException {
    return Files.readString(ROOT.resolve("README.md"));
  }

  private static ImmutableList<String> blocks(String language) throws IOException {
    Pattern fenced = Pattern.compile("```" + language + "\\n(.*?)```", Pattern.DOTALL);
    return fenced
        .matcher(readme())
        .results()
        .map(match -> match.group(1))
        .collect(toImmutableList());
  }

  @Test
  void theJavaIsCompiled() throws IOException {
    String source =
        Files.readString(Path.of("src/main/java/io/kueue4j/examples/readme/ReadmeSnippets.java"));
    ImmutableList<String> compiled = SNIPPET
        .matcher(source)
        .results()
        .map(match -> match.group(1).stripTrailing().stripIndent() + "\n")
        .collect(toImmutableList());

    assertThat(blocks("java")).isNotEmpty().isEqualTo(compiled);
  }

  @Test
  void theFirstSnippetAdmits() {
    AdmissionResult result = ReadmeSnippets.tryAdmit();

    assertThat(result.isAdmitted()).isTrue();
    assertThat(result.toString()).contains("a100").contains("nvidia.com/gpu=6");
  }

  @Test
  void theSecondSnippetExplains() {
    AdmissionEngine engine = AdmissionEngine.create();
    ResourceGroup group = ResourceGroup.of(FlavorQuotas.of("any", ResourceQuota.of("cpu", "4")));
    engine.apply(
        ResourceFlavor.of("any"),
        ClusterQueue.builder()
            .name("research")
            .namespaceSelector(LabelSelector.everything())
            .addResourceGroups(group)
            .build(),
        LocalQueue.of("ns", "queue", "research"));
    PodSet pods = PodSet.builder().request("cpu", "3").build();
    engine.tryAdmit(Workload.of("ns", "running", "queue", pods));
    engine.submit(Workload.of("ns", "waiting", "queue", pods));
    engine.runCycle();

    assertThat(ReadmeSnippets.explain(engine, WorkloadId.of("ns", "waiting")))
        .startsWith("0 workloads before it")
        .anyMatch(line -> line.startsWith("held by ") && line.contains("ns/running"))
        .endsWith("would be admitted if: ClusterQueue research has more nominal quota:"
            + " cpu in flavor any from 4 to 6 (+2)");
  }

  @Test
  void theThirdSnippetAdmitsTheJobsOfAFile(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("all.yaml"), """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ResourceFlavor
        metadata: {name: any}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: research}
        spec:
          namespaceSelector: {}
          resourceGroups:
          - coveredResources: [cpu]
            flavors: [{name: any, resources: [{name: cpu, nominalQuota: 4}]}]
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: queue}
        spec: {clusterQueue: research}
        ---
        apiVersion: batch/v1
        kind: Job
        metadata: {name: train, labels: {kueue.x-k8s.io/queue-name: queue}}
        spec:
          parallelism: 2
          template:
            spec:
              containers: [{name: main, resources: {requests: {cpu: 1500m}}}]
        """);

    CycleResult cycle = ReadmeSnippets.fromManifests(AdmissionEngine.create(), file);

    assertThat(cycle.admitted())
        .singleElement()
        .satisfies(admission -> assertThat(admission.podSetAssignments().get(0).resourceUsage())
            .containsEntry("cpu", 3000L));
  }

  @Test
  void theStudyAdmitsMoreAndTheEngineDoesNot() {
    AdmissionEngine engine = AdmissionEngine.create();
    engine.apply(
        ResourceFlavor.of("any"), queue("1"), LocalQueue.of("team-a", "queue", "research"));
    engine.submit(Workload.of(
        "team-a", "large", "queue", PodSet.builder().request("cpu", "2").build()));

    CycleResult studied = ReadmeSnippets.whatIf(engine, queue("2"));

    assertThat(studied.admitted()).hasSize(1);
    assertThat(engine.runCycle().admitted()).isEmpty();
  }

  private static ClusterQueue queue(String cpu) {
    return ClusterQueue.builder()
        .name("research")
        .namespaceSelector(LabelSelector.everything())
        .addResourceGroups(ResourceGroup.of(FlavorQuotas.of("any", ResourceQuota.of("cpu", cpu))))
        .build();
  }

  @Test
  void theWhatIfOfTheReadmeAnswersAsPrinted() throws IOException {
    String block = blocks("console").stream()
        .filter(each -> each.contains("--what-if"))
        .findFirst()
        .orElseThrow();
    String manifests = "kueue-examples/src/main/resources/manifests/001-tpu-multislice-jobset";
    Object[] arguments = ImmutableList.copyOf(block
            .substring(block.indexOf("admit"), block.indexOf("\n…\n"))
            .replace("\\\n", " ")
            .replace("$TUTORIAL", manifests)
            .trim()
            .split("\\s+"))
        .stream()
        .map(word -> word.endsWith(".yaml") ? ROOT.resolve(word).toString() : word)
        .toArray();

    CommandLineRun run = CommandLineRun.of(arguments);

    assertThat(run.exitCode()).isZero();
    assertThat(run.out().replace("../", ""))
        .endsWith(block.substring(block.indexOf("\n…\n") + "\n…\n".length()));
  }

  @Test
  void theCommandOfTheTutorialWorksAsPrinted() throws IOException {
    String block = blocks("sh").stream()
        .filter(each -> each.contains(" admit "))
        .findFirst()
        .orElseThrow();
    Object[] arguments = ImmutableList.copyOf(block
            .substring(block.indexOf(" admit "))
            .replace("\\\n", " ")
            .trim()
            .split("\\s+"))
        .stream()
        .map(word -> word.endsWith(".yaml") ? ROOT.resolve(word).toString() : word)
        .toArray();

    CommandLineRun run = CommandLineRun.of(arguments);

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("PHASE 2").contains("google.com/tpu 24/24");
  }

  @Test
  void theTestCommandIsTheOneThatIsRunBeforeEveryLanding() throws IOException {
    assertThat(blocks("sh")).anyMatch(block -> block.equals("mvn -B -ntp verify\n"));
    assertThat(Files.readString(ROOT.resolve(".ci/run"))).contains("-B -ntp").contains("verify");
  }
}
