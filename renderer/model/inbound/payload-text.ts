// The payload of a dead letter as JSON text, to read and to edit. Long texts in it are shortened, because a field with megabytes holds up the
// browser for seconds with each key; they are put back when the edited text is read.
import { mapTexts, shortenedMark, shortenedText } from '../../../server/core/shortened-texts.ts';
import { plural } from '../format.ts';

export type PayloadReading =
  | { readonly ok: true; readonly payload: Record<string, unknown> }
  | { readonly ok: false; readonly reason: string };

/** Longer texts are shortened. */
export const wholeCharactersMax = 20_000;

export class PayloadText {
  readonly text: string;
  /** What is said about it; null: nothing is shortened. */
  readonly note: string | null;
  readonly #payload: unknown;
  /** By what is shown in their place. */
  readonly #shortened = new Map<string, string>();

  constructor(payload: unknown) {
    this.#payload = payload;
    const shown = mapTexts(payload, (text) => this.#shown(text));
    this.text = JSON.stringify(shown, null, 2);
    const { size } = this.#shortened;
    this.note =
      size === 0
        ? null
        : `${plural(size, 'long text')} shortened. A replay and Copy use all of ${size === 1 ? 'it' : 'them'}.`;
  }

  /** The payload that an edited text means, or why it means none. */
  read(edited: string): PayloadReading {
    let value: unknown;
    try {
      value = JSON.parse(edited);
    } catch (error) {
      return {
        ok: false,
        reason: `Not valid JSON: ${error instanceof Error ? error.message : String(error)}`,
      };
    }
    let isChanged = false;
    const payload = mapTexts(value, (text) => {
      const whole = this.#shortened.get(text);
      isChanged ||= whole === undefined && shortenedMark.test(text);
      return whole ?? text;
    });
    if (isChanged)
      return { ok: false, reason: 'A shortened text was changed. Leave it unchanged or replace all of it.' };
    if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
      return { ok: false, reason: 'The payload must be a JSON object.' };
    return { ok: true, payload: payload as Record<string, unknown> };
  }

  /** With the long texts. `edited` null: the payload. */
  whole(edited: string | null): string {
    if (this.note === null) return edited ?? this.text;
    if (edited === null) return JSON.stringify(this.#payload, null, 2);
    const reading = this.read(edited);
    return reading.ok ? JSON.stringify(reading.payload, null, 2) : edited;
  }

  #shown(text: string): string {
    // One that only looks shortened is shown in the same way, so that it differs from the others.
    if (text.length <= wholeCharactersMax && !shortenedMark.test(text)) return text;
    const shown = shortenedText(text, this.#shortened.size + 1);
    this.#shortened.set(shown, text);
    return shown;
  }
}
