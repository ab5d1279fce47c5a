import { t } from '@lingui/core/macro'
import type { DetailedVideo } from '@kinora/contract/videos/videos.ts'
import { ChartColumn, Flag, PenLine, Scissors } from 'lucide-react'
import { useContext } from 'react'
import { Link } from 'react-router'
import { LiveBar as LiveStreamBar } from '../../features/live/live-streams/live-bar.tsx'
import { RecordingNote } from '../../features/live/live-streams/recording-note.tsx'
import type { LivePlayer } from '../../features/live/live-streams/use-live-status.ts'
import { liveEdgeOf } from '../../features/videos/playback/engine/live-edge.ts'
import { ReportContext } from '../../lib/report-context.ts'
import { paths } from '../../paths.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'

// Parts of the page that few of its visits show, in a script of their own.
export { ChapterList } from '../../features/videos/playback/chapters/chapter-list.tsx'
export { EndedStream } from '../../features/live/live-streams/ended-stream.tsx'
export { PremiereBar } from '../../features/live/premieres/premiere-bar.tsx'
export { VisibilityBadge } from '../../features/videos/studio/visibility-badge.tsx'

/** The state of a live stream, above its title, also after it has become a recording. */
export function LiveBar({
  isRecorded,
  ...player
}: Omit<LivePlayer, 'edgeOf'> & {
  /** The page shows the recording. */
  isRecorded: boolean
}) {
  return isRecorded ? <RecordingNote /> : <LiveStreamBar {...player} edgeOf={liveEdgeOf} />
}

/** Entries of members in the menu of a video. */
export function MenuEntries({
  video,
  isOwn,
  onClip,
}: {
  video: DetailedVideo
  isOwn: boolean
  onClip: () => void
}) {
  const report = useContext(ReportContext)
  return (
    <>
      {(video.clipsAllowed || isOwn) && (
        <button type="button" onClick={onClip}>
          <Icon of={Scissors} size={18} />
          {t`Clip`}
        </button>
      )}
      {report && !isOwn && (
        <button type="button" onClick={() => report({ kind: 'video', subjectId: video._id })}>
          <Icon of={Flag} size={18} />
          {t`Report`}
        </button>
      )}
    </>
  )
}

/** Ways of the owner to change a video, and to see its numbers. */
export function OwnLinks({ videoId }: { videoId: string }) {
  return (
    <>
      <Link className={buttonClass('bare')} to={paths.studioVideo(videoId)}>
        <Icon of={PenLine} size={18} />
        {t`Edit`}
      </Link>
      <Link className={buttonClass('bare')} to={paths.videoAnalytics(videoId)}>
        <Icon of={ChartColumn} size={18} />
        {t`Analytics`}
      </Link>
    </>
  )
}
