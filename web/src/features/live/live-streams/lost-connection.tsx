import { t } from '@lingui/core/macro'

/** A notice for viewers that the connection of the streamer is lost, empty otherwise. */
export function LostConnection({ isLost, className }: { isLost: boolean; className?: string | undefined }) {
  return (
    <p className={className} role="status">
      {isLost &&
        t`The connection of the streamer is lost. The stream continues if it comes back within a minute.`}
    </p>
  )
}
