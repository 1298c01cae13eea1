package io.kueue4j.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.util.concurrent.internal.InternalFutureFailureAccess;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A module that uses the engine with only the dependencies of the published POM. */
class ModulePathTest {
  /** Without Immutables, whose annotations are needed only to compile the engine. */
  private static final String MODULE_PATH = Stream.of(
          AdmissionEngine.class,
          ImmutableList.class,
          InternalFutureFailureAccess.class,
          NullMarked.class,
          CanIgnoreReturnValue.class)
      .map(type -> CompiledClasses.of(type).toString())
      .collect(joining(File.pathSeparator));

  /** The project that is also built against the published artifacts; see RELEASING.md. */
  private static final Path PROJECT = Path.of("src/it/modular/src/main/java");

  @TempDir
  Path directory;

  @Test
  void compilesWithoutAWarningAndRuns() throws Exception {
    assertThat(compile(consumer())).isEmpty();

    Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--module-path",
            MODULE_PATH + File.pathSeparator + directory.resolve("out"),
            "--module",
            "consumer/consumer.Main")
        .redirectErrorStream(true)
        .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);

    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output.lines()).containsExactly("false", "true");
  }

  @Test
  void cannotReachInternalPackages() throws IOException {
    String internal = consumer()
        .replace(
            "io.kueue4j.core.decision.Settings;",
            "io.kueue4j.core.decision.Settings;import io.kueue4j.core.internal.support.*;");

    assertThat(compile(internal))
        .contains("package io.kueue4j.core.internal.support is not visible");
  }

  private static String consumer() throws IOException {
    return Files.readString(PROJECT.resolve("consumer/Main.java"));
  }

  /** The messages of the compiler. */
  private String compile(String main) throws IOException {
    Path module = Files.copy(
        PROJECT.resolve("module-info.java"),
        directory.resolve("module-info.java"),
        REPLACE_EXISTING);
    Path type = Files.writeString(
        Files.createDirectories(directory.resolve("consumer")).resolve("Main.java"), main);
    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    int exitCode = ToolProvider.getSystemJavaCompiler()
        .run(
            null,
            messages,
            messages,
            "-Xlint:all",
            "-Werror",
            "--module-path",
            MODULE_PATH,
            "-d",
            directory.resolve("out").toString(),
            module.toString(),
            type.toString());
    assertThat(exitCode == 0).isEqualTo(messages.size() == 0);
    return messages.toString(UTF_8);
  }
}
