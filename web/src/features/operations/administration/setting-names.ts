import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** Names of the settings of the site, as its settings page has them. */
export const settingNames: Partial<Record<string, MessageDescriptor>> = {
  siteName: msg`Name`,
  siteLogo: msg`Logo`,
  siteAccent: msg`Accent colour`,
  siteAbout: msg`About`,
  siteRules: msg`Rules`,
  siteContact: msg`Contact`,
  siteLanguage: msg`Language of the site`,
  detectLanguage: msg`Follow the languages of the browser`,
  registration: msg`Who may register`,
  confirmEmails: msg`New accounts confirm their email address first`,
  registrationProofOfWork: msg`Check registrations by proof of work`,
  refuseWeakPasswords: msg`Refuse new passwords that are easy to guess`,
  acceptedContainers: msg`Accepted video files`,
  watchedWords: msg`Watched words`,
  watchedWordsAction: msg`Comments with a watched word`,
  holdFirstComments: msg`Review the first comment of every new account`,
  holdFirstLinks: msg`Hold comments with a link until one of the account was published`,
  holdFirstVideos: msg`Hold videos of a member until a moderator has approved one`,
  newAccountDays: msg`Days for which new accounts are limited`,
  quotaBytes: msg`Gigabytes`,
  quotaVideos: msg`Videos`,
  quotaHours: msg`Hours of video`,
  quotaDailyBytes: msg`Uploads within 24 hours (GB)`,
  quotaVideoMinutes: msg`Longest video (minutes)`,
  addressDays: msg`Days that addresses and devices of sign-ins are kept`,
  deletionDays: msg`Days to undo an account deletion`,
  auditLogDays: msg`Days that the audit log is kept`,
  dailyBackup: msg`Back up every night`,
}
