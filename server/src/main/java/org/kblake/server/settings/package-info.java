/**
 * The settings of a server: who may ask, how much, and TLS.
 *
 * <p>May use no other package.
 */
@NullMarked
package org.kblake.server.settings;

import org.jspecify.annotations.NullMarked;
