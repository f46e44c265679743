package org.kblake.ingest.internal.live.group;

import java.time.Clock;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.Store;
import org.kblake.ingest.internal.live.state.BudgetHeadroom;
import org.kblake.ingest.internal.live.state.Counters;
import org.kblake.ingest.internal.live.state.EvictedSpans;
import org.kblake.ingest.internal.live.state.FollowListener;
import org.kblake.ingest.internal.live.state.FollowSettings;
import org.kblake.ingest.internal.live.state.Problems;
import org.kblake.ingest.internal.transcode.Transcoder;

/**
 * The objects that the work on all groups shares while an archive is followed.
 *
 * @param store open for writing
 * @param transcoder puts logs into columns
 * @param evicted the spans that were evicted
 * @param headroom the bytes that the budget leaves
 */
public record FollowContext(
    Archive archive,
    Store store,
    FollowSettings settings,
    Transcoder transcoder,
    EvictedSpans evicted,
    BudgetHeadroom headroom,
    Counters counters,
    Problems problems,
    FollowListener listener,
    Clock clock) {}
