import { useEffect, useRef } from 'react'
import type { SoundSource } from '../../../../lib/capture/audio-mixer.ts'
import type { Recorder } from '../../../../lib/capture/recorder.ts'
import styles from './level-meter.module.css'

/** How loud a source is, at this moment. */
export function LevelMeter({
  recorder,
  source,
  label,
}: {
  recorder: Recorder
  source: SoundSource
  label: string
}) {
  const meter = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const timer = setInterval(() => {
      const level = recorder.level(source)
      meter.current?.style.setProperty('--level', level.toFixed(3))
      meter.current?.setAttribute('aria-valuenow', String(Math.round(level * 100)))
    }, 80)
    return () => clearInterval(timer)
  }, [recorder, source])
  return (
    <div
      ref={meter}
      className={styles['meter']}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={0}
    />
  )
}
