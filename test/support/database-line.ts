// The line between a process of a hub and its database: forwards what they send each other, and breaks at a chosen statement. A
// statement is all that the server answers together: what ends with Sync, or a simple query
// (https://www.postgresql.org/docs/current/protocol-message-formats.html).
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import pg from 'pg';

export interface Cut {
  /** 1: the next one. */
  readonly statement: number;
  /**
   * Before the server has it, after the server has answered it and before the process has the answer, or by `pg_terminate_backend` just
   * before the server gets it.
   */
  readonly when: 'before' | 'after' | 'terminated';
}

const typeLengthBytes = 5;
const sync = 'S'.charCodeAt(0);
const query = 'Q'.charCodeAt(0);
/** The server has answered a statement, or the start of the connection. */
const readyForQuery = 'Z'.charCodeAt(0);

export class DatabaseLine {
  /** With the address of the line. */
  readonly url: string;
  /** Only connections of this name (application_name) are counted and cut. */
  readonly #name: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #databaseUrl: string;
  #silences = 0;
  #cut: Cut | null = null;
  #seen = 0;

  private constructor(url: string, databaseUrl: string, name: string, server: Server) {
    this.url = url;
    this.#databaseUrl = databaseUrl;
    this.#server = server;
    this.#name = name;
  }

  static async open(databaseUrl: string, name: string): Promise<DatabaseLine> {
    const url = new URL(databaseUrl);
    const port = Number(url.port);
    const server = createServer((socket) => line.#connect(socket, port));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    url.port = String((server.address() as AddressInfo).port);
    const line = new DatabaseLine(url.href, databaseUrl, name, server);
    return line;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  /** The line breaks once, at this statement from now on. */
  cutAt(cut: Cut): void {
    this.#cut = cut;
    this.#seen = 0;
  }

  /** Nothing breaks any more. Returns whether it has broken. */
  mend(): boolean {
    const hasBroken = this.#cut === null;
    this.#cut = null;
    return hasBroken;
  }

  /** Nothing comes through any more, and no end is sent, as when a network is cut. Connections that begin later work. */
  fallSilent(): void {
    this.#silences += 1;
  }

  async #terminate(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#databaseUrl });
    await client.connect();
    try {
      await client.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1',
        [this.#name],
      );
    } finally {
      await client.end();
    }
  }

  #connect(process: Socket, port: number): void {
    const server = connect(port, '127.0.0.1');
    const end = () => {
      process.destroy();
      server.destroy();
    };
    for (const socket of [process, server]) {
      this.#sockets.add(socket);
      socket.on('error', end).on('close', () => {
        this.#sockets.delete(socket);
        end();
      });
    }
    let rest: Buffer = Buffer.alloc(0);
    let isCounted: boolean | null = null;
    let isHeld = false;
    const began = this.#silences;
    const isSilent = () => isCounted === true && began < this.#silences;
    let answers: Buffer = Buffer.alloc(0);
    /** Statements that are not answered yet, and the start. */
    let open = 1;
    let isPaused = false;
    const forward = () => {
      for (;;) {
        const length: number | null = isCounted === null ? startupLength(rest) : messageLength(rest);
        if (length === null || isHeld || isPaused || process.destroyed) return;
        const message = rest.subarray(0, length);
        rest = rest.subarray(length);
        if (isCounted === null) isCounted = message.includes(`application_name\0${this.#name}\0`);
        else if (message[0] === sync || message[0] === query) {
          open += 1;
          const cut = isCounted ? this.#atStatement() : null;
          if (cut === 'before') return end();
          if (cut === 'terminated') {
            isPaused = true;
            void this.#terminate().then(() => {
              isPaused = false;
              if (server.writable) server.write(message);
              forward();
            }, end);
            return;
          }
          isHeld = cut === 'after';
        }
        server.write(message);
      }
    };
    process.on('data', (data: Buffer) => {
      if (isSilent()) return;
      rest = Buffer.concat([rest, data]);
      forward();
    });
    server.on('data', (data: Buffer) => {
      if (isSilent()) return;
      if (!isHeld) process.write(data);
      answers = Buffer.concat([answers, data]);
      for (let length = messageLength(answers); length !== null; length = messageLength(answers)) {
        if (answers[0] === readyForQuery) open -= 1;
        answers = answers.subarray(length);
      }
      // Not earlier: a statement that the server has not read yet would be lost with the connection.
      if (isHeld && open === 0) end();
    });
  }

  #atStatement(): Cut['when'] | null {
    this.#seen += 1;
    if (this.#cut === null || this.#seen < this.#cut.statement) return null;
    const { when } = this.#cut;
    this.#cut = null;
    return when;
  }
}

/** null: more has to come. */
function startupLength(bytes: Buffer): number | null {
  if (bytes.length < 4) return null;
  const length = bytes.readInt32BE(0);
  return bytes.length < length ? null : length;
}

function messageLength(bytes: Buffer): number | null {
  if (bytes.length < typeLengthBytes) return null;
  const length = bytes.readInt32BE(1) + 1;
  return bytes.length < length ? null : length;
}
