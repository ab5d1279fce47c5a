import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { call } from '@kinora/contract/client.ts'
import {
  type ListedVideo,
  changeSensitiveMark,
  changeTakedown,
  changeVideoApproval,
  deleteAnyVideo,
  reprocessAnyVideo,
} from '@kinora/contract/operations/moderation.ts'
import { type ReactNode, useState } from 'react'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { SensitiveDialog } from './sensitive-dialog.tsx'
import { RemovalDialog } from './removal-dialog.tsx'
import type { Action } from './use-actions.ts'

const putTakedown = ({ _id: id }: ListedVideo, reason: string | null) =>
  call(changeTakedown, { params: { id }, body: { reason } })

const putMark = ({ _id: id }: ListedVideo, reason: string | null) =>
  call(changeSensitiveMark, { params: { id }, body: { reason } })

const putApproval = ({ _id: id }: ListedVideo, isApproved: boolean) =>
  call(changeVideoApproval, { params: { id }, body: { isApproved } })

type VideoQuestion = 'take down' | 'mark' | 'delete'

/** Actions of moderators and administrators on videos. Render `dialogs`, which ask first where that is due. */
export function useVideoActions(act: (action: Action) => void): {
  approve: (video: ListedVideo) => void
  takeDown: (video: ListedVideo) => void
  mark: (video: ListedVideo) => void
  showAgain: (video: ListedVideo) => void
  reprocess: (video: ListedVideo) => void
  deleteVideo: (video: ListedVideo) => void
  dialogs: ReactNode
} {
  const [asking, setAsking] = useState<{ action: VideoQuestion; video: ListedVideo }>()
  const close = () => setAsking(undefined)
  return {
    approve: (video) =>
      act({
        run: () => putApproval(video, true),
        done: t`“${video.title}” is approved.`,
        undo: () => putApproval(video, false),
      }),
    takeDown: (video) => setAsking({ action: 'take down', video }),
    mark: (video) =>
      video.sensitiveReason === null
        ? setAsking({ action: 'mark', video })
        : act({
            run: () => putMark(video, null),
            done: t`“${video.title}” is no longer marked as sensitive.`,
            undo: () => putMark(video, video.sensitiveReason),
          }),
    showAgain: (video) =>
      act({
        run: () => putTakedown(video, null),
        done: t`“${video.title}” is shown again.`,
        undo: () => putTakedown(video, video.takedownReason),
      }),
    reprocess: ({ _id: id, title }) =>
      act({
        run: () => call(reprocessAnyVideo, { params: { id } }),
        done: t`“${title}” is processed again. It can be watched in the meantime.`,
      }),
    deleteVideo: (video) => setAsking({ action: 'delete', video }),
    dialogs: asking && <VideoDialog {...asking} act={act} onClose={close} />,
  }
}

function VideoDialog({
  action,
  video,
  act,
  onClose,
}: {
  action: VideoQuestion
  video: ListedVideo
  act: (action: Action) => void
  onClose: () => void
}) {
  if (action === 'take down')
    return (
      <RemovalDialog
        kind="video"
        onClose={onClose}
        onRemove={(reason) =>
          act({
            run: () => putTakedown(video, reason),
            done: t`“${video.title}” is taken down.`,
            undo: () => putTakedown(video, null),
          })
        }
      >
        {video.title}
      </RemovalDialog>
    )
  if (action === 'mark')
    return (
      <SensitiveDialog
        title={video.title}
        onClose={onClose}
        onMark={(reason) =>
          act({
            run: () => putMark(video, reason),
            done: t`“${video.title}” is marked as sensitive.`,
            undo: () => putMark(video, null),
          })
        }
      />
    )
  return (
    <ConfirmDialog
      title={t`Delete a video of somebody else`}
      confirmLabel={t`Delete`}
      onClose={onClose}
      onConfirm={() =>
        act({
          run: () => call(deleteAnyVideo, { params: { id: video._id } }),
          done: t`“${video.title}” is deleted.`,
        })
      }
    >
      <p>
        <Trans>
          <bdi>“{video.title}”</bdi> by @{video.owner} will be deleted with its files, comments and likes.
          This can’t be undone.
        </Trans>
      </p>
    </ConfirmDialog>
  )
}
