import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import { explain } from '@kinora/contract/failure.ts'
import type { ArchivedAccount, ArchivedSettings } from '@kinora/contract/portability/account-archive.ts'
import { watchedWordsMaxCharacters } from '@kinora/contract/constants.ts'
import { EmbedPolicy } from '@kinora/contract/videos/embeds.ts'
import { putChannelProfile } from '@kinora/contract/watching/channels.ts'
import { isLanguage } from '@kinora/contract/languages.ts'
import type { Db } from '../../../../../context/database.ts'
import type { ZipFile } from '@kinora/platform/files/zip-file.ts'
import { parseInput } from '@kinora/platform/http/routing/parse-input.ts'
import { getChannelPolicy as getChannelClips } from '../../../../watching/clips/queries/policies.ts'
import { toAllowed } from '../../../../watching/clips/rules.ts'
import { putProfile } from '../../../../watching/channels/queries.ts'
import { getChannelPolicy, putChannelPolicy } from '../../../../videos/embeds/queries.ts'
import { canIntroduce, getIntros, putIntro } from '../../../../videos/intros/queries.ts'
import { getWatchedWords, putWatchedWords } from '../../../../conversation/comments/queries/moderation.ts'
import { isHistoryPaused, putHistoryPaused } from '../../../../watching/history/queries.ts'
import { getChoice, putChoice } from '../../../../messages/notification-mails/queries.ts'
import { listKinds, replaceKinds } from '../../../../messages/notifications/queries/chosen-kinds.ts'
import { putSubscriptionsPrivate } from '../../../../watching/subscriptions/queries.ts'
import { replacePicture } from '../../../../accounts/users/actions/change-pictures.ts'
import { updateClipsAllowed, updateLanguage, updateViewing } from '../../../../accounts/users/queries.ts'
import { findItem, getChannel, listOwnVideos, putItem, resolveVideos } from '../../queries.ts'
import { storable } from '@kinora/platform/storable.ts'
import { truncate } from '../../rules.ts'
import type { ImportRun } from '../import-run.ts'
import { isRefusal, withPicture } from '../import-video.ts'
import { readDocument } from '@kinora/importers/archives/read-archive.ts'

/** Nowhere for a choice that cannot be read. */
const Embeds = EmbedPolicy.optional().catch({ allowed: 'nowhere', sites: [] })

/** Adds settings to those of the account, once: what it has chosen here stays. */
export async function importSettings(run: ImportRun, zip: ZipFile, account: ArchivedAccount): Promise<void> {
  const { report, userId } = run
  const kind = 'settings'
  if (zip.sizeOf('settings.json') === undefined) return
  await run.step(kind, async (transaction) => {
    const item = { userId, kind: 'settings', origin: account.id }
    if (account.id === userId || (await findItem(transaction, item))) return report.count(kind, 'present')
    let archived
    try {
      archived = await readDocument(run.reader, zip, 'settings.json', 'settings')
    } catch (error) {
      if (!isRefusal(error)) throw error
      return report.skip(kind, 'settings.json', error)
    }
    const { isHistoryPaused: isPaused, watchedWords, watchedWordsAction, mutedNotifications } = archived
    if (isPaused && !(await isHistoryPaused(transaction, userId)))
      await putHistoryPaused(transaction, userId, true)
    if (archived.subscriptionsVisibleTo === 'self') await putSubscriptionsPrivate(transaction, userId, true)
    const embeds = Embeds.parse(archived.embeds)
    if (embeds && (await getChannelPolicy(transaction, userId)).allowed === 'everywhere')
      await putChannelPolicy(transaction, userId, embeds)
    if (archived.clips && (await getChannelClips(transaction, userId)) === 'default')
      await updateClipsAllowed(transaction, userId, toAllowed(archived.clips))
    await importIntros(transaction, userId, archived)
    if (watchedWords !== '' && (await getWatchedWords(transaction, userId)).watchedWords === '')
      await putWatchedWords(transaction, userId, {
        watchedWords: storable(truncate(watchedWords, watchedWordsMaxCharacters)),
        watchedWordsAction,
      })
    const muted = await listKinds(transaction, 'mutedNotifications', userId)
    await replaceKinds(transaction, 'mutedNotifications', userId, [
      ...new Set([...muted, ...mutedNotifications]),
    ])
    const mails = await getChoice(transaction, userId)
    if (mails.frequency === 'off' && mails.kinds.length === 0)
      await putChoice(transaction, userId, archived.notificationMails)
    await putItem(transaction, { ...item, itemId: userId, isComplete: true })
    report.count(kind, 'imported')
  })
}

/** Chooses an intro and an outro where the channel has none and the archive names a video that is here. */
async function importIntros(
  db: Db,
  userId: string,
  { introVideo, outroVideo }: Pick<ArchivedSettings, 'introVideo' | 'outroVideo'>,
): Promise<void> {
  const here = await getIntros(db, userId)
  const named = { intro: introVideo ?? '', outro: outroVideo ?? '' }
  const own = await resolveVideos(db, userId, Object.values(named))
  for (const kind of ['intro', 'outro'] as const) {
    const videoId = own.get(named[kind])
    if (videoId !== undefined && here[`${kind}Id`] === null && (await canIntroduce(db, userId, videoId)))
      await putIntro(db, userId, kind, videoId)
  }
}

/** Fills what the channel does not have yet. The profile picture, which every account has, is replaced by the first import. */
export async function importProfile(run: ImportRun, zip: ZipFile, account: ArchivedAccount): Promise<void> {
  const { context, report, userId, signal } = run
  const kind = 'profile'
  if (run.isDone(kind)) return
  const { db, config } = context
  const item = { userId, kind, origin: account.id }
  const isNew = account.id !== userId && (await findItem(db, item)) === undefined
  const channel = await getChannel(db, userId)
  const pictures = { ...context, sender: { address: '', account: userId }, signal }
  for (const [name, column, isWanted] of [
    [account.icon, 'avatar', isNew],
    [account.image, 'coverImage', channel.coverImage === null],
  ] as const) {
    if (name === null || !isWanted) continue
    const replaced = await withPicture(context, zip, name, async (file) => {
      await replacePicture(pictures, userId, column, file)
      return true
    })
    if (replaced) report.count('pictures', 'imported')
    else report.skip('pictures', name, explain(portabilityErrors.pictureUnreadable))
  }
  await run.step(kind, async (transaction) => {
    const { about, links, pinnedVideoId, language } = channel
    if (language === null && account.language && isLanguage(account.language))
      await updateLanguage(transaction, userId, account.language)
    if (account.viewing && !channel.hasViewing) await updateViewing(transaction, userId, account.viewing)
    const pinned = account.pinnedVideo === null ? [] : [account.pinnedVideo]
    const own = await resolveVideos(transaction, userId, pinned)
    const candidate = pinnedVideoId ?? own.get(account.pinnedVideo ?? '') ?? null
    const isOwn = candidate !== null && (await listOwnVideos(transaction, userId, [candidate])).has(candidate)
    const given = {
      about: about || truncate(account.summary, config.descriptionMaxCharacters),
      links: links.length > 0 ? links : account.links,
      pinnedVideoId: isOwn ? candidate : null,
    }
    try {
      await putProfile(transaction, userId, parseInput(putChannelProfile.body, given, config))
      report.count(kind, isNew ? 'imported' : 'present')
    } catch (error) {
      if (!isRefusal(error)) throw error
      report.skip(kind, account.preferredUsername, error)
    }
    await putItem(transaction, { ...item, itemId: userId, isComplete: true })
  })
}
