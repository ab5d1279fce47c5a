import { t } from '@lingui/core/macro'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { useMutation } from '@tanstack/react-query'
import { Check, Clock, ListPlus } from 'lucide-react'
import { useContext } from 'react'
import { Icon } from '../../../../ui/icon.tsx'
import {
  SavedForLaterContext,
  SaveVideoContext,
  WatchLaterContext,
} from '../../../../lib/save-video-context.ts'

/** Adds a video to Watch later, or removes it, and offers the other playlists. Renders nothing for visitors. */
export function SaveActions({ video }: { video: Pick<Video, '_id' | 'title'> }) {
  const save = useContext(SaveVideoContext)
  const saveForLater = useContext(WatchLaterContext)
  const entryId = useContext(SavedForLaterContext).get(video._id)
  const saving = useMutation({
    mutationFn: () => saveForLater?.(video._id, entryId) ?? Promise.resolve(undefined),
  })
  if (!save) return null
  const isSaved = entryId !== undefined
  return (
    <>
      <button
        type="button"
        aria-pressed={isSaved}
        title={isSaved ? t`Saved to Watch later` : t`Save to Watch later`}
        onClick={() => !saving.isPending && saving.mutate()}
      >
        <Icon of={isSaved ? Check : Clock} size={18} />
        {t`Save for later`}
      </button>
      {saving.isError && <p role="alert">{t`This could not be saved. Try again in a moment.`}</p>}
      <button type="button" onClick={() => save(video)}>
        <Icon of={ListPlus} size={18} />
        {t`Save to playlist`}
      </button>
    </>
  )
}
