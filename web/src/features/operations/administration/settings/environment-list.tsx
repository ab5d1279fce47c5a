import { i18n, type MessageDescriptor } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { formatBytes } from '../../../../lib/format/bytes.ts'
import { Part } from '../../../../ui/part.tsx'
import styles from './environment-list.module.css'

/** Settings that environment variables of the server set, to read. */
export function EnvironmentList({
  labels,
  values,
}: {
  /** By the names of the variables. */
  labels: Readonly<Record<string, MessageDescriptor>>
  /** Null for a variable without a value. */
  values: Readonly<Record<string, string | null>>
}) {
  const names = Object.keys(labels)
  if (names.length === 0) return null
  return (
    <Part
      className={styles['section']}
      title={t`Set on the server`}
      note={t`Environment variables set these. They change with a restart of the site.`}
      level="h3"
    >
      <dl>
        {Object.entries(labels).map(([name, label]) => (
          <div key={name}>
            <dt>
              {i18n._(label)} <code>{name}</code>
            </dt>
            <dd dir="auto">{valueOf(name, values[name] ?? null)}</dd>
          </div>
        ))}
      </dl>
    </Part>
  )
}

function valueOf(name: string, value: string | null): string {
  if (value === null) return t`Not set`
  if (value === 'true') return t`On`
  if (value === 'false') return t`Off`
  return name.endsWith('_BYTES') ? formatBytes(Number(value)) : value
}
