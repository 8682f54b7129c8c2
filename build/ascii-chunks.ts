// Bundling for Node: each character outside ASCII becomes an escape. V8 keeps the text of a file with one byte for each character only if
// all of them are ASCII: the agent's largest file took 7.8 MB for 86 characters that are not.
import type { Plugin } from 'vite';

const beyondAscii = /[\u0080-\uffff]/g;
/** Its text is read as it is written, so that an escape changes its value. */
const rawText = /\braw`[^`]*[\u0080-\uffff]/;

export function asciiChunks(): Plugin {
  return {
    name: 'mooring:ascii-chunks',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue;
        if (rawText.test(file.code))
          this.error(`${file.fileName} has a raw template with characters outside ASCII`);
        file.code = file.code.replace(beyondAscii, escapeOf);
      }
    },
  };
}

/** Of one UTF-16 code unit: two in a row are the character again, in strings, templates and regular expressions alike. */
function escapeOf(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
