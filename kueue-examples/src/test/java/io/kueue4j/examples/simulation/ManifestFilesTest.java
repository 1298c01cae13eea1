package io.kueue4j.examples.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.manifest.Manifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
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
    write("15.yaml/b.yaml");
    write("15.yaml/.hidden.yaml");
    Path outside = write("40.txt");

    Manifests manifests = read(outside, folder).manifests();

    assertThat(manifests.items().stream().map(item -> item.name().orElseThrow()))
        .containsExactly("40.txt", "10.yaml", "15.yaml/b.yaml", "20.yml", "30.json");
    assertThat(manifests.items().get(1).source())
        .isEqualTo(folder.resolve("10.yaml").toString());
  }

  @Test
  void aPathThatIsGivenTwiceIsReadTwice() throws IOException {
    Path file = write("10.yaml");

    assertThat(read(file, folder, file).manifests().items())
        .extracting(Manifest::source)
        .hasSize(3)
        .containsOnly(file.toString());
  }

  @Test
  void everyFileThatCannotBeUnderstoodIsNamed() throws IOException {
    Path one = Files.writeString(folder.resolve("1.yaml"), "a: [");
    Path two = Files.writeString(folder.resolve("2.yaml"), "metadata: {name: a}");

    assertThatThrownBy(() -> read(folder))
        .isInstanceOf(InputException.class)
        .hasMessageContainingAll(one.toString(), two.toString());
  }

  @Test
  void filesOfFoldersWithoutObjectsArePassedOver() throws IOException {
    Path object = write("object.json");
    ImmutableList<Path> others = ImmutableList.of(
        other("Chart.yaml", "apiVersion: v2\nname: chart\nversion: 1.0.0\n"),
        other("comment.yaml", "# nothing\n"),
        other("empty.yaml", ""),
        other("kustomization.yaml", """
            apiVersion: kustomize.config.k8s.io/v1beta1
            kind: Kustomization
            """),
        other("list.json", "[{\"kind\": \"Job\"}]"),
        other("marked.yaml", "\uFEFFimage:\r\n  kind: Job\r\n"),
        other("values.yaml", "replicas: 1\n---\njob:\n  kind: Job\n  metadata: {}\n"));

    other("beside.scenario.yaml", "name: a scenario\n");

    ManifestFiles.Result result = read(folder);

    assertThat(result.manifests().items())
        .extracting(Manifest::source)
        .containsExactly(object.toString());
    assertThat(result.passedOver()).isEqualTo(others);
  }

  @Test
  void aFileThatIsNamedMustHoldAnObject() throws IOException {
    Path values = other("values.yaml", "replicas: 1\n");
    assertThatThrownBy(() -> read(values))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("kind: missing");
  }

  @Test
  void aFolderWithoutObjectsIsAnError() throws IOException {
    other("values.yaml", "replicas: 1\n");
    assertThatThrownBy(() -> read(folder))
        .isInstanceOf(InputException.class)
        .hasMessage(folder + ": no Kubernetes object; expected at least one");
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aLinkThatLeadsBackIsFollowedOnce() throws IOException {
    Path inner = Files.createDirectory(folder.resolve("inner"));
    Path object = write("inner/a.yaml");
    Files.createSymbolicLink(inner.resolve("back"), folder);
    Files.createSymbolicLink(inner.resolve("self"), inner);

    assertThat(read(folder).manifests().items())
        .extracting(Manifest::source)
        .containsExactly(object.toString());
  }

  private static ManifestFiles.Result read(Path... paths) {
    return ManifestFiles.read(Arrays.stream(paths).map(InputFile::of).toList());
  }

  private Path other(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  private Path write(String name) throws IOException {
    return Files.writeString(
        folder.resolve(name),
        "{\"apiVersion\": \"v1\", \"kind\": \"Namespace\", \"metadata\": {\"name\": \"" + name
            + "\"}}");
  }
}
