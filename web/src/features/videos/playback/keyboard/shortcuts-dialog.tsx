import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Fragment } from 'react'
import { Dialog } from '../../../../ui/dialog.tsx'
import type { PlayerCommand } from './player-keys.ts'
import { shortcuts } from './shortcuts.ts'
import styles from './shortcuts-dialog.module.css'

/** Lists the keyboard shortcuts of the player, except for the commands in `without`. */
export function ShortcutsDialog({
  without,
  onClose,
}: {
  without: readonly PlayerCommand['type'][]
  onClose: () => void
}) {
  const shown = shortcuts.filter(({ command }) => !without.includes(command))
  return (
    <Dialog title={t`Keyboard shortcuts`} onClose={onClose} width={520}>
      <dl className={styles['sheet']}>
        {shown.map(({ keys, isRange, meaning }) => (
          <div key={meaning.id}>
            <dt>
              {keys.map((key, index) => (
                <Fragment key={key}>
                  {isRange && index > 0 && '–'}
                  <kbd>{key}</kbd>
                </Fragment>
              ))}
            </dt>
            <dd>{i18n._(meaning)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
