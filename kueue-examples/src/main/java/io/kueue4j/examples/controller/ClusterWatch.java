package io.kueue4j.examples.controller;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches all objects of a cluster that a controller needs, with informers of fabric8's client,
 * which list again when a watch was closed or has expired.
 */
final class ClusterWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterWatch.class);

  private final Consumer<ClusterEvent> listener;
  private final Map<SharedIndexInformer<GenericKubernetesResource>, WatchedKind> informers =
      new LinkedHashMap<>();
  private final Map<SharedIndexInformer<GenericKubernetesResource>, KnownVersions> known =
      new LinkedHashMap<>();

  /**
   * Whether events are passed on: objects that exist at the start are listed, and not reported
   * again.
   */
  private volatile boolean begun;

  /**
   * Creates a watch that is not started.
   *
   * @param namespaces the namespaces to watch, empty for all
   * @param listener receives events, from threads of the client
   */
  ClusterWatch(
      KubernetesClient client,
      ImmutableList<WatchedKind> kinds,
      ImmutableList<String> namespaces,
      Consumer<ClusterEvent> listener) {
    this.listener = listener;
    for (WatchedKind kind : kinds) {
      MixedOperation<
              GenericKubernetesResource,
              GenericKubernetesResourceList,
              Resource<GenericKubernetesResource>>
          operation = client.genericKubernetesResources(kind.context());
      if (!kind.namespaced()) {
        add(operation.runnableInformer(0), kind);
      } else if (namespaces.isEmpty()) {
        add(operation.inAnyNamespace().runnableInformer(0), kind);
      } else {
        namespaces.forEach(name -> add(operation.inNamespace(name).runnableInformer(0), kind));
      }
    }
  }

  private void add(SharedIndexInformer<GenericKubernetesResource> informer, WatchedKind kind) {
    KnownVersions versions = new KnownVersions();
    informer.itemStore(versions);
    known.put(informer, versions);
    informer.addEventHandler(new Handler(kind));
    // Always retry, since the cause of a failure may go away.
    informer.exceptionHandler((isStarted, failure) -> {
      LOG.warn("following " + kind.plural() + ": " + failure);
      return isStarted;
    });
    informers.put(informer, kind);
  }

  /**
   * Starts; {@return all objects}. Later events are passed to the listener, possibly more than
   * once.
   *
   * @throws java.util.concurrent.CompletionException if something cannot be listed
   */
  ImmutableList<HasMetadata> start() {
    List<Runnable> waits = new ArrayList<>();
    informers.keySet().forEach(informer -> waits.add(informer.start().toCompletableFuture()::join));
    waits.forEach(Runnable::run);
    // Set it first: an event that was not passed on before is found in the store.
    begun = true;
    ImmutableList.Builder<HasMetadata> all = ImmutableList.builder();
    informers.forEach((informer, kind) ->
        informer.getStore().list().forEach(object -> read(kind, object, all::add)));
    known.values().forEach(KnownVersions::forgetContents);
    return all.build();
  }

  private static void read(
      WatchedKind kind, GenericKubernetesResource object, Consumer<HasMetadata> reader) {
    HasMetadata read;
    try {
      read = kind.read(object);
    } catch (IllegalArgumentException e) {
      LOG.warn("passed over: " + kind.kind() + " " + object.getMetadata().getName()
          + " cannot be read: " + e.getMessage());
      return;
    }
    reader.accept(read);
  }

  @Override
  public void close() {
    informers.keySet().forEach(SharedIndexInformer::stop);
  }

  /** Passes on the events of informers. */
  private final class Handler implements ResourceEventHandler<GenericKubernetesResource> {
    private final WatchedKind kind;

    Handler(WatchedKind kind) {
      this.kind = kind;
    }

    private void tell(ClusterEvent.Kind what, GenericKubernetesResource object) {
      if (begun) {
        read(kind, object, read -> listener.accept(new ClusterEvent(what, read)));
      }
    }

    @Override
    public void onAdd(GenericKubernetesResource object) {
      tell(ClusterEvent.Kind.ADDED, object);
    }

    @Override
    public void onUpdate(GenericKubernetesResource old, GenericKubernetesResource object) {
      tell(ClusterEvent.Kind.MODIFIED, object);
    }

    @Override
    public void onDelete(GenericKubernetesResource object, boolean isFinalStateUnknown) {
      tell(ClusterEvent.Kind.DELETED, object);
    }
  }
}
