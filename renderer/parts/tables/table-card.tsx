// A table of Settings.
import type { ReactElement, ReactNode } from 'react';

/** `brief`: as narrow as its content. */
type Column = string | { readonly name: string; readonly brief: true } | typeof actionsColumn;

/** A column of buttons, with a heading for screen readers only. */
export const actionsColumn = Symbol('Actions');

export function TableCard({
  columns,
  className,
  children,
}: {
  readonly columns: readonly Column[];
  readonly className?: string;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <div className="table-card">
      <table className={className === undefined ? 'table' : `table ${className}`}>
        <thead>
          <tr>
            {columns.map((column) =>
              column === actionsColumn ? (
                <th key="actions" scope="col">
                  <span className="reader-only">Actions</span>
                </th>
              ) : typeof column === 'string' ? (
                <th key={column} scope="col">
                  {column}
                </th>
              ) : (
                <th key={column.name} scope="col" className="brief">
                  {column.name}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
