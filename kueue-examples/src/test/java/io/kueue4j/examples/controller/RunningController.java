package io.kueue4j.examples.controller;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.kueue4j.examples.controller.configuration.ServedKinds;
import io.kueue4j.examples.controller.object.WatchedKind;
import io.kueue4j.examples.controller.state.JobState;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/**
 * A controller that works in a thread of its own: it blocks, and the common pool may have one
 * thread only, which the client needs.
 */
public final class RunningController implements AutoCloseable {
  /** The kinds without which a controller cannot work. */
  public static final ImmutableList<WatchedKind> KINDS = ImmutableList.<WatchedKind>builder()
      .addAll(ServedKinds.BUILT_IN)
      .add(ServedKinds.WORKLOAD)
      .build();

  private final Controller controller;
  private final Optional<KubernetesClient> own;
  private final CompletableFuture<Void> run;

  private RunningController(Controller controller, Optional<KubernetesClient> own) {
    this.controller = controller;
    this.own = own;
    run = CompletableFuture.runAsync(
        () -> {
          try {
            controller.run();
          } catch (InterruptedException e) {
            throw new IllegalStateException("nothing interrupts the controller", e);
          }
        },
        task -> new Thread(task, "controller").start());
  }

  /** {@return a controller that works from now on} */
  public static RunningController start(Controller controller) {
    return new RunningController(controller, Optional.empty());
  }

  /** {@return a controller that works from now on, with a client that it closes} */
  public static RunningController start(
      KubernetesClient own, UnaryOperator<ControllerSetup.Builder> change) throws IOException {
    return new RunningController(change.apply(Controller.builder(own)).build(), Optional.of(own));
  }

  /** {@return the controller} */
  public Controller controller() {
    return controller;
  }

  /** {@return whether it has ended, without being stopped if {@link #close} was not called} */
  public boolean hasEnded() {
    return run.isDone();
  }

  /** Waits until it knows the cluster, or has ended. */
  public RunningController awaitView() {
    Await.until("the controller", () -> hasEnded() || controller.view().isPresent());
    return this;
  }

  /** {@return the state of a job, {@link JobState#UNMANAGED} if it does not know the job} */
  public JobState state(String job) {
    return controller.view().orElseThrow().jobs().stream()
        .filter(view -> view.name().equals(job))
        .map(JobView::state)
        .findFirst()
        .orElse(JobState.UNMANAGED);
  }

  /** Stops its work, and throws what it has thrown; its HTTP server goes on. */
  public void stop() {
    Await.until("the end", () -> controller.stop(Await.DEADLINE));
    run.join();
  }

  /** Stops it and its HTTP server, and throws what it has thrown. */
  @Override
  public void close() {
    try {
      stop();
    } finally {
      controller.close();
      own.ifPresent(KubernetesClient::close);
    }
  }
}
