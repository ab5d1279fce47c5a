import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import {
  type ListedVideo,
  changeTakedown,
  changeVideoApproval,
  deleteAnyVideo,
  reprocessAnyVideo,
} from '@kinora/contract/operations/moderation.ts'
import { call } from '@kinora/contract/client.ts'
import { hasRole } from '@kinora/contract/accounts/roles.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { allVideosQuery } from '../../features/operations/administration/api.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { EntryList } from '../../features/operations/administration/entry-list.tsx'
import { NoticeBar } from '../../features/operations/administration/notice-bar.tsx'
import { RemovalDialog } from '../../features/operations/administration/removal-dialog.tsx'
import { useActions } from '../../features/operations/administration/use-actions.ts'
import { useListView } from '../../features/operations/administration/use-list-view.ts'
import { videoStateNames } from '../../features/operations/administration/video-state-badge.tsx'
import { VideosTable } from '../../features/operations/administration/videos-table.tsx'
import { useAuth } from '../../features/accounts/sessions/use-auth.ts'

const filters = { '': msg`All videos`, ...videoStateNames }

const putTakedown = ({ _id: id }: ListedVideo, reason: string | null) =>
  call(changeTakedown, { params: { id }, body: { reason } })

const putApproval = ({ _id: id }: ListedVideo, isApproved: boolean) =>
  call(changeVideoApproval, { params: { id }, body: { isApproved } })

/** Videos of everybody: search, approve, take down, show again, delete. */
export function VideosPage() {
  const { authData } = useAuth()
  const [view, setView] = useListView()
  const result = useQuery(allVideosQuery(view))
  const { act, notice } = useActions()
  const [asking, setAsking] = useState<{ action: 'take down' | 'delete'; video: ListedVideo }>()
  const close = () => setAsking(undefined)
  return (
    <>
      <EntryList
        title={t`Videos`}
        findLabel={t`Find by title or owner`}
        filters={filters}
        emptyText={t`Videos that people upload appear here.`}
        view={view}
        setView={setView}
        result={result}
        bar={<NoticeBar notice={notice} />}
      >
        {(videos) => (
          <VideosTable
            videos={videos}
            mayDelete={hasRole(authData?.role ?? 'member', 'administrator')}
            onApprove={(video) =>
              act({
                run: () => putApproval(video, true),
                done: t`“${video.title}” is approved.`,
                undo: () => putApproval(video, false),
              })
            }
            onTakeDown={(video) => setAsking({ action: 'take down', video })}
            onShowAgain={(video) =>
              act({
                run: () => putTakedown(video, null),
                done: t`“${video.title}” is shown again.`,
                undo: () => putTakedown(video, video.takedownReason),
              })
            }
            onReprocess={({ _id: id, title }) =>
              act({
                run: () => call(reprocessAnyVideo, { params: { id } }),
                done: t`“${title}” is processed again. It can be watched in the meantime.`,
              })
            }
            onDelete={(video) => setAsking({ action: 'delete', video })}
          />
        )}
      </EntryList>
      {asking?.action === 'take down' && (
        <RemovalDialog
          kind="video"
          onClose={close}
          onRemove={(reason) =>
            act({
              run: () => putTakedown(asking.video, reason),
              done: t`“${asking.video.title}” is taken down.`,
              undo: () => putTakedown(asking.video, null),
            })
          }
        >
          {asking.video.title}
        </RemovalDialog>
      )}
      {asking?.action === 'delete' && (
        <ConfirmDialog
          title={t`Delete a video of somebody else`}
          confirmLabel={t`Delete`}
          onClose={close}
          onConfirm={() =>
            act({
              run: () => call(deleteAnyVideo, { params: { id: asking.video._id } }),
              done: t`“${asking.video.title}” is deleted.`,
            })
          }
        >
          <p>
            <Trans>
              <bdi>“{asking.video.title}”</bdi> by @{asking.video.owner} will be deleted with its files,
              comments and likes. This can’t be undone.
            </Trans>
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
