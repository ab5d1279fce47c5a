import { t } from '@lingui/core/macro'
import styles from './live-mark.module.css'

/** The mark of what is live. A quiet one is for viewers who have rewound. */
export function LiveMark({ isQuiet = false }: { isQuiet?: boolean }) {
  return (
    <span className={styles['mark']} data-quiet={isQuiet || undefined}>
      {t`Live`}
    </span>
  )
}
