import { t } from '@lingui/core/macro'
import { useId } from 'react'
import { formatPercent } from '../../../lib/format/percent.ts'
import { DataTable } from '../../../ui/data-table.tsx'
import type { Share } from './labels.ts'
import styles from './report.module.css'

/** Amounts with their shares, the highest first. */
export function ShareList({
  title,
  name,
  amount,
  shares,
  format,
}: {
  title: string
  /** Heading of the labels. */
  name: string
  /** Heading of the amounts. */
  amount: string
  shares: readonly Share[]
  format: (amount: number) => string
}) {
  const id = useId()
  return (
    <section className={styles['part']} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <DataTable
        labelledBy={id}
        rows={shares}
        idOf={({ label }) => label}
        hasCards={false}
        columns={[
          {
            heading: name,
            kind: 'name',
            render: ({ label, share }) => (
              <>
                <bdi>{label}</bdi>
                <span className={styles['bar']} aria-hidden="true">
                  <i style={{ width: `${share * 100}%` }} />
                </span>
              </>
            ),
          },
          { heading: amount, kind: 'number', render: (share) => format(share.amount) },
          {
            heading: t({ message: 'Share', context: 'part of the whole' }),
            kind: 'number',
            render: ({ share }) => formatPercent(share),
          },
        ]}
      />
    </section>
  )
}
