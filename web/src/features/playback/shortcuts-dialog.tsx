import { Dialog } from '../../ui/dialog.tsx'
import { shortcuts } from './player-keys.ts'
import styles from './shortcuts-dialog.module.css'

/** The sheet behind "?": every key of the player. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} width={520}>
      <dl className={styles['sheet']}>
        {shortcuts.map(([keys, meaning]) => (
          <div key={meaning}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
