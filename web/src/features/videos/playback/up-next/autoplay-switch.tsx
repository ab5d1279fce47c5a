import { t } from '@lingui/core/macro'
import styles from './autoplay-switch.module.css'

/** Turns the countdown at the end of videos on and off. */
export function AutoplaySwitch({ isOn, onToggle }: { isOn: boolean; onToggle: () => void }) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      title={t`Play the next video at the end of this one`}
      className={styles['switch']}
      onClick={onToggle}
    >
      {t`Autoplay`}
      <i aria-hidden="true" />
    </button>
  )
}
