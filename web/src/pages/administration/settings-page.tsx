import { t } from '@lingui/core/macro'
import {
  deleteLogo,
  putLogo,
  putSiteSettings,
  type Site,
  type SiteSettingsChanges,
} from '@kinora/contract/operations/site.ts'
import { call } from '@kinora/contract/client.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { siteSettingsQuery } from '../../features/operations/administration/api.ts'
import { LogoForm } from '../../features/operations/administration/settings/logo-form.tsx'
import { SettingsForm } from '../../features/operations/administration/settings/settings-form.tsx'
import { failureMessage } from '../../lib/forms/failure-message.ts'
import { siteKeys } from '../../lib/query-keys.ts'
import { showSettings } from '../../lib/settings.ts'
import { Alert } from '../../ui/feedback/alert.tsx'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import styles from './invitations-page.module.css'

/** Name, logo, colour and texts of the site, and who may register, for administrators. */
export function SettingsPage() {
  const client = useQueryClient()
  const { data, isError, refetch } = useQuery(siteSettingsQuery)
  const onSuccess = async (saved: { settings: Site; fixed: string[] }) => {
    client.setQueryData(siteSettingsQuery.queryKey, saved)
    const { settings } = saved
    showSettings({ ...settings, hasRules: settings.siteRules !== '' }, settings.siteAccent)
    await client.invalidateQueries({ queryKey: siteKeys.site })
  }
  const saving = useMutation({
    mutationFn: (body: SiteSettingsChanges) => call(putSiteSettings, { body }),
    onSuccess,
  })
  const savingLogo = useMutation({
    mutationFn: (picture: File | null) => {
      if (picture === null) return call(deleteLogo, {})
      const body = new FormData()
      body.append('logo', picture)
      return call(putLogo, { body })
    },
    onSuccess,
  })
  return (
    <section aria-labelledby="settings">
      <PageTitle title={t`Settings · Administration`} />
      <h2 className={styles['heading']} id="settings">{t`Settings`}</h2>
      {isError && !data && (
        <LoadFailure title={t`Could not load the settings`} onRetry={() => void refetch()} />
      )}
      {!isError && !data && <Skeleton width="100%" height={320} />}
      {data && (
        <LogoForm
          logo={data.settings.siteLogo}
          error={savingLogo.error}
          isPending={savingLogo.isPending}
          onSave={savingLogo.mutate}
        />
      )}
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
      <p role="status">{(saving.isSuccess || savingLogo.isSuccess) && t`Saved.`}</p>
    </section>
  )
}
