import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { Check, Clock } from 'lucide-react'
import { useContext } from 'react'
import { Icon } from '../../../../ui/icon.tsx'
import { VisuallyHidden } from '../../../../ui/text/visually-hidden.tsx'
import { SavedForLaterContext, WatchLaterContext } from './save-video-context.ts'

/** Adds the video of a card to Watch later with one press; another press takes it back. Renders nothing for visitors. */
export function SaveForLater({ videoId, className }: { videoId: string; className: string | undefined }) {
  const saveForLater = useContext(WatchLaterContext)
  const entryId = useContext(SavedForLaterContext).get(videoId)
  const saving = useMutation({
    mutationFn: () => saveForLater?.(videoId, entryId) ?? Promise.resolve(undefined),
  })
  if (!saveForLater) return null
  const isSaved = entryId !== undefined
  return (
    <>
      <button
        type="button"
        className={className}
        aria-label={t`Save for later`}
        aria-pressed={isSaved}
        title={
          saving.isError
            ? t`This could not be saved. Try again in a moment.`
            : isSaved
              ? t`Saved to Watch later`
              : t`Save to Watch later`
        }
        onClick={() => !saving.isPending && saving.mutate()}
      >
        <Icon of={isSaved ? Check : Clock} />
      </button>
      {saving.isError && (
        <VisuallyHidden>
          <span role="alert">{t`This could not be saved. Try again in a moment.`}</span>
        </VisuallyHidden>
      )}
    </>
  )
}
