// Two people at one tree, to be kept over kills: one writes the workspace, one the mirrored folder, both from a seed. Some files
// are the one's alone, some the other's, some are everybody's. It remembers what was acknowledged, and by whom it was given up.
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Killable } from './killable.ts';
import { runSeed, type SeededRandom, seededRandom } from './trees.ts';

/** Files of each of the three directories. */
const filesEach = 40;
const writersAtOnce = 3;
/** Contents beyond 64 KiB lie beside the database, smaller ones in it; both are on their way when the end comes. */
const largeBytes = 90_000;
const pauseMsMax = 8;

/** A content that someone put into the folder and that nobody who saw it took away again. */
export interface FolderValue {
  readonly content: string;
  /** Where its author put it, under each name that it was given. */
  readonly paths: Set<string>;
  givenUp: boolean;
}

export class ConcurrentEdits {
  readonly seed = runSeed();
  readonly random: SeededRandom = seededRandom(this.seed);
  readonly #dir: string;
  #count = 0;
  /** Everything that was ever on its way, also what got no answer: anything else is torn. */
  readonly contents = new Set<string>(['']);
  /** Acknowledged writes of the workspace, each with its path. */
  readonly written: { readonly path: string; readonly content: string }[] = [];
  readonly folderValues = new Map<string, FolderValue>();
  /** `/here`: what its only author left there. */
  readonly here = new Map<string, string>();
  /** `/there`: likewise; more than one where a change got no answer. null: no file. */
  readonly there = new Map<string, readonly (string | null)[]>();
  acknowledged = 0;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Before anything is mirrored: the folder is full. */
  begin(): void {
    for (const area of ['here', 'there', 'both'])
      for (let at = 0; at < filesEach; at += 1) {
        const content = this.#newContent('begin');
        this.#save(`/${area}/${at}.txt`, content);
        if (area === 'here') this.here.set(`/here/${at}.txt`, content);
        if (area === 'there') this.there.set(`/there/${at}.txt`, [content]);
      }
  }

  /** Writes the workspace until the other side is gone. Each writer has its own files. */
  async writeWorkspace(engine: Killable): Promise<void> {
    await Promise.all(Array.from({ length: writersAtOnce }, (_, number) => this.#write(engine, number)));
  }

  async #write(engine: Killable, number: number): Promise<void> {
    const random = seededRandom(this.random.below(2 ** 31));
    for (;;) {
      const area = random.pick(['there', 'both']);
      const at = random.below(Math.floor(filesEach / writersAtOnce)) * writersAtOnce + number;
      const file = `/${area}/${at}.txt`;
      const content = random.below(12) === 0 ? null : this.#newContent('workspace', random);
      const before = this.there.get(file) ?? [null];
      if (area === 'there') this.there.set(file, [...before, content]);
      const answer = await engine.change(file, content);
      if (answer === null) return;
      this.acknowledged += 1;
      if (answer && content !== null) this.written.push({ path: file, content });
      if (area === 'there') this.there.set(file, answer ? [content] : before);
      await delay(random.below(pauseMsMax));
    }
  }

  /** Changes the folder until told to stop, also while nobody mirrors it. */
  async changeFolder(changesMax: number, stop: AbortSignal): Promise<void> {
    const random = seededRandom(this.random.below(2 ** 31));
    for (let at = 0; at < changesMax && !stop.aborted; at += 1) {
      this.#changeFolder(random);
      this.acknowledged += 1;
      await delay(random.below(pauseMsMax));
    }
  }

  #changeFolder(random: SeededRandom): void {
    const area = random.pick(['here', 'both']);
    const file = `/${area}/${random.below(filesEach)}.txt`;
    const other = `/${area}/${random.below(filesEach)}.txt`;
    const stands = existsSync(this.#at(file));
    const verb = random.below(20);
    if (stands && verb === 0) this.#delete(file);
    else if (stands && verb < 4 && !existsSync(this.#at(other))) this.#move(file, other);
    else if (stands && verb < 7) this.#saveAsVim(file, this.#newContent('folder', random));
    else if (stands && verb < 10) this.#saveInPlace(file, this.#newContent('folder', random));
    else this.#save(file, this.#newContent('folder', random));
  }

  /** Unique, so that each of them can be asked for afterwards. */
  #newContent(by: string, random: SeededRandom = this.random): string {
    this.#count += 1;
    const line = `${by} ${this.#count} of seed ${this.seed}\n`;
    const content = line.padEnd(random.below(15) === 0 ? largeBytes : line.length + random.below(400), '.');
    this.contents.add(content);
    return content;
  }

  // ---- how a folder is changed; each is acknowledged, as to a careful program, once what it did is synced

  #save(file: string, content: string): void {
    const temp = `${this.#at(file)}.swp`;
    mkdirSync(path.dirname(temp), { recursive: true });
    writeFileSync(temp, content, { flush: true });
    this.#replaced(file);
    renameSync(temp, this.#at(file));
    this.#stands(file, content);
  }

  #saveAsVim(file: string, content: string): void {
    this.#takeAway(file, () => writeFileSync(this.#at(file), content, { flush: true }));
    this.#stands(file, content);
  }

  #saveInPlace(file: string, content: string): void {
    this.#replaced(file);
    writeFileSync(this.#at(file), content, { flush: true });
    this.#stands(file, content);
  }

  #delete(file: string): void {
    this.#takeAway(file, () => undefined);
    this.here.delete(file);
    this.#syncDirectory(file);
  }

  #move(from: string, to: string): void {
    renameSync(this.#at(from), this.#at(to));
    const content = this.#read(to);
    this.folderValues.get(content)?.paths.add(to);
    if (this.here.delete(from)) this.here.set(to, content);
    this.#syncDirectory(to);
  }

  /** The file goes under a name that is never synced, so that what it held at the very end is known. */
  #takeAway(file: string, meanwhile: () => void): void {
    const backup = `${this.#at(file)}~`;
    renameSync(this.#at(file), backup);
    meanwhile();
    this.#giveUp(readFileSync(backup, 'utf8'));
    rmSync(backup);
  }

  /** What stands there is about to be replaced. When the mirror was quicker, this person's own last content is still meant. */
  #replaced(file: string): void {
    if (existsSync(this.#at(file))) this.#giveUp(this.#read(file));
    for (const value of this.folderValues.values()) if (value.paths.has(file)) value.givenUp = true;
  }

  #giveUp(content: string): void {
    if (!this.contents.has(content))
      throw new Error(`the folder held ${JSON.stringify(content.slice(0, 200))}`);
    const value = this.folderValues.get(content);
    if (value !== undefined) value.givenUp = true;
  }

  #stands(file: string, content: string): void {
    this.folderValues.set(content, { content, paths: new Set([file]), givenUp: false });
    if (file.startsWith('/here/')) this.here.set(file, content);
    this.#syncDirectory(file);
  }

  #syncDirectory(file: string): void {
    const directory = openSync(path.dirname(this.#at(file)), 'r');
    fsyncSync(directory);
    closeSync(directory);
  }

  #read(file: string): string {
    return readFileSync(this.#at(file), 'utf8');
  }

  #at(file: string): string {
    return path.join(this.#dir, file);
  }
}
