import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type EditedCue, cueError, insertCue, mergeCue, shiftCues, splitCue } from './cue-list.ts'
import { formatCueTime, parseCueTime } from '@kinora/contract/videos/caption-cues.ts'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { Play, Trash2 } from 'lucide-react'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import styles from './cue-editor.module.css'

/** The functions of the player that the editor uses. */
export type EditorPlayer = { seekTo: (seconds: number) => void; currentSeconds: () => number }

/** A list of cues with their times and texts, each of which can be played, split, merged and deleted. */
export function CueEditor({
  cues,
  player,
  onChange,
}: {
  cues: readonly EditedCue[]
  player: EditorPlayer
  onChange: (cues: EditedCue[]) => void
}) {
  const [shift, setShift] = useState('0.5')
  const [addedKey, setAddedKey] = useState<number>()
  const shiftSeconds = Number(shift.replace(',', '.'))
  const list = useRef<HTMLOListElement>(null)
  const [scrollMargin, setScrollMargin] = useState(0)
  const isEmpty = cues.length === 0
  useLayoutEffect(() => {
    setScrollMargin((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
  }, [isEmpty])
  // Rows far from the visible ones are left out: files have thousands of cues.
  // oxlint-disable-next-line react/incompatible-library
  const rows = useWindowVirtualizer({
    count: cues.length,
    estimateSize: () => 140,
    getItemKey: useCallback((index: number) => cues[index]?.key ?? index, [cues]),
    overscan: 10,
    scrollMargin,
  })
  const items = rows.getVirtualItems()
  const before = (items[0]?.start ?? scrollMargin) - scrollMargin
  const after = rows.getTotalSize() - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin)

  function add() {
    const { added, changed } = insertCue(cues, player.currentSeconds())
    onChange(changed)
    setAddedKey(added.key)
    rows.scrollToIndex(changed.indexOf(added), { align: 'center' })
  }

  return (
    <div>
      <div className={styles['tools']}>
        <Button onClick={add}>{t`Add a caption here`}</Button>
        <label>
          <Trans>
            Shift all by
            <input
              type="text"
              inputMode="decimal"
              value={shift}
              onChange={({ currentTarget }) => setShift(currentTarget.value)}
            />
            seconds
          </Trans>
        </label>
        <Button
          disabled={!shiftSeconds || !Number.isFinite(shiftSeconds)}
          onClick={() => onChange(shiftCues(cues, shiftSeconds))}
        >{t`Shift all`}</Button>
      </div>
      {isEmpty && <p className={styles['none']}>{t`No captions. Play to a place and add one there.`}</p>}
      <ol ref={list} className={styles['cues']} style={{ paddingTop: before, paddingBottom: after }}>
        {items.map(({ index, key }) => {
          const cue = cues[index]
          return (
            cue && (
              <li
                key={key}
                ref={rows.measureElement}
                data-index={index}
                aria-label={t`Caption ${index + 1}`}
                aria-posinset={index + 1}
                aria-setsize={cues.length}
              >
                <CueFields
                  cues={cues}
                  cue={cue}
                  index={index}
                  player={player}
                  isFocused={cue.key === addedKey}
                  onChange={onChange}
                />
              </li>
            )
          )
        })}
      </ol>
    </div>
  )
}

function CueFields({
  cues,
  cue,
  index,
  player,
  isFocused,
  onChange,
}: {
  cues: readonly EditedCue[]
  cue: EditedCue
  index: number
  player: EditorPlayer
  /** Focuses the text when it appears. */
  isFocused: boolean
  onChange: (cues: EditedCue[]) => void
}) {
  const text = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (isFocused) text.current?.focus({ preventScroll: true })
  }, [isFocused])
  const change = (changes: Partial<EditedCue>) => onChange(cues.with(index, { ...cue, ...changes }))
  const error = cueError(cue)
  return (
    <>
      <div className={styles['times']}>
        <IconButton label={t`Play caption ${index + 1}`} onClick={() => player.seekTo(cue.startSeconds)}>
          <Icon of={Play} />
        </IconButton>
        <TimeInput
          label={t`Start of caption ${index + 1}`}
          seconds={cue.startSeconds}
          onChange={(startSeconds) => change({ startSeconds })}
        />
        <TimeInput
          label={t`End of caption ${index + 1}`}
          seconds={cue.endSeconds}
          onChange={(endSeconds) => change({ endSeconds })}
        />
        {error && <span role="alert">{error}</span>}
      </div>
      <textarea
        ref={text}
        rows={2}
        dir="auto"
        aria-label={t`Text of caption ${index + 1}`}
        value={cue.text}
        onChange={({ currentTarget }) => change({ text: currentTarget.value })}
      />
      <div className={styles['actions']}>
        <Button
          variant="bare"
          aria-label={t`Split caption ${index + 1}`}
          onClick={() => onChange(splitCue(cues, index, player.currentSeconds()))}
        >{t`Split`}</Button>
        <Button
          variant="bare"
          disabled={index === cues.length - 1}
          aria-label={t`Merge caption ${index + 1} with the next`}
          onClick={() => onChange(mergeCue(cues, index))}
        >{t`Merge`}</Button>
        <IconButton label={t`Delete caption ${index + 1}`} onClick={() => onChange(cues.toSpliced(index, 1))}>
          <Icon of={Trash2} />
        </IconButton>
      </div>
    </>
  )
}

/** A time as text; what cannot be read as one changes nothing, and is put back on leaving. */
function TimeInput({
  label,
  seconds,
  onChange,
}: {
  label: string
  seconds: number
  onChange: (seconds: number) => void
}) {
  const [typed, setTyped] = useState<string>()
  const isWrong = typed !== undefined && parseCueTime(typed) === undefined
  return (
    <input
      type="text"
      aria-label={label}
      aria-invalid={isWrong || undefined}
      value={typed ?? formatCueTime(seconds)}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value)
        const read = parseCueTime(value)
        if (read !== undefined) onChange(read)
      }}
      onBlur={() => setTyped(undefined)}
    />
  )
}
