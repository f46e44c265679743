/**
 * Logs of events that another archiver recorded. A source gives its events in an order; they become
 * pairs of one group, each of which is whole or absent.
 */
@NullMarked
package org.kblake.record.importing;

import org.jspecify.annotations.NullMarked;
