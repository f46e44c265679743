/** Requests of the Archiver Appliance: parameters, times, operators, names. */
@NullMarked
package org.kblake.server.internal.appliance.request;

import org.jspecify.annotations.NullMarked;
