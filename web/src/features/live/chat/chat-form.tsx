import { t } from '@lingui/core/macro'
import { countCharacters } from '@kinora/contract/characters.ts'
import { chatMessageMaxCharacters } from '@kinora/contract/constants.ts'
import { type Chat } from '@kinora/contract/live/chat.ts'
import { SendHorizontal } from 'lucide-react'
import { type FormEvent, useEffect, useId, useState } from 'react'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import styles from './chat.module.css'

/** Characters from which the remaining ones are shown. */
const counterFrom = 160

/** Where a viewer writes into a chat, or why they cannot. */
export function ChatForm({
  chat,
  onSend,
  onJoin,
}: {
  chat: Chat
  /** Throws what the server rejects. */
  onSend: (text: string) => Promise<unknown>
  /** Opens the login page for visitors. */
  onJoin: () => void
}) {
  if (chat.refusal === 'signed_out')
    return (
      <div className={styles['foot']}>
        <Button variant="solid" onClick={onJoin}>{t`Join the chat`}</Button>
      </div>
    )
  if (chat.refusal !== null) return <p className={styles['notice']}>{refusalText(chat.refusal)}</p>
  return <MessageForm slowSeconds={chat.mayModerate ? 0 : chat.slowSeconds} onSend={onSend} />
}

function MessageForm({
  slowSeconds,
  onSend,
}: {
  slowSeconds: number
  onSend: (text: string) => Promise<unknown>
}) {
  const [text, setText] = useState('')
  const [sentAtMs, setSentAtMs] = useState<number>()
  const leftId = useId()
  const waitSeconds = useWait(sentAtMs === undefined ? 0 : sentAtMs + slowSeconds * 1000)
  const left = chatMessageMaxCharacters - countCharacters(text.trim())
  const canSend = text.trim() !== '' && left >= 0 && waitSeconds === 0

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!canSend) return
    const message = text.trim()
    setText('')
    setSentAtMs(Date.now())
    // a message that was not sent begins no pause; the list shows it
    onSend(message).catch(() => setSentAtMs(undefined))
  }

  return (
    <form className={styles['foot']} onSubmit={submit}>
      <div className={styles['row']}>
        <input
          type="text"
          aria-label={t`Write a message`}
          placeholder={t`Write a message`}
          autoComplete="off"
          enterKeyHint="send"
          aria-describedby={leftId}
          aria-invalid={left < 0 || undefined}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <IconButton type="submit" label={t`Send`} title={t`Send`} aria-disabled={!canSend}>
          <Icon of={SendHorizontal} />
        </IconButton>
      </div>
      <p id={leftId} className={styles['note']} data-over={left < 0 || undefined}>
        {waitSeconds > 0
          ? t`Slow mode: you can send the next message in ${waitSeconds} s.`
          : text.length >= counterFrom
            ? t`${left} characters left`
            : slowSeconds > 0
              ? t`Slow mode: one message every ${slowSeconds} s.`
              : ''}
      </p>
    </form>
  )
}

/** Whole seconds until a time; 0 from then on. */
function useWait(untilMs: number): number {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    const measure = () => setLeft(Math.max(0, Math.ceil((untilMs - Date.now()) / 1000)))
    measure()
    if (untilMs <= Date.now()) return
    const timer = setInterval(() => {
      measure()
      if (untilMs <= Date.now()) clearInterval(timer)
    }, 250)
    return () => clearInterval(timer)
  }, [untilMs])
  return left
}

function refusalText(refusal: NonNullable<Chat['refusal']>): string {
  if (refusal === 'subscribers') return t`Only people who follow the channel can write here.`
  if (refusal === 'link')
    return t`You read along by a link. People who may see the video on the site write here.`
  if (refusal === 'blocked') return t`The channel has blocked you. You can read along.`
  return t`Nobody can write in this chat at the moment.`
}
