import { type EditedCue, cueError, insertCue, mergeCue, shiftCues, splitCue } from './cue-list.ts'
import { formatCueTime, parseCueTime } from '@kinora/contract/caption-cues.ts'
import { Play, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
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
  const shiftSeconds = Number(shift.replace(',', '.'))
  const change = (index: number, changes: Partial<EditedCue>) =>
    onChange(cues.map((cue, at) => (at === index ? { ...cue, ...changes } : cue)))
  return (
    <div>
      <div className={styles['tools']}>
        <Button onClick={() => onChange(insertCue(cues, player.currentSeconds()))}>Add a caption here</Button>
        <label>
          Shift all by
          <input
            type="text"
            inputMode="decimal"
            value={shift}
            onChange={({ currentTarget }) => setShift(currentTarget.value)}
          />
          seconds
        </label>
        <Button
          disabled={!shiftSeconds || !Number.isFinite(shiftSeconds)}
          onClick={() => onChange(shiftCues(cues, shiftSeconds))}
        >
          Shift all
        </Button>
      </div>
      {cues.length === 0 && <p className={styles['none']}>No captions. Play to a place and add one there.</p>}
      <ol className={styles['cues']}>
        {cues.map((cue, index) => (
          <li key={cue.key} aria-label={`Caption ${index + 1}`}>
            <div className={styles['times']}>
              <IconButton label={`Play caption ${index + 1}`} onClick={() => player.seekTo(cue.startSeconds)}>
                <Icon of={Play} />
              </IconButton>
              <TimeInput
                label={`Start of caption ${index + 1}`}
                seconds={cue.startSeconds}
                onChange={(startSeconds) => change(index, { startSeconds })}
              />
              <TimeInput
                label={`End of caption ${index + 1}`}
                seconds={cue.endSeconds}
                onChange={(endSeconds) => change(index, { endSeconds })}
              />
              {cueError(cue) && <span role="alert">{cueError(cue)}</span>}
            </div>
            <textarea
              rows={2}
              dir="auto"
              aria-label={`Text of caption ${index + 1}`}
              value={cue.text}
              onChange={({ currentTarget }) => change(index, { text: currentTarget.value })}
            />
            <div className={styles['actions']}>
              <Button
                variant="bare"
                aria-label={`Split caption ${index + 1}`}
                onClick={() => onChange(splitCue(cues, index, player.currentSeconds()))}
              >
                Split
              </Button>
              <Button
                variant="bare"
                disabled={index === cues.length - 1}
                aria-label={`Merge caption ${index + 1} with the next`}
                onClick={() => onChange(mergeCue(cues, index))}
              >
                Merge
              </Button>
              <IconButton
                label={`Delete caption ${index + 1}`}
                onClick={() => onChange(cues.toSpliced(index, 1))}
              >
                <Icon of={Trash2} />
              </IconButton>
            </div>
          </li>
        ))}
      </ol>
    </div>
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
