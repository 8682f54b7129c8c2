// Puts a long JSON text together as bytes. One text of thousands of pieces is a tree of pieces to the engine, which is walked
// once more to send it; written out every few thousand characters it never grows that tall. Knows nothing of what it writes.

/** Of text, before it is written to the bytes. */
const pendingCharactersMax = 4_096;
const utf8BytesPerCharacterMax = 3;

export class JsonBytes {
  #bytes: Buffer;
  #length = 0;
  #pending = '';

  /** `bytesExpected` may be wrong: the bytes grow. */
  constructor(bytesExpected: number) {
    this.#bytes = Buffer.allocUnsafeSlow(bytesExpected + pendingCharactersMax * utf8BytesPerCharacterMax);
  }

  add(text: string): void {
    this.#pending += text;
    if (this.#pending.length >= pendingCharactersMax) this.#write();
  }

  /** All that was added, as UTF-8. */
  end(): Buffer {
    this.#write();
    return this.#bytes.subarray(0, this.#length);
  }

  #write(): void {
    const needed = this.#length + this.#pending.length * utf8BytesPerCharacterMax;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#length += this.#bytes.write(this.#pending, this.#length, 'utf8');
    this.#pending = '';
  }
}
