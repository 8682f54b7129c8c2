// Hands bytes to the person as a file, in the way of browsers.

/** `name` is only proposed: where it is saved is the browser's or the person's business. */
export function saveAs(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
