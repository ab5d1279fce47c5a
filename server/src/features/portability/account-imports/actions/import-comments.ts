import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import { explain } from '@kinora/contract/failure.ts'
import type { ArchivedComment } from '@kinora/contract/portability/account-archive.ts'
import { hasVisibleText } from '@kinora/contract/characters.ts'
import { newId } from '@kinora/platform/ids.ts'
import { insertImportedComment } from '../../../conversation/comments/queries/changes.ts'
import { listUsernames } from '../../../conversation/comments/queries/people.ts'
import { knownTimeDates, mentionsIn } from '../../../conversation/comments/rules.ts'
import { listOwnVideos, putItem, resolveComments } from '../queries.ts'
import { storable } from '@kinora/platform/storable.ts'
import { truncate } from '../rules.ts'
import type { ActivityOptions } from './import-activity.ts'
import type { ImportRun } from './import-run.ts'
import { resolveItems, updateKeptReferences } from './resolve-items.ts'

/**
 * Imports what the account wrote below its own videos. Comments on videos of others are kept for later exports only: in
 * somebody else's conversation they would appear without its answers, and past the approval of its owner.
 */
export async function importComments(
  run: ImportRun,
  readComments: () => Promise<ArchivedComment[]>,
  { keepsUnresolved, step = 'comments' }: ActivityOptions,
): Promise<void> {
  const { report, userId } = run
  const kind = 'comments'
  await run.step(step, async (transaction) => {
    const archived = await readComments()
    const known = await resolveComments(
      transaction,
      userId,
      archived.map(({ id }) => id),
    )
    // another account of this site may have exported its comments
    const missing = archived.filter(({ id }) => known.get(id)?.authorId !== userId)
    report.count(kind, 'present', archived.length - missing.length)
    const found = await resolveItems(run, transaction, missing, { kind, videoOf: ({ video }) => video })
    const left = new Set(missing.map(({ id }) => id))
    const own = await listOwnVideos(
      transaction,
      userId,
      found.map(({ videoId }) => videoId),
    )
    // replies follow the comments that they answer
    const threadsFirst = found.toSorted((a, b) => Number(a.inReplyTo !== null) - Number(b.inReplyTo !== null))
    for (const comment of threadsFirst) {
      const {
        id: origin,
        video,
        inReplyTo,
        content,
        published,
        updated,
        timeDates,
        isPinned,
        isHearted,
      } = comment
      const name = truncate(content, 80)
      if (!left.has(origin)) {
        report.count(kind, 'present')
        continue
      }
      if (!own.has(comment.videoId)) {
        report.skip(kind, name, explain(portabilityErrors.otherVideo, { name: video.name ?? video.id }))
        continue
      }
      const parents = inReplyTo === null ? undefined : await resolveComments(transaction, userId, [inReplyTo])
      const parent = parents?.get(inReplyTo ?? '')
      const parentId = parent?.id ?? null
      if (inReplyTo !== null && parent?.videoId !== comment.videoId) {
        report.skip(kind, name, explain(portabilityErrors.otherComment))
        continue
      }
      const text = storable(truncate(content, run.context.config.commentMaxCharacters))
      if (!hasVisibleText(text)) {
        report.skip(kind, origin, explain(portabilityErrors.commentEmpty))
        continue
      }
      const id = newId()
      await insertImportedComment(transaction, {
        id,
        videoId: comment.videoId,
        parentId,
        authorId: userId,
        content: text,
        mentions: await listUsernames(transaction, userId, mentionsIn(text)),
        createdAt: new Date(published),
        editedAt: updated === null ? null : new Date(updated),
        timeDates: updated === null ? null : knownTimeDates(text, timeDates ?? {}, run.context.clock.now()),
        isPinned: isPinned && parentId === null,
        isHearted,
      })
      await putItem(transaction, { userId, kind: 'comment', origin, itemId: id, isComplete: true })
      left.delete(origin)
      report.count(kind, 'imported')
    }
    if (!keepsUnresolved) return
    await updateKeptReferences(
      run,
      transaction,
      { kind, file: 'comments.json' },
      {
        resolvedKeys: archived.flatMap(({ id }) => (left.has(id) ? [] : [id])),
        missing: missing.flatMap((comment) =>
          left.has(comment.id) ? [{ key: comment.id, content: comment }] : [],
        ),
      },
    )
  })
}
