package io.kueue4j.core;

import static java.nio.charset.StandardCharsets.UTF_8;
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

  private static final String CONSUMER = """
      package consumer;

      import com.google.common.collect.ImmutableList;
      import io.kueue4j.core.AdmissionEngine;
      import io.kueue4j.core.decision.Settings;
      import io.kueue4j.core.model.ClusterQueue;
      import io.kueue4j.core.model.ConfigObject;
      import io.kueue4j.core.model.FlavorQuotas;
      import io.kueue4j.core.model.LabelSelector;
      import io.kueue4j.core.model.LocalQueue;
      import io.kueue4j.core.model.PodSet;
      import io.kueue4j.core.model.PodsReadyPolicy;
      import io.kueue4j.core.model.ResourceFlavor;
      import io.kueue4j.core.model.ResourceGroup;
      import io.kueue4j.core.model.ResourceQuota;
      import io.kueue4j.core.model.TopologyRequest;
      import io.kueue4j.core.model.Workload;
      import io.kueue4j.core.model.WorkloadStatus;

      public final class Main {
        private Main() {}

        public static void main(String[] arguments) {
          ImmutableList<ConfigObject> objects = ImmutableList.of(
              ResourceFlavor.of("on-demand"),
              ClusterQueue.builder()
                  .name("team")
                  .namespaceSelector(LabelSelector.everything())
                  .addResourceGroups(ResourceGroup.of(
                      FlavorQuotas.of("on-demand", ResourceQuota.of("cpu", "2"))))
                  .build(),
              LocalQueue.of("default", "main", "team"));
          AdmissionEngine engine = AdmissionEngine.create();
          engine.apply(objects);
          PodSet pods = PodSet.builder().count(1).request("cpu", "1").build();
          System.out.println(Settings.defaults().strictQuota());
          System.out.println(
              engine.tryAdmit(Workload.of("default", "job", "main", pods)).isAdmitted());
        }

        static ImmutableList<Object> othersWithDefaults(TopologyRequest request) {
          return ImmutableList.of(request, PodsReadyPolicy.builder(), WorkloadStatus.builder());
        }
      }
      """;

  @TempDir
  Path directory;

  @Test
  void compilesWithoutAWarningAndRuns() throws Exception {
    assertThat(compile(CONSUMER)).isEmpty();

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
    String internal = CONSUMER.replace(
        "io.kueue4j.core.decision.Settings;",
        "io.kueue4j.core.decision.Settings;import io.kueue4j.core.internal.support.*;");

    assertThat(compile(internal))
        .contains("package io.kueue4j.core.internal.support is not visible");
  }

  /** The messages of the compiler. */
  private String compile(String main) throws IOException {
    Path module = Files.writeString(
        directory.resolve("module-info.java"), "module consumer { requires io.kueue4j.core; }");
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
