/** Bytes of an IP address: 4 or 16. An IPv4 address inside an IPv6 one (`::ffff:a.b.c.d`) counts as IPv4. */
type Address = readonly number[];

/** A range of addresses that share their first bits. */
export interface AddressRange {
  readonly address: Address;
  readonly bits: number;
}

/**
 * Reads `10.0.0.0/8`, `2001:db8::/32` or a single address.
 *
 * @throws Error for anything else, a prefix that is longer than the address included
 */
export function readRange(text: string): AddressRange {
  const slash = text.indexOf("/");
  const address = readAddress(slash < 0 ? text : text.slice(0, slash));
  if (!address) throw new Error(`"${text}" is not an IP address or a range in CIDR form`);
  if (slash < 0) return { address, bits: address.length * 8 };
  const prefix = text.slice(slash + 1);
  // A range written in the IPv6 form of IPv4 counts its 96 leading bits as well.
  const leading = address.length === 4 && text.includes(":") ? 96 : 0;
  const bits = /^[0-9]{1,3}$/.test(prefix) ? Number(prefix) - leading : -1;
  if (bits < 0 || bits > address.length * 8) {
    throw new Error(`The prefix of "${text}" is not a number from ${leading} to ${leading + address.length * 8}`);
  }
  return { address, bits };
}

/** Whether the address, as a runtime prints it, lies in one of the ranges. What is no address lies in none. */
export function isInRanges(text: string, ranges: readonly AddressRange[]): boolean {
  const address = readAddress(text);
  return address !== undefined && ranges.some((range) => contains(range, address));
}

function contains(range: AddressRange, address: Address): boolean {
  if (range.address.length !== address.length) return false;
  for (let at = 0; at < address.length && at * 8 < range.bits; at++) {
    const shared = Math.min(8, range.bits - at * 8);
    const mask = (0xff << (8 - shared)) & 0xff;
    if ((((range.address[at] ?? 0) ^ (address[at] ?? 0)) & mask) !== 0) return false;
  }
  return true;
}

function readAddress(text: string): Address | undefined {
  if (!text.includes(":")) return readIpv4(text);
  const zone = text.indexOf("%");
  const bytes = readIpv6(zone < 0 ? text : text.slice(0, zone));
  if (!bytes) return undefined;
  const mapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff;
  return mapped ? bytes.slice(12) : bytes;
}

function readIpv4(text: string): Address | undefined {
  const parts = text.split(".");
  // A leading zero is octal to some readers and decimal to others.
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9][0-9]{0,2})$/.test(part))) return undefined;
  const bytes = parts.map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : undefined;
}

function readIpv6(text: string): Address | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const head = readGroups(halves[0] ?? "", halves.length === 1);
  const tail = halves.length === 2 ? readGroups(halves[1] ?? "", true) : [];
  if (!head || !tail) return undefined;
  const missing = 16 - head.length - tail.length;
  if (halves.length === 1) return missing === 0 ? head : undefined;
  return missing < 2 ? undefined : [...head, ...new Array<number>(missing).fill(0), ...tail];
}

function readGroups(text: string, last: boolean): readonly number[] | undefined {
  if (text === "") return [];
  const groups = text.split(":");
  const bytes: number[] = [];
  for (const [index, group] of groups.entries()) {
    if (last && index === groups.length - 1 && group.includes(".")) {
      const ipv4 = readIpv4(group);
      if (!ipv4) return undefined;
      bytes.push(...ipv4);
    } else {
      if (!/^[0-9A-Fa-f]{1,4}$/.test(group)) return undefined;
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 0xff);
    }
  }
  return bytes;
}
