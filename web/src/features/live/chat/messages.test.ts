import type { ChatMessage } from '@kinora/contract/live/chat.ts'
import { expect, it } from 'vitest'
import { mergeMessages } from './messages.ts'

const message = (id: string, second: number): ChatMessage => ({
  _id: id,
  text: id,
  sentAt: new Date(second * 1000).toISOString(),
  position: second,
  author: { _id: 'a', username: 'a', fullname: 'A', avatar: '' },
  mark: null,
})

it('orders messages by their time, keeps each once, and leaves out removed ones', () => {
  const known = [message('b', 1), message('d', 3)]
  const merged = mergeMessages(known, [message('d', 3), message('c', 3), message('a', 0)], new Set(['b']))
  expect(merged.map(({ _id }) => _id)).toEqual(['a', 'c', 'd'])
})
