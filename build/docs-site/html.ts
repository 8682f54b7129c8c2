// HTML from text. Pure.

export function escaped(raw: string): string {
  return raw
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** The text of simple HTML. */
export function plainText(html: string): string {
  return html
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

/** The inline markup of descriptions: `code` and **strong**. */
export function marked(raw: string): string {
  return escaped(raw)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>');
}

/** Paragraphs, and lists of lines that start with `- `. */
export function blocks(raw: string): string {
  return raw
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) =>
      block.startsWith('- ')
        ? `<ul>${block
            .slice(2)
            .split('\n- ')
            .map((item) => `<li>${marked(item)}</li>`)
            .join('')}</ul>`
        : `<p>${marked(block)}</p>`,
    )
    .join('\n');
}
