import type { Platform } from "../platform.ts";
import { defaultSecurityIni } from "../security/default-ini.ts";
import type { Settings } from "../settings.ts";

/** A `security.ini`: its text and the name that problems give. */
export interface SecurityIni {
  readonly text: string;
  readonly source: string;
}

/** The places where `security.ini` is looked for, first first. */
export function securityIniPlaces({ instanceRoot }: Pick<Settings, "instanceRoot">): readonly string[] {
  return instanceRoot === undefined
    ? ["security.ini"]
    : [inFolder(instanceRoot, "config/security.ini"), inFolder(instanceRoot, "security.ini")];
}

/** The file of the instance, or the built-in default where there is none. */
export async function findSecurityIni(platform: Platform, settings: Settings): Promise<SecurityIni> {
  if (platform.readText !== undefined) {
    for (const source of securityIniPlaces(settings)) {
      const text = await platform.readText(source);
      if (text !== undefined) return { text, source };
    }
  }
  return { text: defaultSecurityIni, source: "the built-in security.ini" };
}

/** The ext folder of an instance. */
export function extFolder({ extDir, instanceRoot }: Pick<Settings, "extDir" | "instanceRoot">): string {
  return extDir ?? (instanceRoot === undefined ? "lib/ext" : inFolder(instanceRoot, "lib/ext"));
}

/** The database that the settings name, or the embedded file of the instance. */
export function databaseUrl({ databaseUrl, instanceRoot }: Pick<Settings, "databaseUrl" | "instanceRoot">): string {
  if (databaseUrl !== undefined) return databaseUrl;
  return `file:${instanceRoot === undefined ? "data/kinora.db" : inFolder(instanceRoot, "data/kinora.db")}`;
}

function inFolder(folder: string, name: string): string {
  return `${folder.replace(/\/$/, "")}/${name}`;
}
