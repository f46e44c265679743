package org.kblake.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.transfer.build.Gatherer;
import org.kblake.transfer.collect.Collector;
import org.kblake.transfer.fixture.Ends;
import org.kblake.transfer.fixture.RawBuilder;
import org.kblake.transfer.fixture.RawCollector;
import org.kblake.transfer.fixture.Trees;
import org.kblake.transfer.message.Control;
import org.kblake.transfer.message.ControlCodec;
import org.kblake.transfer.message.FilePosition;
import org.kblake.transfer.message.Frame;
import org.kblake.transfer.message.PairBytes;
import org.kblake.transfer.message.PairPosition;

/** Peers that lie change nothing, and are told. */
@Timeout(120)
@SuppressWarnings("try") // collectors and builders work while they are open
class WrongPeersTest {

  private static final long STAMP = 20_260_101_000_000L;
  private static final String LOG = "VA/CCG_20260101000000.log2";

  @TempDir Path directory;

  private final Ends ends = new Ends();
  private Path root = Path.of("");

  /** What a collector sends after it has given VA/CCG as number 1. */
  private interface Lie {
    void send(RawCollector collector) throws IOException;
  }

  @BeforeEach
  void makeRoot() throws IOException {
    root = Files.createDirectory(directory.resolve("root"));
  }

  @Test
  void framesThatLieEndTheConnectionAndWriteNothing() throws Exception {
    Map<String, Lie> lies =
        Map.of(
            "frame has a wrong length: length=262145, expected 0 to 262144",
            peer -> peer.raw(header(262_145)),
            "frame has a wrong length: length=-1, expected 0 to 262144",
            peer -> peer.raw(header(-1)),
            "frame does not follow: file=",
            peer -> peer.frame(Frame.Kind.LOG, 1, STAMP, 7, "later"),
            "frame is of no group: number=2",
            peer -> peer.frame(Frame.Kind.LOG, 2, STAMP, 0, "unknown"),
            "no pair has this stamp: group=VA/CCG, stamp=20261301000000",
            peer -> peer.frame(Frame.Kind.LOG, 1, 20_261_301_000_000L, 0, "month"),
            "no pair has this stamp: group=VA/CCG, stamp=-1",
            peer -> peer.frame(Frame.Kind.INDEX, 1, -1, 0, "before"),
            "frame has a wrong offset: offset=-5",
            peer -> peer.frame(Frame.Kind.LOG, 1, STAMP, -5, "before"),
            "frame has a wrong checksum",
            peer -> peer.raw(header(0).putInt(24, 3)),
            "the collector gives a number twice: 1",
            peer -> peer.frame(Frame.Kind.GIVE, 1, 0, 0, "VA/IPump"));
    try (RawCollector peer = new RawCollector();
        Gatherer builder = ends.builder(root, "b", peer.address())) {
      for (Map.Entry<String, Lie> each : lies.entrySet()) {
        peer.welcome();
        peer.frame(Frame.Kind.GIVE, 1, 0, 0, "VA/CCG");
        assertThat(peer.read(Control.Has.class).number()).isEqualTo(1);
        each.getValue().send(peer);
        ends.await(each.getKey(), () -> ends.said(each.getKey()));
      }
    }
    assertThat(Trees.sizes(root).values()).allMatch(size -> size == 0);
  }

  private static ByteBuffer header(int length) {
    ByteBuffer header = ByteBuffer.allocate(Frame.HEADER_BYTES);
    return header.putInt(0, length).putInt(4, 1).putLong(8, STAMP).putInt(24, 2);
  }

  @Test
  void namesThatLeadElsewhereAreDenied() throws Exception {
    try (RawCollector peer = new RawCollector();
        Gatherer builder = ends.builder(root, "b", peer.address())) {
      peer.welcome();
      int number = 0;
      for (String name :
          List.of(
              "../CCG",
              "VA/..",
              "VA/../x",
              "/etc",
              "VA",
              "",
              "SYS/List",
              "sys/x",
              "./x",
              ".x/y",
              "VA/a b",
              "VA/\n",
              "VA\0/x",
              "VA/" + "x".repeat(101))) {
        peer.frame(Frame.Kind.GIVE, ++number, 0, 0, name);
        assertThat(peer.read(Control.Denied.class).number()).isEqualTo(number);
      }
    }
    assertThat(Trees.sizes(directory)).isEmpty();
  }

  @Test
  void aBuilderOfAnotherVersionIsToldWhy() throws Exception {
    try (Collector collector = ends.collector(root);
        RawBuilder peer = new RawBuilder(collector.address())) {
      ByteBuffer hello = ControlCodec.encode(new Control.Hello("b", 1, ""));
      peer.send(hello.put(10, (byte) 2));
      assertThat(peer.read())
          .isEqualTo(
              new Control.Refused(
                  "the builder has another version of the transfer: found=2, expected=1; install"
                      + " the same kblake on both hosts"));
    }
  }

  @Test
  void aBuilderWithAWrongNameIsRefused() throws Exception {
    try (Collector collector = ends.collector(root);
        RawBuilder peer = new RawBuilder(collector.address())) {
      assertThat(peer.hello("../b")).isInstanceOf(Control.Refused.class);
    }
  }

  @Test
  void aBuilderThatStatesWrongPositionsGetsNothing() throws Exception {
    Files.createDirectories(root.resolve("VA"));
    Files.writeString(root.resolve(LOG), "log");
    List<PairPosition> wrong =
        List.of(
            new PairPosition(STAMP, new FilePosition(4, 0), FilePosition.NONE),
            new PairPosition(STAMP, new FilePosition(2, 0), FilePosition.NONE),
            new PairPosition(STAMP + 1, new FilePosition(1L << 60, 0), FilePosition.NONE));
    for (PairPosition each : wrong) {
      try (Collector collector = ends.collector(root);
          RawBuilder peer = new RawBuilder(collector.address())) {
        assertThat(peer.hello("b")).isInstanceOf(Control.Welcome.class);
        ByteBuffer header = ByteBuffer.allocate(Frame.HEADER_BYTES);
        var data = peer.join();
        peer.send(ControlCodec.encode(new Control.Credit(1 << 20)));
        data.read(header);
        assertThat(Frame.read(header.flip()).kind()).isEqualTo(Frame.Kind.GIVE);
        data.read(ByteBuffer.allocate(6));
        PairBytes bytes = new PairBytes(each.stamp(), each.log().bytes(), each.index().bytes());
        peer.send(ControlCodec.encode(new Control.Has(1, 0, List.of(bytes))));
        data.read(header.clear());
        if (each.stamp() == STAMP) {
          assertThat(Frame.read(header.flip()).kind()).isEqualTo(Frame.Kind.ASK);
          peer.send(ControlCodec.encode(new Control.Position(1, each)));
          data.read(header.clear());
        }
        assertThat(Frame.read(header.flip()).kind()).isEqualTo(Frame.Kind.FAILED);
      }
    }
  }

  @Test
  void dataWithoutASessionIsRefused() throws Exception {
    try (Collector collector = ends.collector(root);
        RawBuilder peer = new RawBuilder(collector.address())) {
      peer.send(ByteBuffer.allocate(8).putInt(0, 4).putInt(4, 0x0BADBAD0));
      assertThat(peer.read()).isInstanceOf(Control.Refused.class);
      assertThatThrownBy(peer::read).isInstanceOf(IOException.class);
    }
  }
}
