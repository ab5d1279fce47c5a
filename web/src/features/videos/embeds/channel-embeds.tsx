import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { QuerySection } from '../../../ui/query-section.tsx'
import { channelEmbedsQuery, useSaveChannelEmbeds } from './api.ts'
import { EmbedPolicyForm } from './embed-policy-form.tsx'

/** Chooses the sites that may embed the videos of the own channel. */
export function ChannelEmbeds() {
  const query = useQuery(channelEmbedsQuery)
  const { mutateAsync: save } = useSaveChannelEmbeds()
  return (
    <QuerySection query={query} failure={t`Could not load the sites`} skeleton={null}>
      {(policy) => (
        // without `channel`, null is no choice of the form
        <EmbedPolicyForm policy={policy} onSave={(chosen) => save(chosen ?? policy)} />
      )}
    </QuerySection>
  )
}
