import { putSiteSettings } from '@kinora/contract/calls.ts'
import { call } from '@kinora/contract/client.ts'
import type { SiteSettingsChanges } from '@kinora/contract/site.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { siteSettingsQuery } from '../../features/administration/api.ts'
import { SettingsForm } from '../../features/administration/settings-form.tsx'
import { failureMessage } from '../../lib/forms/failure-message.ts'
import { siteKeys } from '../../lib/query-keys.ts'
import { Alert } from '../../ui/feedback/alert.tsx'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import styles from './invitations-page.module.css'

/** Name, colour and texts of the site, and who may register, for administrators. */
export function SettingsPage() {
  const client = useQueryClient()
  const { data, isError, refetch } = useQuery(siteSettingsQuery)
  const saving = useMutation({
    mutationFn: (body: SiteSettingsChanges) => call(putSiteSettings, { body }),
    onSuccess: async (saved) => {
      client.setQueryData(siteSettingsQuery.queryKey, saved)
      await client.invalidateQueries({ queryKey: siteKeys.site })
    },
  })
  return (
    <section aria-labelledby="settings">
      <PageTitle title="Settings · Administration" />
      <h2 className={styles['heading']} id="settings">
        Settings
      </h2>
      {isError && !data && <LoadFailure title="Could not load the settings" onRetry={() => void refetch()} />}
      {!isError && !data && <Skeleton width="100%" height={320} />}
      {data && (
        <SettingsForm
          settings={data.settings}
          fixed={data.fixed}
          error={saving.error}
          isPending={saving.isPending}
          onSave={saving.mutateAsync}
        />
      )}
      {saving.isError && <Alert>{failureMessage(saving.error)}</Alert>}
      <p role="status">{saving.isSuccess && 'Saved. Open pages change with their next reload.'}</p>
    </section>
  )
}
