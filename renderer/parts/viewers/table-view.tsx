// CSV and TSV as a table with a fixed head, virtual.
import Papa from 'papaparse';
import { type ReactElement, useMemo } from 'react';
import { nameOf } from '../../model/files/path.ts';
import { count, plural } from '../../model/format.ts';
import { ReadingRegion } from '../feedback/reading-region.tsx';
import { useVirtualRows } from '../tables/use-virtual-rows.ts';

const rowPx = 28;
const rowsMax = 50_000;
const columnsMax = 100;
const columnPx = 180;

export function TableView({ path, text }: { readonly path: string; readonly text: string }): ReactElement {
  const { head, rows, columns, isCut } = useMemo(() => tableOf(text), [text]);
  const virtual = useVirtualRows({ count: rows.length, rowPx, current: -1 });
  const width = `${columns * columnPx + 64}px`;
  const template = { gridTemplateColumns: `64px repeat(${columns}, ${columnPx}px)`, width };
  const places = Array.from({ length: columns }, (_, place) => place);
  return (
    <>
      <p className="note-line plain">
        {plural(rows.length, 'row')}, {plural(columns, 'column')}
        {isCut ? `. Only the first ${count(rowsMax)} rows and ${columnsMax} columns are shown.` : ''}
      </p>
      <ReadingRegion ref={virtual.scroller} className="scroller csv" name={`Content of ${nameOf(path)}`}>
        {/* biome-ignore lint/a11y/useSemanticElements: rows are positioned by the virtual list */}
        <div
          role="table"
          aria-label={nameOf(path)}
          aria-rowcount={rows.length + 1}
          aria-colcount={columns + 1}
        >
          {/* biome-ignore lint/a11y/useSemanticElements: rows are positioned by the virtual list */}
          {/* biome-ignore lint/a11y/useFocusableInteractive: cells are not selected */}
          <div role="row" aria-rowindex={1} className="csv-row csv-head" style={template}>
            <Cell role="columnheader" className="csv-number">
              Row
            </Cell>
            {places.map((place) => (
              <Cell key={place} role="columnheader">
                {head[place] ?? ''}
              </Cell>
            ))}
          </div>
          {/* biome-ignore lint/a11y/useSemanticElements: rows are positioned by the virtual list */}
          <div role="rowgroup" className="rail" style={{ height: virtual.totalPx, width }}>
            {virtual.items.map((item) => (
              // biome-ignore lint/a11y/useSemanticElements: rows are positioned by the virtual list
              // biome-ignore lint/a11y/useFocusableInteractive: cells are not selected
              <div
                key={item.key}
                role="row"
                aria-rowindex={item.index + 2}
                className="csv-row csv-body"
                style={{ ...template, transform: `translateY(${item.start}px)` }}
              >
                <Cell role="rowheader" className="csv-number">
                  {count(item.index + 1)}
                </Cell>
                {places.map((place) => (
                  <Cell key={place} role="cell">
                    {rows[item.index]?.[place] ?? ''}
                  </Cell>
                ))}
              </div>
            ))}
          </div>
        </div>
      </ReadingRegion>
    </>
  );
}

function Cell({
  role,
  className = '',
  children,
}: {
  readonly role: 'cell' | 'columnheader' | 'rowheader';
  readonly className?: string;
  readonly children: string;
}): ReactElement {
  return (
    <span role={role} className={`ellipsis ${className}`} title={children}>
      {children}
    </span>
  );
}

function tableOf(text: string) {
  const { data } = Papa.parse<string[]>(text, {
    delimitersToGuess: [',', ';', '\t'],
    preview: rowsMax + 2,
    skipEmptyLines: true,
  });
  const [head = [], ...rows] = data;
  const widest = data.slice(0, 1000).reduce((most, row) => Math.max(most, row.length), 0);
  const columns = Math.min(columnsMax, widest);
  return { head, rows: rows.slice(0, rowsMax), columns, isCut: rows.length > rowsMax || widest > columnsMax };
}
