import { t } from '@lingui/core/macro'

/** A notice for viewers that the stream is over, or that the connection of the streamer is lost; empty otherwise. */
export function StreamNotice({
  isOver,
  isLost,
  className,
}: {
  isOver: boolean
  isLost: boolean
  className?: string | undefined
}) {
  return (
    <p className={className} role="status">
      {isOver
        ? t`The stream has ended.`
        : isLost &&
          t`The connection of the streamer is lost. The stream continues if it comes back within a minute.`}
    </p>
  )
}
