import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { OwnVideo } from '@kinora/contract/videos/studio.ts'
import { Button } from '../../../ui/button.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { visibilityOf } from './api.ts'
import styles from './bulk-bar.module.css'
import { BulkLabels } from './bulk-labels.tsx'
import type { BulkChange, BulkNotice } from './use-bulk-actions.ts'
import { visibilities, visibilityNames } from './visibilities.ts'

/** Actions for the selected videos, and the result of the last one. */
export function BulkBar({
  chosen,
  notice,
  onChange,
  onDelete,
}: {
  chosen: readonly OwnVideo[]
  notice: BulkNotice | undefined
  onChange: (change: BulkChange) => void
  /** Only for people who may delete. */
  onDelete: (() => void) | undefined
}) {
  return (
    <>
      <div className={styles['bulk']} role="group" aria-label={t`Selected videos`}>
        <span role="status">{notice?.text || (chosen.length > 0 ? t`${chosen.length} selected` : '')}</span>
        {notice?.undo && <Button onClick={notice.undo}>{t`Undo`}</Button>}
        {chosen.length > 0 && (
          <>
            {visibilityNames
              .filter((name) => name !== 'scheduled')
              .map((name) => (
                <Button
                  key={name}
                  onClick={() =>
                    onChange({
                      changeOf: () => ({ visibility: name }),
                      revertOf: visibilityOf,
                      outcome: t`now ${i18n._(visibilities[name].label).toLowerCase()}`,
                    })
                  }
                >
                  {t`Make ${i18n._(visibilities[name].label).toLowerCase()}`}
                </Button>
              ))}
            <BulkLabels onChange={onChange} />
            {onDelete && <Button onClick={onDelete}>{t`Delete`}</Button>}
          </>
        )}
      </div>
      {notice && notice.failures.length > 0 && (
        <Alert>
          {notice.failures.map((failure) => (
            <span className={styles['failure']} key={failure}>
              {failure}
            </span>
          ))}
        </Alert>
      )}
    </>
  )
}
