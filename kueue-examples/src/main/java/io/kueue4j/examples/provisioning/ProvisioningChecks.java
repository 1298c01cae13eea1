package io.kueue4j.examples.provisioning;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodTemplate;
import io.fabric8.kubernetes.api.model.PodTemplateBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.examples.controller.configuration.ServedKinds;
import io.kueue4j.examples.controller.object.ClusterEvent;
import io.kueue4j.examples.controller.object.Json;
import io.kueue4j.examples.controller.object.ObjectCache;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.object.WatchedKind;
import io.kueue4j.examples.controller.record.KnownWorkloads;
import io.kueue4j.examples.controller.record.WorkloadObjects;
import io.kueue4j.examples.controller.watch.ClusterWatch;
import io.kueue4j.k8s.kueue.ImportedWorkload;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import io.kueue4j.k8s.pod.PodTemplates;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The controller of admission checks of the kind {@code kueue.x-k8s.io/provisioning-request}, on a
 * cluster whose admissions are recorded in Workload objects.
 *
 * <p>It reads and writes only what such a controller may: workloads and their check states,
 * ProvisioningRequests and the templates of their pods. All names follow from the workload, so a
 * repeated or interrupted pass creates nothing twice.
 *
 * <p>Thread-safe.
 */
public final class ProvisioningChecks implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProvisioningChecks.class);
  private static final Duration RETRY = Duration.ofSeconds(5);
  private static final String VERSION = "v1beta2";
  private static final String CHECK = "AdmissionCheck";
  private static final String CONFIG = "ProvisioningRequestConfig";
  private static final String FLAVOR = "ResourceFlavor";

  private static final ImmutableList<WatchedKind> KINDS = ImmutableList.of(
      ServedKinds.WORKLOAD,
      WatchedKind.generic(
          NodeRequest.GROUP, NodeRequest.VERSION, NodeRequest.KIND, "provisioningrequests", true),
      kind(CHECK, "admissionchecks"),
      kind(CONFIG, "provisioningrequestconfigs"),
      kind(FLAVOR, "resourceflavors"));

  private static final PatchContext APPLY = new PatchContext.Builder()
      .withPatchType(PatchType.SERVER_SIDE_APPLY)
      .withFieldManager("kueue4j-provisioning")
      .withForce(true)
      .build();

  private final KubernetesClient client;
  private final InstantSource clock;
  private final BooleanSupplier mayWrite;
  private final ScheduledExecutorService worker =
      Executors.newSingleThreadScheduledExecutor(new ThreadFactoryBuilder()
          .setNameFormat("provisioning-checks")
          .setDaemon(true)
          .build());

  private final ClusterWatch watch;

  /** Only the worker uses the fields below. */
  private final ObjectCache known = new ObjectCache();

  private final Set<ObjectKey> queued = new HashSet<>();

  private ProvisioningChecks(
      KubernetesClient client, InstantSource clock, BooleanSupplier mayWrite) {
    this.client = client;
    this.clock = clock;
    this.mayWrite = mayWrite;
    watch = new ClusterWatch(
        client, KINDS, ImmutableList.of(), event -> submit(() -> see(event), Duration.ZERO));
  }

  private static WatchedKind kind(String kind, String plural) {
    return WatchedKind.generic(KueueApiVersion.GROUP, VERSION, kind, plural, false);
  }

  /**
   * Starts the controller beside another one, if the cluster serves what such checks need.
   *
   * @return what ends it
   * @throws KubernetesClientException if the cluster cannot be asked
   */
  public static Runnable startIfServed(KubernetesClient client, BooleanSupplier mayWrite) {
    return areServed(client) ? start(client, InstantSource.system(), mayWrite)::close : () -> {};
  }

  private static boolean areServed(KubernetesClient client) {
    return client.supports(NodeRequest.GROUP + "/" + NodeRequest.VERSION, NodeRequest.KIND)
        && client.supports(KueueApiVersion.GROUP + "/" + VERSION, CONFIG)
        && client.supports(KueueApiVersion.GROUP + "/" + VERSION, ObjectKey.WORKLOAD);
  }

  /**
   * {@return the controller, which works until it is closed}
   *
   * @param client the cluster; not closed
   * @param clock the time of transitions
   * @param mayWrite asked before each pass; while it returns false, nothing is written
   */
  static ProvisioningChecks start(
      KubernetesClient client, InstantSource clock, BooleanSupplier mayWrite) {
    ProvisioningChecks started = new ProvisioningChecks(client, clock, mayWrite);
    started.submit(started::begin, Duration.ZERO);
    return started;
  }

  private void begin() {
    try {
      watch.start(() -> !worker.isShutdown()).ifPresent(objects -> {
        objects.forEach(object -> known.follow(ClusterEvent.changed(object)));
        activateAll();
        queueAll();
      });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Queues what a changed object concerns: a workload, its request, or all of them. */
  private void see(ClusterEvent event) {
    known.follow(event).ifPresent(object -> {
      ObjectKey key = ObjectKey.of(object);
      switch (key.kind()) {
        case ObjectKey.WORKLOAD -> queue(key);
        case NodeRequest.KIND ->
          object.getMetadata().getOwnerReferences().stream()
              .filter(owner -> owner.getKind().equals(ObjectKey.WORKLOAD))
              .forEach(owner ->
                  queue(KnownWorkloads.key(WorkloadId.of(key.namespace(), owner.getName()))));
        default -> {
          if (!key.kind().equals(FLAVOR)) {
            activateAll();
          }
          queueAll();
        }
      }
    });
  }

  private ImmutableList<GenericKubernetesResource> all(String group, String kind) {
    return known.all(group, kind, GenericKubernetesResource.class);
  }

  private Optional<GenericKubernetesResource> find(ObjectKey key) {
    return known.get(key).map(GenericKubernetesResource.class::cast);
  }

  private Optional<GenericKubernetesResource> find(String kind, String name) {
    return find(new ObjectKey(KueueApiVersion.GROUP, kind, "", name));
  }

  private void activateAll() {
    all(KueueApiVersion.GROUP, CHECK)
        .forEach(check -> submitWrite(() -> activate(check.getMetadata().getName())));
  }

  private void queueAll() {
    all(KueueApiVersion.GROUP, ObjectKey.WORKLOAD)
        .forEach(workload -> queue(ObjectKey.of(workload)));
  }

  private void queue(ObjectKey workload) {
    if (queued.add(workload)) {
      submitWrite(() -> {
        queued.remove(workload);
        find(workload).ifPresent(this::reconcile);
      });
    }
  }

  /** Submits what may write, and waits with it while another controller may be the leader. */
  private void submitWrite(Runnable work) {
    submit(
        () -> {
          if (mayWrite.getAsBoolean()) {
            work.run();
          } else {
            submit(() -> submitWrite(work), RETRY);
          }
        },
        Duration.ZERO);
  }

  private void submit(Runnable work, Duration delay) {
    try {
      Future<?> unused = worker.schedule(() -> run(work), delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("the provisioning checks were closed", e);
    }
  }

  private void run(Runnable work) {
    try {
      work.run();
    } catch (KubernetesClientException e) {
      // A conflict comes before the event of the change that caused it.
      LOG.atLevel(e.getCode() == HttpURLConnection.HTTP_CONFLICT ? Level.DEBUG : Level.WARN)
          .log("provisioning checks: {}; tried again in {} s", e.getMessage(), RETRY.toSeconds());
      submit(work, RETRY);
    } catch (RuntimeException e) {
      LOG.error("provisioning checks: a defect", e);
    }
  }

  // ----- one workload

  private void reconcile(GenericKubernetesResource object) {
    ImportedWorkload content;
    try {
      content = WorkloadObjects.read(object, PodTemplates.plain());
    } catch (IllegalArgumentException e) {
      LOG.warn("provisioning checks: {}", e.getMessage());
      return;
    }
    ProvisionedWorkload workload = ProvisionedWorkload.read(object, content);
    ImmutableList<NodeRequest> owned =
        owned(object).stream().map(NodeRequest::read).collect(ImmutableList.toImmutableList());
    List<AdmissionCheckState> changed = new ArrayList<>();
    List<ProvisioningPlan.NewRequest> wanted = new ArrayList<>();
    Set<String> kept = new HashSet<>();
    boolean hasChecks = false;
    for (AdmissionCheckState check : workload.checks()) {
      Optional<GenericKubernetesResource> definition = definition(check.name());
      if (definition.isEmpty()) {
        continue;
      }
      hasChecks = true;
      ProvisioningPlan plan =
          ProvisioningPlan.of(workload, check, definition.flatMap(this::config), owned);
      plan.state().ifPresent(changed::add);
      plan.create().ifPresent(wanted::add);
      plan.keep().ifPresent(kept::add);
    }
    if (!hasChecks && owned.isEmpty()) {
      return;
    }
    if (!changed.isEmpty()) {
      applyStatus(ProvisioningObjects.states(object, workload, changed, clock.instant()));
    }
    if (workload.hasQuota() || workload.isEvicted() || workload.isFinished()) {
      owned(object).stream()
          .filter(request -> !kept.contains(request.getMetadata().getName()))
          .forEach(request -> client.resource(request).delete());
    }
    for (ProvisioningPlan.NewRequest request : wanted) {
      create(object, content.admission(), request);
    }
  }

  private ImmutableList<GenericKubernetesResource> owned(GenericKubernetesResource workload) {
    return all(NodeRequest.GROUP, NodeRequest.KIND).stream()
        .filter(request -> Objects.equals(
            request.getMetadata().getNamespace(), workload.getMetadata().getNamespace()))
        .filter(request -> request.getMetadata().getOwnerReferences().stream()
            .anyMatch(owner -> owner.getUid().equals(workload.getMetadata().getUid())))
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return the check of that name, empty if another controller is responsible} */
  private Optional<GenericKubernetesResource> definition(String check) {
    return find(CHECK, check).filter(ProvisioningChecks::isResponsible);
  }

  private static boolean isResponsible(GenericKubernetesResource check) {
    return Json.tree(check)
        .path("spec")
        .path("controllerName")
        .asText()
        .equals(AdmissionCheck.PROVISIONING_REQUEST);
  }

  private Optional<ProvisioningConfig> config(GenericKubernetesResource check) {
    JsonNode parameters = Json.tree(check).path("spec").path("parameters");
    return parameters.path("kind").asText().equals(CONFIG)
            && parameters.path("apiGroup").asText().equals(KueueApiVersion.GROUP)
        ? find(CONFIG, parameters.path("name").asText()).map(ProvisioningConfig::read)
        : Optional.empty();
  }

  /** Creates the templates first: a request without them would fail. */
  private void create(
      GenericKubernetesResource workload,
      Optional<Admission> admission,
      ProvisioningPlan.NewRequest request) {
    for (RequestedPods pods : request.pods()) {
      createIfAbsent(ProvisioningObjects.template(
          workload,
          ProvisioningNames.podTemplate(request.name(), pods.podSet().name()),
          pods.podSet(),
          flavors(admission, pods.podSet().name())));
    }
    GenericKubernetesResource created =
        createIfAbsent(ProvisioningObjects.request(workload, request));
    LOG.info(
        "ProvisioningRequest {}/{} asks for nodes of class {}",
        created.getMetadata().getNamespace(),
        request.name(),
        request.className());
    request
        .pods()
        .forEach(pods ->
            hand(ProvisioningNames.podTemplate(request.name(), pods.podSet().name()), created));
  }

  private <T extends HasMetadata> T createIfAbsent(T object) {
    try {
      return client.resource(object).create();
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw e;
      }
      return client.resource(object).get();
    }
  }

  /** Hands a template over to its request, so that both are deleted together. */
  private void hand(String template, GenericKubernetesResource request) {
    @Nullable
    PodTemplate stored = client
        .resources(PodTemplate.class)
        .inNamespace(request.getMetadata().getNamespace())
        .withName(template)
        .get();
    if (stored != null
        && stored.getMetadata().getOwnerReferences().stream()
            .noneMatch(owner -> owner.getUid().equals(request.getMetadata().getUid()))) {
      client
          .resource(new PodTemplateBuilder(stored)
              .editMetadata()
              .withOwnerReferences(ProvisioningObjects.owner(request))
              .endMetadata()
              .build())
          .update();
    }
  }

  private ImmutableList<GenericKubernetesResource> flavors(
      Optional<Admission> admission, String podSet) {
    return admission.stream()
        .flatMap(present -> present.podSetAssignments().stream())
        .filter(assignment -> assignment.name().equals(podSet))
        .flatMap(assignment -> assignment.flavors().values().stream())
        .distinct()
        .flatMap(name -> find(FLAVOR, name).stream())
        .collect(ImmutableList.toImmutableList());
  }

  // ----- one check

  /** Says on a check whether its configuration exists; its queues admit nothing until then. */
  private void activate(String name) {
    Optional<GenericKubernetesResource> found = definition(name);
    if (found.isEmpty()) {
      return;
    }
    GenericKubernetesResource check = found.get();
    boolean isActive = config(check).isPresent();
    String status = isActive ? "True" : "False";
    for (JsonNode condition : Json.tree(check).path("status").path("conditions")) {
      if (condition.path("type").asText().equals("Active")
          && condition.path("status").asText().equals(status)) {
        return;
      }
    }
    applyStatus(ProvisioningObjects.activity(check, isActive, clock.instant()));
  }

  private void applyStatus(GenericKubernetesResource configuration) {
    client.resource(configuration).subresource("status").patch(APPLY, configuration);
  }

  @Override
  public void close() {
    watch.close();
    worker.shutdownNow();
  }
}
