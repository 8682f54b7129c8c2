// A checkbox in the style of the UI. It is an input of the browser, drawn by style/fields.css, so that forms, readers and keys know
// it.
import type { ReactElement, ReactNode } from 'react';

export function Checkbox({
  label,
  checked,
  isPartial = false,
  isInRow = false,
  onChange,
}: {
  /** For readers; the visible text is beside it. */
  readonly label?: string;
  readonly checked: boolean;
  /** Some of the rows that it selects are selected. */
  readonly isPartial?: boolean;
  /** The row has the focus and its key. */
  readonly isInRow?: boolean;
  readonly onChange: (checked: boolean) => void;
}): ReactElement {
  return (
    <input
      type="checkbox"
      {...(label === undefined ? {} : { 'aria-label': label })}
      {...(isInRow ? { tabIndex: -1 } : {})}
      checked={checked}
      ref={(box) => {
        if (box !== null) box.indeterminate = isPartial;
      }}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}

/** A checkbox with its text. */
export function CheckLine({
  checked,
  onChange,
  children,
}: {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ReactNode;
}): ReactElement {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: Checkbox is an input
    <label className="check-line">
      <Checkbox checked={checked} onChange={onChange} />
      <span>{children}</span>
    </label>
  );
}
