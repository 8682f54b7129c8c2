// The names by which links within a Markdown file reach its headings, as GitHub and most editors make them. Pure.

/** Of the headings in their order: a repeated name gets a number. */
export function headingAnchors(headings: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return headings.map((heading) => {
    const name = anchorOf(heading);
    let free = name;
    for (let number = 1; taken.has(free); number += 1) free = `${name}-${number}`;
    taken.add(free);
    return free;
  });
}

function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** The name that an address within the page asks for; null: it leads elsewhere. */
export function anchorIn(address: string): string | null {
  if (!address.startsWith('#') || address.length === 1) return null;
  try {
    return decodeURIComponent(address.slice(1)).toLowerCase();
  } catch {
    return null;
  }
}
