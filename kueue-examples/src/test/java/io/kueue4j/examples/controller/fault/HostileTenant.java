package io.kueue4j.examples.controller.fault;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kueue4j.examples.controller.cluster.ApiRefusal;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A tenant who wants to run more than was admitted. It may write everything in its namespace, but
 * not the status of any object; it may resize its pods, and it knows every Workload of the cluster.
 */
final class HostileTenant {
  /** The namespace of the tenant. */
  static final String NAMESPACE = "hostile";

  /** The name of the tenant in the log of the cluster. */
  static final String ACTOR = "tenant";

  private static final String KUBELET = "kubelet";
  private static final Set<Integer> NEED_WITNESS = Set.of(9, 10, 17, 25, 26, 27, 30, 32);
  private static final String QUEUE = "kueue.x-k8s.io/queue-name";

  private final Random random;
  private final StrictCluster cluster;
  private final List<ObjectNode> workloads = new ArrayList<>();
  private int created;

  HostileTenant(Random random, StrictCluster cluster) {
    this.random = random;
    this.cluster = cluster;
    cluster.watch(this::see);
  }

  private void see(ApiWrite write) {
    ObjectNode after = write.after();
    if (after == null || write.actor().equals(ACTOR)) {
      return;
    }
    if (write.key().kind().equals("Workload")) {
      workloads.add(after);
    }
  }

  /** {@return the number of an attack} */
  int choose() {
    return random.nextInt(35);
  }

  /** {@return whether an attack removes what a controller must have seen before} */
  static boolean needsWitness(int attack) {
    return NEED_WITNESS.contains(attack);
  }

  /** Makes an attack on some object, if there is any. */
  void perform(int attack) {
    try {
      attack(attack);
    } catch (ApiRefusal e) {
      // The API server protects the object.
    }
  }

  private void attack(int choice) {
    switch (choice) {
      case 0 -> annotate();
      case 1, 2 -> edit(key -> true, tree -> spec(tree).put("suspend", random.nextBoolean()));
      case 3 ->
        edit(
            key -> key.kind().equals("Job"),
            tree -> spec(tree).put("parallelism", 1 + random.nextInt(4)));
      case 4 -> edit(key -> true, this::requeue);
      case 5 -> editTemplate();
      case 6 -> some(own("Job", "JobSet"), key -> cluster.delete(ACTOR, key));
      case 7 -> some(own("Pod"), key -> cluster.delete(ACTOR, key));
      case 8 -> createPod();
      case 9, 10, 17 ->
        some(
            own("Pod"),
            key -> write(key, tree -> Trees.child(tree, "spec").remove("schedulingGates")));
      case 11 -> forgeWorkload();
      case 12, 13 -> some(own("Workload"), key -> write(key, this::editSpecOfWorkload));
      case 14, 15 -> some(own("Workload"), key -> write(key, this::editMetadataOfWorkload));
      case 16 -> some(own("Workload"), key -> cluster.delete(ACTOR, key));
      case 18 ->
        edit(
            key -> true,
            tree -> labels(tree)
                .put("kueue.x-k8s.io/priority-class", random.nextBoolean() ? "low" : "high"));
      case 19 ->
        edit(
            key -> true,
            tree -> annotations(tree)
                .put("kueue.x-k8s.io/job-min-parallelism", "1")
                .put("kueue.x-k8s.io/elastic-job", "true"));
      case 20, 21 -> createMember();
      case 22 -> createSet();
      case 23 ->
        some(
            own("StatefulSet"),
            key -> write(key, tree -> spec(tree).put("replicas", random.nextInt(4))));
      case 25, 26 ->
        some(own("Pod"), key -> {
          write(key, HostileTenant::disown);
          write(key, tree -> labels(tree).removeAll());
        });
      case 27 -> some(own("Job"), this::orphan);
      case 28 -> some(own("Job"), this::createChild);
      case 29 -> createLargeMember();
      case 30 ->
        some(
            own("Workload"),
            key -> write(key, tree -> Trees.child(tree, "metadata").remove("finalizers")));
      case 31, 33, 34 -> some(own("Pod"), this::resize);
      case 32 ->
        some(own("Job"), key -> {
          write(key, HostileTenant::disown);
          write(key, tree -> spec(tree).put("parallelism", 4));
        });
      default ->
        edit(
            key -> true,
            tree -> labels(tree)
                .put(
                    "kueue.x-k8s.io/prebuilt-workload-name",
                    workloads.isEmpty() ? "none" : ObjectKey.of(pick(workloads)).name()));
    }
  }

  // ----- jobs

  private void annotate() {
    String[][] annotations = {
      {"kueue4j.io/active", random.nextBoolean() ? "false" : "true"},
      {"kueue4j.io/restarts", "0"},
      {"kueue4j.io/admission", "{\"clusterQueue\":\"cq0\"}"},
      {"kueue4j.io/fence", "2000-01-01T00:00:00Z"},
      {"kueue4j.io/admission-checks", "[{\"name\":\"budget\",\"state\":\"Ready\"}]"}
    };
    String[] chosen = annotations[random.nextInt(annotations.length)];
    edit(key -> true, tree -> annotations(tree).put(chosen[0], chosen[1]));
  }

  private void requeue(ObjectNode tree) {
    switch (random.nextInt(4)) {
      case 0 -> labels(tree).remove(QUEUE);
      case 1 -> labels(tree).put(QUEUE, "missing");
      default -> labels(tree).put(QUEUE, "lq" + random.nextInt(2));
    }
  }

  private void editTemplate() {
    edit(key -> key.kind().equals("Job"), tree -> {
      ObjectNode template = Trees.child(tree, "spec", "template", "spec");
      switch (random.nextInt(3)) {
        case 0 ->
          Trees.child(template, "nodeSelector").put(RandomCluster.POOL, "f" + random.nextInt(2));
        case 1 -> template.remove("nodeSelector");
        default ->
          ((ObjectNode) template.at("/containers/0/resources/requests"))
              .put("cpu", Integer.toString(1 + random.nextInt(3)));
      }
    });
  }

  /** Deletes a Job as {@code kubectl delete --cascade=orphan} does. */
  private void orphan(ObjectKey job) {
    String uid = uid(tree(job));
    own("Pod", "Workload").stream()
        .filter(key -> tree(key).at("/metadata/ownerReferences/0/uid").asText().equals(uid))
        .forEach(key -> write(key, HostileTenant::disown));
    cluster.delete(ACTOR, job);
  }

  private static void disown(ObjectNode tree) {
    Trees.child(tree, "metadata").remove("ownerReferences");
  }

  // ----- pods

  /**
   * Resizes a pod. Its node, if it has one, may follow, and may be late again when the tenant asks
   * for less: then only the status tells how large the pod is.
   */
  private void resize(ObjectKey pod) {
    JsonNode container = tree(pod).at("/spec/containers/0");
    boolean isGated = !tree(pod).at("/spec/schedulingGates").isEmpty();
    String larger = random.nextBoolean() ? "50" : "2";
    cluster.resize(ACTOR, pod, larger);
    if (!isGated && random.nextBoolean()) {
      cluster.edit(
          KUBELET,
          ApiWrite.Verb.REPLACE_STATUS,
          pod,
          tree -> Trees.child(tree, "status")
              .putArray("containerStatuses")
              .addObject()
              .put("name", container.path("name").asText())
              .putObject("resources")
              .putObject("requests")
              .put("cpu", larger));
      if (random.nextBoolean()) {
        cluster.resize(ACTOR, pod, container.at("/resources/requests/cpu").asText());
      }
    }
  }

  /** A pod that a Job seems to have created. */
  private void createChild(ObjectKey job) {
    ObjectNode pod = pod();
    labels(pod).removeAll();
    Trees.child(pod, "metadata").put("name", job.name() + "-" + created);
    spec(pod).remove("schedulingGates");
    own(Trees.child(pod, "metadata"), tree(job));
    cluster.create(ACTOR, Trees.toObject(pod));
  }

  /** A larger pod of a group, of the same role as the others if one believes its hash. */
  private void createLargeMember() {
    ObjectNode pod = pod();
    annotations(pod)
        .put("kueue.x-k8s.io/pod-group-name", "group" + random.nextInt(2))
        .put("kueue.x-k8s.io/pod-group-total-count", "2")
        .put("kueue.x-k8s.io/role-hash", "forged");
    labels(pod).put(QUEUE, "lq0");
    ((ObjectNode) pod.at("/spec/containers/0/resources/requests")).put("cpu", "50");
    cluster.create(ACTOR, Trees.toObject(pod));
  }

  /** A pod that is created without a gate is not managed, unless the API server has a guard. */
  private void createPod() {
    cluster.create(ACTOR, Trees.toObject(pod()));
  }

  /** One of two pods of a group. */
  private void createMember() {
    ObjectNode pod = pod();
    annotations(pod)
        .put("kueue.x-k8s.io/pod-group-name", "group" + random.nextInt(2))
        .put("kueue.x-k8s.io/pod-group-total-count", "2");
    if (random.nextBoolean()) {
      annotations(pod).put("kueue.x-k8s.io/role-hash", "forged");
    }
    labels(pod).put(QUEUE, "lq0");
    cluster.create(ACTOR, Trees.toObject(pod));
  }

  private void createSet() {
    created++;
    cluster.create(ACTOR, Trees.toObject(Trees.parse("""
        {"apiVersion": "apps/v1", "kind": "StatefulSet",
         "metadata": {"name": "db%d", "namespace": "%s", "labels": {"%s": "lq%d"}},
         "spec": {"replicas": %d, "serviceName": "db",
           "selector": {"matchLabels": {"app": "db"}},
           "template": {"metadata": {"labels": {"app": "db"}}, "spec": {"containers": [
             {"name": "main", "image": "sleep:1",
              "resources": {"requests": {"cpu": "1"}}}]}}}}
        """.formatted(
            created, NAMESPACE, QUEUE, random.nextInt(2), 1 + random.nextInt(3)))));
  }

  private ObjectNode pod() {
    created++;
    return Trees.parse("""
        {"apiVersion": "v1", "kind": "Pod",
         "metadata": {"name": "pod%d", "namespace": "%s", "labels": {"%s": "lq%d"}},
         "spec": {"restartPolicy": "Never",
           "schedulingGates": [{"name": "kueue.x-k8s.io/admission"}],
           "containers": [{"name": "main", "image": "sleep:1",
             "resources": {"requests": {"cpu": "1"}}}]}}
        """.formatted(created, NAMESPACE, QUEUE, random.nextInt(2)));
  }

  // ----- Workloads

  /** The server ignores the status of a new Workload. */
  private void forgeWorkload() {
    List<ObjectKey> jobs = own("Job", "JobSet", "Pod");
    if (workloads.isEmpty() || jobs.isEmpty()) {
      return;
    }
    ObjectNode job = tree(pick(jobs));
    ObjectNode forged = pick(workloads).deepCopy();
    ObjectNode metadata = Trees.child(forged, "metadata");
    metadata.remove(List.of("uid", "resourceVersion", "creationTimestamp", "generation"));
    metadata.put("namespace", NAMESPACE);
    own(metadata, job);
    if (random.nextBoolean()) {
      metadata.put("name", forgedName(job, metadata.path("name").asText()));
    }
    spec(forged).put("queueName", "lq0");
    cluster.create(ACTOR, Trees.toObject(forged));
  }

  /** A name of the form that the controller uses. */
  private String forgedName(ObjectNode job, String seen) {
    ObjectKey key = ObjectKey.of(job);
    return own("Workload").stream()
        .map(ObjectKey::name)
        .filter(name -> name.contains(key.name() + "-"))
        .findFirst()
        .map(name -> name.substring(0, name.length() - 5) + "aaaaa")
        .orElse(seen);
  }

  private static void own(ObjectNode metadata, ObjectNode job) {
    ArrayNode owners = metadata.putArray("ownerReferences");
    owners
        .addObject()
        .put("apiVersion", job.path("apiVersion").asText())
        .put("kind", job.path("kind").asText())
        .put("name", job.at("/metadata/name").asText())
        .put("uid", uid(job))
        .put("controller", true);
  }

  private void editSpecOfWorkload(ObjectNode tree) {
    JsonNode podSet = tree.at("/spec/podSets/0");
    switch (random.nextInt(5)) {
      case 0 -> {
        if (podSet instanceof ObjectNode object) {
          object.put("count", 1 + random.nextInt(3));
        }
      }
      case 1 -> {
        JsonNode requests = podSet.at("/template/spec/containers/0/resources/requests");
        if (requests instanceof ObjectNode object) {
          object.put("cpu", "0");
        }
      }
      case 2 -> spec(tree).put("queueName", "lq" + random.nextInt(2));
      case 3 -> spec(tree).put("active", random.nextBoolean());
      default -> spec(tree).remove("podSets");
    }
  }

  private void editMetadataOfWorkload(ObjectNode tree) {
    ObjectNode metadata = Trees.child(tree, "metadata");
    List<ObjectKey> jobs = own("Job", "JobSet", "Pod");
    switch (random.nextInt(4)) {
      case 0 -> metadata.remove("ownerReferences");
      case 1 -> {
        if (!jobs.isEmpty()) {
          own(metadata, tree(pick(jobs)));
        }
      }
      case 2 -> {
        String original = annotations(tree).path("kueue4j.io/original").asText();
        annotations(tree).put("kueue4j.io/original", original.replaceAll("\\d+", "0"));
      }
      default ->
        annotations(tree)
            .put(
                "kueue4j.io/original",
                workloads.isEmpty()
                    ? "{}"
                    : pick(workloads)
                        .at("/metadata/annotations/kueue4j.io~1original")
                        .asText("{}"));
    }
  }

  // ----- objects

  private List<ObjectKey> own(String... kinds) {
    List<String> wanted = List.of(kinds);
    return cluster.keys(key -> key.namespace().equals(NAMESPACE) && wanted.contains(key.kind()));
  }

  /** Edits one of its jobs, but not a Job of a JobSet. */
  private void edit(Predicate<ObjectKey> wanted, Consumer<ObjectNode> change) {
    some(
        own("Job", "JobSet").stream()
            .filter(wanted)
            .filter(key -> !new JobView(tree(key)).isChild())
            .toList(),
        key -> write(key, change));
  }

  private void write(ObjectKey key, Consumer<ObjectNode> change) {
    cluster.edit(ACTOR, ApiWrite.Verb.REPLACE, key, change);
  }

  private void some(List<ObjectKey> keys, Consumer<ObjectKey> action) {
    if (!keys.isEmpty()) {
      action.accept(pick(keys));
    }
  }

  private ObjectNode tree(ObjectKey key) {
    return Objects.requireNonNull(cluster.tree(key), key.toString());
  }

  private <T> T pick(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private static String uid(JsonNode tree) {
    return tree.at("/metadata/uid").asText();
  }

  private static ObjectNode spec(ObjectNode tree) {
    return Trees.child(tree, "spec");
  }

  private static ObjectNode annotations(ObjectNode tree) {
    return Trees.child(tree, "metadata", "annotations");
  }

  private static ObjectNode labels(ObjectNode tree) {
    return Trees.child(tree, "metadata", "labels");
  }
}
