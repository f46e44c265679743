/** The settings of a server: who may ask, how much, and TLS. */
@NullMarked
package org.kblake.server.settings;

import org.jspecify.annotations.NullMarked;
