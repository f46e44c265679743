/** The channels of the archive by name: directory, search, and the choice of a group. */
@NullMarked
package org.kblake.server.internal.appliance.channel;

import org.jspecify.annotations.NullMarked;
