import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import { explain } from '@kinora/contract/failure.ts'
import { subscribeAgain } from '../../../watching/subscriptions/actions.ts'
import { listChannelsByLink } from '../queries.ts'
import { comparableAddress } from '../rules.ts'
import type { ImportRun } from './import-run.ts'
import type { ForeignSubscription } from '@kinora/importers/lists/parse-lists.ts'

const kind = 'subscriptions'

/**
 * Subscribes to the channels of this site whose profile links to a channel of another platform. Anybody may link to anything,
 * so the report names each of them. Other channels cannot be followed here; the report has their addresses.
 */
export async function importSubscriptions(
  run: ImportRun,
  subscriptions: readonly ForeignSubscription[],
): Promise<void> {
  const { context, report, userId } = run
  await run.step(kind, async (transaction) => {
    const wanted = subscriptions.flatMap(({ addresses }) => addresses.map(comparableAddress))
    const channels = await listChannelsByLink(transaction, wanted)
    const here = new Map<string, string>()
    for (const { title, addresses, createdAt = context.clock.now() } of subscriptions) {
      const address = addresses.find((link) => channels.has(comparableAddress(link)))
      const [channel, ...others] =
        address === undefined ? [] : (channels.get(comparableAddress(address)) ?? [])
      if (!channel) {
        report.skip(kind, title, explain(portabilityErrors.channelNotHere), addresses[0])
      } else if (others.length > 0) {
        report.skip(kind, title, explain(portabilityErrors.severalChannels), addresses[0])
      } else {
        here.set(channel.id, createdAt.toISOString())
        report.note(
          kind,
          title,
          explain(portabilityErrors.channelMatched, { name: channel.username }),
          address,
        )
      }
    }
    const added = await subscribeAgain(
      transaction,
      userId,
      [...here].map(([channelId, createdAt]) => ({ channelId, createdAt })),
    )
    report.count(kind, 'imported', added)
    report.count(kind, 'present', here.size - added)
  })
}
