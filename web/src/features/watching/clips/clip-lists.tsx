import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import { deleteClip, type ListedClip } from '@kinora/contract/watching/clips.ts'
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
import { ClipList, isPlayable } from './clip-list.tsx'
import { RenameDialog } from './rename-dialog.tsx'

/** Clips that the account made, to rename and to remove. */
export function OwnClips() {
  const query = useInfiniteQuery(ownClipsQuery)
  const [renamed, setRenamed] = useState<ListedClip>()
  return (
    <>
      <RemovableClips
        query={query}
        clips={itemsOf(query.data)}
        failure={t`Could not load your clips`}
        empty={t`Share the best moment of a video: choose “Clip” in the menu below its player.`}
        onRename={setRenamed}
      />
      {renamed && <RenameDialog clip={renamed} onClose={() => setRenamed(undefined)} />}
    </>
  )
}

/** Clips of the videos of a channel, or of the own one, to remove. */
export function ReceivedClips({ channel }: { channel: string | undefined }) {
  const query = useInfiniteQuery(receivedClipsQuery(channel))
  return (
    <RemovableClips
      query={query}
      clips={itemsOf(query.data)}
      failure={t`Could not load the clips`}
      empty={t`Clips that viewers make of your videos appear here.`}
      showsMaker
    />
  )
}

function RemovableClips({
  query,
  clips,
  failure,
  empty,
  showsMaker = false,
  onRename,
}: {
  query: Parameters<typeof PagedList>[0]['query']
  clips: readonly ListedClip[]
  failure: string
  empty: string
  showsMaker?: boolean
  onRename?: (clip: ListedClip) => void
}) {
  const { list, start, ...result } = useRowAction<ListedClip>({
    run: ({ _id: clipId }) => call(deleteClip, { params: { clipId } }),
    confirm: ({ title }) => ({
      title: t`Remove “${title}”?`,
      text: t`Its address and players on other sites stop working. The video stays as it is.`,
      label: t`Remove`,
    }),
    done: () => t`The clip is removed.`,
    queryKey: clipKeys.all,
  })
  return (
    <div ref={list} tabIndex={-1}>
      <RowActionResult action={result} />
      <PagedList
        query={query}
        items={clips}
        failure={failure}
        skeleton={<Skeleton width="100%" height={240} />}
        empty={<EmptyState title={t`No clips yet`} text={empty} />}
      >
        {(listed) => (
          <ClipList
            clips={listed}
            showsMaker={showsMaker}
            actionsOf={(clip) => [
              ...(onRename && isPlayable(clip)
                ? [{ label: t`Rename…`, onSelect: () => onRename(clip) }]
                : []),
              { label: t`Remove…`, isDangerous: true, onSelect: () => start(clip) },
            ]}
          />
        )}
      </PagedList>
    </div>
  )
}
