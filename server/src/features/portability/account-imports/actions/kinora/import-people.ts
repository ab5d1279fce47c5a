import { type Explanation } from '@kinora/contract/failure.ts'
import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import { explain } from '@kinora/contract/failure.ts'
import type { ArchivedAccount } from '@kinora/contract/portability/account-archive.ts'
import { channelGroupsPerAccount } from '@kinora/contract/constants.ts'
import type { Db } from '../../../../../context/database.ts'
import type { ZipFile } from '@kinora/platform/files/zip-file.ts'
import { newId } from '@kinora/platform/ids.ts'
import type { MissingReference } from '../../../../videos/imported-references/rules.ts'
import { restoreMutedPeople } from '../../../../conversation/mutes/queries.ts'
import { restoreDismissals } from '../../../../watching/recommendations/queries.ts'
import { subscribeAgain } from '../../../../watching/subscriptions/actions.ts'
import { addGroupMembers, insertGroup, listGroups } from '../../../../watching/subscriptions/queries.ts'
import { listKnownPeople } from '../../queries.ts'
import { inBatches } from '@kinora/platform/in-batches.ts'
import { storable } from '@kinora/platform/storable.ts'
import { truncate } from '../../rules.ts'
import type { ImportRun } from '../import-run.ts'
import { chunkSize, resolveItems, updateKeptReferences } from '../resolve-items.ts'
import type { Row } from '@kinora/importers/archives/schemas.ts'
import { eachFile, type List, readList } from './read-archived.ts'

/** Imports subscriptions, and groups of channels where the account has none of their name. */
export async function importSubscriptions(
  run: ImportRun,
  zip: ZipFile,
  account: ArchivedAccount,
): Promise<void> {
  const { report, userId } = run
  await importPeople(run, zip, ['subscriptions', 'subscriptions.json'], {
    restore: (db, channels) =>
      subscribeAgain(
        db,
        userId,
        channels.map(({ id, published }) => ({ channelId: id, createdAt: published })),
      ),
    reason: explain(portabilityErrors.channelNotHere),
  })
  const kindOfGroups = 'groups of channels'
  await run.step(kindOfGroups, async (transaction) => {
    const names = new Set((await listGroups(transaction, userId)).map(({ name }) => name))
    for (const { name, channels } of account.channelGroups) {
      if (names.has(name)) {
        report.count(kindOfGroups, 'present')
        continue
      }
      names.add(name)
      const people = await findPeople(
        transaction,
        channels.map(({ id }) => id),
      )
      const group = {
        id: newId(),
        ownerId: userId,
        name: storable(truncate(name, run.context.config.nameMaxCharacters)),
      }
      if (!(await insertGroup(transaction, group, channelGroupsPerAccount))) {
        report.skip(
          kindOfGroups,
          name,
          explain(portabilityErrors.groupsLeftOut, { limit: channelGroupsPerAccount }),
        )
        continue
      }
      await updateKeptReferences(
        run,
        transaction,
        { kind: kindOfGroups, file: 'account.json', list: group.id },
        {
          resolvedKeys: [...people],
          missing: referencesToUnknown(channels, people),
        },
      )
      await addGroupMembers(transaction, group.id, [...people])
      report.count(kindOfGroups, 'imported')
    }
  })
}

/** Those of the ids that accounts of this site have. */
export async function findPeople(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const known = new Set<string>()
  for (const chunk of inBatches(ids, chunkSize))
    for (const id of await listKnownPeople(db, chunk)) known.add(id)
  return known
}

/** Imports the videos and channels that recommendations leave out. */
export async function importDismissals(run: ImportRun, zip: ZipFile): Promise<void> {
  const { report, userId } = run
  await eachFile(zip, ['dismissed videos', 'dismissed-videos.json'], (list, step) =>
    run.step(step, async (transaction) => {
      const [kind] = list
      const archived = await readList(run, zip, list)
      const found = await resolveItems(run, transaction, archived, {
        kind,
        keptIn: { file: 'dismissed-videos.json' },
        videoOf: ({ video }) => video,
      })
      const rows = found.map(({ videoId: id, dismissedAt }) => ({ id, dismissedAt }))
      const added = await restoreDismissals(transaction, userId, 'videos', rows)
      report.count(kind, 'imported', added)
      report.count(kind, 'present', rows.length - added)
    }),
  )
  await importPeople(run, zip, ['dismissed channels', 'dismissed-channels.json'], {
    restore: (db, channels) => restoreDismissals(db, userId, 'channels', channels),
  })
}

/** Imports the people that the account has muted. */
export async function importMutes(run: ImportRun, zip: ZipFile): Promise<void> {
  await importPeople(run, zip, ['muted people', 'muted-people.json'], {
    restore: (db, people) => restoreMutedPeople(db, run.userId, people),
  })
}

interface Person {
  id: string
  preferredUsername: string
}

type ListOfPeople = 'subscriptions' | 'dismissed channels' | 'muted people'

/** Imports a list of people. `restore` adds those who are on this site, and returns how many it added. */
async function importPeople<Name extends ListOfPeople>(
  run: ImportRun,
  zip: ZipFile,
  list: List<Name>,
  options: {
    restore: (db: Db, people: Row<Name>[]) => Promise<number>
    reason?: Explanation
  },
): Promise<void> {
  const { restore, reason = explain(portabilityErrors.personNotHere) } = options
  const [kind, file] = list
  await eachFile(zip, list, (part, step) =>
    run.step(step, async (transaction) => {
      const archived = await readList(run, zip, part)
      const here = await resolvePeople(run, transaction, archived, { kind, file, reason })
      const added = await restore(transaction, here)
      run.report.count(kind, 'imported', added)
      run.report.count(kind, 'present', here.length - added)
    }),
  )
}

/** Those of the people of a list who are on this site; reports and keeps the others. */
async function resolvePeople<Item extends Person>(
  run: ImportRun,
  db: Db,
  people: readonly Item[],
  { kind, file, reason }: { kind: string; file: string; reason: Explanation },
): Promise<Item[]> {
  const known = await findPeople(
    db,
    people.map(({ id }) => id),
  )
  for (const { id, preferredUsername } of people)
    if (!known.has(id)) run.report.skip(kind, preferredUsername, reason)
  await updateKeptReferences(
    run,
    db,
    { kind, file },
    { resolvedKeys: [...known], missing: referencesToUnknown(people, known) },
  )
  return people.filter(({ id }) => known.has(id))
}

/** References to those of the people who are not among the known ones. */
export const referencesToUnknown = (
  people: readonly Person[],
  known: ReadonlySet<string>,
): MissingReference[] =>
  people.flatMap((person) => (known.has(person.id) ? [] : [{ key: person.id, content: person }]))
