package org.kblake.server.internal.http;

/** A request that gets another answer than 200. The message is for the client's user. */
public final class HttpStatusException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final int status;

  /**
   * @param status of HTTP
   */
  public HttpStatusException(int status, String message) {
    super(message);
    this.status = status;
  }

  /** Returns an error of a wrong parameter: status 400. */
  public static HttpStatusException wrong(String parameter, String problem) {
    return new HttpStatusException(400, "wrong parameter " + parameter + ": " + problem);
  }

  /** Returns the status of HTTP. */
  public int status() {
    return status;
  }
}
