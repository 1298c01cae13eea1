package io.kueue4j.examples.controller.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.kueue4j.examples.controller.Await;
import io.kueue4j.examples.controller.object.ClusterEvent;
import io.kueue4j.examples.controller.object.ObjectCache;
import io.kueue4j.examples.controller.object.WatchedKind;
import io.kueue4j.examples.controller.watch.ClusterHttpFactory;
import io.kueue4j.examples.controller.watch.ClusterWatch;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is known of a cluster after its connection or a permission was lost. */
class ClusterWatchTest {
  private static final ImmutableList<WatchedKind> KINDS =
      ImmutableList.of(WatchedKind.of(ConfigMap.class));

  /** So long that a busy machine answers in time. */
  private static final int MAX_SILENCE_MILLIS = 3000;

  private final List<ClusterEvent> events = new CopyOnWriteArrayList<>();
  private StrictMockServer server;
  private KubernetesClient direct;
  private CuttableProxy proxy;
  private KubernetesClient client;
  private ClusterWatch watch;

  @BeforeEach
  void start() throws Exception {
    server = StrictMockServer.start(ServerVersion.KUBERNETES_1_35, InstantSource.system());
    direct = server.client();
    proxy =
        CuttableProxy.start(URI.create(direct.getConfiguration().getMasterUrl()).getPort());
    Config config = new ConfigBuilder()
        .withMasterUrl("http://127.0.0.1:" + proxy.port())
        .withRequestTimeout(MAX_SILENCE_MILLIS)
        .withWebsocketPingInterval((long) MAX_SILENCE_MILLIS)
        .build();
    client = new KubernetesClientBuilder()
        .withConfig(config)
        .withHttpClientFactory(new ClusterHttpFactory(config))
        .build();
    watch = new ClusterWatch(client, KINDS, ImmutableList.of(), events::add);
  }

  @AfterEach
  void stop() throws Exception {
    watch.close();
    client.close();
    proxy.close();
    direct.close();
    server.close();
  }

  private ConfigMap create(String name, String value) {
    return direct
        .resource(new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("default")
            .withName(name)
            .endMetadata()
            .withData(Map.of("key", value))
            .build())
        .create();
  }

  private void delete(ConfigMap map) {
    var unused = direct.resource(map).delete();
  }

  private static String of(boolean isDeleted, HasMetadata object) {
    ObjectMeta metadata = object.getMetadata();
    return (isDeleted ? "deleted " : "changed ") + metadata.getName() + " " + metadata.getUid();
  }

  private List<String> seen() {
    return events.stream().map(event -> of(event.isDeleted(), event.object())).toList();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatChangesDuringAnOutageIsReportedAfterIt(boolean isForgotten) throws Exception {
    ConfigMap deleted = create("deleted", "1");
    ConfigMap replaced = create("replaced", "1");
    ConfigMap changed = create("changed", "1");
    ConfigMap same = create("same", "1");
    assertThat(watch.start(() -> true).orElseThrow())
        .extracting(object -> of(false, object))
        .containsExactlyInAnyOrder(
            of(false, deleted), of(false, replaced), of(false, changed), of(false, same));
    Await.until("it is followed", () -> watch.problems().isEmpty());
    assertThat(events).isEmpty();

    proxy.cut(true);
    delete(deleted);
    delete(replaced);
    ConfigMap other = create("replaced", "2");
    ConfigMap edited = direct
        .resource(new ConfigMapBuilder(changed).addToData("key", "2").build())
        .update();
    ConfigMap created = create("created", "1");
    if (isForgotten) {
      server.forgetHistory();
    }
    proxy.cut(false);

    Await.until("all is known", () -> seen().size() >= 5);
    assertThat(seen())
        .containsExactlyInAnyOrder(
            of(true, deleted),
            of(true, replaced),
            of(false, other),
            of(false, edited),
            of(false, created))
        .containsSubsequence(of(true, replaced), of(false, other));
    assertThat(events)
        .filteredOn(event -> event.object().getMetadata().getName().equals("changed"))
        .extracting(event -> ((ConfigMap) event.object()).getData())
        .containsExactly(Map.of("key", "2"));
  }

  @Test
  void afterFailuresOfAllSortsItKnowsWhatIsThere() throws Exception {
    Random random = new Random(7);
    Map<String, ConfigMap> maps = new TreeMap<>();
    assertThat(watch.start(() -> true).orElseThrow()).isEmpty();
    for (int step = 0; step < 60; step++) {
      String name = "map-" + random.nextInt(5);
      ConfigMap map = maps.get(name);
      if (map == null) {
        maps.put(name, create(name, "step " + step));
      } else if (random.nextBoolean()) {
        maps.put(
            name,
            direct
                .resource(
                    new ConfigMapBuilder(map).addToData("key", "step " + step).build())
                .update());
      } else {
        delete(map);
        maps.remove(name);
      }
      switch (random.nextInt(8)) {
        case 0 -> proxy.cut(true);
        case 1 -> server.forgetHistory();
        case 2 -> server.forbid(request -> request.equals("GET configmaps"));
        case 3 -> server.forbid(unused -> false);
        default -> proxy.cut(false);
      }
      Thread.sleep(random.nextInt(100));
    }
    server.forbid(unused -> false);
    proxy.cut(false);

    Await.until(
        "all is known", () -> known().equals(uids(maps)) && watch.problems().isEmpty());
  }

  private static Map<String, String> uids(Map<String, ? extends HasMetadata> objects) {
    Map<String, String> uids = new TreeMap<>();
    objects.forEach((name, object) -> uids.put(
        name, object.getMetadata().getUid() + " " + object.getMetadata().getResourceVersion()));
    return uids;
  }

  private Map<String, String> known() {
    ObjectCache cache = new ObjectCache();
    events.forEach(cache::follow);
    Map<String, HasMetadata> known = new TreeMap<>();
    cache
        .all("", "ConfigMap", HasMetadata.class)
        .forEach(object -> known.put(object.getMetadata().getName(), object));
    return uids(known);
  }

  @Test
  void aDeadConnectionIsNoticed() throws Exception {
    ConfigMap deleted = create("deleted", "1");
    create("same", "1");
    var unused = watch.start(() -> true);
    Await.until("it begins a watch", () -> proxy.webSocketCount() > 0);
    proxy.freezeWebSockets();
    delete(deleted);
    ConfigMap created = create("created", "1");

    Await.until("all is known", () -> seen().size() >= 2);

    assertThat(seen()).containsExactlyInAnyOrder(of(true, deleted), of(false, created));
    assertThat(watch.problems()).isEmpty();
  }

  @Test
  void aHandshakeWithoutAnswerIsTriedAgain() throws Exception {
    proxy.ignoreHandshakes(true);
    var unused = watch.start(() -> true);
    Await.until("it begins a watch", () -> proxy.webSocketCount() > 0);
    proxy.ignoreHandshakes(false);

    ConfigMap created = create("created", "1");

    Await.until("all is known", () -> !events.isEmpty());
    assertThat(seen()).containsExactly(of(false, created));
  }

  @Test
  void itSaysWhatIsNotFollowedAndWhy() throws Exception {
    assertThat(watch.problems()).as("at the beginning").isEmpty();
    server.forbid(request -> request.equals("GET configmaps"));
    Thread starting = new Thread(() -> {
      try {
        var unused = watch.start(() -> true);
      } catch (InterruptedException e) {
        throw new IllegalStateException("nothing interrupts it", e);
      }
    });
    starting.start();
    Await.until(
        "it says what it may not", () -> watch.problems().toString().contains("GET configmaps"));
    assertThat(watch.problems().get(0))
        .matches("configmaps: not up to date for \\d+ s\\. forbidden: .*");
    assertThat(starting.isAlive()).isTrue();
    server.forbid(unused -> false);
    starting.join();
    Await.until("it is followed", () -> watch.problems().isEmpty());

    proxy.cut(true);
    Await.until("it says so", () -> !watch.problems().isEmpty());
    assertThat(watch.problems().get(0))
        .matches("configmaps: not up to date for \\d+ s\\. The watch does not connect");
    proxy.cut(false);
    Await.until("it is followed again", () -> watch.problems().isEmpty());

    server.forbid(request -> request.equals("GET configmaps"));
    proxy.cut(true);
    proxy.cut(false);
    Await.until(
        "it says what it may not", () -> watch.problems().toString().contains("GET configmaps"));
    server.forbid(unused -> false);
    Await.until("it is followed at last", () -> watch.problems().isEmpty());
  }
}
