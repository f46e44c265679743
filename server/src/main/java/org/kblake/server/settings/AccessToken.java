package org.kblake.server.settings;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** A token that clients send. Only its SHA-256 is kept. It is in no message and no log. */
public final class AccessToken {

  private final String name;
  private final @Nullable LocalDate lastDay;
  private final byte[] hash;

  /**
   * @param name empty if it has none
   * @param lastDay the last day on which it is accepted, in UTC; null for no end
   */
  AccessToken(String name, @Nullable LocalDate lastDay, byte[] hash) {
    this.name = name;
    this.lastDay = lastDay;
    this.hash = hash.clone();
  }

  /** Returns the name, which may be in logs and metrics; empty if it has none. */
  public String name() {
    return name;
  }

  /** Returns the time at which it expires; null if it does not. */
  public @Nullable Instant end() {
    return lastDay == null ? null : lastDay.plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant();
  }

  public boolean isExpired(Instant now) {
    Instant end = end();
    return end != null && !now.isBefore(end);
  }

  /** Returns what a client is told that sends it after its end. */
  public String expiry() {
    return "the token " + name + " has expired: its last day was " + lastDay + " (UTC)";
  }

  boolean isSame(AccessToken other) {
    return hasHash(other.hash);
  }

  boolean hasHash(byte[] other) {
    return MessageDigest.isEqual(hash, other);
  }

  static byte[] hash(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each Java has SHA-256", e);
    }
  }

  @Override
  public String toString() {
    return "AccessToken " + name;
  }
}
