import { t } from '@lingui/core/macro'
import { deletionMaxDays, retentionMaxDays } from '@kinora/contract/constants.ts'
import { languages, languageTags } from '@kinora/contract/languages.ts'
import {
  newAccountBaseLimits,
  newAccountMaxDays,
  provenContributions,
} from '@kinora/contract/accounts/new-accounts.ts'
import type { SiteSettings, SiteSettingsChanges } from '@kinora/contract/operations/site.ts'
import { type FormEvent, useState } from 'react'
import { textOf } from '../../../../lib/forms/form-fields.ts'
import { fieldErrors } from '../../../../lib/forms/field-errors.ts'
import { focusFirstInvalid } from '../../../../lib/forms/focus-first-invalid.ts'
import { settings as appSettings } from '../../../../lib/settings.ts'
import { Button } from '../../../../ui/button.tsx'
import { Field, TextArea } from '../../../../ui/forms/field.tsx'
import { Select } from '../../../../ui/forms/select.tsx'
import { quotaInput, readQuota } from '../quota-fields.ts'
import { Check } from './check.tsx'
import { FormatFields, readFormats } from './format-fields.tsx'
import styles from './settings-form.module.css'
import { changesOf, readSiteFields, settingProps, SiteFields } from './site-fields.tsx'

/** Edits what a site says about itself. Settings of the environment cannot be changed. */
export function SettingsForm({
  settings,
  fixed,
  error,
  isPending,
  onSave,
}: {
  settings: SiteSettings
  fixed: readonly string[]
  /** Of the last attempt. */
  error: unknown
  isPending: boolean
  onSave: (changes: SiteSettingsChanges) => Promise<unknown>
}) {
  /** As when the form was opened or last saved. Others may have changed them since: only changes of this form are sent. */
  const [initial, setInitial] = useState(settings)
  const setting = settingProps(error, fixed)

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isPending) return
    const form = event.currentTarget
    // A form reads such a field as empty, which would be saved as unlimited or as 0. The server checks the rest.
    const isUnreadable = (field: Element): field is HTMLInputElement =>
      field instanceof HTMLInputElement && (field.validity.badInput || field.validity.valueMissing)
    const unreadable = [...form.elements].find(isUnreadable)
    if (unreadable) return unreadable.reportValidity()
    const fields = new FormData(form)
    const all: SiteSettings = {
      ...readSiteFields(fields),
      acceptedContainers: readFormats(fields),
      siteLanguage: languageTags.find((tag) => tag === fields.get('siteLanguage')) ?? 'en',
      detectLanguage: fields.has('detectLanguage'),
      confirmEmails: fields.has('confirmEmails'),
      refuseWeakPasswords: fields.has('refuseWeakPasswords'),
      registrationProofOfWork: fields.has('registrationProofOfWork'),
      quotaBytes: readQuota(fields, 'quotaBytes'),
      quotaVideos: readQuota(fields, 'quotaVideos'),
      quotaHours: readQuota(fields, 'quotaHours'),
      quotaDailyBytes: readQuota(fields, 'quotaDailyBytes'),
      quotaVideoMinutes: readQuota(fields, 'quotaVideoMinutes'),
      watchedWords: textOf(fields, 'watchedWords'),
      watchedWordsAction: fields.get('watchedWordsAction') === 'refuse' ? 'refuse' : 'hold',
      holdFirstComments: fields.has('holdFirstComments'),
      holdFirstLinks: fields.has('holdFirstLinks'),
      holdFirstVideos: fields.has('holdFirstVideos'),
      newAccountDays: Number(textOf(fields, 'newAccountDays')),
      addressDays: Number(textOf(fields, 'addressDays')),
      deletionDays: Number(textOf(fields, 'deletionDays')),
      auditLogDays: textOf(fields, 'auditLogDays') === '' ? null : Number(textOf(fields, 'auditLogDays')),
    }
    const changes: SiteSettingsChanges = changesOf(all, initial, fixed)
    if (Object.keys(changes).length === 0) return
    const saved = onSave(changes).then(() => setInitial(all))
    saved.catch((failure: unknown) => focusFirstInvalid(form, fieldErrors(failure)))
  }

  return (
    <form className={styles['form']} onSubmit={submit} noValidate>
      <fieldset className={styles['group']}>
        <legend>{t`Site`}</legend>
        <SiteFields initial={initial} setting={setting} />
        <Select
          label={t`Language of the site`}
          defaultValue={initial.siteLanguage}
          {...setting('siteLanguage', t`Of link previews, and of pages until somebody chooses a language.`)}
        >
          {Object.entries(languages).map(([tag, name]) => (
            <option key={tag} value={tag} lang={tag}>
              {name}
            </option>
          ))}
        </Select>
        <Check
          label={t`Follow the languages of the browser`}
          defaultChecked={initial.detectLanguage}
          {...setting(
            'detectLanguage',
            t`Uses the visitor’s first preferred language that is available. A choice at the end of a page wins.`,
          )}
        />
      </fieldset>
      <fieldset className={styles['group']}>
        <legend>{t`Registration and passwords`}</legend>
        <Check
          label={t`New accounts confirm their email address first`}
          defaultChecked={initial.confirmEmails}
          {...setting(
            'confirmEmails',
            appSettings.hasMail
              ? t`They open a link that is mailed to the address.`
              : t`Needs a mail server. Set SMTP_URL.`,
          )}
          disabled={fixed.includes('confirmEmails') || (!initial.confirmEmails && !appSettings.hasMail)}
        />
        <Check
          label={t`Check registrations by proof of work`}
          defaultChecked={initial.registrationProofOfWork}
          {...setting(
            'registrationProofOfWork',
            t`Browsers compute for about a second while people fill in the form, which slows down automated registrations. Needs an https address.`,
          )}
        />
        <Check
          label={t`Refuse new passwords that are easy to guess`}
          defaultChecked={initial.refuseWeakPasswords}
          {...setting('refuseWeakPasswords', t`Otherwise people only see a warning.`)}
        />
      </fieldset>
      <fieldset className={styles['group']}>
        <legend>{t`Comments and new accounts`}</legend>
        <TextArea
          label={t`Watched words`}
          rows={4}
          defaultValue={initial.watchedWords}
          {...setting('watchedWords', t`One per line. Leave empty to turn this off.`)}
        />
        <Select
          label={t`Comments with a watched word`}
          defaultValue={initial.watchedWordsAction}
          {...setting('watchedWordsAction')}
        >
          <option value="hold">{t`Wait for the owner of the video`}</option>
          <option value="refuse">{t`Are refused`}</option>
        </Select>
        <Check
          label={t`Review the first comment of every new account`}
          defaultChecked={initial.holdFirstComments}
          {...setting('holdFirstComments')}
        />
        <Check
          label={t`Hold comments with a link until one of the account was published`}
          defaultChecked={initial.holdFirstLinks}
          {...setting('holdFirstLinks')}
        />
        <Check
          label={t`Hold videos of a member until a moderator has approved one`}
          defaultChecked={initial.holdFirstVideos}
          {...setting('holdFirstVideos')}
        />
        <Field
          label={t`Days for which new accounts are limited`}
          type="number"
          min={0}
          max={newAccountMaxDays}
          required
          defaultValue={initial.newAccountDays}
          {...setting(
            'newAccountDays',
            t`In 24 hours they can write ${{ comments: newAccountBaseLimits.comments }} comments, upload ${{ uploads: newAccountBaseLimits.uploads }} videos and send ${{ reports: newAccountBaseLimits.reports }} reports. These limits double after a third of the days, and again after two thirds. They end early once ${{ proven: provenContributions }} comments or videos were public for a day. 0: no limits.`,
          )}
        />
      </fieldset>
      <FormatFields initial={initial.acceptedContainers} {...setting('acceptedContainers')} />
      <fieldset className={styles['group']}>
        <legend>{t`Quota of each account`}</legend>
        <Field
          {...quotaInput('quotaBytes', initial.quotaBytes)}
          {...setting('quotaBytes', t`Of all videos and unfinished uploads. Empty: unlimited.`)}
        />
        <Field
          {...quotaInput('quotaVideos', initial.quotaVideos)}
          {...setting('quotaVideos', t`Empty: unlimited.`)}
        />
        <Field
          {...quotaInput('quotaHours', initial.quotaHours)}
          {...setting('quotaHours', t`Empty: unlimited.`)}
        />
        <Field
          {...quotaInput('quotaDailyBytes', initial.quotaDailyBytes)}
          {...setting('quotaDailyBytes', t`Deleted videos count too. Leave empty for no limit.`)}
        />
        <Field
          {...quotaInput('quotaVideoMinutes', initial.quotaVideoMinutes)}
          {...setting(
            'quotaVideoMinutes',
            t`Empty: unlimited. One account can have other quotas, set in the list of people.`,
          )}
        />
      </fieldset>
      <fieldset className={styles['group']}>
        <legend>{t`Retention`}</legend>
        <Field
          label={t`Days that addresses and devices of sign-ins are kept`}
          type="number"
          min={1}
          max={retentionMaxDays}
          required
          defaultValue={initial.addressDays}
          {...setting(
            'addressDays',
            t`Addresses are stored as hashes, and protect accounts against guessed passwords.`,
          )}
        />
        <Field
          label={t`Days to undo an account deletion`}
          type="number"
          min={0}
          max={deletionMaxDays}
          required
          defaultValue={initial.deletionDays}
          {...setting(
            'deletionDays',
            t`Nobody sees the account meanwhile. 0: accounts are removed immediately.`,
          )}
        />
        <Field
          label={t`Days that the audit log is kept`}
          type="number"
          min={1}
          max={retentionMaxDays}
          defaultValue={initial.auditLogDays ?? ''}
          {...setting('auditLogDays', t`Empty: for good.`)}
        />
      </fieldset>
      <p>
        <Button type="submit" variant="solid" disabled={isPending}>{t`Save`}</Button>
      </p>
    </form>
  )
}
