package io.kueue4j.examples.controller.configuration;

import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Sets;
import io.kueue4j.examples.controller.object.WatchedNodes;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The problems of the configuration and the nodes of a cluster; logs each when it appears, changes,
 * and is resolved. Not thread-safe.
 */
public final class ConfigurationProblems {
  private static final Logger LOG = LoggerFactory.getLogger(ConfigurationProblems.class);

  private final ClusterConfiguration configuration;
  private final WatchedNodes nodes;
  private ImmutableSortedMap<String, String> logged = ImmutableSortedMap.of();

  public ConfigurationProblems(ClusterConfiguration configuration, WatchedNodes nodes) {
    this.configuration = configuration;
    this.nodes = nodes;
  }

  /** {@return the present problems, by object} */
  public ImmutableSortedMap<String, String> all() {
    Map<String, String> problems = new TreeMap<>();
    configuration.problems().forEach((key, problem) -> problems.put(key.toString(), problem));
    problems.putAll(configuration.pools().problems());
    problems.putAll(nodes.problems());
    return ImmutableSortedMap.copyOf(problems);
  }

  /** Logs what has changed since the last call. */
  public void log() {
    ImmutableSortedMap<String, String> problems = all();
    Sets.difference(problems.entrySet(), logged.entrySet())
        .forEach(problem -> LOG.atWarn()
            .addKeyValue("object", problem.getKey())
            .addKeyValue("problem", problem.getValue())
            .log("configuration problem"));
    Sets.difference(logged.keySet(), problems.keySet())
        .forEach(object ->
            LOG.atInfo().addKeyValue("object", object).log("configuration problem resolved"));
    logged = problems;
  }
}
