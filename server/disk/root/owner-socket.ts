// The part of the root lock that the kernel frees: the owner listens on a socket in the private folder while its process lives,
// and another agent connects to find out. Process ids have no meaning for an agent in another container that shares the folder; a
// socket is found by its path. No data is sent or read, as other programs may write there. Linux only, where the socket can be
// reached through a directory handle.
import { connect, createServer, type Server } from 'node:net';
import { privateFolderName } from '../names/ignore.ts';
import { canUseHandles, DirectoryHandles, type HeldName } from '../port/directory-handles.ts';
import { errorCode } from '../port/file-system.ts';

/** Its random part is never used again: a socket without a listener stays free. */
const namePattern = /^owner-[0-9a-f-]{36}\.sock$/;
const directory = `/${privateFolderName}`;
/** An answer takes microseconds; it is the kernel's, and needs nothing of the process that is asked about. */
const answerMsMax = 1000;

export function isOwnerSocket(name: string): boolean {
  return namePattern.test(name);
}

export interface OwnerSocket {
  /** In the private folder. */
  readonly name: string;
  /** Its name stays; this call does not remove it. */
  close(): void;
}

/** null: this system or this disk has no such sockets. The private folder is there. */
export async function listenAsOwner(root: string): Promise<OwnerSocket | null> {
  if (!canUseHandles()) return null;
  const directories = new DirectoryHandles(root);
  const server = createServer((caller) => caller.destroy());
  try {
    const name = `owner-${crypto.randomUUID()}.sock`;
    await listening(server, `${directories.at(directory, 0)}/${name}`);
    directories.verify(directory);
    server.unref();
    return { name, close: () => server.close() };
  } catch {
    // FAT, some network disks: the process's number has to do.
    server.close();
    return null;
  } finally {
    directories.close();
  }
}

function listening(server: Server, path: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(path, () => resolve());
  return promise;
}

/** `unknown`: it cannot be asked. */
export async function askOwner(root: string, name: string): Promise<'held' | 'free' | 'unknown'> {
  if (!canUseHandles() || !isOwnerSocket(name)) return 'unknown';
  const directories = new DirectoryHandles(root);
  let held: HeldName | null = null;
  try {
    held = directories.hold(directory, name);
    return held.isSocket ? await answerOf(held.path) : 'free';
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(errorCode(error)) ? 'free' : 'unknown';
  } finally {
    held?.close();
    directories.close();
  }
}

function answerOf(path: string): Promise<'held' | 'free' | 'unknown'> {
  const { promise, resolve } = Promise.withResolvers<'held' | 'free' | 'unknown'>();
  const caller = connect({ path });
  caller.setTimeout(answerMsMax, () => resolve('held'));
  caller.once('connect', () => resolve('held'));
  caller.once('error', (error) => {
    const code = errorCode(error);
    // EAGAIN: the queue of connections is full, so a process listens.
    if (code === 'EAGAIN') resolve('held');
    else resolve(code === 'ECONNREFUSED' || code === 'ENOENT' ? 'free' : 'unknown');
  });
  return promise.finally(() => caller.destroy());
}
