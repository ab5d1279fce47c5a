import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import {
  type RegistrationPolicy,
  registrationPolicies,
  siteContactMaxCharacters,
  siteNameMaxCharacters,
} from '@kinora/contract/constants.ts'
import type { PublicSite } from '@kinora/contract/operations/site.ts'
import { textOf } from '../../../../lib/forms/form-fields.ts'
import type { EndpointForm } from '../../../../lib/forms/use-endpoint-form.ts'
import { Field, TextArea } from '../../../../ui/forms/field.tsx'
import { Select } from '../../../../ui/forms/select.tsx'

const policyNames: Record<RegistrationPolicy, MessageDescriptor> = {
  open: msg`Everybody`,
  approval: msg`Everybody, once a moderator approves`,
  invitation: msg`People with an invitation`,
  closed: msg`Nobody`,
}

type SiteTexts = Omit<PublicSite, 'acceptedContainers' | 'sensitiveVideos'>

const defaultAccent = '#00697a'

/** Name, hint and error of the field of a setting. Those of the environment cannot be changed. */
export type SettingProps = (
  name: string,
  hint?: string,
) => { name: string; error: string | undefined; disabled: boolean; hint: string | undefined }

/** The environment variable of a setting: `siteName` is `SITE_NAME`. */
const variableOf = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()

/** `SettingProps` of a form. */
export function settingProps(field: EndpointForm['field'], fixed: readonly string[]): SettingProps {
  return (name, hint) => ({
    ...field(name),
    disabled: fixed.includes(name),
    hint: fixed.includes(name)
      ? t`Set by ${{ variable: variableOf(name) }} in the environment of the server.`
      : hint,
  })
}

/** Fields of `all` that differ from `initial` and are not set by the environment: disabled fields have no value. */
export function changesOf<Settings extends object>(
  all: Settings,
  initial: Settings,
  fixed: readonly string[],
): Partial<Settings> {
  const before = new Map<string, unknown>(Object.entries(initial))
  const changed = Object.entries(all).filter(
    ([name, value]) => !fixed.includes(name) && !isSame(value, before.get(name)),
  )
  return Object.fromEntries(changed) as Partial<Settings>
}

/** Whether two values of a setting are equal; some are lists. */
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** The values of `SiteFields`. */
export function readSiteFields(fields: FormData): Omit<SiteTexts, 'registration'> {
  const accent = textOf(fields, 'siteAccent')
  return {
    siteName: textOf(fields, 'siteName'),
    siteAccent: accent === defaultAccent ? null : accent,
    siteAbout: textOf(fields, 'siteAbout'),
    siteRules: textOf(fields, 'siteRules'),
    siteContact: textOf(fields, 'siteContact'),
  }
}

/** Texts of a site. */
export function SiteFields({
  initial,
  setting,
}: {
  initial: Omit<SiteTexts, 'registration'>
  setting: SettingProps
}) {
  return (
    <>
      <Field
        label={t`Name`}
        defaultValue={initial.siteName}
        maxLength={siteNameMaxCharacters}
        required
        {...setting('siteName', t`Shown in the header, page titles, feeds and link previews.`)}
      />
      <Field
        label={t`Accent colour`}
        type="color"
        defaultValue={initial.siteAccent ?? defaultAccent}
        {...setting('siteAccent', t`Used for links and highlights. Choose a dark colour.`)}
      />
      <TextArea
        label={t`About`}
        rows={5}
        defaultValue={initial.siteAbout}
        {...setting('siteAbout', t`On the page about the site.`)}
      />
      <TextArea
        label={t`Rules`}
        rows={8}
        defaultValue={initial.siteRules}
        {...setting('siteRules', t`On a page of their own, linked at the end of every page.`)}
      />
      <Field
        label={t`Contact`}
        defaultValue={initial.siteContact}
        maxLength={siteContactMaxCharacters}
        {...setting('siteContact', t`An address or a sentence, on the page about the site.`)}
      />
    </>
  )
}

/** The value of `RegistrationField`. */
export const readRegistration = (fields: FormData): { registration: RegistrationPolicy } => ({
  registration: registrationPolicies.find((name) => name === fields.get('registration')) ?? 'open',
})

/** The choice of who may register. */
export function RegistrationField({
  initial,
  setting,
}: {
  initial: Pick<SiteTexts, 'registration'>
  setting: SettingProps
}) {
  return (
    <Select label={t`Who may register`} defaultValue={initial.registration} {...setting('registration')}>
      {registrationPolicies.map((policy) => (
        <option key={policy} value={policy}>
          {i18n._(policyNames[policy])}
        </option>
      ))}
    </Select>
  )
}
