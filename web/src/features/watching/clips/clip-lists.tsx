import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import { type Clip, deleteClip } from '@kinora/contract/watching/clips.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { itemsOf } from '../../../lib/list-pages.ts'
import { clipKeys } from '../../../lib/rare-keys.ts'
import { useRowAction } from '../../../lib/use-row-action.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { PagedList } from '../../../ui/paged-list.tsx'
import { RowActionResult } from '../../../ui/row-action-result.tsx'
import { ownClipsQuery, receivedClipsQuery } from './api.ts'
import { ClipList } from './clip-list.tsx'
import { RenameDialog } from './rename-dialog.tsx'

const useRemoval = () =>
  useRowAction<Clip>({
    run: ({ _id: clipId }) => call(deleteClip, { params: { clipId } }),
    confirm: ({ title }) => ({
      title: t`Remove “${title}”?`,
      text: t`Its address and players on other sites stop working. The video stays as it is.`,
      label: t`Remove`,
    }),
    done: () => t`The clip is removed.`,
    queryKey: clipKeys.all,
  })

/** Clips that the account made, to rename and to remove. */
export function OwnClips() {
  const query = useInfiniteQuery(ownClipsQuery)
  const { list, start, ...result } = useRemoval()
  const [renamed, setRenamed] = useState<Clip>()
  return (
    <div ref={list} tabIndex={-1}>
      <RowActionResult action={result} />
      <PagedList
        query={query}
        items={itemsOf(query.data)}
        failure={t`Could not load your clips`}
        skeleton={<Skeleton width="100%" height={240} />}
        empty={
          <EmptyState
            title={t`No clips yet`}
            text={t`Share the best moment of a video: choose “Clip” in the menu below its player.`}
          />
        }
      >
        {(clips) => (
          <ClipList
            clips={clips}
            actionsOf={(clip) => [
              { label: t`Rename…`, onSelect: () => setRenamed(clip) },
              { label: t`Remove…`, isDangerous: true, onSelect: () => start(clip) },
            ]}
          />
        )}
      </PagedList>
      {renamed && <RenameDialog clip={renamed} onClose={() => setRenamed(undefined)} />}
    </div>
  )
}

/** Clips of the videos of a channel, or of the own one, to remove. */
export function ReceivedClips({ channel }: { channel: string | undefined }) {
  const query = useInfiniteQuery(receivedClipsQuery(channel))
  const { list, start, ...result } = useRemoval()
  return (
    <div ref={list} tabIndex={-1}>
      <RowActionResult action={result} />
      <PagedList
        query={query}
        items={itemsOf(query.data)}
        failure={t`Could not load the clips`}
        skeleton={<Skeleton width="100%" height={240} />}
        empty={
          <EmptyState title={t`No clips yet`} text={t`Clips that viewers make of your videos appear here.`} />
        }
      >
        {(clips) => (
          <ClipList
            clips={clips}
            showsMaker
            actionsOf={(clip) => [{ label: t`Remove…`, isDangerous: true, onSelect: () => start(clip) }]}
          />
        )}
      </PagedList>
    </div>
  )
}
