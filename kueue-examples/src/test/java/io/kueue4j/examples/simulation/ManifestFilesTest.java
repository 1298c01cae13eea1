package io.kueue4j.examples.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.yaml.Manifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ManifestFilesTest {
  @TempDir
  private Path folder;

  @Test
  void foldersAreReadInTheOrderOfNames() throws IOException {
    write("20.yml");
    write("10.yaml");
    write("30.json");
    write("00.txt");
    Files.createDirectory(folder.resolve("15.yaml"));
    Path outside = write("40.txt");

    Manifests manifests = ManifestFiles.read(List.of(outside, folder));

    assertThat(manifests.items().stream().map(item -> item.name().orElseThrow()))
        .containsExactly("40.txt", "10.yaml", "20.yml", "30.json");
    assertThat(manifests.items().get(1).source())
        .isEqualTo(folder.resolve("10.yaml").toString());
  }

  @Test
  void aPathThatIsGivenTwiceIsReadTwice() throws IOException {
    Path file = write("10.yaml");

    assertThat(ManifestFiles.read(List.of(file, folder, file)).items())
        .extracting(Manifest::source)
        .hasSize(3)
        .containsOnly(file.toString());
  }

  @Test
  void everyFileThatCannotBeUnderstoodIsNamed() throws IOException {
    Path one = Files.writeString(folder.resolve("1.yaml"), "a: [");
    Path two = Files.writeString(folder.resolve("2.yaml"), "text");

    assertThatThrownBy(() -> ManifestFiles.read(List.of(folder)))
        .isInstanceOf(InputException.class)
        .hasMessageContainingAll(one.toString(), two.toString());
  }

  private Path write(String name) throws IOException {
    return Files.writeString(
        folder.resolve(name),
        "{\"apiVersion\": \"v1\", \"kind\": \"Namespace\", \"metadata\": {\"name\": \"" + name
            + "\"}}");
  }
}
