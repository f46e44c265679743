package org.kblake.transfer.collect;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.kblake.transfer.line.Line;
import org.kblake.transfer.message.Frame;
import org.kblake.transfer.shape.SendingRate;

/** Writes frames to a data connection, within the credit. For one thread; the count for all. */
final class FrameOutput {

  /** Smaller payloads are written together with their header, which costs less than a transfer. */
  private static final int TRANSFER_BYTES = 1 << 14;

  private final Line line;
  private final Credit credit;
  private final List<SendingRate> rates;
  private final ByteBuffer bytes = ByteBuffer.allocateDirect(Frame.HEADER_BYTES + Frame.MAX_BYTES);
  private final AtomicLong sent = new AtomicLong();

  /** How many answers of the builder may follow. */
  private final AtomicLong owed = new AtomicLong();

  /**
   * @param rates each of them limits what is sent
   */
  FrameOutput(Line line, Credit credit, List<SendingRate> rates) {
    this.line = line;
    this.credit = credit;
    this.rates = rates;
  }

  /** Returns the bytes of payload of files that were sent. */
  long sentBytes() {
    return sent.get();
  }

  /** Counts an answer, and returns whether the builder owed one. */
  boolean isAnswer() {
    return owed.getAndDecrement() > 0;
  }

  /** Returns whether the next frame has to wait for credit. */
  boolean isExhausted() {
    return credit.total() <= sent.get();
  }

  /** Returns how many of some bytes the next frame may have. */
  int permitted(long wanted) {
    long open = Math.max(0, credit.total() - sent.get());
    return (int) Math.min(Math.min(open, wanted), Frame.MAX_BYTES);
  }

  /** Writes a frame with the bytes of a file that follow. */
  void send(Frame frame, SourceFile file) throws IOException {
    awaitRates(frame.length());
    bytes.clear().position(Frame.HEADER_BYTES).limit(Frame.HEADER_BYTES + frame.length());
    file.read(bytes);
    putHeader(frame);
    if (frame.length() <= TRANSFER_BYTES || !line.transfers()) {
      line.write(bytes);
    } else {
      line.write(bytes.limit(Frame.HEADER_BYTES));
      line.transfer(file.channel(), frame.offset(), frame.length());
    }
    file.advance(frame.length());
    sent.addAndGet(frame.length());
  }

  /** Asks for the position of a pair, which needs no credit. */
  void ask(int number, long stamp) throws IOException {
    owed.incrementAndGet();
    send(new Frame(0, number, stamp, 0, Frame.Kind.ASK));
  }

  /** Gives a group. The builder may state what it has, and deny the group at any time. */
  void give(int number, String group) throws IOException {
    owed.addAndGet(2);
    send(Frame.Kind.GIVE, number, group);
  }

  private void send(Frame frame) throws IOException {
    bytes.clear().position(Frame.HEADER_BYTES).limit(Frame.HEADER_BYTES);
    putHeader(frame);
    line.write(bytes);
  }

  private void awaitRates(int bytes) throws IOException {
    try {
      for (SendingRate rate : rates) {
        rate.await(bytes);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the collector ends");
    }
  }

  /** Writes a frame with a text, which needs no credit. */
  void send(Frame.Kind kind, int number, String text) throws IOException {
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    bytes.clear().position(Frame.HEADER_BYTES);
    bytes.put(encoded).flip();
    putHeader(Frame.of(kind, number, encoded.length));
    line.write(bytes);
  }

  private void putHeader(Frame frame) {
    ByteBuffer payload = bytes.duplicate().position(Frame.HEADER_BYTES);
    frame.put(bytes.position(0), payload);
    bytes.position(0);
  }
}
