import { t } from '@lingui/core/macro'
import { PlayerMessage } from './player-message.tsx'

/** In place of the player of a stream that has ended without a recording, or was deleted. */
export function EndedStream({ className }: { className?: string | undefined }) {
  return (
    <PlayerMessage
      className={className}
      title={t`The stream has ended.`}
      text={t`It cannot be watched any more.`}
    />
  )
}
