/**
 * Channels over PV Access, by the client of org.phoebus:core-pva. {@link
 * org.kblake.record.pvaccess.PvAccessSource} is the door. A thread of core-pva for each server
 * calls back; what it hands out is written as bytes before the call returns.
 */
@NullMarked
package org.kblake.record.pvaccess;

import org.jspecify.annotations.NullMarked;
