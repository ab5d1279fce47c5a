import { expect, test } from 'vitest'
import { ByteBudget } from './byte-budget.ts'

test('waits for bytes until some are given back', async () => {
  const budget = new ByteBudget(100, 60_000)
  budget.take(99)
  expect(budget.room()).toBeUndefined()
  budget.take(20)
  const room = budget.room()
  budget.giveBack(20)
  await room
  expect(budget.room()).toBeUndefined()
})

test('refuses a wait that takes too long', async () => {
  const budget = new ByteBudget(100, 10)
  budget.take(100)
  await expect(budget.room()).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 10 })
})
