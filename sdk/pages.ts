// Reads a list page by page.

/** Yields every page, from `options.cursor` or the first page to the last one. */
export async function* pagesOf<Options extends { readonly cursor?: string }, Page extends WithNextCursor>(
  readPage: (options: Options) => Promise<Page>,
  options: Options,
): AsyncGenerator<Page, void, undefined> {
  let page = await readPage(options);
  yield page;
  while (page.nextCursor !== null) {
    page = await readPage({ ...options, cursor: page.nextCursor });
    yield page;
  }
}

interface WithNextCursor {
  readonly nextCursor: string | null;
}
