// What the machine does to a mirror: the disk of the folder is unplugged for a while, and the clock is set.
import type { Inode } from './disk.ts';
import { rootPath, type Scene } from './scene.ts';

const awayPath = '/r-away';

export class Unplugging {
  readonly #scene: Scene;
  /** Nobody pulls the plug in the middle of what a person does: then nobody could say what is right. */
  readonly #isPersonDoing: () => boolean;
  /** The folder is still to go away: taken from a mirror that is being judged, it could prove nothing. */
  #isPlanned = false;

  constructor(scene: Scene, isPersonDoing: () => boolean) {
    this.#scene = scene;
    this.#isPersonDoing = isPersonDoing;
  }

  get isPlanned(): boolean {
    return this.#isPlanned;
  }

  plan(): void {
    const { scheduler, random } = this.#scene;
    this.#isPlanned = true;
    scheduler.at(random.below(60_000), 'the folder goes away', () => {
      if (this.#isPersonDoing()) {
        this.plan();
        return;
      }
      this.#isPlanned = false;
      this.#takeAway();
      scheduler.at(random.pick([5, 3000, 40_000]), 'the folder comes back', () => this.bringBack());
    });
  }

  bringBack(): void {
    const { disk } = this.#scene;
    if (!this.#scene.isFolderAway) return;
    const instead = disk.inodeAt(rootPath);
    if (instead !== null) this.#removeAll(rootPath, instead);
    disk.rename(awayPath, rootPath);
    disk.syncNames();
    this.#scene.isFolderAway = false;
  }

  /** Nothing stands in its place, or an empty directory, or a file. */
  #takeAway(): void {
    const { disk, random } = this.#scene;
    this.#scene.isFolderAway = true;
    disk.rename(rootPath, awayPath);
    const instead = random.below(3);
    if (instead === 1) disk.makeDirectory(rootPath);
    if (instead === 2) disk.create(rootPath);
    // A power cut does not plug it in again.
    disk.syncNames();
  }

  #removeAll(path: string, inode: Inode): void {
    const { disk } = this.#scene;
    if (inode.kind !== 'directory') {
      disk.unlink(path);
      return;
    }
    for (const [name, child] of [...inode.entries]) this.#removeAll(`${path}/${name}`, child);
    disk.removeDirectory(path);
  }
}

export function planClockJump({ scheduler, random }: Scene): void {
  scheduler.at(random.below(90_000), 'the clock is set', () => {
    scheduler.jumpWall(random.pick([-3_600_017, 3_600_017, -1501]));
  });
}
