// The log of the agent as a file below the data directory: two files of bounded size, JSON lines, readable by this user only.
// A log that cannot be written does not end the agent: its lines are dropped until it can be.
import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { DestinationStream } from 'pino';
import { ensurePrivateDir } from '../files/private-files.ts';

/** The current file becomes the older one at this size, so that both have at most twice as much. */
const logFileBytesMax = 5 * 1024 * 1024;
const privateMode = 0o600;

export interface LogFiles {
  readonly current: string;
  readonly older: string;
}

export function logFiles(dataDir: string): LogFiles {
  const dir = path.join(dataDir, 'logs');
  return { current: path.join(dir, 'agent.log'), older: path.join(dir, 'agent.1.log') };
}

export class LogFile implements DestinationStream {
  readonly #files: LogFiles;
  readonly #bytesMax: number;
  #handle: number | null = null;
  #bytes = 0;

  constructor(dataDir: string, bytesMax = logFileBytesMax) {
    this.#files = logFiles(dataDir);
    this.#bytesMax = bytesMax;
  }

  /** Synchronous: the line that explains a crash must not be lost in a buffer. */
  write(line: string): void {
    try {
      this.#handle ??= this.#open();
      this.#bytes += writeSync(this.#handle, line);
      if (this.#bytes >= this.#bytesMax) this.#turnOver();
    } catch {
      // stderr has the line too.
      this.close();
    }
  }

  close(): void {
    if (this.#handle === null) return;
    const handle = this.#handle;
    this.#handle = null;
    try {
      closeSync(handle);
    } catch {
      // It is closed as far as this process can.
    }
  }

  #open(): number {
    ensurePrivateDir(path.dirname(this.#files.current));
    const handle = openSync(this.#files.current, 'a', privateMode);
    this.#bytes = fstatSync(handle).size;
    return handle;
  }

  #turnOver(): void {
    this.close();
    renameSync(this.#files.current, this.#files.older);
  }
}
