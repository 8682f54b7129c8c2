// Rows of a hex view. Pure.

export const bytesPerRow = 16;

/** `00000010`: at least 8 digits. */
export function offsetText(offset: number): string {
  return offset.toString(16).padStart(8, '0');
}

/** `48 65 6c 6c 6f`, in two groups of eight. */
export function hexText(bytes: Uint8Array): string {
  const pairs = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'));
  return `${pairs.slice(0, 8).join(' ')}  ${pairs.slice(8).join(' ')}`.trimEnd();
}

/** Printable ASCII; others are dots. */
export function asciiText(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join(
    '',
  );
}
