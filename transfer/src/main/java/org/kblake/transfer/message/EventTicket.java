package org.kblake.transfer.message;

/**
 * An event's assignment to a builder. An event whose builder is lost gets another ticket.
 *
 * @param number of the session, from 1 on
 * @param event the index of its instant
 * @param builder the index of the builder
 */
public record EventTicket(long number, int event, int builder) {}
