// The address guard: decides which addresses may be called, against server-side request forgery. A provider's owner sets a URL and
// DNS decides where it leads, so the connection must use the address that was checked here. Pure except for the lookup at the end.
import { lookup as resolve } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** What the owner allowed this provider beyond public addresses with TLS. */
export interface AllowedTargets {
  readonly plainHttp: boolean;
  /** Loopback and private ranges. */
  readonly privateAddresses: boolean;
}

const urlCharactersMax = 2048;

/** IANA special-purpose registries (RFC 6890). */
const privateRanges = blockList([
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['::', 128],
  ['::1', 128],
  ['fc00::', 7],
]);
/** Never a provider: link-local (there live the metadata services of clouds), multicast, documentation, reserved. */
const neverRanges = blockList([
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
  ['100::', 64],
  ['2001:db8::', 32],
  ['3fff::', 20],
  ['5f00::', 16],
  // Local-use NAT64 (RFC 8215): the position of the IPv4 address in it is known only to its network.
  ['64:ff9b:1::', 48],
  // A Teredo address contains an IPv4 address that cannot be checked here.
  ['2001::', 32],
]);

function blockList(ranges: readonly (readonly [address: string, prefix: number])[]): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of ranges) {
    list.addSubnet(address, prefix, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** null: the address may be called; else why not. */
export function targetRefusal(address: string, allowed: AllowedTargets): string | null {
  const plain = embeddedIpv4(address) ?? address;
  const family = isIP(plain);
  if (family === 0) return `${address} is no address`;
  const type = family === 6 ? 'ipv6' : 'ipv4';
  if (neverRanges.check(plain, type)) return `${address} is in a range that no provider can be in`;
  if (!allowed.privateAddresses && privateRanges.check(plain, type)) {
    return `${address} is a loopback or private address, which is only called with allowPrivateAddresses`;
  }
  return null;
}

/** IPv4 addresses in IPv6 clothes: mapped (::ffff:0:0/96), NAT64 (64:ff9b::/96), 6to4 (2002::/16). null: it is none. */
function embeddedIpv4(address: string): string | null {
  const groups = isIP(address) === 6 ? groupsOf(address) : null;
  if (groups === null) return null;
  const [first = 0] = groups;
  const prefix = groups.slice(0, 6).join(',');
  if (prefix === '0,0,0,0,0,65535' || (prefix === '0,0,0,0,0,0' && (groups[6] ?? 0) !== 0)) {
    return dotted(groups[6], groups[7]);
  }
  if (prefix === '100,65435,0,0,0,0') return dotted(groups[6], groups[7]);
  if (first === 0x2002) return dotted(groups[1], groups[2]);
  return null;
}

function dotted(high = 0, low = 0): string {
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}

/** The eight numbers of an IPv6 address. */
function groupsOf(address: string): readonly number[] {
  // The URL parser writes every form in the one of RFC 5952, an IPv4 tail included.
  const host = URL.parse(`http://[${address.replace(/%.*$/, '')}]`)?.hostname.slice(1, -1) ?? '::';
  const [left = '', right] = host.split('::');
  const head = left === '' ? [] : left.split(':');
  const tail = right === undefined || right === '' ? [] : right.split(':');
  const zeros = right === undefined ? 0 : 8 - head.length - tail.length;
  return [...head, ...Array.from({ length: zeros }, () => '0'), ...tail].map((group) =>
    Number.parseInt(group, 16),
  );
}

/** The URL, or why it cannot be a provider's. Names are resolved only when they are called. */
export function checkUrl(
  text: string,
  allowed: AllowedTargets,
): { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly reason: string } {
  const url = text.length <= urlCharactersMax ? URL.parse(text) : null;
  if (url === null) return { ok: false, reason: 'it is not an absolute URL' };
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return { ok: false, reason: 'it is neither https nor http' };
  }
  if (url.protocol === 'http:' && !allowed.plainHttp) {
    return {
      ok: false,
      reason: 'http is only taken where it is allowed explicitly',
    };
  }
  if (url.username !== '' || url.password !== '') return { ok: false, reason: 'it holds credentials' };
  if (url.hash !== '') return { ok: false, reason: 'it has a fragment' };
  const host = url.hostname.replaceAll(/[[\]]/g, '');
  const literal = isIP(host) === 0 ? (isLocalName(host) ? '127.0.0.1' : null) : host;
  const refusal = literal === null ? null : targetRefusal(literal, allowed);
  return refusal === null ? { ok: true, url } : { ok: false, reason: refusal };
}

/** RFC 6761: these never mean another machine. */
function isLocalName(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost');
}

export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';
}

/** Resolves names for a connection and hands over only addresses that may be called: what it answers is connected to. */
export function guardedLookup(allowed: AllowedTargets): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '', 4);
      const allowedAddresses = addresses.filter(({ address }) => targetRefusal(address, allowed) === null);
      const [first] = allowedAddresses;
      if (first === undefined) {
        const reason = targetRefusal(addresses[0]?.address ?? '', allowed) ?? 'it has no address';
        return callback(new AddressRefusedError(`${hostname}: ${reason}`), '', 4);
      }
      if (options.all === true) callback(null, allowedAddresses);
      else callback(null, first.address, first.family);
    });
  };
}
