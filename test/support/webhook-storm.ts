// A storm of webhooks, made from a seed: duplicates, late ones, out of order, broken, hot paths; and what the workspace must hold
// when it is over. It sends nothing itself.

const hotPaths = 8;
const providers = ['hub', 'mail', 'crm'] as const;

export type Random = (below: number) => number;

/** Mulberry32: the same storm for the same seed. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

export interface Hook {
  readonly provider: string;
  readonly deliveryId: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly occurredAtMs: number | null;
  readonly kind: 'timed' | 'ordered' | 'ignored' | 'broken';
}

/** What a file should be in the end, by its path. */
export type Model = Map<string, string>;

/** Each key's own story: who is newest by the provider's time wins, wherever it stands in the storm. */
function timedHooks(random: Random, nowMs: number, count: number, bytes: number, model: Model): Hook[] {
  const newest = new Map<string, { atMs: number; path: string | null; content: string }>();
  const times = Array.from({ length: count }, (_, index) => nowMs - 1 - index);
  for (let index = times.length - 1; index > 0; index -= 1) {
    const other = random(index + 1);
    [times[index], times[other]] = [times[other] ?? 0, times[index] ?? 0];
  }
  const hooks = times.map((occurredAtMs, index): Hook => {
    const provider = providers[random(providers.length)] ?? 'hub';
    const hot = random(2) === 0;
    const isObject = random(3) === 0;
    const name = `${isObject ? 'object' : 'file'}-${hot ? random(hotPaths) : random(count)}`;
    // An object wanders between places of its own.
    const path = `/${provider}/${name}${isObject ? `/at-${random(3)}` : ''}.md`;
    const deletes = random(6) === 0;
    const content = padded(`timed ${index}`, bytes);
    const key = `${provider}/${name}`;
    const before = newest.get(key);
    if (before === undefined || before.atMs < occurredAtMs) {
      newest.set(key, { atMs: occurredAtMs, path: deletes ? null : path, content });
    }
    const data = { ...(deletes ? {} : { content }), ...(isObject ? { providerObjectId: name } : {}) };
    const payload = { event_type: deletes ? 'file.deleted' : 'file.updated', path, data };
    return { provider, deliveryId: `timed-${index}`, payload, occurredAtMs, kind: 'timed' };
  });
  for (const { path, content } of newest.values()) if (path !== null) model.set(path, content);
  return hooks;
}

/** Without a time the order of arrival rules: one sender each, one after the other. */
function orderedHooks(random: Random, sender: number, count: number, bytes: number, model: Model): Hook[] {
  return Array.from({ length: count }, (_, index): Hook => {
    const path = `/hub/ordered-${sender}-${random(3)}.md`;
    const deletes = random(5) === 0;
    const content = padded(`ordered ${sender} ${index}`, bytes);
    if (deletes) model.delete(path);
    else model.set(path, content);
    const payload = {
      event_type: deletes ? 'file.deleted' : 'file.created',
      path,
      data: deletes ? {} : { content },
    };
    return {
      provider: 'hub',
      deliveryId: `o-${sender}-${index}`,
      payload,
      occurredAtMs: null,
      kind: 'ordered',
    };
  });
}

function noise(random: Random, count: number): Hook[] {
  const broken: Readonly<Record<string, unknown>>[] = [
    { event_type: 'file.updated', path: '/a/../b', data: { content: 'x' } },
    { event_type: 'file.updated', path: '/hub/x', data: { content: '***', encoding: 'base64' } },
    { event_type: 'file.updated', path: '/hub/x', data: {} },
    { event_type: 'file updated?', path: '/hub/x', data: { content: 'x' } },
    { event_type: 'file.updated', path: `/hub/${'n'.repeat(256)}`, data: { content: 'x' } },
    { event_type: 'file.updated', path: '/hub/x', data: 'no object' },
  ];
  return Array.from({ length: count }, (_, index): Hook => {
    const provider = providers[random(providers.length)] ?? 'hub';
    const ignored = random(2) === 0;
    const payload = ignored
      ? { event_type: 'issue.opened', path: '/hub/x', data: {} }
      : (broken[random(broken.length)] ?? {});
    return {
      provider,
      deliveryId: `noise-${index}`,
      payload,
      occurredAtMs: null,
      kind: ignored ? 'ignored' : 'broken',
    };
  });
}

function padded(text: string, bytes: number): string {
  return text.padEnd(bytes, '.');
}

function shuffle<T>(random: Random, items: T[]): void {
  for (let index = items.length - 1; index > 0; index -= 1) {
    const other = random(index + 1);
    const [one, two] = [items[index], items[other]];
    if (one === undefined || two === undefined) throw new Error('an item is missing');
    items[index] = two;
    items[other] = one;
  }
}

export interface Storm {
  /** Those with a time of their own and the noise: in whatever order they arrive. */
  readonly anyOrder: readonly Hook[];
  /** Without a time the order of arrival rules: each list is sent by one sender, one after the other. */
  readonly ordered: readonly (readonly Hook[])[];
  readonly ignored: number;
  readonly broken: number;
  readonly total: number;
  readonly model: ReadonlyMap<string, string>;
}

export interface StormSize {
  readonly webhooks: number;
  readonly orderedSenders: number;
  /** Of each content, at least. */
  readonly contentBytes: number;
  /** All of them happened before that. */
  readonly nowMs: number;
}

export function makeStorm(random: Random, size: StormSize): Storm {
  const { webhooks, orderedSenders, contentBytes, nowMs } = size;
  const model: Model = new Map();
  const rest = noise(random, Math.floor(webhooks * 0.1));
  const each = Math.floor((webhooks * 0.3) / orderedSenders);
  const timedCount = webhooks - rest.length - each * orderedSenders;
  const timed = timedHooks(random, nowMs, timedCount, contentBytes, model);
  const ordered = Array.from({ length: orderedSenders }, (_, sender) =>
    orderedHooks(random, sender, each, contentBytes, model),
  );
  const anyOrder = [...timed, ...rest];
  shuffle(random, anyOrder);
  const ignored = rest.filter((hook) => hook.kind === 'ignored').length;
  return {
    anyOrder,
    ordered,
    ignored,
    broken: rest.length - ignored,
    total: webhooks,
    model: new Map([...model].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
