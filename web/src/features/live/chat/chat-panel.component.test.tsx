import { jonas, videoId } from '@kinora/contract/examples/samples.ts'
import {
  type Chat,
  type ChatMessage,
  getChat,
  listChatMessages,
  putChatSettings,
  removeChatMessage,
  sendChatMessage,
} from '@kinora/contract/live/chat.ts'
import { getVideo } from '@kinora/contract/videos/videos.ts'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { callsOf, exampleData, openPage, publish, rejection, reply, signOut } from '../../../testing/site.tsx'

const details = exampleData(getVideo)[0]!
const [example] = exampleData(listChatMessages)
const panel = page.getByRole('region', { name: 'Chat', exact: true })
const box = panel.getByRole('textbox', { name: 'Write a message' })
const send = panel.getByRole('button', { name: 'Send' })

let chat: Chat

const message = (id: string, changed: Partial<ChatMessage> = {}): ChatMessage => ({
  ...example!,
  _id: id,
  text: id,
  sentAt: new Date(Date.UTC(2026, 0, 1) + Number(/\d+/.exec(id)?.[0] ?? 0) * 1000).toISOString(),
  author: { _id: 'other', username: 'mara', fullname: 'Mara', avatar: '' },
  ...changed,
})
const shown = () => [...document.querySelectorAll('[role=log] li')].map((each) => each.textContent)

beforeEach(() => {
  chat = {
    ...exampleData(getChat),
    writers: 'everybody',
    slowSeconds: 0,
    isOpen: true,
    mayModerate: false,
    mayConfigure: false,
    refusal: null,
  }
  reply(getChat, () => chat)
  reply(getVideo, [{ ...details, hasChat: true }])
  reply(listChatMessages, { items: [message('m2'), message('m1')], nextCursor: null })
})

test('shows what is written as it arrives, in order and without removed messages', async () => {
  await openPage(`/video/${videoId}`)
  await expect.poll(shown).toEqual([expect.stringContaining('m1'), expect.stringContaining('m2')])
  await publish('messages', [message('m3', { mark: 'owner' }), message('m2')])
  await expect.poll(shown).toHaveLength(3)
  await expect.element(panel.getByText('Channel', { exact: true })).toBeVisible()
  await publish('removed', ['m1', 'm3'])
  await expect.poll(shown).toEqual([expect.stringContaining('m2')])
})

test('sends a message, and keeps one that was not sent until it is sent again or discarded', async () => {
  let attempts = 0
  reply(sendChatMessage, ({ body }) => {
    attempts += 1
    if (attempts === 1) return rejection('invalid', 'Not these words')
    return message('m9', { text: String(body['text']), author: jonas })
  })
  await openPage(`/video/${videoId}`)
  await box.fill('  Hello there ')
  await send.click()
  await expect.element(panel.getByText('Not these words')).toBeVisible()
  await expect.element(box).toHaveValue('')
  await panel.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(shown).toContainEqual(expect.stringContaining('Hello there'))
  await expect.element(panel.getByRole('button', { name: 'Try again' })).not.toBeInTheDocument()
  expect(callsOf(sendChatMessage).map(({ body }) => body)).toEqual([
    { text: 'Hello there' },
    { text: 'Hello there' },
  ])
})

test('counts down in slow mode, and shows the limit of a message', async () => {
  chat = { ...chat, slowSeconds: 30 }
  reply(sendChatMessage, () => message('m9'))
  await openPage(`/video/${videoId}`)
  await expect.element(panel.getByText('Slow mode: one message every 30 s.')).toBeVisible()
  await box.fill('x'.repeat(201))
  await expect.element(panel.getByText('-1 characters left')).toBeVisible()
  await expect.element(send).toHaveAttribute('aria-disabled', 'true')
  await userEvent.keyboard('{Enter}')
  expect(callsOf(sendChatMessage)).toEqual([])
  await box.fill('Hello')
  await send.click()
  await expect
    .element(panel.getByText(/^Slow mode: you can send the next message in (30|29) s\.$/))
    .toBeVisible()
})

test('moderators remove messages, and members their own only', async () => {
  reply(removeChatMessage, null)
  reply(listChatMessages, { items: [message('m2', { author: jonas }), message('m1')], nextCursor: null })
  await openPage(`/video/${videoId}`)
  await panel.getByRole('button', { name: 'More actions: Mara' }).click()
  await expect.element(panel.getByRole('button', { name: 'Report' })).toBeVisible()
  await expect.element(panel.getByRole('button', { name: 'Remove this message' })).not.toBeInTheDocument()
  await userEvent.keyboard('{Escape}')
  await panel.getByRole('button', { name: 'More actions: Jonas Brandt' }).click()
  await panel.getByRole('button', { name: 'Remove this message' }).click()
  await expect.poll(shown).toEqual([expect.stringContaining('m1')])
  chat = { ...chat, mayModerate: true }
  await publish('settings', { writers: 'everybody', slowSeconds: 0 })
  await panel.getByRole('button', { name: 'More actions: Mara' }).click()
  await panel.getByRole('button', { name: 'Remove this message' }).click()
  await expect.element(panel.getByText('Nobody has written yet. Say hello!')).toBeVisible()
})

test('the channel sets who writes and how fast', async () => {
  chat = { ...chat, mayModerate: true, mayConfigure: true }
  reply(putChatSettings, ({ body }) => body as never)
  await openPage(`/video/${videoId}`)
  await panel.getByRole('button', { name: 'Settings of the chat' }).click()
  await panel.getByRole('combobox', { name: 'Slow mode' }).selectOptions('30')
  await expect
    .poll(() => callsOf(putChatSettings).map(({ body }) => body))
    .toEqual([{ writers: 'everybody', slowSeconds: 30 }])
})

test('visitors read, and sign in to write; nobody writes where the chat refuses them', async () => {
  signOut()
  chat = { ...chat, refusal: 'signed_out' }
  await openPage(`/video/${videoId}`)
  await expect.poll(shown).toHaveLength(2)
  await expect.element(box).not.toBeInTheDocument()
  chat = { ...chat, refusal: 'subscribers' }
  await publish('settings', { writers: 'subscribers', slowSeconds: 0 })
  await expect.element(panel.getByText('Only people who follow the channel can write here.')).toBeVisible()
})

test('only people who can write are invited to', async () => {
  chat = { ...chat, refusal: 'subscribers' }
  reply(listChatMessages, { items: [], nextCursor: null })
  await openPage(`/video/${videoId}`)
  await expect.element(panel.getByText('Nobody has written yet.', { exact: true })).toBeVisible()
})

test('new messages do not move a reader who scrolled back', async () => {
  const many = Array.from({ length: 60 }, (_, index) => message(`m${index}`))
  reply(listChatMessages, { items: many.toReversed(), nextCursor: null })
  await openPage(`/video/${videoId}`)
  const log = () => document.querySelector('[role=log]')!
  await expect.poll(() => log().scrollTop).toBeGreaterThan(100)
  log().scrollTop = 0
  const newer = panel.getByRole('button', { name: 'New messages' })
  await publish('messages', [message('m99')])
  await newer.click()
  await expect.poll(() => log().scrollHeight - log().scrollTop - log().clientHeight).toBeLessThan(48)
  await expect.element(newer).not.toBeInTheDocument()
})

test('a chat that has ended waits until it is shown', async () => {
  chat = { ...chat, isOpen: false, refusal: 'closed' }
  reply(listChatMessages, ({ query }) => {
    const until = Number(query['until'])
    return { items: [message(`m${until}`, { position: until - 60 })], nextCursor: null }
  })
  await openPage(`/video/${videoId}`)
  await expect.element(panel.getByRole('heading', { name: 'Chat replay' })).toBeVisible()
  expect(callsOf(listChatMessages)).toEqual([])
  await panel.getByRole('button', { name: 'Show the chat' }).click()
  await expect.poll(shown).toContainEqual(expect.stringMatching(/m\d+$/))
})
