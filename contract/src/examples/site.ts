import {
  deleteLogo,
  getPrivacy,
  getSite,
  getSiteSettings,
  putLogo,
  putSiteSettings,
  type SiteSettings,
} from '../operations/site.ts'
import { pictureUrl } from '../pictures.ts'
import { example } from './example.ts'
import { publicSite, watchedWords } from './samples.ts'

const siteSettings: SiteSettings = {
  ...publicSite,
  siteLanguage: 'en',
  quotaBytes: 50_000_000_000,
  quotaVideos: null,
  quotaHours: null,
  quotaDailyBytes: 5_000_000_000,
  quotaVideoMinutes: null,
  detectLanguage: false,
  confirmEmails: true,
  refuseWeakPasswords: false,
  registrationProofOfWork: false,
  ...watchedWords,
  holdFirstComments: false,
  holdFirstLinks: true,
  holdFirstVideos: false,
  newAccountDays: 7,
  addressDays: 30,
  deletionDays: 14,
  dailyBackup: true,
  auditLogDays: null,
}

const siteLogo = pictureUrl('Lp4sD7kQv2Xn9cRb', 160)

const editableSettings = {
  settings: { ...siteSettings, siteLogo },
  fixed: ['registration'],
  environment: {
    PUBLIC_URL: 'https://video.example.org',
    SMTP_URL: 'mail.example.org',
    UPLOAD_MAX_BYTES: '21474836480',
  },
}

export const siteExamples = [
  example(getSite, { data: { ...publicSite, siteLogo, isSetUp: true } }),
  example(getSiteSettings, { data: editableSettings }),
  example(putSiteSettings, {
    body: siteSettings,
    data: editableSettings,
  }),
  example(getPrivacy, {
    data: {
      siteContact: 'ines@example.org',
      addressDays: 30,
      auditLogDays: null,
      sessionDays: 30,
      sendsMail: true,
      isBehindProxy: true,
      usesBucket: false,
    },
  }),
  example(putLogo, { files: { logo: 'harbour.png' }, data: editableSettings }),
  example(deleteLogo, { data: { ...editableSettings, settings: { ...siteSettings, siteLogo: null } } }),
]
