import { getCurrentUser } from '@kinora/contract/accounts/users.ts'
import { api } from '@kinora/contract/api.ts'
import type { Endpoint } from '@kinora/contract/endpoint.ts'
import { exampleOf } from '@kinora/contract/examples.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import { paths } from '../paths.ts'
import { openPage, reply } from './site.tsx'

const mark = 'Heron§'
const hostile = `${mark}<s>x</s> <0>y</0> {title} {0} # '{' "q" &lt; \u202E </0> \\u0041 $& %`

/** Fields that people or files fill. Of some endpoints the last ones are kinds, which have no other values. */
const written = ['title', 'fullname', 'description', 'content', 'text', 'note', 'name', 'reason']

/** The data with the hostile text in fields that people fill. */
function withHostileTexts(data: unknown, fields = written): unknown {
  return JSON.parse(JSON.stringify(data), (key, value: unknown) =>
    fields.includes(key) && typeof value === 'string' ? hostile : value,
  )
}

const replyWith = (endpoint: Endpoint, data: unknown) =>
  reply(endpoint, endpoint.paged ? { items: data, nextCursor: null } : (data as never))

beforeEach(() => {
  for (const endpoint of api) {
    if (endpoint.method !== 'GET' || endpoint.events) continue
    const { data } = exampleOf(endpoint)
    const hostileData = [written, written.slice(0, -2)].map((fields) => withHostileTexts(data, fields))
    replyWith(endpoint, hostileData.find((each) => endpoint.result.safeParse(each).success) ?? data)
  }
  const user = withHostileTexts({ ...(exampleOf(getCurrentUser).data as object), role: 'administrator' })
  replyWith(getCurrentUser, user)
})

const { username } = exampleOf(getCurrentUser).data as { username: string }

/** Texts that people see or hear: of the page, of labels and of pictures. */
function readTexts(): string {
  const attributes = ['aria-label', 'title', 'alt', 'placeholder']
  const described = document.querySelectorAll(attributes.map((name) => `[${name}]`).join())
  const labels = [...described].flatMap((each) => attributes.map((name) => each.getAttribute(name) ?? ''))
  return [document.title, document.body.textContent, ...labels].join('\n')
}
const countOf = (text: string) => readTexts().split(text).length - 1

test.each(
  [
    paths.home(),
    paths.search(hostile),
    paths.watch('8sXkQ2VbTn4LpR7a'),
    paths.channelVideos('ines'),
    paths.subscribedTo('ines'),
    paths.dashboard(username),
    paths.studio(),
    paths.analytics(),
    paths.account('security'),
    paths.account('developers'),
    paths.administrationOf('people'),
    paths.administrationOf('videos'),
    paths.administrationOf('comments'),
    paths.administrationOf('reports'),
  ].map((address) => [decodeURIComponent(address), address] as const),
)('%s shows texts of people to the letter', async (_, address) => {
  const logged = vi.spyOn(console, 'error')
  await openPage(address)
  await expect.poll(() => document.querySelector('main')?.textContent).toContain(mark)
  await expect.poll(() => document.querySelector('[aria-busy="true"]')).toBeNull()
  expect(countOf(hostile)).toBe(countOf(mark))
  expect(document.querySelectorAll('s')).toHaveLength(0)
  expect(logged.mock.calls).toEqual([])
})
