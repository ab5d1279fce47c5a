import { expect, test } from 'vitest'
import { parseFrameCommand } from './frame-messages.ts'

test.each([
  { command: 'listen' },
  { command: 'play' },
  { command: 'pause' },
  { command: 'seek', seconds: 12.5 },
  { command: 'volume', volume: 0 },
])('reads %j', (command) => {
  expect(parseFrameCommand({ type: 'kinora.command', other: 1, ...command })).toEqual(command)
})

test.each([
  { command: 'seek' },
  { command: 'seek', seconds: -1 },
  { command: 'seek', seconds: '12' },
  { command: 'seek', seconds: NaN },
  { command: 'seek', seconds: Infinity },
  { command: 'volume', volume: 2 },
  { command: ['play'] },
  { command: 'toString' },
  {},
])('ignores the invalid command %j', (fields) => {
  expect(parseFrameCommand({ type: 'kinora.command', ...fields })).toBeUndefined()
})

test.each([undefined, null, 'play', 3, [], { command: 'play' }, { type: 'other', command: 'play' }])(
  'ignores %j, which is not for the player',
  (data) => {
    expect(parseFrameCommand(data)).toBeUndefined()
  },
)
