import { countCharacters } from '@kinora/contract/characters.ts'
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { loadDraft, saveDraft } from '../../lib/forms/drafts.ts'
import { formatFullCount } from '../../lib/format/counts.ts'
import { settings } from '../../lib/settings.ts'
import { textError } from '../../lib/forms/text-error.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { useAddComment } from './api.ts'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import styles from './comment-form.module.css'

/** From this share of the longest comment on, it is told how much more there is room for. */
const COUNTER_THRESHOLD = 0.9

/**
 * One underlined line that grows on focus and then shows what can be done with it. What was typed and not sent is there again
 * when its author comes back, perhaps after a login that was asked for in between.
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
  /** A blank comment is reported when it is submitted, one that is too long while it is typed. */
  const [isRefused, setRefused] = useState(false)
  const problem = isTooLong || isRefused ? commentError(text) : undefined
  const add = useAddComment(videoId)

  // At the lower edge of the screen what can be done with the line would open out of sight.
  useEffect(() => {
    if (isOpen && document.activeElement === box.current)
      actions.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen])

  /** Ahead of the rendered state, so that a double click does not send the same text twice. */
  const latestText = useRef(text)
  function setText(typed: string) {
    latestText.current = typed
    setShownText(typed)
    setRefused(false)
    saveDraft(draftKey, typed)
  }
  // Ahead of the state, so that a double click sends once.
  const isSending = useRef(false)

  async function submit(event?: FormEvent) {
    event?.preventDefault()
    const sent = latestText.current
    const content = sent.trim()
    if (commentError(content)) {
      setRefused(true)
      return box.current?.focus()
    }
    if (isSending.current) return
    isSending.current = true
    try {
      await add.mutateAsync(content)
      // Keeps text typed since the submission, also if the page was left meanwhile.
      if ((box.current?.value ?? loadDraft(draftKey)) !== sent) return
      setText('')
      // From the button the focus goes back to where one writes; who went elsewhere stays there.
      if (form.current?.contains(document.activeElement)) box.current?.focus()
      else setOpen(false)
    } catch (error) {
      // Logged already; the text stays, so that nothing typed is lost.
      onRefused(error)
    } finally {
      isSending.current = false
    }
  }

  function cancel() {
    setText('')
    setOpen(false)
    // Not to the box, which would open again, but right before it.
    form.current?.focus()
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit()
    if (event.key === 'Escape' && text === '') cancel()
  }

  return (
    // Without the browser's own message, which white space would pass.
    <form
      ref={form}
      className={styles['form']}
      tabIndex={-1}
      noValidate
      onSubmit={(event) => void submit(event)}
    >
      <Avatar src={author.avatar} name={author.fullname} />
      <div className={styles['field']}>
        {/* Grows with its text: the twin behind it has the height, the box fills it. */}
        <div className={styles['grow']} data-text={text}>
          <textarea
            ref={box}
            rows={1}
            aria-label="Add a comment"
            placeholder="Add a comment"
            required
            aria-invalid={problem ? true : undefined}
            aria-describedby={
              classNames(problem && problemId, remaining !== undefined && remainingId) || undefined
            }
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              // Closed by Escape, it may still have the focus.
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
                {isTooLong ? `${amountOf(-remaining)} too many` : `${amountOf(remaining)} left`}
              </p>
            )}
            <Button variant="bare" onClick={cancel}>
              Cancel
            </Button>
            <Button variant="solid" type="submit" aria-disabled={add.isPending}>
              Comment
            </Button>
          </div>
        )}
      </div>
    </form>
  )
}

/** The form before it is known who writes. */
export function CommentFormSkeleton() {
  return (
    <div className={styles['form']}>
      <Skeleton round className={styles['face']} />
      <Skeleton className={styles['line']} />
    </div>
  )
}

/** Validation error of a comment, or undefined. */
function commentError(text: string): string | undefined {
  return textError('Comment', text, settings.commentMaxCharacters)
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
  return `${formatFullCount(characters)} ${characters === 1 ? 'character' : 'characters'}`
}
