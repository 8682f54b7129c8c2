// Metadata of a file as one text that can be compared and stored, and the merge of two of them over their base. Pure.
import type { Semantics } from '../../contract/common.ts';

const lists = ['relations', 'permissions', 'comments'] as const;

/** Canonical JSON; empty: there is none. */
export function metadataText(semantics: Semantics): string {
  const members: Semantics = {};
  const properties = Object.entries(semantics.properties ?? {}).sort(([left], [right]) =>
    left < right ? -1 : 1,
  );
  if (properties.length > 0) members.properties = Object.fromEntries(properties);
  for (const name of lists) {
    const values = semantics[name] ?? [];
    if (values.length > 0) members[name] = [...values];
  }
  return Object.keys(members).length === 0 ? '' : JSON.stringify(members);
}

export function metadataOf(text: string): Semantics {
  return text === '' ? {} : (JSON.parse(text) as Semantics);
}

/** Per property and per list: what one side changed wins over what the base says; where both did, the remote's stays. */
export function mergeMetadata(base: Semantics, local: Semantics, remote: Semantics): Semantics {
  const merged: Semantics = {};
  const properties: Record<string, string> = {};
  const names = new Set([base, local, remote].flatMap(({ properties: own }) => Object.keys(own ?? {})));
  for (const name of names) {
    const value = chosen(base.properties?.[name], local.properties?.[name], remote.properties?.[name]);
    if (value !== undefined) properties[name] = value;
  }
  if (Object.keys(properties).length > 0) merged.properties = properties;
  for (const name of lists) {
    const text = chosen(listText(base[name]), listText(local[name]), listText(remote[name]));
    if (text !== undefined) merged[name] = JSON.parse(text) as string[];
  }
  return merged;
}

function listText(values: readonly string[] | undefined): string | undefined {
  return values === undefined || values.length === 0 ? undefined : JSON.stringify(values);
}

function chosen(
  base: string | undefined,
  local: string | undefined,
  remote: string | undefined,
): string | undefined {
  return remote === base ? local : remote;
}
