import { t } from '@lingui/core/macro'
import { parseCueTime } from '@kinora/contract/videos/caption-cues.ts'
import { useId, useState } from 'react'
import { formatFrameTime } from '../../lib/format/frame-time.ts'
import styles from './time-field.module.css'

/** Message if a part ends before it starts. */
export const checkOrder = (start: number | undefined, end: number | undefined): string | undefined =>
  start !== undefined && end !== undefined && end <= start ? t`The end must be after the start.` : undefined

/** A time as text, which is taken over on Enter and on leaving. What cannot be taken over stays, with the reason. */
export function TimeField({
  label,
  placeholder,
  seconds,
  format = formatFrameTime,
  check,
  onChange,
  onDone,
}: {
  label: string
  /** The label in short, shown while there is no time. */
  placeholder?: string
  /** Undefined for no time. */
  seconds: number | undefined
  /** Writes the time; by default to the frame. */
  format?: (seconds: number) => string
  /** The reason why a time cannot be taken over; undefined if it can. */
  check?: ((seconds: number) => string | undefined) | undefined
  onChange: (seconds: number) => void
  /** Called on Enter, unless the time was rejected, and on Escape. */
  onDone?: () => void
}) {
  const id = useId()
  const [typed, setTyped] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [known, setKnown] = useState(seconds)
  const shown = seconds === undefined ? '' : format(seconds)
  const read = typed === undefined ? undefined : parseCueTime(typed)
  const isUnread = typed !== undefined && typed !== '' && read === undefined

  function reset() {
    setTyped(undefined)
    setProblem(undefined)
  }
  // another time was chosen elsewhere
  if (seconds !== known) {
    setKnown(seconds)
    if (problem !== undefined) reset()
  }
  function commit(): boolean {
    const isNew = typed !== undefined && typed !== shown
    const reason = isUnread
      ? t`This is no time. Write it like 1:05 or 65.5.`
      : isNew && read !== undefined
        ? check?.(read)
        : undefined
    if (reason !== undefined) {
      setProblem(reason)
      return false
    }
    if (isNew && read !== undefined) onChange(read)
    reset()
    return true
  }
  return (
    <>
      <input
        type="text"
        inputMode="decimal"
        autoComplete="off"
        aria-label={label}
        placeholder={placeholder}
        aria-invalid={isUnread || problem !== undefined || undefined}
        aria-describedby={problem === undefined ? undefined : id}
        value={typed ?? shown}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          setProblem(undefined)
        }}
        onBlur={commit}
        onKeyDown={({ key }) => {
          if (key === 'Enter' && commit()) onDone?.()
          if (key !== 'Escape') return
          reset()
          onDone?.()
        }}
      />
      {problem !== undefined && (
        <span className={styles['problem']} id={id} role="alert">
          {problem}
        </span>
      )}
    </>
  )
}
