/**
 * The doors for clients of the EPICS Archiver Appliance and of the JSON archive server: paths,
 * requests and their answers.
 */
@NullMarked
package org.kblake.server.internal.appliance;

import org.jspecify.annotations.NullMarked;
