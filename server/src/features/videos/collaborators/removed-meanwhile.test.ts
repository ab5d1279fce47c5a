import {
  acceptCollaboration,
  deleteCollaborator,
  listActivity,
  listCollaborations,
  putCollaborator,
} from '@kinora/contract/videos/collaborators.ts'
import { addComment, listReceivedComments } from '@kinora/contract/conversation/comments.ts'
import { putVideoEmbeds } from '@kinora/contract/videos/embeds.ts'
import { createShareLink } from '@kinora/contract/videos/share-links.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { suspendUser } from '../../accounts/users/actions/suspend-user.ts'
import { addCaptions } from '../captions/actions/change-captions.ts'
import { addShareLink, ownVideo } from '../share-links/actions.ts'
import { deleteOwnVideo } from '../video-deletion/actions/delete-video.ts'
import { changeVideo } from '../videos/actions/change-visibility.ts'
import { publishCut } from '../cuts/actions/publish-cut.ts'
import { assertStillHasRole, onCollaborationEnd, putCollaborator as putRole } from './actions.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

interface Person {
  client: TestClient
  id: string
  username: string
}

async function person(): Promise<Person> {
  const { client, user } = await signUp(site)
  return { client, id: user._id, username: user.username }
}

async function manager(owner: Person): Promise<Person> {
  const worker = await person()
  await owner.client.call(putCollaborator, { params: worker, body: { role: 'manager' } })
  await worker.client.call(acceptCollaboration, { params: owner })
  return worker
}

/** Requests that passed the check of the role before the person was removed. */
const writes: Record<string, (channelId: string, actorId: string, id: string) => Promise<unknown>> = {
  'a change': (channelId, actorId, id) =>
    changeVideo(site.context, id, channelId, { title: 'Theirs' }, (transaction) =>
      assertStillHasRole(transaction, actorId, channelId, 'editor'),
    ),
  'a deletion': (channelId, actorId, id) =>
    deleteOwnVideo(site.context, id, channelId, (transaction) =>
      assertStillHasRole(transaction, actorId, channelId, 'manager'),
    ),
  captions: (userId, actorId, videoId) =>
    addCaptions(site.db, { videoId, userId, actorId }, { language: 'en' }, 'WEBVTT\n'),
  'a cut': (userId, actorId, videoId) =>
    publishCut(site.context, { videoId, userId, actorId }, { ranges: [{ startSeconds: 0, endSeconds: 1 }] }),
  'a share link': (channelId, actorId, id) =>
    addShareLink(site.context, ownVideo(site.db, id, channelId, actorId), { name: 'For me' }),
}

test.for(Object.entries(writes))(
  '%s of somebody who is removed meanwhile has no effect',
  async ([, write]) => {
    const ada = await person()
    const ben = await manager(ada)
    const id = await addVideo(site, ada.id, { title: 'Ours' })
    await ada.client.call(deleteCollaborator, { params: ben })
    await expect(write(ada.id, ben.id, id)).rejects.toMatchObject({ reason: 'channel_not_yours' })
    const video = await site.db.selectFrom('videos').select('title').where('id', '=', id).executeTakeFirst()
    expect(video).toEqual({ title: 'Ours' })
    for (const table of ['captions', 'shareLinks'] as const)
      expect(await site.db.selectFrom(table).select('videoId').where('videoId', '=', id).execute()).toEqual(
        [],
      )
  },
)

/** Writes of people who work on a channel, over HTTP. */
const requests: Record<
  string,
  (by: Person, channel: Person, id: string, commentId: string) => Promise<{ status: number }>
> = {
  'a change': ({ client }, _, id) => client.patch(`/api/v1/studio/videos/${id}`, { title: 'Theirs' }),
  'changed embeds': ({ client }, _, id) =>
    client.put(`/api/v1/studio/videos/${id}/embeds`, { own: { allowed: 'nowhere', sites: [] } }),
  'a share link': ({ client }, _, id) =>
    client.post(`/api/v1/studio/videos/${id}/share-links`, { name: 'Mine' }),
  'a choice of captions': ({ client }, _, id) =>
    client.put(`/api/v1/studio/videos/${id}/transcription`, { isEnabled: false }),
  'a request for captions': ({ client }, _, id) =>
    client.post(`/api/v1/studio/videos/${id}/transcription`, { language: null }),
  'a request for a waveform': ({ client }, _, id) => client.post(`/api/v1/studio/videos/${id}/waveform`, {}),
  'a heart': ({ client }, _, id, commentId) =>
    client.put(`/api/v1/comment/marks/${id}/${commentId}`, { isHearted: true }),
  'an approval': ({ client }, _, id, commentId) =>
    client.put(`/api/v1/comment/approve/${id}/${commentId}`, {}),
  'a hidden comment': ({ client }, _, id, commentId) =>
    client.put(`/api/v1/comment/hold/${id}/${commentId}`, {}),
  'a removed comment': ({ client }, _, id, commentId) =>
    client.delete(`/api/v1/comment/remove/${id}/${commentId}`),
  'a restored comment': ({ client }, _, id, commentId) =>
    client.post(`/api/v1/comment/restore/${id}/${commentId}`, {}),
  'watched words': ({ client }, channel) =>
    client.put(`/api/v1/channels/own/watched-words?channel=${channel.username}`, {
      watchedWords: 'tide',
      watchedWordsAction: 'hold',
    }),
  'a profile': ({ client }, channel) =>
    client.put(`/api/v1/channels/own?channel=${channel.username}`, { about: 'Theirs', links: [] }),
  'embeds of the channel': ({ client }, channel) =>
    client.put(`/api/v1/studio/embeds?channel=${channel.username}`, { allowed: 'nowhere', sites: [] }),
}

test.for(Object.entries(requests))(
  '%s is refused if the person is removed between the first check and the write',
  async ([, request]) => {
    const ada = await person()
    const ben = await manager(ada)
    const id = await addVideo(site, ada.id, { title: 'Ours' })
    const comment = await ada.client.call(addComment, { body: { videoId: id, content: 'High tide' } })
    let sent: Promise<{ status: number }> | undefined
    await site.db.transaction().execute(async (transaction) => {
      // not committed, so that the first check still finds the role, and the second one waits
      await transaction.deleteFrom('collaborators').where('userId', '=', ben.id).execute()
      sent = request(ben, ada, id, comment._id)
      await expect.poll(countWaiting).toBeGreaterThan(0)
    })
    expect((await sent)?.status).toBe(403)
    const video = await site.db.selectFrom('videos').select('title').where('id', '=', id).executeTakeFirst()
    expect(video).toEqual({ title: 'Ours' })
  },
)

/** Transactions that wait for a lock. */
async function countWaiting(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(site.db)
  return rows[0]?.count ?? 0
}

test('a manager who is removed meanwhile invites nobody, and invitations by one end with the removal', async () => {
  const ada = await person()
  const ben = await manager(ada)
  const [cleo, dora] = [await person(), await person()]
  const query = { channel: ada.username }
  await ben.client.call(putCollaborator, { query, params: cleo, body: { role: 'manager' } })
  await ada.client.call(putCollaborator, { params: dora, body: { role: 'editor' } })
  const offers = async ({ client }: Person) => (await client.call(listCollaborations, {})).length
  expect([await offers(cleo), await offers(dora)]).toEqual([1, 1])
  await ada.client.call(deleteCollaborator, { params: ben })
  expect([await offers(cleo), await offers(dora)]).toEqual([0, 1])
  await expect(cleo.client.call(acceptCollaboration, { params: ada })).rejects.toMatchObject({ status: 404 })
  // as a request that began before
  await expect(
    putRole(site.context, ada.id, { actorId: ben.id, username: cleo.username, role: 'manager' }),
  ).rejects.toMatchObject({ reason: 'channel_not_yours' })
})

test('share links and embeds are in the activity, with who changed them', async () => {
  const ada = await person()
  const ben = await manager(ada)
  const id = await addVideo(site, ada.id, { title: 'Tide' })
  await ben.client.call(createShareLink, { params: { id }, body: { name: 'Class 4b' } })
  await ben.client.call(putVideoEmbeds, {
    params: { id },
    body: { own: { allowed: 'nowhere', sites: [] } },
  })
  const { items } = await ada.client.call(listActivity, {})
  expect(items.slice(0, 2).map(({ action, actor, videoId }) => [action, actor?.username, videoId])).toEqual([
    ['embeds_changed', ben.username, id],
    ['share_links_changed', ben.username, id],
  ])
})

test('comments that an editor reads in the studio say whether the editor likes them', async () => {
  const ada = await person()
  const ben = await manager(ada)
  const id = await addVideo(site, ada.id)
  const comment = await ben.client.call(addComment, { body: { videoId: id, content: 'High tide' } })
  await ben.client.put(`/api/v1/likes/comment/${comment._id}`, {})
  const liked = async ({ client }: Person, query: { channel?: string } = {}) =>
    (await client.call(listReceivedComments, { query: { show: 'published', ...query } })).items.map(
      (each) => each.liked,
    )
  expect([await liked(ben, { channel: ada.username }), await liked(ada)]).toEqual([[true], [false]])
})

test('work on a channel ends while it runs when its owner is suspended, signed in or not', async () => {
  const ada = await person()
  const ben = await manager(ada)
  await site.db.deleteFrom('sessions').where('userId', '=', ada.id).execute()
  const { promise, resolve } = Promise.withResolvers<unknown>()
  using _ = await onCollaborationEnd(site.context, { userId: ben.id, channelId: ada.id }, resolve)
  await suspendUser(site.context, ada.id)
  expect(await promise).toMatchObject({ reason: 'channel_not_yours' })
})
