// Numbers of ids, by which their order is known. Pure.

/** `12` of `op_12`; 0 when the id has another form. */
export function parseId(id: string, prefix: string): number {
  return id.startsWith(`${prefix}_`) ? Number(id.slice(prefix.length + 1)) || 0 : 0;
}
