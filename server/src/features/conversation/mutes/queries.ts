import { mutedPeopleMax } from '@kinora/contract/constants.ts'
import type { MutedPerson } from '@kinora/contract/conversation/mutes.ts'
import { pictureDefaultWidth, pictureUrl } from '@kinora/contract/pictures.ts'
import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import { isNotLeaving } from '../../visibility/queries.ts'

/** The people whom a user muted, latest first. */
export async function listMutedPeople(db: Db, userId: string): Promise<MutedPerson[]> {
  const rows = await db
    .selectFrom('mutedPeople as m')
    .innerJoin('users as u', 'u.id', 'm.personId')
    .select(['u.id', 'u.username', 'u.fullname', 'u.avatar', 'm.isBlocked'])
    .where('m.userId', '=', userId)
    .where(isNotLeaving())
    .orderBy('m.mutedAt', 'desc')
    .orderBy('u.id')
    .limit(mutedPeopleMax)
    .execute()
  return rows.map(({ id: _id, avatar, ...person }) => ({
    _id,
    ...person,
    avatar: pictureUrl(avatar, pictureDefaultWidth.avatar),
  }))
}

/** Has concurrent changes of an account wait for the transaction, so that they count its rows. */
const lockOwner = (db: Db, userId: string) =>
  db.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()

/** Mutes a person, or changes whether it is blocked, in a transaction. Returns false at the limit of muted people. */
export async function putMutedPerson(
  db: Db,
  { userId, personId, isBlocked }: { userId: string; personId: string; isBlocked: boolean },
): Promise<boolean> {
  await lockOwner(db, userId)
  const { numAffectedRows } = await sql`
    insert into muted_people (user_id, person_id, is_blocked)
    select ${userId}, ${personId}, ${isBlocked}
    where (select count(*) from muted_people where user_id = ${userId} and person_id <> ${personId}) < ${mutedPeopleMax}
    on conflict (user_id, person_id) do update set is_blocked = excluded.is_blocked`.execute(db)
  return numAffectedRows === 1n
}

/** Does nothing if the person is not muted. */
export async function deleteMutedPerson(db: Db, userId: string, personId: string): Promise<void> {
  await db.deleteFrom('mutedPeople').where('userId', '=', userId).where('personId', '=', personId).execute()
}

/** Mutes people with their dates, as an import brings them, up to the limit, in a transaction. Returns the number of newly muted ones. */
export async function restoreMutedPeople(
  db: Db,
  userId: string,
  people: readonly { id: string; isBlocked: boolean; mutedAt: string }[],
): Promise<number> {
  await lockOwner(db, userId)
  const { numAffectedRows } = await sql`
    insert into muted_people (user_id, person_id, is_blocked, muted_at)
    select ${userId}, u.id, restored.is_blocked, least(restored.muted_at, now())
    from unnest(
      ${people.map(({ id }) => id)}::text[], ${people.map(({ isBlocked }) => isBlocked)}::boolean[],
      ${people.map(({ mutedAt }) => mutedAt)}::timestamptz[]
    ) as restored (id, is_blocked, muted_at) join users u on u.id = restored.id
    where u.id <> ${userId} and not exists (select from muted_people where user_id = ${userId} and person_id = u.id)
    order by u.id
    limit greatest(0, ${mutedPeopleMax} - (select count(*) from muted_people where user_id = ${userId}))
    for key share of u on conflict do nothing`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
