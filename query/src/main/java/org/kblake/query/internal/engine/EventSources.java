package org.kblake.query.internal.engine;

import java.util.List;
import java.util.TreeSet;
import org.kblake.query.arrow.ValueShape;
import org.kblake.query.internal.plan.ChannelResolution;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.plan.GroupPlan;
import org.kblake.query.internal.plan.GroupRead;
import org.kblake.query.internal.source.GroupSource;

/**
 * The planned events of the groups of a question.
 *
 * @param plans the plans of the groups, and of others that have none of the channels
 * @param shapes the types that values may have
 * @param targets the channels of each of the resolution's groups
 * @param reads the parts of the answer, in the order of the resolution's groups
 * @param sources the events of each part; whoever reads them closes them
 */
record EventSources(
    List<GroupPlan> plans,
    ChannelResolution resolution,
    TreeSet<ValueShape> shapes,
    List<List<ChannelTarget>> targets,
    List<GroupRead> reads,
    List<GroupSource> sources) {}
