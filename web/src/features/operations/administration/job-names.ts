import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** Areas of jobs, by the first part of their names. */
const areas: Partial<Record<string, MessageDescriptor>> = {
  account_exports: msg`Archives of accounts`,
  account_imports: msg`Imports of accounts`,
  accounts: msg`Deletion of accounts`,
  administration: msg`Audit log`,
  analytics: msg`Analytics`,
  backups: msg`Backups`,
  chat: msg`Chat`,
  comments: msg`Comments`,
  cuts: msg`Videos`,
  emails: msg`Mail`,
  feed_imports: msg`Imports of videos`,
  folder_imports: msg`Imports of folders`,
  handovers: msg`Videos`,
  live_streams: msg`Live streams`,
  mail: msg`Mail`,
  notification_mails: msg`Mail`,
  notification_pushes: msg`Push messages`,
  notifications: msg`Notifications`,
  oidc: msg`Sign-in`,
  passkeys: msg`Sign-in`,
  pictures: msg`Pictures`,
  playback: msg`Preparation of videos`,
  registrations: msg`Registrations`,
  search: msg`Search`,
  sessions: msg`Sign-in`,
  storage: msg`Storage`,
  transcriptions: msg`Automatic captions`,
  uploads: msg`Uploads`,
  video_imports: msg`Imports of videos`,
  videos: msg`Videos`,
  waveforms: msg`Videos`,
  webhooks: msg`Webhooks`,
}

/** The area of a job in words; its name if that is not known. */
export function areaOf(name: string): string {
  const area = areas[name.replace(/\..*/, '')]
  return area ? i18n._(area) : name
}
