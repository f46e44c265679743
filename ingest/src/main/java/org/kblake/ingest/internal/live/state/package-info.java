/** What all parts of the service share: settings, listener, counters, problems, budget. */
@NullMarked
package org.kblake.ingest.internal.live.state;

import org.jspecify.annotations.NullMarked;
