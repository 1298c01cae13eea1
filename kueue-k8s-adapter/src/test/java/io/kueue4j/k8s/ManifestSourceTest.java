package io.kueue4j.k8s;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.primitives.Bytes;
import io.kueue4j.k8s.manifest.ManifestException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManifestSourceTest {
  private static final String POD = "{apiVersion: v1, kind: Pod, metadata: {name: ä}}";

  private static Manifests read(ManifestSource source) {
    return ManifestReader.create().read(source);
  }

  @Test
  void readsFilesAndCallsThemByTheirPath(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("pod.yaml"), POD);

    ManifestSource source = ManifestSource.of(file);

    assertThat(source).hasToString(file.toString());
    assertThat(read(source).items().get(0).source()).isEqualTo(file.toString());
    assertThat(read(source).items().get(0).name()).hasValue("ä");
  }

  @Test
  void skipsAByteOrderMark() throws IOException {
    byte[] bytes = Bytes.concat(
        new byte[] {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF}, POD.getBytes(StandardCharsets.UTF_8));

    assertThat(read(ManifestSource.of("pod", new ByteArrayInputStream(bytes))).items())
        .hasSize(1);
    assertThat(read(ManifestSource.of("pod", '\uFEFF' + POD)).items()).hasSize(1);
  }

  @Test
  void namesTheByteThatIsNoText() throws IOException {
    byte[] bytes = "a: ä\nb: \u00e4".getBytes(StandardCharsets.ISO_8859_1);
    ManifestSource source = ManifestSource.of("latin1.yaml", new ByteArrayInputStream(bytes));

    assertThatThrownBy(() -> read(source))
        .isInstanceOf(ManifestException.class)
        .hasMessage("latin1.yaml: document 1, line 1, column 4: "
            + "byte 0xE4 at offset 3 is not UTF-8; is this a text file?");
  }

  @Test
  void namesTheByteWhereTextIsCutOff() throws IOException {
    byte[] bytes = {'a', ':', '\r', '\n', 'b', (byte) 0xC3};
    ManifestSource source = ManifestSource.of("cut.yaml", new ByteArrayInputStream(bytes));

    assertThatThrownBy(() -> read(source))
        .hasMessageContaining("line 2, column 2: byte 0xC3 at offset 5");
  }

  @Test
  void bytesThatAreNoTextAreReportedWithTheOtherSources() throws IOException {
    ManifestSource binary =
        ManifestSource.of("image", new ByteArrayInputStream(new byte[] {(byte) 0x89, 'P', 'N'}));

    assertThatThrownBy(() -> ManifestReader.create().read(binary, ManifestSource.of("empty", "")))
        .isInstanceOfSatisfying(
            ManifestException.class, e -> assertThat(e.problems()).hasSize(2));
  }

  @Test
  void aFolderIsAnIoErrorThatNamesIt(@TempDir Path folder) {
    assertThatThrownBy(() -> ManifestSource.of(folder))
        .isInstanceOf(FileSystemException.class)
        .hasMessage(folder + ": a folder; expected a file");
  }

  @Test
  void aMissingFileIsAnIoError() {
    assertThatThrownBy(() -> ManifestSource.of(Path.of("does-not-exist.yaml")))
        .isInstanceOf(IOException.class);
  }
}
