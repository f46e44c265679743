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
  void fillsTheNextRowsWhileABlockIsMadeOneBlockAtATime() throws Exception {
    BlockPipeline sealer = sealer(2);
    List<Long> made = new ArrayList<>();
    CountDownLatch goOn = new CountDownLatch(1);
    ScatteredRows first = sealer.rows();
    add(first, 1);
    sealer.seal(
        full -> {
          goOn.await();
          made.add(full.rows(0));
        });
    ScatteredRows second = sealer.rows();
    assertThat(second).isNotSameAs(first);
    add(second, 2);
    goOn.countDown();
    sealer.seal(full -> made.add(full.rows(0)));
    assertThat(sealer.rows()).isSameAs(first);
    assertThat(first.rows()).isZero();
    sealer.await();
    assertThat(made).containsExactly(1L, 2L);
    assertThat(cores.availablePermits()).isZero();
  }

  @Test
  void waitsForTheBlockWhereItHasRowsForOneOnly() throws Exception {
    BlockPipeline sealer = sealer(1);
    List<Long> made = new ArrayList<>();
    add(sealer.rows(), 3);
    sealer.seal(
        full -> {
          // The core that the filling thread holds is free while it waits.
          cores.acquire();
          made.add(full.rows(0));
          cores.release();
        });
    assertThat(made).containsExactly(3L);
    assertThat(sealer.rows().rows()).isZero();
  }

  @Test
  void saysWhyABlockCouldNotBeMadeAndCanBeUsedAgain() throws Exception {
    BlockPipeline sealer = sealer(2);
    add(sealer.rows(), 1);
    sealer.seal(
        full -> {
          throw new IOException("disk full");
        });
    add(sealer.rows(), 2);
    assertThatThrownBy(() -> sealer.seal(full -> {}))
        .isInstanceOf(IOException.class)
        .hasMessage("disk full");
    sealer.end();
    for (int i = 0; i < 3; i++) {
      assertThat(sealer.rows().rows()).isZero();
      add(sealer.rows(), 1);
      sealer.seal(full -> assertThat(full.rows()).isOne());
    }
    sealer.await();
  }

  @Test
  void doesNotEndBeforeTheBlockHasEnded() throws Exception {
    BlockPipeline sealer = sealer(2);
    CountDownLatch goOn = new CountDownLatch(1);
    add(sealer.rows(), 1);
    sealer.seal(full -> goOn.await());
    Thread.currentThread().interrupt();
    CompletableFuture<Void> release = CompletableFuture.runAsync(goOn::countDown, threads);
    sealer.end();
    assertThat(Thread.interrupted()).isTrue();
    release.get(10, SECONDS);
    assertThat(sealer.rows().rows()).isZero();

    CountDownLatch never = new CountDownLatch(1);
    sealer.seal(full -> never.await());
    CompletableFuture<Void> end = CompletableFuture.runAsync(sealer::end, threads);
    assertThatThrownBy(() -> end.get(50, MILLISECONDS)).isInstanceOf(TimeoutException.class);
    never.countDown();
    end.get(10, SECONDS);
  }

  @Test
  void keepsItsRowsWhereNoThreadTakesThem() throws Exception {
    BlockPipeline sealer = sealer(2);
    ScatteredRows rows = sealer.rows();
    add(rows, 4);
    threads.shutdownNow();
    assertThatThrownBy(() -> sealer.seal(full -> {}))
        .isInstanceOf(RejectedExecutionException.class);
    assertThat(sealer.rows()).isSameAs(rows);
    sealer.end();
    assertThat(rows.rows()).isZero();
  }

  private BlockPipeline sealer(int blocks) {
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
