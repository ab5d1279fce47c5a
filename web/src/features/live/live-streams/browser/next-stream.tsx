import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { LiveTemplate } from '@kinora/contract/live/live-streams.ts'
import { Link } from 'react-router'
import { visibilityChoices } from '../../../../lib/visibility-labels.ts'
import { paths } from '../../../../paths.ts'
import styles from './next-stream.module.css'

/** Title and visibility with which the stream begins. */
export function NextStream({ template }: { template: LiveTemplate | null }) {
  return (
    <section className={styles['next']} aria-label={t`Next stream`}>
      <p className={styles['title']} dir="auto">
        {template?.title ?? t`Live`}
      </p>
      <p>{i18n._(visibilityChoices[template?.visibility ?? 'private'])}</p>
      <Link to={paths.studioLive()}>{t`Change title and visibility`}</Link>
    </section>
  )
}
