package io.kueue4j.examples.docs;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.examples.docs.MarkdownPage.Block;
import io.kueue4j.k8s.KubernetesAdmission;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Java of the documentation is compiled: every {@code java} block stands between the lines
 * {@code // snippet} and {@code // end} of a source file of this module, or of the operator that
 * the testkit of the adapter is tested with. Declarations of modules are compiled here.
 */
class JavaBlocksTest {
  private static final Pattern SNIPPET =
      Pattern.compile("^ *// snippet\\n(.*?)^ *// end$", Pattern.DOTALL | Pattern.MULTILINE);
  private static final Pattern REQUIRES =
      Pattern.compile("^ *requires (?:static |transitive )*([\\w.]+);", Pattern.MULTILINE);

  private static final Pattern MODULE =
      Pattern.compile("^(?:open )?module [\\w.]+ \\{", Pattern.MULTILINE);
  private static final Pattern AUTOMATIC_NAME =
      Pattern.compile("<Automatic-Module-Name>([^<]+)</Automatic-Module-Name>");

  /** The files on the class path that a user of the adapter has. */
  private static final Pattern OF_THE_ADAPTER = Pattern.compile(".*[/\\\\](?:"
      + "(?:kueue-core|core)(?:[/\\\\]target[/\\\\]classes|[-.\\d]+(?:-SNAPSHOT)?\\.jar)"
      + "|(?:kubernetes-model-(?:core|common|batch|node|scheduling)"
      + "|jackson-(?:annotations|core|databind)|snakeyaml-engine|guava|failureaccess|jspecify"
      + "|error_prone_annotations)-[^/\\\\]*\\.jar)");

  @TempDir
  Path folder;

  private static ImmutableList<Block> blocks(boolean modules) {
    return MarkdownPage.documentation().stream()
        .flatMap(page -> page.blocks("java").stream())
        .filter(block -> MODULE.matcher(block.code()).find() == modules)
        .collect(toImmutableList());
  }

  private static ImmutableSet<String> snippets() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src"));
        Stream<Path> operator =
            Files.walk(MarkdownPage.ROOT.resolve("kueue-k8s-adapter/src/it/operator"))) {
      return Stream.concat(files, operator)
          .filter(file -> file.toString().endsWith(".java"))
          .flatMap(file -> SNIPPET.matcher(read(file)).results())
          .map(match -> match.group(1).stripTrailing().stripIndent() + "\n")
          .collect(toImmutableSet());
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void standInSourceFiles() throws IOException {
    ImmutableSet<String> snippets = snippets();

    assertThat(blocks(false))
        .isNotEmpty()
        .allSatisfy(block -> assertThat(snippets).contains(block.code()));
  }

  @Test
  void everySnippetStandsInTheDocumentation() throws IOException {
    assertThat(snippets())
        .isSubsetOf(blocks(false).stream().map(Block::code).collect(toImmutableSet()));
  }

  /** With classes of the module that use what the adapter takes and gives. */
  @Test
  void declarationsOfModulesCompileWithoutAWarning() throws IOException {
    Matcher user = SNIPPET.matcher(
        Files.readString(Path.of("src/main/java/io/kueue4j/examples/docs/JobAdmission.java")));
    assertThat(user.find()).isTrue();
    Path type = Files.writeString(
        Files.createDirectories(folder.resolve("own")).resolve("JobAdmission.java"),
        "package own;\n" + user.group(1));
    Path pod = Files.writeString(type.resolveSibling("Pods.java"), """
            package own;

            import io.fabric8.kubernetes.api.model.Pod;
            import io.fabric8.kubernetes.api.model.PodBuilder;

            final class Pods {
              Pod create() {
                return new PodBuilder().withNewMetadata().endMetadata().build();
              }
            }
            """);

    assertThat(blocks(true)).isNotEmpty().allSatisfy(block -> {
      assertThat(messages(block.code(), type, pod)).isEmpty();
      assertThat(messages(block.code().replaceAll(".*io.kueue4j.k8s.*\n", ""), type, pod))
          .isNotEmpty();
    });
  }

  private String messages(String module, Path... types) throws IOException {
    ImmutableList<Path> all = jars();
    ImmutableSet<Path> modules = modulePath(module, all);
    List<String> arguments = new ArrayList<>(List.of("-Xlint:all", "-Werror"));
    arguments.addAll(List.of("--module-path", path(modules.stream())));
    arguments.addAll(
        List.of("--class-path", path(all.stream().filter(jar -> !modules.contains(jar)))));
    arguments.addAll(List.of("-d", folder.resolve("out").toString()));
    arguments.add(Files.writeString(folder.resolve("module-info.java"), module).toString());
    Stream.of(types).map(Path::toString).forEach(arguments::add);
    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    int exitCode = ToolProvider.getSystemJavaCompiler()
        .run(null, messages, messages, arguments.toArray(String[]::new));
    assertThat(exitCode == 0).isEqualTo(messages.size() == 0);
    return messages.toString(UTF_8);
  }

  private static String path(Stream<Path> jars) {
    return jars.map(Path::toString).collect(joining(File.pathSeparator));
  }

  /**
   * {@return what Maven puts on the module path: the modules that a declaration requires, and those
   * that these declare to require, which automatic modules do not}
   */
  private static ImmutableSet<Path> modulePath(String module, ImmutableList<Path> jars) {
    ModuleFinder finder = ModuleFinder.of(jars.toArray(Path[]::new));
    Set<Path> path = new LinkedHashSet<>();
    Deque<String> required = new ArrayDeque<>();
    REQUIRES.matcher(module).results().forEach(each -> required.add(each.group(1)));
    while (!required.isEmpty()) {
      finder.find(required.remove()).ifPresent(found -> {
        if (path.add(Path.of(found.location().orElseThrow()))) {
          found.descriptor().requires().forEach(each -> required.add(each.name()));
        }
      });
    }
    return ImmutableSet.copyOf(path);
  }

  private ImmutableList<Path> jars() throws IOException {
    return Stream.concat(
            Stream.of(adapter()),
            Splitter.on(File.pathSeparatorChar)
                .splitToStream(System.getProperty("java.class.path"))
                .filter(OF_THE_ADAPTER.asMatchPredicate())
                .map(Path::of))
        .map(Path::toAbsolutePath)
        .collect(toImmutableList());
  }

  /** The adapter as a jar with the name that it is published with. */
  private Path adapter() throws IOException {
    Path classes;
    try {
      classes = Path.of(KubernetesAdmission.class
          .getProtectionDomain()
          .getCodeSource()
          .getLocation()
          .toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
    if (!Files.isDirectory(classes)) {
      return classes;
    }
    Matcher name = AUTOMATIC_NAME.matcher(
        Files.readString(MarkdownPage.ROOT.resolve("kueue-k8s-adapter/pom.xml")));
    assertThat(name.find()).isTrue();
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Automatic-Module-Name", name.group(1));
    Path jar = folder.resolve("adapter.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest);
        Stream<Path> files = Files.walk(classes)) {
      for (Path each : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        String entry = classes.relativize(each).toString().replace(File.separatorChar, '/');
        if (!entry.startsWith("META-INF/MANIFEST")) {
          out.putNextEntry(new JarEntry(entry));
          Files.copy(each, out);
        }
      }
    }
    return jar;
  }
}
