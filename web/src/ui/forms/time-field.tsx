import { parseCueTime } from '@kinora/contract/videos/caption-cues.ts'
import { useState } from 'react'
import { formatFrameTime } from '../../lib/format/frame-time.ts'

/** A time as text, which is taken over on Enter and on leaving. What cannot be read as one is put back. */
export function TimeField({
  label,
  seconds,
  format = formatFrameTime,
  onChange,
}: {
  label: string
  /** Undefined for no time. */
  seconds: number | undefined
  /** Writes the time; by default to the frame. */
  format?: (seconds: number) => string
  onChange: (seconds: number) => void
}) {
  const [typed, setTyped] = useState<string>()
  const shown = seconds === undefined ? '' : format(seconds)
  const read = typed === undefined ? undefined : parseCueTime(typed)
  function commit() {
    if (read !== undefined && typed !== shown) onChange(read)
    setTyped(undefined)
  }
  return (
    <input
      type="text"
      inputMode="decimal"
      autoComplete="off"
      aria-label={label}
      aria-invalid={(typed !== undefined && typed !== '' && read === undefined) || undefined}
      value={typed ?? shown}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={commit}
      onKeyDown={({ key }) => {
        if (key === 'Enter') commit()
        if (key === 'Escape') setTyped(undefined)
      }}
    />
  )
}
