import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import type { ConnectionOptions } from "node:tls";
import type { LdapServer, LdapSettings } from "./settings.ts";

/** Makes the TLS options for a server: which certificates are trusted, and for which name. */
export type TlsOptionsFor = (server: LdapServer) => ConnectionOptions;

/**
 * Reads the authorities to trust.
 *
 * @throws Error when `caFile` cannot be read or has no certificate
 */
export async function readTrust({ caFile, verifyCertificate }: LdapSettings): Promise<TlsOptionsFor> {
  const ca = caFile === undefined ? undefined : await readAuthorities(caFile);
  return ({ host }) => ({
    // The name is checked even when the address is an IP address; only a host name may be sent ahead of it.
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(ca === undefined ? {} : { ca }),
    rejectUnauthorized: verifyCertificate,
    minVersion: "TLSv1.2",
  });
}

async function readAuthorities(caFile: string): Promise<string> {
  const text = await readFile(caFile, "utf8").catch((cause: unknown) => {
    throw new Error("caFile cannot be read", { cause });
  });
  try {
    new X509Certificate(text);
  } catch (cause) {
    throw new Error("caFile has no certificate in PEM form", { cause });
  }
  return text;
}
