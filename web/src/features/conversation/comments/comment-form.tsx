import { plural, t } from '@lingui/core/macro'
import { countCharacters } from '@kinora/contract/characters.ts'
import { clsx } from 'clsx'
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { loadDraft, saveDraft } from '../../../lib/forms/drafts.ts'
import { fieldErrors } from '../../../lib/forms/field-errors.ts'
import { formatFullCount } from '../../../lib/format/counts.ts'
import { settings } from '../../../lib/settings.ts'
import { textError } from '../../../lib/forms/text-error.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button } from '../../../ui/button.tsx'
import { useAddComment } from './api.ts'
import { MentionBox } from './mention-box.tsx'
import { NotSaved, notSavedTitle } from '../../../ui/feedback/not-saved.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import styles from './comment-form.module.css'

/** Fraction of the maximum length from which the remaining characters are shown. */
const COUNTER_THRESHOLD = 0.9

/**
 * A single line that expands on focus and then shows its buttons. Text that was not sent is restored when its author comes
 * back, for example after a login.
 */
export function CommentForm({
  videoId,
  author,
  onRefused,
}: {
  videoId: string
  author: { _id: string; fullname: string; avatar: string }
  onRefused: (error: unknown) => void
}) {
  const draftKey = `comment.${author._id}.${videoId}`
  const [text, setShownText] = useState(() => loadDraft(draftKey))
  const [isOpen, setOpen] = useState(text !== '')
  const form = useRef<HTMLFormElement>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const actions = useRef<HTMLDivElement>(null)
  const remainingId = useId()
  const problemId = useId()
  const remaining = remainingCharacters(text)
  const isTooLong = remaining !== undefined && remaining < 0
  /** Blank comments are reported on submit, overlong ones while typing. */
  const [isRejected, setRejected] = useState(false)
  /** Refusal of the text by a rule of the site or of the channel. */
  const [refusal, setRefusal] = useState<string>()
  const problem = isTooLong || isRejected ? commentError(text) : refusal
  const add = useAddComment(videoId)

  // At the lower edge of the screen the buttons would open out of view.
  useEffect(() => {
    if (isOpen && document.activeElement === box.current)
      actions.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen])

  /** The text ahead of the rendered state, so that a second submit does not see a text that was sent and cleared. */
  const latestText = useRef(text)
  function setText(typed: string) {
    latestText.current = typed
    setShownText(typed)
    setRejected(false)
    setRefusal(undefined)
    saveDraft(draftKey, typed)
  }
  /** Ahead of the state of the mutation, so that a double click sends once. */
  const isSending = useRef(false)

  async function submit(event?: FormEvent) {
    event?.preventDefault()
    const sent = latestText.current
    const content = sent.trim()
    if (commentError(content)) {
      setRejected(true)
      return box.current?.focus()
    }
    if (isSending.current) return
    isSending.current = true
    try {
      await add.mutateAsync(content)
      // Keeps text typed since the submission, also if the page was left meanwhile.
      if ((box.current?.value ?? loadDraft(draftKey)) !== sent) return
      setText('')
      // Returns the focus from the button to the text, unless it moved elsewhere.
      if (form.current?.contains(document.activeElement)) box.current?.focus()
      else setOpen(false)
    } catch (error) {
      // Logged already; the text stays, so that nothing typed is lost.
      setRefusal(contentError(error))
      onRefused(error)
    } finally {
      isSending.current = false
    }
  }

  function cancel() {
    setText('')
    setOpen(false)
    // Focusing the text would expand the form again, so the form itself gets the focus.
    form.current?.focus()
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit()
    if (event.key === 'Escape' && text === '') cancel()
  }

  return (
    // Native validation would accept white space.
    <form
      ref={form}
      className={styles['form']}
      tabIndex={-1}
      noValidate
      onSubmit={(event) => void submit(event)}
    >
      <Avatar src={author.avatar} name={author.fullname} />
      <div className={styles['field']}>
        {/* Grows with its text: an invisible copy has the height, the text area fills it. */}
        <div className={styles['grow']} data-text={text}>
          <MentionBox
            ref={box}
            videoId={videoId}
            rows={1}
            aria-label={t`Add a comment`}
            placeholder={t`Add a comment`}
            required
            aria-invalid={problem ? true : undefined}
            aria-describedby={clsx(problem && problemId, remaining !== undefined && remainingId) || undefined}
            value={text}
            onText={(typed) => {
              setText(typed)
              // After Escape the text area may still have the focus.
              setOpen(true)
            }}
            onFocus={() => setOpen(true)}
            onKeyDown={onKeyDown}
          />
        </div>
        {problem && (
          <p id={problemId} className={styles['error']} role="alert">
            {problem}
          </p>
        )}
        {isOpen && (
          <div ref={actions} className={styles['actions']}>
            {remaining !== undefined && (
              <p id={remainingId} className={styles['remaining']} data-over={isTooLong || undefined}>
                {isTooLong ? t`${amountOf(-remaining)} too many` : t`${amountOf(remaining)} left`}
              </p>
            )}
            <Button variant="bare" onClick={cancel}>{t`Cancel`}</Button>
            <Button
              variant="solid"
              type="submit"
              aria-disabled={add.isPending}
              title={notSavedTitle(add.isError && !problem)}
            >
              {t({ message: 'Comment', context: 'button' })}
            </Button>
            <NotSaved hasFailed={add.isError && !problem} />
          </div>
        )}
      </div>
    </form>
  )
}

/** Placeholder until the session check finishes. */
export function CommentFormSkeleton() {
  return (
    <div className={styles['form']}>
      <Skeleton round className={styles['face']} />
      <Skeleton className={styles['line']} />
    </div>
  )
}

/** Error of the server about the text; undefined for other failures, which are only logged. */
function contentError(error: unknown): string | undefined {
  return fieldErrors(error)['content']
}

/** Validation error of a comment, or undefined. */
function commentError(text: string): string | undefined {
  return textError(t`Comment`, text, settings.commentMaxCharacters)
}

/** Remaining characters, negative beyond the limit; undefined while the limit is far. */
function remainingCharacters(text: string): number | undefined {
  const { commentMaxCharacters } = settings
  // no text has more characters than UTF-16 units
  return text.length < commentMaxCharacters * COUNTER_THRESHOLD
    ? undefined
    : commentMaxCharacters - countCharacters(text.trim())
}

function amountOf(characters: number): string {
  const shown = formatFullCount(characters)
  return plural(characters, { one: `${shown} character`, other: `${shown} characters` })
}
