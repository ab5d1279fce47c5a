import type { ReactNode } from 'react'
import type { RowAction } from '../lib/use-row-action.ts'
import { Button } from './button.tsx'
import { type Loadable, QuerySection } from './query-section.tsx'
import { RowActionResult } from './row-action-result.tsx'
import { Row, RowList } from './row-list.tsx'

/** A row of a list of revocable things. */
export interface Revocable {
  key: string
  title: string
  badge?: ReactNode
  isAlarming?: boolean
  note: ReactNode
  /** Label of the button that revokes it, and the same with the name of the row; none where it cannot be revoked. */
  revoke?: { label: string; name: string } | undefined
  /** Controls before that button. */
  controls?: ReactNode
}

/** Things that an account can revoke, such as passkeys and tokens; below them, ways to add one. */
export function RevocableList<Item>({
  label,
  query,
  failure,
  rowOf,
  action,
  areControlsBelow = false,
  children,
}: {
  label: string
  query: Loadable<readonly Item[]>
  failure: string
  rowOf: (item: Item) => Revocable
  action: RowAction<Item>
  areControlsBelow?: boolean
  children?: ReactNode
}) {
  return (
    <QuerySection query={query} failure={failure}>
      {(items) => (
        <>
          <RowList ref={action.list} label={label}>
            {items.map((item) => {
              const { key, revoke, controls, ...row } = rowOf(item)
              return (
                <Row
                  key={key}
                  {...row}
                  areControlsBelow={areControlsBelow}
                  controls={
                    (Boolean(controls) || revoke) && (
                      <>
                        {controls}
                        {revoke && (
                          <Button
                            disabled={action.isPending}
                            aria-label={revoke.name}
                            onClick={() => action.start(item)}
                          >
                            {revoke.label}
                          </Button>
                        )}
                      </>
                    )
                  }
                />
              )
            })}
          </RowList>
          <RowActionResult action={action} />
          {children}
        </>
      )}
    </QuerySection>
  )
}
