import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ApiError } from '@kinora/contract/client.ts'
import type { OwnCaptions } from '@kinora/contract/videos/captions.ts'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Navigate, useNavigate, useParams } from 'react-router'
import { MembersOnly } from '../../features/accounts/sessions/guards.tsx'
import { captionsTextQuery, ownCaptionsQuery, useSaveCaptions } from '../../features/videos/captions/api.ts'
import { CueEditor, type EditorPlayer } from '../../features/videos/captions/cue-editor.tsx'
import { cueError, editedCues, vttOfEdited } from '../../features/videos/captions/cue-list.ts'
import { cutQuery } from '../../features/videos/cuts/api.ts'
import { streamUrlOf } from '../../features/videos/playback/engine/stream-url.ts'
import type { PlayerHandle } from '../../features/videos/playback/state/player.ts'
import { VideoPlayer } from '../../features/videos/playback/video-player.tsx'
import { UnsavedChangesDialog } from '../../ui/forms/unsaved-changes-dialog.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { failureMessage } from '../../lib/forms/failure-message.ts'
import { discardsChanges, useUnsavedChanges } from '../../lib/forms/use-unsaved-changes.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { BackLink } from '../../ui/back-link.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { FormActions } from '../../ui/forms/form-actions.tsx'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import styles from './studio-captions-page.module.css'
import pageStyles from './studio-page.module.css'

/** The editor of one track of captions, beside the video. */
export function StudioCaptionsPage() {
  const { videoId = '', track = '' } = useParams()
  return (
    <MembersOnly skeleton={null}>
      <PageTitle title={t`Captions · Studio`} />
      <Track key={`${videoId} ${track}`} videoId={videoId} name={track} />
    </MembersOnly>
  )
}

/** Loads the track that the address names: by its id, or as `file-0` by its place in the file. */
function Track({ videoId, name }: { videoId: string; name: string }) {
  const { data: tracks, isError, refetch } = useQuery(ownCaptionsQuery(videoId))
  // The text stays the one that the editing began with: saving changes its URL.
  const [track, setTrack] = useState<OwnCaptions>()
  const found = tracks?.find(({ _id, fileTrack }) => (_id ?? `file-${fileTrack}`) === name)
  if (!track && found) setTrack(found)
  const text = useQuery({ ...captionsTextQuery(track?.url ?? ''), enabled: track !== undefined })
  const { data: cut, isPending } = useQuery({ ...cutQuery(videoId), refetchInterval: false })
  if (isError) return <LoadFailure title={t`Could not load the captions`} onRetry={() => void refetch()} />
  if (tracks && !track && !found) return <Navigate to={paths.studioVideo(videoId)} replace />
  if (text.isError)
    return <LoadFailure title={t`Could not load the captions`} onRetry={() => void text.refetch()} />
  if (!track || text.data === undefined || isPending) return <p role="status">{t`Loading the captions…`}</p>
  // cues have the times of the file
  const streamUrl = cut?.publishedAt ? cut.uncutStreamUrl : streamUrlOf(videoId)
  return <Editor videoId={videoId} track={track} vtt={text.data} streamUrl={streamUrl} />
}

function Editor({
  videoId,
  track,
  vtt,
  streamUrl,
}: {
  videoId: string
  track: OwnCaptions
  vtt: string
  streamUrl: string
}) {
  const [cues, setCues] = useState(() => editedCues(vtt))
  const [savedCues, setSavedCues] = useState(cues)
  const [editedUrl, setEditedUrl] = useState<string | undefined>(track.url)
  const blocker = useUnsavedChanges(cues !== savedCues)
  const handle = useRef<PlayerHandle>(null)
  const saving = useSaveCaptions(videoId)
  const navigate = useNavigate()
  const player: EditorPlayer = {
    seekTo: (seconds) => handle.current?.seekTo(seconds),
    currentSeconds: () => handle.current?.currentSeconds() ?? 0,
  }

  function save() {
    const file = new Blob([vttOfEdited(cues)], { type: 'text/vtt' })
    const { label, language, fileTrack } = track
    if (track._id !== null)
      return saving.mutate(
        { captionsId: track._id, form: { file, url: editedUrl } },
        {
          onSuccess: (tracks) => {
            setSavedCues(cues)
            setEditedUrl(tracks.find(({ _id }) => _id === track._id)?.url)
          },
          // the message says that saving again replaces them
          onError: (error) => {
            if (error instanceof ApiError && error.status === 409) setEditedUrl(undefined)
          },
        },
      )
    // A track of the file becomes a copy, which is edited from then on.
    saving.mutate(
      {
        captionsId: null,
        form: { file, label, language: language ?? 'und', ...(fileTrack === null ? {} : { fileTrack }) },
      },
      {
        onSuccess: (tracks) => {
          const copy = tracks.find((each) => each.fileTrack === fileTrack)
          if (copy?._id)
            void navigate(paths.studioCaptions(videoId, copy._id), { replace: true, state: discardsChanges })
        },
      },
    )
  }

  return (
    <section aria-labelledby="studio-captions">
      <UnsavedChangesDialog blocker={blocker} />
      <BackLink to={paths.studioVideo(videoId)}>{t`Back to the video`}</BackLink>
      <h1 className={pageStyles['heading']} id="studio-captions">
        <Trans>
          Captions: <bdi>{track.label}</bdi>
        </Trans>
      </h1>
      <div className={styles['editor']}>
        <div className={styles['beside']}>
          <VideoPlayer ref={handle} className={styles['player']} streamUrl={streamUrl} autoplays={false} />
          {saving.isError && <Alert>{failureMessage(saving.error)}</Alert>}
          <FormActions saved={saving.isSuccess && cues === savedCues && t`Saved`}>
            <Button
              variant="solid"
              disabled={saving.isPending || cues.some(cueError)}
              onClick={save}
            >{t`Save captions`}</Button>
          </FormActions>
        </div>
        <CueEditor
          cues={cues}
          player={player}
          onChange={(changed) => {
            setCues(changed)
            // resetting a running save would skip its callbacks
            if (saving.isError) saving.reset()
          }}
        />
      </div>
    </section>
  )
}
