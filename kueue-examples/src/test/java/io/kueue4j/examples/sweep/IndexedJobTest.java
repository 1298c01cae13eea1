package io.kueue4j.examples.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.kueue4j.examples.CommandLineRun;
import io.kueue4j.examples.controller.cluster.ApiServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** The Indexed Job that simulates a grid. */
class IndexedJobTest {
  @TempDir
  private Path outside;

  private Path folder;
  private SweepScene scene;

  @BeforeEach
  void setUp() throws IOException {
    folder = Files.createDirectory(outside.resolve("grid"));
    scene = SweepScene.in(folder);
  }

  @SuppressWarnings("unchecked")
  private static List<HasMetadata> objects(String yaml) {
    Object read = new KubernetesSerialization()
        .unmarshal(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)));
    return read instanceof List<?> list ? (List<HasMetadata>) list : List.of((HasMetadata) read);
  }

  private static void mount(ConfigMap map, Job job, Path target) throws IOException {
    for (KeyToPath item :
        job.getSpec().getTemplate().getSpec().getVolumes().get(0).getConfigMap().getItems()) {
      Path file = target.resolve(item.getPath());
      Files.createDirectories(file.getParent());
      String text = map.getData().get(item.getKey());
      if (text != null) {
        Files.writeString(file, text);
      } else {
        Files.write(file, Base64.getDecoder().decode(map.getBinaryData().get(item.getKey())));
      }
    }
  }

  @Test
  void podsFindTheSameGridInTheConfigMap() throws IOException {
    try (OutputStream zip =
        new GZIPOutputStream(Files.newOutputStream(folder.resolve("lab.swf.gz")))) {
      Files.copy(folder.resolve("lab.swf"), zip);
    }
    Path grid = scene.grid(SweepScene.GRID.replace("lab.swf", "lab.swf.gz"));
    List<HasMetadata> objects = objects(scene.sweep(grid, "--manifest", "--of", 4, "--image", "i"));
    ConfigMap map = (ConfigMap) objects.get(0);
    Job job = (Job) objects.get(1);
    Path mounted = folder.resolve("mounted");
    mount(map, job, mounted);
    assertThat(map.getBinaryData()).hasSize(1);
    JobSpec spec = job.getSpec();
    assertThat(spec.getCompletionMode()).isEqualTo("Indexed");
    assertThat(spec.getCompletions()).isEqualTo(4);
    Object[] arguments = spec.getTemplate().getSpec().getContainers().get(0).getArgs().stream()
        .map(argument -> argument.replace("/sweep/", mounted + "/"))
        .toArray();
    assertThat(arguments[0]).isEqualTo("sweep");
    Object[] parts = new Object[4];
    for (int i = 0; i < 4; i++) {
      Object[] indexed = new Object[arguments.length + 1];
      System.arraycopy(arguments, 0, indexed, 0, arguments.length);
      indexed[arguments.length] = "--index=" + i;
      CommandLineRun run = CommandLineRun.of(indexed);
      assertThat(run.exitCode()).as(run.err()).isZero();
      parts[i] = Files.writeString(folder.resolve(i + ".json"), run.out());
    }
    assertThat(scene.sweep("-o", "json", "--merge", parts[0], parts[1], parts[2], parts[3]))
        .isEqualTo(scene.sweep(grid, "-o", "json"));
  }

  @Test
  void largeInputNeedsAVolume() throws IOException {
    byte[] noise = new byte[2 << 20];
    new Random(1).nextBytes(noise);
    Files.write(folder.resolve("lab.swf"), noise);
    Path grid = scene.grid(SweepScene.GRID);
    assertThat(scene.refused(grid, "--manifest", "--of", 2))
        .contains("bytes in 3 files, but a ConfigMap holds", "--inputs-claim");
    List<HasMetadata> objects =
        objects(scene.sweep(grid, "--manifest", "--of", 2, "--inputs-claim", "data"));
    assertThat(objects).hasSize(1);
    assertThat(((Job) objects.get(0))
            .getSpec()
            .getTemplate()
            .getSpec()
            .getVolumes()
            .get(0)
            .getPersistentVolumeClaim()
            .getClaimName())
        .isEqualTo("data");
  }

  @Test
  void wrongOptionsAreNamed() throws IOException {
    Path grid = scene.grid(SweepScene.GRID);
    assertThat(scene.refused(grid, "--manifest", "--of", 13)).contains("the grid has 12 points");
    assertThat(scene.refused(grid, "--manifest", "--of", 2, "--name", "A_b"))
        .contains("--name is 'A_b'");
    assertThat(scene.refused(grid, "--manifest", "--of", 2, "--cpu", "0"))
        .contains("--cpu is 0; expected more than 0");
    assertThat(scene.refused(grid, "--manifest", "--of", 2, "--memory", "much"))
        .contains("--memory");
    Path other = scene.grid(SweepScene.GRID.replace("lab.swf", "../lab.swf"));
    Files.copy(folder.resolve("lab.swf"), outside.resolve("lab.swf"));
    assertThat(scene.refused(other, "--manifest", "--of", 2))
        .contains("../lab.swf is not below the folder of the grid");
  }

  @Test
  @EnabledIfEnvironmentVariable(named = "KUBEBUILDER_ASSETS", matches = ".+")
  void anApiServerAcceptsIt() throws Exception {
    Path grid = scene.grid(SweepScene.GRID);
    try (ApiServer server = ApiServer.ofItsOwn();
        KubernetesClient client = server.client()) {
      for (String queue : new String[] {"", "--queue-name=main"}) {
        String yaml = queue.isEmpty()
            ? scene.sweep(grid, "--manifest", "--of=3", "--namespace=default")
            : scene.sweep(grid, "--manifest", "--of=3", "--namespace=default", queue);
        for (HasMetadata object : objects(yaml)) {
          HasMetadata created = client
              .resource(object)
              .dryRun()
              .fieldValidation(FieldValidateable.Validation.STRICT)
              .create();
          assertThat(created.getMetadata().getUid()).isNotEmpty();
        }
      }
    }
  }
}
