// Writes a long JSON text as bytes. V8 stores a text of thousands of concatenated parts as a tree and walks it again to send it; writing
// every few thousand characters avoids that.

/** Characters collected before they are written. */
const pendingCharactersMax = 4_096;
const utf8BytesPerCharacterMax = 3;

export class JsonBytes {
  #bytes: Buffer;
  #length = 0;
  #pending = '';

  /** `bytesExpected` is an estimate: the buffer grows. */
  constructor(bytesExpected: number) {
    this.#bytes = Buffer.allocUnsafeSlow(bytesExpected + pendingCharactersMax * utf8BytesPerCharacterMax);
  }

  add(text: string): void {
    this.#pending += text;
    if (this.#pending.length >= pendingCharactersMax) this.#write();
  }

  /** Everything added, as UTF-8. */
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
