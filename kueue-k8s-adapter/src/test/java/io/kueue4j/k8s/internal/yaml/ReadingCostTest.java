package io.kueue4j.k8s.internal.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import java.lang.management.ManagementFactory;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * Reading manifests may cost at most twice as much as parsing their YAML, which the library does.
 * What counts is the memory allocated on the way: it depends on the steps taken and not on the load
 * of the machine. A compiler that avoids some allocations moves the ratio between 1.65
 * (interpreted) and 1.9 (compiled).
 */
class ReadingCostTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final String LOCAL_QUEUES =
      IntStream.range(0, 2000).mapToObj("""
          ---
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: LocalQueue
          metadata: {namespace: ns, name: lq%d}
          spec: {clusterQueue: cq}
          """::formatted).collect(Collectors.joining());

  private static long allocated(Runnable action) {
    action.run();
    long before = THREADS.getCurrentThreadAllocatedBytes();
    action.run();
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }

  private static void parse() {
    LoadSettings settings = LoadSettings.builder().build();
    new ParserImpl(settings, new StreamReader(settings, LOCAL_QUEUES))
        .forEachRemaining(event -> {});
  }

  @Test
  void readingAddsLittleToParsing() {
    ManifestReader reader = ManifestReader.create();
    long parsing = allocated(ReadingCostTest::parse);
    long reading = allocated(() ->
        assertThat(reader.read(ManifestSource.of("file", LOCAL_QUEUES)).items()).hasSize(2000));

    assertThat((double) reading / parsing).isLessThan(2.0);
  }
}
