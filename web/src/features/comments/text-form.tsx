import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { textError } from '../../lib/forms/text-error.ts'
import { settings } from '../../lib/settings.ts'
import { Button } from '../../ui/button.tsx'
import styles from './comment-form.module.css'
import { MentionBox } from './mention-box.tsx'

/** Form of a reply or an edit. The text stays when sending it fails. */
export function TextForm({
  videoId,
  label,
  initialText,
  action,
  onSend,
  onClose,
}: {
  videoId: string
  label: string
  initialText: string
  /** Text of the button that sends. */
  action: string
  /** Returns whether it succeeded. */
  onSend: (content: string) => Promise<boolean>
  onClose: () => void
}) {
  const box = useRef<HTMLTextAreaElement>(null)
  const problemId = useId()
  const [text, setText] = useState(initialText)
  const [isRefused, setRefused] = useState(false)
  const [isSending, setSending] = useState(false)
  const problem = isRefused ? textError('Comment', text, settings.commentMaxCharacters) : undefined

  useEffect(() => {
    const { current } = box
    current?.focus()
    current?.setSelectionRange(current.value.length, current.value.length)
  }, [])

  async function submit(event?: FormEvent) {
    event?.preventDefault()
    const content = text.trim()
    if (textError('Comment', content, settings.commentMaxCharacters)) {
      setRefused(true)
      return box.current?.focus()
    }
    if (isSending) return
    setSending(true)
    if (await onSend(content)) onClose()
    else setSending(false)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit()
    if (event.key === 'Escape' && text === initialText) onClose()
  }

  return (
    // Native validation would accept white space.
    <form className={styles['form']} noValidate onSubmit={(event) => void submit(event)}>
      <div className={styles['field']}>
        <div className={styles['grow']} data-text={text}>
          <MentionBox
            ref={box}
            videoId={videoId}
            rows={1}
            aria-label={label}
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem && problemId}
            required
            value={text}
            onText={(typed) => {
              setText(typed)
              setRefused(false)
            }}
            onKeyDown={onKeyDown}
          />
        </div>
        {problem && (
          <p id={problemId} className={styles['error']} role="alert">
            {problem}
          </p>
        )}
        <div className={styles['actions']}>
          <Button variant="bare" onClick={onClose}>
            Discard
          </Button>
          <Button variant="solid" type="submit" aria-disabled={isSending}>
            {action}
          </Button>
        </div>
      </div>
    </form>
  )
}
