import { plural, t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { Digits } from '../../../ui/text/digits.tsx'
import { secondsSince, type TimedPremiere } from './api.ts'
import styles from './premieres.module.css'

const daySeconds = 24 * 3600

/** The time until a premiere begins, counted down each second. */
export function Countdown({ premiere }: { premiere: TimedPremiere }) {
  const left = useSecondsLeft(premiere)
  const days = Math.floor(left / daySeconds)
  if (left === 0)
    return (
      <p className={styles['soon']}>{premiere.isStream ? t`Has not started yet` : t`Begins in a moment`}</p>
    )
  return (
    <p className={styles['countdown']} role="timer">
      {days > 0 && <span>{plural(days, { one: '# day', other: '# days' })} </span>}
      <span>
        <Digits>{clockOf(left % daySeconds)}</Digits>
      </span>
    </p>
  )
}

/** Seconds as mm:ss, or with hours as h:mm:ss. */
function clockOf(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return `${hours > 0 ? `${hours}:` : ''}${two(minutes)}:${two(seconds % 60)}`
}

/** Whole seconds until a premiere begins; 0 from then on. */
export function useSecondsLeft(premiere: TimedPremiere): number {
  const leftOf = () => Math.max(0, Math.ceil(-secondsSince(premiere)))
  const [, render] = useState({})
  const left = leftOf()
  const isOver = left === 0
  useEffect(() => {
    if (isOver) return
    // at the full second, when the number changes
    let timer = setTimeout(tick, untilNextSecond())
    function untilNextSecond() {
      const since = -secondsSince(premiere)
      return Math.max(20, (since - Math.floor(since)) * 1000 + 5)
    }
    function tick() {
      render({})
      timer = setTimeout(tick, untilNextSecond())
    }
    return () => clearTimeout(timer)
  }, [premiere, isOver])
  return left
}
