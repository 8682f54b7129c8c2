// What has arrived of large files, as the disk of a desktop keeps it over its ends.
import type { PartFiles, PartName } from '../../../server/remotes/transfer/part-files.ts';

export class PartsInMemory implements PartFiles {
  readonly #parts = new Map<string, Uint8Array>();

  async length(name: PartName): Promise<number> {
    return this.#parts.get(keyOf(name))?.length ?? 0;
  }

  async open(name: PartName) {
    return {
      append: async (bytes: Uint8Array) => {
        this.#parts.set(
          keyOf(name),
          Buffer.concat([this.#parts.get(keyOf(name)) ?? new Uint8Array(), bytes]),
        );
      },
      close: async () => undefined,
    };
  }

  async *read(name: PartName): AsyncGenerator<Uint8Array> {
    yield this.#parts.get(keyOf(name)) ?? new Uint8Array();
  }

  async drop(name: PartName): Promise<void> {
    this.#parts.delete(keyOf(name));
  }

  async dropAll(): Promise<void> {
    this.#parts.clear();
  }
}

function keyOf({ path, hash }: PartName): string {
  return `${hash} ${path}`;
}
