package io.kueue4j.examples.cli;

import com.google.common.base.CharMatcher;
import com.google.common.base.Throwables;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.InputFile;
import io.kueue4j.examples.simulation.TextFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** The options that say which cluster to use. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class KubeconfigOptions {
  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "Find the cluster by this file; by KUBECONFIG and so on unless set.")
  private Optional<Path> kubeconfig = Optional.empty();

  @Option(names = "--context", paramLabel = "NAME", description = "Take this context of the file.")
  private Optional<String> context = Optional.empty();

  KubeconfigOptions() {}

  /** {@return whether a cluster is named} */
  boolean isGiven() {
    return kubeconfig.isPresent() || context.isPresent();
  }

  /** {@return the name of the context, if one is given} */
  Optional<String> contextName() {
    return context;
  }

  /**
   * {@return how to connect}
   *
   * @throws InputException if the file cannot be read
   */
  Config config() {
    Config config =
        kubeconfig.map(this::read).orElseGet(() -> Config.autoConfigure(context.orElse(null)));
    context.ifPresent(name -> check(name, config));
    return config;
  }

  /** Refuses a context that does not exist, in place of which the client takes defaults. */
  private void check(String name, Config config) {
    List<NamedContext> known =
        Objects.requireNonNullElse(config.getContexts(), ImmutableList.<NamedContext>of());
    if (known.stream().noneMatch(each -> name.equals(each.getName()))) {
      throw new InputException("--context: there is no context " + name + " in "
          + kubeconfig.map(Path::toString).orElse("the kubeconfig")
          + (known.isEmpty()
              ? ", which has none"
              : "; there are "
                  + known.stream().map(NamedContext::getName).collect(Collectors.joining(", "))));
    }
  }

  private Config read(Path file) {
    try {
      if (CharMatcher.whitespace().matchesAllOf(TextFiles.read(InputFile.of(file)))) {
        throw new InputException(file + ": empty; expected a kubeconfig");
      }
      return Config.fromKubeconfig(context.orElse(null), file.toFile());
    } catch (InputException e) {
      throw e;
    } catch (NullPointerException e) {
      // The parser's exception for a missing list or mapping.
      throw new InputException(
          file + ": no kubeconfig; expected one with clusters, contexts and users", e);
    } catch (RuntimeException e) {
      // Any exception of the client's parser.
      throw new InputException(
          file + ": no kubeconfig: " + CharMatcher.whitespace().collapseFrom(e.toString(), ' '), e);
    }
  }

  /** {@return the exception for a cluster that does not answer as expected} */
  static InputException unusable(Config config, Exception failure) {
    return new InputException(
        "the cluster at " + config.getMasterUrl() + " cannot be used: " + cause(failure), failure);
  }

  /** {@return the failure of the connection, or else the root cause} */
  private static Throwable cause(Throwable failure) {
    return Throwables.getCausalChain(failure).stream()
        .filter(
            found -> found instanceof IOException && !found.getClass().equals(IOException.class))
        .findFirst()
        .orElseGet(() -> Throwables.getRootCause(failure));
  }
}
