package org.kblake.ingest.internal.transcode;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.model.EventState;
import org.kblake.ingest.internal.rows.RowMemory;
import org.kblake.ingest.internal.rows.ScatteredRows;

class BlockPipelineTest {

  @TempDir Path overflow;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Semaphore cores = new Semaphore(1);

  @BeforeEach
  void holdACore() {
    cores.acquireUninterruptibly();
  }

  @AfterEach
  void endThreads() {
    threads.shutdownNow();
  }

  @Test
  void fillsTheNextRowsWhileOneBlockIsMade() throws Exception {
    BlockPipeline pipeline = pipeline(2);
    List<Long> made = new ArrayList<>();
    CountDownLatch goOn = new CountDownLatch(1);
    ScatteredRows first = pipeline.rows();
    add(first, 1);
    pipeline.seal(
        full -> {
          goOn.await();
          made.add(full.rows(0));
        });
    ScatteredRows second = pipeline.rows();
    assertThat(second).isNotSameAs(first);
    add(second, 2);
    goOn.countDown();
    pipeline.seal(full -> made.add(full.rows(0)));
    assertThat(pipeline.rows()).isSameAs(first);
    assertThat(first.rows()).isZero();
    pipeline.await();
    assertThat(made).containsExactly(1L, 2L);
    assertThat(cores.availablePermits()).isZero();
  }

  @Test
  void waitsForTheBlockIfItHasRowsForOneOnly() throws Exception {
    BlockPipeline pipeline = pipeline(1);
    List<Long> made = new ArrayList<>();
    add(pipeline.rows(), 3);
    pipeline.seal(
        full -> {
          // The core of the filling thread is free while that thread waits.
          cores.acquire();
          made.add(full.rows(0));
          cores.release();
        });
    assertThat(made).containsExactly(3L);
    assertThat(pipeline.rows().rows()).isZero();
  }

  @Test
  void reportsTheErrorOfABlockAndCanBeUsedAgain() throws Exception {
    BlockPipeline pipeline = pipeline(2);
    add(pipeline.rows(), 1);
    pipeline.seal(
        full -> {
          throw new IOException("disk full");
        });
    add(pipeline.rows(), 2);
    assertThatThrownBy(() -> pipeline.seal(full -> {}))
        .isInstanceOf(IOException.class)
        .hasMessage("disk full");
    pipeline.end();
    for (int i = 0; i < 3; i++) {
      assertThat(pipeline.rows().rows()).isZero();
      add(pipeline.rows(), 1);
      pipeline.seal(full -> assertThat(full.rows()).isOne());
    }
    pipeline.await();
  }

  @Test
  void doesNotEndBeforeTheBlockHasEnded() throws Exception {
    BlockPipeline pipeline = pipeline(2);
    CountDownLatch goOn = new CountDownLatch(1);
    add(pipeline.rows(), 1);
    pipeline.seal(full -> goOn.await());
    Thread.currentThread().interrupt();
    CompletableFuture<Void> release = CompletableFuture.runAsync(goOn::countDown, threads);
    pipeline.end();
    assertThat(Thread.interrupted()).isTrue();
    release.get(10, SECONDS);
    assertThat(pipeline.rows().rows()).isZero();

    CountDownLatch never = new CountDownLatch(1);
    pipeline.seal(full -> never.await());
    CompletableFuture<Void> end = CompletableFuture.runAsync(pipeline::end, threads);
    assertThatThrownBy(() -> end.get(50, MILLISECONDS)).isInstanceOf(TimeoutException.class);
    never.countDown();
    end.get(10, SECONDS);
  }

  @Test
  void keepsItsRowsIfNoThreadTakesThem() throws Exception {
    BlockPipeline pipeline = pipeline(2);
    ScatteredRows rows = pipeline.rows();
    add(rows, 4);
    threads.shutdownNow();
    assertThatThrownBy(() -> pipeline.seal(full -> {}))
        .isInstanceOf(RejectedExecutionException.class);
    assertThat(pipeline.rows()).isSameAs(rows);
    pipeline.end();
    assertThat(rows.rows()).isZero();
  }

  private BlockPipeline pipeline(int blocks) {
    return new BlockPipeline(
        Stream.generate(() -> new ScatteredRows(new RowMemory(RowMemory.SLAB_BYTES, overflow)))
            .limit(blocks)
            .toList(),
        threads,
        cores);
  }

  private static void add(ScatteredRows rows, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      rows.add(0, i, i, EventState.VALUE_CODE, 0, 0, false, 0, 0, 0);
    }
  }
}
