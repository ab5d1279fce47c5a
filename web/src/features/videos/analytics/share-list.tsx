import { t } from '@lingui/core/macro'
import { useId } from 'react'
import { formatShare, type Share } from './labels.ts'
import styles from './share-list.module.css'

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
    <section className={styles['list']} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <table aria-labelledby={id}>
        <thead>
          <tr>
            <th scope="col">{name}</th>
            <th scope="col">{amount}</th>
            <th scope="col">{t({ message: 'Share', context: 'part of the whole' })}</th>
          </tr>
        </thead>
        <tbody>
          {shares.map(({ label, amount: value, share }) => (
            <tr key={label}>
              <th scope="row">
                <bdi>{label}</bdi>
                <span className={styles['bar']} aria-hidden="true">
                  <i style={{ width: `${share * 100}%` }} />
                </span>
              </th>
              <td>{format(value)}</td>
              <td>{formatShare(share)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
