import { t } from '@lingui/core/macro'
import { ApiError } from '@kinora/contract/client.ts'
import type { OwnVideo } from '@kinora/contract/videos/studio.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { Link, Navigate, useNavigate, useParams } from 'react-router'
import { ownCaptionsQuery } from '../../features/videos/captions/api.ts'
import { CaptionsSection } from '../../features/videos/captions/captions-section.tsx'
import { OfferForm } from '../../features/videos/collaborators/offer-form.tsx'
import { useChannelOf } from '../../features/videos/collaborators/use-studio-channel.ts'
import { MembersOnly } from '../../features/accounts/sessions/guards.tsx'
import { LiveMark } from '../../features/live/live-streams/live-mark.tsx'
import { refreshVideos, studioVideoQuery, useDeleteVideo } from '../../features/videos/studio/api.ts'
import { IntrosSection } from '../../features/videos/intros/intros-section.tsx'
import { EmbedsSection } from '../../features/videos/embeds/embeds-section.tsx'
import { ShareLinksSection } from '../../features/videos/share-links/share-links-section.tsx'
import { saveDetailsDraft } from '../../features/videos/studio/details-draft.ts'
import { DetailsForm } from '../../features/videos/studio/details-form.tsx'
import { TakedownNote } from '../../features/videos/studio/takedown-note.tsx'
import { VisibilityBadge } from '../../features/videos/studio/visibility-badge.tsx'
import { ClipsSection } from '../../features/watching/clips/clip-policies.tsx'
import { TranscriptionSection } from '../../features/videos/transcriptions/transcription-section.tsx'
import { ReplaceFileForm } from '../../features/videos/uploads/replace-file-form.tsx'
import { textErrors } from '../../features/videos/uploads/rules.ts'
import { downloadName } from '../../lib/format/download-name.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { failureMessage } from '../../lib/forms/failure-message.ts'
import { discardsChanges } from '../../lib/forms/use-unsaved-changes.ts'
import { inChannel } from '../../lib/in-channel.ts'
import { paths } from '../../paths.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { BackLink } from '../../ui/back-link.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { Icon } from '../../ui/icon.tsx'
import styles from './studio-page.module.css'
import { ThumbnailFrame } from './thumbnail-frame.tsx'
import { Part } from '../../ui/part.tsx'

/** Everything that the owner of a video, or people who work on its channel, can change. */
export function StudioVideoPage() {
  const { videoId = '' } = useParams()
  return (
    <MembersOnly skeleton={null}>
      <StudioVideo key={videoId} id={videoId} />
    </MembersOnly>
  )
}

function StudioVideo({ id }: { id: string }) {
  const { data: video, error, refetch } = useQuery(studioVideoQuery(id))
  const { channel, role, isManager } = useChannelOf(video)
  if (error instanceof ApiError && error.status === 404) return <Navigate to={paths.notFound()} replace />
  if (!video)
    return error && <LoadFailure title={t`Could not load the video`} onRetry={() => void refetch()} />
  return (
    <section aria-labelledby="studio-video">
      <PageTitle title={video ? t`${video.title} · Studio` : t`Studio`} />
      <BackLink to={inChannel(paths.studio(), channel)}>{t`All videos`}</BackLink>
      <h1 className={styles['heading']} id="studio-video">
        <bdi>{video.title}</bdi>
      </h1>
      <p className={styles['links']}>
        {video.isLive && <LiveMark />}
        <VisibilityBadge video={video} />
        {video.processing.state !== 'taken_down' && <Link to={paths.watch(id)}>{t`Watch page`}</Link>}
        <Link to={paths.videoAnalytics(id)}>{t`Analytics`}</Link>
        {!video.isLive && <Link to={paths.studioCut(id)}>{t`Cut`}</Link>}
      </p>
      <TakedownNote video={video} />
      <DetailsForm
        video={video}
        checkTexts={(texts) => textErrors(texts, { isDescriptionRequired: false })}
      />
      {!video.isLive && <ThumbnailFrame videoId={id} />}
      <CaptionsSection videoId={id} />
      <TranscriptionSection videoId={id} />
      {isManager && <ShareLinksSection to={{ videoId: id }} />}
      <IntrosSection videoId={id} />
      <EmbedsSection videoId={id} />
      <ClipsSection videoId={id} />
      {!video.isLive && <VideoFile video={video} channel={channel} />}
      {role === 'owner' && !video.isLive && <HandOver id={id} />}
      {isManager && <DeleteVideo id={id} channel={channel} isLive={video.isLive} />}
    </section>
  )
}

/** Downloads or replaces the file of a video. */
function VideoFile({
  video: { _id: id, title, videoFile },
  channel,
}: {
  video: OwnVideo
  channel: string | undefined
}) {
  const client = useQueryClient()
  function refetch() {
    for (const { queryKey } of [studioVideoQuery(id), ownCaptionsQuery(id)])
      void client.invalidateQueries({ queryKey })
    void refreshVideos(client)
  }
  return (
    <Part title={t`File`} isDivided>
      <a className={buttonClass('quiet')} href={videoFile} download={downloadName(title, videoFile)}>
        <Icon of={Download} />
        {t`Download the original`}
      </a>
      <ReplaceFileForm videoId={id} channel={channel} onReplaced={refetch} />
    </Part>
  )
}

/** Offers a video to another account. */
function HandOver({ id }: { id: string }) {
  return (
    <Part title={t`Give to another account`} isDivided>
      <OfferForm videoId={id} />
    </Part>
  )
}

function DeleteVideo({
  id,
  channel,
  isLive = false,
}: {
  id: string
  channel: string | undefined
  isLive?: boolean | undefined
}) {
  const [isAsking, setIsAsking] = useState(false)
  const deleting = useDeleteVideo(channel)
  const navigate = useNavigate()
  const remove = () =>
    deleting.mutate(id, {
      onSuccess: () => {
        saveDetailsDraft(id, {})
        void navigate(inChannel(paths.studio(), channel), { state: discardsChanges })
      },
    })
  return (
    <div className={styles['delete']}>
      {deleting.isError && <Alert>{failureMessage(deleting.error)}</Alert>}
      {!isAsking && <Button onClick={() => setIsAsking(true)}>{t`Delete this video…`}</Button>}
      {isAsking && (
        <div role="group" aria-label={t`Delete this video`}>
          {isLive && <p>{t`It is live: the stream ends for its viewers.`}</p>}
          <p>{t`The video will be deleted with its comments and likes. This can’t be undone.`}</p>
          <div className={styles['choices']}>
            <Button variant="danger" disabled={deleting.isPending} onClick={remove}>{t`Delete`}</Button>
            <Button onClick={() => setIsAsking(false)}>{t`Keep it`}</Button>
          </div>
        </div>
      )}
    </div>
  )
}
