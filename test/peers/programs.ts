import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Programs of other makers that tests talk to; each is a Debian package or part of one. */
const names = ["slapd", "openssl", "xmllint", "ffmpeg", "chromium", "wrk"] as const;
export type PeerName = (typeof names)[number];

/** Administrators' folders, which the PATH of a user often lacks. */
const furtherFolders = ["/usr/local/sbin", "/usr/sbin", "/sbin"];

function find(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter).filter(Boolean), ...furtherFolders];
  return folders
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/**
 * The path of each peer, `undefined` where it is not installed. A test that needs one is written
 * `describe.skipIf(!peers.slapd)`, and says so in the summary of the run.
 */
export const peers = Object.fromEntries(names.map((name) => [name, find(name)])) as Readonly<
  Record<PeerName, string | undefined>
>;

/** The peers that are not installed. */
export const missingPeers: readonly PeerName[] = names.filter((name) => peers[name] === undefined);
