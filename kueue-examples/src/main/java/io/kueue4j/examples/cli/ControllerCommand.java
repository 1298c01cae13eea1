package io.kueue4j.examples.cli;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Iterables;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.examples.controller.Controller;
import io.kueue4j.examples.controller.ControllerSetup;
import io.kueue4j.examples.controller.configuration.MissingDefinitionException;
import io.kueue4j.examples.controller.lease.LeaseName;
import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.examples.controller.watch.ClusterHttpFactory;
import io.kueue4j.examples.dryrun.DryRun;
import io.kueue4j.examples.logging.LogFormat;
import io.kueue4j.examples.logging.LogLevel;
import io.kueue4j.examples.logging.Logs;
import io.kueue4j.examples.provisioning.ProvisioningChecks;
import io.kueue4j.examples.server.ClusterAccess;
import io.kueue4j.examples.server.ServerSecurity;
import io.kueue4j.examples.server.TlsFiles;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.InputFile;
import io.kueue4j.examples.simulation.ManifestFiles;
import io.kueue4j.examples.simulation.ManifestPlayer;
import io.kueue4j.examples.simulation.TextFiles;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.job.JobKind;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.job.SubmissionPolicy;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Admits the jobs of a cluster, or prints what it would do with the jobs of manifests. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
@Command(
    name = "controller",
    description = {
      "Admits the jobs of a cluster: suspends jobs that run without quota, starts admitted jobs"
          + " with their assignment, and stops evicted ones.",
      "Finds the cluster like kubectl, or by the service account of its pod. Works until it is"
          + " terminated (SIGTERM); its state is written to Workloads, so another can take over."
    },
    exitCodeList = {"0:terminated, or done", "2:the input, or the cluster, cannot be used"},
    footerHeading = ExampleCommand.EXAMPLES,
    footer = {"  kueue4j controller", "  kueue4j controller --dry-run cluster/"})
public final class ControllerCommand extends ExampleCommand {
  private static final Duration SHUTDOWN = Duration.ofSeconds(20);
  private static final Duration GUARD_INTERVAL = Duration.ofMinutes(1);
  private static final Duration QUEUE_STATUS_INTERVAL = Duration.ofSeconds(5);
  private static final int MAX_PORT = 65_535;
  private static final int REQUEST_TIMEOUT_MILLIS = 5_000;

  @Option(
      names = "--dry-run",
      paramLabel = "PATH",
      arity = "1..*",
      description = "Play these files and folders with manifests without a cluster, and print which"
          + " jobs would be started, with what node selectors, and why others wait.")
  private List<InputFile> dryRun = ImmutableList.of();

  @Mixin
  private KubeconfigOptions kubeconfig;

  @Option(
      names = "--namespace",
      paramLabel = "NAME",
      description = "Look at jobs of this namespace only. May be repeated.")
  private List<String> namespaces = ImmutableList.of();

  @Option(
      names = "--queues",
      paramLabel = "PATH",
      description = "Take flavors and queues from this file or folder, and not from the cluster."
          + " May be repeated.")
  private List<InputFile> queues = ImmutableList.of();

  @Option(
      names = "--port",
      paramLabel = "NUMBER",
      defaultValue = "8080",
      description = "Serve a page at /, /metrics for Prometheus, /healthz and /readyz there;"
          + " ${DEFAULT-VALUE} unless set.")
  private int port;

  @Option(
      names = "--bind",
      paramLabel = "ADDRESS",
      description = "Listen on this address only, such as localhost; on all unless set.")
  private Optional<String> bind = Optional.empty();

  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      description = "Serve HTTPS with the certificates in this file (PEM); read again when it"
          + " changes. Needs --tls-key.")
  private Optional<Path> tlsCertificate = Optional.empty();

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "The key of --tls-cert (PEM, not encrypted).")
  private Optional<Path> tlsKey = Optional.empty();

  @Option(
      names = "--authenticate",
      description = "Serve page and metrics to users of the cluster only, by bearer token: the jobs"
          + " of namespaces where they may list jobs, and metrics to those who may get the path"
          + " /metrics. Needs the right to create tokenreviews and subjectaccessreviews.")
  private boolean authenticate;

  @Option(
      names = "--lease-namespace",
      paramLabel = "NAME",
      description = "The namespace of the lease that the one controller holds which works; the"
          + " namespace of the context or pod unless set.")
  private Optional<String> leaseNamespace = Optional.empty();

  @Option(
      names = "--lease-name",
      paramLabel = "NAME",
      defaultValue = "kueue4j-controller",
      description = "The name of the lease; ${DEFAULT-VALUE} unless set.")
  private String leaseName;

  @Option(
      names = "--identity",
      paramLabel = "NAME",
      description =
          "The name to hold the lease under, before a random part; the host's name unless set.")
  private Optional<String> identity = Optional.empty();

  @Option(
      names = "--no-leader-election",
      description = "Work at once: there is no other controller.")
  private boolean noLeaderElection;

  @Option(
      names = "--concurrent-writes",
      paramLabel = "NUMBER",
      defaultValue = "16",
      description = "Write this many jobs at a time at most; ${DEFAULT-VALUE} unless set.")
  private int concurrentWrites;

  @Option(
      names = "--fair-sharing",
      description = "Share what is borrowed fairly among the queues of a cohort.")
  private boolean fairSharing;

  @Option(
      names = "--usage-half-life",
      paramLabel = "DURATION",
      description = "The time after which the usage of a LocalQueue counts half, such as P7D or"
          + " PT1H, for ClusterQueues with UsageBasedAdmissionFairSharing. With --queue-status a"
          + " controller goes on from the usage that the one before it has written.")
  private Optional<Duration> usageHalfLife = Optional.empty();

  @Mixin
  private BackfillOptions backfill;

  @Option(
      names = KueueVersionOption.NAME,
      paramLabel = "VERSION",
      converter = KueueVersionOption.class,
      description =
          "Decide as this release of Kueue does, such as 0.19.7; as Kueue 0.20 unless set.")
  private KueueVersion kueueVersion = KueueVersion.defaultVersion();

  @Option(
      names = "--strict-quota",
      description = "Start jobs only when those that make room for them have stopped.")
  private boolean strictQuota;

  @Option(
      names = "--wait-for-pods-ready",
      description = "Stop jobs whose pods are not ready in time, and try them again later.")
  private boolean waitForPodsReady;

  @Option(
      names = "--queue-status",
      description = "Write the status of the cluster's ClusterQueues and LocalQueues, every 5 s at"
          + " most. Not where Kueue runs too: it writes the same. Needs the right to update"
          + " clusterqueues/status and localqueues/status.")
  private boolean queueStatus;

  @Mixin
  private TpuSlicesOption tpuSlices;

  @Option(
      names = "--kinds",
      paramLabel = "FILE",
      description = "Admit jobs of the kinds, too, that this file declares by the places of their"
          + " fields. May be repeated.")
  private List<Path> kinds = ImmutableList.of();

  @Option(
      names = "--no-restart-backoff",
      description =
          "Queue jobs at once, as Kueue does, that are preempted again and again as soon as"
              + " they have started; unless set they wait longer each time.")
  private boolean noRestartBackoff;

  @Option(
      names = "--log-format",
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "How to log on standard error, one line per record: ${COMPLETION-CANDIDATES};"
          + " ${DEFAULT-VALUE} unless set.")
  private LogFormat logFormat;

  @Option(
      names = "--log-level",
      paramLabel = "LEVEL",
      defaultValue = "info",
      description = "The least severe records to log: ${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE}"
          + " unless set.")
  private LogLevel logLevel;

  @Option(
      names = "--legacy-queue-annotation",
      description = "Let jobs name their queue by the annotation, as before Kueue v0.15; always so"
          + " with --dry-run.")
  private boolean legacyQueueAnnotation;

  @Option(
      names = "--require-scheduler",
      paramLabel = "RESOURCE=SCHEDULER",
      description =
          "Refuse jobs with a container that has a limit of this resource unless they name"
              + " that scheduler. May be repeated.")
  private Map<String, String> requiredSchedulers = ImmutableMap.of();

  /** Creates the command; the command line sets its arguments. */
  public ControllerCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    if (port < 0 || port > MAX_PORT) {
      throw new ParameterException(
          spec.commandLine(), "--port is " + port + ", expected 0 to " + MAX_PORT);
    }
    if (tlsCertificate.isPresent() != tlsKey.isPresent()) {
      throw new ParameterException(
          spec.commandLine(), "expected --tls-cert and --tls-key, or neither; given was one");
    }
    if (queueStatus && !queues.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "--queue-status writes to queues of the cluster, and --queues takes others; expected one"
              + " of both");
    }
    if (usageHalfLife.filter(Duration::isNegative).isPresent()) {
      throw new ParameterException(
          spec.commandLine(),
          "--usage-half-life is " + usageHalfLife.get() + ", expected PT0S or more");
    }
    if (dryRun.isEmpty()) {
      serve();
    } else {
      play();
    }
    return ExitCodes.OK;
  }

  private ControllerOptions options() {
    Settings.Builder settings =
        Settings.builder().kueueVersion(kueueVersion).strictQuota(strictQuota);
    if (fairSharing) {
      settings.fairSharing();
    }
    usageHalfLife.map(AdmissionFairSharing::of).ifPresent(settings::admissionFairSharing);
    backfill.choice().apply(Optional.empty()).ifPresent(settings::backfill);
    if (waitForPodsReady) {
      settings.podsReady(PodsReadyPolicy.defaults());
    }
    return ControllerOptions.defaults()
        .withSettings(settings.build())
        .withMoreKinds(declaredKinds())
        .withTpuSlices(tpuSlices.isSet())
        .withRestartBackoff(!noRestartBackoff)
        .withLegacyQueueAnnotation(legacyQueueAnnotation || !dryRun.isEmpty())
        .withPolicies(requiredSchedulers.entrySet().stream()
            .map(rule -> policy(rule.getKey(), rule.getValue()))
            .toArray(SubmissionPolicy[]::new));
  }

  private ImmutableList<JobKind<?>> declaredKinds() {
    ImmutableList.Builder<JobKind<?>> declared = ImmutableList.builder();
    for (Path file : kinds) {
      try {
        declared.addAll(KindDeclarations.read(TextFiles.read(InputFile.of(file))));
      } catch (IllegalArgumentException e) {
        throw new InputException(file + ": " + e.getMessage(), e);
      }
    }
    try {
      var unused = JobKinds.of(Iterables.concat(JobKinds.all().asList(), declared.build()));
    } catch (IllegalArgumentException e) {
      throw new InputException("--kinds: a kind is declared that is known: " + e.getMessage(), e);
    }
    return declared.build();
  }

  private static SubmissionPolicy policy(String resource, String scheduler) {
    return SubmissionPolicy.builder()
        .resource(resource)
        .schedulerName(scheduler)
        .message("spec.schedulerName value must be `" + scheduler + "` when you use " + resource)
        .build();
  }

  private void play() {
    Notes notes = new Notes(false, spec.commandLine().getErr());
    Manifests manifests = notes.add(
        ManifestFiles.read(dryRun, options().kinds().apply(JobKinds.TrainingRuntimes.none())));
    // Reports the positions of problems in the files.
    ManifestPlayer.of(manifests, options().settings(), tpuSlices.isSet())
        .warnings()
        .forEach(notes::addWarning);
    notes.finish();
    PrintWriter out = spec.commandLine().getOut();
    DryRunReport.print(DryRun.play(manifests, options()), screen());
    out.flush();
  }

  private void serve() throws InterruptedException {
    if (concurrentWrites < 1) {
      throw new InputException(
          "--concurrent-writes " + concurrentWrites + ": expected 1 or more; 1 is one at a time");
    }
    Optional<Manifests> given = queues.isEmpty()
        ? Optional.empty()
        : Optional.of(ManifestFiles.read(queues).manifests());
    given.ifPresent(
        manifests -> ManifestPlayer.of(manifests, options().settings(), tpuSlices.isSet()));
    Logs.configure(logFormat, logLevel);
    Config config = config();
    ControllerPages pages = new ControllerPages(
        InstantSource.system(), noLeaderElection ? Optional.empty() : Optional.of(leaseName));
    try (KubernetesClient client = new KubernetesClientBuilder()
        .withConfig(config)
        .withHttpClientFactory(new ClusterHttpFactory(config))
        .withHttpClientBuilderConsumer(
            http -> http.addOrReplaceInterceptor("request-counter", pages.requests()))
        .build()) {
      ControllerSetup.Builder builder = Controller.builder(client)
          .options(options())
          .namespaces(namespaces)
          .concurrentWrites(concurrentWrites)
          .guard(GUARD_INTERVAL)
          .companion(ProvisioningChecks::startIfServed)
          .port(port)
          .security(new ServerSecurity(
              bind,
              tlsCertificate.flatMap(file -> tlsKey.map(key -> new TlsFiles(file, key))),
              authenticate ? Optional.of(new ClusterAccess(client)) : Optional.empty()))
          .metrics(pages.metrics())
          .handlers(pages::handlers);
      given.ifPresent(builder::queues);
      if (queueStatus) {
        builder.queueStatus(QUEUE_STATUS_INTERVAL);
      }
      String ownNamespace = leaseNamespace.orElseGet(
          () -> Strings.isNullOrEmpty(config.getNamespace()) ? "default" : config.getNamespace());
      if (!noLeaderElection) {
        builder.lease(
            new LeaseName(ownNamespace, leaseName, identity.orElseGet(ControllerCommand::host)));
      }
      serve(builder, config);
    }
  }

  /** {@return a name that says where it runs: a pod's HOSTNAME is its name} */
  private static String host() {
    return Objects.requireNonNullElse(System.getenv("HOSTNAME"), "kueue4j");
  }

  private void serve(ControllerSetup.Builder builder, Config config) throws InterruptedException {
    try (Controller controller = builder.build()) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> {
        try {
          controller.stop(SHUTDOWN);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }));
      controller.run();
    } catch (IOException e) {
      throw new InputException(
          "the server on --port " + port + " cannot start: " + e.getMessage(), e);
    } catch (MissingDefinitionException e) {
      throw new InputException(String.valueOf(e.getMessage()), e);
    } catch (KubernetesClientException e) {
      throw KubeconfigOptions.unusable(config, e);
    }
  }

  /**
   * Limits the time of a write to that between the deadline of a lease and its end; what has failed
   * is tried again by the controller.
   */
  private Config config() {
    Config config = kubeconfig.config();
    config.setRequestTimeout(REQUEST_TIMEOUT_MILLIS);
    config.setRequestRetryBackoffLimit(0);
    return config;
  }
}
