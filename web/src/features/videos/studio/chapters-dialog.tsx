import { t } from '@lingui/core/macro'
import { parseCueTime } from '@kinora/contract/videos/caption-cues.ts'
import {
  chapterErrors,
  type ChapterProblem,
  MIN_CHAPTER_SECONDS,
  MIN_CHAPTERS,
  type ChapterStart,
  formatChapterTime,
  withChapters,
} from '@kinora/contract/videos/chapters.ts'
import { Trash2 } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { useFocusAfterRemoval } from '../../../lib/browser/use-focus-after-removal.ts'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Alert, Status } from '../../../ui/feedback/alert.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useSuggestedChapters } from './api.ts'
import styles from './chapters-dialog.module.css'

type Row = { key: number; time: string; title: string }

const TITLE_MAX_CHARACTERS = 200

const startOf = ({ time, title }: Row): ChapterStart => ({
  title: title.trim(),
  startSeconds: Math.floor(parseCueTime(time) ?? 0),
})

/** As a ref, focuses a field when it appears. */
const focus = (field: HTMLInputElement | null) => field?.focus()

/** A list of times and titles, which becomes lines of the description. */
export function ChaptersDialog({
  videoId,
  chapters,
  description,
  durationSeconds,
  onClose,
  onChange,
}: {
  videoId: string
  chapters: readonly ChapterStart[]
  description: string
  durationSeconds: number
  onClose: () => void
  onChange: (description: string) => void
}) {
  const [rows, setRows] = useState<Row[]>(() =>
    (chapters.length > 0 ? chapters : [{ title: '', startSeconds: 0 }]).map(
      ({ title, startSeconds }, key) => ({
        key,
        time: formatChapterTime(startSeconds),
        title,
      }),
    ),
  )
  const [firstAdded] = useState(rows.length)
  const nextKey = useRef(firstAdded)
  const [isChecked, setIsChecked] = useState(false)
  const list = useRef<HTMLOListElement>(null)
  const noteRemoval = useFocusAfterRemoval(list, 'button', rows)
  const starts = rows.map(startOf)
  const { ofEach, isShort } = chapterErrors(starts, durationSeconds)
  const errors = rows.map(({ time }, index) =>
    parseCueTime(time) === undefined ? t`Enter a time such as 1:30` : textOf(ofEach[index]),
  )
  const change = (index: number, changes: Partial<Row>) =>
    setRows(rows.map((row, at) => (at === index ? { ...row, ...changes } : row)))

  const suggesting = useSuggestedChapters(videoId, durationSeconds, (suggested) => {
    nextKey.current += suggested.length
    setRows(
      suggested.map(({ title, startSeconds }, index) => ({
        key: nextKey.current - suggested.length + index,
        time: formatChapterTime(startSeconds),
        title,
      })),
    )
  })

  function add() {
    setRows([...rows, { key: nextKey.current++, time: '', title: '' }])
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    setIsChecked(true)
    if (isShort || errors.some(Boolean)) return
    onChange(withChapters(description, durationSeconds, starts))
  }

  return (
    <Dialog title={t`Chapters`} onClose={onClose} width={560} closesOnOutsideClick={false}>
      <form onSubmit={submit} noValidate>
        <ol ref={list} className={styles['rows']} tabIndex={-1} aria-label={t`Chapters`}>
          {rows.map(({ key, time, title }, index) => (
            <li key={key}>
              <input
                type="text"
                aria-label={t`Start of chapter ${index + 1}`}
                aria-invalid={(isChecked && Boolean(errors[index])) || undefined}
                aria-describedby={isChecked && errors[index] ? `chapter-error-${key}` : undefined}
                ref={key >= firstAdded ? focus : undefined}
                value={time}
                onChange={({ currentTarget }) => change(index, { time: currentTarget.value })}
              />
              <input
                type="text"
                dir="auto"
                aria-label={t`Title of chapter ${index + 1}`}
                maxLength={TITLE_MAX_CHARACTERS}
                value={title}
                onChange={({ currentTarget }) => change(index, { title: currentTarget.value })}
              />
              <IconButton
                label={t`Delete chapter ${index + 1}`}
                onClick={({ currentTarget }) => {
                  noteRemoval(currentTarget)
                  setRows(rows.toSpliced(index, 1))
                }}
              >
                <Icon of={Trash2} />
              </IconButton>
              {isChecked && errors[index] && (
                <p id={`chapter-error-${key}`} role="alert">
                  {errors[index]}
                </p>
              )}
            </li>
          ))}
        </ol>
        <div className={styles['more']}>
          <Button onClick={add}>{t`Add a chapter`}</Button>
          <Button disabled={suggesting.isPending} onClick={() => suggesting.mutate()}>
            {t`Suggest from the captions`}
          </Button>
        </div>
        <Status>{suggesting.isPending && t`Reading the captions …`}</Status>
        {suggesting.isError && (
          <Alert>{failureMessage(suggesting.error, t`Could not load the captions`)}</Alert>
        )}
        {suggesting.data?.length === 0 && <Alert>{t`The captions show no chapters.`}</Alert>}
        {isChecked && isShort && (
          <p className={styles['error']} role="alert">
            {t`A list has at least ${MIN_CHAPTERS} chapters`}
          </p>
        )}
        <DialogActions>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button type="submit" variant="solid">{t`Save to description`}</Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function textOf(problem: ChapterProblem | undefined): string {
  if (problem === 'lateStart') return t`The first chapter begins at 0:00`
  if (problem === 'afterEnd') return t`Begin before the end of the video`
  if (problem === 'tooShort') return t`Begin at least ${MIN_CHAPTER_SECONDS} seconds after the one before`
  return problem ? t`Enter a title` : ''
}
