package org.kblake.server.settings;

import java.nio.file.Path;

/**
 * The files of TLS, in PEM.
 *
 * @param certificate the server's certificate, and those that sign it
 * @param key its private key in PKCS 8, without a password
 */
public record TlsFiles(Path certificate, Path key) {}
