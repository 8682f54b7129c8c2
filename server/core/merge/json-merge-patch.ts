// Applies a JSON merge patch (RFC 7396, section 2). Pure.
import { isRecord } from '../json.ts';

/** In the patch null removes a member, an object is merged into the member, and any other value replaces it. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  // No prototype, so a member named __proto__ is an ordinary member.
  const merged: Record<string, unknown> = Object.assign(Object.create(null), isRecord(target) ? target : {});
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = mergePatch(merged[name], value);
  }
  return merged;
}
