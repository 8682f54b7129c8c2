// The name of a browser from its User-Agent header, for the list of signed-in browsers. It decides nothing: every program can send any header.

/** In this order: each browser names those above it as well. */
const browsers = [
  [/\bElectron\//, 'Desktop app'],
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\bChrom(?:e|ium)\/|\bHeadlessChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;
const systems = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

/** For example `Firefox on Linux`; `Unknown program` without a known name. */
export function browserName(userAgent: string | undefined): string {
  const text = userAgent ?? '';
  const name = browsers.find(([pattern]) => pattern.test(text))?.[1];
  const system = systems.find(([pattern]) => pattern.test(text))?.[1];
  if (name === undefined) return 'Unknown program';
  return system === undefined ? name : `${name} on ${system}`;
}
