import type { Platform } from "../platform.ts";
import { nativePlatform } from "./native-platform.ts";

export const platform: Platform = nativePlatform("node");
