package org.kblake.ship.influx;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** The bytes of an answer, up to a limit: with more the answer is an error. */
final class AnswerBody implements BodySubscriber<byte[]> {

  private final BodySubscriber<byte[]> bytes = BodySubscribers.ofByteArray();
  private final long mostBytes;
  private long count;

  AnswerBody(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return bytes.getBody();
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    bytes.onSubscribe(subscription);
  }

  @Override
  public void onNext(List<ByteBuffer> more) {
    for (ByteBuffer each : more) {
      count += each.remaining();
    }
    if (count > mostBytes) {
      // The caller gets the error, and cancels the exchange.
      bytes.onError(new IOException("the answer is longer than " + mostBytes + " bytes"));
    } else {
      bytes.onNext(more);
    }
  }

  @Override
  public void onError(Throwable error) {
    bytes.onError(error);
  }

  @Override
  public void onComplete() {
    bytes.onComplete();
  }
}
