import { explain } from '@kinora/contract/failure.ts'
import { liveErrors } from '@kinora/contract/live/errors.ts'
import type { ZipFile } from '@kinora/platform/files/zip-file.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { storable } from '@kinora/platform/storable.ts'
import { announceStream } from '../../../../live/announcements/actions.ts'
import { assertMayStream } from '../../../../live/live-streams/actions/stream-keys.ts'
import { listAnnounced } from '../../../../live/live-streams/queries/announcements.ts'
import { insertShow, listShows } from '../../../../live/live-streams/queries/shows.ts'
import { MAX_SHOWS } from '../../../../live/live-streams/rules/streams.ts'
import { truncate } from '../../rules.ts'
import type { ImportRun } from '../import-run.ts'
import { eachFile, readList } from './read-archived.ts'

/** Imports the shows of a channel, unless it has one of that title. */
export async function importShows(run: ImportRun, zip: ZipFile): Promise<void> {
  const { report, userId, context } = run
  await eachFile(zip, ['shows', 'shows.json'], (list, step) =>
    run.step(step, async (transaction) => {
      const [kind] = list
      const titles = new Set((await listShows(transaction, userId)).map(({ title }) => title))
      for (const show of await readList(run, zip, list)) {
        const { title, description } = textsOf(run, show)
        const { visibility, keepsRecording, published } = show
        if (titles.has(title)) report.count(kind, 'present')
        else if (titles.size >= MAX_SHOWS)
          report.skip(kind, title, explain(liveErrors.liveShowLimit, { limit: MAX_SHOWS }))
        else {
          titles.add(title)
          const createdAt = new Date(Math.min(Date.parse(published), context.clock.now().getTime()))
          await insertShow(transaction, userId, { title, description, visibility, keepsRecording }, createdAt)
          report.count(kind, 'imported')
        }
      }
    }),
  )
}

/** Announces the streams of an archive that are still to come, as far as the account may. */
export async function importAnnouncements(run: ImportRun, zip: ZipFile): Promise<void> {
  const { report, userId, context } = run
  await eachFile(zip, ['announced streams', 'announced-streams.json'], async (list) => {
    const [kind] = list
    const archived = await run.read(list[1], (reading) =>
      readList({ report: reading, reader: run.reader }, zip, list),
    )
    for (const announced of archived) {
      const step = `${kind}: ${announced.id}`
      if (run.isDone(step)) continue
      const { title, description } = textsOf(run, announced)
      const { visibility, keepsRecording, startTime: startsAt } = announced
      const isKnown = (await listAnnounced(context.db, userId)).some(
        (known) => known.title === title && Date.parse(known.startsAt) === Date.parse(startsAt),
      )
      let refusal: AppError | undefined
      if (!isKnown)
        try {
          await assertMayStream(context, userId)
          await announceStream(context, userId, { title, description, visibility, keepsRecording, startsAt })
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          refusal = error
        }
      await run.step(step, async () => {
        if (refusal) report.skip(kind, title, refusal)
        else report.count(kind, isKnown ? 'present' : 'imported')
      })
    }
  })
}

/** Texts of a stream as forms write them. */
const textsOf = (
  { context: { config } }: ImportRun,
  { name, summary }: { name: string; summary: string },
) => ({
  title: storable(truncate(name, config.titleMaxCharacters)).replaceAll(/\s+/gu, ' ').trim() || 'Live',
  description: storable(truncate(summary, config.descriptionMaxCharacters)),
})
