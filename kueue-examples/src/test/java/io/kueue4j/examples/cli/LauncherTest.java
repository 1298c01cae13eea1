package io.kueue4j.examples.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The script {@code kueue4j}, with a Java that prints its arguments. */
@DisabledOnOs(OS.WINDOWS)
final class LauncherTest {
  private static final Path SCRIPT = Path.of("src/main/scripts/kueue4j");

  /**
   * Prints its arguments, and writes the archive that it is asked for. {@code -} prints standard
   * input, {@code long} waits for a signal.
   */
  private static final String FAKE_JAVA = """
      #!/bin/sh
      for argument in "$@"; do
        echo "$argument"
        case $argument in
          -XX:ArchiveClassesAtExit=*) echo classes >"${argument#*=}" ;;
          fail) exit 2 ;;
          -) cat ;;
          long)
            trap 'echo in order; exit 143' TERM
            echo waiting
            for i in $(seq 6000); do sleep 0.1; done
            ;;
        esac
      done
      """;

  @TempDir
  private Path folder;

  private Path home;
  private Path jar;
  private Path cache;

  private record Run(int exitCode, ImmutableList<String> out, String err) {}

  @BeforeEach
  void install() throws IOException {
    Path target = Files.createDirectory(folder.resolve("with space"));
    Files.copy(SCRIPT, target.resolve("kueue4j"));
    jar = Files.writeString(target.resolve("kueue-examples.jar"), "");
    Files.setLastModifiedTime(jar, FileTime.from(Instant.EPOCH));
    home = jdk("jdk", "17.0.15");
    cache = folder.resolve("cache");
  }

  private Path jdk(String name, String version) throws IOException {
    Path jdk = Files.createDirectories(folder.resolve(name));
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    Path java = Files.createDirectory(jdk.resolve("bin")).resolve("java");
    Files.writeString(java, FAKE_JAVA);
    assertThat(java.toFile().setExecutable(true)).isTrue();
    return jdk;
  }

  private Run run(Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    return run(jar.resolveSibling("kueue4j"), environment, arguments);
  }

  private Run run(Path script, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    Process process = start(script, environment, arguments);
    try (InputStream out = process.getInputStream()) {
      ImmutableList<String> lines =
          ImmutableList.copyOf(new String(out.readAllBytes(), UTF_8).lines().toList());
      return new Run(process.waitFor(), lines, Files.readString(folder.resolve("err")));
    }
  }

  private Process start(Path script, Map<String, String> environment, String... arguments)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(ImmutableList.<String>builder()
        .add("/bin/sh", script.toString())
        .add(arguments)
        .build());
    builder.directory(folder.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", System.getenv("PATH"));
    builder.environment().put("JAVA_HOME", home.toString());
    builder.environment().put("KUEUE4J_CACHE", cache.toString());
    builder.environment().putAll(environment);
    return builder
        .redirectInput(Files.writeString(folder.resolve("in"), "a job\n").toFile())
        .redirectError(folder.resolve("err").toFile())
        .start();
  }

  private ImmutableList<Path> archives() throws IOException {
    try (Stream<Path> files = Files.list(cache)) {
      return ImmutableList.copyOf(files.sorted().toList());
    }
  }

  @Test
  void passesOptionsToTheJvmAndArgumentsToTheProgram() throws Exception {
    Run run = run(Map.of("KUEUE4J_OPTS", "-Xmx4g -Dx=y"), "admit", "a b.yaml", "");

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).containsSubsequence("-Xmx4g", "-Dx=y", "-jar");
    assertThat(run.out().subList(run.out().indexOf("-jar") + 1, run.out().size()))
        .containsExactly(jar.toRealPath().toString(), "admit", "a b.yaml", "");
  }

  @Test
  void findsTheJarThroughSymbolicLinks() throws Exception {
    Path bin = Files.createDirectory(folder.resolve("bin"));
    Files.createSymbolicLink(bin.resolve("absolute"), jar.resolveSibling("kueue4j"));
    Path relative = Files.createSymbolicLink(bin.resolve("relative"), Path.of("absolute"));

    assertThat(run(relative, Map.of(), "--version").out())
        .containsSubsequence("-jar", jar.toRealPath().toString(), "--version");
  }

  @Test
  void findsJavaOnThePath() throws Exception {
    Run run = run(Map.of("JAVA_HOME", "", "PATH", home + "/bin:" + System.getenv("PATH")), "admit");
    assertThat(run.out()).contains("-jar", "admit");
  }

  @Test
  void saysWhereThereIsNoJava() throws Exception {
    Run run = run(Map.of("JAVA_HOME", folder.toString()), "admit");

    assertThat(run.exitCode()).isEqualTo(127);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .isEqualTo("error: JAVA_HOME is " + folder + ", which has no executable bin/java; expected"
            + " the folder of a JDK or JRE, version 17 or newer\n");
  }

  @Test
  void saysThatJavaIsTooOld() throws Exception {
    Path old = jdk("old", "11.0.2");

    Run run = run(Map.of("JAVA_HOME", old.toString()), "admit");

    assertThat(run.exitCode()).isEqualTo(127);
    assertThat(run.err())
        .isEqualTo("error: " + old + "/bin/java is Java 11.0.2; expected version 17 or newer: set"
            + " JAVA_HOME\n");
  }

  @Test
  void saysThatTheJarIsMissing() throws Exception {
    Files.delete(jar);

    Run run = run(Map.of(), "admit");

    assertThat(run.exitCode()).isEqualTo(127);
    assertThat(run.err()).startsWith("error: there is no ").contains("kueue-examples.jar");
  }

  @Test
  void theFirstCommandThatSucceedsLeavesAnArchiveForTheNext() throws Exception {
    assertThat(run(Map.of(), "admit", "fail").exitCode()).isEqualTo(2);
    assertThat(archives()).isEmpty();

    assertThat(run(Map.of(), "admit").exitCode()).isZero();
    assertThat(archives()).hasSize(1);

    assertThat(run(Map.of(), "harness").out())
        .contains("-XX:SharedArchiveFile=" + archives().get(0));
  }

  @Test
  void onlyAdmitLeavesAnArchive() throws Exception {
    assertThat(run(Map.of(), "simulate", "log.swf").out())
        .noneMatch(option -> option.contains("Archive"));
    assertThat(archives()).isEmpty();
  }

  @Test
  void standardInputReachesACommandThatLeavesAnArchive() throws Exception {
    assertThat(run(Map.of(), "admit", "-").out()).contains("a job");
    assertThat(archives()).hasSize(1);
  }

  /**
   * The exit status is the same as if the signal itself had reached the JVM. Where the tests were
   * started with INT ignored, as by {@code nohup} or in the background of a script, so is every
   * process that they start, and TERM ends the command.
   */
  @ParameterizedTest
  @CsvSource({"TERM, 143", "INT, 130"})
  void aSignalReachesACommandThatWouldLeaveAnArchive(String signal, int status) throws Exception {
    boolean ignored = isIgnored(signal);
    Process process = start(jar.resolveSibling("kueue4j"), Map.of(), "admit", "long");
    try (BufferedReader out = process.inputReader(UTF_8)) {
      while (!"waiting".equals(out.readLine())) {
        assertThat(process.isAlive()).isTrue();
      }
      kill(process, signal);
      if (ignored) {
        kill(process, "TERM");
      }
      assertThat(out.readLine()).isEqualTo("in order");
      assertThat(process.waitFor()).isEqualTo(ignored ? 143 : status);
    } finally {
      process.destroyForcibly();
    }
    assertThat(archives()).isEmpty();
  }

  /** {@return whether the processes that these tests start ignore a signal} */
  private static boolean isIgnored(String signal) throws IOException, InterruptedException {
    return new ProcessBuilder("sh", "-c", "kill -" + signal + " $$; exit 0")
            .start()
            .waitFor()
        == 0;
  }

  private static void kill(Process process, String signal)
      throws IOException, InterruptedException {
    assertThat(new ProcessBuilder("sh", "-c", "kill -" + signal + " " + process.pid())
            .start()
            .waitFor())
        .isZero();
  }

  @Test
  void anotherJavaHasAnotherArchiveAndANewVersionReplacesIt() throws Exception {
    assertThat(run(Map.of(), "admit").exitCode()).isZero();
    Run other = run(Map.of("JAVA_HOME", jdk("other", "25").toString()), "admit");
    assertThat(other.exitCode()).isZero();
    assertThat(archives()).hasSize(2);

    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"17.0.16\"\n");
    assertThat(run(Map.of(), "admit").exitCode()).isZero();
    assertThat(archives()).hasSize(2);
  }

  @Test
  void aNewJarReplacesTheArchive() throws Exception {
    assertThat(run(Map.of(), "admit").exitCode()).isZero();
    Files.setLastModifiedTime(jar, FileTime.from(Instant.now().plusSeconds(3600)));

    assertThat(run(Map.of(), "admit").out())
        .anyMatch(option -> option.startsWith("-XX:ArchiveClassesAtExit="));
    assertThat(archives()).hasSize(1);
  }

  @Test
  void worksWithoutAPlaceForArchives() throws Exception {
    List<Map<String, String>> environments = List.of(
        Map.of("KUEUE4J_CACHE", ""),
        Map.of("KUEUE4J_CACHE", jar.toString()),
        Map.of("KUEUE4J_CACHE", "/proc/kueue4j"));
    for (Map<String, String> environment : environments) {
      Run run = run(environment, "admit");
      assertThat(run.exitCode()).isZero();
      assertThat(run.err()).isEmpty();
      assertThat(run.out()).contains("admit").noneMatch(option -> option.contains("Archive"));
    }
  }

  @Test
  void onlyShortCommandsAreTunedForTheStart() throws Exception {
    String tuned = "-XX:TieredStopAtLevel=1";
    assertThat(run(Map.of(), "--version").out()).contains(tuned, "-XX:+UseSerialGC");
    assertThat(run(Map.of(), "--color=never", "admit").out()).contains(tuned);
    assertThat(run(Map.of(), "tpu", "fit").out()).contains(tuned);
    assertThat(run(Map.of(), "simulate", "log.swf").out()).contains(tuned, "-XX:+UseSerialGC");
    assertThat(run(Map.of(), "estimate", "state.yaml").out()).contains(tuned);
    assertThat(run(Map.of(), "compare", "log.swf").out()).doesNotContain(tuned);
    assertThat(run(Map.of(), "tpu", "study").out()).doesNotContain(tuned);
    assertThat(run(Map.of(), "harness").out()).doesNotContain(tuned);
    assertThat(run(Map.of("KUEUE4J_OPTS", "-XX:+UseG1GC"), "admit").out())
        .contains(tuned)
        .doesNotContain("-XX:+UseSerialGC");
  }
}
