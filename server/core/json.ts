// What parsed JSON may be. Pure.
import { LongText } from './long-text.ts';

/** A JSON object: neither null nor an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof LongText);
}
