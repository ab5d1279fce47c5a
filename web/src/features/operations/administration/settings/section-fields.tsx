import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { deletionMaxDays, retentionMaxDays, sensitiveChoices } from '@kinora/contract/constants.ts'
import { languages } from '@kinora/contract/languages.ts'
import {
  newAccountBaseLimits,
  newAccountMaxDays,
  provenContributions,
} from '@kinora/contract/accounts/new-accounts.ts'
import type { SiteSettings } from '@kinora/contract/operations/site.ts'
import { sensitiveLabels } from '../../../../lib/sensitive-labels.ts'
import { settings as appSettings } from '../../../../lib/settings.ts'
import { Check } from '../../../../ui/forms/check.tsx'
import { Field, TextArea } from '../../../../ui/forms/field.tsx'
import { Select } from '../../../../ui/forms/select.tsx'
import { quotaInput } from '../quota-fields.ts'
import { RegistrationField, type SettingProps } from './site-fields.tsx'

/** Properties of the fields of a section. */
export interface FieldsProps {
  initial: SiteSettings
  setting: SettingProps
  fixed: readonly string[]
}

/** The language of the site. */
export function LanguageFields({ initial, setting }: FieldsProps) {
  return (
    <>
      <Select
        label={t`Language of the site`}
        defaultValue={initial.siteLanguage}
        {...setting('siteLanguage', t`Used until a visitor chooses a language, and in link previews.`)}
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
    </>
  )
}

/** Choice of the site for videos with sensitive content. */
export function SensitiveFields({ initial, setting }: FieldsProps) {
  return (
    <Select
      label={t`Videos with sensitive content`}
      defaultValue={initial.sensitiveVideos}
      {...setting(
        'sensitiveVideos',
        t`For visitors, and accounts that have not chosen. Owners and moderators mark videos; link previews have a picture only where they are shown.`,
      )}
    >
      {sensitiveChoices.map((choice) => (
        <option key={choice} value={choice}>
          {i18n._(sensitiveLabels[choice])}
        </option>
      ))}
    </Select>
  )
}

/** Registration, and limits of new accounts. */
export function PeopleFields({ initial, setting, fixed }: FieldsProps) {
  return (
    <>
      <RegistrationField initial={initial} setting={setting} />
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
    </>
  )
}

/** Which comments wait for approval. */
export function CommentFields({ initial, setting }: FieldsProps) {
  return (
    <>
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
    </>
  )
}

/** Quota of accounts without one of their own. */
export function QuotaFields({ initial, setting }: FieldsProps) {
  return (
    <>
      <Field
        {...quotaInput('quotaBytes', initial.quotaBytes)}
        {...setting('quotaBytes', t`All videos and unfinished uploads together. Leave empty for no limit.`)}
      />
      <Field
        {...quotaInput('quotaVideos', initial.quotaVideos)}
        {...setting('quotaVideos', t`Leave empty for no limit.`)}
      />
      <Field
        {...quotaInput('quotaHours', initial.quotaHours)}
        {...setting('quotaHours', t`Leave empty for no limit.`)}
      />
      <Field
        {...quotaInput('quotaDailyBytes', initial.quotaDailyBytes)}
        {...setting('quotaDailyBytes', t`Deleted videos count too. Leave empty for no limit.`)}
      />
      <Field
        {...quotaInput('quotaVideoMinutes', initial.quotaVideoMinutes)}
        {...setting(
          'quotaVideoMinutes',
          t`Leave empty for no limit. An account can have a quota of its own, on its page in People.`,
        )}
      />
    </>
  )
}

/** How long data is kept, and whether it is backed up. */
export function DataFields({ initial, setting }: FieldsProps) {
  return (
    <>
      <Check
        label={t`Back up every night`}
        defaultChecked={initial.dailyBackup}
        {...setting(
          'dailyBackup',
          t`Into the directory of the page “Backups”. The newest 14 are kept. Copy them to another disk as well.`,
        )}
      />
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
        {...setting('auditLogDays', t`Leave empty to keep it for good.`)}
      />
    </>
  )
}
