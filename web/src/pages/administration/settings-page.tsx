import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { putSiteSettings, type Site } from '@kinora/contract/operations/site.ts'
import { call } from '@kinora/contract/client.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from 'react-router'
import { siteSettingsQuery } from '../../features/operations/administration/api.ts'
import { EnvironmentList } from '../../features/operations/administration/settings/environment-list.tsx'
import { LogoForm } from '../../features/operations/administration/settings/logo-form.tsx'
import {
  type SectionName,
  sectionNames,
  sectionOf,
} from '../../features/operations/administration/settings/sections.tsx'
import { SettingsForm } from '../../features/operations/administration/settings/settings-form.tsx'
import { siteKeys } from '../../lib/rare-keys.ts'
import { showSettings } from '../../lib/show-settings.ts'
import { paths } from '../../paths.ts'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import styles from './settings-page.module.css'

/** The settings of the site in sections, for administrators. */
export function SettingsPage() {
  const { section: name } = useParams()
  const section = sectionNames.find((each) => each === name) ?? 'site'
  const { data, isError, refetch } = useQuery(siteSettingsQuery)
  return (
    <div className={styles['settings']}>
      <PageTitle title={t`Settings · Administration`} />
      <SectionNav current={section} />
      <section aria-labelledby="settings">
        <h2 id="settings">{i18n._(sectionOf(section).label)}</h2>
        {isError && !data && (
          <LoadFailure title={t`Could not load the settings`} onRetry={() => void refetch()} />
        )}
        {!isError && !data && <Skeleton width="100%" height={320} />}
        {data && <SectionSettings key={section} section={section} {...data} />}
      </section>
    </div>
  )
}

/** The sections: a list beside them, on phones a choice above. */
function SectionNav({ current }: { current: SectionName }) {
  const navigate = useNavigate()
  return (
    <nav className={styles['nav']} aria-label={t`Settings`}>
      <ul>
        {sectionNames.map((name) => (
          <li key={name}>
            <Link
              to={paths.settings(name)}
              aria-current={name === current ? 'page' : undefined}
              preventScrollReset
            >
              {i18n._(sectionOf(name).label)}
            </Link>
          </li>
        ))}
      </ul>
      <Select
        label={t`Section`}
        value={current}
        onChange={({ currentTarget }) =>
          void navigate(paths.settings(currentTarget.value), { preventScrollReset: true })
        }
      >
        {sectionNames.map((name) => (
          <option key={name} value={name}>
            {i18n._(sectionOf(name).label)}
          </option>
        ))}
      </Select>
    </nav>
  )
}

function SectionSettings({
  section,
  settings,
  fixed,
  environment,
}: {
  section: SectionName
  settings: Site
  fixed: string[]
  environment: Record<string, string | null>
}) {
  const client = useQueryClient()
  const onSuccess = async (saved: { settings: Site }) => {
    client.setQueryData(siteSettingsQuery.queryKey, (old) => old && { ...old, settings: saved.settings })
    showSettings({ ...saved.settings, hasRules: saved.settings.siteRules !== '' }, saved.settings.siteAccent)
    await client.invalidateQueries({ queryKey: siteKeys.site })
  }
  return (
    <>
      {section === 'site' && <LogoForm logo={settings.siteLogo} onSaved={onSuccess} />}
      <SettingsForm
        section={section}
        settings={settings}
        fixed={fixed}
        onSave={(body) => call(putSiteSettings, { body }).then(onSuccess)}
      />
      <EnvironmentList labels={sectionOf(section).environment} values={environment} />
    </>
  )
}
