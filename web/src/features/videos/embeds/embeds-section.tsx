import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Part } from '../../../ui/part.tsx'
import { QuerySection } from '../../../ui/query-section.tsx'
import { useSaveVideoEmbeds, videoEmbedsQuery } from './api.ts'
import { EmbedPolicyForm } from './embed-policy-form.tsx'

/** Chooses the sites that may embed an own video. */
export function EmbedsSection({ videoId }: { videoId: string }) {
  const query = useQuery(videoEmbedsQuery(videoId))
  const { mutateAsync: save } = useSaveVideoEmbeds(videoId)
  return (
    <Part
      title={t`Embedding`}
      note={t`Other sites show the player in their pages. Browsers learn which of them may. The files of a public video can still be loaded by everybody.`}
      isDivided
    >
      <QuerySection query={query} failure={t`Could not load the sites`} skeleton={null}>
        {({ own, channel }) => <EmbedPolicyForm policy={own} channel={channel} onSave={save} />}
      </QuerySection>
    </Part>
  )
}
