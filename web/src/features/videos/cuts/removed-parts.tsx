import { t } from '@lingui/core/macro'
import { Play, RotateCcw } from 'lucide-react'
import { useRef } from 'react'
import { useFocusAfterRemoval } from '../../../lib/browser/use-focus-after-removal.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Part } from '../../../ui/part.tsx'
import styles from './cut-editor.module.css'
import { formatTenths } from '../../../lib/format/frame-time.ts'
import { type FrameRate } from './cut-player.ts'
import { indexAt, snapToFrame, type TimeRange } from './ranges.ts'
import { checkOrder, TimeField } from '../../../ui/forms/time-field.tsx'
import type { EditControl } from './use-edit.ts'

/** The removed parts with their times, each to be changed, heard and restored. */
export function RemovedParts({
  control: { edit, moveRemoved, restore },
  rate,
  position,
  onDone,
  onPlay,
}: {
  control: EditControl
  rate: FrameRate
  position: number
  /** Called when a time was entered. */
  onDone: () => void
  /** Plays the cut from a little before a part. */
  onPlay: (range: TimeRange) => void
}) {
  const list = useRef<HTMLOListElement>(null)
  const noteRemoval = useFocusAfterRemoval(list, 'button', edit.removed)
  const current = indexAt(edit.removed, position)
  return (
    <Part title={t`Removed parts`} className={styles['parts']}>
      {edit.removed.length === 0 && (
        <p className={styles['none']}>
          {t`Nothing is removed yet. Go to a place, mark where a part starts and where it ends, and remove it.`}
        </p>
      )}
      <ol ref={list} tabIndex={-1} aria-label={t`Removed parts`}>
        {edit.removed.map((range, index) => {
          const change = (changes: Partial<TimeRange>) => {
            const next = { ...range, ...changes }
            const startSeconds = snapToFrame(next.startSeconds, rate)
            const endSeconds = snapToFrame(next.endSeconds, rate)
            if (endSeconds > startSeconds) moveRemoved(index, { startSeconds, endSeconds })
          }
          return (
            <li key={index} aria-current={index === current || undefined}>
              <span className={styles['times']}>
                <TimeField
                  label={t`Start of removed part ${index + 1}`}
                  seconds={range.startSeconds}
                  check={(seconds) => checkOrder(seconds, range.endSeconds)}
                  onChange={(startSeconds) => change({ startSeconds })}
                  onDone={onDone}
                />
                <span aria-hidden="true">–</span>
                <TimeField
                  label={t`End of removed part ${index + 1}`}
                  seconds={range.endSeconds}
                  check={(seconds) => checkOrder(range.startSeconds, seconds)}
                  onChange={(endSeconds) => change({ endSeconds })}
                  onDone={onDone}
                />
              </span>
              <span className={styles['length']}>{formatTenths(range.endSeconds - range.startSeconds)}</span>
              <IconButton
                label={t`Play without part ${index + 1}`}
                title={t`Play without part ${index + 1}`}
                onClick={() => onPlay(range)}
              >
                <Icon of={Play} />
              </IconButton>
              <IconButton
                label={t`Restore part ${index + 1}`}
                title={t`Restore part ${index + 1}`}
                onClick={({ currentTarget }) => {
                  noteRemoval(currentTarget)
                  restore(range)
                }}
              >
                <Icon of={RotateCcw} />
              </IconButton>
            </li>
          )
        })}
      </ol>
    </Part>
  )
}
