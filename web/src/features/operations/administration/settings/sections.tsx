import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { sensitiveChoices } from '@kinora/contract/constants.ts'
import { languageTags } from '@kinora/contract/languages.ts'
import type { SiteSettings } from '@kinora/contract/operations/site.ts'
import type { ReactNode } from 'react'
import { textOf } from '../../../../lib/forms/form-fields.ts'
import { readQuota } from '../quota-fields.ts'
import { FormatFields, readFormats } from './format-fields.tsx'
import {
  CommentFields,
  DataFields,
  type FieldsProps,
  LanguageFields,
  PeopleFields,
  QuotaFields,
  SensitiveFields,
} from './section-fields.tsx'
import { readRegistration, readSiteFields, SiteFields } from './site-fields.tsx'

interface Section {
  label: MessageDescriptor
  /** Fields that can be changed; none in sections that the environment alone sets. */
  form?: { Fields: (props: FieldsProps) => ReactNode; read: (fields: FormData) => Partial<SiteSettings> }
  /** Labels of what environment variables set, by their names. */
  environment: Readonly<Record<string, MessageDescriptor>>
}

const daysOf = (fields: FormData, name: string) => Number(textOf(fields, name))

const publicUrl = { PUBLIC_URL: msg`Public address` }

/** The settings of a site, in the order of their list. */
const sections = {
  site: {
    label: msg`Site`,
    form: {
      Fields: (props) => (
        <>
          <SiteFields {...props} />
          <SensitiveFields {...props} />
          <LanguageFields {...props} />
        </>
      ),
      read: (fields) => ({
        ...readSiteFields(fields),
        sensitiveVideos: sensitiveChoices.find((name) => name === fields.get('sensitiveVideos')) ?? 'blur',
        siteLanguage: languageTags.find((tag) => tag === fields.get('siteLanguage')) ?? 'en',
        detectLanguage: fields.has('detectLanguage'),
      }),
    },
    environment: publicUrl,
  },
  people: {
    label: msg`People`,
    form: {
      Fields: PeopleFields,
      read: (fields) => ({
        ...readRegistration(fields),
        confirmEmails: fields.has('confirmEmails'),
        refuseWeakPasswords: fields.has('refuseWeakPasswords'),
        registrationProofOfWork: fields.has('registrationProofOfWork'),
        holdFirstVideos: fields.has('holdFirstVideos'),
        newAccountDays: daysOf(fields, 'newAccountDays'),
      }),
    },
    environment: {
      PASSWORD_MIN_LENGTH: msg`Shortest new password (characters)`,
      SESSION_MAX_DAYS: msg`Days after which people sign in again`,
      OIDC_PROVIDERS: msg`Sign-in with`,
    },
  },
  comments: {
    label: msg`Comments`,
    form: {
      Fields: CommentFields,
      read: (fields) => ({
        watchedWords: textOf(fields, 'watchedWords'),
        watchedWordsAction: fields.get('watchedWordsAction') === 'refuse' ? 'refuse' : 'hold',
        holdFirstComments: fields.has('holdFirstComments'),
        holdFirstLinks: fields.has('holdFirstLinks'),
      }),
    },
    environment: {},
  },
  media: {
    label: msg`Media`,
    form: {
      Fields: ({ initial, setting }) => (
        <FormatFields initial={initial.acceptedContainers} {...setting('acceptedContainers')} />
      ),
      read: (fields) => ({ acceptedContainers: readFormats(fields) }),
    },
    environment: {
      UPLOAD_MAX_BYTES: msg`Largest video file`,
      IMPORT_BY_ADDRESS: msg`Import of videos by their address`,
      PREPARE_POLICY: msg`Videos that are prepared in every quality`,
      AV1: msg`AV1 for popular videos`,
      CACHE_MAX_BYTES: msg`Space for prepared qualities`,
      CACHE_MAX_DISK_PERCENT: msg`Fullest disk (%)`,
    },
  },
  quotas: {
    label: msg`Quotas`,
    form: {
      Fields: QuotaFields,
      read: (fields) => ({
        quotaBytes: readQuota(fields, 'quotaBytes'),
        quotaVideos: readQuota(fields, 'quotaVideos'),
        quotaHours: readQuota(fields, 'quotaHours'),
        quotaDailyBytes: readQuota(fields, 'quotaDailyBytes'),
        quotaVideoMinutes: readQuota(fields, 'quotaVideoMinutes'),
      }),
    },
    environment: {},
  },
  data: {
    label: msg`Data`,
    form: {
      Fields: DataFields,
      read: (fields) => ({
        dailyBackup: fields.has('dailyBackup'),
        addressDays: daysOf(fields, 'addressDays'),
        deletionDays: daysOf(fields, 'deletionDays'),
        auditLogDays: textOf(fields, 'auditLogDays') === '' ? null : daysOf(fields, 'auditLogDays'),
      }),
    },
    environment: { DATA_DIR: msg`Directory of the data`, STORAGE_URL: msg`Bucket of videos and pictures` },
  },
  mail: {
    label: msg`Mail`,
    environment: { SMTP_URL: msg`Mail server`, MAIL_FROM: msg`Sender of mails`, ...publicUrl },
  },
} as const satisfies Record<string, Section>

export type SectionName = keyof typeof sections

/** A section by its name. */
export const sectionOf = (name: SectionName): Section => sections[name]

export const sectionNames = Object.keys(sections) as SectionName[]
