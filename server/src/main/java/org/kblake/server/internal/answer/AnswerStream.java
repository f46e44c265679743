package org.kblake.server.internal.answer;

import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.List;
import org.eclipse.jetty.ee10.servlet.HttpOutput;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.jspecify.annotations.Nullable;
import org.kblake.server.internal.http.PublicText;

/**
 * The body of an answer. The first bytes are kept, so that an error before them has its own status,
 * and a short answer has a header that says whether it is complete. A longer answer has {@code
 * Kblake-Complete: unknown}. If it then fails, the connection is cut, so that the client sees a
 * body without its end.
 */
public final class AnswerStream extends OutputStream implements WritableByteChannel {

  private static final String MISSING = "Kblake-Missing";
  private static final String NOTE = "Kblake-Note";
  private static final int KEPT_BYTES = 1 << 18;
  private static final int FIRST_BYTES = 1 << 12;

  /** Smaller buffers are collected. */
  private static final int DIRECT_BYTES = 1 << 12;

  private final Context context;
  private final String contentType;
  private final boolean mayCompress;
  private final boolean onlyHeader;
  private final boolean isSaid;

  private byte[] kept = new byte[FIRST_BYTES];
  private int count;
  private @Nullable OutputStream body;

  /**
   * @param mayCompress whether the body may be compressed if the client accepts it
   * @param isSaid whether the header says already whether the answer is complete
   */
  public AnswerStream(Context context, String contentType, boolean mayCompress, boolean isSaid) {
    this.isSaid = isSaid;
    this.context = context;
    this.contentType = contentType;
    this.mayCompress = mayCompress;
    onlyHeader = HeaderAnswer.isWanted(context);
  }

  /**
   * Ends the answer if only its header is wanted. A body calls it when its first event is known: no
   * later one changes the status.
   *
   * @throws HeaderAnswer.Known if the answer ends
   */
  public void headerIsKnown() throws IOException {
    if (onlyHeader) {
      throw new HeaderAnswer.Known();
    }
  }

  /** Sends the header of an answer whose body is not wanted. */
  void finishHeader() throws IOException {
    HeaderAnswer.send(context, contentType);
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    OutputStream open = body;
    if (open == null && count + length <= KEPT_BYTES) {
      if (count + length > kept.length) {
        kept = Arrays.copyOf(kept, Math.max(count + length, 2 * kept.length));
      }
      System.arraycopy(bytes, offset, kept, count, length);
      count += length;
      return;
    }
    if (open == null) {
      headerIsKnown();
      open = begin(null);
    }
    open.write(bytes, offset, length);
  }

  /** Writes a large buffer, such as a vector of Arrow, without a copy. */
  @Override
  public int write(ByteBuffer bytes) throws IOException {
    int length = bytes.remaining();
    if (length >= DIRECT_BYTES && !onlyHeader) {
      OutputStream open = body == null && count + length > KEPT_BYTES ? begin(null) : body;
      if (open instanceof HttpOutput direct) {
        direct.write(bytes);
        return length;
      }
    }
    byte[] copy = new byte[length];
    bytes.get(copy);
    write(copy, 0, length);
    return length;
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  /**
   * Sends the header and the bytes that were kept.
   *
   * @param complete null if it is not known yet
   */
  private OutputStream begin(@Nullable Boolean complete) throws IOException {
    context.contentType(contentType);
    if (complete == null && !isSaid) {
      KeptAnswer.addUnknownCompleteness(context);
    } else if (complete != null && !isSaid) {
      KeptAnswer.addCompleteness(context, complete);
    }
    OutputStream open = mayCompress ? context.outputStream() : context.res().getOutputStream();
    body = open;
    open.write(kept, 0, count);
    kept = new byte[0];
    return open;
  }

  /**
   * Ends the answer.
   *
   * @param missing the reason why it is incomplete; null if it is complete
   */
  public void finish(@Nullable String missing) throws IOException {
    if (body == null) {
      if (missing != null) {
        context.header(MISSING, printable(missing));
      }
      if (!mayCompress) {
        context.res().setContentLength(count);
      }
      begin(missing == null);
    }
  }

  /**
   * Adds notes to the header. If the answer has begun, it has no room for them.
   *
   * @param notes one line each
   */
  public void note(List<String> notes) {
    if (body == null) {
      notes.forEach(note -> context.res().addHeader(NOTE, printable(PublicText.of(note))));
    }
  }

  private static String printable(String text) {
    return text.replaceAll("[^ -~]", "?");
  }

  /** Returns whether the client may have seen a part of the answer. */
  public boolean isBegun() {
    return body != null;
  }

  /** Cuts the connection of an answer that cannot be finished. */
  public void cut() {
    ServletContextRequest.getServletContextRequest(context.req())
        .getConnectionMetaData()
        .getConnection()
        .getEndPoint()
        .close();
  }
}
