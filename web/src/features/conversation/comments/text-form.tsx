import { t } from '@lingui/core/macro'
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { loadDraft, saveDraft } from '../../../lib/forms/drafts.ts'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { textError } from '../../../lib/forms/text-error.ts'
import { settings } from '../../../lib/settings.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import styles from './comment-form.module.css'
import { MentionBox } from './mention-box.tsx'

/** Form of a reply or an edit. A text that was not sent is there again when the form opens the next time. */
export function TextForm({
  videoId,
  label,
  initialText,
  draftKey,
  action,
  onSend,
  onClose,
}: {
  videoId: string
  label: string
  initialText: string
  /** Where a text that was not sent is kept. */
  draftKey: string
  /** Text of the button that sends. */
  action: string
  onSend: (content: string) => Promise<unknown>
  onClose: () => void
}) {
  const box = useRef<HTMLTextAreaElement>(null)
  const problemId = useId()
  const [text, setText] = useState(() => loadDraft(draftKey) || initialText)
  const [problem, setProblem] = useState<string>()
  const [isSending, setSending] = useState(false)
  const [isAsking, setAsking] = useState(false)

  useEffect(() => {
    const { current } = box
    current?.focus()
    current?.setSelectionRange(current.value.length, current.value.length)
  }, [])

  async function submit(event?: FormEvent) {
    event?.preventDefault()
    const content = text.trim()
    const found = textError(t`Comment`, content, settings.commentMaxCharacters)
    setProblem(found)
    if (found) return box.current?.focus()
    if (isSending) return
    setSending(true)
    try {
      await onSend(content)
      close()
    } catch (error) {
      setProblem(failureMessage(error))
      setSending(false)
    }
  }

  function close() {
    saveDraft(draftKey, '')
    onClose()
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit()
    if (event.key === 'Escape' && text === initialText) close()
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
            placeholder={label}
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem && problemId}
            required
            value={text}
            onText={(typed) => {
              setText(typed)
              saveDraft(draftKey, typed === initialText ? '' : typed)
              setProblem(undefined)
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
          <Button
            variant="bare"
            onClick={() => (text === initialText ? close() : setAsking(true))}
          >{t`Discard`}</Button>
          <Button variant="solid" type="submit" aria-disabled={isSending}>
            {action}
          </Button>
        </div>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={t`Discard this text?`}
          confirmLabel={t`Discard`}
          onConfirm={close}
          onClose={() => setAsking(false)}
        >
          <p>{t`What you wrote is not sent yet.`}</p>
        </ConfirmDialog>
      )}
    </form>
  )
}
