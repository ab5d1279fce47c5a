import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import { type Chat, type ChatMessage, removeChatMessage } from '@kinora/contract/live/chat.ts'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronUp, SlidersVertical } from 'lucide-react'
import { type RefObject, useCallback, useContext, useMemo, useState, useSyncExternalStore } from 'react'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import type { LoginWish } from '../../../lib/login-reason.ts'
import { MuteContext } from '../../../lib/mute-context.ts'
import { ReportContext } from '../../../lib/report-context.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { LoadFailure } from '../../../ui/feedback/load-failure.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { chatQuery, type ChatOf, replayPartSeconds, replayQuery } from './api.ts'
import { ChatForm } from './chat-form.tsx'
import { ChatSettings } from './chat-settings.tsx'
import styles from './chat.module.css'
import { MessageList } from './message-list.tsx'
import { type UnsentMessage, useLiveMessages } from './use-live-messages.ts'

/** Position of a player, and when it changes. */
interface Timeline {
  currentSeconds: () => number
  onTime: (listener: () => void) => () => void
}

/** Somebody who reads a chat. */
export interface ChatViewer {
  auth: { authData: { _id: string } | null }
  /** Runs an action if signed in, else opens the login page. */
  requireSession: (act: () => void, wish: LoginWish) => void
}

interface ChatPanelProps extends ChatOf {
  viewer: ChatViewer
  /** A player, whose position a replay follows. */
  player?: RefObject<Timeline | null>
}

/** The chat of a video: live while it is open, and then replayed with the video. */
export function ChatPanel(props: ChatPanelProps) {
  const { videoId, visit } = props
  const { data: chat, isError, refetch } = useQuery(chatQuery({ videoId, visit }))
  const [isChosen, setChosen] = useState<boolean>()
  const [hasSettings, setSettings] = useState(false)
  // an old chat waits until somebody wants to see it
  const isShown = isChosen ?? chat?.isOpen ?? true
  return (
    <section className={styles['panel']} aria-label={t`Chat`} data-collapsed={!isShown || undefined}>
      <div className={styles['head']}>
        <h2>{chat?.isOpen === false ? t`Chat replay` : t`Chat`}</h2>
        {chat?.mayConfigure && chat.isOpen && isShown && (
          <IconButton
            label={t`Settings of the chat`}
            aria-expanded={hasSettings}
            onClick={() => setSettings(!hasSettings)}
          >
            <Icon of={SlidersVertical} />
          </IconButton>
        )}
        <IconButton
          label={isShown ? t`Hide the chat` : t`Show the chat`}
          aria-expanded={isShown}
          onClick={() => setChosen(!isShown)}
        >
          <Icon of={isShown ? ChevronUp : ChevronDown} />
        </IconButton>
      </div>
      {isShown && isError && !chat && (
        <LoadFailure title={t`Could not load the chat`} onRetry={() => void refetch()} />
      )}
      {isShown && chat && hasSettings && chat.mayConfigure && <ChatSettings videoId={videoId} chat={chat} />}
      {isShown && chat?.isOpen && <LiveChat {...props} chat={chat} />}
      {isShown && chat?.isOpen === false && props.player && (
        <Replay videoId={videoId} visit={visit} player={props.player} />
      )}
    </section>
  )
}

function LiveChat({ videoId, visit, viewer, chat }: ChatPanelProps & { chat: Chat }) {
  const userId = viewer.auth.authData?._id
  const live = useLiveMessages({ videoId, visit })
  const report = useContext(ReportContext)
  const mute = useContext(MuteContext)
  const [failure, setFailure] = useState<unknown>()

  function remove(messageId: string) {
    setFailure(undefined)
    call(removeChatMessage, { params: { videoId, messageId } }).then(
      () => live.drop([messageId]),
      (error: unknown) => setFailure(error),
    )
  }
  function actionsOf({ _id, author }: ChatMessage) {
    if (userId === undefined) return null
    const isOwn = author._id === userId
    return (
      <RowMenu
        of={author.fullname}
        actions={[
          ...(isOwn || chat.mayModerate
            ? [{ label: t`Remove this message`, isDangerous: true, onSelect: () => remove(_id) }]
            : []),
          ...(report && !isOwn
            ? [{ label: t`Report`, onSelect: () => report({ kind: 'channel', subjectId: author._id }) }]
            : []),
          ...(mute && !isOwn ? [{ label: t`Mute or block`, onSelect: () => mute(author.username) }] : []),
        ]}
      />
    )
  }

  if (live.hasFailed && !live.messages)
    return <p className={styles['notice']}>{t`The chat cannot be reached. It is tried again by itself.`}</p>
  return (
    <>
      {live.messages ? (
        <MessageList
          messages={live.messages}
          empty={chat.refusal === null ? t`Nobody has written yet. Say hello!` : t`Nobody has written yet.`}
          actionsOf={actionsOf}
          before={
            live.hasOlder && (
              <Button className={styles['older']} onClick={() => void live.loadOlder()}>
                {t`Show older messages`}
              </Button>
            )
          }
          after={
            live.unsent.length > 0 && (
              <Unsent messages={live.unsent} onRetry={live.retry} onDiscard={live.discard} />
            )
          }
        />
      ) : (
        <p className={styles['notice']} role="status">{t`Loading the chat`}</p>
      )}
      {failure !== undefined && <Alert>{failureMessage(failure)}</Alert>}
      <ChatForm
        chat={chat}
        onSend={live.send}
        onJoin={() => viewer.requireSession(() => undefined, 'watch')}
      />
    </>
  )
}

function Unsent({
  messages,
  onRetry,
  onDiscard,
}: {
  messages: readonly UnsentMessage[]
  onRetry: (message: UnsentMessage) => void
  onDiscard: (message: UnsentMessage) => void
}) {
  return (
    <ul className={styles['unsent']}>
      {messages.map((message) => (
        <li key={message.key} data-failed={message.error !== undefined || undefined}>
          <p dir="auto">{message.text}</p>
          {message.error === undefined ? (
            <p className={styles['note']}>{t`Sending …`}</p>
          ) : (
            <>
              <p className={styles['note']} role="alert">
                {failureMessage(message.error, t`This message was not sent.`)}
              </p>
              <Button onClick={() => onRetry(message)}>{t`Try again`}</Button>
              <Button variant="bare" onClick={() => onDiscard(message)}>{t`Discard`}</Button>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Messages that a replay shows at once: the latest up to the position. */
const replayedMessages = 150
const none: readonly ChatMessage[] = []

/** The messages of a chat that has ended, as they were written at the position of the player. */
function Replay({ player, ...of }: ChatOf & { player: RefObject<Timeline | null> }) {
  const seconds = usePosition(player)
  const part = Math.floor(seconds / replayPartSeconds)
  const { data: before = none } = useQuery({ ...replayQuery(of, part - 1), enabled: part > 0 })
  const { data: now = none } = useQuery(replayQuery(of, part))
  // the next one, so that nothing has to be waited for
  useQuery(replayQuery(of, part + 1))
  const shown = useMemo(
    () => [...before, ...now].filter(({ position }) => position <= seconds).slice(-replayedMessages),
    [before, now, seconds],
  )
  return <MessageList messages={shown} empty={t`Nothing was written up to here.`} />
}

/** The position of a player in whole seconds. */
function usePosition(player: RefObject<Timeline | null>): number {
  const subscribe = useCallback(
    (listener: () => void) => player.current?.onTime(listener) ?? (() => undefined),
    [player],
  )
  return useSyncExternalStore(subscribe, () => Math.floor(player.current?.currentSeconds() ?? 0))
}
