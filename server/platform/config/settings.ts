// The table of settings: name, reader, default. The name is the one of `config.json`; the flag is its kebab case
// (`--max-body-bytes`), the variable its upper case (`MOORING_MAX_BODY_BYTES`). A new setting is one new row.
import { isIP } from 'node:net';
import path from 'node:path';
import type { LogLevel } from '../observe/logger.ts';
import { parseBytes, parseWholeNumber } from './quantities.ts';

/** `expected` describes valid values, for the remedy. */
export type Reading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly expected: string };

interface Setting<T> {
  /** `raw` is text from a flag or variable, or any JSON value from the file. */
  readonly read: (raw: unknown) => Reading<T>;
  readonly fallback: T;
}

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
/** A body becomes one string; V8 has no longer ones. */
const bodyBytesMax = 512 * mebibyte;
const attemptsMax = 100;
const queueSizeMax = 1_000_000;
const allowHostsMax = 100;
const historyDaysMax = 36_500;
const historyRevisionsMax = 1_000_000;
const gibibyte = 1024 * mebibyte;
const historyBytesMax = 1024 * 1024 * gibibyte;

export const settings = {
  listen: { read: readListen, fallback: { host: '127.0.0.1', port: 4417 } } as Setting<ListenAddress>,
  allowRemote: flag(false),
  allowHost: { read: readHosts, fallback: [] } as Setting<readonly string[]>,
  importHost: { read: readHosts, fallback: [] } as Setting<readonly string[]>,
  ui: flag(true),
  jwksUrl: { read: readJwksUrl, fallback: null } as Setting<string | null>,
  autoProvision: flag(false),
  externalWriteback: choice(['auto', 'all', 'off'] as const, 'auto'),
  internalHmacSecretFile: { read: readFileName, fallback: null } as Setting<string | null>,
  maxBodyBytes: { read: readBodyBytes, fallback: 96 * mebibyte } as Setting<number>,
  envelopeAttempts: wholeNumber(1, attemptsMax, 5),
  envelopeQueueSize: wholeNumber(1, queueSizeMax, 10_000),
  envelopeContentBytes: { read: readBodyBytes, fallback: 64 * mebibyte } as Setting<number>,
  writebackAttempts: wholeNumber(1, attemptsMax, 3),
  mirrorFileBytes: { read: readBodyBytes, fallback: 64 * mebibyte } as Setting<number>,
  metrics: choice(['open', 'token'] as const, 'token'),
  logLevel: choice<LogLevel>(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
  historyDays: wholeNumber(1, historyDaysMax, 30),
  historyRevisionsMin: wholeNumber(1, historyRevisionsMax, 20),
  historyBytes: { read: readHistoryBytes, fallback: 20 * gibibyte } as Setting<number>,
  database: { read: readDatabase, fallback: null } as Setting<string | null>,
  masterKeyFile: { read: readFileName, fallback: null } as Setting<string | null>,
  publicUrl: { read: readPublicUrl, fallback: null } as Setting<string | null>,
  oidcIssuer: { read: readIssuer, fallback: null } as Setting<string | null>,
  oidcClientId: { read: readClientId, fallback: null } as Setting<string | null>,
  oidcClientSecretFile: { read: readFileName, fallback: null } as Setting<string | null>,
} as const;

export type SettingName = keyof typeof settings;
export type SettingValue<K extends SettingName> = (typeof settings)[K]['fallback'];
export const settingNames = Object.keys(settings) as readonly SettingName[];

// ---- readers

function good<T>(value: T): Reading<T> {
  return { ok: true, value };
}

function bad(expected: string): { readonly ok: false; readonly expected: string } {
  return { ok: false, expected };
}

function flag(fallback: boolean): Setting<boolean> {
  return {
    fallback,
    read(raw) {
      if (raw === true || raw === 'true' || raw === '1') return good(true);
      if (raw === false || raw === 'false' || raw === '0') return good(false);
      return bad('true or false');
    },
  };
}

function choice<T extends string>(values: readonly T[], fallback: T): Setting<T> {
  return {
    fallback,
    read(raw) {
      const value = values.find((allowed) => allowed === raw);
      return value === undefined ? bad(`one of ${values.join(', ')}`) : good(value);
    },
  };
}

function wholeNumber(min: number, max: number, fallback: number): Setting<number> {
  return {
    fallback,
    read: (raw) => between(numberOf(raw, parseWholeNumber), min, max, `a whole number from ${min} to ${max}`),
  };
}

function readBodyBytes(raw: unknown): Reading<number> {
  return between(
    numberOf(raw, parseBytes),
    kibibyte,
    bodyBytesMax,
    'bytes, or a size such as 96MiB, from 1KiB to 512MiB',
  );
}

function readHistoryBytes(raw: unknown): Reading<number> {
  return between(
    numberOf(raw, parseBytes),
    mebibyte,
    historyBytesMax,
    'bytes, or a size such as 20GiB, from 1MiB to 1048576GiB',
  );
}

function numberOf(raw: unknown, parse: (text: string) => number | null): number | null {
  if (typeof raw === 'string') return parse(raw);
  return typeof raw === 'number' && Number.isSafeInteger(raw) ? raw : null;
}

function between(value: number | null, min: number, max: number, expected: string): Reading<number> {
  return value !== null && value >= min && value <= max ? good(value) : bad(expected);
}

function readListen(raw: unknown): Reading<ListenAddress> {
  const expected = bad('HOST:PORT, such as 127.0.0.1:4417 or [::1]:4417; port 0 selects a free port');
  if (typeof raw !== 'string') return expected;
  const match = /^(?:\[([^\]]+)\]|([^:[\]\s/]+)):(\d{1,5})$/.exec(raw);
  const port = match === null ? null : parseWholeNumber(match[3] ?? '');
  if (match === null || port === null || port > 65_535) return expected;
  const [, inBrackets, plain] = match;
  if (inBrackets !== undefined) return isIP(inBrackets) === 6 ? good({ host: inBrackets, port }) : expected;
  const host = (plain ?? '').toLowerCase();
  return isHostName(host) ? good({ host, port }) : expected;
}

function readHosts(raw: unknown): Reading<readonly string[]> {
  const expected = bad(`at most ${allowHostsMax} host names without port, such as files.example.org`);
  const names = typeof raw === 'string' ? raw.split(',') : raw;
  if (!Array.isArray(names) || names.length > allowHostsMax) return expected;
  const hosts: string[] = [];
  for (const name of names) {
    const host = typeof name === 'string' ? name.trim().toLowerCase() : '';
    if (!isHostName(host) && isIP(host) === 0) return expected;
    hosts.push(host);
  }
  return good(hosts);
}

function isHostName(text: string): boolean {
  const label = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
  return text.length <= 253 && text.split('.').every((part) => label.test(part));
}

function readJwksUrl(raw: unknown): Reading<string> {
  const expected = bad(
    'an https URL, or an http URL of this machine: the keys of this URL decide which tokens are valid',
  );
  const url = typeof raw === 'string' ? URL.parse(raw) : null;
  if (url === null || url.username !== '' || url.password !== '') return expected;
  if (url.protocol === 'https:') return good(url.href);
  return url.protocol === 'http:' && isLoopback(url.hostname.replaceAll(/[[\]]/g, ''))
    ? good(url.href)
    : expected;
}

/** The origin of the server as browsers reach it, without a slash at its end. */
function readPublicUrl(raw: unknown): Reading<string> {
  const expected = bad('an http or https address without a path, such as https://hub.example.com');
  const url = typeof raw === 'string' ? URL.parse(raw) : null;
  if (url === null || url.username !== '' || url.password !== '') return expected;
  const isOrigin = url.pathname === '/' && url.search === '' && url.hash === '';
  return isOrigin && /^https?:$/.test(url.protocol) ? good(url.origin) : expected;
}

/** Unchanged: the issuer of a token must be equal to it, character by character. */
function readIssuer(raw: unknown): Reading<string> {
  const expected = bad(
    'the https URL of an OpenID provider without query, such as https://login.example.com, or an http URL of this machine',
  );
  const url = typeof raw === 'string' ? URL.parse(raw) : null;
  if (url === null || typeof raw !== 'string' || url.username !== '' || url.password !== '') return expected;
  if (url.search !== '' || url.hash !== '') return expected;
  if (url.protocol === 'https:') return good(raw);
  return url.protocol === 'http:' && isLoopback(url.hostname.replaceAll(/[[\]]/g, '')) ? good(raw) : expected;
}

const clientIdCharactersMax = 500;

function readClientId(raw: unknown): Reading<string> {
  const isValid = typeof raw === 'string' && raw !== '' && raw.length <= clientIdCharactersMax;
  return isValid
    ? good(raw)
    : bad(`the id of this client at the provider, at most ${clientIdCharactersMax} characters`);
}

/** The address of a PostgreSQL database; it may contain a password. */
function readDatabase(raw: unknown): Reading<string> {
  const expected = bad('a URL such as postgres://USER@HOST:5432/DATABASE');
  const url = typeof raw === 'string' ? URL.parse(raw) : null;
  if (url === null || typeof raw !== 'string') return expected;
  return url.protocol === 'postgres:' || url.protocol === 'postgresql:' ? good(raw) : expected;
}

function readFileName(raw: unknown): Reading<string> {
  if (typeof raw !== 'string' || raw === '' || raw.includes('\0')) return bad('a file name');
  return good(path.resolve(raw));
}

/** true: an address or name that other machines cannot reach. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
