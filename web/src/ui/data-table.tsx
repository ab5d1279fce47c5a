import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import styles from './data-table.module.css'
import { RowMenu, type RowMenuAction } from './row-menu.tsx'
import { rowSelection } from './row-selection.ts'
import { VisuallyHidden } from './text/visually-hidden.tsx'

/** A column: its heading, and its cell of a row. */
interface Column<Row> {
  heading: string
  render: (row: Row) => ReactNode
  /** `name` heads the row, `number` ends where its heading ends, `day` never wraps, `wide` has a line of a card. */
  kind?: 'name' | 'number' | 'day' | 'wide'
  /** Whether cards show the heading before the value; numbers and days have it. */
  isLabelled?: boolean
}

/** Rows that are selected, by their ids. */
export interface Selection {
  selected: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
}

interface DataTableProps<Row> {
  /** Name of the table for screen readers, or the id of its heading. */
  label?: string | undefined
  labelledBy?: string | undefined
  rows: readonly Row[]
  idOf: (row: Row) => string
  /** Names a row: for its checkbox, its menu and its header. */
  nameOf?: (row: Row) => string
  columns: readonly Column<Row>[]
  /** Actions of a row, in a menu at its end. */
  actions?: (row: Row) => readonly RowMenuAction[]
  /** Buttons of a row, before its menu. */
  renderButtons?: (row: Row) => ReactNode
  selection?: Selection | undefined
  /** Whether rows become cards where the table is narrow. Tables of a few numbers fit everywhere. */
  hasCards?: boolean
}

/** A table of rows with typed columns. Where it is narrow, each row is a card. */
export function DataTable<Row>({
  label,
  labelledBy,
  rows,
  idOf,
  nameOf = () => '',
  columns,
  actions,
  renderButtons,
  selection,
  hasCards = true,
}: DataTableProps<Row>) {
  const { isAllSelected, toggleAll, toggle } = rowSelection(
    rows.map(idOf),
    selection?.selected ?? new Set(),
    (ids) => selection?.onSelect(ids),
  )
  const isSelected = (row: Row) => selection?.selected.has(idOf(row)) ?? false
  return (
    <div className={hasCards ? styles['frame'] : undefined}>
      <table className={styles['table']} aria-label={label} aria-labelledby={labelledBy}>
        <thead>
          <tr>
            {selection && (
              <th scope="col" className={styles['selects']}>
                <Check label={t`Select all`} isChecked={isAllSelected} onChange={toggleAll} isLabelShown />
              </th>
            )}
            {columns.map(({ heading, kind }) => (
              <th key={heading} scope="col" className={kind && styles[kind]}>
                {heading}
              </th>
            ))}
            {(actions ?? renderButtons) && (
              <th scope="col" className={styles['menu']}>
                <VisuallyHidden>{t`Actions`}</VisuallyHidden>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={idOf(row)} data-selected={isSelected(row) || undefined}>
              {selection && (
                <td className={styles['selects']}>
                  <Check
                    label={t`Select ${nameOf(row)}`}
                    isChecked={isSelected(row)}
                    onChange={() => toggle(idOf(row))}
                  />
                </td>
              )}
              {columns.map((column) => (
                <Cell key={column.heading} column={column} row={row} name={nameOf(row)} />
              ))}
              {(actions ?? renderButtons) && (
                <Actions buttons={renderButtons?.(row)}>
                  {actions && <RowMenu of={nameOf(row)} actions={actions(row)} />}
                </Actions>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Cell<Row>({ column, row, name }: { column: Column<Row>; row: Row; name: string }) {
  const { kind, heading, render, isLabelled = kind === 'number' || kind === 'day' } = column
  if (kind === 'name')
    return (
      <th scope="row" className={styles['name']} aria-label={name || undefined}>
        {render(row)}
      </th>
    )
  return (
    <td className={kind && styles[kind]} data-label={isLabelled ? heading : undefined}>
      {render(row)}
    </td>
  )
}

function Actions({ buttons, children }: { buttons: ReactNode; children: ReactNode }) {
  return (
    <td className={styles[buttons ? 'buttons' : 'menu']}>
      <div>
        {buttons}
        {children}
      </div>
    </td>
  )
}

function Check({
  label,
  isChecked,
  onChange,
  isLabelShown = false,
}: {
  label: string
  isChecked: boolean
  onChange: () => void
  /** On cards, where no table head explains the box. */
  isLabelShown?: boolean
}) {
  return (
    <label className={styles['check']}>
      <input type="checkbox" aria-label={label} checked={isChecked} onChange={onChange} />
      {isLabelShown && <span className={styles['check-label']}>{label}</span>}
    </label>
  )
}
