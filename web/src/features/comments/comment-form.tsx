import { firstCharacters, isSomething } from '@kinora/contract/characters.ts'
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { settings } from '../../lib/settings.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { useAddComment } from './api.ts'
import styles from './comment-form.module.css'

/** One underlined line that grows on focus and then shows what can be done with it. */
export function CommentForm({
  videoId,
  author,
}: {
  videoId: string
  author: { fullname: string; avatar: string }
}) {
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const box = useRef<HTMLTextAreaElement>(null)
  const add = useAddComment(videoId)
  // Ahead of the state, so that a double click sends once.
  const isSending = useRef(false)

  async function submit(event?: FormEvent) {
    event?.preventDefault()
    const content = text.trim()
    if (!isSomething(content)) return box.current?.focus()
    if (isSending.current) return
    isSending.current = true
    try {
      await add.mutateAsync(content)
      // What was typed since stands for the next one.
      if (box.current?.value !== text) return
      setText('')
      setOpen(false)
    } catch {
      // Logged already; the text stays, so that nothing typed is lost.
    } finally {
      isSending.current = false
    }
  }

  function cancel() {
    setText('')
    setOpen(false)
    box.current?.blur()
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit()
    if (event.key === 'Escape' && text === '') cancel()
  }

  return (
    <form className={styles['form']} onSubmit={(event) => void submit(event)}>
      <Avatar src={author.avatar} name={author.fullname} />
      <div className={styles['field']}>
        {/* Grows with its text: the twin behind it has the height, the box fills it. */}
        <div className={styles['grow']} data-text={text}>
          <textarea
            ref={box}
            rows={1}
            aria-label="Add a comment"
            placeholder="Add a comment"
            value={text}
            onChange={(event) => {
              setText(firstCharacters(event.target.value, settings.commentMaxCharacters))
              // Closed after a comment, it may still have the focus.
              setOpen(true)
            }}
            onFocus={() => setOpen(true)}
            onKeyDown={onKeyDown}
          />
        </div>
        {isOpen && (
          <div className={styles['actions']}>
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
