import { t } from '@lingui/core/macro'
import type { Chat, ChatSettings as Settings } from '@kinora/contract/live/chat.ts'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { useChatSettings } from './api.ts'
import styles from './chat.module.css'

const paces = [0, 5, 10, 30, 60, 300]

/** Choices of who writes in a chat, and how fast. Each is saved at once. */
export function ChatSettings({ videoId, chat }: { videoId: string; chat: Chat }) {
  const { mutate, error } = useChatSettings(videoId)
  const { writers, slowSeconds } = chat
  const change = (changed: Partial<Settings>) => mutate({ writers, slowSeconds, ...changed })
  return (
    <div className={styles['settings']}>
      <Select
        label={t`Who writes`}
        value={writers}
        onChange={({ currentTarget }) => change({ writers: currentTarget.value as Settings['writers'] })}
      >
        <option value="everybody">{t`Everybody`}</option>
        <option value="subscribers">{t`People who follow the channel`}</option>
        <option value="nobody">{t`Only the channel and moderators`}</option>
      </Select>
      <Select
        label={t`Slow mode`}
        value={slowSeconds}
        onChange={({ currentTarget }) => change({ slowSeconds: Number(currentTarget.value) })}
      >
        {[...new Set([...paces, slowSeconds])]
          .toSorted((one, other) => one - other)
          .map((seconds) => (
            <option key={seconds} value={seconds}>
              {seconds === 0 ? t`Off` : t`One message every ${seconds} s`}
            </option>
          ))}
      </Select>
      <Alert>{error && failureMessage(error)}</Alert>
    </div>
  )
}
