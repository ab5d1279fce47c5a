import type { WebhookEvent } from '@kinora/contract/messages/webhooks.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import { isListed, visitors } from '../../visibility/queries.ts'

/** Deliveries that the log of a webhook keeps. */
const keptDeliveries = 50

/** Deliveries of a webhook that are kept although they wait for another attempt. */
const keptWaiting = 1000

export async function listWebhooksOf(db: Db, userId: string) {
  return db
    .selectFrom('webhooks')
    .select(['id', 'url', 'events', 'isSite', 'secret', 'createdAt', 'pausedAt'])
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

/** Adds a webhook unless the account has `max`. Returns whether it did. */
export async function insertWebhook(
  db: Db,
  webhook: {
    id: string
    userId: string
    isSite: boolean
    url: string
    secret: string
    events: WebhookEvent[]
    createdAt: Date
  },
  max: number,
): Promise<boolean> {
  // the lock makes concurrent requests count one another's webhooks
  const { numAffectedRows } = await sql`
    with owner as materialized (select id from users where id = ${webhook.userId} for no key update)
    insert into webhooks (id, user_id, is_site, url, secret, events, created_at)
    select ${webhook.id}, owner.id, ${webhook.isSite}, ${webhook.url}, ${webhook.secret},
      ${webhook.events}::text[], ${webhook.createdAt}::timestamptz
    from owner where (select count(*) from webhooks where user_id = owner.id) < ${max}`.execute(db)
  return numAffectedRows === 1n
}

/** Deletes a webhook of a person. Returns whether the person had it. */
export async function deleteWebhookOf(db: Db, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('webhooks')
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Pauses the webhooks of an account, and drops what they would still send. */
export async function pauseWebhooksOf(db: Db, userId: string, now: Date): Promise<void> {
  await sql`
    with paused as (
      update webhooks set paused_at = coalesce(paused_at, ${now}::timestamptz) where user_id = ${userId} returning id
    )
    delete from webhook_deliveries d using paused where d.webhook_id = paused.id and d.next_attempt_at is not null`.execute(
    db,
  )
}

/** Ends the pause of a webhook of a person. Returns whether the person has it. */
export async function updateResumed(db: Db, userId: string, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhooks')
    .set({ pausedAt: null, failures: 0 })
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The log of a webhook of a person, newest first; undefined if the person has no such webhook. */
export async function findDeliveriesOf(db: Db, userId: string, webhookId: string) {
  const webhook = await db
    .selectFrom('webhooks')
    .select('id')
    .where('userId', '=', userId)
    .where('id', '=', webhookId)
    .executeTakeFirst()
  if (!webhook) return undefined
  return db
    .selectFrom('webhookDeliveries')
    .select([
      'id',
      'event',
      'createdAt',
      'nextAttemptAt',
      'attempts',
      'isDelivered',
      'status',
      'problem',
      'durationMs',
    ])
    .where('webhookId', '=', webhookId)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(keptDeliveries)
    .execute()
}

/**
 * Queues a test of a webhook of a person. Returns `waiting` while another test waits, `refused` for a webhook of the site whose
 * owner is no administrator, to which nothing is sent, and `unknown` if the person has no such webhook.
 */
export async function insertTest(
  db: Db,
  userId: string,
  webhookId: string,
): Promise<'queued' | 'waiting' | 'refused' | 'unknown'> {
  return db.transaction().execute(async (transaction) => {
    // the lock makes concurrent requests see one another's tests
    const webhook = await transaction
      .selectFrom('webhooks')
      .innerJoin('users', 'users.id', 'webhooks.userId')
      .select(['webhooks.isSite', 'users.role'])
      .where('webhooks.userId', '=', userId)
      .where('webhooks.id', '=', webhookId)
      .forNoKeyUpdate('webhooks')
      .executeTakeFirst()
    if (!webhook) return 'unknown'
    if (webhook.isSite && webhook.role !== 'administrator') return 'refused'
    const { numAffectedRows } = await sql`
      insert into webhook_deliveries (id, webhook_id, event, subject_id, data)
      select 'msg_' || replace(gen_random_uuid()::text, '-', ''), ${webhookId}, 'test', '', '{}' where not exists (
        select from webhook_deliveries
        where webhook_id = ${webhookId} and event = 'test' and next_attempt_at is not null
      )`.execute(transaction)
    return numAffectedRows === 1n ? 'queued' : 'waiting'
  })
}

/**
 * Queues an event for the webhooks that want it: those of its owner, and those of the site whose owner is an administrator.
 * `subjects` selects owner_id (null for events of the site), id, occurrence and data. A subject has an event once per
 * occurrence: the id of a delivery follows from these, so that receivers recognize it however often it is sent.
 */
async function insertEvent(db: Db, event: WebhookEvent, subjects: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into webhook_deliveries (id, webhook_id, event, subject_id, data)
    select 'msg_' || left(encode(sha256(convert_to(
      concat_ws(' ', w.id, ${event}::text, subject.id, subject.occurrence), 'UTF8')), 'hex'), 32),
      w.id, ${event}, subject.id, subject.data
    from (${subjects}) as subject (owner_id, id, occurrence, data)
    join webhooks w on (w.user_id = subject.owner_id and not w.is_site) or w.is_site
    join users u on u.id = w.user_id and u.suspended_at is null and (not w.is_site or u.role = 'administrator')
    where ${event} = any(w.events) and w.paused_at is null
    on conflict do nothing`.execute(db)
}

/** The occurrence of an event that a subject has once. */
const once = sql`''`

/** A video became public. */
export async function insertPublishedEvent(db: Db, videoId: string): Promise<void> {
  await insertEvent(db, 'video.published', videoWith(videoId, isListed(visitors, 'videos'), once))
}

/** The preparation of a video has ended, well or not. Each preparation ends once. */
export async function insertProcessingEvent(db: Db, videoId: string): Promise<void> {
  await insertEvent(db, 'video.ready', videoWith(videoId, sql`processing_state = 'ready'`, sql`preparation`))
  await insertEvent(
    db,
    'video.failed',
    videoWith(videoId, sql`processing_state = 'failed'`, sql`preparation`),
  )
}

const videoWith = (videoId: string, condition: RawBuilder<unknown>, occurrence: RawBuilder<unknown>) => sql`
  select owner_id, id, ${occurrence}, jsonb_build_object('_id', id, 'title', title, 'visibility', visibility)
  from videos where id = ${videoId} and ${condition}`

/** Drops what is not sent yet about a deleted video. */
export async function deleteWaitingEvents(db: Db, videoId: string): Promise<void> {
  await sql`
    delete from webhook_deliveries
    where subject_id = ${videoId} and event like 'video.%' and next_attempt_at is not null`.execute(db)
}

/** Somebody else commented below a video. Comments that wait for approval are left out. */
export async function insertCommentEvent(db: Db, commentId: string): Promise<void> {
  await insertEvent(
    db,
    'comment.created',
    sql`
      select v.owner_id, c.id, ${once}, jsonb_build_object(
        '_id', c.id, 'videoId', v.id, 'username', u.username, 'content', c.content
      )
      from comments c join videos v on v.id = c.video_id join users u on u.id = c.author_id
      where c.id = ${commentId} and not c.is_held and c.author_id <> v.owner_id`,
  )
}

export async function insertUserEvent(db: Db, userId: string): Promise<void> {
  await insertEvent(
    db,
    'user.registered',
    sql`
      select null::text, id, ${once}, jsonb_build_object('_id', id, 'username', username, 'fullname', fullname)
      from users where id = ${userId}`,
  )
}

/** Somebody reported something, which others may have reported before. */
export async function insertReportEvent(
  db: Db,
  { reportId, reporterId, reason }: { reportId: number; reporterId: string; reason: string },
): Promise<void> {
  await insertEvent(
    db,
    'report.created',
    sql`
      select null::text, id::text, ${reporterId}::text, jsonb_build_object('_id', id::text, 'kind', kind, 'reason', ${reason}::text)
      from reports where id = ${reportId}`,
  )
}

export interface DueDelivery {
  id: string
  webhookId: string
  event: string
  data: unknown
  createdAt: Date
  attempts: number
  url: string
  secret: string
}

/**
 * Takes deliveries that are due, at most `perOwner` of each owner, and counts the attempt. Until `leasedUntil` no other
 * worker takes them.
 */
export async function takeDue(
  db: Db,
  { now, leasedUntil, limit, perOwner }: { now: Date; leasedUntil: Date; limit: number; perOwner: number },
): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    update webhook_deliveries d set attempts = d.attempts + 1, next_attempt_at = ${leasedUntil}::timestamptz
    from webhooks w
    where w.id = d.webhook_id and d.id in (
      select due.id from webhook_deliveries due join (
        select waiting.id, row_number() over (
          partition by own.user_id order by waiting.next_attempt_at, waiting.created_at, waiting.id
        ) as place
        from webhook_deliveries waiting
        join webhooks own on own.id = waiting.webhook_id and (own.paused_at is null or waiting.event = 'test')
        join users u on u.id = own.user_id
          and u.suspended_at is null and (not own.is_site or u.role = 'administrator')
        where waiting.next_attempt_at <= ${now}::timestamptz
      ) ranked on ranked.id = due.id
      where ranked.place <= ${perOwner} and due.next_attempt_at <= ${now}::timestamptz
      order by ranked.place, due.next_attempt_at limit ${limit} for update of due skip locked
    )
    returning d.id, d.webhook_id, d.event, d.data, d.created_at, d.attempts, w.url, w.secret`.execute(db)
  return rows
}

/** Reverts an attempt that has no outcome. The delivery is due immediately. */
export async function returnTaken(db: Db, id: string, now: Date): Promise<void> {
  await sql`
    update webhook_deliveries set attempts = attempts - 1, next_attempt_at = ${now}::timestamptz
    where id = ${id}`.execute(db)
}

/**
 * Records an attempt. Pauses the webhook after `failuresUntilPause` failures in a row; a test never does. Returns its owner
 * if it was paused just now.
 */
export async function recordAttempt(
  db: Db,
  { id, webhookId, event }: DueDelivery,
  outcome: {
    isDelivered: boolean
    status: number | null
    problem: string | null
    durationMs: number
    nextAttemptAt: Date | null
  },
  { now, failuresUntilPause }: { now: Date; failuresUntilPause: number },
): Promise<string | undefined> {
  await db.updateTable('webhookDeliveries').set(outcome).where('id', '=', id).execute()
  if (outcome.isDelivered) {
    await db.updateTable('webhooks').set({ failures: 0 }).where('id', '=', webhookId).execute()
  } else if (event !== 'test') {
    const { rows } = await sql<{ userId: string; isPaused: boolean }>`
      update webhooks w set failures = old.failures + 1, paused_at = coalesce(
        old.paused_at, case when old.failures + 1 >= ${failuresUntilPause} then ${now}::timestamptz end
      ) from (select id, failures, paused_at from webhooks where id = ${webhookId} for update) old
      where w.id = old.id
      returning w.user_id, old.paused_at is null and w.paused_at is not null as is_paused`.execute(db)
    return rows.find(({ isPaused }) => isPaused)?.userId
  }
  return undefined
}

/** Deletes what is older than the logs of these webhooks, but for what waits for another attempt up to a bound. */
export async function deleteOldDeliveries(db: Db, webhookIds: readonly string[]): Promise<void> {
  await sql`
    delete from webhook_deliveries where id in (
      select id from (
        select id, next_attempt_at, row_number() over (partition by webhook_id order by created_at desc, id) as place
        from webhook_deliveries where webhook_id = any(${webhookIds}::text[])
      ) ranked where place > ${keptWaiting} or (place > ${keptDeliveries} and next_attempt_at is null)
    )`.execute(db)
}
