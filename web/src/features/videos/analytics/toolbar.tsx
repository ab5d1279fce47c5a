import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { AnalyticsPeriod } from '@kinora/contract/videos/analytics.ts'
import { Download } from 'lucide-react'
import { buttonClass } from '../../../ui/button.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { periodNamed, periodNames, periods } from './periods.ts'
import styles from './toolbar.module.css'

/** Chooses the period and downloads its numbers. */
export function Toolbar({
  period,
  onPeriod,
  csvHref,
}: {
  period: AnalyticsPeriod
  onPeriod: (period: AnalyticsPeriod) => void
  csvHref: string
}) {
  return (
    <div className={styles['toolbar']}>
      <Select
        label={t`Period`}
        value={period}
        onChange={({ currentTarget }) => onPeriod(periodNamed(currentTarget.value))}
      >
        {periodNames.map((name) => (
          <option key={name} value={name}>
            {i18n._(periods[name])}
          </option>
        ))}
      </Select>
      <a className={buttonClass('quiet')} href={csvHref} download>
        <Icon of={Download} />
        {t`Download CSV`}
      </a>
    </div>
  )
}
