// The key with which this browser stays signed in, in IndexedDB of this origin. Its private part cannot be read, not even by this page: it
// only signs (docs/security.md#sign-in-sessions).

const databaseName = 'mooring.sign-in';
const storeName = 'key';
const recordName = 'current';
const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const;

export interface BrowserPublicKey {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
}

interface Stored {
  readonly keys: CryptoKeyPair;
  /** null: not signed in with this key. */
  readonly sessionId: string | null;
}

/** false: the page is not in a secure context (a name other than localhost over http), so it has no WebCrypto. */
export function canKeepKey(): boolean {
  return 'subtle' in crypto && 'indexedDB' in window;
}

/** The public part of the stored key; of a new one when there is none. Tabs that ask at the same time get the same. */
export async function publicKey(): Promise<BrowserPublicKey> {
  const stored = (await read()) ?? (await add({ keys: await newKeys(), sessionId: null }));
  const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', stored.keys.publicKey);
  return { kty: 'EC', crv: 'P-256', x, y };
}

/** The session that was started with the key. */
export interface KeptSession {
  readonly sessionId: string;
  /** The signature of a challenge as base64url, for this page's origin. */
  sign(challenge: string): Promise<string>;
}

/** null: not signed in. The key is read once: another tab may replace it, with the session. */
export async function keptSession(): Promise<KeptSession | null> {
  const stored = await read();
  if (stored === null || stored.sessionId === null) return null;
  const { keys, sessionId } = stored;
  return { sessionId, sign: async (challenge) => await signChallenge(keys.privateKey, sessionId, challenge) };
}

export async function keepSession(sessionId: string): Promise<void> {
  const stored = await read();
  if (stored !== null) await inStore('readwrite', (store) => store.put({ ...stored, sessionId }, recordName));
}

/** The key is deleted: this browser cannot refresh a session with it any more. */
export async function forgetKey(): Promise<void> {
  await inStore('readwrite', (store) => store.delete(recordName));
}

async function signChallenge(privateKey: CryptoKey, sessionId: string, challenge: string): Promise<string> {
  const text = `mooring sign-in refresh v1\n${location.origin}\n${sessionId}\n${challenge}`;
  const bytes = await crypto.subtle.sign(
    { name: 'ECDSA', hash: 'SHA-256' },
    privateKey,
    new TextEncoder().encode(text),
  );
  const plain = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return plain.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

async function newKeys(): Promise<CryptoKeyPair> {
  return await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify']);
}

async function read(): Promise<Stored | null> {
  const stored: unknown = await inStore('readonly', (store) => store.get(recordName));
  return (stored as Stored | undefined) ?? null;
}

/** Keeps the record of another tab that was faster. */
async function add(record: Stored): Promise<Stored> {
  await inStore('readwrite', (store) => {
    const present = store.getKey(recordName);
    present.onsuccess = () => {
      if (present.result === undefined) store.put(record, recordName);
    };
    return present;
  });
  return (await read()) ?? record;
}

/** Resolves with the request's result when its transaction is complete. */
async function inStore<T>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const database = await openDatabase();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(storeName, mode);
      const request = ask(transaction.objectStore(storeName));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error ?? new Error('IndexedDB refused a transaction'));
    });
  } finally {
    database.close();
  }
}

async function openDatabase(): Promise<IDBDatabase> {
  return await new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB is not available'));
  });
}
