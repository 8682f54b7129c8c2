// The rows of a list, without the row of its heads.
import type { Locator, Page } from '@playwright/test';

export function dataRows(of: Page | Locator): Locator {
  return of.locator('[role="row"][aria-selected]');
}
