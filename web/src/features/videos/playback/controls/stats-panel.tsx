import { t } from '@lingui/core/macro'
import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Icon } from '../../../../ui/icon.tsx'
import { statsRows } from '../state/playback-stats.ts'
import type { Player } from '../state/player.ts'
import { statsOf } from './stats-of.ts'
import styles from './stats-panel.module.css'

const REFRESH_MS = 1000

/** Technical values of the playback, refreshed every second. */
export function StatsPanel({ player, onHide }: { player: Player; onHide: () => void }) {
  const [stats, setStats] = useState(() => player.readStats(statsOf))
  useEffect(() => {
    const timer = setInterval(() => setStats(player.readStats(statsOf)), REFRESH_MS)
    return () => clearInterval(timer)
  }, [player])
  return (
    <section className={styles['panel']} aria-label={t`Stats for nerds`}>
      <dl>
        {stats &&
          statsRows(stats).map(([label, text]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          ))}
      </dl>
      <button type="button" aria-label={t`Hide stats`} title={t`Hide stats`} onClick={onHide}>
        <Icon of={X} size={18} />
      </button>
    </section>
  )
}
