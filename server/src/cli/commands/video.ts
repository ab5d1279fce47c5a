import type { VideoState } from '@kinora/contract/constants.ts'
import { Option } from 'commander'
import { type CommandLine, assertConfirmed, wholeNumber, withContext } from '../command.ts'
import { page, withPlainId } from '../output.ts'

export function addVideo({ group, command, respond }: CommandLine): void {
  const video = group('video', 'Videos')
  command(
    video,
    'list [text]',
    'List videos, newest first; with a text those whose title or owner contains it',
  )
    .option('--limit <count>', 'maximum number of rows', wholeNumber, 100)
    .addOption(
      new Option('--state <state>', 'only those in this state').choices([
        'processing',
        'ready',
        'failed',
        'taken_down',
      ]),
    )
    .action(async (text: string | undefined, { limit, state }: { limit: number; state?: VideoState }) => {
      const { listVideos } = await import('../../features/operations/administration/queries.ts')
      const { videos } = await withContext(({ db }) => listVideos(db, { text, limit: limit + 1, state }))
      respond(page(videos.map(withPlainId), limit))
    })

  command(
    video,
    'takedown <id>',
    'Hide a video from everybody but its owner, who sees the reason on the dashboard',
  )
    .requiredOption('--reason <text>', 'what the owner reads')
    .action(async (id: string, { reason }: { reason: string }) => {
      const { changeTakedownForReason } = await import('../../features/operations/moderation/actions.ts')
      await withContext((context) => changeTakedownForReason(context, null, id, reason))
      respond({
        text: `${id} is taken down. Players that are open may go on for some seconds; caches in front keep what they have.`,
        value: { id, reason },
      })
    })

  command(video, 'reinstate <id>', 'Reinstate a video that was taken down').action(async (id: string) => {
    const { changeTakedownForReason } = await import('../../features/operations/moderation/actions.ts')
    await withContext((context) => changeTakedownForReason(context, null, id, null))
    respond({ text: `${id} is back.`, value: { id } })
  })

  command(video, 'delete <id>', 'Delete a video with its files, comments and likes')
    .option('--yes', 'do not ask: there is no way back', false)
    .action(async (id: string, { yes }: { yes: boolean }) => {
      assertConfirmed(yes, `Deleting ${id} cannot be undone`)
      const { deleteVideo } = await import('../../features/operations/administration/actions/videos.ts')
      await withContext((context) => deleteVideo(context, null, id))
      respond({ text: `Deleted ${id}.`, value: { id } })
    })

  command(video, 'reprocess <id>', 'Delete the cached segments of a video and encode them again').action(
    async (id: string) => {
      const { reprocessAny } = await import('../../features/operations/administration/actions/videos.ts')
      await withContext((context) => reprocessAny(context, null, id))
      respond({ text: `${id} is being encoded again. It can be watched in the meantime.`, value: { id } })
    },
  )
}
