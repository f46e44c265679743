/**
 * This machine's own counters, from the texts of /proc. {@link org.kblake.record.host.HostSource}
 * is the door, {@link org.kblake.record.host.HostGroup} and {@link org.kblake.record.host.CpuGroup}
 * have the lists of names.
 */
@NullMarked
package org.kblake.record.host;

import org.jspecify.annotations.NullMarked;
